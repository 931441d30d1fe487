"""Options that no other test uses."""

import contextlib
import json
import os
import sqlite3
import unittest

from world import PASSWORD, World

NEW_PASSWORD = "四月的风 and 43 kites"


class Options(unittest.TestCase):
    def setUp(self):
        self.world = World()
        self.addCleanup(self.world.close)

    def qv(self, *arguments, status=0, **more):
        """What qv prints, with the password; its status is checked."""
        result, output, errors = self.world.qv(*arguments, **{"password": PASSWORD, **more})
        self.assertEqual(result, status, (arguments, output, errors))
        return output if status == 0 else errors

    def test_pin(self):
        self.world.create_vault()
        self.qv("new", "text", "--title", "Old", "text=1")
        self.qv("new", "text", "--title", "First", "--pin", "text=2")
        self.qv("new", "text", "--title", "Last", "text=3")
        cards = json.loads(self.qv("list", "--json"))["items"]
        self.assertEqual([(card["title"], card["pinned"]) for card in cards],
                         [("First", True), ("Last", False), ("Old", False)])

    def test_null(self):
        self.world.create_vault()
        titles = ["One", "Two"]
        for title in titles:
            self.qv("new", "text", "--title", title, f"text=a b {title}")
        lines = self.qv("list").splitlines()
        for command in (["list", "-0"], ["list", "--null"], ["search", "a b", "-0"]):
            parts = self.qv(*command).split("\0")
            self.assertEqual(parts.pop(), "", command)
            self.assertEqual(len(parts), 2, command)
            if command[0] == "list":
                self.assertEqual(parts, lines)

    def test_style(self):
        self.world.create_vault()
        self.qv("new", "address", "--title", "Home", "name=王芳", "phone=13800138000", "province=广东省", "city=深圳市",
                "district=南山区", "address=科技路88号")
        copied = {style: self.qv("copy", "Home", "--print", "--style", style)
                  for style in ("labelled", "values", "oneLine", "markdown", "json")}
        self.assertEqual(len(set(copied.values())), 5)
        self.assertIn("Name: 王芳", copied["labelled"])
        self.assertTrue(copied["values"].startswith("王芳\n"), copied["values"])
        self.assertNotIn("\n", copied["oneLine"])
        self.assertIn("王芳", json.loads(copied["json"])["fields"].values())
        self.assertIn("labelled, values, oneLine, markdown, json", self.qv("copy", "Home", "-p", "-s", "nice", status=9))

    def test_pick_copies(self):
        self.world.create_vault()
        self.qv("new", "text", "--title", "Room", "text=Floor 12")
        copied = self.world.path("home", "copied")
        self.assertEqual("", self.qv("pick", "--menu", "cat", "--copy", "--clipboard-command", f"cat >{copied}"))
        self.assertEqual(self.world.read("home", "copied"), "Floor 12")
        self.assertIn("--copy", self.qv("pick", "--menu", "cat", "--copy", "--type", status=2))

    def test_keep_duplicates(self):
        self.world.create_vault()
        path = self.world.path("home", "cards.csv")
        with open(path, "w", encoding="utf-8") as file:
            file.write("title,text\nOne,first\nTwo,second\n")
        for options, count in ([], 2), ([], 2), (["--keep-duplicates"], 4):
            self.qv("import", path, "--yes", "--type", "text", *options)
            self.assertEqual(len(self.qv("list").splitlines()), count, options)

    def test_confirm(self):
        self.world.create_vault()
        name = os.path.basename(self.world.vault)
        self.assertIn("--confirm", self.qv("delete-vault", status=2))
        self.qv("delete-vault", "--confirm", "other", status=13)
        self.qv("delete-vault", "--confirm", name, status=6, password="wrong password")
        self.assertTrue(os.path.exists(self.world.vault))
        self.qv("delete-vault", "--confirm", name)
        self.assertFalse(os.path.exists(self.world.vault))
        self.qv("list", status=8)

    def test_new_password_fd(self):
        self.world.create_vault()
        reading, writing = os.pipe()
        os.write(writing, (NEW_PASSWORD + "\n").encode())
        os.close(writing)
        self.qv("password", "--new-password-fd", str(reading), descriptors=(reading,))
        os.close(reading)
        self.world.qv("lock")
        self.qv("list", status=6)
        self.qv("list", password=NEW_PASSWORD)

    def test_an_unknown_key_derivation_is_refused_before_the_password_is_asked_for(self):
        for words in (["init"], ["password"]):
            self.assertIn("--kdf takes pbkdf2 or argon2id", self.qv(*words, "--kdf", "bogus", status=2, password=""))

    def test_numbers_have_a_least_value(self):
        self.assertIn("--limit needs a whole number of at least 1", self.qv("list", "--limit", "0", status=2))
        self.assertIn("--password-fd needs a whole number of at least 0", self.qv("list", "--password-fd", "x", status=2))

    def test_memory(self):
        self.assertIn("--memory", self.qv("init", "--kdf", "argon2id", "--memory", "much", status=2))
        self.qv("init", "--kdf", "argon2id", "--iterations", "3", "--memory", "20000")
        self.world.end_service()
        with contextlib.closing(sqlite3.connect(self.world.vault)) as vault:
            slots = vault.execute("SELECT iterations, memory_kib FROM slot").fetchall()
        self.assertEqual(slots, [(3, 20000)])
