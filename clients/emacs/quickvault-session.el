;;; quickvault-session.el --- Setup, unlocking, locking, password  -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The QuickVault authors

;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; Passwords are read by `read-passwd' and cleared after use.  If this device is bound to
;; the vault, the user is asked for a fingerprint first.
;;
;; Emacs tells the program when it is suspended or ends, when its last frame is deleted, and
;; when all frames are minimised; if the user wants it, when no frame has had the focus for
;; a while.  The program then locks the vault if the vault's settings say so.
;;
;; If another program asks to use the shared vault, a window shows the question; it is not
;; selected, so that what you type does not answer it.

;;; Code:

(require 'button)
(require 'quickvault-buffer)

;;; Going to the background

(defcustom quickvault-lock-on-focus-loss nil
  "Seconds without the focus after which the vault locks; nil for never.
If all frames are minimised, the vault locks immediately.  The vault's own
setting for locking in the background must be on too.  While a form has
unsaved input, a loss of the focus does not lock."
  :group 'quickvault
  :type '(choice (const :tag "Never" nil) (number :tag "Seconds")))

(autoload 'quickvault--put-drafts "quickvault-form")
(autoload 'quickvault--put-drafts-later "quickvault-form")

(defvar quickvault--unlocked nil
  "Non-nil if the vault was unlocked and has not been locked since.")

(add-hook 'quickvault-lock-functions (lambda (_) (setq quickvault--unlocked nil)))

(defvar quickvault--focus-timer nil
  "Timer that delays a reaction to losing the focus, or nil.")

(defun quickvault--watch-background ()
  "Start watching for Emacs going to the background and returning."
  (add-hook 'suspend-hook #'quickvault--did-enter-background)
  (add-hook 'suspend-resume-hook #'quickvault--did-become-active)
  (add-hook 'suspend-tty-functions #'quickvault--terminal-suspended)
  (add-hook 'resume-tty-functions #'quickvault--did-become-active)
  (add-hook 'delete-frame-functions #'quickvault--frame-deleted)
  (add-hook 'after-make-frame-functions #'quickvault--did-become-active)
  (add-hook 'kill-emacs-hook #'quickvault--did-enter-background)
  (add-function :after after-focus-change-function #'quickvault--focus-changed)
  (when (eq (lookup-key special-event-map [iconify-frame]) 'ignore)
    (define-key special-event-map [iconify-frame] (lambda () (interactive) (quickvault--focus-changed)))))

(defun quickvault--did-enter-background (&rest _)
  "Notify the program that Emacs is no longer in the foreground.
Wait for the lock, so that the screen is cleared before Emacs is suspended."
  (when quickvault--unlocked
    (with-demoted-errors "QuickVault: %S"
      (quickvault--put-drafts)
      (quickvault--send-notification 'client/didEnterBackground)
      (quickvault--call 'vault/status nil 2)
      (redisplay t))))

(defun quickvault--did-become-active (&rest _)
  "Notify the program that Emacs is in the foreground again.
Wait for a lock meanwhile, before the screen is drawn again."
  (with-demoted-errors "QuickVault: %S"
    (quickvault--send-notification 'client/didBecomeActive)
    (when quickvault--unlocked (quickvault--call 'vault/status nil 2))))

(defun quickvault--frame-deleted (frame)
  "Go to the background if FRAME, about to be deleted, is the last one."
  (unless (remq frame (quickvault--shown-frames)) (quickvault--did-enter-background)))

(defun quickvault--terminal-suspended (terminal)
  "Go to the background if TERMINAL, about to be suspended, has the last frames."
  (when (seq-every-p (lambda (frame) (eq (frame-terminal frame) terminal)) (quickvault--shown-frames))
    (quickvault--did-enter-background)))

(defun quickvault--frames ()
  "Return the user's frames.
Child frames and the initial one of a daemon are not among them."
  (seq-remove (lambda (frame)
                (or (frame-parameter frame 'parent-frame)
                    (equal (terminal-name frame) "initial_terminal")))
              (frame-list)))

(defun quickvault--shown-frames ()
  "Return the frames that the user can see.
One that is minimised, or on a suspended terminal, is not among them."
  (seq-filter (lambda (frame) (eq (frame-visible-p frame) t)) (quickvault--frames)))

(defun quickvault--check-frame ()
  "Signal a `user-error' in a daemon without a frame, where nobody can answer."
  (when (and (daemonp) (equal (terminal-name) "initial_terminal"))
    (quickvault--fail "No frame can ask for the password; open one with emacsclient -c or -t")))

(defun quickvault--focus-changed ()
  "React to a change of focus: send drafts; after a delay, tell the program.
Of a mere loss of the focus, it is told only if the user wants it."
  (unless (quickvault--focused-p) (quickvault--put-drafts-later))
  (when (timerp quickvault--focus-timer) (cancel-timer quickvault--focus-timer))
  ;; Between two frames, for a moment neither has the focus.
  (let ((delay (if (or (quickvault--focused-p) (quickvault--minimised-p)) 0 quickvault-lock-on-focus-loss)))
    (setq quickvault--focus-timer
          (and delay quickvault--unlocked (run-at-time (max 0.3 delay) nil #'quickvault--report-focus)))))

(defun quickvault--focused-p ()
  "Return non-nil if a frame that the user sees has the focus."
  (seq-some (lambda (frame)
              (and (frame-focus-state frame) (not (eq (frame-visible-p frame) 'icon))))
            (frame-list)))

(defun quickvault--minimised-p ()
  "Return non-nil if no frame can be seen, because they are minimised."
  (and (not (quickvault--shown-frames))
       (seq-some (lambda (frame) (eq (frame-visible-p frame) 'icon)) (quickvault--frames))))

(defun quickvault--report-focus ()
  "Notify the program of whether any frame has the focus.
If a form has unsaved input, do not report the loss of the focus: a user
who fills in a form looks things up in other programs."
  (setq quickvault--focus-timer nil)
  (cond ((quickvault--focused-p)
         (quickvault--did-become-active))
        ((and (or quickvault-lock-on-focus-loss (quickvault--minimised-p)) (not (quickvault--unsaved-input-p)))
         (quickvault--did-enter-background))))

;;; Fingerprints

(defconst quickvault--fingerprint-timeout 60
  "Seconds to wait for the program to answer a fingerprint request.
The program itself stops waiting for a finger after half that time.")

(defun quickvault--discard-input (seconds)
  "Discard what is typed within SECONDS; quit on `C-g'."
  (when (eq (read-event nil nil seconds) ?\C-g)
    (signal 'quit nil)))

(defun quickvault--await-fingerprint (method params &optional password-known)
  "Call METHOD with PARAMS and wait for a fingerprint or a key.
Return a list: `answered' and the result; `failed' and the data of the
error; or `key' if a key was pressed.  A key or quitting cancels the
request.  If PASSWORD-KNOWN, only quitting does, and input is discarded."
  (let* ((shown (quickvault--text "Waiting for the fingerprint reader..."))
         remark
         (quickvault--fingerprint-functions
          (list (lambda (state)
                  (setq shown (quickvault--localized (plist-get state :messages)))
                  ;; The reader is ready again before the user can read the last error.
                  (if (equal (plist-get state :state) "scanning")
                      (setq shown (or remark shown))
                    (setq remark shown))
                  (when (equal (plist-get state :reason) "notMatched")
                    (setq remark (quickvault--text "%s  Attempts left: %d." shown
                                                   (plist-get state :attemptsLeft)))))))
         (message-log-max nil))
    (unwind-protect
        (condition-case failure
            (catch 'key
              (list 'answered
                    (quickvault--await-response
                     (quickvault--ensure-connection) method params quickvault--fingerprint-timeout
                     (lambda ()
                       (message "%s" (if password-known (quickvault--text "%s  (C-g to cancel)" shown)
                                       (quickvault--text "%s  (press any key for the password)" shown)))
                       (if password-known (quickvault--discard-input 0.2)
                         (when (read-event nil nil 0.2) (throw 'key '(key))))))))
          (jsonrpc-error (list 'failed (alist-get 'jsonrpc-error-data (cdr failure)))))
      (message nil))))

(defun quickvault--fingerprint-error-text (data)
  "Return the message of an error with DATA, and two spaces.
Return an empty string if the user cancelled."
  (let ((messages (plist-get data :messages)))
    (if (or (null messages) (equal (plist-get data :kind) "biometric.userCancel"))
        ""
      (concat (quickvault--localized messages) "  "))))

(defun quickvault--try-fingerprint (status method &optional params)
  "Call METHOD with PARAMS and a fingerprint if this device is bound, by STATUS.
Return the result, or a string to show in the prompt for the password."
  (if (not (eq (plist-get (plist-get status :biometric) :enabled) t))
      ""
    (pcase (quickvault--await-fingerprint method (append params '(:method "biometric")))
      (`(answered ,answer) answer)
      (`(failed ,data)
       (let ((text (quickvault--fingerprint-error-text data)))
         ;; After any other error, the password does not help either.
         (if (string-match-p "\\`\\(biometric\\|device\\|keychain\\|rpc\\)\\." (or (plist-get data :kind) "rpc."))
             text
           (user-error "%s" (string-trim text)))))
      (_ ""))))

;;; Several programs, one unlock

;;; Being admitted

(defun quickvault--not-admitted-p (status)
  "Return non-nil if by STATUS Emacs may not use the vault, though unlocked."
  (eq (plist-get status :admitted) :json-false))

(defun quickvault--be-admitted (status)
  "Ask another program for consent if one can give it, or unlock by STATUS."
  (let ((programs (mapconcat (lambda (program) (plist-get program :name)) (plist-get status :consentFrom)
                             (quickvault--text ", "))))
    (unless (and (not (string-empty-p programs))
                 (quickvault--confirm "Ask for consent in %s, instead of giving the password?  (The setting sharedUnlock can allow every program.)"
                                      programs)
                 (quickvault--request-consent programs))
      (quickvault--unlock status))))

(defun quickvault--request-consent (programs)
  "Ask in the PROGRAMS that use the vault; return non-nil if one agrees."
  (let ((message-log-max nil))
    (message "%s" (quickvault--text "Waiting for consent in %s (C-g to cancel)..." programs)))
  (condition-case failure
      (progn
        (quickvault--did-unlock (quickvault--call 'client/requestConsent nil 90) nil)
        t)
    (jsonrpc-error
     (quickvault--message (quickvault--error-text (cdr failure)))
     (sit-for 1)
     nil)))

(defun quickvault--unlocked-elsewhere ()
  "Show contents again after another program has unlocked the vault."
  (with-demoted-errors "QuickVault: %S"
    (unless quickvault--unlocked
      (let ((status (quickvault--call 'vault/status)))
        (unless (or (eq (plist-get status :locked) t) (quickvault--not-admitted-p status))
          (quickvault--set-up status)
          (quickvault--log-message (quickvault--text "Another program has unlocked the vault.")))))))

(defun quickvault--set-up (status)
  "Set up Emacs for the unlocked vault with STATUS, also the result of an unlock."
  (let ((settings (plist-get (quickvault--call 'settings/get) :settings)))
    (quickvault--apply-language settings)
    (setq quickvault--unlocked t
          quickvault--read-only (eq (plist-get status :readOnly) t)
          quickvault--auto-lock-seconds (plist-get settings :autoLockSeconds)))
  (quickvault--watch-background)
  (quickvault--restore-later)
  (quickvault--put-drafts-later)
  (quickvault--sync-fetch))

;;; Answering for another program

(defvar quickvault--question nil
  "The connection and the id of the open question, and its use; or nil.
Use is non-nil if an agent asks to use cards.  The program asks one at a time.")

(defvar quickvault-question-mode-map
  (quickvault--keymap special-mode-map "a" #'quickvault-allow-program "l" #'quickvault-allow-until-locked
                      "r" #'quickvault-refuse-program)
  "Keymap of `quickvault-question-mode'.")

(define-derived-mode quickvault-question-mode special-mode "QuickVault question"
  "Major mode for the question whether another program may use the vault."
  :interactive nil)

(defun quickvault--handle-request (_connection method params)
  "Handle the request METHOD with PARAMS from the program.
The answer to a question comes later."
  (if (eq method 'session/admit)
      (list 'quickvault--later (quickvault--localized (plist-get params :messages))
            (eq (plist-get params :use) t))
    (signal 'jsonrpc-error '((jsonrpc-error-code . -32601) (jsonrpc-error-message . "Unknown method")))))

(cl-defmethod jsonrpc-connection-send :around
  ((connection quickvault--process-connection) &rest message)
  "Send MESSAGE over CONNECTION, unless it is a response that comes later."
  (let ((result (plist-get message :result)))
    (if (eq (car-safe result) 'quickvault--later)
        (progn (setq quickvault--question (list connection (plist-get message :id) (nth 2 result)))
               (quickvault--show-question (cadr result)))
      (cl-call-next-method))))

(defun quickvault--show-question (text)
  "Show TEXT, a question, in a window that is not selected."
  (with-current-buffer (get-buffer-create "*QuickVault question*")
    (quickvault-question-mode)
    (let ((inhibit-read-only t))
      (erase-buffer)
      (insert text "\n\n")
      (insert-text-button (quickvault--text "Allow") 'action (lambda (_) (quickvault-allow-program)))
      (insert "  ")
      (when (nth 2 quickvault--question)
        (insert-text-button (quickvault--text "Until locked (l)")
                            'action (lambda (_) (quickvault-allow-until-locked)))
        (insert "  "))
      (insert-text-button (quickvault--text "Refuse") 'action (lambda (_) (quickvault-refuse-program)))
      (insert "\n" (quickvault--text "In this window, a allows and r refuses; M-x quickvault-answer goes there.")))
    (goto-char (point-min))
    (display-buffer (current-buffer) '((display-buffer-reuse-window display-buffer-at-bottom)
                                       (window-height . fit-window-to-buffer))))
  (ding t))

(defun quickvault--withdraw-question (id)
  "Remove the question ID, which needs no answer any more."
  (when (equal id (cadr quickvault--question)) (quickvault--forget-question)))

(defun quickvault--forget-question (&rest _)
  "Remove the question, as at a lock, which answers it."
  (setq quickvault--question nil)
  (when-let ((buffer (get-buffer "*QuickVault question*"))) (quickvault--discard buffer)))

(add-hook 'quickvault-lock-functions #'quickvault--forget-question)

(defun quickvault--check-question ()
  "Signal a `user-error' unless a program asks to use the vault."
  (unless quickvault--question
    (quickvault--fail "No program asks to use the vault")))

(defun quickvault--answer-question (allow &optional until)
  "Answer the question: yes if ALLOW is non-nil, for as long as UNTIL."
  (quickvault--check-question)
  (pcase-let ((`(,connection ,id . ,_) quickvault--question))
    (jsonrpc-connection-send connection :id id
                             :result (append (list :allow (if allow t :json-false)) (and until (list :until until))))
    (quickvault--forget-question)))

(defun quickvault-allow-program ()
  "Allow the program in question to use the unlocked vault."
  (interactive (quickvault--check-mode 'quickvault-question-mode) quickvault-question-mode)
  (quickvault--answer-question t))

(defun quickvault-allow-until-locked ()
  "Allow the agent in question the same use again until the vault is locked."
  (interactive (quickvault--check-mode 'quickvault-question-mode) quickvault-question-mode)
  (unless (nth 2 quickvault--question)
    (quickvault--fail "Only the use of cards by an agent can be allowed until then"))
  (quickvault--answer-question t "lock"))

(defun quickvault-refuse-program ()
  "Refuse the program in question the use of the unlocked vault."
  (interactive (quickvault--check-mode 'quickvault-question-mode) quickvault-question-mode)
  (quickvault--answer-question nil))

;;;###autoload
(defun quickvault-answer ()
  "Select the window with the question whether a program may use the vault."
  (interactive)
  (quickvault--check-question)
  (pop-to-buffer "*QuickVault question*"))
(declare-function quickvault--drafts-remark "quickvault-form")
(autoload 'quickvault--unkept-input-p "quickvault-form")

;;; Passwords

(defmacro quickvault--with-password (binding &rest body)
  "Read a password, evaluate BODY with it, then clear it.
BINDING is (VARIABLE PROMPT); PROMPT has no colon."
  (declare (indent 1) (debug ((symbolp form) body)))
  (let ((variable (car binding)))
    `(let ((,variable (quickvault--read-password ,(cadr binding))))
       (unwind-protect (progn ,@body)
         (clear-string ,variable)))))

(defun quickvault--read-password (prompt)
  "Read a password with PROMPT and clear the record of typed keys.
A keyboard macro that is being defined ends before it."
  (quickvault--check-frame)
  (when defining-kbd-macro (end-kbd-macro))
  (unwind-protect
      (minibuffer-with-setup-hook
          (lambda ()
            (quickvault--forbid-writing)
            (setq-local filter-buffer-substring-function #'quickvault--keep-no-text))
        (let ((kill-transform-function #'ignore))
          (read-passwd (quickvault--text "%s: " prompt))))
    (quickvault--forget-minibuffer)
    (clear-this-command-keys)))

(defun quickvault--keep-no-text (begin end &optional delete)
  "Return nothing for the kill ring; delete the text from BEGIN to END if DELETE."
  (if delete
      (progn (delete-region begin end) nil)
    ""))

(defun quickvault--with-new-password (use)
  "Read a new password twice and call USE with it.
Ask again for one that is too short or too long, or that is easy to guess
and that the user does not want."
  (let ((remark ""))
    (while remark
      (quickvault--with-password
          (password (concat remark (quickvault--text "New master password (at least 8 characters)")))
        (setq remark (quickvault--new-password-remark password))
        (unless remark
          (quickvault--with-password (again (quickvault--text "Repeat the password"))
            (if (equal password again)
                (funcall use password)
              (setq remark (quickvault--text "The passwords do not match.  ")))))))))

(defun quickvault--new-password-remark (password)
  "Return why to ask for another password than PASSWORD, or nil.
If it is easy to guess, ask the user whether to use it anyway."
  (let* (remark
         (answer (quickvault--request
                  'password/check (list :password password)
                  (quickvault--retry-handlers '("auth.passwordTooShort" "auth.passwordTooLong")
                                              (lambda (text) (setq remark text)))))
         (warning (car (append (plist-get answer :warnings) nil))))
    (cond (remark)
          ((not warning) nil)
          ((quickvault--confirm "%s  Use it anyway?" (quickvault--localized (plist-get warning :messages))) nil)
          (t ""))))

(defun quickvault--retry-handlers (kinds use)
  "Return handlers for errors of KINDS.
They call USE with the error's message and two spaces."
  (mapcar (lambda (kind)
            (cons kind (lambda (data)
                         (funcall use (concat (quickvault--localized (plist-get data :messages)) "  "))
                         nil)))
          kinds))

(defun quickvault--with-current-password (prompt use)
  "Read the password with PROMPT and call USE with it until it is accepted.
The second argument of USE is an alist of error handlers for
`quickvault--request'.  During a lockout, count the seconds down first."
  (let ((wait (quickvault--lockout-seconds))
        (remark ""))
    (while remark
      (quickvault--wait-for-lockout wait)
      (quickvault--with-password (password (concat remark prompt))
        (setq wait 0
              remark nil)
        (funcall use password
                 `(("auth.lockedOut" . ,(lambda (data)
                                          (setq remark ""
                                                wait (plist-get data :retryAfterSeconds))
                                          nil))
                   ("auth.wrongPassword" . ,(lambda (data)
                                              (setq remark (quickvault--wrong-password-text data)
                                                    wait (quickvault--lockout-seconds))
                                              nil))
                   ,@(quickvault--retry-handlers '("auth.passwordTooLong")
                                                 (lambda (text) (setq remark text)))))))))

(defun quickvault--wrong-password-text (data)
  "Return a message with the attempts left, from DATA of the error."
  (let ((left (plist-get data :attemptsLeft)))
    (pcase left
      (0 "")
      (1 (quickvault--text "Wrong password; 1 attempt left before a delay.  "))
      (_ (quickvault--text "Wrong password; %d attempts left before a delay.  " left)))))

(defun quickvault--lockout-seconds ()
  "Return the seconds until the vault accepts another password."
  (plist-get (plist-get (quickvault--request 'vault/status) :lockout) :retryAfterSeconds))

(defun quickvault--wait-for-lockout (seconds)
  "Count SECONDS down and discard what is typed; signal a `user-error' on quitting.
It may be the next password, which must not end up in the current buffer."
  (let ((until (time-add nil seconds))
        (message-log-max nil)
        left)
    (unwind-protect
        (condition-case nil
            (while (> (setq left (ceiling (float-time (time-subtract until nil)))) 0)
              (message "%s" (quickvault--text "Too many wrong passwords.  Next attempt in %d s (C-g to cancel)" left))
              (quickvault--discard-input 1))
          (quit (quickvault--fail "Too many wrong passwords.  Try again in %d s" left)))
      (clear-this-command-keys))
    (message nil)))

;;; Unlocking

;;;###autoload
(defun quickvault-unlock (&optional quietly)
  "Unlock the vault, or create it if there is none.
If it is unlocked, say so unless QUIETLY is non-nil."
  (interactive)
  (let ((status (quickvault--request 'vault/status)))
    (cond
     ((equal (plist-get status :setupStep) "welcome") (quickvault--create status))
     ((eq (plist-get status :locked) t) (quickvault--unlock status))
     ((quickvault--not-admitted-p status) (quickvault--be-admitted status))
     ((not quietly) (quickvault--message (quickvault--text "The vault is unlocked."))))))

(defun quickvault--ensure-unlocked ()
  "Unlock or create the vault if necessary."
  (quickvault-unlock 'quietly))

(defun quickvault--unlock (status)
  "Unlock with a fingerprint if possible by STATUS, else with the password."
  (let ((answer (quickvault--try-fingerprint status 'session/unlock)))
    (if (stringp answer)
        (quickvault--unlock-by-password
         (eq (plist-get status :locked) t)
         (concat answer
                 (when-let ((demo (plist-get status :demo)))
                   (quickvault--text "The password of the sample cards is %s.  " (plist-get demo :password)))))
      (quickvault--did-unlock answer nil))))

(defun quickvault--unlock-by-password (is-locked remark)
  "Ask for the master password until it is accepted, with REMARK before it.
If the user quits during the request, and the vault IS-LOCKED before, it
stays locked."
  (quickvault--with-current-password
   (concat remark (quickvault--text "Master password"))
   (lambda (password handlers)
     (when-let ((answer (condition-case nil
                            (quickvault--request 'session/unlock (list :password password)
                                                 handlers quickvault-password-timeout)
                          (quit
                           (when is-locked
                             (quickvault--request-later 'session/lock (make-hash-table) #'ignore #'ignore))
                           (signal 'quit nil)))))
       (quickvault--did-unlock answer password)
       answer))))

(defun quickvault--confirm-user ()
  "Have the user give a fingerprint or the password again.
That counts for a minute."
  (let ((answer (quickvault--try-fingerprint (quickvault--request 'vault/status) 'session/unlock)))
    (when (stringp answer)
      (quickvault--with-current-password
       (concat answer (quickvault--text "Master password, to confirm"))
       (lambda (password handlers)
         (quickvault--request 'session/unlock (list :password password)
                              handlers quickvault-password-timeout))))))

(defun quickvault--create (status)
  "Welcome a new user and create the vault of STATUS."
  (with-current-buffer (get-buffer-create "*QuickVault*")
    (quickvault--blank (current-buffer) (quickvault--welcome (plist-get status :path)))
    (setq quickvault--restore-function (if (commandp 'quickvault) 'quickvault #'quickvault-unlock))
    (pop-to-buffer-same-window (current-buffer)))
  (quickvault--with-new-password
   (lambda (password)
     (quickvault--did-unlock (quickvault--request 'vault/create (list :password password)
                                                  nil quickvault-password-timeout)
                             password))))

(defun quickvault--welcome (path)
  "Return the welcome text for a new vault at PATH."
  (string-join
   (list (quickvault--text "Welcome to QuickVault.")
         ""
         (quickvault--text "It keeps your addresses, invoice details and notes encrypted, and copies them with a keystroke.")
         (quickvault--text "The vault will be stored in %s." path)
         (quickvault--text "Nothing leaves this machine unless you turn on synchronisation, and then only encrypted.  M-x quickvault-privacy shows more.")
         (quickvault--text "One master password protects everything.  If you forget it, nothing can be recovered.")
         (quickvault--text "If another machine already has your vault, press C-g, and use M-x quickvault-sync-join.")
         ""
         (quickvault--text "Now choose a master password."))
   "\n"))

(defun quickvault--did-unlock (answer password)
  "Set up Emacs after an unlock with result ANSWER.
PASSWORD is nil after an unlock with a fingerprint."
  (quickvault--set-up answer)
  (dolist (warning
           (list (and quickvault--read-only
                      (quickvault--text "The vault can only be read: its file cannot be written, or the disk is full."))
                 (pcase (plist-get answer :integrity)
                   ("older"
                    (quickvault--text "This is an older copy of the vault.  Its newest card is from %s."
                                      (substring (or (plist-get (plist-get answer :older) :modifiedAt) "-         ") 0 10)))
                   ("damaged"
                    (quickvault--text "The vault is damaged: something is missing, or is an older version.  M-x quickvault-verify shows details.  You can still read the cards that open.")))))
    (when warning (display-warning 'quickvault warning)))
  (quickvault--log-message
   (concat (and password
                (eq (plist-get answer :offerBiometric) t)
                (quickvault--offer-fingerprint password))
           (quickvault--text "Unlocked.  Cards: %d" (plist-get answer :cardCount))
           (and quickvault--alone
                (quickvault--text "  Not shared with other programs; M-x quickvault-doctor says why"))
           (quickvault--drafts-remark))))

(defun quickvault--offer-fingerprint (password)
  "Offer to turn on fingerprint unlock with PASSWORD.
Return a message about the outcome and two spaces, or nil if the user
declines."
  (when (quickvault--confirm "Turn on fingerprint unlock?")
    (pcase (quickvault--await-fingerprint 'biometric/enable (list :password password) t)
      (`(answered ,_) (quickvault--text "You can now unlock the vault with your fingerprint.  "))
      (`(failed ,data) (quickvault--fingerprint-error-text data)))))

;;; Locking

;;;###autoload
(defun quickvault-lock (&optional ask)
  "Lock the vault and blank every buffer with its contents.
Interactively, or if ASK is non-nil, ask before unsaved input is lost
because the vault cannot keep it."
  (interactive '(t))
  (quickvault--put-drafts)
  (when (or (not (and ask (quickvault--unkept-input-p)))
            (quickvault--confirm "Discard your unsaved changes?"))
    (when (quickvault--running-p)
      (quickvault--request 'session/lock))
    ;; The notification may arrive late.
    (when (or quickvault--unlocked (not (quickvault--running-p)))
      (run-hook-with-args 'quickvault-lock-functions "request"))))

(provide 'quickvault-session)
;;; quickvault-session.el ends here
