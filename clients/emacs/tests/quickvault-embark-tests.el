;;; quickvault-embark-tests.el --- Tests of Embark and of Vertico's sessions  -*- lexical-binding: t; -*-

;;; Commentary:

;; Packages of completion keep candidates in buffers and histories of their own.  A lock
;; leaves no title there.

;;; Code:

(require 'savehist)
(require 'quickvault-test-support)

(let ((default-directory "/usr/share/emacs/site-lisp/elpa-src/"))
  (when (file-directory-p default-directory) (normal-top-level-add-subdirs-to-load-path)))

(defvar embark-indicators)
(defvar embark-prompter)
(defvar embark-quit-after-action)
(defvar vertico-repeat-history)

(declare-function vertico-repeat-save "ext:vertico-repeat")

(defmacro quickvault-test-with-embark (&rest body)
  "Evaluate BODY in a vault and a buffer outside of it; Embark acts on C-c."
  (declare (indent 0) (debug t))
  `(quickvault-test-with-vault
     (let ((embark-prompter 'embark-keymap-prompter)
           (embark-indicators nil)
           (map minibuffer-local-map))
       (unwind-protect
           (with-temp-buffer
             (set-window-buffer (selected-window) (current-buffer))
             (define-key map (kbd "C-.") #'embark-act)
             (pcase-dolist (`(,key . ,command) '(("<f7>" . embark-collect) ("<f8>" . embark-export) ("<f9>" . embark-live)))
               (define-key map (kbd key) command))
             ,@body)
         (dolist (key '("C-." "<f7>" "<f8>" "<f9>")) (define-key map (kbd key) nil))
         (quickvault-test-end-embark)))))

(defun quickvault-test-end-embark ()
  "Kill the buffers of Embark."
  (dolist (buffer (buffer-list))
    (when (string-prefix-p "*Embark" (buffer-name buffer)) (kill-buffer buffer))))

(defun quickvault-test-of-embark ()
  "Return the names of Embark's buffers."
  (seq-filter (lambda (name) (string-prefix-p "*Embark" name)) (mapcar #'buffer-name (buffer-list))))

(defun quickvault-test-keys-ended (&rest keys)
  "Type KEYS, which end the keyboard macro."
  (condition-case nil (apply #'quickvault-test-keys keys) ((quit error) nil)))

(ert-deftest quickvault-embark-acts-on-titles ()
  "Embark copies the card that is being completed."
  (skip-unless (require 'embark nil t))
  (quickvault-test-with-embark
    (quickvault-test-keys-ended "M-x quickvault-show RET" '("家") "C-. w")
    (should (string-match-p "王芳" (car kill-ring)))))

(ert-deftest quickvault-r12-embark-keeps-no-title-after-a-lock ()
  "R12: a lock kills the buffers of titles and tags that Embark collects, exports and updates."
  (skip-unless (require 'embark nil t))
  (quickvault-test-with-embark
    (pcase-dolist (`(,keys ,text) '(("M-x quickvault-copy RET Har <f7>" "Harbor")
                                    ("M-x quickvault-copy RET Har <f8>" "Harbor")
                                    ("M-x quickvault-copy RET Har <f9> C-g" "Harbor")
                                    ("C-x b *QuickVault* RET # ban <f7>" "bank")))
      (quickvault-test-keys "C-x b *scratch* RET")
      (quickvault-test-keys-ended keys)
      (ert-info (keys)
        (should (seq-intersection (quickvault-test-of-embark) (quickvault-test-anywhere text)))
        (quickvault-lock)
        (should-not (quickvault-test-of-embark))
        (should-not (quickvault-test-anywhere text)))
      (quickvault-test-keys "M-x quickvault RET" quickvault-test-keys-of-password "RET"))))

(ert-deftest quickvault-kills-of-embark-are-cleared-and-not-saved ()
  "A title that is killed in a buffer of Embark is not saved, and cleared at the lock; yanked, it is the user's."
  (skip-unless (require 'embark nil t))
  (quickvault-test-with-embark
    (let ((savehist-file (expand-file-name "history" quickvault-test-directory))
          (savehist-additional-variables '(kill-ring)))
      (kill-new "someone's own")
      (quickvault-test-keys-ended "M-x quickvault-copy RET Har <f7>")
      (with-current-buffer (car (quickvault-test-of-embark))
        (copy-region-as-kill (point-min) (point-max)))
      (should (string-match-p "Harbor" (car kill-ring)))
      (savehist-save)
      (should-not (string-match-p "Harbor" (quickvault-test-file savehist-file)))
      (with-temp-buffer
        (yank)
        (should-not (text-property-not-all (point-min) (point-max) 'quickvault-contents nil)))
      (quickvault-lock)
      (should (equal kill-ring '("someone's own"))))))

(provide 'quickvault-embark-tests)
;;; quickvault-embark-tests.el ends here
