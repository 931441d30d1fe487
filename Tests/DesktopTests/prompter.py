"""Answers the password prompts of gnome-keyring, in place of the window of gcr-prompter.

    prompter.py answer PASSWORD     # types the password
    prompter.py hang                # leaves the question unanswered

Prints "asked" when a question is put.
"""

import sys

import gi

gi.require_version("Gcr", "3")
from gi.repository import Gcr, Gio, GLib  # noqa: E402

NAME = "org.gnome.keyring.SystemPrompter"
INTERFACE = "org.gnome.keyring.internal.Prompter"
DESCRIPTION = """<node><interface name="org.gnome.keyring.internal.Prompter">
  <method name="BeginPrompting"><arg type="o" direction="in"/></method>
  <method name="PerformPrompt">
    <arg type="o" direction="in"/><arg type="s" direction="in"/>
    <arg type="a{sv}" direction="in"/><arg type="s" direction="in"/>
  </method>
  <method name="StopPrompting"><arg type="o" direction="in"/></method>
</interface></node>"""


class Prompter:
    """The prompter's D-Bus interface."""

    def __init__(self, password):
        self.password = password

    def called(self, bus, sender, _path, _interface, member, arguments, invocation):
        arguments = arguments.unpack()
        invocation.return_value(None)
        if member == "BeginPrompting":
            self.ready(bus, sender, arguments[0], "", "")
        elif member == "PerformPrompt":
            print("asked", flush=True)
            if self.password is not None:
                exchange = Gcr.SecretExchange.new(None)
                exchange.receive(arguments[3])
                self.ready(bus, sender, arguments[0], "yes", exchange.send(self.password, len(self.password)))
        else:
            bus.call(
                sender, arguments[0], INTERFACE + ".Callback", "PromptDone", None, None, Gio.DBusCallFlags.NONE, -1,
                None, None)

    @staticmethod
    def ready(bus, sender, callback, reply, exchange):
        bus.call(
            sender, callback, INTERFACE + ".Callback", "PromptReady", GLib.Variant("(sa{sv}s)", (reply, {}, exchange)),
            None, Gio.DBusCallFlags.NONE, -1, None, None)


def main():
    prompter = Prompter(sys.argv[2] if sys.argv[1] == "answer" else None)
    interface = Gio.DBusNodeInfo.new_for_xml(DESCRIPTION).interfaces[0]
    Gio.bus_own_name(
        Gio.BusType.SESSION, NAME, Gio.BusNameOwnerFlags.NONE,
        lambda bus, _: bus.register_object("/org/gnome/keyring/Prompter", interface, prompter.called), None, None)
    GLib.MainLoop().run()


main()
