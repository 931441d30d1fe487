#!/usr/bin/python3
"""Kills the program at each file call of `vault/rekey`, and checks that both machines and the folder go on.

    rekeying.py PROGRAM [STRIDE]

Two machines synchronise a vault. One of them gives it a new key, and is killed at the Nth call on a file of the vault or of
the folder, for every N (with STRIDE, every STRIDEth) up to the last one before the answer. Exactly one of the two passwords
must then open the vault, which is intact, and its machine goes on synchronising by itself. The other machine must be told of
the new key if there is one, and follow with the new password. In the end both have the same cards, the folder has what is
published under one key only, and a third machine joins with that password, and with no other.
"""

import glob
import os
import shutil
import subprocess
import sys
import tempfile

from server import KDF, MARK, Server, assert_not_stored

HERE = os.path.dirname(os.path.abspath(__file__))
OLD, NEW = "the old password " + MARK, "the new password " + MARK


class Rekeying:
    """Two machines, of which the first is killed."""

    def __init__(self, program, parent):
        self.program = program
        self.library = parent + "/faults.so"
        self.plan = parent + "/plan"
        # The library counts calls on files with this in their paths.
        self.directory = parent + "/machines.quickvault"
        self.folder = self.directory + "/folder"
        subprocess.run(["cc", "-shared", "-fPIC", "-O2", "-Wall", "-Werror", "-o", self.library, HERE + "/faults.c", "-ldl"],
                       check=True)

    def set_plan(self, text):
        for name, content in ((self.plan + ".seen", bytes(1024)), (self.plan, text.encode())):
            with open(name + ".new", "wb") as file:
                file.write(content)
            os.rename(name + ".new", name)

    def start(self, machine):
        place = self.directory + "/" + machine
        return Server(self.program, place + "/vault.quickvault", state=place + "/state",
                      env=dict(os.environ, LD_PRELOAD=self.library, FAULT_FILE=self.plan))

    def create(self, server, title):
        server.must("card/create", title=title + MARK, group="personal", type="text", fields={"text": MARK})

    def expect(self, server, titles):
        found = sorted(item["title"] for item in server.must("card/list")["items"])
        assert found == [title + MARK for title in sorted(titles)], found

    def prepare(self):
        """Makes two machines, and a card that the second one has not published."""
        self.set_plan("")
        shutil.rmtree(self.directory, ignore_errors=True)
        for machine in ("laptop", "desk", "third"):
            os.makedirs(self.directory + "/" + machine)
        laptop = self.start("laptop")
        laptop.must("vault/create", password=OLD, kdf=KDF)
        self.create(laptop, "kept")
        laptop.must("sync/enable", folder=self.folder, machine="laptop")
        desk = self.start("desk")
        desk.must("sync/join", folder=self.folder, machine="desk", password=OLD)
        self.create(desk, "of desk")
        desk.kill()
        return laptop

    def unlock(self, server):
        """Unlocks a vault with the password that opens it, which only one does. Returns whether it is the new one."""
        is_new = "result" in server.ask("session/unlock", password=NEW)
        if is_new:
            server.must("session/lock")
        refused = server.ask("session/unlock", password=OLD)
        assert ("error" in refused) == is_new, refused
        if is_new:
            assert refused["error"]["data"]["kind"] == "auth.wrongPassword", refused
            server.must("session/unlock", password=NEW)
        return is_new

    def run(self, number):
        """Kills the program at one call. Returns whether it was killed, and whether the vault has the new key."""
        laptop = self.prepare()
        self.set_plan("* %d 1 -2" % number)
        answer = laptop.ask("vault/rekey", oldPassword=OLD, newPassword=NEW)
        self.set_plan("")
        if answer is not None:
            assert "result" in answer, answer
        laptop.kill()

        laptop = self.start("laptop")
        is_new = self.unlock(laptop)
        assert is_new or answer is None, "the answer was given, but the vault has its former key"
        assert laptop.must("vault/verify")["integrity"] == "intact"
        self.create(laptop, "after")
        self.settled(laptop)
        desk = self.start("desk")
        desk.must("session/unlock", password=OLD)
        assert desk.must("sync/now").get("needsPassword", False) == is_new
        if is_new:
            desk.must("sync/rejoin", password=NEW)
        for server in (desk, laptop, desk):
            self.settled(server)
        for server in (desk, laptop):
            self.expect(server, ["kept", "of desk", "after"])
            assert server.must("vault/verify")["integrity"] == "intact"
            server.end()
        segments = glob.glob("*/*/changes/*/*", root_dir=self.folder)
        assert len({path.split("/")[1] for path in segments}) == 1, segments
        third = self.start("third")
        assert third.kind("sync/join", folder=self.folder, password=OLD if is_new else NEW) == "sync.wrongPassword"
        third.must("sync/join", folder=self.folder, password=NEW if is_new else OLD)
        self.expect(third, ["kept", "of desk", "after"])
        third.end()
        assert_not_stored(self.directory)
        return answer is None, is_new

    def settled(self, server):
        status = server.must("sync/now")
        assert "failure" not in status and not any("problem" in machine for machine in status["replicas"]), status


def main():
    program = os.path.realpath(sys.argv[1])
    stride = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    kills = {False: 0, True: 0}
    with tempfile.TemporaryDirectory() as parent:
        rekeying = Rekeying(program, parent)
        number, was_killed = 1, True
        while was_killed:
            try:
                was_killed, is_new = rekeying.run(number)
            except BaseException:
                print("killed at call %d" % number)
                raise
            kills[is_new] += was_killed
            number += stride
    assert kills[False] and kills[True], kills
    print("rekeying: killed %d times before the new key was stored and %d times after" % (kills[False], kills[True]))


if __name__ == "__main__":
    main()
