;;; quickvault-session.el --- First run, unlocking, locking, the password  -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The QuickVault authors

;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; Passwords are read by `read-passwd' and cleared after use.

;;; Code:

(require 'quickvault-background)
(require 'quickvault-finger)

;;; Passwords

(defmacro quickvault--with-password (binding &rest body)
  "Read a password and evaluate BODY with it, then clear it.
BINDING is a list of a variable and a prompt without its colon."
  (declare (indent 1) (debug ((symbolp form) body)))
  (let ((variable (car binding)))
    `(let ((,variable (quickvault--read-password ,(cadr binding))))
       (unwind-protect (progn ,@body)
         (clear-string ,variable)))))

(defun quickvault--read-password (prompt)
  "Read a password with PROMPT; the keys typed are not kept either."
  (prog1 (read-passwd (concat prompt ": "))
    (clear-this-command-keys)))

(defun quickvault--with-new-password (use)
  "Read a new password twice and call USE with it until it suits.
USE gets the handlers of what may be wrong with it as a second argument."
  (let ((remark ""))
    (while remark
      (quickvault--with-password
          (password (concat remark (quickvault--text "New master password, at least 8 characters")))
        (quickvault--with-password (again (quickvault--text "The same password again"))
          (setq remark nil)
          (if (equal password again)
              (funcall use password
                       (quickvault--remarks '("auth.passwordTooShort" "auth.passwordTooLong")
                                            (lambda (text) (setq remark text))))
            (setq remark (quickvault--text "The two differ.  "))))))))

(defun quickvault--remarks (kinds use)
  "Handlers of errors of KINDS that call USE with their words and two spaces."
  (mapcar (lambda (kind)
            (cons kind (lambda (data)
                         (funcall use (concat (quickvault--own-language (plist-get data :messages)) "  "))
                         nil)))
          kinds))

(defun quickvault--with-old-password (prompt use)
  "Read the password with PROMPT and call USE with it until it is right.
USE gets the handlers of a wrong one as a second argument.  While the
vault refuses every password, wait."
  (let ((wait (quickvault--wait-now))
        (remark ""))
    (while remark
      (quickvault--wait-out wait)
      (quickvault--with-password (password (concat remark prompt))
        (setq wait 0
              remark nil)
        (funcall use password
                 `(("auth.lockedOut" . ,(lambda (data)
                                          (setq remark ""
                                                wait (plist-get data :retryAfterSeconds))
                                          nil))
                   ("auth.wrongPassword" . ,(lambda (data)
                                              (setq remark (quickvault--wrong-password data)
                                                    wait (quickvault--wait-now))
                                              nil))
                   ,@(quickvault--remarks '("auth.passwordTooLong")
                                          (lambda (text) (setq remark text)))))))))

(defun quickvault--wrong-password (data)
  "Say how much is left before a wait, by DATA of the error."
  (let ((left (plist-get data :attemptsLeft)))
    (pcase left
      (0 "")
      (1 (quickvault--text "Wrong password; 1 more try before a wait.  "))
      (_ (quickvault--text "Wrong password; %d more tries before a wait.  " left)))))

(defun quickvault--wait-now ()
  "The seconds until a password may be tried."
  (plist-get (plist-get (quickvault--request 'vault/status) :lockout) :retryAfterSeconds))

(defun quickvault--wait-out (seconds)
  "Count SECONDS down; a key ends the waiting."
  (let ((until (time-add nil seconds))
        (message-log-max nil)
        left)
    (while (> (setq left (ceiling (float-time (time-subtract until nil)))) 0)
      (message "%s" (quickvault--text "Too many wrong passwords.  The next try is in %d s; any key leaves" left))
      (unless (sit-for 1)
        (user-error "%s" (quickvault--text "Too many wrong passwords.  Try again in %d s" left))))
    (message nil)))

;;; Unlocking

;;;###autoload
(defun quickvault-unlock ()
  "Unlock the vault.  Where there is none yet, lead through its making."
  (interactive)
  (let ((status (quickvault--request 'vault/status)))
    (cond
     ((equal (plist-get status :setupStep) "welcome") (quickvault--create status))
     ((eq (plist-get status :locked) t) (quickvault--unlock status))
     (t (quickvault--notice (quickvault--text "The vault is unlocked."))))))

(defun quickvault--ensure-unlocked ()
  "Unlock or create the vault if need be."
  (let ((status (quickvault--request 'vault/status)))
    (when (or (eq (plist-get status :locked) t)
              (equal (plist-get status :setupStep) "welcome"))
      (quickvault-unlock))))

(defun quickvault--unlock (status)
  "Ask for a finger where one may do by STATUS, else for the password."
  (let ((answer (quickvault--ask-for-finger status 'session/unlock)))
    (if (stringp answer)
        (quickvault--unlock-by-password
         (concat answer
                 (when-let ((demo (plist-get status :demo)))
                   (quickvault--text "The password of the sample cards is %s.  " (plist-get demo :password)))))
      (quickvault--opened answer nil))))

(defun quickvault--unlock-by-password (remark)
  "Ask for the master password, after REMARK, until it is right."
  (quickvault--with-old-password
   (concat remark (quickvault--text "Master password"))
   (lambda (password handlers)
     (when-let ((answer (quickvault--request 'session/unlock (list :password password)
                                             handlers quickvault-password-timeout)))
       (quickvault--opened answer password)
       answer))))

(defun quickvault--create (status)
  "Welcome a new user and create the vault of STATUS."
  (with-current-buffer (get-buffer-create "*QuickVault*")
    (quickvault--blank (current-buffer) (quickvault--welcome (plist-get status :path)))
    (setq quickvault--revive (if (commandp 'quickvault) 'quickvault #'quickvault-unlock))
    (pop-to-buffer-same-window (current-buffer)))
  (quickvault--with-new-password
   (lambda (password handlers)
     (when-let ((answer (quickvault--request 'vault/create (list :password password)
                                             handlers quickvault-password-timeout)))
       (quickvault--opened answer password)
       answer))))

(defun quickvault--welcome (path)
  "Words for a new user whose vault will be at PATH."
  (string-join
   (list (quickvault--text "Welcome to QuickVault.")
         ""
         (quickvault--text "It keeps addresses, invoice details and notes encrypted, and copies them in a keystroke.")
         (quickvault--text "Everything is locked by one master password.  Without it there is no way back to what is inside.")
         (quickvault--text "The vault will be %s." path)
         ""
         (quickvault--text "Now choose the master password."))
   "\n"))

(defun quickvault--opened (answer password)
  "Begin to use the vault that PASSWORD, or a finger, unlocked with ANSWER."
  (setq quickvault--unlocked t
        quickvault--lock-after (plist-get answer :autoLockSeconds))
  (quickvault--watch)
  (quickvault--follow-language (plist-get (quickvault--request 'settings/get) :settings))
  (when (and password (eq (plist-get answer :offerBiometric) t))
    (quickvault--offer-fingerprint password))
  (if (equal (plist-get answer :integrity) "damaged")
      (display-warning 'quickvault
                       (quickvault--text "Something is missing from the vault or was put back.  M-x quickvault-verify says more; what opens can be read."))
    (quickvault--notice (quickvault--text "Unlocked.  Cards: %d" (plist-get answer :cardCount)))))

(defun quickvault--offer-fingerprint (password)
  "Offer to unlock with a finger from now on; PASSWORD enables it."
  (when (quickvault--confirm "Unlock with a finger from now on?")
    (quickvault--bind-device password)))

;;; Locking

;;;###autoload
(defun quickvault-lock ()
  "Lock the vault now, and blank every buffer with something of it."
  (interactive)
  (when (quickvault--running-p)
    (quickvault--request 'session/lock))
  ;; Not left to the notice, which may be late.
  (run-hook-with-args 'quickvault-lock-functions "request"))

;;; The vault as a whole

;;;###autoload
(defun quickvault-change-password ()
  "Change the master password; the old one is asked for."
  (interactive)
  (quickvault--with-old-password
   (quickvault--text "The master password as it is now")
   (lambda (old wrong)
     ;; Checked before the new one is typed twice for nothing.
     (when (quickvault--request 'session/unlock (list :password old) wrong quickvault-password-timeout)
       (quickvault--with-new-password
        (lambda (new unfit)
          (quickvault--request 'vault/changePassword (list :oldPassword old :newPassword new)
                               unfit quickvault-password-timeout))))))
  (quickvault--notice (quickvault--text "The master password was changed.")))

;;;###autoload
(defun quickvault-delete-vault ()
  "Delete the vault for good, after its file name and its password."
  (interactive)
  (let* ((path (plist-get (quickvault--request 'vault/status) :path))
         (name (file-name-nondirectory path))
         (typed (quickvault--without-trace
                  (read-string (quickvault--text "Every card will be gone for good.  Type the vault's file name, %s, to go on: " name)
                               nil t))))
    (unless (equal typed name)
      (user-error "%s" (quickvault--text "That is not its name.  Nothing was deleted")))
    (quickvault--with-old-password
     (quickvault--text "Master password")
     (lambda (password wrong)
       (quickvault--request 'vault/delete (list :password password :confirm typed)
                            wrong quickvault-password-timeout)))
    (run-hook-with-args 'quickvault-lock-functions "deleted")))

;;;###autoload
(defun quickvault-verify ()
  "Check the whole vault, and say what is damaged."
  (interactive)
  (let* ((reporter (make-progress-reporter (quickvault--text "Checking the vault...") 0 100))
         (quickvault--progress-functions
          (list (lambda (_token value)
                  (when-let ((percentage (plist-get value :percentage)))
                    (progress-reporter-update reporter percentage)))))
         (result (quickvault--request 'vault/verify '(:progressToken "verify") nil 3600)))
    (quickvault--report
     (if (eq (plist-get result :intact) t)
         (quickvault--text "The vault is whole.  Cards: %d" (plist-get result :cards))
       (quickvault--text "The vault is damaged.  Records that do not open: %d of %d.  M-x quickvault-repair keeps the others"
                         (length (plist-get result :damaged)) (plist-get result :cards))))))

(provide 'quickvault-session)
;;; quickvault-session.el ends here
