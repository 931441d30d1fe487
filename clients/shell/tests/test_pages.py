"""Pages on a terminal: the state in a sentence, facts, what can be done next; and in a pipe, lines as ever."""

import contextlib
import os
import shutil
import sqlite3
import subprocess
import tempfile
import unicodedata
import unittest

from terminal import Terminal
from world import PASSWORD, QV, World

PAGES = ("sync", "account", "account providers", "devices", "fingerprint", "clients", "log", "settings", "conflicts",
         "doctor", "privacy", "verify")
#: The heading of what can be done next; no page without it but the one that is all text.
NEXT = {"C.UTF-8": "What you can do:", "zh_CN.UTF-8": "可以执行："}


def columns(line):
    return sum(2 if unicodedata.east_asian_width(character) in "WF" else 1 for character in line)


class Pages(unittest.TestCase):
    def begin(self, language="C.UTF-8"):
        world = World(language)
        self.addCleanup(world.close)
        world.create_vault()
        terminal = Terminal(world, "bash")
        self.addCleanup(terminal.child.close, force=True)
        terminal.run(f"qv settings sharedUnlock=always --password-command \"echo '{PASSWORD}'\"")
        terminal.run("stty cols 60")
        return world, terminal

    def folder(self):
        directory = tempfile.mkdtemp(prefix="qv-test-folder.")
        self.addCleanup(shutil.rmtree, directory, ignore_errors=True)
        return os.path.join(directory, "folder")

    def test_every_page_fits_and_says_what_is_next(self):
        for language, heading in NEXT.items():
            world, terminal = self.begin(language)
            world.environment["LC_ALL"] = language
            for page in PAGES:
                with self.subTest(page=page, language=language):
                    lines = terminal.run(f"qv {page} 2>/dev/null").splitlines()
                    # Only a path that is longer than the line stays whole.
                    self.assertEqual([line for line in lines if columns(line) > 60 and " " in line.strip()], [])
                    self.assertEqual(heading in lines, page != "privacy", lines)
                    self.assertRegex(lines[0], r"\S[.。]$|\w$")
                    self.assertIn("", lines)

    def test_help_is_broken_anew_in_a_narrow_terminal(self):
        _, terminal = self.begin()
        for topic in ("", "sync", "settings", "exit-status"):
            lines = terminal.run(f"qv help {topic}").splitlines()
            self.assertEqual([line for line in lines if columns(line) > 60], [])
        self.assertIn("\nShows how the vault is synchronised: the folder, this\nmachine, and for each", terminal.run("qv help sync"))

    def test_every_empty_list_says_so(self):
        _, terminal = self.begin()
        self.assertIn("No device is bound", terminal.run("qv devices"))
        self.assertIn("No other program is connected", terminal.run("qv clients"))
        self.assertIn("No card exists in two versions", terminal.run("qv conflicts"))
        self.assertIn("is not synchronised", terminal.run("qv sync"))
        terminal.run(f"qv sync enable {self.folder()}")
        shown = terminal.run("qv sync")
        self.assertTrue(shown.startswith("Synchronised.\n"), shown)
        for fact in ("Folder:", "This machine:", "Last synchronised:", "No other machine has joined yet", "qv sync join"):
            self.assertIn(fact, shown)
        for page in ("devices", "conflicts"):
            self.assertEqual(terminal.run(f"qv {page} | cat"), "")

    def test_a_pipe_gets_lines_for_programs(self):
        _, terminal = self.begin()
        self.assertEqual(terminal.run("qv settings | head -1"), "autoLockSeconds=300\n")
        self.assertIn("cards 0, attachments 0: intact", terminal.run("qv verify | cat"))
        self.assertRegex(terminal.run("qv log | tail -1"), r"^[-\d]{10} [:\d]{5}  vault created\n$")
        self.assertIn("carrier carries that folder to a WebDAV server that you name. The server\n",
                      terminal.run("qv privacy | cat"))

    def test_settings_have_their_labels_and_are_changed_by_them(self):
        _, terminal = self.begin()
        shown = terminal.run("qv settings")
        self.assertIn("Lock before sleep: on", shown)
        self.assertNotIn("lockOnSleep", shown)
        changed = f"--password-command \"echo '{PASSWORD}'\""
        self.assertIn("Lock before sleep: off", terminal.run(f"qv settings 'lock before sleep=off' {changed}"))
        self.assertIn("lockOnSleep=off", terminal.run("qv settings | cat"))

    def test_the_log_says_how_it_was_unlocked(self):
        world, terminal = self.begin()
        world.qv("lock")
        terminal.run("qv unlock", ("password: ", "wrong"), ("password: ", PASSWORD))
        shown = terminal.run("qv log")
        self.assertRegex(shown, r"^The vault was last unlocked [-\d]+ [:\d]+ by the\s+password\.")
        for text in ("unlocked by the password", "wrong password", "locked: on request", "qv password"):
            self.assertIn(text, shown)

    def test_questions_have_a_default_that_does_nothing(self):
        _, terminal = self.begin()
        terminal.run(f"qv sync enable {self.folder()}")
        for command in ("qv sync disable", "qv rekey"):
            self.assertIn("nothing was changed", terminal.run(command, ("[y/N] ", "")))
            self.assertEqual(terminal.status(), 13)
        self.assertIn("nothing was changed", terminal.run("qv account sign-in", ("provider? ", "")))
        self.assertIn("is not synchronised", terminal.run("qv sync disable --yes"))
        self.assertIn("nothing was changed", terminal.run("qv sync enable", ("synchronise over: ", "")))
        self.assertTrue(terminal.run("qv sync enable", ("synchronise over: ", self.folder())).rstrip())
        self.assertIn("Synchronised.", terminal.run("qv sync"))

    def test_a_file_that_is_not_given_is_asked_for(self):
        world, terminal = self.begin()
        terminal.run("qv backup", ("backup: ", "~/copy.quickvault"))
        self.assertTrue(os.path.exists(world.path("home", "copy.quickvault")))
        self.assertIn("Merged.", terminal.run("qv merge", ("merge: ", "copy.quickvault")))
        for command in ("import", "export", "backup", "merge"):
            self.assertIn("nothing was changed", terminal.run(f"qv {command}", (": ", "")))
            self.assertIn("which file?", terminal.run(f"qv {command} </dev/null"))

    def test_a_preview_can_be_read_in_another_encoding_and_with_other_columns(self):
        world, terminal = self.begin()
        with open(world.path("home", "gb.csv"), "wb") as file:
            file.write("标题,正文\n窗,1985\n".encode("gb18030"))
        shown = terminal.run("qv import gb.csv", ("[y/N] ", "e"), ("encoding? ", "3"), ("[y/N] ", "c"), ("column? ", "2"),
                             ("import): ", "\x15extra:Berth"), ("[y/N] ", "y"))
        self.assertIn("gb18030", shown)
        self.assertIn("正文 → extra:Berth", shown)
        self.assertIn("imported: 1", shown)
        self.assertRegex(terminal.run("qv show 窗"), r"Berth +1985")

    def test_a_damaged_vault_says_what_a_repair_does(self):
        world, terminal = self.begin()
        world.add("One", "first")
        world.end_service()
        with contextlib.closing(sqlite3.connect(world.vault)) as vault:
            vault.execute("UPDATE vault SET open_settings = 'nonsense'")
            vault.commit()
        shown = terminal.run("qv verify", ("password: ", PASSWORD))
        self.assertEqual(terminal.status(), 12)
        self.assertRegex(shown, r"The vault is DAMAGED\.\n(?s:.*)- +the settings that are not encrypted were changed")
        self.assertIn("If you have a good backup, keep it", shown)
        self.assertIn("  qv repair", shown)

    def test_another_machine_and_what_is_wrong_with_it(self):
        _, terminal = self.begin()
        other = World()
        self.addCleanup(other.close)
        folder = self.folder()
        terminal.run(f"qv sync enable {folder}")
        terminal.run("qv sync forget")
        self.assertEqual(terminal.status(), 2)
        self.assertEqual(other.qv("sync", "join", folder, "--machine", "desk", password=PASSWORD)[0], 0)
        terminal.run("qv sync now")
        self.assertRegex(terminal.run("qv sync"), r"Other machines:\n  desk  last change .*; up to date\n")
        os.rename(folder, folder + "-away")
        terminal.run("qv sync now")
        shown = terminal.run("qv sync")
        self.assertRegex(shown, r"\ASynchronisation does not work\.\n\nThe folder cannot be reached(?s:.*)Failing since: ")
        os.rename(folder + "-away", folder)
        terminal.run("qv sync now")
        self.assertIn("nothing was changed", terminal.run("qv sync forget", ("machine? ", "1"), ("[y/N] ", "")))
        self.assertIn("No other machine", terminal.run("qv sync forget", ("machine? ", "3"), ("machine? ", "1"), ("[y/N] ", "y")))

    def test_a_program_is_chosen_from_the_list(self):
        world, terminal = self.begin()
        client = subprocess.Popen([world.program, "--shared"], env=world.environment, start_new_session=True,
                                  stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.addCleanup(client.communicate)
        client.stdin.write('{"jsonrpc":"2.0","id":1,"method":"initialize"}\n')
        client.stdin.flush()
        client.stdout.readline()
        shown = terminal.run("qv clients")
        self.assertRegex(shown, r"that may use the vault: 1; that may not: 0")
        self.assertRegex(shown, r"python3\S* \(process \d+\): admitted by the\s+settings")
        chosen = terminal.run("qv clients revoke", ("program? ", "1"))
        self.assertIn("the program may not use the vault any more", chosen)
        self.assertNotIn(QV, chosen)
