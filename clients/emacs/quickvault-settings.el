;;; quickvault-settings.el --- Vault settings and event log  -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The QuickVault authors

;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; These settings are stored in the vault and apply to every client.  Options of Emacs
;; alone are in the customization group `quickvault'.

;;; Code:

(require 'quickvault-drafts)
(require 'quickvault-qv)

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
                    (quickvault--settings-fields (quickvault--request 'settings/get))
                    #'quickvault--save-settings)
  (when values (quickvault--form-draw (quickvault--form-current-fields values)))
  (quickvault--keep-draft quickvault--settings-draft))

(defun quickvault--settings-fields (answer)
  "Return the form fields for ANSWER, the one of `settings/get'."
  (let ((settings (plist-get answer :settings)) fields templates)
    (dolist (setting (append (plist-get answer :descriptions) nil))
      (if (equal (plist-get setting :kind) "template")
          (push (quickvault--setting-field setting (plist-get settings :copyTemplates)) templates)
        (push (quickvault--setting-field setting settings) fields)))
    (append (nreverse fields)
            (and quickvault-shared
                 (list (list :kind 'button :label (quickvault--text "Programs that use the vault")
                             :action #'quickvault-programs)))
            (list (list :kind 'button :label (quickvault--text "Change the master password")
                        :action #'quickvault-change-password)
                  (list :kind 'heading
                        :label (quickvault--text "Copy templates, with field keys in braces: {name} {phone}")))
            (nreverse templates))))

(defun quickvault--setting-field (setting values)
  "Return the form field for SETTING, a description, with its value in VALUES."
  (let* ((name (plist-get setting :name))
         (value (plist-get values (intern (concat ":" (string-remove-prefix "copyTemplates." name)))))
         (kind (plist-get setting :kind)))
    (append (list :key name :label (quickvault--setting-label setting) :form kind)
            (pcase kind
              ("flag" (list :kind 'check :value (eq value t)))
              ("seconds" (list :kind 'line :value (format "%s" (or value ""))))
              ("choice" (list :kind 'choice :value value
                              :choices (mapcar (lambda (choice)
                                                 (cons (quickvault--localized (plist-get choice :label))
                                                       (plist-get choice :value)))
                                               (plist-get setting :choices))))
              ("template" (list :kind 'text :value (or value "")))))))

(defun quickvault--setting-label (setting)
  "Return the label of SETTING, a description."
  (cond ((not (equal (plist-get setting :name) "lockOnBackground"))
         (let ((label (quickvault--localized (plist-get setting :label))))
           (if (equal (plist-get setting :kind) "seconds")
               (concat (string-remove-suffix ")" label) (quickvault--text "; empty for never)"))
             label)))
        (quickvault-lock-on-focus-loss
         (quickvault--text "Lock when Emacs is suspended, or has lost the focus without an unsaved form"))
        (t (quickvault--text "Lock when Emacs is suspended or its last frame is closed"))))

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

(defun quickvault--setting-kind (key)
  "Return the kind of the setting KEY of the form."
  (plist-get (seq-find (lambda (field) (equal (plist-get field :key) key)) quickvault--fields) :form))

(defun quickvault--seconds-issues (values)
  "Return issues for those of VALUES that should be numbers and are not."
  (cl-loop for (key . value) in values
           when (and (equal (quickvault--setting-kind key) "seconds")
                     (not (string-match-p "\\`[0-9]\\{0,9\\}\\'" (string-trim value))))
           collect (list :field key
                         :messages '(:en "Enter a whole number of seconds, or leave it empty."
                                     :zh-Hans "请输入整数秒数，或留空。"))))

(defun quickvault--settings-object (values)
  "Return VALUES, an alist from the form, as parameters of `settings/update'."
  (cl-loop with templates = (make-hash-table :test #'equal)
           for (key . value) in values
           for kind = (quickvault--setting-kind key)
           if (equal kind "template")
           do (puthash (string-remove-prefix "copyTemplates." key) (if (string-blank-p value) nil value) templates)
           else append (list (intern (concat ":" key))
                             (pcase kind
                               ("seconds" (if (string-blank-p value) nil (string-to-number value)))
                               ("flag" (if value t :json-false))
                               (_ value)))
           into settings
           finally return (append settings (list :copyTemplates templates))))

(provide 'quickvault-settings)
;;; quickvault-settings.el ends here
