;;; quickvault-finger.el --- Unlocking with a finger, and bound devices  -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The QuickVault authors

;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; Where this device is bound to the vault, a finger is asked for first.  How it goes
;; stands in the echo area, and any key leads to the password at once.

;;; Code:

(require 'quickvault-buffer)

(declare-function quickvault--with-old-password "quickvault-session")
(declare-function quickvault--time "quickvault-card")
(declare-function quickvault--one-line "quickvault-card")
(declare-function quickvault-lock "quickvault-session")

(defconst quickvault--finger-timeout 60
  "Seconds after which a program that does not answer is given up.
It ends the wait for a finger itself after half of them.")

;;; Waiting for a finger

(defun quickvault--await-finger (method params)
  "Ask METHOD with PARAMS until a finger or a key comes.
Return a list of `answered' and the result, `refused' and the error's data,
or `key'.  A key, and quitting, end the wait."
  (let* ((connection (quickvault--connected))
         (quickvault--sent-id nil)
         (shown (quickvault--text "Waiting for the reader..."))
         remark
         (quickvault--finger-functions
          (list (lambda (state)
                  (setq shown (quickvault--own-language (plist-get state :messages)))
                  ;; The reader is ready again at once, before anybody could read what was wrong.
                  (if (equal (plist-get state :state) "scanning")
                      (setq shown (or remark shown))
                    (setq remark shown))
                  (when (equal (plist-get state :reason) "notMatched")
                    (setq remark (quickvault--text "%s  Tries left: %d." shown
                                                   (plist-get state :attemptsLeft)))))))
         (message-log-max nil)
         outcome)
    (jsonrpc-async-request
     connection method params
     :timeout quickvault--finger-timeout
     :success-fn (lambda (result) (setq outcome (list 'answered result)))
     :error-fn (jsonrpc-lambda (&key data &allow-other-keys) (setq outcome (list 'refused data)))
     :timeout-fn (lambda () (setq outcome '(refused nil))))
    (unwind-protect
        (while (not outcome)
          (message "%s" (quickvault--text "%s  (any key: password)" shown))
          (when (read-event nil nil 0.2)
            (setq outcome '(key))
            (quickvault--cancel connection quickvault--sent-id)))
      (unless outcome (quickvault--cancel connection quickvault--sent-id))
      (message nil))
    outcome))

(defun quickvault--finger-refusal (data)
  "Words for a refusal with DATA, and two spaces; none if it was cancelled."
  (let ((messages (plist-get data :messages)))
    (if (or (null messages) (equal (plist-get data :kind) "biometric.userCancel"))
        ""
      (concat (quickvault--own-language messages) "  "))))

(defun quickvault--ask-for-finger (status method &optional params)
  "Ask METHOD with PARAMS and a finger where this device is bound by STATUS.
Return the answer, or a string with the reason to ask for the password."
  (if (not (eq (plist-get (plist-get status :biometric) :enabled) t))
      ""
    (pcase (quickvault--await-finger method (append params '(:method "biometric")))
      (`(answered ,answer) answer)
      (`(refused ,data)
       (let ((words (quickvault--finger-refusal data)))
         ;; What has nothing to do with the finger the password does not help either.
         (if (string-match-p "\\`\\(biometric\\|device\\|keychain\\|rpc\\)\\." (or (plist-get data :kind) "rpc."))
             words
           (user-error "%s" (string-trim words)))))
      (_ ""))))

;;; Binding this device

;;;###autoload
(defun quickvault-enable-fingerprint ()
  "Bind this device to the vault, so that a finger unlocks it.
The password is asked for, and then a finger."
  (interactive)
  (quickvault--with-old-password
   (quickvault--text "Master password")
   (lambda (password handlers)
     (quickvault--bind-device password handlers))))

(defun quickvault--bind-device (password &optional handlers)
  "Bind this device, with PASSWORD; HANDLERS are for a wrong one."
  (pcase (quickvault--await-finger 'biometric/enable (list :password password))
    (`(answered ,_) (quickvault--notice (quickvault--text "A finger unlocks the vault from now on.")))
    (`(refused ,data)
     (let ((handler (cdr (assoc (plist-get data :kind) handlers)))
           (words (string-trim (quickvault--finger-refusal data))))
       (cond (handler (funcall handler data))
             ((string-empty-p words) (quickvault--notice (quickvault--text "Nothing was changed.")))
             (t (user-error "%s" words)))))
    (_ (quickvault--notice (quickvault--text "Nothing was changed.")))))

;;;###autoload
(defun quickvault-disable-fingerprint ()
  "Take this device's binding to the vault away."
  (interactive)
  (when (quickvault--confirm "Unlock with the password alone from now on?")
    (quickvault--request 'biometric/disable)
    (quickvault--notice (quickvault--text "The password alone unlocks the vault now."))))

;;;###autoload
(defun quickvault-fingerprint-status ()
  "Say whether a finger can unlock the vault here, and what is missing."
  (interactive)
  (let ((status (quickvault--request 'biometric/status)))
    (with-help-window "*QuickVault help*"
      (with-current-buffer standard-output
        (insert (cond ((eq (plist-get status :biometricUnlock) :json-false)
                       (quickvault--text
                        "A finger does not unlock the vault: the settings say so.  M-x quickvault-settings"))
                      ((eq (plist-get status :enabled) t)
                       (quickvault--text "This device is bound: a finger unlocks the vault."))
                      ((eq (plist-get status :available) t)
                       (quickvault--text "A finger could unlock the vault: M-x quickvault-enable-fingerprint."))
                      (t (quickvault--text "A finger cannot unlock the vault here.")))
                "\n\n")
        (pcase-dolist (`(,key . ,name) `((:fingerprint . ,(quickvault--text "Fingerprint reader"))
                                         (:keychain . ,(quickvault--text "Keychain"))
                                         (:session . ,(quickvault--text "Desktop session"))))
          (let* ((part (plist-get status key))
                 (messages (plist-get part :messages)))
            (insert (format "%s: %s\n" name
                            (cond (messages (quickvault--own-language messages))
                                  ((plist-get part :message))
                                  (t (quickvault--text "ready")))))))))))

;;; Devices

(defvar quickvault-devices-mode-map
  (let ((map (make-sparse-keymap)))
    (set-keymap-parent map tabulated-list-mode-map)
    (define-key map "d" #'quickvault-revoke-device)
    (define-key map "L" #'quickvault-lock)
    map)
  "Keys of the list of devices.")

(define-derived-mode quickvault-devices-mode tabulated-list-mode "QuickVault devices"
  "Mode of the list of devices that are bound to the vault.
\\{quickvault-devices-mode-map}"
  (quickvault--guard #'quickvault-devices)
  (setq-local revert-buffer-function (lambda (&rest _) (quickvault-devices)))
  (setq tabulated-list-padding 1))

;;;###autoload
(defun quickvault-devices ()
  "Show the devices whose fingers unlock the vault; d takes one's binding away."
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
        (insert (quickvault--text "  No device is bound.  M-x quickvault-enable-fingerprint binds this one.") "\n")))))

(defun quickvault--device-row (device)
  "The row of DEVICE."
  (list device
        (vector (quickvault--one-line (plist-get device :name))
                (quickvault--time (plist-get device :createdAt))
                (if-let ((used (plist-get device :lastUsedAt))) (quickvault--time used) "")
                (if (eq (plist-get device :thisDevice) t) (quickvault--text "this device") ""))))

(defun quickvault-revoke-device (device)
  "Take the binding of DEVICE away, wherever it is."
  (interactive (list (tabulated-list-get-id)))
  (unless device (user-error "%s" (quickvault--text "There is no device on this line")))
  (when (quickvault--confirm "“%s” unlocks the vault no more?" (plist-get device :name))
    (quickvault--request 'device/revoke (list :id (plist-get device :id)))
    (quickvault-devices)))

(provide 'quickvault-finger)
;;; quickvault-finger.el ends here
