;;; quickvault-buffer.el --- Protected buffers and minibuffer input  -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The QuickVault authors

;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; Every buffer that shows contents of the vault is protected: it cannot be written
;; to a file, is not auto-saved, and is blanked when the vault locks.  Its text is
;; marked, so that a lock also finds read-only buffers that it was copied to, such as
;; those of Embark.

;;; Code:

(require 'dabbrev)
(require 'hippie-exp)
(require 'nadvice)
(require 'quickvault-minibuffer)
(require 'quickvault-requests)

(declare-function quickvault "quickvault")

(defvar occur-revert-arguments)
(defvar quickvault--unlocked)
(defvar quickvault--draft-text)

(defvar quickvault--read-only nil
  "Non-nil if the vault could only be read when it was unlocked.")

(defvar-local quickvault--protected nil
  "Non-nil if this buffer shows contents of the vault.")
(put 'quickvault--protected 'permanent-local t)

(defvar-local quickvault--restore-function nil
  "Function of no arguments that restores this blanked buffer.")
(put 'quickvault--restore-function 'permanent-local t)

(defvar-local quickvault--unsaved-function nil
  "Function of no arguments that returns non-nil if this buffer has unsaved input.")

(defvar-local quickvault--keep-function nil
  "Function of a lock's reason to return non-nil if this buffer stays.")

(defvar quickvault--auto-lock-seconds 300
  "Seconds of inactivity after which the vault locks, or nil for never.")

(defvar quickvault--unsaved-timer nil
  "Timer that blanks unsaved input after the program exited, or nil.")

(defconst quickvault--contents-names "\\` ?\\*\\(?:QuickVault\\|eldoc\\|Occur\\|Echo Area\\|code-conversion-work\\)"
  "Regular expression for usual names of buffers with contents of the vault.")

(defvar quickvault--protect-hook nil
  "Hook run in a buffer that is being protected.")

(defun quickvault--protect-buffer (restore)
  "Protect the current buffer; call RESTORE to show its content after a lock.
If RESTORE is nil, a lock kills the buffer."
  (setq quickvault--protected t
        quickvault--restore-function restore)
  (quickvault--set-up-display mode-line-process)
  (buffer-disable-undo)
  (auto-save-mode -1)
  (quickvault--forbid-writing)
  (quickvault--forbid-sharing)
  (add-hook 'change-major-mode-hook #'quickvault--refuse-other-mode nil t)
  ;; Commands such as `kill-ring-save' show the text they copied.
  (setq-local message-log-max nil)
  (quickvault--protect-histories)
  (run-hooks 'quickvault--protect-hook)
  ;; Expansions in other buffers find no words of the vault.
  (dolist (variable '(dabbrev-ignored-buffer-regexps hippie-expand-ignore-buffers))
    (add-to-list variable quickvault--contents-names))
  (add-hook 'occur-hook #'quickvault--protect-occur)
  (advice-add 'occur-1 :around #'quickvault--occur-without-log))

(defun quickvault--forbid-sharing ()
  "Have buffers with this package's major mode refuse to be cloned indirectly.
Such a clone shares the text.  A lock ends its protection, but not that."
  (when (string-prefix-p "quickvault-" (symbol-name major-mode))
    (put major-mode 'no-clone-indirect t)))

(defun quickvault--protect-occur ()
  "Protect this buffer of `occur' if it has lines of a protected buffer."
  (when (quickvault--some-protected-p (nth 2 occur-revert-arguments))
    (quickvault--protect-buffer #'quickvault)))

(defun quickvault--occur-without-log (occur regexp lines buffers &rest more)
  "Call OCCUR with REGEXP, LINES, BUFFERS and MORE.
Do not log its message, which has REGEXP, if it searches a protected buffer."
  (if (quickvault--some-protected-p buffers)
      (quickvault--without-log (apply occur regexp lines buffers more))
    (apply occur regexp lines buffers more)))

(defun quickvault--some-protected-p (buffers)
  "Return non-nil if one of BUFFERS, as in `occur-1', is protected."
  (seq-some (lambda (buffer)
              (and (buffer-live-p buffer) (buffer-local-value 'quickvault--protected buffer)))
            buffers))

(defun quickvault--mark-contents ()
  "Mark the text of this buffer as contents of the vault."
  (with-silent-modifications
    (put-text-property (point-min) (point-max) 'quickvault-contents quickvault--vault-text-mark)))

(defun quickvault--marked-p ()
  "Return non-nil if the current buffer has text marked as contents of the vault."
  (save-restriction
    (widen)
    (text-property-any (point-min) (point-max) 'quickvault-contents quickvault--vault-text-mark)))

(defun quickvault--refuse-other-mode ()
  "Refuse a command that is another major mode: it would end the protection."
  (when (and (symbolp this-command)
             (string-match-p "-mode\\'" (symbol-name this-command))
             (not (string-prefix-p "quickvault-" (symbol-name this-command))))
    (user-error "%s" (quickvault--text "A buffer with contents of the vault keeps its major mode"))))

(defun quickvault--check-mode (mode)
  "Signal a `user-error' unless the major mode is MODE or derived from it."
  (unless (derived-mode-p mode)
    (user-error "%s" (quickvault--text "This command does not work here; M-x quickvault-help names those that do"))))

;;; The mode line

(defvar quickvault--sync-attention nil
  "What synchronisation wants somebody to look at, or nil.")

(defun quickvault--sync-remember (status)
  "Remember the part of STATUS, a result of `sync/status', for the mode line."
  (setq quickvault--sync-attention (and quickvault--unlocked (plist-get status :needsAttention)))
  (force-mode-line-update t))

(defun quickvault--sync-fetch ()
  "Request the status of synchronisation, without waiting for it."
  (when (quickvault--running-p)
    (quickvault--request-later 'sync/status (make-hash-table) #'quickvault--sync-remember #'ignore)))

(defun quickvault--set-up-display (process)
  "Wrap lines between words, and show PROCESS and remarks in the mode line."
  (setq-local mode-line-buffer-identification
              ;; In a narrow window, the remark is beyond the edge.
              (cons '(:eval (if (and quickvault--demo (< (window-width) 80)) (quickvault--text "[Demo] ") ""))
                    (default-value 'mode-line-buffer-identification))
              mode-line-process
              (list "" process
                    '(:eval (if quickvault--demo (quickvault--text "  [Demo; M-x quickvault-demo ends it]") ""))
                    '(:eval (if quickvault--sync-attention
                                (propertize (quickvault--text "  [Sync: see M-x quickvault-sync]")
                                            'help-echo (quickvault--localized
                                                        (plist-get quickvault--sync-attention :messages)))
                              "")))
              word-wrap t
              word-wrap-by-category t))

;;; Blanking

(defvar quickvault-blank-mode-map
  (let ((map (make-sparse-keymap)))
    (define-key map (kbd "RET") #'quickvault-restore)
    (define-key map "g" #'quickvault-restore)
    map)
  "Keymap of `quickvault-blank-mode'.")

(put 'quickvault-restore :advertised-binding (kbd "RET"))

(define-derived-mode quickvault-blank-mode special-mode "QuickVault"
  "Major mode for a buffer that was blanked when the vault locked."
  :interactive nil
  (quickvault--forbid-sharing)
  ;; Keys that are still typed have no command, and Emacs says so of each.
  (setq-local message-log-max nil)
  (quickvault--set-up-display nil))

(defun quickvault-restore ()
  "Unlock the vault and restore this buffer."
  (interactive nil quickvault-blank-mode)
  (quickvault--check-mode 'quickvault-blank-mode)
  (funcall (or quickvault--restore-function #'ignore)))

(defun quickvault--restore-later ()
  "Say in blanked buffers that the vault is unlocked; restore those in a window.
The command that unlocked the vault shows its own buffers first.  Restore
the others when they are shown."
  (dolist (buffer (quickvault--blank-buffers))
    (quickvault--blank buffer (quickvault--text "The vault is unlocked."))
    (with-current-buffer buffer
      (add-hook 'window-buffer-change-functions #'quickvault--restore-windows-later nil t)))
  (quickvault--restore-windows-later))

(defun quickvault--restore-windows-later (&rest _)
  "Restore the blanked buffers in a window after the current command."
  (run-at-time 0 nil #'quickvault--restore-windows))

(defun quickvault--restore-windows ()
  "Restore the blanked buffers that are shown in a window."
  (dolist (window (window-list-1 nil 'no-minibuffer t))
    (with-selected-window window
      (when (and quickvault--unlocked (derived-mode-p 'quickvault-blank-mode))
        (with-demoted-errors "QuickVault: %S"
          (quickvault-restore))))))

(define-obsolete-function-alias 'quickvault-revive #'quickvault-restore "0.2.0")

(defun quickvault--blank (buffer text)
  "Erase BUFFER and its local variables, and show TEXT there."
  (with-current-buffer buffer
    (let ((inhibit-read-only t)
          (inhibit-modification-hooks t)
          (restore quickvault--restore-function))
      (quickvault--end-search)
      (widen)
      (quickvault--erase)
      ;; These variables are permanent-local, so changing the mode does not kill them.
      (kill-local-variable 'tabulated-list-entries)
      (kill-local-variable 'occur-revert-arguments)
      (kill-local-variable 'quickvault--protected)
      (remove-hook 'change-major-mode-hook #'quickvault--refuse-other-mode t)
      (quickvault-blank-mode)
      (insert text "\n\n" (quickvault--text "Press \\[quickvault-restore] to continue, \\[quit-window] to close.") "\n")
      (goto-char (point-min))
      (set-buffer-modified-p nil)
      (setq quickvault--restore-function restore))))

(defun quickvault--discard (buffer)
  "Erase BUFFER and kill it; its windows show their previous buffers."
  (dolist (window (get-buffer-window-list buffer nil t))
    (quit-restore-window window 'bury))
  (with-current-buffer buffer
    (let ((inhibit-read-only t)
          (inhibit-modification-hooks t)
          kill-buffer-query-functions)
      (quickvault--erase)
      (kill-buffer))))

(defun quickvault--protected-buffers ()
  "Return the buffers that show contents of the vault."
  (seq-filter (lambda (buffer) (buffer-local-value 'quickvault--protected buffer))
              (buffer-list)))

(defun quickvault--derived-buffers ()
  "Return the unprotected buffers with marked text that nobody has written.
They are read-only and visit no file, as those of completion packages."
  (seq-filter (lambda (buffer)
                (with-current-buffer buffer
                  (and buffer-read-only
                       (not buffer-file-name)
                       (not quickvault--protected)
                       (quickvault--marked-p))))
              (buffer-list)))

(defun quickvault--blank-buffers ()
  "Return the blanked buffers."
  (seq-filter (lambda (buffer) (eq (buffer-local-value 'major-mode buffer) 'quickvault-blank-mode))
              (buffer-list)))

(defun quickvault--blank-all (reason)
  "Blank every protected buffer, and show the REASON of the lock there.
If the program exited by itself, keep unsaved input for as long as the
vault would have stayed unlocked."
  (let ((text (quickvault--lock-text reason))
        kept)
    (setq quickvault--sync-attention nil)
    (dolist (buffer (append (quickvault--protected-buffers) (quickvault--blank-buffers)))
      (with-demoted-errors "QuickVault: %S"
        (let ((is-unsaved (ignore-errors (quickvault--unsaved-input-p buffer))))
          (cond
           ((and (equal reason "ended") is-unsaved) (setq kept t))
           ((quickvault--kept-p buffer reason))
           ((null (buffer-local-value 'quickvault--restore-function buffer)) (quickvault--discard buffer))
           (t (quickvault--blank
               buffer
               (if (and is-unsaved (buffer-local-value 'quickvault--draft-text buffer))
                   (concat text (quickvault--text "  Your unsaved input comes back when you unlock."))
                 text)))))))
    (mapc #'quickvault--discard (quickvault--derived-buffers))
    (when kept
      (quickvault--blank-unsaved-later)
      (setq text (concat text (quickvault--text "  Your unsaved input is still here."))))
    (quickvault--abort-minibuffer)
    (quickvault--forget-search)
    ;; Emacs decodes process output here and does not erase it afterwards.
    (quickvault--erase-buffer-named " *code-conversion-work*")
    ;; Recent keys, as shown by `view-lossage'.
    (clear-this-command-keys)
    ;; Emacs shows a message at once, and windows when it waits for input.
    (redisplay t)
    (quickvault--message text)))

(defun quickvault--kept-p (buffer reason)
  "Return non-nil if BUFFER stays as it is at a lock for REASON."
  (with-current-buffer buffer
    (and quickvault--keep-function (funcall quickvault--keep-function reason))))

(defun quickvault--unsaved-input-p (&optional buffer)
  "Return non-nil if BUFFER, or any protected buffer if nil, has unsaved input."
  (seq-some (lambda (one)
              (with-current-buffer one
                (and quickvault--unsaved-function (funcall quickvault--unsaved-function))))
            (if buffer (list buffer) (quickvault--protected-buffers))))

(defun quickvault--blank-unsaved-later ()
  "Blank unsaved input later, unless the vault is unlocked by then."
  (when quickvault--unsaved-timer (cancel-timer quickvault--unsaved-timer))
  (setq quickvault--unsaved-timer
        (run-at-time (or quickvault--auto-lock-seconds 300) nil
                     (lambda ()
                       (setq quickvault--unsaved-timer nil)
                       (unless quickvault--unlocked (quickvault--blank-all "timeout"))))))

(defun quickvault--lock-text (reason)
  "Return a message that the vault was locked for REASON."
  (pcase reason
    ("timeout" (quickvault--text "The vault was locked because it was idle."))
    ("background" (quickvault--text "The vault was locked because Emacs went to the background."))
    ("deviceLocked" (quickvault--text "The vault was locked because the desktop was locked."))
    ("sleep" (quickvault--text "The vault was locked before the computer went to sleep."))
    ("passwordChanged"
     (quickvault--text "The vault was locked because another program changed its password or replaced its file."))
    ("ended" (quickvault--text "The program quickvault exited.  The next command restarts it."))
    ("deleted" (quickvault--text "The vault was deleted."))
    ("revoked" (quickvault--text "Another program has ended the access of Emacs to the vault."))
    (_ (quickvault--text "The vault is locked."))))

(add-hook 'quickvault-lock-functions #'quickvault--blank-all)

(provide 'quickvault-buffer)
;;; quickvault-buffer.el ends here
