;;; quickvault-minibuffer.el --- Minibuffer input that is not recorded  -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The QuickVault authors

;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; Input read in the minibuffer is added to no history and no log, and text killed in the
;; vault's buffers is marked, so that a lock can remove it.

;;; Code:

(require 'isearch)
(require 'nadvice)
(require 'quickvault-messages)

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

(defvar quickvault--protected)

(defun quickvault--forbid-writing ()
  "Have the current buffer refuse to be written to a file, under any name.
Not even a part of it is written to a temporary file, as Ediff and
`shell-command-on-region' do."
  (setq-local write-contents-functions (list #'quickvault--refuse-to-write))
  (add-hook 'write-region-annotate-functions #'quickvault--refuse-to-write nil t)
  ;; An indirect buffer shares the text, but not these variables.
  (add-hook 'write-region-annotate-functions #'quickvault--refuse-to-write-clone)
  ;; Naming a file renames the buffer, and may change its mode and with it the variable above.
  (advice-add 'set-visited-file-name :before #'quickvault--refuse-file-name))

(defun quickvault--refuse-to-write (&rest _)
  "Refuse to write the current buffer to a file."
  (user-error "%s" (quickvault--text "Vault contents are never written to files")))

(defun quickvault--refuse-to-write-clone (&rest _)
  "Refuse to write an indirect buffer of one that must not be written."
  (when-let ((base (buffer-base-buffer)))
    (with-current-buffer base (quickvault--refuse-file-name))))

(defun quickvault--refuse-file-name (&rest _)
  "Refuse to give a file name to the current buffer if it must not be written."
  (when (or (bound-and-true-p quickvault--protected)
            (memq #'quickvault--refuse-to-write write-contents-functions))
    (quickvault--refuse-to-write)))

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
  "Remove this package's commands from the variable `command-history'.
Their arguments include cards.  It is local in protected buffers."
  (setq command-history (quickvault--other-commands command-history))
  (setq-default command-history (quickvault--other-commands (default-value 'command-history))))

(defun quickvault--other-commands (commands)
  "Return COMMANDS without those of this package that have arguments."
  (seq-remove (lambda (command)
                (and (cdr-safe command)
                     (symbolp (car command))
                     (string-prefix-p "quickvault-" (symbol-name (car command)))))
              commands))

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

(defun quickvault--complete (prompt candidates &optional annotate)
  "Read one of CANDIDATES, an alist of names and values, and return its value.
A colon is added to PROMPT.  ANNOTATE is a function that returns the
annotation of a value.  CANDIDATES are not sorted; names that occur again
get a number.  Return nil for empty input."
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
    (cdr (assoc (quickvault--without-history
                  (let ((completion-ignore-case t))
                    (completing-read (quickvault--text "%s: " prompt) table nil t nil t)))
                candidates))))

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

(provide 'quickvault-minibuffer)
;;; quickvault-minibuffer.el ends here
