;;; quickvault-qv.el --- Run qv in a terminal of Emacs  -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The QuickVault authors

;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; `quickvault-qv' runs any command of qv(1) in a buffer of term.el.  Keys go to the
;; program while it runs; then the buffer is a page with what was printed.  A lock ends the
;; program and blanks the buffer.
;;
;; The commands for rare work run one of qv, which asks for what it needs.  With a prefix
;; argument, the user can edit the command before, to add options.
;;
;; `qv edit' opens a card in the editor of the user, as a private file in memory.  With
;; EDITOR=emacsclient, Emacs would keep copies of the text elsewhere.

;;; Code:

(require 'quickvault-actions)
(require 'quickvault-terminal)

;;; Commands for rare work

;;;###autoload
(defconst quickvault-qv-commands
  '((quickvault-change-password "Change the master password" ("password"))
    (quickvault-events "lock history" ("log"))
    (quickvault-programs "List the programs that use the vault" ("clients"))
    (quickvault-revoke-program "End the access of another program to the shared vault" ("clients" "revoke"))
    (quickvault-enable-fingerprint "Turn on fingerprint unlock on this device" ("fingerprint" "on"))
    (quickvault-disable-fingerprint "Turn off fingerprint unlock on this device" ("fingerprint" "off"))
    (quickvault-fingerprint-status "Show whether fingerprint unlock works here" ("fingerprint" "status"))
    (quickvault-devices "List the devices bound to the vault" ("devices"))
    (quickvault-revoke-device "Remove the binding of a device" ("devices" "revoke"))
    (quickvault-sync "synchronise" ("sync") "Y")
    (quickvault-sync-enable "Synchronise this vault over a folder" ("sync" "enable"))
    (quickvault-sync-join "Create the vault from one that another machine synchronises" ("sync" "join"))
    (quickvault-sync-now "Synchronise now" ("sync" "now"))
    (quickvault-sync-disable "Stop synchronising this vault" ("sync" "disable"))
    (quickvault-sync-forget "Forget a machine that is not used any more" ("sync" "forget"))
    (quickvault-sync-rekey "Give the vault a new key, to shut out a machine that was lost" ("rekey"))
    (quickvault-sync-rejoin "Switch to the new key of another machine" ("sync" "rejoin"))
    (quickvault-account "server" ("account") "N")
    (quickvault-account-providers "List the kinds of servers that can carry the folder" ("account" "providers"))
    (quickvault-account-sign-in "Sign in to a server that carries the folder" ("account" "sign-in"))
    (quickvault-account-sign-out "Sign out of the server" ("account" "sign-out"))
    (quickvault-account-delete-data "Delete what the server has of this vault" ("account" "delete-data" nil))
    (quickvault-privacy "Show what leaves this machine, and who learns what" ("privacy"))
    (quickvault-verify "check" ("verify") "C")
    (quickvault-repair "Repair a damaged vault" ("repair"))
    (quickvault-doctor "Check what works here and what is missing" ("doctor"))
    (quickvault-report-bug "Show versions, problems and the last errors for a bug report" ("doctor" "--report"))
    (quickvault-delete-vault "Delete the vault permanently" ("delete-vault")))
  "Commands that run one of qv: their descriptions, and the words of that.
The user completes words that end with nil.  What the menu
`quickvault-dispatch' shows has its key there, too.")

;;;###autoload
(dolist (entry quickvault-qv-commands)
  (autoload (car entry) "quickvault-qv" nil t))

(pcase-dolist (`(,command ,description ,words . ,_) quickvault-qv-commands)
  (defalias command
    (lambda () (interactive) (apply #'quickvault--run words))
    (format "Run `qv %s': %s." (string-join (delq nil (copy-sequence words)) " ") description)))

(defun quickvault--run (&rest words)
  "Run qv with WORDS, after the user has edited them if they want that.
Before there is a vault, qv uses its shared service: that remembers the
sign-in to a server until the vault is there."
  (let ((quickvault-shared (or quickvault-shared
                               (and (member (car words) '("account" "sync"))
                                    (eq :json-false (plist-get (quickvault--call 'vault/status) :exists))))))
    (quickvault-qv (quickvault--edited words) t
                   (and (equal words '("delete-vault"))
                        (lambda (status)
                          (when (eql status 0) (run-hook-with-args 'quickvault-lock-functions "deleted")))))))

(defun quickvault--edited (words)
  "Return WORDS, edited by the user if one is nil or there is a prefix argument."
  (if (or current-prefix-arg (memq nil words))
      (quickvault--read-qv (mapconcat (lambda (word) (concat (quickvault--qv-quote word "") " "))
                                      (delq nil (copy-sequence words)) ""))
    words))

;;; The program

(defun quickvault--qv-program ()
  "Return the path of qv: beside the program quickvault, else on the search path."
  (let ((beside (when-let ((program (executable-find quickvault-program)))
                  (expand-file-name "qv" (file-name-directory (file-truename program))))))
    (or (and beside (file-executable-p beside) beside)
        (executable-find "qv")
        (user-error "%s" (quickvault--text "The program qv was not found.  Install it beside quickvault")))))

(defun quickvault--qv-environment ()
  "Return the environment of qv: the vault and the language of this client."
  (append
   (list (if (quickvault--chinese-p) "LC_ALL=zh_CN.UTF-8" "LC_ALL=C.UTF-8")
         (concat "QUICKVAULT_PROGRAM=" (executable-find quickvault-program)))
   (when-let ((vault (if quickvault--demo
                         (plist-get (quickvault--call 'vault/status) :path)
                       quickvault-vault-file)))
     (list (concat "QUICKVAULT_VAULT=" (expand-file-name vault))))
   ;; The terminal of qv is Emacs, wherever that runs.
   (list "TMUX" "STY" (concat "QUICKVAULT_ALONE=" (if (quickvault--sharing-p) "" "1")))
   process-environment))

(defun quickvault--qv-ticket ()
  "Return the environment variable that admits one qv, in a list, or nil.
An older program knows no tickets; then qv is admitted like any other."
  (and (quickvault--sharing-p) quickvault--unlocked (quickvault--running-p)
       (when-let ((ticket (ignore-error jsonrpc-error (plist-get (quickvault--call 'client/ticket nil 5) :ticket))))
         (list (concat "QUICKVAULT_TICKET=" ticket)))))

;;; Reading a command

(defun quickvault--qv-split (text)
  "Return the words of TEXT as a shell has them, and where the last one begins.
Quotation marks and backslashes are removed; the last may be empty."
  (let ((index 0) (start 0) word words quote)
    (while (< index (length text))
      (let ((char (aref text index)))
        (cond ((and (eq char ?\\) (not (eq quote ?')))
               (setq index (1+ index))
               (when (< index (length text)) (push (aref text index) word)))
              ((eq char quote) (setq quote nil))
              (quote (push char word))
              ((memq char '(?\" ?')) (setq quote char))
              ((memq char '(?\s ?\t))
               (when (< start index) (push (quickvault--qv-word word) words))
               (setq word nil start (1+ index)))
              (t (push char word))))
      (setq index (1+ index)))
    (list (nreverse (cons (quickvault--qv-word word) words)) start)))

(defun quickvault--qv-word (characters)
  "Return the word of CHARACTERS, the last one first."
  (apply #'string (reverse characters)))

(defun quickvault--qv-quote (word typed)
  "Return WORD quoted as TYPED, what is there of it, is quoted."
  (if (string-prefix-p "\"" typed)
      (concat "\"" (replace-regexp-in-string "[\"\\]" "\\\\\\&" word) "\"")
    (replace-regexp-in-string "[] \t\"'\\]" "\\\\\\&" word)))

(defun quickvault--qv-candidates (words)
  "Return an alist of what qv completes WORDS to, and descriptions."
  (let ((default-directory (quickvault--qv-directory))
        (process-environment (append (quickvault--qv-ticket) (quickvault--qv-environment)))
        (coding-system-for-read 'utf-8)
        (coding-system-for-write 'utf-8))
    (with-temp-buffer
      (apply #'call-process (quickvault--qv-program) nil '(t nil) nil "complete" "--" words)
      (prog1 (if (equal (buffer-string) ":files\n")
                 (quickvault--qv-files (car (last words)))
               (mapcar (lambda (line)
                         (pcase-let ((`(,word . ,description) (split-string line "\t")))
                           (cons word (or (car description) ""))))
                       (seq-remove (lambda (line) (string-match-p "\\`\\(:\\|\\'\\)" line))
                                   (split-string (buffer-string) "\n"))))
        (quickvault--erase)))))

(defun quickvault--qv-files (beginning)
  "Return an alist of the names of files that have BEGINNING."
  (let ((directory (or (file-name-directory beginning) "")))
    (mapcar (lambda (name) (cons (concat directory name) ""))
            (seq-difference (ignore-errors (file-name-all-completions (file-name-nondirectory beginning)
                                                                      (expand-file-name directory)))
                            '("./" "../")))))

(defun quickvault--qv-directory ()
  "Return a directory of this machine to run qv in."
  (if (file-remote-p default-directory) "~/" default-directory))

(defun quickvault--qv-table ()
  "Return a table that completes the last word of a command of qv."
  (let (asked answer)
    (lambda (string predicate action)
      (pcase-let* ((`(,words ,start) (quickvault--qv-split string))
                   (typed (substring string start)))
        (unless (equal words asked)
          (setq answer (quickvault--qv-candidates words)
                asked words))
        (let ((candidates (mapcar (pcase-lambda (`(,word . ,description))
                                    (cons (quickvault--as-contents (quickvault--qv-quote word typed)) description))
                                  answer)))
          (cond ((eq action 'metadata)
                 `(metadata (category . quickvault) (display-sort-function . identity)
                            (affixation-function
                             . ,(lambda (names)
                                 (quickvault--affixed names (lambda (name) (cdr (assoc name candidates))))))))
                ((eq (car-safe action) 'boundaries) `(boundaries ,start . ,(length (cdr action))))
                (t (completion-table-with-context (substring string 0 start) candidates typed
                                                  predicate action))))))))

(defun quickvault--read-qv (&optional initial)
  "Read the words of a command of qv, with INITIAL in the minibuffer."
  (mapcar (lambda (word) (if (string-prefix-p "~/" word) (expand-file-name word) word))
          (car (quickvault--qv-split
                (quickvault--without-history
                  (minibuffer-with-setup-hook #'quickvault--allow-spaces
                    (let ((completion-ignore-case t))
                      (completing-read "qv " (quickvault--qv-table) nil nil initial t))))))))

;;;###autoload
(defun quickvault-qv (words &optional kept finish input)
  "Run qv, the client for the command line, with WORDS in a terminal.
Interactively, read a command in the minibuffer, with completion.  KEPT
is non-nil if a lock leaves an empty page to run it again, or a function
that runs it again.  FINISH is called with the exit status, or nil.
INPUT is a file to give qv as its standard input."
  (interactive (list (quickvault--read-qv)))
  (let* ((words (remove "" words))
         (again (if (functionp kept) kept (lambda () (quickvault-qv words kept finish input))))
         (directory (quickvault--qv-directory))
         (command (if input (list "/bin/sh" "-c" "exec \"$0\" \"$@\" <\"$QUICKVAULT_INPUT\"" (quickvault--qv-program))
                    (list (quickvault--qv-program))))
         (environment (append (and input (list (concat "QUICKVAULT_INPUT=" input))) (quickvault--qv-environment)))
         (buffer (get-buffer-create (format "*QuickVault qv%s*" (quickvault--qv-name words)))))
    (pop-to-buffer-same-window buffer)
    (when (get-buffer-process buffer)
      (user-error "%s" (quickvault--text "This command still runs here")))
    (let ((inhibit-read-only t)) (quickvault--erase))
    (quickvault-terminal-mode)
    (setq default-directory directory
          mode-line-process (quickvault--text " runs")
          quickvault--qv-words words
          quickvault--qv-finish finish
          quickvault--qv-again again
          ;; After a lock, nothing of what the user typed is there.
          quickvault--restore-function (and kept (lambda () (quickvault--qv-restore again))))
    (let ((process-environment (append (quickvault--qv-ticket) environment)))
      (term-exec buffer "quickvault-qv" (car command) nil (append (cdr command) words)))
    (let ((process (get-buffer-process buffer)))
      (set-process-coding-system process 'binary 'utf-8-unix)
      (set-process-filter process #'quickvault--qv-filter)
      (set-process-sentinel process #'quickvault--qv-sentinel))))

(defun quickvault--qv-name (words)
  "Return the command in WORDS for the name of a buffer, without anything else."
  (if (string-match-p "\\`[a-z][a-z-]*\\'" (or (car words) "")) (concat " " (car words)) ""))

;;; The file of a card that `qv edit' opens

(defvar quickvault-qv-font-lock-keywords
  '(("^#.*" . font-lock-comment-face)
    ("^\\([^ \t\n#\\:：]\\|\\\\.\\)[^\n\\:：]*\\(\\\\.[^\n\\:：]*\\)*[:：]" . font-lock-keyword-face))
  "Remarks and labels in `quickvault-qv-mode'.")

;;;###autoload
(add-to-list 'auto-mode-alist '("/quickvault-view\\.[[:alnum:]]+/card\\.txt\\'" . quickvault-qv-mode))

;;;###autoload
(define-derived-mode quickvault-qv-mode text-mode "Card"
  "Major mode for the file of a card that `qv edit' opens.
Emacs makes no backup, auto-save file or lock file of it, and does not
save text killed in it."
  :interactive nil
  (setq-local comment-start "# "
              font-lock-defaults '(quickvault-qv-font-lock-keywords t)
              backup-inhibited t
              create-lockfiles nil
              undo-tree-auto-save-history nil)
  (auto-save-mode -1)
  (quickvault--protect-histories))

(provide 'quickvault-qv)
;;; quickvault-qv.el ends here
