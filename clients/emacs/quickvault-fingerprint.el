;;; quickvault-fingerprint.el --- Unlock with a fingerprint  -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The QuickVault authors

;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; If this device is bound to the vault, you are asked for a fingerprint first.  The
;; echo area shows the progress, and any key switches to the password.

;;; Code:

(require 'quickvault-buffer)


(defconst quickvault--fingerprint-timeout 60
  "Seconds to wait for the program to answer a fingerprint request.
The program itself stops waiting for a finger after half that time.")

;;; Waiting for a fingerprint

(defun quickvault--discard-input (seconds)
  "Discard what is typed within SECONDS; quit on `C-g'."
  (when (eq (read-event nil nil seconds) ?\C-g)
    (signal 'quit nil)))

(defun quickvault--await-fingerprint (method params &optional password-known)
  "Call METHOD with PARAMS and wait for a fingerprint or a key.
Return a list: `answered' and the result; `failed' and the data of the
error; or `key' if a key was pressed.  A key or quitting cancels the
request.  If PASSWORD-KNOWN, only quitting does, and input is discarded."
  (let* ((connection (quickvault--ensure-connection))
         (quickvault--sent-id nil)
         (shown (quickvault--text "Waiting for the fingerprint reader..."))
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
         (message-log-max nil)
         outcome)
    (jsonrpc-async-request
     connection method params
     :timeout quickvault--fingerprint-timeout
     :success-fn (lambda (result) (setq outcome (list 'answered result)))
     :error-fn (jsonrpc-lambda (&key data &allow-other-keys) (setq outcome (list 'failed data)))
     :timeout-fn (lambda () (setq outcome '(failed nil))))
    (unwind-protect
        (while (not outcome)
          (if password-known
              (progn (message "%s" (quickvault--text "%s  (C-g to cancel)" shown))
                     (quickvault--discard-input 0.2))
            (message "%s" (quickvault--text "%s  (press any key for the password)" shown))
            (when (read-event nil nil 0.2)
              (setq outcome '(key))
              (quickvault--cancel connection quickvault--sent-id))))
      (unless outcome (quickvault--cancel connection quickvault--sent-id))
      (message nil))
    outcome))

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

;;; Binding this device

(defun quickvault--bind-device (password)
  "Bind this device with PASSWORD and return a message about the outcome."
  (pcase (quickvault--await-fingerprint 'biometric/enable (list :password password) t)
    (`(answered ,_) (quickvault--text "You can now unlock the vault with your fingerprint."))
    (`(failed ,data)
     (let ((text (string-trim (quickvault--fingerprint-error-text data))))
       (if (string-empty-p text) (quickvault--text "Nothing was changed.") (user-error "%s" text))))))

(provide 'quickvault-fingerprint)
;;; quickvault-fingerprint.el ends here
