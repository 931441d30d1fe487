"""Sends a D-Bus signal: the bus's address, the destination or an empty string, the path, the signal's name, its signature and its
arguments as JSON. It ends when the bus has taken the signal. (`gdbus emit` sometimes fails as it disconnects.)"""

import json
import sys

import dbus.bus
import dbus.lowlevel

address, destination, path, name, signature, arguments = sys.argv[1:]
connection = dbus.bus.BusConnection(address)
message = dbus.lowlevel.SignalMessage(path, *name.rsplit(".", 1))
if destination:
    message.set_destination(destination)
if signature:
    message.append(*json.loads(arguments), signature=signature)
connection.send_message(message)
connection.call_blocking("org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "GetId", "", ())
