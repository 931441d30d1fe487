;;; quickvault-settings.el --- Vault settings and event log  -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The QuickVault authors

;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; These settings are stored in the vault and apply to every client.  Options of Emacs
;; alone are in the customization group `quickvault'.

;;; Code:

(require 'quickvault-drafts)
(require 'quickvault-shared)

;;; Settings

;;;###autoload
(defun quickvault-settings ()
  "Edit the vault's settings in a form."
  (interactive)
  (unless (quickvault--offer-draft quickvault--settings-draft)
    (quickvault--edit-settings)))

(defun quickvault--edit-settings (&optional values)
  "Show a form to edit the vault's settings, with VALUES, the input of a draft."
  (quickvault--form "*QuickVault settings*" (quickvault--text "Settings of the vault")
                    (append (quickvault--settings-fields (plist-get (quickvault--request 'settings/get) :settings))
                            (quickvault--program-fields))
                    #'quickvault--save-settings)
  (when values (quickvault--form-draw (quickvault--form-current-fields values)))
  (quickvault--keep-draft quickvault--settings-draft))

(defun quickvault--program-fields ()
  "Return a heading and a button for each other program with access to the vault."
  (when-let ((programs (quickvault--other-programs t)))
    (cons (list :kind 'heading
                :label (quickvault--text "Other programs that use the vault; a button ends the access of one"))
          (mapcar (lambda (program)
                    (list :kind 'button :label (quickvault--program-name program) :program program
                          :action (lambda () (quickvault--revoke-from-form program))))
                  programs))))

(defun quickvault--revoke-from-form (program)
  "End the access of PROGRAM after asking, and redraw this form."
  (when (quickvault--confirm "End the access of %s?" (quickvault--program-name program))
    (quickvault-revoke-program program)
    (quickvault--form-draw
     (append (seq-remove (lambda (field) (plist-get field :program)) (quickvault--form-current-fields))
             (cdr (quickvault--program-fields))))))

(defun quickvault--settings-fields (settings)
  "Return the form fields for SETTINGS."
  (let ((templates (plist-get settings :copyTemplates)))
    (cl-flet ((seconds (key label)
                (list :key key :kind 'line :label label
                      :value (format "%s" (or (plist-get settings (intern (concat ":" key))) ""))))
              (check (key label)
                (list :key key :kind 'check :label label
                      :value (eq (plist-get settings (intern (concat ":" key))) t)))
              (template (type label)
                (list :key (concat "copyTemplates." type) :kind 'text :label label
                      :value (or (plist-get templates (intern (concat ":" type))) ""))))
      (list
       (seconds "autoLockSeconds" (quickvault--text "Lock when idle for (seconds; empty for never)"))
       (check "lockOnBackground"
              (if quickvault-lock-on-focus-loss
                  (quickvault--text "Lock when Emacs is suspended, or has lost the focus without an unsaved form")
                (quickvault--text "Lock when Emacs is suspended or its last frame is closed")))
       (check "lockWithDesktop" (quickvault--text "Lock when the desktop locks"))
       (check "lockOnSleep" (quickvault--text "Lock before the computer sleeps"))
       (check "biometricUnlock" (quickvault--text "Unlock with a fingerprint on bound devices"))
       (list :key "sharedUnlock" :kind 'choice
             :label (quickvault--text "When another program wants to use the unlocked vault")
             :value (plist-get settings :sharedUnlock)
             :choices `((,(quickvault--text "ask for consent") . "ask") (,(quickvault--text "allow it") . "always")
                        (,(quickvault--text "require the password") . "never")))
       (seconds "clipboardClearSeconds" (quickvault--text "Clear the clipboard after (seconds; empty for never)"))
       (list :key "language" :kind 'choice :label (quickvault--text "Language")
             :value (plist-get settings :language)
             :choices `((,(quickvault--text "system default") . "auto") ("English" . "en") ("简体中文" . "zh-Hans")))
       (list :kind 'button :label (quickvault--text "Change the master password")
             :action #'quickvault-change-password)
       (list :kind 'heading
             :label (quickvault--text "Copy templates, with field keys in braces: {name} {phone}"))
       (template "address" (quickvault--display-name "address"))
       (template "invoice" (quickvault--display-name "invoice"))
       (template "text" (quickvault--display-name "text"))))))

(defun quickvault--save-settings (values)
  "Save the settings in VALUES, an alist from the form."
  (let ((issues (quickvault--seconds-issues values))
        (form (current-buffer)))
    (if issues
        (quickvault--form-show-issues issues)
      (when-let ((answer (quickvault--request
                          'settings/update (quickvault--settings-object values)
                          `(("settings.invalid"
                             . ,(lambda (data) (quickvault--form-show-issues (plist-get data :issues)) nil))))))
        (quickvault--apply-language (plist-get answer :settings))
        (setq quickvault--auto-lock-seconds (plist-get (plist-get answer :settings) :autoLockSeconds))
        (with-current-buffer form (quickvault--discard-draft))
        (quickvault--discard form)
        (quickvault--refresh-all)
        (quickvault--notify (quickvault--text "Settings saved."))))))

(defun quickvault--seconds-issues (values)
  "Return issues for those of VALUES that should be numbers and are not."
  (cl-loop for (key . value) in values
           when (and (member key '("autoLockSeconds" "clipboardClearSeconds"))
                     (not (string-match-p "\\`[0-9]\\{0,9\\}\\'" (string-trim value))))
           collect (list :field key
                         :messages '(:en "Enter a whole number of seconds, or leave it empty."
                                     :zh-Hans "请输入整数秒数，或留空。"))))

(defun quickvault--settings-object (values)
  "Return VALUES, an alist from the form, as parameters of `settings/update'."
  (cl-loop with templates = (make-hash-table :test #'equal)
           for (key . value) in values
           for name = (intern (concat ":" key))
           if (string-prefix-p "copyTemplates." key)
           do (puthash (string-remove-prefix "copyTemplates." key)
                       (if (string-blank-p value) nil value)
                       templates)
           else append (list name
                             (pcase key
                               ((or "autoLockSeconds" "clipboardClearSeconds")
                                (if (string-blank-p value) nil (string-to-number value)))
                               ((or "language" "sharedUnlock") value)
                               (_ (if value t :json-false))))
           into settings
           finally return (append settings (list :copyTemplates templates))))

;;; Events

(define-derived-mode quickvault-events-mode tabulated-list-mode "QuickVault events"
  "Major mode for the lock and unlock history."
  :interactive nil
  (quickvault--protect-buffer #'quickvault-events)
  (setq-local revert-buffer-function (lambda (&rest _) (quickvault-events)))
  (setq tabulated-list-padding 1))

(defun quickvault--event-reason (event)
  "Return a text about the reason of EVENT, or how the vault was unlocked."
  (pcase (or (plist-get event :reason) (plist-get event :method) "")
    ("passwordChanged" (quickvault--text "Password changed elsewhere, or file replaced"))
    (value (quickvault--display-name value))))

;;;###autoload
(defun quickvault-events ()
  "Show when the vault was unlocked, locked or attempted, newest first."
  (interactive)
  (let ((items (plist-get (quickvault--request 'log/list '(:limit 1000)) :items)))
    (pop-to-buffer-same-window (get-buffer-create "*QuickVault events*"))
    (quickvault-events-mode)
    (setq tabulated-list-format `[(,(quickvault--text "Time") 17 t)
                                  (,(quickvault--text "Event") 30 t)
                                  (,(quickvault--text "Reason") 0 t)]
          tabulated-list-entries (seq-map-indexed
                                  (lambda (item index)
                                    (list index
                                          (vector (quickvault--time (plist-get item :at))
                                                  (quickvault--display-name (plist-get item :event))
                                                  (quickvault--event-reason item))))
                                  items))
    (tabulated-list-init-header)
    (tabulated-list-print)))

(provide 'quickvault-settings)
;;; quickvault-settings.el ends here
