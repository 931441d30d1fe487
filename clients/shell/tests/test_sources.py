"""Checks of what shells source: shellcheck and syntax."""

import os
import subprocess
import unittest

from world import CLIENT


class Sources(unittest.TestCase):
    def succeeds(self, *words):
        done = subprocess.run(words, cwd=CLIENT, capture_output=True, text=True, check=False)
        self.assertEqual((done.returncode, done.stdout + done.stderr), (0, ""))

    def test_shellcheck(self):
        self.succeeds("shellcheck", "-x", "-a", "quickvault.bash", "qv.bash", "key-bindings.bash", "tests/run")

    def test_syntax(self):
        for name in ("quickvault.bash", "qv.bash", "key-bindings.bash"):
            self.succeeds("bash", "-n", name)
        for name in ("_qv", "key-bindings.zsh"):
            self.succeeds("zsh", "-n", name)

    def test_the_file_of_earlier_versions_says_that_it_is_not_needed(self):
        for shell in ("bash", "zsh"):
            done = subprocess.run([shell, "-c", f". {os.path.join(CLIENT, 'quickvault.bash')}"], capture_output=True,
                                  text=True, check=True)
            self.assertIn("no longer needed", done.stderr)
