"""One vault on two machines over a folder (S)."""

import json
import os
import shutil
import tempfile
import unittest

from terminal import Terminal
from world import PASSWORD, World, wait_for

NEW_PASSWORD = "四月的风 and 43 kites"


class Sync(unittest.TestCase):
    def setUp(self):
        directory = tempfile.mkdtemp(prefix="qv-test-folder.")
        self.addCleanup(shutil.rmtree, directory, ignore_errors=True)
        self.folder = os.path.join(directory, "folder")
        self.laptop, self.desk = World(), World()
        for world in self.laptop, self.desk:
            self.addCleanup(world.close)
        self.laptop.create_vault()

    def done(self, world, *arguments, **more):
        """Runs qv with the password and expects success; returns what it prints."""
        if not more:
            more = {"password": PASSWORD}
        status, output, errors = world.qv(*arguments, **more)
        self.assertEqual(status, 0, errors)
        return output

    def joined(self):
        """Turns synchronisation on, and joins on the other machine."""
        self.done(self.laptop, "sync", "enable", self.folder, "--machine", "laptop")
        self.done(self.desk, "sync", "join", self.folder, "--machine", "desk")

    def titles(self, world, password=PASSWORD):
        lines = self.done(world, "list", password=password).splitlines()
        return sorted(line.split("\t")[1] for line in lines)

    def test_s_two_machines(self):
        self.assertIn("not synchronised", self.done(self.laptop, "sync"))
        self.laptop.add("one", "text")
        self.joined()
        self.assertEqual(self.titles(self.desk), ["one"])
        self.desk.add("two", "text")
        # Unasked: the service of the laptop is unlocked.
        wait_for(lambda: self.titles(self.laptop) == ["one", "two"], "the other card")
        shown = self.done(self.laptop, "sync").splitlines()
        self.assertEqual(self.done(self.laptop, "sync", "status").splitlines(), shown)
        self.assertEqual(shown[:2], [f"folder: {self.folder}", "this machine: laptop"])
        name, replica, _, state = shown[2].split("\t")
        self.assertEqual((name, state), ("desk", "up to date"))
        status = json.loads(self.done(self.laptop, "sync", "--json"))
        self.assertEqual([machine["replica"] for machine in status["replicas"]], [replica])
        self.assertEqual(self.laptop.qv("sync", "forget", "tablet", password=PASSWORD)[0], 3)
        self.assertNotIn("desk", self.done(self.laptop, "sync", "forget", "desk"))
        self.assertIn("not synchronised", self.done(self.laptop, "sync", "disable"))

    def test_s_what_is_refused(self):
        self.assertEqual(self.laptop.qv("sync", "enable", password=PASSWORD)[0], 2)
        self.assertEqual(self.laptop.qv("sync", "away", password=PASSWORD)[0], 2)
        status, _, errors = self.laptop.qv("sync", "join", self.folder, password=PASSWORD)
        self.assertEqual(status, 12)
        self.assertIn("already a vault", errors)
        os.mkdir(self.folder)
        status, _, errors = self.desk.qv("sync", "join", self.folder, password=PASSWORD)
        self.assertEqual(status, 1)
        self.assertIn("no vault in this folder", errors)
        self.done(self.laptop, "sync", "enable", self.folder)
        status, _, errors = self.desk.qv("sync", "join", self.folder, password="another one")
        self.assertEqual(status, 6)
        self.assertIn("opens no vault", errors)

    def test_s_a_folder_that_is_not_there(self):
        self.joined()
        os.rename(self.folder, self.folder + "-away")
        status, _, errors = self.laptop.qv("sync", "now", password=PASSWORD)
        self.assertEqual(status, 1)
        self.assertIn("no such file", errors)
        self.assertIn("failing since", self.done(self.laptop, "sync"))
        os.rename(self.folder + "-away", self.folder)
        self.assertNotIn("failing", self.done(self.laptop, "sync", "now"))

    def test_s_a_new_key(self):
        self.joined()
        self.done(self.laptop, "rekey", passwords=[PASSWORD, NEW_PASSWORD])
        status, output, errors = self.desk.qv("sync", "now", password=PASSWORD)
        self.assertEqual(status, 12, errors)
        self.assertIn("qv sync rejoin", output)
        self.done(self.desk, "sync", "rejoin", passwords=[PASSWORD, NEW_PASSWORD])
        self.assertEqual(self.titles(self.desk, NEW_PASSWORD), [])

    def test_s_joining_in_a_terminal_asks_until_the_password_is_right(self):
        self.laptop.add("one", "text")
        self.done(self.laptop, "sync", "enable", self.folder)
        terminal = Terminal(self.desk, "bash")
        self.addCleanup(terminal.child.close, force=True)
        shown = terminal.run(f"qv sync join {self.folder}", ("other machine: ", "another one"), ("other machine: ", PASSWORD))
        self.assertEqual(terminal.status(), 0, shown)
        self.assertIn("one", terminal.run("qv list"))
