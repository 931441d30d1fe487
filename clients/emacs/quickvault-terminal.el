;;; quickvault-terminal.el --- A terminal in which qv runs  -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The QuickVault authors

;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; Keys go to the program while it runs; then the buffer is a page with what was printed.
;; A lock ends the program.  Passwords are read in the minibuffer: the keys of a terminal
;; would be in `view-lossage' and in keyboard macros.

;;; Code:

(require 'term)
(require 'quickvault-clipboard)
(require 'quickvault-session)

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
  (let ((map (make-sparse-keymap)))
    (set-keymap-parent map term-raw-map)
    (pcase-dolist (`(,key . ,command) '(("C-g" . quickvault-qv-interrupt)
                                        ("C-z" . suspend-frame)
                                        ("C-x" . Control-X-prefix)
                                        ("C-h" . help-command)
                                        ("C-u" . universal-argument)
                                        ("C-y" . term-paste)
                                        ("M-x" . execute-extended-command)
                                        ("<remap> <term-send-raw>" . quickvault-qv-send)))
      (define-key map (kbd key) command))
    map)
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
  (interactive nil quickvault-terminal-mode)
  (quickvault--check-mode 'quickvault-terminal-mode)
  (term-send-raw-string "\C-c"))

(defun quickvault-qv-send ()
  "Send the key to qv; if that asks for a password, read it in the minibuffer."
  (interactive nil quickvault-terminal-mode)
  (quickvault--check-mode 'quickvault-terminal-mode)
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
  (let ((map (make-sparse-keymap)))
    (set-keymap-parent map special-mode-map)
    (define-key map "R" #'quickvault-qv-again)
    (define-key map "q" #'quickvault-qv-close)
    (define-key map "L" #'quickvault-lock)
    map)
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
  (interactive nil quickvault-output-mode)
  (quickvault--check-mode 'quickvault-output-mode)
  (funcall quickvault--qv-again))

(defun quickvault-qv-close ()
  "Close this page, and erase it."
  (interactive nil quickvault-output-mode)
  (quickvault--check-mode 'quickvault-output-mode)
  (quickvault--discard (current-buffer)))

(defun quickvault--qv-restore (again)
  "Make this blanked buffer an empty page for the command of AGAIN."
  (let ((inhibit-read-only t))
    (quickvault--erase)
    (setq quickvault--qv-again again)
    (quickvault--qv-page nil)))

(provide 'quickvault-terminal)
;;; quickvault-terminal.el ends here
