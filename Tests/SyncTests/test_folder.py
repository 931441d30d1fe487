"""Folders that go away, come back, are full, or are in the hands of an attacker (S)."""

import contextlib
import os
import random
import resource
import subprocess
import tempfile
import threading
import unittest

import carriers
from exercise import Exercise
from machine import DEADLINE, PASSWORD, Machine
from server import assert_not_stored, memory

PROGRAM = os.environ["QUICKVAULT_PROGRAM"]
SEED = int(os.environ.get("SYNC_SEED", random.SystemRandom().randrange(10**9)))


class FolderTests(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory(prefix="quickvault-sync-")
        self.addCleanup(directory.cleanup)
        self.directory = directory.name

    def machines(self):
        """Two machines with the same folder, and the same cards."""
        first, second = (Machine(PROGRAM, self.directory, name) for name in ["desk", "laptop"])
        os.rmdir(second.folder)
        second.folder = first.folder
        self.addCleanup(self.end, first, second)
        first.create()
        second.join()
        for machine in (first, second, first):
            machine.synchronise()
        return first, second

    def end(self, *machines):
        for machine in machines:
            if machine.server is not None:
                machine.server.kill()

    def test_a_password_that_cannot_be_tried_is_not_called_wrong(self):
        """Deriving a key takes memory, which the system may not have."""
        first, second = (Machine(PROGRAM, self.directory, name) for name in ["desk", "laptop"])
        second.folder = first.folder
        self.addCleanup(self.end, first, second)
        first.open()
        first.ask("vault/create", password=PASSWORD, kdf={"algorithm": "argon2id", "iterations": 2, "memoryKiB": 512 << 10})
        first.ask("sync/enable", folder=first.folder, machine=first.name)
        second.open()
        process = second.server.process.pid
        limits = resource.prlimit(process, resource.RLIMIT_AS)
        resource.prlimit(process, resource.RLIMIT_AS, (memory(process, "VmSize") + (256 << 20), limits[1]))
        answer = second.server.ask("sync/join", folder=second.folder, password=PASSWORD, machine=second.name)
        resource.prlimit(process, resource.RLIMIT_AS, limits)
        self.assertEqual(answer["error"]["data"]["kind"], "vault.unavailable", answer)
        self.assertEqual(answer["error"]["data"]["reason"], "outOfMemory", answer)
        second.join()

    def test_a_stick_goes_from_machine_to_machine(self):
        """The folder is on one machine only; the others say that it is gone, and make none in its place."""
        # The stick is renamed from machine to machine, which only one file system can do.
        exercise = Exercise(PROGRAM, self.directory, carriers.Stick, 2, random.Random(SEED), has_small_disk=False)
        first, second = exercise.machines
        stick, history = exercise.carrier, exercise.history
        with exercise, self.subTest(seed=SEED):
            stick.plug_in(first)
            first.create()
            stick.pull_out(first)
            stick.plug_in(second)
            second.join()
            stick.pull_out(second)
            for _ in range(5):
                for machine in exercise.machines:
                    for _ in range(5):
                        history.change(machine)
                    self.assertEqual(machine.server.kind("sync/now"), "sync.folderNotFound")
                    self.assertEqual(machine.outcome(), "failed")
                    self.assertFalse(os.path.exists(machine.folder))
                    if exercise.random.random() < 0.5:
                        machine.kill(exercise.random)
                        machine.open()
                    stick.carry(machine)
                    history.look(machine)
            for machine in (first, second, first):
                stick.carry(machine)
            self.assertEqual(first.cards(), second.cards())
            for machine in exercise.machines:
                self.assertEqual(history.lost(machine), [])
                self.assertEqual(machine.ask("vault/verify")["integrity"], "intact")
            assert_not_stored(stick.hub)

    def test_a_conflict_is_told(self):
        """A card that two machines changed is kept in both versions, and the clients are told."""
        first, second = self.machines()
        card = first.ask("card/create", title="shared", group="personal", type="text",
                         fields={"text": "before"})["card"]
        first.synchronise()
        second.synchronise()
        aside = first.folder + ".aside"
        os.rename(first.folder, aside)
        for machine in (first, second):
            machine.ask("card/update", id=card["id"], revision=card["revision"], fields={"text": machine.name})
        os.rename(aside, first.folder)
        first.synchronise()
        second.server.send("sync/now", {})
        second.server.flush()
        told = second.wait_for("window/showMessage", lambda params: params["kind"] == "sync.conflict")
        self.assertEqual((told["type"], told["message"]),
                         (3, "Two machines changed the same card. Both versions were kept."))
        self.assertIn("result", second.server.answer())
        titles = {title for title, _ in second.cards().values()}
        self.assertLessEqual({"shared", "shared (conflict copy)"}, titles)

    @unittest.skipUnless(os.geteuid() == 0, "only the administrator can mount a file system")
    def test_a_full_disk_loses_nothing(self):
        """The folder's disk is full: cards are still saved, the status says so, and all is published when there is room."""
        place = os.path.join(self.directory, "small")
        os.mkdir(place)
        subprocess.run(["mount", "-t", "tmpfs", "-o", "size=256k", "tmpfs", place], check=True)
        self.addCleanup(subprocess.run, ["umount", "--lazy", place], check=True)
        first, second = (Machine(PROGRAM, self.directory, name) for name in ["desk", "laptop"])
        self.addCleanup(self.end, first, second)
        first.folder = second.folder = os.path.join(place, "folder")
        os.mkdir(first.folder)
        first.create()
        second.join()
        ballast = os.path.join(place, "ballast")
        with open(ballast, "wb", buffering=0) as file:
            with self.assertRaises(OSError):
                while True:
                    file.write(bytes(4096))
        card = first.ask("card/create", title="t", group="personal", type="text", fields={"text": "full"})["card"]
        self.assertEqual(first.server.kind("sync/now"), "file.notWritable")
        self.assertEqual(first.outcome(), "failed")
        second.synchronise()
        self.assertEqual(second.problems(), {})
        first.close()
        first.open()
        self.assertEqual(first.text(card["id"]), "full")
        os.remove(ballast)
        first.synchronise()
        second.synchronise()
        self.assertEqual(first.cards(), second.cards())
        self.assertEqual(second.text(card["id"]), "full")

    def test_what_arrives_is_shown_unasked(self):
        """A change is applied on the other machine without a request, and its client is told."""
        first, second = self.machines()
        card = first.ask("card/create", title="t", group="personal", type="text", fields={"text": "soon"})["card"]
        second.wait_for("card/didChange")
        self.assertEqual(second.text(card["id"]), "soon")

    def hostile(self, first, second):
        """Things that an attacker puts into the folder, each as a function that undoes it."""
        replicas = [machine.ask("sync/status")["replica"] for machine in (first, second)]
        own, other = (os.path.join(first.folder, self.vault(first), "changes", replica) for replica in replicas)
        parent = os.path.dirname(own)
        keys = os.path.join(os.path.dirname(parent), "keys")
        # Not the names of files that are being written.
        segments = [name for name in os.listdir(own) if not name.startswith(".")]
        following = os.path.join(own, "%016x" % (max(int(name, 16) for name in segments) + 1))

        def swap():
            os.rename(own, own + ".aside")
            os.rename(other, own)
            os.rename(own + ".aside", other)

        def junk():
            for number in range(int(os.environ.get("SYNC_JUNK", "3000"))):
                open(os.path.join(own, "%016x" % (10**9 + number)), "wb").close()

        def remove_junk():
            # Its owner removes it, too.
            for name in os.listdir(own):
                if not name.startswith(".") and int(name, 16) >= 10**9:
                    with contextlib.suppress(FileNotFoundError):
                        os.remove(os.path.join(own, name))

        def huge():
            with open(following, "wb") as file:
                file.truncate(2**40)

        def unreadable():
            os.rename(keys, keys + ".aside")
            with open(keys, "wb"):
                pass

        def readable():
            os.remove(keys)
            os.rename(keys + ".aside", keys)

        def many_replicas():
            for number in range(500):
                os.mkdir(os.path.join(parent, "00000000-0000-4000-8000-%012x" % number))

        def few_replicas():
            for number in range(500):
                os.rmdir(os.path.join(parent, "00000000-0000-4000-8000-%012x" % number))

        def remove():
            # Its owner removes what it did not write, if it can, and does so at any moment.
            with contextlib.suppress(FileNotFoundError, IsADirectoryError):
                os.remove(following)

        return {
            "swapped streams": (swap, swap),
            "FIFO": (lambda: os.mkfifo(following), remove),
            "endless device": (lambda: os.symlink("/dev/zero", following), remove),
            "link to itself": (lambda: os.symlink(following, following), remove),
            "link to a foreign file": (lambda: os.symlink("/etc/passwd", following), remove),
            "directory": (lambda: os.mkdir(following), lambda: os.rmdir(following)),
            "huge file": (huge, remove),
            "junk": (junk, remove_junk),
            "file in place of a directory": (unreadable, readable),
            "many replicas": (many_replicas, few_replicas),
        }

    @staticmethod
    def vault(machine):
        """The directory of the vault and its epoch in the folder."""
        vault, = (name for name in os.listdir(machine.folder) if len(name) == 36)
        epoch, = (name for name in os.listdir(os.path.join(machine.folder, vault)) if len(name) == 36)
        return os.path.join(vault, epoch)

    def test_a_hostile_carrier_cannot_harm(self):
        """Whatever lies in the folder: both answer in time, have what they had, and go on when it is gone."""
        first, second = self.machines()
        first.ask("card/create", title="t", group="personal", type="text", fields={"text": "t"})
        first.synchronise()
        second.synchronise()
        for name in self.hostile(first, second):
            with self.subTest(name):
                before = second.cards()
                do, undo = self.hostile(first, second)[name]
                do()
                for machine in (first, second):
                    self.answers_in_time(machine)
                    self.assertEqual(machine.cards(), before)
                undo()
                card = first.ask("card/create", title=name, group="personal", type="text", fields={"text": name})["card"]
                for machine in (first, second, first, second):
                    machine.synchronise()
                self.assertEqual(second.text(card["id"]), name)
                self.assertEqual(first.cards(), second.cards())
                self.assertEqual(second.problems(), {})
                self.assertEqual(first.problems(), {})
        for machine in (first, second):
            self.assertEqual(machine.ask("vault/verify")["integrity"], "intact")

    def answers_in_time(self, machine):
        """Synchronises, with success or an error; a process that hangs is killed, which fails the test."""
        alarm = threading.Timer(DEADLINE, machine.server.process.kill)
        alarm.start()
        answer = machine.server.ask("sync/now")
        alarm.cancel()
        self.assertIsNotNone(answer, "the process hung or crashed")
        if "error" in answer:
            self.assertTrue(answer["error"]["data"]["kind"].startswith("file."), answer)
        self.assertIsNotNone(machine.ask("sync/status"))

    def test_links_lead_nowhere(self):
        """A directory of the folder that became a link: nothing is deleted or written where it leads."""
        first, _ = self.machines()
        replica = first.ask("sync/status")["replica"]
        victim = os.path.join(self.directory, "victim")
        os.mkdir(victim)
        names = ["%016x" % 1, "%032x" % 1]
        for name in names:
            with open(os.path.join(victim, name), "wb") as file:
                file.write(b"precious")
        changes = os.path.join(first.folder, self.vault(first), "changes", replica)
        contents = os.path.join(first.folder, self.vault(first), "contents", replica)
        os.makedirs(os.path.dirname(contents), exist_ok=True)
        os.rename(changes, changes + ".aside")
        for place in (changes, contents):
            os.symlink(victim, place)
        for number in range(10):
            first.ask("card/create", title="t", group="personal", type="text", fields={"text": "t%d" % number})
            self.answers_in_time(first)
        self.assertEqual(sorted(os.listdir(victim)), sorted(names))
        for name in names:
            with open(os.path.join(victim, name), "rb") as file:
                self.assertEqual(file.read(), b"precious")


if __name__ == "__main__":
    unittest.main()
