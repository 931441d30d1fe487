;;; quickvault-qv.el --- Run qv in a terminal of Emacs  -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The QuickVault authors

;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; `quickvault-qv' runs any command of qv(1) in a buffer of term.el.  Keys go to the
;; program while it runs; then the buffer is a page with what was printed.  A lock ends the
;; program and blanks the buffer.  Passwords are read in the minibuffer: the keys of a
;; terminal would be in `view-lossage' and in keyboard macros.
;;
;; The commands for rare work run one of qv, which asks for what it needs.  With a prefix
;; argument, the user can edit the command before, to add options.
;;
;; `qv edit' opens a card in the editor of the user, as a private file in memory.  With
;; EDITOR=emacsclient, Emacs would keep copies of the text elsewhere.

;;; Code:

(require 'term)
(require 'quickvault-actions)

;;; The terminal

(defvar-local quickvault--qv-words nil
  "The words of the command in this buffer.")

(defvar-local quickvault--qv-again nil
  "Function of no arguments that runs the command of this buffer again.")

(defvar-local quickvault--qv-finish nil
  "Function to call once with the exit status of qv, or nil if it was ended.")

(defvar-local quickvault--qv-typed nil
  "Non-nil if something was typed into this terminal.")

(defvar-local quickvault--qv-line-p nil
  "Non-nil while qv reads a line that it shows itself.")

(defvar-local quickvault--qv-pending ""
  "The beginning of a control sequence whose end was not read yet.")

(defvar quickvault--qv-asking nil
  "The process whose password is being read in the minibuffer, or nil.")

;;; While it runs

(defvar quickvault-terminal-mode-map
  (quickvault--keymap term-raw-map "C-g" #'quickvault-qv-interrupt "C-z" #'suspend-frame "C-x" 'Control-X-prefix
                      "C-h" #'help-command "C-u" #'universal-argument "C-y" #'term-paste
                      "M-x" #'execute-extended-command "<remap> <term-send-raw>" #'quickvault-qv-send)
  "Keymap of `quickvault-terminal-mode'.")

(define-derived-mode quickvault-terminal-mode term-mode "QuickVault"
  "Major mode for a terminal in which qv runs.
Other keys than these go to the program:
\\{quickvault-terminal-mode-map}"
  :interactive nil
  (setq mode-line-process nil)
  (quickvault--protect-buffer nil)
  (setq-local quickvault--keep-function #'quickvault--qv-outlives-p)
  (add-hook 'change-major-mode-hook #'quickvault--qv-end nil t)
  (add-hook 'kill-buffer-hook #'quickvault--qv-end nil t))

(defun quickvault-qv-interrupt ()
  "Interrupt qv, as the key of terminals for this does."
  (interactive (quickvault--check-mode 'quickvault-terminal-mode) quickvault-terminal-mode)
  (term-send-raw-string "\C-c"))

(defun quickvault-qv-send ()
  "Send the key to qv; if that asks for a password, read it in the minibuffer."
  (interactive (quickvault--check-mode 'quickvault-terminal-mode) quickvault-terminal-mode)
  (let ((process (get-buffer-process (current-buffer))))
    (setq quickvault--qv-typed t)
    (cond ((quickvault--qv-asks-p process)
           (push last-command-event unread-command-events)
           (quickvault--qv-answer process))
          (t
           (term-send-raw)
           ;; It may be a password, typed ahead, or a concealed value.
           (unless (quickvault--qv-echo-p process)
             (cancel-kbd-macro-events)
             (clear-this-command-keys))))))

(defun quickvault--qv-filter (process output)
  "Show OUTPUT of PROCESS; if it asks for a password, read it after this command."
  (let ((locale-coding-system 'utf-8)
        ;; term.el would read some passwords itself, and keep what is typed.
        (comint-password-prompt-regexp regexp-unmatchable))
    (with-current-buffer (process-buffer process)
      ;; qv has the terminal mark what is pasted into a line that can be seen.
      (when (string-match ".*\e\\[\\?2004\\([hl]\\)" output)
        (setq quickvault--qv-line-p (equal "h" (match-string 1 output)))))
    (term-emulate-terminal process (quickvault--qv-take-copied process output)))
  (when (quickvault--qv-asks-p process)
    (run-at-time 0 nil #'quickvault--qv-answer-here process)))

(defun quickvault--qv-take-copied (process output)
  "Return OUTPUT of PROCESS without what is for the clipboard of its terminal.
That is copied as by this client, and cleared like it."
  (with-current-buffer (process-buffer process)
    (let ((output (concat quickvault--qv-pending output)))
      (while (string-match "\e\\]52;[^;]*;\\([^\a\e]*\\)\a" output)
        (let ((copied (match-string 1 output)))
          (setq output (replace-match "" t t output))
          (quickvault--copy-text (decode-coding-string (base64-decode-string copied) 'utf-8) 30)))
      (let ((rest (or (string-match "\e\\(?:\\]\\(?:52?\\|52;[^\a]*\\)?\\)?\\'" output) (length output))))
        (setq quickvault--qv-pending (substring output rest))
        (substring output 0 rest)))))

(defun quickvault--qv-asks-p (process)
  "Return non-nil if PROCESS asks for a password."
  ;; `quickvault--qv-end' takes the buffer from a process that has not ended yet.
  (and (process-live-p process)
       (process-buffer process)
       (not quickvault--qv-asking)
       (with-current-buffer (process-buffer process)
         (and (not quickvault--qv-line-p)
              (save-excursion
                (goto-char (process-mark process))
                (looking-back "[:：][ \n]*" (max (point-min) (- (point) 4))))
              ;; qv may take a moment to read the password.
              (not (get-text-property (match-beginning 0) 'quickvault-answered))))
       (not (quickvault--qv-echo-p process))))

(defun quickvault--qv-echo-p (process)
  "Return non-nil if the terminal of PROCESS displays typed characters."
  (with-temp-buffer
    (let ((default-directory "/"))
      (call-process "stty" nil t nil "-F" (process-tty-name process) "-a"))
    (not (string-search " -echo " (buffer-string)))))

(defun quickvault--qv-answer-here (process)
  "Read the password for PROCESS, if its terminal is in the selected window.
In another window, the password could be what the user types there."
  (when (and (process-live-p process) (eq (process-buffer process) (window-buffer)))
    (accept-process-output process 0.05)
    (when (quickvault--qv-asks-p process)
      (quickvault--qv-answer process))))

(defun quickvault--qv-answer (process)
  "Read the password that PROCESS asks for, and send it; quitting interrupts it."
  (let ((quickvault--qv-asking process)
        (quickvault--minibuffer-depth (1+ (minibuffer-depth))))
    (condition-case nil
        (quickvault--with-password (password (quickvault--qv-prompt process))
          (when (and (process-live-p process) (process-buffer process))
            (with-current-buffer (process-buffer process)
              (save-excursion
                (goto-char (process-mark process))
                (skip-chars-backward " \n")
                (with-silent-modifications
                  (put-text-property (1- (point)) (point) 'quickvault-answered t))))
            (let ((bytes (encode-coding-string (concat password "\r") 'utf-8)))
              (process-send-string process bytes)
              (clear-string bytes))))
      (quit (when (process-live-p process) (process-send-string process "\C-c"))))))

(defun quickvault--qv-prompt (process)
  "Return the question of PROCESS without its colon."
  (with-current-buffer (process-buffer process)
    (save-excursion
      (let ((end (goto-char (process-mark process))))
        (forward-line 0)
        (while (get-text-property (max (point-min) (1- (point))) 'term-line-wrap)
          (forward-line -1))
        (string-trim (substring-no-properties (filter-buffer-substring (point) end)) nil "[:： \n]+")))))

;;; The end

(defun quickvault--qv-sentinel (process _event)
  "Show the page of PROCESS, which has ended."
  (when (and (memq (process-status process) '(exit signal)) (buffer-live-p (process-buffer process)))
    (let ((status (and (eq (process-status process) 'exit) (process-exit-status process))))
      (with-current-buffer (process-buffer process)
        (quickvault--qv-finish status)
        (quickvault--qv-page status))
      (when (eq process quickvault--qv-asking) (quickvault--abort-minibuffer))
      ;; With this request, the program sees what qv has changed.
      (when (and quickvault--unlocked (quickvault--running-p))
        (quickvault--request-later 'tag/list (make-hash-table) #'ignore #'ignore)))))

(defun quickvault--qv-finish (status)
  "Call what was to be called with the exit STATUS of qv."
  (when-let ((finish quickvault--qv-finish))
    (setq quickvault--qv-finish nil)
    (with-demoted-errors "QuickVault: %S" (funcall finish status))))

(defun quickvault--qv-end ()
  "End the program of this terminal, and let it clean up."
  (when-let ((process (get-buffer-process (current-buffer))))
    (set-process-query-on-exit-flag process nil)
    (set-process-filter process #'ignore)
    (set-process-sentinel process #'ignore)
    (set-process-buffer process nil)
    (when (process-live-p process)
      (signal-process process 'SIGHUP)
      (run-at-time 5 nil #'delete-process process)))
  (quickvault--qv-finish nil))

(defun quickvault--qv-outlives-p (reason)
  "Return non-nil if the command of this buffer may itself have locked for REASON."
  (and (member reason '("passwordChanged" "deleted"))
       (member (car quickvault--qv-words)
               '("password" "passwd" "rekey" "repair" "sync" "delete-vault" "fingerprint" "devices"))))

(defvar quickvault-output-mode-map
  (quickvault--keymap special-mode-map "R" #'quickvault-qv-again "q" #'quickvault-qv-close "L" #'quickvault-lock)
  "Keymap of `quickvault-output-mode'.")

(define-derived-mode quickvault-output-mode special-mode "QuickVault"
  "Major mode for what a command of qv has printed.
\\{quickvault-output-mode-map}"
  :interactive nil
  (setq-local revert-buffer-function (lambda (&rest _) (quickvault-qv-again)))
  (font-lock-mode)
  (quickvault--protect-buffer quickvault--restore-function)
  (setq-local quickvault--keep-function #'quickvault--qv-outlives-p))

(defun quickvault--qv-page (status)
  "Make this terminal a page; STATUS is the exit status of qv, or nil."
  (let ((inhibit-read-only t)
        (typed quickvault--qv-typed)
        (again quickvault--qv-again)
        (words quickvault--qv-words))
    (quickvault-output-mode)
    (setq quickvault--qv-again again
          quickvault--qv-words words)
    (goto-char (point-max))
    (skip-chars-backward " \n")
    (delete-region (point) (point-max))
    (unless (bobp) (insert "\n\n"))
    (insert (propertize (concat (if (member status '(nil 0)) "" (quickvault--text "qv ended with %d.  " status))
                                (quickvault--text "\\[quickvault-qv-again] runs this command again, \\[quickvault-qv-close] closes."))
                        'face 'shadow)
            "\n")
    (quickvault--mark-contents)
    (set-buffer-modified-p nil)
    ;; After answers the end is of interest.
    (goto-char (if typed (point-max) (point-min)))
    (dolist (window (get-buffer-window-list nil nil t))
      (set-window-point window (point)))))

(defun quickvault-qv-again ()
  "Run the command of this page again."
  (interactive (quickvault--check-mode 'quickvault-output-mode) quickvault-output-mode)
  (funcall quickvault--qv-again))

(defun quickvault-qv-close ()
  "Close this page, and erase it."
  (interactive (quickvault--check-mode 'quickvault-output-mode) quickvault-output-mode)
  (quickvault--discard (current-buffer)))

(defun quickvault--qv-restore (again)
  "Make this blanked buffer an empty page for the command of AGAIN."
  (let ((inhibit-read-only t))
    (quickvault--erase)
    (setq quickvault--qv-again again)
    (quickvault--qv-page nil)))

;;; Commands for rare work

;;;###autoload
(defconst quickvault-qv-commands
  '((quickvault-import "import" ("import" nil) "I")
    (quickvault-export "export all" ("export" nil) "O")
    (quickvault-backup "back up" ("backup" nil) "B")
    (quickvault-merge "Merge another copy of this vault" ("merge" nil))
    (quickvault-change-password "Change the master password" ("password"))
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
    (quickvault-qv (if (or current-prefix-arg (memq nil words))
                       (quickvault--read-qv
                        (concat (mapconcat (lambda (word) (concat (quickvault--qv-quote word "") " "))
                                           (delq nil (copy-sequence words)) "")
                                (and (equal (cdr words) '(nil)) (file-remote-p default-directory) default-directory)))
                     words)
                   t
                   (and (equal words '("delete-vault"))
                        (lambda (status)
                          (when (eql status 0) (run-hook-with-args 'quickvault-lock-functions "deleted")))))))

;;;###autoload
(defun quickvault-export-cards (cards file)
  "Export CARDS, the marked ones or the one at point, to FILE.
It is not encrypted; the format is that of its name."
  (interactive (list (quickvault--read-cards (quickvault--text "Export card"))
                     (quickvault--read-target "quickvault.json")))
  (quickvault-qv (append (list "export" file) (mapcar (lambda (card) (plist-get card :id)) cards)) t))

;;;###autoload
(defun quickvault-import-buffer ()
  "Import the cards in this buffer, or in the region if it is active.
Nothing is written to a file: qv reads the text from a pipe."
  (interactive)
  (let ((begin (if (use-region-p) (copy-marker (region-beginning)) (point-min-marker)))
        (end (if (use-region-p) (copy-marker (region-end)) (point-max-marker))))
    (quickvault-qv (if current-prefix-arg (quickvault--read-qv "import - ") '("import" "-")) nil nil
                   (lambda ()
                     (with-current-buffer (marker-buffer begin)
                       (buffer-substring-no-properties begin end))))))

;;; The program

(defun quickvault--qv-program ()
  "Return the path of qv: beside the program quickvault, else on the search path."
  (let ((beside (when-let ((program (executable-find quickvault-program)))
                  (expand-file-name "qv" (file-name-directory (file-truename program))))))
    (or (and beside (file-executable-p beside) beside)
        (executable-find "qv")
        (quickvault--fail "The program qv was not found.  Install it beside quickvault"))))

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
Interactively, read a command in the minibuffer, with completion.  If
KEPT is non-nil, a lock leaves an empty page to run it again.  FINISH is
called with the exit status, or nil.  INPUT is a function that returns a
text for its standard input."
  (interactive (list (quickvault--read-qv)))
  (let* ((words (remove "" words))
         (again (lambda () (quickvault-qv words kept finish input)))
         (directory (quickvault--qv-directory))
         (program (quickvault--qv-program))
         (buffer (get-buffer-create (format "*QuickVault qv%s*" (quickvault--qv-name words)))))
    (pop-to-buffer-same-window buffer)
    (when (get-buffer-process buffer)
      (quickvault--fail "This command still runs here"))
    (let ((inhibit-read-only t)) (quickvault--erase))
    (quickvault-terminal-mode)
    (pcase-let* ((`(,local . ,copy-back) (quickvault--local-words words))
                 (`(,pipe . ,end-pipe) (and input (quickvault--qv-pipe (funcall input))))
                 (process-environment (append (and pipe (list (concat "QUICKVAULT_INPUT=" pipe)))
                                              (quickvault--qv-ticket) (quickvault--qv-environment))))
      (setq default-directory directory
            mode-line-process (quickvault--text " runs")
            quickvault--qv-words words
            quickvault--qv-finish (lambda (status)
                                    (dolist (function (list copy-back end-pipe finish))
                                      (when function (funcall function status))))
            quickvault--qv-again again
            ;; After a lock, nothing of what the user typed is there.
            quickvault--restore-function (and kept (lambda () (quickvault--qv-restore again))))
      (if pipe
          (term-exec buffer "quickvault-qv" "/bin/sh" nil
                     `("-c" "exec \"$0\" \"$@\" <\"$QUICKVAULT_INPUT\"" ,program ,@local))
        (term-exec buffer "quickvault-qv" program nil local)))
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

;;; Files of this machine and of others

(defun quickvault--local-path (file)
  "Return the path of FILE, of this machine, without the mark of a quoted name."
  (expand-file-name (file-name-unquote file)))

(defun quickvault--file-parameters (file)
  "Return request parameters for FILE: its path, or its content if it is remote."
  (if (file-remote-p file)
      (list :data (with-temp-buffer
                    (set-buffer-multibyte nil)
                    (insert-file-contents-literally file)
                    (prog1 (base64-encode-string (buffer-string) t)
                      (quickvault--erase))))
    (list :path (quickvault--local-path file))))

(defun quickvault--make-directory ()
  "Return a new private directory, in memory if this session has such a place."
  (let* ((runtime (getenv "XDG_RUNTIME_DIR"))
         (temporary-file-directory (if (and runtime (file-writable-p runtime)) runtime temporary-file-directory)))
    (file-name-as-directory (make-temp-file "quickvault-" t))))

(defun quickvault--write-by-path (file use)
  "Call USE with the path of FILE; return its answer, with a path, or nil.
If FILE is remote, call USE with another path, and copy what was written."
  (if (not (file-remote-p file))
      (funcall use (quickvault--local-path file))
    (let ((directory (quickvault--make-directory)))
      (unwind-protect
          (when-let ((answer (funcall use (concat directory (file-name-nondirectory file)))))
            (copy-file (plist-get answer :path) file t)
            (plist-put (copy-sequence answer) :path file))
        (delete-directory directory t)))))

(defun quickvault--read-target (name)
  "Read the name of a file to write; the default is NAME."
  (let ((file (expand-file-name (read-file-name (quickvault--text "Write to: ") nil nil nil name))))
    (when (file-directory-p file) (setq file (expand-file-name name file)))
    (when (and (file-exists-p file)
               (not (quickvault--confirm "%s already exists.  Replace it?" file)))
      (quickvault--fail "Nothing was written"))
    file))

(defun quickvault--local-words (words)
  "Return WORDS for qv, which knows only files of this machine.
A remote file is replaced by a copy, and a remote directory by another
one.  Behind them is a function that copies what qv has written there, or
nil."
  (let ((directory (and (seq-some #'file-remote-p words) (quickvault--make-directory)))
        (before (make-hash-table :test #'equal))
        target)
    (cl-flet ((written (file) (file-attribute-modification-time (file-attributes file))))
      (cons (mapcar (lambda (word)
                      (if (not (file-remote-p word)) word
                        (setq target (if (file-directory-p word) (file-name-as-directory word) (file-name-directory word)))
                        (let ((copy (concat directory (file-name-nondirectory (string-remove-prefix target word)))))
                          (when (file-regular-p word)
                            (copy-file word copy)
                            (puthash copy (written copy) before))
                          copy)))
                    words)
            (and directory
                 (lambda (status)
                   (unwind-protect
                       (dolist (file (and status (directory-files directory t directory-files-no-dot-files-regexp)))
                         (unless (equal (written file) (gethash file before))
                           (copy-file file target t)))
                     (delete-directory directory t))))))))

(defun quickvault--qv-pipe (text)
  "Return the name of a new pipe with TEXT, and a function that deletes it."
  (let* ((bytes (encode-coding-string text 'utf-8-unix))
         (directory (quickvault--make-directory))
         (pipe (concat directory "pipe")))
    (call-process "mkfifo" nil nil nil "-m" "600" pipe)
    (let ((writer (make-process :name "quickvault-pipe" :connection-type 'pipe :noquery t :sentinel #'ignore
                                :coding 'no-conversion
                                :command (list "/bin/sh" "-c" "exec cat >\"$0\"" pipe))))
      (process-send-string writer bytes)
      (process-send-eof writer)
      (clear-string bytes)
      (cons pipe (lambda (_)
                   (delete-process writer)
                   (delete-directory directory t))))))

(provide 'quickvault-qv)
;;; quickvault-qv.el ends here
