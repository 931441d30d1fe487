;;; quickvault-account.el --- The server that carries the folder  -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The QuickVault authors

;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; A page shows the account on a WebDAV server, which carries the folder of a synchronised
;; vault.  While you sign in with a browser, the page shows what to open there, and Emacs
;; does not wait.

;;; Code:

(require 'quickvault-deletion)
(require 'quickvault-sync)
(require 'quickvault-browser)

(defvar quickvault--sign-in-id nil
  "The id of the request to sign in that waits for the user, or nil.")

(defvar quickvault--sign-in-page nil
  "The parameters of `account/didPrompt' while the user signs in, or nil.")

(defvar quickvault-account-mode-map
  (let ((map (make-sparse-keymap)))
    (set-keymap-parent map (make-composed-keymap button-buffer-map special-mode-map))
    (pcase-dolist (`(,key . ,command) '(("s" . quickvault-account-sign-in)
                                        ("o" . quickvault-account-sign-out)
                                        ("D" . quickvault-account-delete-data)
                                        ("p" . quickvault-privacy)
                                        ("y" . quickvault-sync)
                                        ("L" . quickvault-lock)
                                        ("\C-c\C-k" . quickvault-account-cancel)))
      (define-key map key command))
    (define-key map [remap keyboard-quit] 'quickvault-account-quit)
    map)
  "Keymap of `quickvault-account-mode'.")

(define-derived-mode quickvault-account-mode special-mode "QuickVault account"
  "Major mode for the page about the account.
\\{quickvault-account-mode-map}"
  :interactive nil
  (visual-line-mode)
  (setq-local revert-buffer-function (lambda (&rest _) (quickvault-account)))
  (quickvault--protect-buffer #'quickvault-account))

;;; The page

;;;###autoload
(defun quickvault-account ()
  "Show the account on the server that carries the folder of this vault."
  (interactive)
  (if quickvault--sign-in-id
      (quickvault--account-open #'quickvault--insert-sign-in-page)
    (quickvault--account-open (quickvault--account-contents (quickvault--request 'account/status)))))

(defun quickvault--account-contents (status)
  "Return a function to insert STATUS, the result of `account/status'."
  (if (eq (plist-get status :signedIn) t)
      (let ((vault (plist-get (quickvault--request 'vault/status) :exists)))
        (lambda ()
          (quickvault--insert-account status)
          (when (eq vault :json-false)
            (insert "\n" (quickvault--text "There is no vault here yet.  M-x quickvault-sync-join gets yours from the server.") "\n"))))
    (let ((providers (quickvault--account-providers)))
      (lambda () (quickvault--insert-no-account providers)))))

(defun quickvault--account-providers ()
  "Return the kinds of servers and providers to sign in to."
  (append (plist-get (quickvault--request 'account/providers) :providers) nil))

(defun quickvault--account-open (insert)
  "Select the page, with what the function INSERT writes there."
  (pop-to-buffer-same-window (get-buffer-create "*QuickVault account*"))
  (unless (derived-mode-p 'quickvault-account-mode) (quickvault-account-mode))
  (quickvault--account-fill insert))

(defun quickvault--account-page ()
  "Return the buffer of the page, or nil if there is none or it is blanked."
  (when-let ((buffer (get-buffer "*QuickVault account*")))
    (and (provided-mode-derived-p (buffer-local-value 'major-mode buffer) 'quickvault-account-mode)
         buffer)))

(defun quickvault--account-fill (insert)
  "Have the function INSERT write the page, if there is one."
  (when-let ((buffer (quickvault--account-page)))
    (with-current-buffer buffer
      (quickvault--refill insert))))

(defun quickvault--account-show-again (&optional problem)
  "Show the state on the page if it is there, after PROBLEM if that is non-nil."
  (when (quickvault--account-page)
    (let ((insert (quickvault--account-contents (quickvault--request 'account/status))))
      (quickvault--account-fill
       (lambda ()
         (quickvault--insert-account-problem problem)
         (funcall insert))))))

(defun quickvault--insert-account-problem (problem)
  "Insert PROBLEM, if there is one, at the top of the page."
  (when problem (insert (propertize problem 'face 'quickvault-problem) "\n\n")))

(defun quickvault--account-refresh (&rest _)
  "Show how the folder was carried meanwhile, if the page is there."
  (when (and quickvault--unlocked (quickvault--account-page) (not quickvault--sign-in-id))
    (quickvault--request-later 'account/status (make-hash-table)
                               (lambda (status)
                                 (when (eq (plist-get status :signedIn) t)
                                   (quickvault--account-fill (lambda () (quickvault--insert-account status)))))
                               #'ignore)))

(add-hook 'quickvault--sync-functions #'quickvault--account-refresh)

(defun quickvault--insert-no-account (providers)
  "Insert what an account is, PROVIDERS of one, and what they learn."
  (insert (propertize (quickvault--text "Not signed in.") 'face 'quickvault-title) "\n\n"
          (quickvault--text "A WebDAV server can carry the encrypted folder of M-x quickvault-sync between your machines, in place of another program.")
          "\n\n")
  (dolist (provider providers)
    (insert (propertize (quickvault--localized (plist-get provider :name)) 'face 'quickvault-label) "\n"
            (mapconcat #'quickvault--account-method-text (plist-get provider :methods) (quickvault--text "; ")) "\n"
            (quickvault--localized (plist-get provider :note)) "\n\n"))
  (insert (quickvault--text "The server learns your user name, the address of each machine and when it carries, and the number, sizes and times of files.  It does not learn what is in them.  \\[quickvault-privacy] shows more.")
          "\n\n"
          (quickvault--text "\\[quickvault-account-sign-in] signs in, \\[revert-buffer] refreshes, \\[quit-window] closes.") "\n"))

(defun quickvault--account-method-text (method)
  "Return what METHOD of signing in is."
  (pcase method
    ("nextcloud" (quickvault--text "Nextcloud, in a browser"))
    ("password" (quickvault--text "User name and app password"))
    ("device" (quickvault--text "OpenID Connect, with a code in any browser"))
    ("code" (quickvault--text "OpenID Connect, in a browser on this machine"))
    (_ method)))

(defun quickvault--insert-account (status)
  "Insert STATUS of an account that is signed in."
  (let ((failure (plist-get status :failure)))
    (insert (propertize (if failure (quickvault--text "Signed in, but the folder is not mirrored.")
                          (quickvault--text "Signed in."))
                        'face (if failure 'quickvault-problem 'quickvault-title))
            "\n")
    (when failure
      (insert (quickvault--sync-failure-text failure) "\n")
      (when (equal (plist-get failure :kind) "carrier.signInAgain")
        (insert (quickvault--text "\\[quickvault-account-sign-in] signs out and in again.") "\n"))))
  (insert "\n")
  (pcase-dolist (`(,label . ,value)
                 `((,(quickvault--text "Server") . ,(plist-get status :address))
                   (,(quickvault--text "User") . ,(plist-get status :user))
                   (,(quickvault--text "Signed in by") . ,(quickvault--account-method-text (plist-get status :method)))
                   (,(quickvault--text "Certificate authorities") . ,(plist-get status :caFile))
                   (,(quickvault--text "Access until")
                    . ,(if-let ((time (plist-get status :expiresAt))) (quickvault--time time)))
                   (,(quickvault--text "Signs in with") . ,(quickvault--tokens-text (plist-get status :tokensIn)))
                   (,(quickvault--text "Last mirrored") . ,(quickvault--mirrored-text status))))
    (when value
      (insert (propertize (quickvault--text "%s: " label) 'face 'quickvault-label)
              (quickvault--one-line value) "\n")))
  (insert "\n" (quickvault--text "\\[quickvault-account-sign-out] signs out, \\[quickvault-account-delete-data] also deletes what the server has of this vault, \\[quickvault-sync] shows synchronisation, \\[quickvault-privacy] what the server learns, \\[revert-buffer] refreshes, \\[quit-window] closes.")
          "\n"))

(defun quickvault--insert-sign-in-page ()
  "Insert what to open in a browser, and what to type there."
  (insert (propertize (quickvault--text "Signing in...") 'face 'quickvault-title) "\n\n")
  (when-let ((url (plist-get quickvault--sign-in-page :url)))
    (quickvault--insert-page url (plist-get quickvault--sign-in-page :code)
                             (plist-get quickvault--sign-in-page :urlWithCode)))
  (insert (quickvault--text "\\[quickvault-account-cancel] gives up.  Until you are done, other commands on the vault have to wait.") "\n"))

(defun quickvault--tokens-text (place)
  "Return where what signs in is, from PLACE; nil if there is none."
  (pcase place
    ("keychain" (quickvault--text "tokens or a password in the desktop's keychain"))
    ("vault" (quickvault--text "tokens or a password, encrypted in the vault's file"))))

;;; Signing out

(defun quickvault--check-signed-in ()
  "Return the state of the account; signal a `user-error' if there is none."
  (let ((account (quickvault--request 'account/status)))
    (unless (eq (plist-get account :signedIn) t)
      (user-error "%s" (quickvault--text "Not signed in.")))
    account))

;;;###autoload
(defun quickvault-account-sign-out ()
  "Sign out of the server; the cards and the files on the server stay."
  (interactive)
  (quickvault--check-signed-in)
  (when (quickvault--confirm "Sign out?  Your cards and the files on the server stay.")
    (quickvault--account-signed-out (quickvault--text "Signed out.")
                                    (quickvault--request 'account/signOut nil nil quickvault-password-timeout))))

(defun quickvault--account-signed-out (text answer)
  "Show the page again, and TEXT with what ANSWER has about the server."
  (quickvault--account-show-again)
  (quickvault--message (string-join (delq nil (list text (quickvault--account-remains answer))) "  ")))

(defun quickvault--account-remains (answer)
  "Return what ANSWER has about what stays valid at the server, or nil."
  (let* ((failure (plist-get answer :failure))
         (texts (delq nil (list (when failure (quickvault--localized (plist-get failure :messages)))
                                (when (eq (plist-get answer :revoked) :json-false)
                                  (quickvault--text "The app password or session may still be valid at the server: delete it there."))))))
    (when texts (string-join texts "  "))))

;;;###autoload
(defun quickvault-account-delete-data ()
  "Delete what the server has of this vault, and sign out; the cards here stay.
Ask for the name of the vault's file and the password first."
  (interactive)
  (let ((account (quickvault--check-signed-in))
        (vault (quickvault--request 'vault/status)))
    (when (eq (plist-get vault :exists) :json-false)
      (user-error "%s" (quickvault--text "There is no vault here yet.  M-x quickvault-sync-join gets yours from the server.")))
    (let* ((name (quickvault--file-name vault))
           (answer (quickvault--delete
                    'account/deleteData name
                    (quickvault--text "What %s has of this vault will be deleted; your cards here stay.  Sign out on your other machines first, or they send it again.  To continue, type the vault's file name, %s: "
                                      (quickvault--one-line (plist-get account :address)) name)
                    (quickvault--text "Deleting on the server... (C-g to cancel)"))))
      (quickvault--account-signed-out
       (if (eq (plist-get answer :deleted) t)
           (quickvault--text "Deleted on the server, and signed out.")
         (quickvault--text "Signed out.  The server had nothing of this vault."))
       answer))))

(provide 'quickvault-account)
;;; quickvault-account.el ends here
