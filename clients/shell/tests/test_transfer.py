"""Import, export, backup, merge and repair; the demo and the doctor (R14)."""

import contextlib
import json
import os
import shutil
import sqlite3
import stat
import unittest
import uuid

from cases import both
from terminal import Terminal
from world import PASSWORD, World

TABLE = "Nom,Secret\nHarbor,berth 7\nHarbor two,berth 8\n"


class Transfer(unittest.TestCase):
    def setUp(self):
        self.world = World()
        self.addCleanup(self.world.close)
        self.world.create_vault()

    def qv(self, *words, expected=0, lines=1):
        status, output, errors = self.world.qv(*words, passwords=[PASSWORD] * lines)
        self.assertEqual(status, expected, errors)
        return output if expected == 0 else errors

    def put(self, name, text):
        with open(self.world.path("home", name), "w", encoding="utf-8") as file:
            file.write(text)

    def titles(self):
        return sorted(line.split("\t")[1] for line in self.qv("list").splitlines())

    def test_import_with_a_mapping(self):
        self.put("cards.csv", TABLE)
        words = ("import", "cards.csv", "--map", "Nom=title", "--map", "Secret=text")
        report = json.loads(self.qv(*words, "--dry-run", "--json"))
        self.assertEqual((report["imported"], [item["outcome"] for item in report["items"]]), (0, ["ready", "ready"]))
        self.assertEqual(self.titles(), [])
        self.qv(*words, expected=2)
        self.assertEqual(self.titles(), [])
        shown = self.qv(*words, "--yes")
        self.assertIn("Nom → title", shown)
        self.assertIn("imported: 2", shown)
        self.assertEqual(self.titles(), ["Harbor", "Harbor two"])
        self.assertIn("duplicates: 2", self.qv(*words, "--yes"))
        self.assertEqual(len(self.titles()), 2)
        self.qv("import", "cards.csv", "--map", "Nom", "--dry-run", expected=2)
        self.assertRegex(self.qv("import", "missing.csv", "--dry-run", expected=15), "^qv: .*missing.csv: ")

    def test_import_from_a_pipe(self):
        table = "标题,正文\n门,1984#\n"
        words = ("import", "-", "--yes")
        status, _, errors = self.world.qv(*words, password=PASSWORD, stdin=table)
        self.assertEqual(status, 0, errors)
        self.assertEqual(self.titles(), ["门"])
        self.assertEqual(self.world.qv("import", "-", password=PASSWORD, stdin=table)[0], 2)

        with open(self.world.path("home", "gb.csv"), "wb") as file:
            file.write("标题,正文\n窗,1985#\n".encode("gb18030"))
        terminal = Terminal(self.world, "bash")
        self.addCleanup(terminal.child.close, force=True)
        terminal.run("qv unlock", ("password: ", PASSWORD))
        shown = terminal.run("cat gb.csv | qv import -", ("[y/N] ", "y"))
        self.assertIn("gb18030", shown)
        self.assertEqual(terminal.status(), 0)
        self.assertEqual(self.titles(), ["窗", "门"])

    def test_input_larger_than_a_message_is_rejected_before_sending(self):
        status, _, errors = self.world.qv("import", "-", "--yes", password=PASSWORD, stdin="a" * 24_000_001)
        self.assertEqual(status, 2)
        self.assertIn("24,000,000", errors)

    def test_export_is_private_and_asks_before_replacing(self):
        self.world.add("Harbor", "berth 7")
        path = self.world.path("home", "all.json")
        self.qv("export", "all.json", lines=2, expected=2)
        self.assertFalse(os.path.exists(path))
        self.assertEqual(self.qv("export", "all.json", "--yes", lines=2), path + "\n")
        self.assertEqual(stat.S_IMODE(os.stat(path).st_mode), 0o600)
        with open(path, encoding="utf-8") as file:
            self.assertIn("berth 7", file.read())
        self.assertIn("the extension of all names no format", self.world.qv("export", "all", "--yes")[2])
        status, _, _ = self.world.qv("export", "b.md", "--yes", passwords=["not that one", PASSWORD])
        self.assertEqual(status, 6)

    def test_export_of_some_cards(self):
        for title in ("Harbor", "Lake", "Sea"):
            self.world.add(title, "berth 7")
        shown = self.qv("export", "-", "harbor", "Sea", lines=2)
        self.assertEqual(sorted(card["title"] for card in json.loads(shown)["cards"]), ["Harbor", "Sea"])
        self.qv("export", "some.json", "Harbor", "--yes", lines=2)
        with open(self.world.path("home", "some.json"), encoding="utf-8") as file:
            self.assertNotIn("Lake", file.read())
        self.assertIn("no card has the title or id River", self.qv("export", "-", "River", lines=2, expected=3))

    def test_export_counts_cards_that_cannot_be_read(self):
        damaged = self.world.add("Damaged", "berth 7")
        self.world.add("Readable", "berth 8")
        self.world.end_service()
        with contextlib.closing(sqlite3.connect(self.world.vault)) as vault:
            vault.execute("UPDATE card SET sealed = zeroblob(length(sealed)) WHERE id = ?", [uuid.UUID(damaged).bytes])
            vault.commit()
        missing = "Not in the file: unreadable cards or attachments 1"
        status, output, _ = self.world.qv("export", "all.json", "--yes", passwords=[PASSWORD] * 2)
        self.assertEqual((status, missing in output), (12, True))
        self.assertIn("Readable", self.world.read("home", "all.json"))
        status, output, errors = self.world.qv("export", "-", passwords=[PASSWORD] * 2)
        self.assertEqual((status, "Readable" in output), (12, True))
        self.assertIn(f"qv: {missing}\n", errors)

    def test_export_to_standard_output_says_what_the_format_cannot_hold(self):
        self.world.add("Harbor", "berth 7")
        status, output, errors = self.world.qv("export", "-", "--format", "vcard", passwords=[PASSWORD] * 2)
        self.assertEqual((status, output), (16, ""))
        self.assertEqual(errors, "qv: Not in the file: cards 1\n")

    def test_backup_keeps_the_given_number(self):
        directory = self.world.path("home", "copies")
        os.mkdir(directory)
        first = self.qv("backup", "copies").strip()
        self.assertEqual(os.listdir(directory), [os.path.basename(first)])
        second = self.qv("backup", "copies", "--keep", "1").strip()
        self.assertEqual(os.listdir(directory), [os.path.basename(second)])
        self.assertIn("whole number", self.qv("backup", "copies", "--keep", "few", expected=2))

    def test_merge_adds_the_changes_of_the_copy(self):
        self.world.add("Both", "text")
        copy = self.world.path("data", "copy.quickvault")
        shutil.copy(self.world.vault, copy)
        mine, self.world.vault = self.world.vault, copy
        # Another machine changes the copy, so this one remembers nothing of it.
        self.world.environment["XDG_STATE_HOME"] = self.world.path("data", "elsewhere")
        self.world.add("Only there", "text")
        del self.world.environment["XDG_STATE_HOME"]
        self.world.vault = mine
        report = json.loads(self.qv("merge", copy, "--dry-run", "--json"))
        self.assertEqual(report["added"], 1)
        self.assertEqual(self.titles(), ["Both"])
        self.assertIn("Merged. Added: 1", self.qv("merge", copy))
        self.assertEqual(self.titles(), ["Both", "Only there"])

    def test_status_lists_conflict_copies_until_they_are_deleted(self):
        self.world.add("Harbor", "berth 7")
        copy = self.world.vault.removesuffix(".quickvault") + " (conflicted copy 2026-11-22 061539).quickvault"
        shutil.copy(self.world.vault, copy)
        self.assertIn("merge it with qv merge, then delete it: " + copy, self.qv("status", lines=0))
        self.assertEqual(json.loads(self.qv("status", "--json", lines=0))["conflictFiles"],
                         [{"path": copy, "kind": "copy"}])
        self.assertIn("Merged.", self.qv("merge", copy))
        os.remove(copy)
        self.assertNotIn("qv merge", self.qv("status", lines=0))

    def test_a_file_that_is_not_there_is_told_before_a_password_is_asked(self):
        for words in (("merge", "nofile"), ("import", "nofile.csv")):
            status, _, errors = self.world.qv(*words)
            self.assertEqual(status, 15, errors)
            self.assertIn(words[1], errors)
        status, _, errors = self.world.qv("rekey", vault=self.world.path("none.quickvault"))
        self.assertEqual(status, 8, errors)

    def test_repair_of_an_intact_vault_changes_nothing(self):
        self.world.add("Harbor", "berth 7")
        # Nothing is asked, because there is nothing to do.
        self.assertIn("nothing was changed", self.qv("repair", lines=2))
        self.assertEqual(self.titles(), ["Harbor"])

    def test_a_repair_counts_the_cards_that_it_could_not_find(self):
        for title in ("Harbor", "Quay"):
            self.world.add(title, "berth 7")
        self.world.end_service()
        with contextlib.closing(sqlite3.connect(self.world.vault)) as database:
            database.execute("DELETE FROM card WHERE number = (SELECT min(number) FROM card)")
            database.commit()
        self.assertIn("Cards kept: 1, attachments: 0, records dropped: 0, cards missing: 1",
                      self.qv("repair", "--yes", lines=2))

    def test_what_leaves_the_machine(self):
        status, output, errors = self.world.qv("privacy")
        self.assertEqual((status, errors), (0, ""))
        self.assertIn("does not learn", output)
        self.world.environment["LC_ALL"] = "zh_CN.UTF-8"
        self.assertIn("服务器", self.world.qv("privacy")[1])

    def test_the_doctor_runs_that_of_the_program(self):
        status, output, errors = self.world.qv("doctor", "--json")
        self.assertIn(status, (0, 1), errors)
        self.assertIn("ok", json.loads(output))
        self.assertNotEqual(self.world.qv("doctor")[1], "")
        self.assertEqual(self.world.qv("doctor", "more")[0], 2)
        self.assertEqual(self.world.qv("demo")[0], 2)

    def test_r17_the_doctor_prints_a_bug_report(self):
        status, output, errors = self.world.qv("doctor", "--report")
        self.assertIn(status, (0, 1), errors)
        self.assertIn("SQLite: 3", output)
        self.assertIn("No errors are logged.", output)


@both
class TransferInASession:
    def test_import_shows_a_preview_and_asks(self):
        with open(self.world.path("home", "cards.csv"), "w", encoding="utf-8") as file:
            file.write("title,type,text\nHarbor,text,berth 7\nWithout,address,\n")
        terminal = self.unlocked()
        shown = terminal.run("qv import cards.csv", ("[y/N]", "n"))
        self.assertIn("Import 1 cards and skip 1", shown)
        self.assertIn("title → title", shown)
        self.assertIn("2  importable  Harbor", shown)
        self.assertRegex(shown, r"3  skipped  Without\s+name: ")
        self.assertEqual(terminal.status(), 13)
        self.assertIn("imported: 1", terminal.run("qv import cards.csv", ("[y/N]", "y")))
        terminal.run("qv export cards.md", ("encrypted. Write it? [y/N]", "y"), ("password: ", PASSWORD))
        self.assertEqual(terminal.status(), 0)

    def test_an_export_that_leaves_cards_out_says_so_before_it_writes(self):
        for title in ("One", "Two"):
            self.world.add(title, "text")
        words = "Not in the file: cards 2"
        status, _, errors = self.world.qv("export", "all.vcf", "--yes", password=PASSWORD)
        self.assertEqual(status, 16)
        self.assertIn(words, errors)
        self.assertEqual(self.world.qv("export", "all.json", "--yes", password=PASSWORD)[0], 0)
        self.assertEqual(self.world.qv("export", "-", "--format", "vcard", password=PASSWORD)[0], 16)
        terminal = self.unlocked()
        shown = terminal.run("qv export some.vcf", ("encrypted. Write it? [y/N]", "n"))
        self.assertIn(words, shown)
        self.assertFalse(os.path.exists(self.world.path("home", "some.vcf")))
        terminal.run("qv export some.vcf", ("encrypted. Write it? [y/N]", "y"), ("password: ", PASSWORD))
        self.assertEqual(terminal.status(), 0)

    def test_the_demo_is_another_vault_and_is_deleted(self):
        self.world.add("My own", "text")
        self.world.environment["SHELL"] = "/bin/sh"
        terminal = self.unlocked()
        terminal.type("qv demo")
        terminal.child.expect_exact("these are sample cards")
        terminal.child.send("qv new text --title Tried --group personal text=x; qv list; qv status\n")
        terminal.child.expect_exact("Tried")
        terminal.child.expect_exact("demo.quickvault")
        terminal.child.expect_exact("unlocked")
        terminal.child.send("qv lock; qv list\n")
        terminal.child.expect_exact("password of the sample cards is demo demo")
        terminal.child.expect_exact("password: ")
        terminal.child.send("demo demo\n")
        terminal.child.expect_exact("Tried")
        terminal.child.send("exit\n")
        terminal.child.expect_exact("sample cards were deleted")
        terminal.child.expect_exact("ready-for-qv> ")
        listed = terminal.run("qv list")
        self.assertIn("My own", listed)
        self.assertNotIn("Tried", listed)
        self.assertEqual([name for name in os.listdir(self.world.path("run")) if name.startswith("quickvault-view")], [])
