;;; quickvault-buffer.el --- Buffers that leave nothing behind  -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The QuickVault authors

;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; Every buffer that shows something of the vault is guarded: it is not written
;; to a file, has no auto-save, and is blanked when the vault locks.  What is
;; read in the minibuffer goes to no history and no log.

;;; Code:

(require 'isearch)
(require 'nadvice)
(require 'quickvault-server)

(declare-function quickvault--take-all-back "quickvault-copy")

(defvar quickvault--unlocked)

(defvar-local quickvault--guarded nil
  "Whether the buffer holds something of the vault.")

(defvar-local quickvault--revive nil
  "A function of no arguments to bring back what the lock blanked.")

(defvar-local quickvault--unsaved-p nil
  "A function of no arguments that says whether what was typed here is not saved.")

(defvar quickvault--lock-after 300
  "Seconds without use after which the vault locks, or nil for never.")

(defvar quickvault--kept-timer nil
  "A timer to blank what was typed and not saved when the program ended.")

(defvar quickvault--reading-depth nil
  "The depth of the minibuffer in which something of the vault is read, or nil.")

(defun quickvault--guard (revive)
  "Guard the current buffer; call REVIVE for its content again after a lock."
  (setq quickvault--guarded t
        quickvault--revive revive)
  (buffer-disable-undo)
  (auto-save-mode -1)
  (setq-local write-contents-functions (list #'quickvault--refuse-to-write))
  ;; Commands such as `kill-ring-save' say what they took.
  (setq-local message-log-max nil)
  (quickvault--forget-traces))

(defun quickvault--refuse-to-write ()
  "Refuse to write the current buffer to a file."
  (user-error "%s" (quickvault--text "What is in the vault is not written to files")))

;;; Blanking

(defvar quickvault-blank-mode-map
  (let ((map (make-sparse-keymap)))
    (define-key map (kbd "RET") #'quickvault-revive)
    (define-key map "g" #'quickvault-revive)
    map)
  "Keys of a blanked buffer.")

(define-derived-mode quickvault-blank-mode special-mode "QuickVault"
  "Mode of a buffer whose content went when the vault was locked.")

(defun quickvault-revive ()
  "Unlock the vault and show again what was here."
  (interactive)
  (funcall (or quickvault--revive #'ignore)))

(defun quickvault--blank (buffer text)
  "Erase BUFFER with all that belongs to it, and show TEXT there."
  (with-current-buffer buffer
    (let ((inhibit-read-only t)
          (inhibit-modification-hooks t)
          (revive quickvault--revive))
      (widen)
      (quickvault--erase)
      ;; These rows are permanent, and a change of the mode would keep them.
      (kill-local-variable 'tabulated-list-entries)
      (quickvault-blank-mode)
      (insert text "\n\n" (quickvault--text "RET unlocks it, q leaves.") "\n")
      (goto-char (point-min))
      (set-buffer-modified-p nil)
      (setq quickvault--revive revive))))

(defun quickvault--erase ()
  "Erase the current buffer, its overlays and its undo list."
  (let ((bytes (+ (position-bytes (point-max)) (gap-size))))
    (buffer-disable-undo)
    (delete-all-overlays)
    (erase-buffer)
    ;; The erased text is still in the buffer's gap: write over it.
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
  "Erase BUFFER and kill it; its windows go back to what they showed."
  (dolist (window (get-buffer-window-list buffer nil t))
    (quit-restore-window window 'bury))
  (with-current-buffer buffer
    (let ((inhibit-read-only t)
          (inhibit-modification-hooks t)
          kill-buffer-query-functions)
      (quickvault--erase)
      (kill-buffer))))

(defun quickvault--guarded-buffers ()
  "The buffers that hold something of the vault."
  (seq-filter (lambda (buffer) (buffer-local-value 'quickvault--guarded buffer))
              (buffer-list)))

(defun quickvault--blank-buffers ()
  "The buffers that were blanked."
  (seq-filter (lambda (buffer) (eq (buffer-local-value 'major-mode buffer) 'quickvault-blank-mode))
              (buffer-list)))

(defun quickvault--blank-all (reason)
  "Blank every guarded buffer, and say in all that are blank for what REASON.
When the program ended by itself, what was typed and not saved stays for
as long as the vault would have stayed unlocked."
  (let ((text (quickvault--lock-text reason))
        kept)
    (dolist (buffer (append (quickvault--guarded-buffers) (quickvault--blank-buffers)))
      (with-demoted-errors "QuickVault: %S"
        (if (and (equal reason "ended") (quickvault--unsaved-in-p buffer))
            (setq kept t)
          (quickvault--blank buffer text))))
    (when kept
      (quickvault--blank-kept-later)
      (setq text (concat text (quickvault--text "  What you typed is still here."))))
    (quickvault--forget-reading)
    (quickvault--forget-search)
    ;; Where Emacs decodes what processes send; it is not emptied after use.
    (quickvault--erase-buffer-named " *code-conversion-work*")
    ;; The keys typed last, which `view-lossage' would show.
    (clear-this-command-keys)
    (quickvault--notice text)))

(defun quickvault--unsaved-in-p (&optional buffer)
  "Whether something typed in BUFFER, or in any guarded one, is not saved."
  (seq-some (lambda (one)
              (with-current-buffer one
                (and quickvault--unsaved-p (funcall quickvault--unsaved-p))))
            (if buffer (list buffer) (quickvault--guarded-buffers))))

(defun quickvault--blank-kept-later ()
  "Blank what was kept, unless the vault is unlocked by then."
  (when quickvault--kept-timer (cancel-timer quickvault--kept-timer))
  (setq quickvault--kept-timer
        (run-at-time (or quickvault--lock-after 300) nil
                     (lambda ()
                       (setq quickvault--kept-timer nil)
                       (unless quickvault--unlocked (quickvault--blank-all "timeout"))))))

(defun quickvault--lock-text (reason)
  "Say that the vault was locked and for what REASON."
  (pcase reason
    ("timeout" (quickvault--text "The vault was locked: it was not used for a while."))
    ("background" (quickvault--text "The vault was locked: Emacs went to the background."))
    ("deviceLocked" (quickvault--text "The vault was locked with the desktop."))
    ("sleep" (quickvault--text "The vault was locked before the machine slept."))
    ("passwordChanged" (quickvault--text "The vault was locked: its password was changed elsewhere."))
    ("ended" (quickvault--text "The program quickvault ended; the next command starts it again."))
    ("deleted" (quickvault--text "The vault was deleted."))
    (_ (quickvault--text "The vault is locked."))))

(add-hook 'quickvault-lock-functions #'quickvault--blank-all)

(defun quickvault--report (text)
  "Show TEXT, with nothing of a card in it, and log it."
  (let ((message-log-max (default-value 'message-log-max)))
    (message "%s" text)))

;;; What Emacs remembers

(defconst quickvault--tag (make-marker)
  "The value of a property that marks a text of the vault.
`savehist-mode' does not write a kill ring with what cannot be read back.")

(defun quickvault--tagged (text)
  "TEXT with a mark that is never yanked."
  (propertize text 'help-echo quickvault--tag))

(defun quickvault--tagged-p (text)
  "Whether TEXT, or a part of it, is marked."
  (and (stringp text)
       (text-property-any 0 (length text) 'help-echo quickvault--tag text)
       t))

(defun quickvault--forget-traces ()
  "Mark what is killed in this buffer, and keep what is searched for in it here."
  (add-function :filter-return (local 'filter-buffer-substring-function) #'quickvault--tagged)
  (add-hook 'kill-emacs-hook #'quickvault--take-all-back -90)
  (dolist (history '(search-ring regexp-search-ring regexp-history query-replace-history
                     query-replace-defaults command-history))
    (set (make-local-variable history) nil)))

(defun quickvault--forget-commands (&rest _)
  "Take commands with cards and the like out of the variable `command-history'."
  (setq command-history
        (seq-remove (lambda (command)
                      (and (cdr-safe command)
                           (symbolp (car command))
                           (string-prefix-p "quickvault-" (symbol-name (car command)))))
                    command-history)))

(defun quickvault--forget-search ()
  "Forget the last incremental search, but for one that is under way."
  (unless isearch-mode
    (setq isearch-string ""
          isearch-message ""
          isearch-cmds nil
          isearch-lazy-highlight-last-string nil)))

;;; The minibuffer

(defmacro quickvault--without-trace (&rest body)
  "Evaluate BODY, a reading in the minibuffer, and leave no trace of it.
Nothing goes to a history or to *Messages*, and *Completions* goes.
When the vault locks meanwhile, the reading is aborted."
  (declare (indent 0) (debug t))
  `(let ((history-add-new-input nil)
         (message-log-max nil)
         (quickvault--reading-depth (1+ (minibuffer-depth))))
     (unwind-protect (progn ,@body)
       (quickvault--forget-completions))))

(defun quickvault--forget-completions ()
  "Kill the buffer of completions, with the titles in it."
  (when-let ((buffer (get-buffer "*Completions*")))
    (when-let ((window (get-buffer-window buffer)))
      (quit-window nil window))
    (quickvault--erase-buffer-named "*Completions*")
    (kill-buffer buffer)))

(defun quickvault--forget-reading ()
  "End what is being read of the vault, and clear the echo area."
  (when quickvault--reading-depth
    (quickvault--forget-completions)
    (when (= (minibuffer-depth) quickvault--reading-depth)
      (run-at-time 0 nil #'abort-recursive-edit)))
  (quickvault--erase-buffer-named " *Echo Area 0*")
  (quickvault--erase-buffer-named " *Echo Area 1*"))

(defun quickvault--confirm (format &rest arguments)
  "Ask the yes-or-no question that FORMAT and ARGUMENTS give."
  (quickvault--without-trace
    (y-or-n-p (concat (apply #'quickvault--text format arguments) " "))))

;; Any part of a title will do; Chinese and English often stand side by side in one.
(add-to-list 'completion-category-defaults '(quickvault (styles basic substring)))

(defun quickvault--complete (prompt candidates &optional annotate)
  "Read one of CANDIDATES, an alist of names and values, and return its value.
PROMPT is followed by a colon.  ANNOTATE is a function of a value that
describes it.  The order of CANDIDATES is kept.  Return nil for no input."
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
    (cdr (assoc (quickvault--without-trace
                  (let ((completion-ignore-case t))
                    (completing-read (concat prompt ": ") table nil t nil t)))
                candidates))))

(provide 'quickvault-buffer)
;;; quickvault-buffer.el ends here
