#!/usr/bin/python3
"""Lets the synchronised folder stall, as that of a server which is gone, and checks that nobody waits for it.

    stalling.py PROGRAM

From one call on, every call of that kind on the folder takes until the end of the test: before an attempt to synchronise, at
several points of one, or when the folder is watched. Requests that read and that write are answered, and the vault is locked.
What was changed meanwhile is published when the folder answers again, and another machine has all of it. A commit to the vault
itself that never ends ends the process.
"""

import os
import signal
import struct
import subprocess
import sys
import tempfile
import time

from server import KDF, Server

HERE = os.path.dirname(os.path.abspath(__file__))
PASSWORD = "a long password"


def set_plan(plan, text):
    for name, content in ((plan + ".seen", bytes(1024)), (plan, text.encode())):
        with open(name + ".new", "wb") as file:
            file.write(content)
        os.rename(name + ".new", name)


def create(server):
    server.must("card/create", title="title", group="personal", type="text", fields={"text": "text"})


def wait(what, condition):
    end = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < end, what


def await_state(server, state):
    wait("the state is never " + state, lambda: server.must("sync/status")["state"] == state)


def has_stalled(plan, call):
    """Whether the call that stalls was made."""
    kind, number = call.split()
    with open(plan + ".seen", "rb") as file:
        return struct.unpack("128l", file.read())[ord(kind)] >= int(number)


def change_while_stalled(server, plan, call):
    cards = server.must("card/list")["total"]
    create(server)
    # An attempt that nobody asked for begins after a change, and waits.
    wait("the folder does not stall", lambda: has_stalled(plan, call))
    create(server)
    assert server.must("card/list")["total"] == cards + 2
    await_state(server, "syncing")
    server.must("session/lock")
    assert server.must("vault/status")["locked"]


def stall(server, plan, call):
    server.must("sync/now")
    await_state(server, "idle")
    set_plan(plan, call + " 1000000 -3")
    change_while_stalled(server, plan, call)
    server.must("session/unlock", password=PASSWORD)
    create(server)
    set_plan(plan, "")
    status = server.must("sync/now")
    assert "failure" not in status, status
    await_state(server, "idle")


def stall_watch(server, plan):
    server.must("session/lock")
    set_plan(plan, "i 1 1000000 -3")
    server.must("session/unlock", password=PASSWORD)
    # It is watched after the attempt that begins at once.
    change_while_stalled(server, plan, "i 1")
    set_plan(plan, "")
    server.must("session/unlock", password=PASSWORD)
    server.must("sync/now")


def stall_vault(program, parent, plan, environment):
    """Lets a commit to an unlocked vault never end: the process ends instead, with what it had answered in the vault."""
    set_plan(plan, "")
    server = Server(program, parent + "/stuck.quickvault", env=environment)
    server.must("vault/create", password=PASSWORD, kdf=KDF)
    create(server)
    set_plan(plan, "s 1 1000000 -3")
    server.send("card/create", {"title": "title", "group": "personal", "type": "text", "fields": {"text": "text"}})
    server.flush()
    status = server.process.wait(timeout=120)
    assert status == -signal.SIGKILL, status
    set_plan(plan, "")
    server = Server(program, parent + "/stuck.quickvault", env=environment)
    assert server.must("session/unlock", password=PASSWORD)["integrity"] == "intact"
    assert server.must("card/list")["total"] in (1, 2)
    server.end()


def main():
    with tempfile.TemporaryDirectory() as parent:
        library, plan, folder = parent + "/faults.so", parent + "/plan", parent + "/folder.quickvault"
        subprocess.run(["cc", "-shared", "-fPIC", "-O2", "-Wall", "-Werror", "-o", library, HERE + "/faults.c", "-ldl"],
                       check=True)
        set_plan(plan, "")
        program = os.path.realpath(sys.argv[1])
        environment = dict(os.environ, LD_PRELOAD=library, FAULT_FILE=plan)
        server = Server(program, parent + "/vault", state=parent + "/state", env=environment)
        server.must("vault/create", password=PASSWORD, kdf=KDF)
        server.must("sync/enable", folder=folder)
        # A directory is read, a name is looked up, a file is opened, read, written, synchronised.
        for call in "d 1", "x 2", "d 2", "d 4", "o 1", "r 1", "w 1", "s 1", "s 2":
            stall(server, plan, call)
        stall_watch(server, plan)
        cards = server.must("card/list")["total"]
        server.end()
        other = Server(program, parent + "/other", state=parent + "/other-state", env=environment)
        other.must("sync/join", folder=folder, password=PASSWORD)
        assert other.must("card/list")["total"] == cards, "the other machine lacks cards"
        other.end()
        stall_vault(program, parent, plan, environment)
    print("stalling: nobody waited for the folder, and no process stayed unlocked that could not lock")


if __name__ == "__main__":
    main()
