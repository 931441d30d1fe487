;;; quickvault-evil-tests.el --- Tests with Evil  -*- lexical-binding: t; -*-

;;; Commentary:

;; Evil is that of Debian.  Its keys begin in their states; what it remembers goes with the lock.

;;; Code:

(require 'quickvault-test-support)

(let ((default-directory "/usr/share/emacs/site-lisp/elpa-src/"))
  (when (file-directory-p default-directory) (normal-top-level-add-subdirs-to-load-path)))

(defvar evil-ex-history)
(defvar evil-repeat-ring)

(declare-function evil-emacs-state-p "ext:evil-states")
(declare-function evil-insert-state-p "ext:evil-states")
(declare-function evil-normal-state-p "ext:evil-states")
(declare-function evil-mode "ext:evil-core")
(declare-function evil-set-initial-state "ext:evil-core")

(defmacro quickvault-test-with-evil (&rest body)
  "Evaluate BODY in the list of a vault, with Evil."
  (declare (indent 0) (debug t))
  `(progn
     (skip-unless (require 'evil nil t))
     (quickvault-test-with-vault
       (unwind-protect
           (progn
             (evil-mode)
             (kill-buffer "*QuickVault*")
             (quickvault)
             ,@body)
         (evil-mode -1)))))

(ert-deftest quickvault-pages-have-their-keys-with-evil ()
  "With Evil, the list and each page start in Emacs state with their keys, also if one is the first buffer of the vault."
  (quickvault-test-with-evil
    (quickvault-test-go "Harbor")
    (should (evil-emacs-state-p))
    (quickvault-test-keys "m")
    (should (equal 1 (length (quickvault--marked-cards))))
    (goto-char (point-min))
    (quickvault-test-keys "j")
    (should (equal "Harbor 开票" (plist-get (quickvault--list-item) :title)))
    (kill-buffer "*QuickVault*")
    (evil-set-initial-state 'quickvault-card-mode 'normal)
    (evil-mode -1)
    (evil-mode)
    (quickvault-show (car (quickvault-test-all-cards)))
    (should (evil-emacs-state-p))
    (dolist (mode '(quickvault-attachment-mode quickvault-output-mode quickvault-question-mode))
      (with-temp-buffer
        (funcall mode)
        (should (evil-emacs-state-p))))))

(ert-deftest quickvault-forms-start-in-insert-state ()
  "With Evil, a form starts in insert state; TAB moves to the next field in normal state too."
  (quickvault-test-with-evil
    (quickvault-test-go "Harbor")
    (quickvault-test-keys "e")
    (should (evil-insert-state-p))
    (should (string-search "TAB moves to the next field" header-line-format))
    (quickvault-test-keys '("typed ") "<escape>")
    (should (evil-normal-state-p))
    (should (quickvault-test-shows "Title: typed Harbor"))
    (quickvault-test-keys "TAB")
    (should (looking-at "Company"))
    (quickvault-test-keys "<backtab>")
    (should (looking-at "typed "))
    ;; Ex commands save and leave a form.
    (quickvault-test-keys ": w RET")
    (should (derived-mode-p 'quickvault-card-mode))
    (should (quickvault-test-shows "typed Harbor"))
    (quickvault-test-keys "e" '("more ") "<escape> : q RET n")
    (should (quickvault-test-shows "more typed Harbor"))
    (quickvault-test-keys "Z Z")
    (should (quickvault-test-shows "more typed Harbor"))))

(ert-deftest quickvault-r12-evil-remembers-nothing-after-a-lock ()
  "R12: what was typed, replaced and searched for in a form is in no history of Evil, and in none of its variables."
  (quickvault-test-with-evil
    (cl-letf (((default-value 'evil-ex-history) '("own"))
              (ring (ring-elements (default-value 'evil-repeat-ring))))
      (quickvault-test-go "Harbor")
      (quickvault-test-keys "e" '("PLANTEDone") "<escape> :" '("s/PLANTEDone/PLANTEDtwo/") "RET")
      (should (quickvault-test-shows "PLANTEDtwo"))
      (quickvault-test-keys "/" '("PLANTEDtwo") "RET d w")
      (with-temp-buffer
        (should (equal evil-ex-history '("own")))
        (should (equal ring (ring-elements evil-repeat-ring))))
      (quickvault-lock)
      (let ((print-level 12) (print-length 500) found)
        (mapatoms (lambda (symbol)
                    (when (and (string-prefix-p "evil-" (symbol-name symbol)) (default-boundp symbol)
                               (string-search "PLANTED" (prin1-to-string (default-value symbol))))
                      (push symbol found))))
        (should-not found)))))

(provide 'quickvault-evil-tests)
;;; quickvault-evil-tests.el ends here
