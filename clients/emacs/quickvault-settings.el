;;; quickvault-settings.el --- The vault's settings and its event log  -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The QuickVault authors

;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; The settings belong to the vault and hold for every program that opens it; what
;; belongs to Emacs alone is in the customization group `quickvault'.

;;; Code:

(require 'quickvault-form)

;;; Settings

;;;###autoload
(defun quickvault-settings ()
  "Edit the vault's settings in a form."
  (interactive)
  (let ((settings (plist-get (quickvault--request 'settings/get) :settings)))
    (quickvault--form "*QuickVault settings*" (quickvault--text "Settings of the vault")
                      (quickvault--settings-fields settings)
                      #'quickvault--save-settings)))

(defun quickvault--settings-fields (settings)
  "The fields of the form of SETTINGS."
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
       (seconds "autoLockSeconds" (quickvault--text "Lock after so many seconds without use; empty for never"))
       (check "lockOnBackground" (quickvault--text "Lock when Emacs goes to the background"))
       (check "lockWithDesktop" (quickvault--text "Lock with the desktop"))
       (check "lockOnSleep" (quickvault--text "Lock before the machine sleeps"))
       (check "biometricUnlock" (quickvault--text "Unlock with a finger where a device is bound"))
       (seconds "clipboardClearSeconds" (quickvault--text "Clear the clipboard after so many seconds; empty for never"))
       (list :key "language" :kind 'choice :label (quickvault--text "Language")
             :value (plist-get settings :language)
             :choices `((,(quickvault--text "as the system's") . "auto") ("English" . "en") ("简体中文" . "zh-Hans")))
       (list :kind 'heading
             :label (quickvault--text "Copy templates, with field keys in braces: {name} {phone}"))
       (template "address" (quickvault--name-of "address"))
       (template "invoice" (quickvault--name-of "invoice"))
       (template "text" (quickvault--name-of "text"))))))

(defun quickvault--save-settings (values)
  "Save the settings with VALUES of the form."
  (let ((issues (quickvault--seconds-issues values))
        (form (current-buffer)))
    (if issues
        (quickvault--form-refuse issues)
      (when-let ((answer (quickvault--request
                          'settings/update (quickvault--settings-object values)
                          `(("settings.invalid"
                             . ,(lambda (data) (quickvault--form-refuse (plist-get data :issues)) nil))))))
        (quickvault--follow-language (plist-get answer :settings))
        (setq quickvault--lock-after (plist-get (plist-get answer :settings) :autoLockSeconds))
        (quickvault--discard form)
        (quickvault--refresh-all)
        (quickvault--notice (quickvault--text "Settings saved."))))))

(defun quickvault--seconds-issues (values)
  "Issues of those of VALUES that should be numbers and are not."
  (cl-loop for (key . value) in values
           when (and (member key '("autoLockSeconds" "clipboardClearSeconds"))
                     (not (string-match-p "\\`[0-9]*\\'" (string-trim value))))
           collect (list :field key
                         :messages '(:en "A whole number of seconds, or nothing."
                                     :zh-Hans "应为整数秒，或留空。"))))

(defun quickvault--settings-object (values)
  "VALUES of the form as parameters of settings/update."
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
                               ("language" value)
                               (_ (if value t :json-false))))
           into settings
           finally return (append settings (list :copyTemplates templates))))

;;; Events

(define-derived-mode quickvault-events-mode tabulated-list-mode "QuickVault events"
  "Mode of the list of what happened to the vault's lock."
  (quickvault--guard #'quickvault-events)
  (setq-local revert-buffer-function (lambda (&rest _) (quickvault-events)))
  (setq tabulated-list-padding 1))

;;;###autoload
(defun quickvault-events ()
  "Show when the vault was unlocked, locked or tried, the newest first."
  (interactive)
  (let ((items (plist-get (quickvault--request 'log/list '(:limit 1000)) :items)))
    (pop-to-buffer-same-window (get-buffer-create "*QuickVault events*"))
    (quickvault-events-mode)
    (setq tabulated-list-format `[(,(quickvault--text "When") 17 t)
                                  (,(quickvault--text "Event") 30 t)
                                  (,(quickvault--text "Why") 0 t)]
          tabulated-list-entries (seq-map-indexed
                                  (lambda (item index)
                                    (list index
                                          (vector (quickvault--time (plist-get item :at))
                                                  (quickvault--name-of (plist-get item :event))
                                                  (quickvault--name-of (or (plist-get item :reason)
                                                                           (plist-get item :method)
                                                                           "")))))
                                  items))
    (tabulated-list-init-header)
    (tabulated-list-print)))

(provide 'quickvault-settings)
;;; quickvault-settings.el ends here
