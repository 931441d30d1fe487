"""A person's first quarter of an hour with qv: from the installation, as the README has it, to its removal."""

import os
import pathlib
import subprocess
import unittest

from pictures import png
from terminal import Terminal
from world import PASSWORD, PROGRAM, World, wait_for

TOP = pathlib.Path(__file__).resolve().parents[3]
NEW, REPEAT, ENTER = "New master password", "Repeat the password: ", "password: "


class FirstQuarterOfAnHour(unittest.TestCase):
    def setUp(self):
        self.world = World()
        self.addCleanup(self.world.close)
        self.home = pathlib.Path(self.world.path("home"))
        self.world.program = str(self.home / ".local/bin/quickvault")
        environment = self.world.environment
        for name in ("QUICKVAULT_PROGRAM", "QUICKVAULT_VAULT", "XDG_DATA_HOME", "XDG_CONFIG_HOME"):
            del environment[name]
        environment["PATH"] = f"{self.home}/.local/bin:/usr/local/bin:/usr/bin:/bin"

    def make(self, target):
        """Runs make with the programs under test, in place of a release build."""
        subprocess.run(["make", "--silent", "-o", "release", "-o", "helpers", target, "RELEASED=" + os.path.dirname(PROGRAM)],
                       cwd=TOP, env=self.world.environment, check=True, capture_output=True, timeout=300)

    def files(self):
        return {path.relative_to(self.home) for path in self.home.rglob("*") if path.is_file()}

    def test_from_the_installation_to_the_removal(self):
        before = self.files()
        self.make("install")
        terminal = Terminal(self.world, "bash")
        self.addCleanup(terminal.child.close, force=True)

        # A vault and three cards
        self.assertIn("no cards yet", terminal.run("qv", ("[Y/n]", ""), (NEW, PASSWORD), (REPEAT, PASSWORD)))
        terminal.run("qv new text --title 'Office door' --tag work text='4711#'")
        terminal.run("qv new invoice --title 'Our invoices' companyName='Lin & Sons' taxId=91440300MA5EQXL17P address='Harbor 8' phone=075512345678"
                     " bankName='Harbor Bank' bankAccount=6222020200112233")
        terminal.run("qv new address --title Home name=王芳 phone=13912345678 province=广东省 city=深圳市"
                     " district=南山区 address='Harbor 8'")
        self.assertEqual(terminal.status(), 0)
        listed = terminal.run("qv list")
        for title in ("Office door", "Our invoices", "Home"):
            self.assertIn(title, listed)

        # Finding, copying, and a picture with a watermark
        self.assertIn("Office door", terminal.run("qv search 4711"))
        self.assertIn("91440300MA5EQXL17P", terminal.run("qv copy invoices --field taxId --print"))
        (self.home / "front.png").write_bytes(png(64, 64))
        terminal.run("qv attach Home front.png --watermark 'For the visa office'")
        self.assertIn("front.png", terminal.run("qv show Home"))

        # A lock, and three wrong passwords
        self.assertIn("locked", terminal.run("qv lock"))
        wrong = [(ENTER, f"wrong {number}") for number in range(3)]
        self.assertIn("Try again in", terminal.run("qv list", *wrong))
        wait_for(lambda: "too many wrong passwords" not in terminal.run("qv status"), "the end of the wait")
        self.assertIn("Home", terminal.run("qv list", (ENTER, PASSWORD)))

        # Moving in, and a folder for a second machine, after all not wanted
        (self.home / "logins.csv").write_text("name,url,username,password\nForum,https://forum.example.org/,lin,PLANTED\n")
        self.assertIn("Forum", terminal.run("qv import logins.csv", ("[y/N]", "y")) + terminal.run("qv list"))
        terminal.run("qv sync enable ~/carried")
        self.assertIn("No other machine has joined yet", terminal.run("qv sync"))
        self.assertIn("not synchronised", terminal.run("qv sync disable", ("[y/N]", "y")))

        # Away with everything
        terminal.run("qv delete-vault", ("to confirm: ", "vault.quickvault"), (ENTER, PASSWORD))
        self.assertIn("no vault yet", terminal.run("qv status"))
        terminal.close()
        self.make("uninstall")
        left = {str(path) for path in self.files() - before if not str(path).startswith("carried/")}
        self.assertLessEqual(left, {"front.png", "logins.csv", ".bash_history", ".local/state/quickvault/log"})


if __name__ == "__main__":
    unittest.main()
