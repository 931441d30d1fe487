;;; quickvault-consult-tests.el --- Tests of the search with Consult  -*- lexical-binding: t; -*-

;;; Commentary:

;; Vertico shows what Consult finds, as the users of Consult have it.

;;; Code:

(require 'savehist)
(require 'quickvault-test-support)

(let ((default-directory "/usr/share/emacs/site-lisp/elpa-src/"))
  (when (file-directory-p default-directory) (normal-top-level-add-subdirs-to-load-path)))

(defvar consult--keep-lines-history)
(defvar consult--line-history)
(defvar vertico--candidates)
(defvar vertico-map)
(defvar embark-indicators)
(defvar embark-prompter)

(defun quickvault-test-await-candidate ()
  "Wait until Vertico shows a candidate."
  (interactive)
  (quickvault-test-wait (lambda ()
                          (run-hooks 'post-command-hook)
                          (vertico--exhibit)
                          vertico--candidates)))

(defmacro quickvault-test-consulting (&rest body)
  "Evaluate BODY in a vault, with Vertico; F5 waits for a candidate."
  (declare (indent 0) (debug t))
  `(quickvault-test-with-vault
     (vertico-mode)
     (let ((vertico-map (copy-keymap vertico-map)))
       (define-key vertico-map (kbd "<f5>") #'quickvault-test-await-candidate)
       (unwind-protect (progn (quickvault-test-keys "C-x b *scratch* RET") ,@body)
         (vertico-mode -1)))))

(ert-deftest quickvault-consult-finds-by-any-value ()
  "R7, R20: a word of an address finds its card, which RET shows or copies; nothing is recorded."
  (skip-unless (and (require 'consult nil t) (require 'vertico nil t)))
  (quickvault-test-consulting
    (quickvault-test-keys "M-x quickvault-consult RET" '("科技路") "<f5> RET")
    (should (quickvault-test-shows "138 0013 8000"))
    (quickvault-test-keys "M-x quickvault-consult-copy RET" '("招商银行") "<f5> RET")
    (should (string-match-p "深圳Harbor" quickvault-test-clipboard))
    (quickvault-lock)
    (should-not (quickvault-test-anywhere "Harbor"))
    (should-not (string-match-p "Harbor\\|科技路\\|招商" (format "%S" (list minibuffer-history consult--line-history
                                                                           command-history))))))

(ert-deftest quickvault-consult-ends-at-a-lock ()
  "R12: a lock while titles are offered aborts the minibuffer and leaves none."
  (skip-unless (and (require 'consult nil t) (require 'vertico nil t)))
  (quickvault-test-consulting
    (define-key vertico-map (kbd "<f6>") (lambda ()
                                           (interactive)
                                           (quickvault-lock)
                                           ;; The minibuffer is aborted from a timer.
                                           (quickvault-test-wait #'ignore)))
    (should (eq 'quit (condition-case nil
                          (quickvault-test-keys "M-x quickvault-consult RET" '("开票") "<f5> <f6>")
                        (quit 'quit))))
    (should-not (quickvault-test-anywhere "Harbor"))))

(ert-deftest quickvault-consult-remembers-no-search-of-a-buffer ()
  "What is searched in the list or on a page with commands of Consult is in no history."
  (skip-unless (and (require 'consult nil t) (require 'vertico nil t)))
  (let ((completion-styles '(substring))
        consult--line-history consult--keep-lines-history)
    (quickvault-test-consulting
      (quickvault-test-keys "M-x quickvault RET")
      (quickvault-test-go "Harbor")
      (dolist (keys '("M-x consult-line RET" "RET M-x consult-line RET"))
        (quickvault-test-keys keys '("开票") "<f5> RET"))
      (quickvault-test-keys "M-x consult-focus-lines RET" '("开票") "RET")
      (with-temp-buffer
        (should (equal '(nil nil) (list consult--line-history consult--keep-lines-history)))))))

(provide 'quickvault-consult-tests)
;;; quickvault-consult-tests.el ends here
