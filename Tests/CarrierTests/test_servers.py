"""Three machines over servers that nobody here wrote (C)."""

import os
import random
import shutil
import subprocess
import unittest

from dav import Server
from machine import VAULT, Machine, files

KILLS = int(os.environ.get("QUICKVAULT_KILLS", "12"))


class Servers:
    kind = None
    #: What a full disk is called; some servers do not say why they fail
    full = ("carrier.noQuota", "carrier.serverFailed")

    def setUp(self):
        self.server = Server(self.kind)
        self.addCleanup(self.server.stop)
        self.machines = [Machine(self.server.url) for _ in range(3)]
        for machine in self.machines:
            self.addCleanup(machine.holder.cleanup)

    def carry(self, *machines):
        """Lists all files: what a test does to the server leaves no mark."""
        for machine in machines or self.machines:
            status, outcome = machine.carry("--list-all")
            self.assertEqual(status, 0, outcome)

    def check_all_same(self):
        """Two rounds carry everything everywhere, and a third carries nothing."""
        for machine in 2 * self.machines:
            status, outcome = machine.carry()
            self.assertEqual(status, 0, outcome)
        for machine in self.machines:
            status, outcome = machine.carry()
            self.assertEqual((status, outcome["sent"], outcome["received"]), (0, 0, 0))
            self.assertEqual((outcome["removedHere"], outcome["removedThere"]), (0, 0))
            self.assertEqual(machine.files(), self.machines[0].files())
        self.assertEqual(files(self.server.root), self.machines[0].files())
        leftovers = [path for path in self.server.root.rglob(".carrier-*-*")]
        self.assertEqual(leftovers, [])

    def test_what_each_machine_writes_reaches_the_others(self):
        for machine in self.machines:
            machine.write_key(1)
            machine.add_content()
            for _ in range(3):
                machine.publish()
        (self.machines[0].folder / VAULT / "notes.txt").write_text("not of the format")
        self.carry()
        self.assertFalse((self.server.root / VAULT / "notes.txt").exists())
        (self.machines[0].folder / VAULT / "notes.txt").unlink()
        self.check_all_same()
        self.assertEqual(len(self.machines[0].files()), 15)

    def test_a_disk_that_is_full(self):
        """The server says so, nothing half has a name, and all is carried when there is room."""
        subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k,mode=777", "tmpfs", self.server.root], check=True)
        self.addCleanup(subprocess.run, ["umount", "--lazy", self.server.root], check=True)
        first, second, _ = self.machines
        for _ in range(12):
            first.publish(10_000)
        status, outcome = first.carry()
        self.assertNotEqual(status, 0)
        self.assertIn(outcome["error"]["kind"], self.full, outcome)
        carried = files(self.server.root)
        self.assertLessEqual(carried.items(), first.files().items())
        # What is there can be read by others.
        self.assertEqual(second.carry()[0], 0)
        self.assertEqual(second.files(), carried)
        subprocess.run(["mount", "-o", "remount,size=10m", self.server.root], check=True)
        self.check_all_same()

    def test_what_a_replica_removes_goes_everywhere(self):
        first, second, third = self.machines
        for machine in self.machines:
            machine.write_key(1)
            machine.publish()
            machine.publish()
        content = first.add_content()
        self.check_all_same()
        first.snapshot()
        first.write_key(2)
        (first.folder / content).unlink()
        self.check_all_same()
        self.assertEqual(len(third.files()), 2 + 3 + 3)
        second.forget(first.replica)
        self.check_all_same()
        self.assertEqual([name for name in third.files() if first.replica in name], [])

    def test_what_is_lost_is_carried_again(self):
        for machine in self.machines:
            machine.write_key(1)
            machine.add_content()
            machine.publish()
            machine.publish()
        self.check_all_same()
        everything = self.machines[0].files()
        # The last segment of a stream, on the server and here
        last = f"{VAULT}/changes/{self.machines[0].replica}/{2:016x}"
        (self.server.root / last).unlink()
        self.carry(self.machines[1])
        self.assertEqual(files(self.server.root), everything)
        (self.machines[1].folder / last).unlink()
        self.carry(self.machines[1])
        self.assertEqual(self.machines[1].files(), everything)
        # Everything
        shutil.rmtree(self.machines[2].folder / VAULT[:36])
        self.carry(self.machines[2])
        self.assertEqual(self.machines[2].files(), everything)
        shutil.rmtree(self.server.root / VAULT[:36])
        self.carry(self.machines[0])
        self.assertEqual(files(self.server.root), everything)

    def test_a_carrier_killed_at_any_moment_loses_nothing(self):
        generator = random.Random(21)
        for machine in self.machines:
            machine.write_key(1)
            machine.publish()
        self.carry()
        for turn in range(KILLS):
            machine = self.machines[turn % 3]
            machine.publish(300_000)
            machine.add_content(500_000)
            if turn % 4 == 3:
                machine.snapshot()
            before = machine.files()
            own = {name: content for name, content in before.items() if machine.replica in name}
            process = machine.start()
            try:
                process.wait(generator.uniform(0.005, 0.12))
            except subprocess.TimeoutExpired:
                process.kill()
            process.communicate()
            # No file has its name before it is whole, and nothing of the machine's own is gone.
            remote = files(self.server.root)
            local = [other.files() for other in self.machines]
            for present in local:
                for name in remote.keys() & present.keys():
                    self.assertTrue(present[name] == remote[name], name)
            present = local[turn % 3]
            self.assertEqual([name for name, content in own.items() if present.get(name) != content], [])
        self.check_all_same()


class ApacheTests(Servers, unittest.TestCase):
    kind = "apache"


class RcloneTests(Servers, unittest.TestCase):
    kind = "rclone"


class WsgidavTests(Servers, unittest.TestCase):
    kind = "wsgidav"
