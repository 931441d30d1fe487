#!/usr/bin/python3
"""Makes every read, write, sync, truncation and lock of the vault's files fail in turn.

    faults.py PROGRAM [STRIDE]

For each kind of call and each error that the system could give, the Nth call of a script of all methods fails, for every
N (every STRIDEth with a stride). Each failure must be answered by an error of a known kind, the server must go on when the
fault is gone, what was answered must be in the vault afterwards, and what was refused must be there whole or not at all.
"""

import errno
import json
import os
import subprocess
import sys
import tempfile

from crash import KDF, Server

HERE = os.path.dirname(os.path.abspath(__file__))
KINDS = {"vault.unavailable", "vault.damaged", "vault.changed", "vault.locked", "card.notFound", "rpc.internalError"}
FAULTS = [
    ("r", errno.EIO, 1), ("w", errno.EIO, 1), ("w", errno.ENOSPC, 1), ("w", errno.ENOSPC, 1000000), ("s", errno.EIO, 1),
    ("t", errno.EIO, 1), ("l", errno.EIO, 1), ("l", errno.ENOLCK, 1),
]
PASSWORD, OTHER = "a first password", "another password"


class FaultyServer(Server):
    """The program with the library preloaded that makes calls fail."""

    def __init__(self, program, vault, library, plan, trace=None):
        environment = dict(os.environ, LD_PRELOAD=library, FAULT_FILE=plan)
        if trace:
            environment["FAULT_TRACE"] = trace
        self.process = subprocess.Popen(
            [program, "--vault", vault], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            env=environment)
        self.last_id = 0


class Script:
    """One run of all methods, with what must be in the vault after it."""

    def __init__(self, server):
        self.server = server
        self.cards = {}
        self.unsure = {}
        self.kinds = set()
        self.passwords = [PASSWORD]

    def ask(self, method, **params):
        answer = self.server.ask(method, **params)
        assert answer is not None, "the server is gone after %s" % method
        if "error" in answer:
            kind = answer["error"]["data"]["kind"]
            assert kind in KINDS, (method, answer)
            self.kinds.add(kind)
            return None
        return answer.get("result") or {}

    def unlock(self):
        # Only where it is not known which password holds is a wrong one tried, lest there be a wait.
        for password in list(self.passwords):
            answer = self.server.ask("session/unlock", password=password)
            if "result" in answer:
                self.passwords = [password]
                return True
            if answer["error"]["data"]["kind"] != "auth.wrongPassword":
                assert answer["error"]["data"]["kind"] in KINDS, answer
        return False

    def create(self, text):
        result = self.ask("card/create", title="t " + text[:9], group="personal", type="text", fields={"text": text})
        if result:
            self.cards[text] = result["card"]["id"]
        else:
            self.unsure[text] = None

    def run(self):
        self.unlock()
        for number in range(3):
            self.create("text %d " % number + "y" * 3000)
        self.ask("card/list")
        self.ask("card/search", query="text")
        for text, identifier in list(self.cards.items())[:1]:
            self.ask("card/setPinned", id=identifier, pinned=True)
            self.ask("card/get", id=identifier)
            self.ask("card/copy", id=identifier)
        for text, identifier in list(self.cards.items())[1:2]:
            if self.ask("card/delete", id=identifier) is None:
                self.unsure[text] = identifier
            del self.cards[text]
        self.ask("settings/update", autoLockSeconds=600)
        self.ask("tag/list")
        self.ask("vault/verify")
        self.ask("log/list")
        changed = self.ask("vault/changePassword", oldPassword=PASSWORD, newPassword=OTHER, kdf=KDF)
        self.passwords = [PASSWORD, OTHER] if changed is None else [OTHER]
        self.create("last")
        self.ask("session/lock")
        self.unlock()
        self.create("after the lock")

    def check(self, program, vault):
        """Opens the vault without faults and compares."""
        # The server that met the fault goes on, now that it is gone.
        assert self.unlock(), "the vault does not open in the server that met the fault"
        self.create("when the fault is gone")
        assert "when the fault is gone" in self.cards, "the server does not go on"
        self.server.end()
        self.server = Server(program, vault)
        assert self.unlock(), "the vault does not open"
        assert self.ask("vault/verify")["intact"], "the vault is damaged"
        there = {}
        for item in self.ask("card/list", limit=1000)["items"]:
            card = self.ask("card/get", id=item["id"])["card"]
            there[card["fields"][0]["value"]] = card["id"]
        self.server.end()
        missing = set(self.cards) - set(there)
        assert not missing, "answered and lost: %r" % [text[:20] for text in missing]
        extra = set(there) - set(self.cards) - set(self.unsure)
        assert not extra, "never asked for, or deleted: %r" % [text[:20] for text in extra]


class Runs:
    """Every fault in turn, each on a vault of its own."""

    def __init__(self, program, directory):
        self.program, self.directory = program, directory
        self.library = directory + "/faults.so"
        self.plan = directory + "/plan"
        subprocess.run(["cc", "-shared", "-fPIC", "-O2", "-Wall", "-Werror", "-o", self.library, HERE + "/faults.c", "-ldl"],
                       check=True)
        self.vault = directory + "/vault.quickvault"
        self.kinds = set()

    def set_plan(self, text):
        with open(self.plan + ".new", "w") as file:
            file.write(text)
        with open(self.plan + ".seen.new", "wb") as file:
            file.write(bytes(1024))
        os.rename(self.plan + ".seen.new", self.plan + ".seen")
        os.rename(self.plan + ".new", self.plan)

    def fresh_vault(self):
        for suffix in ("", "-wal", "-shm"):
            if os.path.exists(self.vault + suffix):
                os.remove(self.vault + suffix)
        self.set_plan("")
        server = Server(self.program, self.vault)
        assert "result" in server.ask("vault/create", password=PASSWORD, kdf=KDF)
        server.end()

    def run(self, plan, trace=None):
        self.fresh_vault()
        server = FaultyServer(self.program, self.vault, self.library, self.plan, trace)
        assert "result" in server.ask("vault/status")
        self.set_plan(plan)
        script = Script(server)
        script.run()
        self.set_plan("")
        script.check(self.program, self.vault)
        self.kinds |= script.kinds

    def count_calls(self):
        trace = self.directory + "/trace"
        self.run("", trace)
        with open(trace) as file:
            letters = file.read()
        return {letter: letters.count(letter) for letter in "rwstl"}


def main():
    if not 2 <= len(sys.argv) <= 3:
        sys.exit(__doc__)
    stride = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    with tempfile.TemporaryDirectory(prefix="quickvault-faults-") as directory:
        runs = Runs(os.path.abspath(sys.argv[1]), directory)
        calls = runs.count_calls()
        assert all(calls[letter] > 0 for letter in "rwsl"), "no fault would be met: %r" % calls
        total = 0
        for letter, number, count in FAULTS:
            for first in range(1, calls[letter] + 1, stride):
                plan = "%s %d %d %d" % (letter, first, count, number)
                try:
                    runs.run(plan)
                except AssertionError as failure:
                    sys.exit("faults: %s (%s): %s" % (plan, os.strerror(number), failure))
                total += 1
        assert runs.kinds, "no fault reached an answer"
        print("faults: %d faults in %s calls, answered as %s; nothing lost" % (
            total, json.dumps(calls), ", ".join(sorted(runs.kinds))))


if __name__ == "__main__":
    main()
