"""One vault on two machines over a folder (S)."""

import glob
import json
import os
import shutil
import signal
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

    def attention(self, world):
        """What `sync/status` says that somebody has to look at, or None."""
        status = json.loads(self.done(world, "sync", "--json"))
        return status.get("needsAttention", {}).get("message")

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
        self.assertIn("the machine that you are using", self.laptop.qv("sync", "forget", "laptop", password=PASSWORD)[2])
        self.assertNotIn("desk", self.done(self.laptop, "sync", "forget", "desk"))
        self.assertIn("not synchronised", self.done(self.laptop, "sync", "disable"))

    def test_s_a_machine_without_a_name_has_that_of_the_host(self):
        self.done(self.laptop, "sync", "enable", self.folder, "--machine", " ")
        self.assertEqual(json.loads(self.done(self.laptop, "sync", "--json"))["machine"], os.uname().nodename)

    def test_s_several_machines_with_one_name(self):
        self.joined()
        # It goes on as another replica, and the former one stays in the folder.
        self.done(self.desk, "sync", "disable")
        self.done(self.desk, "sync", "enable", self.folder, "--machine", "desk")
        self.done(self.laptop, "sync", "now")
        machines = json.loads(self.done(self.laptop, "sync", "--json"))["replicas"]
        status, _, errors = self.laptop.qv("sync", "forget", "desk", password=PASSWORD)
        self.assertEqual(status, 4)
        self.assertEqual(
            errors.splitlines()[1:], [f"qv: {machine['replica']}" for machine in machines if machine["machine"] == "desk"])
        self.assertGreater(len(machines), 1)

    def test_s_what_is_refused(self):
        self.assertEqual(self.laptop.qv("sync", "enable", password=PASSWORD)[0], 2)
        self.assertEqual(self.laptop.qv("sync", "away", password=PASSWORD)[0], 2)
        status, _, errors = self.laptop.qv("sync", "join", self.folder, password=PASSWORD)
        self.assertEqual(status, 12)
        self.assertIn("already a vault", errors)
        os.mkdir(self.folder)
        status, _, errors = self.desk.qv("sync", "join", self.folder, password=PASSWORD)
        self.assertEqual(status, 1)
        self.assertIn("no vault to join", errors)
        self.done(self.laptop, "sync", "enable", self.folder)
        status, _, errors = self.desk.qv("sync", "join", self.folder, password="another one")
        self.assertEqual(status, 6)
        self.assertIn("does not open a vault", errors)

    def test_s_a_folder_that_is_not_there(self):
        self.joined()
        os.rename(self.folder, self.folder + "-away")
        status, _, errors = self.laptop.qv("sync", "now", password=PASSWORD)
        self.assertEqual(status, 15)
        self.assertIn("The folder cannot be reached", errors)
        self.assertRegex(self.done(self.laptop, "sync"), "failing since .*: The folder cannot be reached")
        self.assertIn("The folder cannot be reached", self.attention(self.laptop))
        os.rename(self.folder + "-away", self.folder)
        self.assertNotIn("failing", self.done(self.laptop, "sync", "now"))
        self.assertIsNone(self.attention(self.laptop))
        published = glob.glob(os.path.join(self.folder, "**", "changes", "*", "0*"), recursive=True)
        for file in published:
            with open(file, "wb") as damaged:
                damaged.write(b"damaged")
        self.laptop.add("more", "text")
        self.assertEqual(self.laptop.qv("sync", "now", password=PASSWORD)[0], 12)
        self.assertRegex(self.attention(self.laptop), "^desk: A file ")

    def test_s_a_machine_of_which_only_the_key_file_has_come(self):
        self.laptop.add("one", "text")
        self.done(self.laptop, "sync", "enable", self.folder, "--machine", "laptop")
        self.assertEqual(self.laptop.qv("lock")[0], 0)
        changes, = glob.glob(os.path.join(self.folder, "*", "*", "changes"))
        os.rename(changes, self.folder + ".late")
        status, shown, errors = self.desk.qv("sync", "join", self.folder, "--machine", "desk", password=PASSWORD)
        self.assertEqual(status, 12)
        self.assertIn("not everything of the vault is here yet", errors)
        self.assertRegex(shown, "\tnothing received yet\tincomplete\tNothing of this machine is here yet")
        self.assertIn("Nothing of this machine is here yet", self.attention(self.desk))
        self.assertEqual(self.desk.qv("sync", "now", password=PASSWORD)[0], 12)
        shutil.copytree(self.folder + ".late", changes, dirs_exist_ok=True)
        self.done(self.desk, "sync", "now")
        self.assertIsNone(self.attention(self.desk))
        self.assertEqual(self.titles(self.desk), ["one"])

    def test_s_a_new_key(self):
        self.joined()
        status, _, errors = self.desk.qv("sync", "rejoin", password=PASSWORD)
        self.assertEqual((status, errors), (1, "qv: no other machine has given the vault a new key\n"))
        self.done(self.laptop, "rekey", passwords=[PASSWORD, NEW_PASSWORD])
        status, output, errors = self.desk.qv("sync", "now", password=PASSWORD)
        self.assertEqual(status, 12, errors)
        self.assertIn("qv sync rejoin", output)
        self.assertIn("Another machine has given the vault a new key", self.attention(self.desk))
        self.done(self.desk, "sync", "rejoin", passwords=[PASSWORD, NEW_PASSWORD])
        self.assertEqual(self.titles(self.desk, NEW_PASSWORD), [])

    def conflicts(self, *titles, field="text", **more):
        """Has both machines change a field of cards before they hear of each other, and returns the ids on the laptop."""
        cards = [self.laptop.add(title, "first", **more) for title in titles]
        self.joined()
        os.rename(self.folder, self.folder + "-away")
        for world, value in (self.laptop, "of the laptop"), (self.desk, "of the desk"):
            for card in cards:
                self.done(world, "edit", card, f"{field}={value}")
        os.rename(self.folder + "-away", self.folder)
        for world in self.laptop, self.desk, self.laptop:
            self.done(world, "sync", "now")
        return cards

    def listed(self):
        return [line.split("\t") for line in self.done(self.laptop, "conflicts").splitlines()]

    def test_s_a_conflict_in_a_field_with_the_label_of_another_is_shown(self):
        extra = [{"label": label, "value": "first", "concealed": False} for label in ("Text", "Group")]
        card = self.laptop.add("one", "same", extraFields=extra)
        self.joined()
        os.rename(self.folder, self.folder + "-away")
        for world, value in (self.laptop, "of the laptop"), (self.desk, "of the desk"):
            self.done(world, "edit", card, "--extra", "Text=" + value, "--extra", "Group=" + value)
        os.rename(self.folder + "-away", self.folder)
        for world in self.laptop, self.desk, self.laptop:
            self.done(world, "sync", "now")
        shown = self.done(self.laptop, "conflicts", "one").splitlines()
        self.assertEqual([shown.count(label) for label in ("Text", "Group")], [1, 1])
        self.assertEqual(len([line for line in shown if "of the" in line]), 4)

    def test_s_conflicts_are_listed_shown_and_settled(self):
        self.assertEqual(self.listed(), [])
        extra = [{"label": "PIN", "value": "4711", "concealed": True}]
        cards = self.conflicts("one", "two", "三", extraFields=extra)
        listed = {title: (card, copy) for card, copy, title, *times in self.listed()}
        self.assertEqual({title: card for title, (card, _) in listed.items()}, dict(zip(["one", "two", "三"], cards)))
        shown = self.done(self.laptop, "conflicts", "one").splitlines()
        self.assertEqual(shown[0], "one")
        texts = {line[:1]: line[3:] for line in shown if "of the" in line}
        self.assertEqual(sorted(texts.values()), ["of the desk", "of the laptop"])
        # What both have is not shown, and so nothing concealed either.
        self.assertNotIn("PIN", "\n".join(shown))
        # The card stays.
        self.assertEqual(self.laptop.qv("conflicts", "one", "--keep", "card", password=PASSWORD)[0], 2)
        self.assertEqual(len(self.listed()), 3)
        self.done(self.laptop, "conflicts", "one", "--keep", "card", "--yes")
        self.assertEqual(self.done(self.laptop, "show", "one", "--field", "text").strip(), texts["-"])
        self.done(self.laptop, "restore", listed["one"][1])
        self.assertEqual(len(self.listed()), 3)
        self.done(self.laptop, "conflicts", listed["one"][1], "--keep", "card", "-y")
        # The copy stays, and the other machine hears of it.
        copy = json.loads(self.done(self.laptop, "conflicts", listed["two"][0], "--json"))["copy"]
        self.done(self.laptop, "conflicts", "two", "--keep", "copy", "--yes")
        self.assertEqual(self.done(self.laptop, "show", "two", "--field", "text").strip(), copy["fields"][0]["value"])
        # Both stay.
        self.done(self.laptop, "conflicts", "三", "--keep", "both")
        self.assertEqual(self.listed(), [])
        self.assertEqual(json.loads(self.done(self.laptop, "conflicts", "--json")), {"items": []})
        self.assertEqual(self.titles(self.laptop), ["one", "two", "三", "三"])
        for world in self.laptop, self.desk:
            self.done(world, "sync", "now")
        self.assertEqual(self.titles(self.desk), ["one", "two", "三", "三"])

    def test_s_conflicts_whose_titles_differ(self):
        [card] = self.conflicts("first title", field="title")
        [[found, copy, title, *_]] = self.listed()
        self.assertEqual((found, title), (card, "of the laptop"))
        for name in "of the laptop", "of the desk", card, copy:
            shown = self.done(self.laptop, "conflicts", name).splitlines()
            self.assertEqual(shown[shown.index("Title"):], ["Title", "-  of the desk", "+  of the laptop"], name)
        [summary] = json.loads(self.done(self.laptop, "conflicts", "--json"))["items"]
        self.assertEqual((summary["card"]["title"], "fields" in summary["card"]), ("of the desk", False))
        self.done(self.laptop, "conflicts", copy, "--keep", "copy", "--yes")
        self.assertEqual(self.titles(self.laptop), ["of the laptop"])

    def test_s_conflicts_that_differ_in_what_is_concealed(self):
        [card] = self.conflicts("one", extraFields=[{"label": "PIN", "value": "4711", "concealed": True}])
        [[_, copy, *_]] = self.listed()
        change = json.dumps({"extraFields": [{"label": "PIN", "value": "0815", "concealed": True}]})
        self.assertEqual(self.laptop.qv("edit", copy, "--from-json", "-", password=PASSWORD, stdin=change)[0], 0)
        shown = self.done(self.laptop, "conflicts", "one")
        self.assertIn("-  ••••••••", shown)
        self.assertNotIn("4711", shown)
        self.assertNotIn("0815", shown)
        shown = self.done(self.laptop, "conflicts", "one", "--reveal")
        self.assertIn("-  4711\n+  0815", shown)
        # Without its card, a copy can only be kept.
        self.done(self.laptop, "delete", card, "--yes")
        self.assertIn("is gone", self.done(self.laptop, "conflicts", copy))
        self.assertEqual(self.laptop.qv("conflicts", copy, "--keep", "card", "--yes", password=PASSWORD)[0], 3)
        self.done(self.laptop, "conflicts", copy, "--keep", "copy", "--yes")
        self.assertEqual(self.titles(self.laptop), ["one"])

    def test_s_conflicts_that_do_not_match(self):
        for arguments, status in [(["nothing"], 3), (["--keep", "card"], 2)]:
            self.assertEqual(self.laptop.qv("conflicts", *arguments, password=PASSWORD)[0], status, arguments)
        self.conflicts("one")
        self.assertEqual(self.laptop.qv("conflicts", "one", "--keep", "neither", password=PASSWORD)[0], 2)

    def test_s_the_prompt_of_a_shell(self):
        self.joined()
        terminal = Terminal(self.laptop, "bash")
        self.addCleanup(terminal.child.close, force=True)
        prompt = lambda: terminal.run("qv status --prompt").strip()
        terminal.run("qv lock")
        self.assertEqual(prompt(), "")
        terminal.run("qv unlock", ("password: ", PASSWORD))
        self.assertEqual(prompt(), "qv")
        os.rename(self.folder, self.folder + "-away")
        terminal.run("qv sync now")
        self.assertEqual(prompt(), "qv!")
        os.rename(self.folder + "-away", self.folder)
        terminal.run("qv sync now")
        self.assertEqual(prompt(), "qv")
        # A service that does not answer holds neither the prompt nor the completion.
        for process in self.laptop.servers():
            os.kill(process, signal.SIGSTOP)
            self.addCleanup(os.kill, process, signal.SIGCONT)
        self.assertEqual(self.laptop.qv("status", "--prompt"), (0, "", ""))
        self.assertEqual(self.laptop.qv("complete", "--", "show", "o"), (0, "", ""))
        # A vault that nobody uses is not served for a prompt.
        self.assertEqual(terminal.run("qv --vault /nonexistent/vault status --prompt"), "")

    def test_s_joining_in_a_terminal_asks_until_the_password_is_right(self):
        self.laptop.add("one", "text")
        self.done(self.laptop, "sync", "enable", self.folder)
        terminal = Terminal(self.desk, "bash")
        self.addCleanup(terminal.child.close, force=True)
        shown = terminal.run(f"qv sync join {self.folder}", ("other machine: ", "another one"), ("other machine: ", PASSWORD))
        self.assertEqual(terminal.status(), 0, shown)
        self.assertIn("one", terminal.run("qv list"))
