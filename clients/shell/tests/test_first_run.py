"""The first run: welcome, password, list (R22, R11)."""

from cases import both
from world import PASSWORD

NEW, REPEAT = "characters): ", "Repeat the password: "


@both
class FirstRun:
    with_vault = False

    def assert_is_welcome(self, shown):
        """Checks the three sentences on what is stored where, what leaves the machine, and a forgotten password."""
        self.assertIn("Welcome to QuickVault", shown)
        self.assertRegex(shown, f"kept encrypted in one file on this machine: {self.world.vault}")
        self.assertIn("Nothing leaves this machine unless you turn on synchronisation", shown)
        self.assertIn("if you forget it, nobody can recover anything", shown)

    def test_r22_a_command_offers_to_create_a_missing_vault(self):
        terminal = self.terminal()
        shown = terminal.run("qv", ("[Y/n]", ""), (NEW, "short"), (NEW, "iloveyou"), ("anyway? [y/N]", "n"),
                             (NEW, PASSWORD), (REPEAT, PASSWORD + "x"), (NEW, PASSWORD), (REPEAT, PASSWORD))
        self.assert_is_welcome(shown)
        self.assertIn("8 characters", shown)
        self.assertIn("one of the most common ones", shown)
        self.assertIn("do not match", shown)
        self.assertIn("created", shown)
        self.assertIn("no cards yet", shown)
        self.assertNotIn(PASSWORD, shown)
        self.assertEqual(terminal.status(), 0)
        self.assertIn("unlocked", terminal.run("qv status"))

    def test_r22_init_welcomes_and_shows_the_list(self):
        terminal = self.terminal()
        shown = terminal.run("qv init --kdf argon2id --iterations 1 --memory 19456", (NEW, PASSWORD),
                             (REPEAT, PASSWORD))
        self.assert_is_welcome(shown)
        self.assertIn("no cards yet", shown)
        self.assertIn("already", terminal.run("qv init"))
        self.assertEqual(terminal.status(), 12)

    def test_r11_a_script_is_told_that_its_password_is_easy_to_guess(self):
        status, _, errors = self.world.qv("init", "--kdf", "pbkdf2", "--iterations", "100000", password="11111111")
        self.assertEqual(status, 0)
        self.assertIn("one character repeated", errors)

    def test_the_offer_can_be_declined(self):
        terminal = self.terminal()
        self.assertIn("qv account sign-in URL", terminal.run("qv list", ("[Y/n]", "n")))
        self.assertEqual(terminal.status(), 13)
        self.assertIn("no vault yet", terminal.run("qv status"))

    def test_fingerprint_unlock_is_not_offered_by_a_program_without_it(self):
        terminal = self.terminal()
        shown = terminal.run("qv init --kdf pbkdf2 --iterations 100000", (NEW, PASSWORD), (REPEAT, PASSWORD))
        self.assertNotIn("fingerprint", shown)
