;;; quickvault-buffer.el --- Protected buffers and minibuffer input  -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The QuickVault authors

;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; Every buffer that shows contents of the vault is protected: it cannot be written
;; to a file, is not auto-saved, and is blanked when the vault locks.  Its text is
;; marked, so that a lock also finds read-only buffers that it was copied to, such as
;; those of Embark.
;;
;; Input read in the minibuffer is added to no history and no log, and text killed in the
;; vault's buffers is marked, so that a lock can remove it.

;;; Code:

(require 'dabbrev)
(require 'hippie-exp)
(require 'isearch)
(require 'nadvice)
(require 'quickvault-server)

(autoload 'quickvault--clear-all-copied "quickvault-clipboard")

(defvar embark-keymap-alist)
(defvar vertico-repeat-transformers)

(defvar quickvault--minibuffer-depth nil
  "Depth of the minibuffer that reads contents of the vault, or nil.")

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

;;; Files

(defvar-local quickvault--protected nil
  "Non-nil if this buffer shows contents of the vault.")
(put 'quickvault--protected 'permanent-local t)

(defvar-local quickvault--unwritable nil
  "Non-nil if this buffer has input that must not be written to a file.")

(defun quickvault--forbid-writing ()
  "Have the current buffer refuse to be written to a file, under any name.
Not even a part of it is written to a temporary file, as Ediff and
`shell-command-on-region' do."
  (setq-local quickvault--unwritable t
              write-contents-functions (list #'quickvault--refuse-to-write))
  (add-hook 'write-region-annotate-functions #'quickvault--refuse-to-write)
  ;; Naming a file renames the buffer, and may change its mode and with it the variable above.
  (advice-add 'set-visited-file-name :before #'quickvault--refuse-to-write))

(defun quickvault--refuse-to-write (&rest _)
  "Refuse to write the current buffer to a file if it must not be written.
An indirect buffer shares the text of another one."
  (with-current-buffer (or (buffer-base-buffer) (current-buffer))
    (when (or quickvault--protected quickvault--unwritable)
      (quickvault--fail "Vault contents are never written to files"))))

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

(defun quickvault--as-contents (text)
  "Return TEXT, marked as contents of the vault.
A lock kills read-only buffers and kills with this mark, which other
packages have made of it."
  (propertize text 'quickvault-contents quickvault--vault-text-mark))

(defun quickvault--vault-text-p (text)
  "Return non-nil if TEXT, a string or a list of strings, has text from the vault."
  (cond ((proper-list-p text) (seq-some #'quickvault--vault-text-p text))
        ((stringp text)
         (seq-some (lambda (property)
                     (text-property-any 0 (length text) property quickvault--vault-text-mark text))
                   '(help-echo quickvault-contents)))))

(defun quickvault--other-registers ()
  "Return `register-alist' without registers that have text from the vault."
  (seq-remove (lambda (register) (quickvault--vault-text-p (cdr register))) register-alist))

(defun quickvault--save-others (save &rest arguments)
  "Call SAVE, which writes variables to a file, with ARGUMENTS.
The registers and the kill ring then have no text from the vault."
  (let* ((register-alist (quickvault--other-registers))
         (kill-ring (seq-remove #'quickvault--vault-text-p kill-ring))
         (kill-ring-yank-pointer kill-ring))
    (apply save arguments)))

(defun quickvault--protect-histories ()
  "Mark text killed in this buffer, and make its search histories local."
  ;; What is yanked into another buffer belongs to the user.
  (unless (eq yank-excluded-properties t)
    (add-to-list 'yank-excluded-properties 'quickvault-contents))
  (add-function :filter-return (local 'filter-buffer-substring-function) #'quickvault--mark-vault-text)
  ;; Before `savehist-mode' saves.
  (add-hook 'kill-emacs-hook #'quickvault--forget-commands -90)
  (add-hook 'kill-emacs-hook #'quickvault--clear-all-copied -90)
  ;; It writes text with a mark that cannot be read back as text without properties.
  (advice-add 'desktop-save :around #'quickvault--save-others)
  (dolist (history '(search-ring regexp-search-ring regexp-history query-replace-history
                     query-replace-defaults command-history
                     minibuffer-history string-rectangle-history imenu--history-list
                     consult--line-history consult--line-multi-history consult--keep-lines-history
                     consult-imenu--history))
    (set (make-local-variable history) nil)))

(defun quickvault--forget-commands (&rest _)
  "Remove this package's commands with arguments from the command history.
The arguments include cards.  It is local in protected buffers."
  (cl-flet ((others (commands)
              (seq-remove (lambda (command)
                            (and (cdr-safe command)
                                 (symbolp (car command))
                                 (string-prefix-p "quickvault-" (symbol-name (car command)))))
                          commands)))
    (setq command-history (others command-history))
    (setq-default command-history (others (default-value 'command-history)))))

(add-hook 'quickvault-lock-functions #'quickvault--forget-commands)

(defun quickvault--end-search ()
  "End an incremental search in this buffer, and forget its text."
  (when isearch-mode
    (setq isearch-string "")
    (isearch-done t)))

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
         (quickvault--minibuffer-depth (1+ (minibuffer-depth)))
         (kill-transform-function (quickvault--kill-marker kill-transform-function)))
     (unwind-protect
         (quickvault--without-log (minibuffer-with-setup-hook #'quickvault--protect-minibuffer ,@body))
       (quickvault--forget-completions)
       (quickvault--forget-minibuffer))))

(defun quickvault--kill-marker (transform)
  "Return a function to mark text killed by any command, after TRANSFORM.
Completion packages copy what is typed without `filter-buffer-substring'."
  (lambda (text)
    (when-let ((text (if transform (funcall transform text) text)))
      (quickvault--mark-vault-text text))))

(defun quickvault--protect-minibuffer ()
  "Record nothing of what is typed here, and let no file have it."
  (quickvault--forbid-writing)
  (setq-local vertico-repeat-transformers (list #'ignore))
  (quickvault--protect-histories))

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
    (run-at-time 0 nil #'quickvault--abort-prompts))
  (quickvault--forget-minibuffer)
  (quickvault--erase-buffer-named " *Echo Area 0*")
  (quickvault--erase-buffer-named " *Echo Area 1*"))

(defun quickvault--abort-prompts ()
  "Abort the minibuffers that read contents of the vault.
What is on top of them is aborted too."
  (when (and quickvault--minibuffer-depth
             (>= (minibuffer-depth) quickvault--minibuffer-depth))
    ;; Aborting does not return.
    (run-at-time 0 nil #'quickvault--abort-prompts)
    (when (active-minibuffer-window)
      (with-current-buffer (window-buffer (active-minibuffer-window))
        (quickvault--end-search)))
    (abort-recursive-edit)))

(defun quickvault--confirm (format &rest arguments)
  "Ask the yes-or-no question FORMAT, formatted with ARGUMENTS."
  ;; The answer may end the command before its first request.
  (quickvault--forget-commands)
  (quickvault--without-history
    (y-or-n-p (concat (apply #'quickvault--text format arguments) " "))))

(defun quickvault--confirm-unexpected (format &rest arguments)
  "Ask the unexpected yes-or-no question FORMAT, with ARGUMENTS."
  (quickvault--discard-typed-keys)
  (apply #'quickvault--confirm format arguments))

(defun quickvault--discard-typed-keys ()
  "Discard what was typed before an unexpected question, which it must not answer."
  (unless (or executing-kbd-macro defining-kbd-macro) (discard-input)))

(defun quickvault--allow-spaces ()
  "Have a space and a question mark typed in this minibuffer insert themselves."
  (let ((map (make-sparse-keymap)))
    (set-keymap-parent map (current-local-map))
    (define-key map " " #'self-insert-command)
    (define-key map "?" #'self-insert-command)
    (use-local-map map)))

;; Match any part, because names often mix Chinese and English.
(add-to-list 'completion-category-defaults '(quickvault (styles basic substring)))

(defun quickvault--complete (prompt candidates &optional annotate or-none)
  "Read one of CANDIDATES, an alist of names and values, and return its value.
A colon is added to PROMPT.  ANNOTATE is a function that returns the
annotation of a value.  CANDIDATES are not sorted; names that occur again
get a number.  Empty input is an error, or nil if OR-NONE."
  (let ((table (lambda (string predicate action)
                 (if (eq action 'metadata)
                     `(metadata
                       (category . quickvault)
                       (display-sort-function . identity)
                       (cycle-sort-function . identity)
                       ,@(and annotate
                              `((affixation-function
                                 . ,(lambda (names)
                                      (quickvault--affixed
                                       names (lambda (name) (funcall annotate (cdr (assoc name candidates))))))))))
                   (complete-with-action action candidates string predicate)))))
    (setq candidates (mapcar (lambda (candidate)
                               (cons (quickvault--as-contents (car candidate)) (cdr candidate)))
                             (quickvault--with-different-names candidates)))
    (let ((chosen (assoc (quickvault--without-history
                           (let ((completion-ignore-case t))
                             (completing-read (quickvault--text "%s: " prompt) table nil t nil t)))
                         candidates)))
      (if (or chosen or-none) (cdr chosen) (quickvault--fail "Nothing was chosen")))))

(defun quickvault--with-different-names (candidates)
  "Return CANDIDATES, an alist of names and values, with names that all differ.
A name that occurs again gets a number that makes it like no other."
  (let ((numbers (make-hash-table :test #'equal)))
    (dolist (candidate candidates) (puthash (car candidate) 0 numbers))
    (mapcar (pcase-lambda (`(,name . ,value))
              (let ((different name))
                (when (> (cl-incf (gethash name numbers)) 1)
                  (while (gethash (setq different (format "%s (%d)" name (gethash name numbers))) numbers)
                    (cl-incf (gethash name numbers)))
                  (puthash different 1 numbers))
                (cons different value)))
            candidates)))

(defun quickvault--affixed (names annotate)
  "Return NAMES with aligned annotations from ANNOTATE, a function of a name."
  (let ((width (min 50 (apply #'max 0 (mapcar #'string-width names)))))
    (mapcar (lambda (name)
              (list name ""
                    (concat (make-string (+ 2 (max 0 (- width (string-width name)))) ?\s)
                            (propertize (quickvault--as-contents (funcall annotate name))
                                        'face 'completions-annotations))))
            names)))

;;; Buffers with contents of the vault

(declare-function quickvault "quickvault")

(defvar occur-revert-arguments)
(defvar quickvault--unlocked)
(defvar quickvault--draft-text)

(defvar quickvault--read-only nil
  "Non-nil if the vault could only be read when it was unlocked.")

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

(defun quickvault--some-protected-p (buffers)
  "Return non-nil if one of BUFFERS, as in `occur-1', is protected."
  (seq-intersection buffers (quickvault--protected-buffers)))

(defun quickvault--protect-occur ()
  "Protect this buffer of `occur' if it has lines of a protected buffer."
  (when (quickvault--some-protected-p (nth 2 occur-revert-arguments))
    (quickvault--protect-buffer #'quickvault)))

(defun quickvault--occur-without-log (occur regexp lines buffers &rest more)
  "Call OCCUR with REGEXP, LINES, BUFFERS and MORE.
Do not log its message, which has REGEXP, if it searches a protected buffer."
  (cl-letf (((default-value 'message-log-max) (and (not (quickvault--some-protected-p buffers)) message-log-max)))
    (apply occur regexp lines buffers more)))

(defmacro quickvault--with-page (buffer mode restore &rest body)
  "Erase BUFFER, a buffer or its name, and insert what BODY does, in MODE.
Protect it; RESTORE is as for `quickvault--protect-buffer'.  Return the
buffer, with point at its beginning."
  (declare (indent 3) (debug t))
  `(with-current-buffer (get-buffer-create ,buffer)
     (let ((inhibit-read-only t))
       (quickvault--erase)
       (,mode)
       (quickvault--protect-buffer ,restore)
       ,@body
       (quickvault--mark-contents)
       (set-buffer-modified-p nil)
       (goto-char (point-min))
       (current-buffer))))

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
    (quickvault--fail "A buffer with contents of the vault keeps its major mode")))

(defun quickvault--check-mode (mode)
  "Signal a `user-error' unless the major mode is MODE or derived from it."
  (unless (derived-mode-p mode)
    (quickvault--fail "This command does not work here; M-x quickvault-help names those that do")))

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
  (quickvault--keymap special-mode-map "RET" #'quickvault-restore "g" #'quickvault-restore)
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
  (interactive (quickvault--check-mode 'quickvault-blank-mode) quickvault-blank-mode)
  (funcall (or quickvault--restore-function #'ignore)))

(defun quickvault--restore-later ()
  "Say in blanked buffers that the vault is unlocked; restore those in a window.
The command that unlocked the vault shows its own buffers first.  Restore
the others when they are shown."
  (dolist (buffer (quickvault--blank-buffers))
    (quickvault--blank buffer (quickvault--text "The vault is unlocked."))
    (with-current-buffer buffer
      (add-hook 'window-buffer-change-functions (lambda (_) (run-at-time 0 nil #'quickvault--restore-windows)) nil t)))
  (run-at-time 0 nil #'quickvault--restore-windows))

(defun quickvault--restore-windows ()
  "Restore the blanked buffers that are shown in a window."
  (dolist (window (window-list-1 nil 'no-minibuffer t))
    (with-selected-window window
      (when (and quickvault--unlocked (derived-mode-p 'quickvault-blank-mode))
        (with-demoted-errors "QuickVault: %S"
          (quickvault-restore))))))

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

(defun quickvault--buffers (predicate)
  "Return the buffers in which PREDICATE, called without arguments, is non-nil."
  (seq-filter (lambda (buffer) (with-current-buffer buffer (funcall predicate))) (buffer-list)))

(defun quickvault--protected-buffers ()
  "Return the buffers that show contents of the vault."
  (quickvault--buffers (lambda () quickvault--protected)))

(defun quickvault--derived-buffers ()
  "Return the unprotected buffers with marked text that nobody has written.
They are read-only and visit no file, as those of completion packages."
  (quickvault--buffers
   (lambda () (and buffer-read-only (not buffer-file-name) (not quickvault--protected) (quickvault--marked-p)))))

(defun quickvault--blank-buffers ()
  "Return the blanked buffers."
  (quickvault--buffers (lambda () (eq major-mode 'quickvault-blank-mode))))

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
           ((with-current-buffer buffer (and quickvault--keep-function (funcall quickvault--keep-function reason))))
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
