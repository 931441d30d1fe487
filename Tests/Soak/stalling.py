#!/usr/bin/python3
"""Lets the synchronised folder stall, as that of a server which is gone, and checks that nobody waits for it.

    stalling.py PROGRAM

Reading any directory of the folder then takes until the end of the test; or only a look at a name that was not seen before, as
where the system has the others in memory. Requests that read and that write are answered, and the vault is locked. What was
changed meanwhile is published when the folder answers again.
"""

import os
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


def segments(folder):
    return sum(len(names) for place, _, names in os.walk(folder) if "/changes/" in place)


def create(server):
    server.must("card/create", title="title", group="personal", type="text", fields={"text": "text"})


def stall(server, folder, plan, calls):
    before, cards = segments(folder), server.must("card/list")["total"]
    set_plan(plan, calls + " 1000000 -3")
    create(server)
    # An attempt that nobody asked for begins after a change, and waits.
    end = time.monotonic() + 60
    while server.must("sync/status")["state"] != "syncing":
        assert time.monotonic() < end, "no attempt begins"
    create(server)
    assert server.must("card/list")["total"] == cards + 2
    assert segments(folder) == before, "the folder did not stall"
    server.must("session/lock")
    assert server.must("vault/status")["locked"]
    server.must("session/unlock", password=PASSWORD)
    create(server)
    set_plan(plan, "")
    status = server.must("sync/now")
    assert "failure" not in status and segments(folder) > before, status


def main():
    with tempfile.TemporaryDirectory() as parent:
        library, plan, folder = parent + "/faults.so", parent + "/plan", parent + "/folder.quickvault"
        subprocess.run(["cc", "-shared", "-fPIC", "-O2", "-Wall", "-Werror", "-o", library, HERE + "/faults.c", "-ldl"],
                       check=True)
        set_plan(plan, "")
        server = Server(os.path.realpath(sys.argv[1]), parent + "/vault", state=parent + "/state",
                        env=dict(os.environ, LD_PRELOAD=library, FAULT_FILE=plan))
        server.must("vault/create", password=PASSWORD, kdf=KDF)
        server.must("sync/enable", folder=folder)
        stall(server, folder, plan, "d 1")
        # The first look is at the folder itself.
        stall(server, folder, plan, "x 2")
        server.end()
    print("stalling: nobody waited for the folder")


if __name__ == "__main__":
    main()
