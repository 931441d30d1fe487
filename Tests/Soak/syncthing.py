#!/usr/bin/python3
"""Keeps an open vault in a folder that two Syncthings carry, as nobody should, and checks that no answered card is lost.

    syncthing.py PROGRAM [ROUNDS] [SEED]

On side A, a process creates cards in a vault all the time, while the copy on side B is opened and written to as well. So the
file, its log and its index are carried at different moments and replaced while they are open. In each round, sides pause,
processes close, are killed (SIGKILL) and start again, and Syncthing too. A process of side A is killed only while its folder is
paused, after a request: what was in a log that Syncthing has replaced is lost with a process that is killed before it notices
(SECURITY.md).

When the vault on side A is damaged, and after 25 rounds, everything beside it is merged into it: the files that the program put
aside (-stray, -wal-stray) and those that Syncthing did (sync-conflict). Every card that a process of side A has answered must be
there. Then it goes on with another vault. With every other vault, the processes keep its state outside of it, as they do for a
user. Needs `syncthing`.
"""

import collections
import os
import random
import signal
import sys
import tempfile
import threading

from recovery import create, merge, read, repair
from server import KDF, MARK, Server, assert_not_stored
from syncthing_group import DEADLINE, Group

PASSWORD = "password of a carried vault " + MARK
NAME = "vault.quickvault"
EXPECTED_KINDS = {
    "vault.changed", "vault.locked", "vault.notFound", "vault.unavailable", "vault.damaged", "vault.notAVault", "vault.older"}


class Writer:
    """Creates cards in the vault of a side, whatever happens to it."""

    def __init__(self, program, folder, name, state, kinds):
        self.program, self.name, self.state, self.kinds = program, name, state, kinds
        self.vault = os.path.join(folder, NAME)
        self.server = None
        self.answered = []
        self.sent = 0

    def write(self, count):
        """Creates so many cards, as far as the vault can be written to."""
        if self.server is None:
            self.server = Server(self.program, self.vault, state=self.state)
            self.unlock()
        for _ in range(count):
            self.sent += 1
            title = "%s-%d %s" % (self.name, self.sent, MARK)
            if "result" in self.tell(create(self.server, title)):
                self.answered.append(title)
            else:
                self.unlock()

    def unlock(self):
        """Unlocks the vault, and goes on with an older file."""
        answer = self.ask("session/unlock", password=PASSWORD)
        if "result" in answer and answer["result"]["integrity"] == "older":
            self.kinds["%s: accepted an older file" % self.name] += 1
            self.ask("vault/acceptOlder")

    def ask(self, method, **params):
        return self.tell(self.server.ask(method, **params))

    def tell(self, answer):
        assert answer is not None, "%s: the process has ended with %d" % (self.name, self.server.process.wait())
        if "error" in answer:
            kind = answer["error"]["data"]["kind"]
            assert kind in EXPECTED_KINDS, answer
            self.kinds["%s: %s" % (self.name, kind)] += 1
        return answer

    def end(self, kills):
        """Ends the process, if there is one, after a request."""
        if self.server is None:
            return
        self.ask("card/list", limit=1)
        if kills:
            self.server.kill()
        else:
            self.server.end()
        self.server = None


class Soak:
    """A vault that lies on two sides."""

    # The rounds of one vault: Syncthing keeps ten conflict copies of a file.
    ROUNDS = 25

    def __init__(self, program, pair, state, draw, kinds):
        self.program, self.random, self.kinds = program, draw, kinds
        self.sides = pair.sides
        self.writers = [
            Writer(program, side.folder, name, os.path.join(state, name), self.kinds)
            for side, name in zip(self.sides, "AB")]
        self.vault = self.writers[0].vault

    def begin(self):
        """Makes the vault on side A and waits until it is on side B."""
        server = Server(self.program, self.vault)
        server.must("vault/create", password=PASSWORD, kdf=KDF)
        server.end()
        first, second = self.sides
        first.scan()
        copy = self.writers[1].vault
        assert second.wait_until(lambda _: os.path.exists(copy)), "the vault does not arrive on side B"

    def run(self, rounds):
        """Returns the number of rounds, which are fewer where the vault is damaged."""
        self.begin()
        before = self.kinds["A: vault.damaged"]
        for number in range(1, min(rounds, self.ROUNDS) + 1):
            self.round()
            if self.kinds["A: vault.damaged"] > before:
                break
        self.end()
        return number

    def round(self):
        first, second = self.writers
        first.write(self.random.randrange(1, 20))
        act = self.random.choice(["none", "write B", "write B", "write B", "close B", "apart", "close A", "kill A", "restart"])
        if act == "write B":
            second.write(self.random.randrange(1, 10))
        elif act == "close B":
            second.end(kills=self.random.random() < 0.5)
        elif act == "apart":
            self.sides[1].pause(True)
            second.write(self.random.randrange(1, 10))
            first.write(self.random.randrange(1, 10))
            if self.random.random() < 0.5:
                second.end(kills=False)
            self.sides[1].pause(False)
        elif act in ("close A", "kill A"):
            self.sides[0].pause(True)
            first.end(kills=act == "kill A")
            self.sides[0].pause(False)
        elif act == "restart":
            side = self.random.choice(self.sides)
            side.stop(self.random.choice([signal.SIGTERM, signal.SIGKILL]))
            side.start()
        first.write(self.random.randrange(1, 20))
        self.carry()

    def carry(self):
        """Lets Syncthing look for changes, and goes on writing while it carries them, for as long as it does."""
        scans = [threading.Thread(target=side.scan, daemon=True) for side in self.sides]
        for scan in scans:
            scan.start()
        self.writers[0].write(self.random.randrange(1, 5))
        for scan in scans:
            scan.join(DEADLINE)
        for side in self.sides:
            while any(event["type"] == "ItemFinished" for event in side.events(1)):
                self.writers[0].write(1)

    def end(self):
        """Ends all processes; the sides are no longer carried then."""
        for side in self.sides:
            side.pause(True)
        for writer in self.writers:
            writer.end(kills=self.random.random() < 0.5)
        for side in self.sides:
            side.stop()

    def check(self):
        """Brings together what lies on side A, as the documents say, and compares it with what was answered there."""
        folder = self.sides[0].folder
        names = sorted(os.listdir(folder))
        if self.integrity() == "damaged":
            self.count("repaired", repair(self.program, self.vault, PASSWORD))
        others = [name for name in names if "sync-conflict" in name or "-stray" in name]
        for name in others:
            copy = os.path.join(folder, name)
            if name.endswith("-shm"):
                continue
            if name.endswith("-wal") or "-wal-stray" in name:
                self.count("log merged", merge(self.program, self.vault, self.vault, PASSWORD, log=copy))
            else:
                self.count("merged", merge(self.program, self.vault, copy, PASSWORD))
        found, integrity = read(self.program, self.vault, PASSWORD)
        assert integrity == "intact", integrity
        missing = sorted(set(self.writers[0].answered) - found)
        assert not missing, "%d of %d answered cards are lost: %r; files %r" % (
            len(missing), len(self.writers[0].answered), missing, names)
        assert_not_stored(folder)
        return len(set(self.writers[1].answered) - found)

    def integrity(self):
        """What the program says of the vault on side A: intact, or damaged, or why it cannot be unlocked."""
        server = Server(self.program, self.vault)
        answer = server.ask("session/unlock", password=PASSWORD)
        server.end()
        return answer["result"]["integrity"] if "result" in answer else answer["error"]["data"]["kind"]

    def count(self, what, kind):
        self.kinds[what if kind is None else "%s: %s" % (what, kind)] += 1


def main():
    if not 2 <= len(sys.argv) <= 4:
        sys.exit(__doc__)
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 300
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else random.SystemRandom().randrange(10**9)
    print("syncthing: seed %d" % seed, flush=True)
    draw, kinds = random.Random(seed), collections.Counter()
    done, vaults, answered, lost = 0, 0, [0, 0], 0
    while done < rounds:
        with tempfile.TemporaryDirectory(prefix="quickvault-syncthing-") as directory:
            with Group(directory, [os.path.join(directory, "folder-" + name) for name in "ab"]) as pair:
                state = "/dev/null" if vaults % 2 else os.path.join(directory, "state")
                soak = Soak(os.path.abspath(sys.argv[1]), pair, state, draw, kinds)
                done += soak.run(rounds - done)
                lost += soak.check()
        vaults += 1
        answered = [count + len(writer.answered) for count, writer in zip(answered, soak.writers)]
        print("syncthing: %d rounds, %d answered cards" % (done, answered[0]), flush=True)
    assert any(kind.endswith("vault.changed") for kind in kinds) or rounds < 20, "Syncthing replaced nothing"
    print("syncthing: %d vaults, %d rounds, %d answered cards on side A, none lost; %d on side B, %d of them not on side A; %s" % (
        vaults, done, answered[0], answered[1], lost, ", ".join("%s %d" % pair for pair in sorted(kinds.items()))))


if __name__ == "__main__":
    main()
