"""Code actions in Emacs with the real Eglot (A)."""

import unittest

from editors import Emacs, Surroundings, eventually, recipe
from language_client import TAX_ID

SETUP = """
(setq make-backup-files nil create-lockfiles nil auto-save-default nil native-comp-deferred-compilation nil
      warning-minimum-level :error eglot-confirm-server-initiated-edits nil)
(require 'eglot)
"""


COMPANY = """
(require 'company)
(setq company-idle-delay 0.05 company-minimum-prefix-length 1)
(add-hook 'text-mode-hook #'company-mode)
"""
INSIDE = '(with-current-buffer "letter.txt" {})'.format
TEXT = "(buffer-substring-no-properties 1 (point-max))"


class EglotCase(unittest.TestCase):
    def start(self, more=""):
        self.surroundings = Surroundings(self)
        emacs = Emacs(self, self.surroundings, SETUP + more + recipe("elisp"))
        emacs.terminal.type("M-x", "eglot", "Enter")
        eventually(lambda: emacs.eval(INSIDE("(eglot-managed-p)")) == "t", emacs.terminal.screen)
        return emacs

    def text(self, emacs):
        return emacs.eval(INSIDE(TEXT))

    def insert_by_action(self, emacs):
        emacs.terminal.type("M-x", "eglot-code-actions", "Enter")
        emacs.terminal.await_screen("Insert 公司发票 · Tax ID")
        emacs.terminal.type("Enter")
        eventually(lambda: TAX_ID in self.text(emacs), emacs.terminal.screen)
        self.assertNotIn(";;gsfp", self.text(emacs))
        emacs.eval(INSIDE("(undo)"))
        self.assertNotIn(TAX_ID, self.text(emacs))


class Eglot(EglotCase):
    def test_a_code_action_and_undo(self):
        emacs = self.start()
        emacs.terminal.type("C-e", " ;;gsfp.tax")
        self.insert_by_action(emacs)

    def test_a_no_buffer_keeps_what_was_inserted(self):
        emacs = self.start()
        emacs.terminal.type("C-e", " ;;gsfp.tax")
        self.insert_by_action(emacs)
        holding = ('(seq-filter (lambda (name) (with-current-buffer name (save-restriction (widen)'
                   f' (string-search "{TAX_ID}" (buffer-string))))) (seq-filter (lambda (name) (string-prefix-p "*" name)) (mapcar (function buffer-name) (buffer-list))))')
        self.assertEqual(emacs.eval(holding), "nil")

    def test_a_a_refused_question_ends_nothing_else(self):
        emacs = self.start("(setq eglot-confirm-server-initiated-edits t)")
        emacs.terminal.type("C-e", " ;;gsfp.tax")
        emacs.terminal.type("M-x", "eglot-code-actions", "Enter")
        emacs.terminal.await_screen("Insert 公司发票 · Tax ID")
        emacs.terminal.type("Enter")
        emacs.terminal.await_screen("Proceed?")
        # Eglot does not tell the server, and gives its own request up.
        emacs.terminal.type("C-g")
        emacs.terminal.await_screen("Timed out")
        emacs.eval("(setq eglot-confirm-server-initiated-edits nil)")
        self.insert_by_action(emacs)

    def test_a_with_company(self):
        emacs = self.start(COMPANY)
        emacs.terminal.type("C-e", " ;;gsfp.tax")
        eventually(lambda: ";;gsfp.tax" in self.text(emacs), emacs.terminal.screen)
        self.assertEqual(emacs.eval(INSIDE("company-mode")), "t")
        self.assertEqual(emacs.eval(INSIDE("company-candidates")), "nil", "nothing is offered that would not insert")
        self.insert_by_action(emacs)


if __name__ == "__main__":
    unittest.main()
