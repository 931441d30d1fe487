"""Locking on request, after a timeout and by other programs; wrong passwords (R11, R12)."""

import json
import os
import re
import shutil
import signal

from cases import both
from world import PASSWORD, wait_for

NEW_PASSWORD = "四月的风 and 43 kites"


@both
class Locking:
    def test_r12_auto_lock_is_reported_with_its_reason(self):
        self.world.add("Note", "text")
        terminal = self.unlocked()
        terminal.run("qv settings autoLockSeconds=15")
        self.assertIn("unlocked", terminal.run("qv status"))
        wait_for(self.locked_by_timeout, "the vault locks itself")
        shown = terminal.run("qv list", ("password: ", PASSWORD))
        self.assertIn("because it was idle", shown)
        self.assertIn("Note", shown)

    def locked_by_timeout(self):
        status, shown, errors = self.world.qv("log", "--json", "--alone")
        self.assertEqual(status, 0, errors)
        return any(event.get("reason") == "timeout" for event in json.loads(shown)["items"])

    def test_r13_settings_name_the_way_to_change_the_password(self):
        terminal = self.unlocked()
        self.assertIn("qv password", terminal.run("qv settings"))
        self.assertIn("The vault locks when idle for 15 to 86,400 seconds", terminal.run("qv settings autoLockSeconds=1"))
        shown = terminal.run("qv settings autoLockSeconds=soon")
        self.assertIn("The vault locks when idle for 15 to 86,400 seconds", shown)
        self.assertNotIn("qv password", terminal.run("qv settings | cat"))

    def test_r14_an_older_copy_is_changed_only_after_a_question(self):
        self.world.add("Note", "text")
        self.world.end_service()
        shutil.copy(self.world.vault, self.world.path("copy"))
        self.world.add("Newer", "text")
        self.world.end_service()
        os.replace(self.world.path("copy"), self.world.vault)
        status, _, errors = self.world.qv("settings", "autoLockSeconds=60", password=PASSWORD)
        self.assertNotEqual(status, 0)
        self.assertIn("older copy of the vault", errors)
        terminal = self.terminal()
        shown = terminal.run("qv unlock", ("password: ", PASSWORD))
        self.assertIn("older copy of the vault; its newest card is from 20", shown)
        self.assertIn("Note", terminal.run("qv list"))
        terminal.run("qv settings autoLockSeconds=60", ("Change it anyway? [y/N] ", "n"))
        self.assertNotEqual(terminal.status(), 0)
        terminal.run("qv settings autoLockSeconds=60", ("Change it anyway? [y/N] ", "y"))
        self.assertEqual(terminal.status(), 0)
        self.assertNotIn("older", terminal.run("qv settings autoLockSeconds=61"))
        self.assertEqual(terminal.status(), 0)
        self.assertEqual(self.world.qv("settings", "autoLockSeconds=62", password=PASSWORD)[0], 0)

    def test_r14_a_vault_that_can_only_be_read_says_so(self):
        self.world.add("Note", "text")
        self.world.end_service()
        directory = os.path.dirname(self.world.vault)
        script = 'mount --bind "$0" "$0" && mount -o remount,bind,ro "$0" && exec "$@"'
        wrapper = self.world.path("read-only")
        with open(wrapper, "w", encoding="utf-8") as file:
            file.write(f"#!/bin/sh\nexec unshare -rm sh -c '{script}' '{directory}' '{self.world.program}' \"$@\"\n")
        os.chmod(wrapper, 0o700)
        self.world.environment["QUICKVAULT_PROGRAM"] = wrapper
        terminal = self.terminal()
        self.assertIn("the vault can only be read", terminal.run("qv unlock", ("password: ", PASSWORD)))
        self.assertIn("Note", terminal.run("qv list"))
        self.assertIn("the vault can only be read", terminal.run("qv status"))
        self.assertIn("can only be read", terminal.run("qv settings autoLockSeconds=60"))
        self.assertNotEqual(terminal.status(), 0)

    def test_r9_the_password_of_the_last_minute_is_not_asked_for_again(self):
        terminal = self.unlocked()
        os.mkdir(self.world.path("home", "backups"))
        terminal.run("qv backup backups")
        self.assertEqual(terminal.status(), 0)
        terminal.run("qv settings lockOnSleep=off")
        self.assertEqual(terminal.status(), 0)

    def test_lock_and_unlock(self):
        terminal = self.unlocked()
        terminal.run("qv lock")
        self.assertEqual(terminal.status(), 0)
        self.assertIn("\nlocked", terminal.run("qv status"))
        terminal.run("qv tags", ("password: ", "\x03"))
        self.assertEqual(terminal.status(), 130)
        self.assertIn(" echo ", terminal.run("stty -a"))
        terminal.run("qv tags", ("password: ", None))
        self.assertEqual(terminal.status(), 13)

    def test_r12_a_lock_ends_a_picker(self):
        self.world.add("Note", "text")
        self.world.install("menu", f"#!/bin/sh\necho shown >&2\nexec {self.world.lingering} 1000\n")
        path = self.world.environment["PATH"]
        for words, place, shown in (("qv pick", self.world.without("fzf"), "Note"), ("qv pick", path, "Note"),
                                    ("qv pick --menu menu", path, "shown")):
            with self.subTest(words, place=place):
                self.world.environment["PATH"] = place
                terminal = self.unlocked()
                terminal.type(words)
                terminal.child.expect_exact(shown)
                self.assertEqual(self.world.qv("lock")[0], 0)
                terminal.child.expect_exact("the vault was locked")
                terminal.answer()
                wait_for(lambda: not self.world.processes(lambda words: words[0] in ("qv", "fzf", self.world.lingering)),
                         "the picker and the menu end")

    def test_the_terminal_keeps_its_echo_when_qv_is_stopped(self):
        terminal = self.terminal()
        terminal.run("qv tags", ("password: ", "half of it\x1a"))
        self.assertRegex(terminal.run("jobs"), "Stopped|suspended")
        self.assertIn(" echo ", terminal.run("stty -a"))
        terminal.run("fg", ("password: ", PASSWORD))
        self.assertEqual(terminal.status(), 0)

    def test_what_is_seen_in_a_line_is_there_again_after_ctrl_z(self):
        terminal = self.unlocked(line_editor=True)
        terminal.type("qv new text")
        terminal.child.expect_exact("Title: ")
        terminal.child.send("First half")
        terminal.child.expect_exact("First half")
        terminal.run("\x1a")
        terminal.type("fg")
        terminal.child.expect_exact("First half")
        terminal.child.send(" and second\n")
        terminal.answer(("company): ", ""), ("new line):", "the text"), ("the text", ""), ("\n", None), ("commas): ", ""),
                        ("none): ", ""))
        self.assertEqual(terminal.status(), 0)
        self.assertIn("First half and second", terminal.run("qv list"))

    def test_a_signal_ends_a_job_that_is_stopped_for_the_terminal(self):
        terminal = self.terminal(line_editor=True)
        terminal.run("timeout 1 qv --alone list")
        self.assertEqual(terminal.status(), 124)
        terminal.run("qv lock")
        terminal.run("qv list &")
        wait_for(lambda: self.stopped("list"), "the job is stopped")
        terminal.run("kill %1")
        wait_for(lambda: not self.world.processes(lambda words: words[:2] == ["qv", "list"]), "the job ends")

    def stopped(self, command):
        """Whether a qv with this command is stopped."""
        found = self.world.processes(lambda words: words[:2] == ["qv", command])
        states = []
        for process in found:
            with open(f"/proc/{process}/stat", encoding="utf-8") as file:
                states.append(file.read().rsplit(")", 1)[1].split()[0])
        return "T" in states

    def test_a_job_that_is_stopped_keeps_no_other_waiting(self):
        self.world.add("Note", "first", tags=["office"])
        terminal = self.terminal(line_editor=True)
        terminal.run("qv lock")
        terminal.run("qv tags", ("password: ", "\x1a"))
        self.assertRegex(terminal.run("jobs"), "Stopped|suspended")
        terminal.run("qv lock")
        terminal.run("qv unlock", ("password: ", PASSWORD))
        self.assertEqual(terminal.status(), 0)
        self.assertIn("office", terminal.run("fg"))

    def test_programs_at_once_ask_once(self):
        self.world.add("One", "first")
        self.world.add("Two", "second")
        terminal = self.terminal()
        terminal.run("qv lock")
        shown = terminal.run("printf '%s\\n' One Two One | xargs -P 3 -n 1 qv show -f text", ("password: ", PASSWORD))
        self.assertEqual(terminal.status(), 0, shown)
        self.assertEqual(sorted(shown.split()[-3:]), ["first", "first", "second"])
        self.assertEqual((shown.count("password: "), PASSWORD in shown), (1, False))
        self.assertIn(" echo ", terminal.run("stty -a"))

    def test_a_job_in_the_background_asks_in_the_foreground(self):
        terminal = self.terminal(line_editor=True)
        terminal.run("qv list &")
        wait_for(lambda: re.search("Stopped|suspended", terminal.run("jobs")), "the job stops")
        terminal.type("fg")
        terminal.child.expect_exact("password: ")
        terminal.child.send(PASSWORD + "\r")
        terminal.child.expect_exact("no cards yet")
        terminal.child.expect_exact("ready-for-qv> ")

    def test_the_terminal_keeps_its_echo_when_qv_is_killed(self):
        terminal = self.terminal()
        for number in (signal.SIGTERM, signal.SIGHUP):
            before = set(self.scripts())
            terminal.type("qv tags")
            terminal.child.expect_exact("password: ")
            for process in set(self.scripts()) - before:
                os.kill(process, number)
            terminal.child.expect_exact("ready-for-qv> ")
            self.assertEqual(terminal.status(), 128 + number)
            self.assertIn(" echo ", terminal.run("stty -a"))

    def scripts(self):
        return self.world.processes(lambda words: words[:2] == ["qv", "tags"])

    def test_r11_wrong_passwords_and_the_wait(self):
        terminal = self.terminal()
        shown = terminal.run("qv unlock", *[("password: ", f"wrong number {number}") for number in range(3)])
        self.assertIn("2 attempts left", shown)
        self.assertEqual(terminal.status(), 6)
        shown = terminal.run("qv unlock", ("password: ", PASSWORD))
        self.assertRegex(shown, r"\d+ s\b")
        self.assertEqual(terminal.status(), 7)
        self.assertRegex(terminal.run("qv status"), r"wait \d+ s")
        self.assertEqual(self.world.qv("list", password=PASSWORD)[0], 7)

    def test_another_program_changes_the_password(self):
        terminal = self.unlocked()
        status, _, errors = self.world.qv("password", "--alone", "--kdf", "pbkdf2", "--iterations", "100000",
                                          passwords=[PASSWORD, NEW_PASSWORD])
        self.assertEqual(status, 0, errors)
        shown = terminal.run("qv list", ("password: ", NEW_PASSWORD))
        self.assertRegex(shown, "nother program changed")
        self.assertEqual(terminal.status(), 0)

    def test_another_program_replaces_the_vault(self):
        terminal = self.unlocked()
        copy = self.world.path("data", "copy")
        shutil.copy(self.world.vault, copy)
        os.rename(copy, self.world.vault)
        shown = terminal.run("qv list", ("password: ", PASSWORD))
        self.assertIn("changed its password or replaced its file; enter its password", shown)
        self.assertEqual(terminal.status(), 0)
        self.assertIn("locked: password changed elsewhere, or file replaced", terminal.run("qv log"))

    def test_r11_change_the_password_here(self):
        terminal = self.unlocked()
        terminal.run("qv password --kdf pbkdf2 --iterations 100000", ("Current master password: ", "not that one"),
                     ("Current master password: ", PASSWORD), ("characters): ", NEW_PASSWORD),
                     ("Repeat the password: ", NEW_PASSWORD))
        self.assertEqual(terminal.status(), 0)
        self.assertEqual(self.world.qv("list", password=PASSWORD)[0], 6)
        self.assertEqual(self.world.qv("list", password=NEW_PASSWORD)[0], 0)

    def test_l_delete_the_vault(self):
        terminal = self.unlocked()
        terminal.run("qv delete-vault", ("to confirm: ", "something"))
        self.assertEqual(terminal.status(), 13)
        terminal.run("qv delete-vault", ("to confirm: ", "work.quickvault"), ("password: ", PASSWORD))
        self.assertEqual(terminal.status(), 0)
        self.assertIn("no vault yet", terminal.run("qv status"))
