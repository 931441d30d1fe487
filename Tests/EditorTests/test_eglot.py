"""Code actions in Emacs with the real Eglot (A)."""

import unittest

from editors import Emacs, Surroundings, eventually, recipe
from language_client import TAX_ID

SETUP = """
(setq make-backup-files nil create-lockfiles nil auto-save-default nil native-comp-async-report-warnings-errors nil
      warning-minimum-level :error eglot-confirm-server-initiated-edits nil)
(require 'eglot)
"""


class Eglot(unittest.TestCase):
    def test_a_code_action(self):
        surroundings = Surroundings(self)
        emacs = Emacs(self, surroundings, SETUP + recipe("elisp"))
        inside = '(with-current-buffer "letter.txt" {})'.format
        emacs.terminal.type("M-x", "eglot", "Enter")
        eventually(lambda: emacs.eval(inside("(eglot-managed-p)")) == "t", emacs.terminal.screen)
        emacs.terminal.type("C-e", " ;;gsfp.tax", "M-x", "eglot-code-actions", "Enter")
        emacs.terminal.await_screen("Insert 公司发票 · Tax ID")
        emacs.terminal.type("Enter")
        eventually(
            lambda: TAX_ID in emacs.eval(inside("(buffer-substring-no-properties 1 (point-max))")), emacs.terminal.screen)
        self.assertNotIn(";;gsfp", emacs.eval(inside("(buffer-substring-no-properties 1 (point-max))")))
        emacs.eval(inside("(undo)"))
        self.assertNotIn(TAX_ID, emacs.eval(inside("(buffer-substring-no-properties 1 (point-max))")))


if __name__ == "__main__":
    unittest.main()
