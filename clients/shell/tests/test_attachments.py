"""Attachments: attach, list, save, watermark, open and detach, with the real imaging helper (R5, R6, R23)."""

import glob
import json
import os
import re
import shutil
import stat
import unittest

from cases import both
from pictures import png
from world import HERE, PASSWORD, World, wait_for

PLACE = b"22.5431"
DOCUMENT = os.path.join(HERE, "../../../Tests/ImagingTests/files/libvips/blankpage.pdf")


class Files:
    """Images in the world's home, and a viewer that records its file and waits to be told to exit."""

    def setUp(self):
        super().setUp()
        self.world.add("Licence", "harbor")
        for name, side in (("front.png", 64), ("back side.png", 80)):
            self.put(name, png(side, side))

    def put(self, name, content):
        with open(self.world.path("home", name), "wb") as file:
            file.write(content)

    def content(self, name):
        with open(self.world.path("home", name), "rb") as file:
            return file.read()

    def viewer(self, text):
        self.world.environment["QUICKVAULT_VIEWER"] = self.world.install("viewer", "#!/bin/sh\n" + text)

    def shown_files(self):
        return glob.glob(self.world.path("run", "quickvault-view.*", "*"))

    def private_directories(self):
        return [name for where in ("run", "tmp") for name in os.listdir(self.world.path(where))
                if name.startswith("quickvault-view")]


class Attachments(Files, unittest.TestCase):
    def setUp(self):
        self.world = World()
        self.addCleanup(self.world.close)
        self.world.create_vault()
        super().setUp()

    def qv(self, *words, expected=0):
        status, output, errors = self.world.qv(*words, password=PASSWORD)
        self.assertEqual(status, expected, errors)
        return output if expected == 0 else errors

    def listed(self):
        return json.loads(self.qv("attachments", "Licence", "--json"))["items"]

    def test_r5_attach_list_save_and_detach(self):
        added = self.qv("attach", "Licence", "front.png", self.world.path("home", "back side.png"))
        first = added.split("\t")[0]
        self.assertEqual([line.split("\t")[1] for line in added.splitlines()], ["front.png", "back side.png"])
        self.assertEqual([(item["name"], item["width"]) for item in self.listed()],
                         [("front.png", 64), ("back side.png", 80)])
        fields = self.qv("attachments", "Licence").splitlines()[0].split("\t")
        self.assertEqual(fields[:3] + fields[4:], [first, "front.png", "image/png", "64", "64", ""])
        page = self.qv("show", "Licence")
        self.assertIn("Attachments\n  1  front.png      PNG · 64×64 · ", page)

        saved = self.world.path("home", "out.png")
        self.assertEqual(self.qv("save", "Licence", "back side.png", "--to", "out.png"), saved + "\n")
        self.assertEqual(self.content("out.png"), self.content("back side.png"))
        self.assertEqual(stat.S_IMODE(os.stat(saved).st_mode), 0o600)
        self.assertIn("exists", self.qv("save", "Licence", "1", "-o", "out.png", expected=2))
        self.assertEqual(self.content("out.png"), self.content("back side.png"))
        self.qv("save", "Licence", first[:8], "-o", "out.png", "--yes", "--strip-metadata")
        self.assertIn(PLACE, self.content("front.png"))
        self.assertNotIn(PLACE, self.content("out.png"))
        os.mkdir(self.world.path("home", "papers"))
        self.qv("save", "Licence", "1", "--to", "papers")
        self.assertEqual(self.content("papers/front.png"), self.content("front.png"))

        piped = self.world.path("home", "piped.png")
        status = os.system(f"env -i XDG_RUNTIME_DIR={self.world.path('run')} QUICKVAULT_VAULT={self.world.vault} "
                           f"{self.world.path('bin', 'qv')} save Licence 1 --to - "
                           f"--password-command \"echo '{PASSWORD}'\" | cat >{piped}")
        self.assertEqual(status, 0)
        self.assertEqual(self.content("piped.png"), self.content("front.png"))
        self.assertIn("1  front.png", self.qv("save", "Licence", expected=4))
        self.assertIn("no attachment", self.qv("save", "Licence", "3", expected=3))
        self.qv("detach", "Licence", "2", expected=2)
        self.qv("detach", "Licence", "2", "--yes")
        self.assertEqual([item["name"] for item in self.listed()], ["front.png"])
        self.qv("detach", "Licence", "--yes")
        self.assertIn("qv attach", self.qv("save", "Licence", expected=3))

    def test_r6_watermark(self):
        self.qv("attach", "Licence", "front.png", "--watermark", "仅供核验")
        self.assertEqual(self.listed()[0]["watermark"]["text"], "仅供核验")
        self.qv("save", "Licence", "--to", "marked.png")
        original = ("save", "Licence", "--to", "plain.png", "--original")
        status, _, errors = self.world.qv(*original, passwords=["not that one", PASSWORD])
        self.assertEqual(status, 6, errors)
        status, _, errors = self.world.qv(*original, password=PASSWORD)
        self.assertEqual(status, 0, errors)
        self.assertEqual(self.content("plain.png"), self.content("front.png"))
        self.assertNotEqual(self.content("marked.png"), self.content("front.png"))
        self.qv("watermark", "Licence", "--watermark", "copy for 2026")
        self.assertIn("watermark: copy for 2026", self.qv("show", "Licence"))
        self.qv("watermark", "Licence", "--remove")
        self.assertIsNone(self.listed()[0]["watermark"])
        self.qv("save", "Licence", "--to", "again.png")
        self.assertEqual(self.content("again.png"), self.content("front.png"))

    def test_invalid_attachments_are_reported(self):
        self.put("letter.txt", b"Dear all,\n")
        self.put("empty.png", b"")
        for name, status in (("letter.txt", 1), ("empty.png", 1), ("missing.png", 15), (".", 15)):
            self.assertRegex(self.qv("attach", "Licence", name, expected=status), rf"^qv: {re.escape(name)}: \w")
        self.qv("attach", "Licence", expected=2)
        self.qv("attach", "Licence", "front.png", "--watermark", "x" * 1000, expected=9)
        self.assertEqual(self.listed(), [])

    def test_r5_open_gives_a_private_file_and_removes_it(self):
        self.qv("attach", "Licence", "front.png")
        self.viewer('stat -c "%a %n" "${1%/*}" "$1"; cmp "$1" "$HOME/front.png" && echo same\n')
        status, output, said = self.world.qv("open", "Licence", password=PASSWORD)
        self.assertEqual((status, output), (0, ""), said)
        self.assertRegex(said, rf"^700 {self.world.path('run')}/\S+\n600 \S+/front.png\nsame\n$")
        self.assertEqual(self.private_directories(), [])
        self.world.environment["QUICKVAULT_VIEWER"] = "no-such-viewer"
        self.assertIn("QUICKVAULT_VIEWER", self.qv("open", "Licence", expected=1))
        self.assertEqual(self.private_directories(), [])


@both
class Viewing(Files):
    def test_r5_the_file_is_removed_when_the_viewer_exits(self):
        terminal = self.ready('read answer; test "$answer" = done\n')
        terminal.type("qv open Licence")
        wait_for(self.shown_files, "the file is opened")
        terminal.child.send("done\n")
        terminal.child.expect_exact("Press Enter to remove the opened file")
        self.assertEqual(len(self.shown_files()), 1)
        terminal.child.send("\n")
        terminal.child.expect_exact("ready-for-qv> ")
        self.assertEqual(terminal.status(), 0)
        self.assertEqual(self.private_directories(), [])

    def test_r12_the_file_is_removed_at_the_lock(self):
        terminal = self.ready("exec tail -f /dev/null\n")
        terminal.run("qv settings autoLockSeconds=15")
        terminal.type("qv open Licence")
        wait_for(self.shown_files, "the file is opened")
        terminal.child.expect_exact("the vault was locked, and the opened file was removed")
        terminal.child.expect_exact("ready-for-qv> ")
        self.assertEqual(self.private_directories(), [])

    def test_the_file_is_removed_when_qv_is_interrupted(self):
        terminal = self.ready("exec tail -f /dev/null\n")
        terminal.type("qv open Licence")
        wait_for(self.shown_files, "the file is opened")
        terminal.interrupt()
        self.assertEqual(terminal.status(), 130)
        self.assertEqual(self.private_directories(), [])
        self.assertIn("front.png", terminal.run("qv attachments Licence"))

    def test_r6_prompts_of_save_watermark_and_detach(self):
        terminal = self.ready("true\n")
        terminal.run("qv watermark Licence", ("none): ", "仅供核验"))
        self.assertEqual(terminal.status(), 0)
        terminal.run("qv save Licence --original", ("Replace it? [y/N]", "n"))
        self.assertEqual(terminal.status(), 13)
        terminal.run("qv save Licence --original -o whole.png", ("get the original: ", "not that one"),
                     ("get the original: ", PASSWORD))
        self.assertEqual(terminal.status(), 0)
        self.assertEqual(self.content("whole.png"), self.content("front.png"))
        terminal.run("qv detach Licence", ("Delete “front.png”? [y/N]", "y"))
        self.assertEqual(terminal.status(), 0)

    def test_r6_a_watermark_is_asked_for_after_a_look_at_the_file(self):
        """And not for documents, which cannot have one."""
        shutil.copy(DOCUMENT, self.world.path("home", "scan"))
        terminal = self.unlocked()
        self.assertIn("No such file", terminal.run("qv attach Licence missing.png"))
        self.assertEqual(terminal.status(), 15)
        self.assertNotIn("Watermark", terminal.run("qv attach Licence scan"))
        self.assertEqual(terminal.status(), 0)
        terminal.run("qv attach Licence scan front.png", ("none): ", "仅供核验"))
        self.assertEqual(terminal.status(), 0)
        shown = terminal.run("qv attachments Licence")
        self.assertEqual(shown.count("仅供核验"), 1)

    def ready(self, viewer):
        self.viewer(viewer)
        terminal = self.unlocked()
        terminal.run("qv attach Licence front.png", ("none): ", ""))
        self.assertEqual(terminal.status(), 0)
        return terminal
