;;; quickvault-settings.el --- The settings of the vault  -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The QuickVault authors

;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; These settings are stored in the vault and apply to every client.  Options of Emacs
;; alone are in the customization group `quickvault'.  A page shows them, and changes one at
;; a time.

;;; Code:

(require 'quickvault-card)
(require 'quickvault-qv)

(defvar quickvault-settings-mode-map
  (make-composed-keymap nil (make-composed-keymap button-buffer-map special-mode-map))
  "Keymap of `quickvault-settings-mode'.")

(define-derived-mode quickvault-settings-mode special-mode "QuickVault settings"
  "Major mode for the page of the vault's settings."
  :interactive nil
  (setq-local revert-buffer-function (lambda (&rest _) (quickvault-settings))))

;;;###autoload
(defun quickvault-settings ()
  "Show the settings of the vault on a page, to change them."
  (interactive)
  (let ((answer (quickvault--request 'settings/get)))
    (pop-to-buffer-same-window (get-buffer-create "*QuickVault settings*"))
    (let ((place (and (derived-mode-p 'quickvault-settings-mode) (line-number-at-pos))))
      (quickvault--with-page (current-buffer) quickvault-settings-mode #'quickvault-settings
        (insert (propertize (quickvault--text "Settings of the vault") 'face 'quickvault-title) "\n"
                (quickvault--text "\\<button-map>\\[push-button]\\<quickvault-settings-mode-map> changes the setting at point, \\[quit-window] closes.")
                "\n\n")
        (seq-doseq (setting (plist-get answer :descriptions))
          (quickvault--insert-setting setting (plist-get answer :settings)))
        (when (quickvault--sharing-p)
          (quickvault--settings-button (quickvault--text "Programs that use the vault") #'quickvault-programs))
        (quickvault--settings-button (quickvault--text "Change the master password") #'quickvault-change-password))
      (if place (forward-line (1- place)) (forward-button 1)))))

(defun quickvault--settings-button (text action)
  "Insert a line TEXT, a button for the function ACTION."
  (insert-text-button text 'face 'default 'follow-link t 'action (lambda (_) (funcall action)))
  (insert "\n"))

(defun quickvault--insert-setting (setting values)
  "Insert the line of SETTING, a description, with its value in VALUES."
  (let* ((key (intern (concat ":" (string-remove-prefix "copyTemplates." (plist-get setting :name)))))
         (kind (plist-get setting :kind))
         (value (plist-get (if (equal kind "template") (plist-get values :copyTemplates) values) key))
         (label (quickvault--setting-label setting)))
    (quickvault--settings-button
     (if (equal kind "flag")
         (concat (if (eq value t) "[X] " "[ ] ") label)
       (concat (quickvault--text "%s: " label)
               (if (equal kind "choice")
                   (car (rassoc value (quickvault--setting-choices setting)))
                 (quickvault--one-line (format "%s" (or value ""))))))
     (lambda ()
       (let ((new (quickvault--read-setting setting label value)))
         (quickvault--update-settings
          (if (equal kind "template")
              (let ((templates (make-hash-table :test #'equal)))
                (puthash (substring (symbol-name key) 1) new templates)
                (list :copyTemplates templates))
            (list key new))))))))

(defun quickvault--setting-choices (setting)
  "Return an alist of the labels and values of SETTING."
  (mapcar (lambda (choice) (cons (quickvault--localized (plist-get choice :label)) (plist-get choice :value)))
          (plist-get setting :choices)))

(defun quickvault--read-setting (setting label value)
  "Read a value for SETTING with LABEL in place of VALUE."
  (pcase (plist-get setting :kind)
    ("flag" (if (eq value t) :json-false t))
    ("choice" (quickvault--complete label (quickvault--setting-choices setting)))
    (kind
     (let ((text (quickvault--without-history
                   (read-string (quickvault--text "%s: " label) (and value (format "%s" value)) t))))
       (cond ((string-blank-p text) nil)
             ((member kind '("template" "tag")) text)
             ((string-match-p "\\`[0-9]\\{1,9\\}\\'" (string-trim text)) (string-to-number text))
             (t (quickvault--fail "Enter a whole number of seconds, or leave it empty")))))))

(defun quickvault--update-settings (change)
  "Change the settings in CHANGE, and show them again."
  (let ((settings (plist-get
                   (quickvault--request
                    'settings/update change
                    `(("settings.invalid"
                       . ,(lambda (data)
                            (user-error "%s" (quickvault--localized
                                              (plist-get (elt (plist-get data :issues) 0) :messages)))))))
                   :settings)))
    (quickvault--apply-language settings)
    (setq quickvault--auto-lock-seconds (plist-get settings :autoLockSeconds))
    (quickvault--refresh-all)
    (quickvault-settings)
    (quickvault--notify (quickvault--text "Settings saved."))))

(defun quickvault--setting-label (setting)
  "Return the label of SETTING, a description."
  (cond ((not (equal (plist-get setting :name) "lockOnBackground"))
         (let ((label (quickvault--localized (plist-get setting :label))))
           (if (equal (plist-get setting :kind) "seconds")
               (concat (string-remove-suffix ")" label) (quickvault--text "; empty for never)"))
             label)))
        (quickvault-lock-on-focus-loss
         (quickvault--text "Lock when Emacs is suspended or minimised, or has lost the focus without an unsaved form"))
        (t (quickvault--text "Lock when Emacs is suspended or minimised, or its last frame is closed"))))

(provide 'quickvault-settings)
;;; quickvault-settings.el ends here
