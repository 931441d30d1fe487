#!/usr/bin/python3
"""Takes connections of a shared vault and keeps them: socket_crowd.py SOCKET VAULT PROCESSES CONNECTIONS [--floods]

Each process takes as many, and with --floods goes on to take new ones and leave the oldest. Writes an empty object when
all have greeted, and ends at the end of standard input.
"""
import contextlib
import json
import os
import select
import socket
import sys

path, vault = sys.argv[1:3]
processes, count = map(int, sys.argv[3:5])
ready, set_ready = os.pipe()
ended, end = os.pipe()


def take():
    """A connection; whether it was accepted does not matter."""
    taken = socket.socket(socket.AF_UNIX)
    with contextlib.suppress(ConnectionError):
        taken.connect(path)
        taken.sendall(json.dumps({"quickvault": 1, "vault": vault}).encode() + b"\n")
        taken.recv(1)
    return taken


for _ in range(processes):
    if os.fork() == 0:
        os.close(end)
        kept = [take() for _ in range(count)]
        os.write(set_ready, b".")
        while not select.select([ended], [], [], 0 if "--floods" in sys.argv else None)[0]:
            kept = kept[1:] + [take()]
        os._exit(0)
for _ in range(processes):
    os.read(ready, 1)
print("{}", flush=True)
sys.stdin.read()
