;;; quickvault-leak-tests.el --- Tests of what other packages remember  -*- lexical-binding: t; -*-

;;; Commentary:

;; Emacs and its packages keep text in many variables, and write some of them to files.

;;; Code:

(require 'desktop)
(require 'hi-lock)
(require 'quickvault-qv)
(require 'quickvault-test-support)
(require 'rect)
(require 'savehist)

(defun quickvault-test-leaks (regexp)
  "Return the variables and buffers of Emacs that have a match for REGEXP."
  (garbage-collect)
  (let ((print-level 12) (print-length 500) (print-circle t) found)
    (cl-flet ((look (place value)
                (when (and (not (numberp value))
                           (string-match-p regexp (condition-case nil (prin1-to-string value) (error ""))))
                  (push place found))))
      (mapatoms (lambda (symbol)
                  ;; The tests themselves, and what is being evaluated now.
                  (when (and (default-boundp symbol)
                             (not (string-match-p "\\`\\(?:ert-\\|debugger\\'\\|quickvault-test\\)" (symbol-name symbol))))
                    (look symbol (default-value symbol)))))
      (dolist (buffer (buffer-list))
        (with-current-buffer buffer
          (look (buffer-name) (save-restriction (widen) (buffer-string)))
          (pcase-dolist (`(,variable . ,value) (seq-filter #'consp (buffer-local-variables)))
            (look (list (buffer-name) variable) value)))))
    found))

(ert-deftest quickvault-r12-a-lock-leaves-nothing-in-any-variable ()
  "R12: rectangles, registers, the Edit menu, expansions and searches have nothing of the vault after a lock."
  (quickvault-test-with-vault
    (let ((yank-menu (list "Select Yank" nil))
          (register-alist nil)
          (killed-rectangle nil)
          (kill-transform-function nil))
      (quickvault-test-go "Harbor")
      ;; A rectangle, a register with one, and a register with text.
      (quickvault-test-keys "C-SPC C-e C-x r M-w C-a C-SPC C-e C-x r r a C-a C-SPC C-e C-x r s b")
      (menu-bar-update-yank-menu (quickvault--mark-vault-text "Harbor killed") nil)
      (quickvault-test-keys "RET M-s h r" '("Harbor") "RET RET C-s Harbor RET M-s o Harbor RET C-x 1 q")
      (quickvault-test-go "Harbor")
      (quickvault-test-keys "e C-e SPC" '("PLANTEDone PLANTEDone") "SPC PLANT M-/")
      (should (quickvault-test-shows "PLANTEDone PLANTEDone PLANTEDone"))
      (quickvault-test-keys "SPC PLANT M-x hippie-expand RET C-a C-SPC C-e C-x r r c")
      (should (seq-set-equal-p '(?a ?b ?c) (mapcar #'car register-alist)))
      (should-not (seq-difference '(killed-rectangle register-alist yank-menu) (quickvault-test-leaks "Harbor")))
      (should (memq 'dabbrev--last-table (quickvault-test-leaks "PLANTEDone")))
      (quickvault-test-keys "M-x quickvault-lock RET")
      (should-not (quickvault-test-leaks "Harbor\\|PLANTEDone\\|91350100M")))))

(ert-deftest quickvault-registers-are-not-saved ()
  "`desktop-save' writes no text from the vault, of which it would strip the mark."
  (quickvault-test-with-vault
    (let ((register-alist '((?x . "someone's own")))
          (desktop-globals-to-save '(register-alist kill-ring)))
      (quickvault-test-go "Harbor")
      (quickvault-test-keys "C-SPC C-e C-x r s a C-a C-SPC C-e C-x r r b M-w")
      (desktop-save quickvault-test-directory t)
      (let ((saved (quickvault-test-file (desktop-full-file-name quickvault-test-directory))))
        (should (string-search "someone's own" saved))
        (should-not (string-search "Harbor" saved)))
      (should (string-search "Harbor" (car kill-ring)))
      (should (get-register ?a)))))

(defun quickvault-test-finds-no-words ()
  "Fail if `dabbrev-expand' or `hippie-expand' finds a word of the vault for a file."
  (with-temp-buffer
    (set-window-buffer (selected-window) (current-buffer))
    (dolist (keys '("M-/" "M-x hippie-expand RET"))
      (erase-buffer)
      (insert "Harb")
      (ignore-errors (quickvault-test-keys keys))
      (should (equal "Harb" (buffer-string))))))

(ert-deftest quickvault-words-of-the-vault-complete-nothing-elsewhere ()
  "In a file, `dabbrev-expand' and `hippie-expand' find no word of the vault, also not in buffers of ElDoc and `occur'."
  (quickvault-test-with-vault
    (quickvault-test-add :title "Tagged" :group "personal" :type "text" :tags ["Harbor"] :fields '(:text "x"))
    (quickvault-test-keys "g")
    (quickvault-test-go "Tagged")
    (let ((eldoc-mode t) inhibit-message)
      (eldoc--invoke-strategy t))
    (should (seq-intersection '(" *eldoc*" "*eldoc*") (quickvault-test-anywhere "tags: Harbor")))
    (quickvault-test-go "Harbor")
    (quickvault-test-keys "M-s o" '("Harbor") "RET")
    (should (member "*Occur*" (quickvault-test-anywhere "Harbor")))
    (quickvault-test-finds-no-words)
    (kill-buffer "*Occur*")
    (quickvault-test-go "Harbor")
    (quickvault-test-keys "RET")
    (quickvault-test-finds-no-words)))

(ert-deftest quickvault-progress-is-not-logged ()
  "The progress of an attachment, which has its name, is not logged, whatever buffer is current then."
  (quickvault-test-with-vault
    (let* ((until (time-add nil 0.3))
           (quickvault--progress-functions nil))
      (should (derived-mode-p 'quickvault-list-mode))
      (cl-letf (((symbol-function 'quickvault--request)
                 (lambda (&rest _)
                   ;; The reporter shows nothing before.
                   (quickvault-test-wait (lambda () (time-less-p until nil)))
                   (with-temp-buffer
                     (run-hook-with-args 'quickvault--progress-functions "attachment/add" '(:percentage 50))))))
        (quickvault--with-progress "PLANTED.jpg..." 'attachment/add nil))
      (should-not (string-search "PLANTED" (quickvault-test-text "*Messages*"))))))

(ert-deftest quickvault-messages-of-a-prompt-are-not-logged ()
  "What Emacs shows in a prompt of the list, such as copied text, is not logged."
  (quickvault-test-with-vault
    (should (derived-mode-p 'quickvault-list-mode))
    (quickvault--without-history (with-temp-buffer (message "PLANTED")))
    (should-not (string-search "PLANTED" (quickvault-test-text "*Messages*")))))

;; With EDITOR=emacsclient.
(ert-deftest quickvault-r17-file-that-qv-edits-is-kept-nowhere-else ()
  "R17: Emacs makes no backup, auto-save file or lock file of the file of `qv edit', and saves no kill from it."
  (quickvault-test-in-directory
    (let* ((place (file-name-as-directory (make-temp-file "quickvault-view." t)))
           (kept (expand-file-name "kept/" quickvault-test-directory))
           (file (expand-file-name "card.txt" place))
           (savehist-file (expand-file-name "history" quickvault-test-directory))
           (savehist-additional-variables '(kill-ring))
           (backup-directory-alist `(("." . ,kept)))
           (backup-enable-predicate #'always)
           (auto-save-default t)
           (auto-save-file-name-transforms `((".*" ,kept t)))
           (lock-file-name-transforms `((".*" ,kept t)))
           (make-backup-files t)
           (create-lockfiles t)
           kill-ring buffer)
      (make-directory kept)
      (unwind-protect
          (progn
            (write-region "# A remark\nTitle: PLANTED\n" nil file)
            (setq buffer (find-file file))
            ;; In batch mode, Emacs itself does not do this before it chooses the mode.
            (auto-save-mode 1)
            (normal-mode)
            (should (derived-mode-p 'quickvault-qv-mode))
            (font-lock-ensure)
            (should (equal '(font-lock-comment-face font-lock-keyword-face)
                           (list (get-text-property 1 'face)
                                 (progn (goto-char (point-max)) (forward-line -1) (get-text-property (point) 'face)))))
            (insert "Group: PLANTED\n")
            (do-auto-save t)
            (should-not (directory-files kept nil directory-files-no-dot-files-regexp))
            (save-buffer)
            (kill-line)
            (should (string-match-p "PLANTED" (car kill-ring)))
            (savehist-save)
            (should-not (string-match-p "PLANTED" (quickvault-test-file savehist-file)))
            (save-buffer)
            (should (equal '("card.txt") (directory-files place nil directory-files-no-dot-files-regexp)))
            (should-not (directory-files kept nil directory-files-no-dot-files-regexp)))
        (when buffer
          (with-current-buffer buffer (set-buffer-modified-p nil))
          (kill-buffer buffer))
        (delete-directory place t)))))

(ert-deftest quickvault-emacs-that-never-used-the-vault-exits ()
  "An Emacs that only edits for `qv edit' exits without an error, and without what was killed there."
  (with-temp-buffer
    (let ((status (call-process (expand-file-name invocation-name invocation-directory) nil t nil "-Q" "--batch"
                                "-L" (file-name-directory (locate-library "quickvault-qv")) "-l" "quickvault-qv"
                                "--eval" (prin1-to-string '(progn (quickvault-qv-mode)
                                                                  (insert "PLANTED")
                                                                  (kill-region (point-min) (point-max))
                                                                  (run-hooks 'kill-emacs-hook)
                                                                  (princ kill-ring))))))
      (should (equal '(0 "nil") (list status (buffer-string)))))))

(provide 'quickvault-leak-tests)
;;; quickvault-leak-tests.el ends here
