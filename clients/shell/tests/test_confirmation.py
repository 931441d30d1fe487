"""What weakens the vault asks for the password again (R9)."""

import os

from cases import both
from world import PASSWORD

# A password counts for a minute. Instead of waiting for that, this program stands before the real one, and refuses what
# comes before a second unlock as it would.
IMPATIENT = """#!/usr/bin/python3
import json, subprocess, sys
program = subprocess.Popen([{program!r}, *sys.argv[1:]], stdin=subprocess.PIPE)
unlocks = 0
for line in sys.stdin.buffer:
    message = json.loads(line)
    method = isinstance(message, dict) and message["method"]
    unlocks += method == "session/unlock"
    if method == "vault/backup" and unlocks < {unlocks}:
        text = "This needs the master password or a fingerprint again."
        error = dict(code=1105, message=text, data=dict(kind="auth.required", messages={{"en": text, "zh-Hans": text}}))
        print(json.dumps(dict(jsonrpc="2.0", id=message["id"], error=error), separators=(",", ":")), flush=True)
    else:
        program.stdin.write(line)
        program.stdin.flush()
program.stdin.close()
sys.exit(program.wait())
"""


@both
class Confirmation:
    def refuse_backups_before(self, unlocks):
        path = self.world.path("bin", "impatient")
        with open(path, "w", encoding="utf-8") as file:
            file.write(IMPATIENT.format(program=self.world.program, unlocks=unlocks))
        os.chmod(path, 0o700)
        self.world.environment["QUICKVAULT_PROGRAM"] = path

    def test_r9_asks_and_goes_on(self):
        self.refuse_backups_before(3)
        terminal = self.unlocked()
        shown = terminal.run("qv backup copy.quickvault", ("to confirm: ", "not that one"), ("to confirm: ", PASSWORD))
        self.assertEqual(terminal.status(), 0, shown)
        self.assertIn("2 attempts left", shown)
        self.assertTrue(os.path.exists(self.world.path("home", "copy.quickvault")))

    def test_r9_a_script_gives_it_by_the_descriptor(self):
        self.refuse_backups_before(2)
        status, _, errors = self.world.qv("backup", "copy.quickvault", passwords=[PASSWORD, PASSWORD])
        self.assertEqual(status, 0, errors)

    def test_r9_without_a_terminal_it_fails_in_words(self):
        self.refuse_backups_before(2)
        terminal = self.unlocked()
        shown = terminal.run("qv backup copy.quickvault </dev/null")
        self.assertIn("needs the master password or a fingerprint again", shown)
        self.assertEqual(terminal.status(), 5)
