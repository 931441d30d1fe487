;;; quickvault-fingerprint.el --- Fingerprint unlock and bound devices  -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The QuickVault authors

;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; If this device is bound to the vault, you are asked for a fingerprint first.  The
;; echo area shows the progress, and any key switches to the password.

;;; Code:

(require 'quickvault-buffer)

(autoload 'quickvault--with-current-password "quickvault-session")
(declare-function quickvault--time "quickvault-card")
(declare-function quickvault--one-line "quickvault-card")
(declare-function quickvault-lock "quickvault-session")

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

;;;###autoload
(defun quickvault-enable-fingerprint ()
  "Bind this device to the vault, so that your fingerprint unlocks it.
Ask for the password and then for a fingerprint."
  (interactive)
  (quickvault--with-current-password
   (quickvault--text "Master password")
   (lambda (password handlers)
     (when-let ((text (quickvault--bind-device password handlers)))
       (quickvault--log-message text)))))

(defun quickvault--bind-device (password &optional handlers)
  "Bind this device with PASSWORD and return a message about the outcome.
HANDLERS handle a wrong password and return nil."
  (pcase (quickvault--await-fingerprint 'biometric/enable (list :password password) t)
    (`(answered ,_) (quickvault--text "You can now unlock the vault with your fingerprint."))
    (`(failed ,data)
     (let ((handler (cdr (assoc (plist-get data :kind) handlers)))
           (text (string-trim (quickvault--fingerprint-error-text data))))
       (cond (handler (funcall handler data))
             ((string-empty-p text) (quickvault--text "Nothing was changed."))
             (t (user-error "%s" text)))))))

;;;###autoload
(defun quickvault-disable-fingerprint ()
  "Remove the binding of this device to the vault."
  (interactive)
  (unless (seq-some (lambda (device) (eq (plist-get device :thisDevice) t))
                    (plist-get (quickvault--request 'device/list) :items))
    (user-error "%s" (quickvault--text "Fingerprint unlock is not turned on on this device")))
  (when (quickvault--confirm "Turn off fingerprint unlock on this device?")
    (quickvault--request 'biometric/disable)
    (quickvault--log-message (quickvault--text "Fingerprint unlock is off.  Only the password unlocks the vault now."))))

;;;###autoload
(defun quickvault-fingerprint-status ()
  "Show whether fingerprint unlock works here, and what is missing."
  (interactive)
  (let ((status (quickvault--request 'biometric/status)))
    (with-help-window "*QuickVault help*"
      (with-current-buffer standard-output
        (insert (cond ((eq (plist-get status :biometricUnlock) :json-false)
                       (quickvault--text
                        "Fingerprint unlock is turned off in the settings.  See M-x quickvault-settings."))
                      ((eq (plist-get status :enabled) t)
                       (quickvault--text "This device is bound: your fingerprint unlocks the vault."))
                      ((eq (plist-get status :available) t)
                       (quickvault--text "Fingerprint unlock is available.  Turn it on with M-x quickvault-enable-fingerprint."))
                      (t (quickvault--text "Fingerprint unlock is not available here.")))
                "\n\n")
        (pcase-dolist (`(,key . ,name) `((:fingerprint . ,(quickvault--text "Fingerprint reader"))
                                         (:keychain . ,(quickvault--text "Keychain"))
                                         (:session . ,(quickvault--text "Desktop session"))))
          (let* ((part (plist-get status key))
                 (messages (plist-get part :messages)))
            (insert (quickvault--text "%s: " name)
                    (cond (messages (quickvault--localized messages))
                          ((plist-get part :message))
                          (t (quickvault--text "ready")))
                    "\n")))))))

;;; Devices

(defvar quickvault-devices-mode-map
  (let ((map (make-sparse-keymap)))
    (set-keymap-parent map tabulated-list-mode-map)
    (define-key map "d" #'quickvault-revoke-device)
    (define-key map "L" #'quickvault-lock)
    map)
  "Keymap of `quickvault-devices-mode'.")

(define-derived-mode quickvault-devices-mode tabulated-list-mode "QuickVault devices"
  "Major mode for the list of devices bound to the vault.
\\{quickvault-devices-mode-map}"
  :interactive nil
  (quickvault--protect-buffer #'quickvault-devices)
  (setq-local revert-buffer-function (lambda (&rest _) (quickvault-devices)))
  (setq tabulated-list-padding 1))

;;;###autoload
(defun quickvault-devices ()
  "List the devices bound to the vault.
\\<quickvault-devices-mode-map>\\[quickvault-revoke-device] there removes the binding of a device."
  (interactive)
  (let ((items (plist-get (quickvault--request 'device/list) :items)))
    (pop-to-buffer-same-window (get-buffer-create "*QuickVault devices*"))
    (quickvault-devices-mode)
    (setq tabulated-list-format `[(,(quickvault--text "Device") 30 t)
                                  (,(quickvault--text "Bound") 17 t)
                                  (,(quickvault--text "Last used") 17 t)
                                  (,(quickvault--text "Note") 0 t)]
          tabulated-list-entries (mapcar #'quickvault--device-row items))
    (tabulated-list-init-header)
    (tabulated-list-print)
    (when (seq-empty-p items)
      (let ((inhibit-read-only t))
        (insert (quickvault--text "  No devices are bound.  Use M-x quickvault-enable-fingerprint to bind this one.") "\n")))))

(defun quickvault--device-row (device)
  "Return the table row of DEVICE."
  (list device
        (vector (quickvault--one-line (plist-get device :name))
                (quickvault--time (plist-get device :createdAt))
                (if-let ((used (plist-get device :lastUsedAt))) (quickvault--time used) "")
                (if (eq (plist-get device :thisDevice) t) (quickvault--text "this device") ""))))

(defun quickvault-revoke-device (device)
  "Remove the binding of DEVICE, which may be another machine."
  (interactive
   (progn (quickvault--check-mode 'quickvault-devices-mode)
          (list (tabulated-list-get-id)))
   quickvault-devices-mode)
  (unless device (user-error "%s" (quickvault--text "There is no device on this line")))
  (when (quickvault--confirm "Remove the binding of “%s”?" (plist-get device :name))
    (quickvault--request 'device/revoke (list :id (plist-get device :id)))
    (quickvault-devices)))

(provide 'quickvault-fingerprint)
;;; quickvault-fingerprint.el ends here
