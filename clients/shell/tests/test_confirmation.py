"""What weakens the vault asks for the password again (R9)."""

import os

from cases import both
from world import PASSWORD


@both
class Confirmation:
    def admitted(self):
        """A terminal that may use the vault, and in which nobody gave the password within the last minute."""
        self.unlocked()
        status, _, errors = self.world.qv("settings", "sharedUnlock=always", password=PASSWORD)
        self.assertEqual(status, 0, errors)
        return self.terminal()

    def test_r9_does_not_ask_within_the_minute(self):
        terminal = self.unlocked()
        terminal.run("qv backup copy.quickvault")
        self.assertEqual(terminal.status(), 0)

    def test_r9_asks_and_goes_on(self):
        terminal = self.admitted()
        shown = terminal.run("qv backup copy.quickvault", ("to confirm: ", "not that one"), ("to confirm: ", PASSWORD))
        self.assertEqual(terminal.status(), 0, shown)
        self.assertIn("2 attempts left", shown)
        self.assertTrue(os.path.exists(self.world.path("home", "copy.quickvault")))

    def test_r9_a_script_gives_it_by_the_descriptor(self):
        status, _, errors = self.world.qv("backup", "copy.quickvault", password=PASSWORD)
        self.assertEqual(status, 0, errors)

    def test_r9_without_a_terminal_it_fails_in_words(self):
        terminal = self.admitted()
        shown = terminal.run("qv backup copy.quickvault </dev/null")
        self.assertIn("needs the master password or a fingerprint again", shown)
        self.assertEqual(terminal.status(), 5)
