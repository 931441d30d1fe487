;;; quickvault-buffer.el --- Protected buffers and minibuffer input  -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The QuickVault authors

;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; Every buffer that shows contents of the vault is protected: it cannot be written
;; to a file, is not auto-saved, and is blanked when the vault locks.  Its text is
;; marked, so that a lock also finds read-only buffers that it was copied to, such as
;; those of Embark.  Input read in the minibuffer is added to no history and no log.

;;; Code:

(require 'isearch)
(require 'nadvice)
(require 'quickvault-server)

(declare-function quickvault "quickvault")
(declare-function quickvault--clear-all-copied "quickvault-clipboard")

(defvar occur-revert-arguments)
(defvar quickvault--unlocked)

(defvar quickvault--read-only nil
  "Non-nil if the vault could only be read when it was unlocked.")

(defvar-local quickvault--protected nil
  "Non-nil if this buffer shows contents of the vault.")

(defvar-local quickvault--restore-function nil
  "Function of no arguments that restores this blanked buffer.")

(defvar-local quickvault--unsaved-function nil
  "Function of no arguments that returns non-nil if this buffer has unsaved input.")

(defvar quickvault--auto-lock-seconds 300
  "Seconds of inactivity after which the vault locks, or nil for never.")

(defvar quickvault--unsaved-timer nil
  "Timer that blanks unsaved input after the program exited, or nil.")

(defvar quickvault--minibuffer-depth nil
  "Depth of the minibuffer that reads contents of the vault, or nil.")

(defun quickvault--protect-buffer (restore)
  "Protect the current buffer; call RESTORE to show its content after a lock."
  (setq quickvault--protected t
        quickvault--restore-function restore)
  (setq-local mode-line-process (list "" mode-line-process '(:eval (quickvault--demo-mark))))
  (buffer-disable-undo)
  (auto-save-mode -1)
  (setq-local write-contents-functions (list #'quickvault--refuse-to-write))
  ;; Commands such as `kill-ring-save' show the text they copied.
  (setq-local message-log-max nil)
  (quickvault--protect-histories)
  (add-hook 'occur-hook #'quickvault--protect-occur)
  (advice-add 'occur-1 :around #'quickvault--occur-without-log))

(defun quickvault--demo-mark ()
  "Return a text for the mode line: that this is the demo, or nothing."
  (if quickvault--demo
      (quickvault--text "  [Demo; M-x quickvault-demo ends it]")
    ""))

(defun quickvault--protect-occur ()
  "Protect this buffer of `occur' if it has lines of a protected buffer."
  (when (quickvault--some-protected-p (nth 2 occur-revert-arguments))
    (quickvault--protect-buffer #'quickvault)))

(defun quickvault--occur-without-log (occur regexp lines buffers &rest more)
  "Call OCCUR with REGEXP, LINES, BUFFERS and MORE.
Do not log its message, which has REGEXP, if it searches a protected buffer."
  (if (quickvault--some-protected-p buffers)
      (cl-letf (((default-value 'message-log-max) nil))
        (apply occur regexp lines buffers more))
    (apply occur regexp lines buffers more)))

(defun quickvault--some-protected-p (buffers)
  "Return non-nil if one of BUFFERS, as in `occur-1', is protected."
  (seq-some (lambda (buffer)
              (and (buffer-live-p buffer) (buffer-local-value 'quickvault--protected buffer)))
            buffers))

(defun quickvault--mark-contents ()
  "Mark the text of this buffer as contents of the vault."
  (with-silent-modifications
    (put-text-property (point-min) (point-max) 'quickvault-contents t)))

(defun quickvault--refuse-to-write ()
  "Refuse to write the current buffer to a file."
  (user-error "%s" (quickvault--text "Vault contents are never written to files")))

(defun quickvault--check-mode (mode)
  "Signal a `user-error' unless the major mode is MODE or derived from it."
  (unless (derived-mode-p mode)
    (user-error
     "%s"
     (pcase mode
       ('quickvault-list-mode
        (quickvault--text "This command works in the list of cards only; M-x quickvault opens it"))
       ('quickvault-card-mode (quickvault--text "Concealed values can only be shown on a card's page"))
       ('quickvault-form-mode (quickvault--text "This command works in a form only"))
       ('quickvault-devices-mode
        (quickvault--text "This command works in the list of devices only; M-x quickvault-devices opens it"))
       ('quickvault-attachment-mode (quickvault--text "To see the original, open the attachment first"))
       (_ (quickvault--text "This command works in a buffer that a lock has blanked only"))))))

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
  (setq mode-line-process '(:eval (quickvault--demo-mark))))

(defun quickvault-restore ()
  "Unlock the vault and restore this buffer."
  (interactive nil quickvault-blank-mode)
  (quickvault--check-mode 'quickvault-blank-mode)
  (funcall (or quickvault--restore-function #'ignore)))

(defun quickvault--restore-later ()
  "Say in blanked buffers that the vault is unlocked; restore those in a window.
The command that unlocked the vault shows its own buffers first."
  (dolist (buffer (quickvault--blank-buffers))
    (quickvault--blank buffer (quickvault--text "The vault is unlocked.")))
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
      (widen)
      (quickvault--erase)
      ;; This variable is permanent-local, so changing the mode does not kill it.
      (kill-local-variable 'tabulated-list-entries)
      (quickvault-blank-mode)
      (insert text "\n\n" (quickvault--text "Press \\[quickvault-restore] to continue, \\[quit-window] to close.") "\n")
      (goto-char (point-min))
      (set-buffer-modified-p nil)
      (setq quickvault--restore-function restore))))

(defun quickvault--erase ()
  "Erase the current buffer, with its overlays and its undo list."
  (let ((bytes (+ (position-bytes (point-max)) (gap-size))))
    (buffer-disable-undo)
    (delete-all-overlays)
    (erase-buffer)
    ;; The erased text is still in the buffer's gap: overwrite it.
    (insert (make-string bytes ?\s))
    (erase-buffer)))

(defun quickvault--erase-buffer-named (name)
  "Erase the buffer NAME, if there is one."
  (when-let ((buffer (get-buffer name)))
    (with-current-buffer buffer
      (let ((inhibit-read-only t)
            (inhibit-modification-hooks t))
        (quickvault--erase)))))

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
                       (save-restriction
                         (widen)
                         (text-property-any (point-min) (point-max) 'quickvault-contents t)))))
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
    (dolist (buffer (append (quickvault--protected-buffers) (quickvault--blank-buffers)))
      (with-demoted-errors "QuickVault: %S"
        (if (and (equal reason "ended") (quickvault--unsaved-input-p buffer))
            (setq kept t)
          (quickvault--blank buffer text))))
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
    (quickvault--message text)))

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
    ("passwordChanged" (quickvault--text "The vault was locked because its password was changed elsewhere."))
    ("ended" (quickvault--text "The program quickvault exited.  The next command restarts it."))
    ("deleted" (quickvault--text "The vault was deleted."))
    (_ (quickvault--text "The vault is locked."))))

(add-hook 'quickvault-lock-functions #'quickvault--blank-all)

(defun quickvault--log-message (text)
  "Show TEXT, which must not have contents of cards, and log it."
  (let ((message-log-max (default-value 'message-log-max)))
    (message "%s" text)))

;;; Histories and the kill ring

(defconst quickvault--vault-text-mark (make-marker)
  "Value of a text property that marks text from the vault.
It is an unreadable object: `savehist-mode' does not save a kill ring
with one.")

(defun quickvault--mark-vault-text (text)
  "Return TEXT, marked as text from the vault; the mark is lost when yanked."
  (let ((text (propertize text 'help-echo quickvault--vault-text-mark)))
    (remove-text-properties 0 (length text) '(quickvault-contents nil) text)
    text))

(defun quickvault--vault-text-p (text)
  "Return non-nil if TEXT has text from the vault."
  (and (stringp text)
       (text-property-any 0 (length text) 'help-echo quickvault--vault-text-mark text)
       t))

(defun quickvault--protect-histories ()
  "Mark text killed in this buffer, and make its search histories local."
  (add-function :filter-return (local 'filter-buffer-substring-function) #'quickvault--mark-vault-text)
  (add-hook 'kill-emacs-hook #'quickvault--clear-all-copied -90)
  (dolist (history '(search-ring regexp-search-ring regexp-history query-replace-history
                     query-replace-defaults command-history))
    (set (make-local-variable history) nil)))

(defun quickvault--forget-commands (&rest _)
  "Remove this package's commands from the variable `command-history'.
Their arguments include cards."
  (setq command-history
        (seq-remove (lambda (command)
                      (and (cdr-safe command)
                           (symbolp (car command))
                           (string-prefix-p "quickvault-" (symbol-name (car command)))))
                    command-history)))

(defun quickvault--forget-search ()
  "Clear the last incremental search, unless one is in progress."
  (unless isearch-mode
    (setq isearch-string ""
          isearch-message ""
          isearch-cmds nil
          isearch-lazy-highlight-last-string nil)))

;;; The minibuffer

(defmacro quickvault--without-history (&rest body)
  "Evaluate BODY, a minibuffer read, without recording the input.
Nothing is added to a history or to *Messages*, killed text is cleared at
the next lock, and *Completions* is killed.  If the vault locks meanwhile,
the minibuffer is aborted."
  (declare (indent 0) (debug t))
  `(let ((history-add-new-input nil)
         (message-log-max nil)
         (quickvault--minibuffer-depth (1+ (minibuffer-depth))))
     (unwind-protect (minibuffer-with-setup-hook #'quickvault--protect-histories ,@body)
       (quickvault--forget-completions)
       (quickvault--forget-minibuffer))))

(defun quickvault--forget-minibuffer ()
  "Erase the minibuffer used last, whose undo list still has the input."
  (quickvault--erase-buffer-named (format " *Minibuf-%d*" (1+ (minibuffer-depth)))))

(defun quickvault--forget-completions ()
  "Erase and kill the *Completions* buffer."
  (when-let ((buffer (get-buffer "*Completions*")))
    (when-let ((window (get-buffer-window buffer)))
      (quit-window nil window))
    (quickvault--erase-buffer-named "*Completions*")
    (kill-buffer buffer)))

(defun quickvault--abort-minibuffer ()
  "Abort reading contents of the vault, and clear the echo area."
  (when quickvault--minibuffer-depth
    (quickvault--forget-completions)
    (when (= (minibuffer-depth) quickvault--minibuffer-depth)
      (run-at-time 0 nil #'abort-recursive-edit)))
  (quickvault--erase-buffer-named " *Echo Area 0*")
  (quickvault--erase-buffer-named " *Echo Area 1*"))

(defun quickvault--confirm (format &rest arguments)
  "Ask the yes-or-no question FORMAT, formatted with ARGUMENTS."
  (quickvault--without-history
    (y-or-n-p (concat (apply #'quickvault--text format arguments) " "))))

;; Match any part of a title, because titles often mix Chinese and English.
(add-to-list 'completion-category-defaults '(quickvault (styles basic substring)))

(defun quickvault--complete (prompt candidates &optional annotate)
  "Read one of CANDIDATES, an alist of names and values, and return its value.
A colon is added to PROMPT.  ANNOTATE is a function that returns the
annotation of a value.  CANDIDATES are not sorted.  Return nil for empty
input."
  (let ((table (lambda (string predicate action)
                 (if (eq action 'metadata)
                     `(metadata
                       (category . quickvault)
                       (display-sort-function . identity)
                       (cycle-sort-function . identity)
                       ,@(and annotate
                              `((annotation-function
                                 . ,(lambda (name)
                                      (concat "  " (funcall annotate (cdr (assoc name candidates)))))))))
                   (complete-with-action action candidates string predicate)))))
    (setq candidates (mapcar (lambda (candidate)
                               (cons (propertize (car candidate) 'quickvault-contents t) (cdr candidate)))
                             candidates))
    (cdr (assoc (quickvault--without-history
                  (let ((completion-ignore-case t))
                    (completing-read (quickvault--text "%s: " prompt) table nil t nil t)))
                candidates))))

(provide 'quickvault-buffer)
;;; quickvault-buffer.el ends here
