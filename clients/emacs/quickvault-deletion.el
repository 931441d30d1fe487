;;; quickvault-deletion.el --- Deleting the whole vault  -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The QuickVault authors

;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; The vault here, or what a server has of it, is deleted only after the user has typed the
;; name of the vault's file and the password.

;;; Code:

(require 'quickvault-session)

(defun quickvault--file-name (status)
  "Return the vault's file name by STATUS, without its directory."
  (file-name-nondirectory (plist-get status :path)))

(defun quickvault--delete (method name question &optional text)
  "Call METHOD, which deletes, and return its result.
Before, the user types NAME after QUESTION, and the password.  Show TEXT
meanwhile if it is non-nil; then it may take long."
  (let ((typed (quickvault--without-history (read-string question nil t)))
        answer)
    (unless (equal typed name)
      (user-error "%s" (quickvault--text "The name does not match.  Nothing was deleted")))
    (quickvault--with-current-password
     (quickvault--text "Master password")
     (lambda (password wrong)
       (when text (quickvault--without-log (message "%s" text)))
       (setq answer (quickvault--request method (list :password password :confirm typed) wrong
                                         (if text quickvault--long-timeout quickvault-password-timeout)))))
    answer))

;;;###autoload
(defun quickvault-delete-vault ()
  "Delete the vault permanently, after asking for its file name and password."
  (interactive)
  (let ((name (quickvault--file-name (quickvault--request 'vault/status))))
    (quickvault--delete
     'vault/delete name
     (quickvault--text "All cards will be deleted permanently.  To continue, type the vault's file name, %s: " name))
    (run-hook-with-args 'quickvault-lock-functions "deleted")))

(provide 'quickvault-deletion)
;;; quickvault-deletion.el ends here
