#!/usr/bin/python3
"""Asks for consent from one process after the other: socket_askers.py SOCKET VAULT COUNT [--orphans]

Each is a child of this process, or with --orphans of one that has ended. Writes the kind of each error, or "open", as JSON.
"""
import json
import os
import socket
import sys

path, vault = sys.argv[1:3]


def ask():
    connection = socket.socket(socket.AF_UNIX)
    connection.connect(path)
    greeting = {"quickvault": 1, "vault": vault}
    request = {"jsonrpc": "2.0", "id": 1, "method": "client/requestConsent"}
    for message in (greeting, request):
        connection.sendall(json.dumps(message).encode() + b"\n")
    for line in connection.makefile():
        answer = json.loads(line)
        if answer.get("id") == 1:
            error = answer.get("error")
            return {"kind": error["data"]["kind"] if error else "open"}
    return {"kind": "closed"}


for _ in range(int(sys.argv[3])):
    ready, done = os.pipe()
    if os.fork() == 0:
        # Not before its parent has ended.
        parent = os.getpid()
        if "--orphans" in sys.argv and os.fork() != 0:
            os._exit(0)
        while "--orphans" in sys.argv and os.getppid() == parent:
            pass
        os.write(done, json.dumps(ask()).encode())
        os._exit(0)
    os.close(done)
    if "--orphans" in sys.argv:
        os.wait()
    print(os.read(ready, 1000).decode(), flush=True)
