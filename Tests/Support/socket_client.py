#!/usr/bin/python3
"""Connects standard input and output with the socket of a shared vault: socket_client.py SOCKET VAULT [--terminal] [--ticket=TICKET]

A relay of its own: to the service it is another program, and with --terminal one in a terminal of its own. A zero byte
on standard input begins another connection, which presents the same ticket.
"""
import fcntl
import json
import os
import pty
import select
import socket
import sys
import termios

path, vault = sys.argv[1:3]
tickets = {"ticket": option.partition("=")[2] for option in sys.argv[3:] if option.startswith("--ticket=")}
if "--terminal" in sys.argv:
    os.setsid()
    main, terminal = pty.openpty()
    fcntl.ioctl(terminal, termios.TIOCSCTTY, 0)


def connect():
    made = socket.socket(socket.AF_UNIX)
    made.connect(path)
    greeting = {"quickvault": 1, "vault": vault, "locale": "C", "environment": {}, **tickets}
    made.sendall(json.dumps(greeting).encode() + b"\n")
    answer = b""
    while not answer.endswith(b"\n"):
        byte = made.recv(1)
        if not byte:
            sys.exit("no answer to the greeting")
        answer += byte
    if "error" in json.loads(answer):
        sys.exit(answer.decode())
    return made


connection = connect()
readers = [0, connection]
while connection in readers:
    for reader in select.select(readers, [], [])[0]:
        data = os.read(0, 1 << 16) if reader == 0 else connection.recv(1 << 16)
        if not data:
            readers.remove(reader)
            if reader == 0:
                connection.shutdown(socket.SHUT_WR)
        elif reader == 0:
            before, mark, after = data.partition(b"\0")
            connection.sendall(before)
            if mark:
                connection.close()
                connection = connect()
                readers = [0, connection]
                connection.sendall(after)
                break
        else:
            while data:
                data = data[os.write(1, data):]
