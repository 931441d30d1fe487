"""The units for systemd are valid, and start the program as it can be started."""

import pathlib
import shutil
import subprocess
import tempfile
import unittest

from documents import PROGRAM, ROOT

UNITS = ROOT / "packaging/systemd"
INSTANCE = r"home-lin-my\x20vaults-a\x2db.quickvault"


@unittest.skipUnless(shutil.which("systemd-analyze"), "systemd is not installed")
class Units(unittest.TestCase):
    def setUp(self):
        self.directory = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        for kind in ["socket", "service"]:
            text = (UNITS / f"quickvault@.{kind}").read_text().replace("@PROGRAM@", str(PROGRAM))
            (self.directory / f"quickvault@{INSTANCE}.{kind}").write_text(text)

    def test_systemd_accepts_them(self):
        runtime = self.directory / "run"
        runtime.mkdir(mode=0o700)
        verified = subprocess.run(
            ["systemd-analyze", "--user", "--man=no", "--recursive-errors=no", "verify",
             *map(str, self.directory.glob("quickvault@*"))],
            capture_output=True, text=True, timeout=60,
            env={"PATH": "/usr/bin:/bin", "XDG_RUNTIME_DIR": str(runtime), "HOME": str(self.directory)})
        self.assertEqual((verified.returncode, verified.stdout, verified.stderr), (0, "", ""))

    def test_the_program_accepts_its_command_line(self):
        text = (UNITS / "quickvault@.service").read_text()
        command = next(line for line in text.split("\n") if line.startswith("ExecStart="))
        program, *arguments = command.removeprefix("ExecStart=").split()
        self.assertEqual(program, "@PROGRAM@")
        # A vault below a file cannot be found, so the program ends before it serves.
        arguments = [argument.replace("%f", "/dev/null/vault") for argument in arguments]
        ended = subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, timeout=60,
                               env={"XDG_RUNTIME_DIR": str(self.directory)})
        self.assertEqual(ended.returncode, 71, ended.stderr)
        self.assertIn("realpath: Not a directory", ended.stderr)
