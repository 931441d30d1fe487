;;; quickvault-session.el --- Setup, unlocking, locking, password  -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The QuickVault authors

;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; Passwords are read by `read-passwd' and cleared after use.

;;; Code:

(require 'quickvault-background)
(require 'quickvault-fingerprint)
(require 'quickvault-shared)

(declare-function quickvault--drafts-remark "quickvault-drafts")
(autoload 'quickvault--unkept-input-p "quickvault-drafts")

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
          (quit (user-error "%s" (quickvault--text "Too many wrong passwords.  Try again in %d s" left))))
      (clear-this-command-keys))
    (message nil)))

;;; Unlocking

;;;###autoload
(defun quickvault-unlock ()
  "Unlock the vault, or create it if there is none."
  (interactive)
  (let ((status (quickvault--request 'vault/status)))
    (cond
     ((equal (plist-get status :setupStep) "welcome") (quickvault--create status))
     ((eq (plist-get status :locked) t) (quickvault--unlock status))
     ((quickvault--not-admitted-p status) (quickvault--be-admitted status))
     (t (quickvault--message (quickvault--text "The vault is unlocked."))))))

(defun quickvault--ensure-unlocked ()
  "Unlock or create the vault if necessary."
  (let ((status (quickvault--request 'vault/status)))
    (when (or (eq (plist-get status :locked) t)
              (quickvault--not-admitted-p status)
              (equal (plist-get status :setupStep) "welcome"))
      (quickvault-unlock))))

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
  (when quickvault--read-only
    (display-warning 'quickvault
                     (quickvault--text "The vault can only be read: its file cannot be written, or the disk is full.")))
  (when (equal (plist-get answer :integrity) "older")
    (display-warning 'quickvault
                     (quickvault--text "This is an older copy of the vault.  Its newest card is from %s."
                                       (substring (or (plist-get (plist-get answer :older) :modifiedAt) "-         ") 0 10))))
  (when (equal (plist-get answer :integrity) "damaged")
    (display-warning 'quickvault
                     (quickvault--text "The vault is damaged: something is missing, or is an older version.  M-x quickvault-verify shows details.  You can still read the cards that open.")))
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
    (concat (condition-case failure
                (quickvault--bind-device password)
              (user-error (error-message-string failure)))
            "  ")))

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
