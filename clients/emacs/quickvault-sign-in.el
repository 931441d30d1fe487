;;; quickvault-sign-in.el --- Signing in to a server  -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The QuickVault authors

;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; The program lists the kinds of servers and what each needs.  While the user is in the
;; browser, nothing waits in Emacs: the answer is handled when it comes.

;;; Code:

(require 'quickvault-account)

(defconst quickvault--sign-in-timeout 660
  "Seconds to wait for the user to sign in; the program itself gives up earlier.")

(defconst quickvault--account-secrets '(:password t :clientSecret t)
  "The parameters of `account/signIn' that are secret.")

;;;###autoload
(defun quickvault-account-sign-in (&optional ask-more)
  "Sign in to a server that carries the folder of this vault.
If somebody is signed in, offer to sign out first.  If ASK-MORE is
non-nil, with a prefix argument, ask for the scope to request of an
OpenID Connect provider, and for a file of certificate authorities."
  (interactive "P")
  (quickvault--account-check)
  (let* ((remains (quickvault--account-sign-out-first))
         (provider (quickvault--account-choose (quickvault--text "Server or provider")
                                               (mapcar (lambda (provider)
                                                         (cons (quickvault--localized (plist-get provider :name)) provider))
                                                       (quickvault--account-providers))))
         params secret done)
    (unwind-protect
        (progn
          (quickvault--account-fill
           (lambda ()
             (quickvault--insert-account-problem remains)
             (insert (propertize (quickvault--localized (plist-get provider :name)) 'face 'quickvault-title) "\n\n"
                     (quickvault--localized (plist-get provider :note)) "\n")))
          (setq params (quickvault--account-read provider ask-more)
                secret (seq-find (lambda (name) (plist-get quickvault--account-secrets name)) params))
          (quickvault--account-send params)
          (setq done t)
          (unless quickvault--sign-in-id (quickvault--account-signed-in)))
      (when secret (clear-string (plist-get params secret)))
      ;; After quitting or an error, the page still has the note.
      (unless done
        (with-demoted-errors "QuickVault: %S" (quickvault--account-show-again remains))))))

(defun quickvault--account-sign-out-first ()
  "If somebody is signed in, offer to sign out.  Show the page.
Return what stays valid at the server, which the page shows, or nil.
The echo area would show it only until the next question."
  (let ((status (quickvault--request 'account/status))
        remains)
    (when (eq (plist-get status :signedIn) t)
      (unless (quickvault--confirm "Sign out of %s, and sign in again?" (plist-get status :address))
        (user-error "%s" (quickvault--text "Nothing was chosen")))
      (setq remains (quickvault--account-remains
                     (quickvault--request 'account/signOut nil nil quickvault-password-timeout))
            status '(:signedIn :json-false)))
    (let ((insert (quickvault--account-contents status)))
      (quickvault--account-open (lambda ()
                                  (quickvault--insert-account-problem remains)
                                  (funcall insert))))
    remains))

(defun quickvault--account-check ()
  "Signal a `user-error' if the user is signing in."
  (when quickvault--sign-in-id
    (user-error "%s" (quickvault--requests-wait))))

(defun quickvault--account-choose (prompt choices)
  "Return the value of what is chosen with PROMPT from CHOICES, an alist.
Nobody is asked about a single choice."
  (or (if (cdr choices) (quickvault--complete prompt choices) (cdar choices))
      (user-error "%s" (quickvault--text "Nothing was chosen"))))

(defun quickvault--account-read (provider ask-more)
  "Read what PROVIDER needs, and return the parameters of `account/signIn'.
If ASK-MORE is non-nil, read what only some need as well."
  (let* ((method (quickvault--account-choose
                  (quickvault--text "How to sign in")
                  (mapcar (lambda (method) (cons (quickvault--account-method-text method) method))
                          (plist-get provider :methods))))
         (params (list :method method)))
    (dolist (name '(:address :issuer))
      (when-let ((value (plist-get provider name)))
        (setq params (plist-put params name value))))
    (seq-doseq (need (plist-get provider :needs))
      (let ((name (intern (concat ":" need))))
        (setq params (plist-put params name (quickvault--account-read-one name method)))))
    (when (and ask-more (plist-member params :issuer))
      (setq params (plist-put params :scope (quickvault--account-read-one :scope method))))
    (append params (and ask-more (quickvault--account-read-authorities)))))

(defun quickvault--account-read-authorities ()
  "Read a file of certificate authorities; return it as parameters, or nil."
  (let* ((insert-default-directory nil)
         (file (read-file-name (quickvault--text "File of certificate authorities (empty for those of the system): ")
                               "~/" "" t)))
    (unless (string-empty-p file)
      (when (file-remote-p file)
        (user-error "%s" (quickvault--text "The file must be on this machine")))
      (list :caFile (expand-file-name file "~/")))))

(defun quickvault--account-read-one (name method)
  "Read the parameter NAME of `account/signIn' by METHOD."
  (let* ((prompt (pcase name
                   (:address (if (equal method "nextcloud")
                                 (quickvault--text "URL of the Nextcloud server")
                               (quickvault--text "URL of the WebDAV folder")))
                   (:issuer (quickvault--text "URL of the OpenID Connect provider"))
                   (:clientId (quickvault--text "Client ID at the provider"))
                   (:clientSecret (quickvault--text "Client secret at the provider"))
                   (:scope (quickvault--text "Scope"))
                   (:user (quickvault--text "User name"))
                   (:password (quickvault--text "App password of the server"))
                   (_ (substring (symbol-name name) 1))))
         (value (if (plist-get quickvault--account-secrets name)
                    (quickvault--read-password prompt)
                  (string-trim (quickvault--without-history
                                 (read-string (quickvault--text "%s: " prompt) nil t))))))
    (when (string-empty-p value)
      (user-error "%s" (quickvault--text "Nothing was chosen")))
    value))

(defun quickvault--account-send (params)
  "Sign in with PARAMS of `account/signIn'.
Return when the user is signed in, or when there is a page to open in a
browser; then `quickvault--sign-in-id' is set, and the answer comes later."
  (let (seen)
    (while (condition-case failure
               (progn (quickvault--account-send-once params) nil)
             (jsonrpc-error
              (let ((kind (plist-get (alist-get 'jsonrpc-error-data (cdr failure)) :kind))
                    more)
                (cond ((member kind seen))
                      ((equal kind "auth.required") (quickvault--confirm-user) (setq more t))
                      ((and (equal kind "carrier.certificate") (not (plist-member params :caFile)))
                       (quickvault--account-show-again (quickvault--account-error-text (cdr failure)))
                       (setq more (quickvault--account-read-authorities)
                             params (append params more))))
                (unless more
                  (user-error "%s" (quickvault--account-error-text (cdr failure))))
                (push kind seen)))))))

(defun quickvault--account-send-once (params)
  "Send PARAMS of `account/signIn' for `quickvault--account-send'."
  (let* ((message-log-max nil)
         (connection (quickvault--ensure-connection))
         (quickvault--sent-id nil)
         answered failure id)
    (setq quickvault--sign-in-page nil)
    (message "%s" (quickvault--text "Signing in... (C-g to cancel)"))
    (jsonrpc-async-request
     connection 'account/signIn params
     :timeout quickvault--sign-in-timeout
     :success-fn (lambda (_)
                   (setq answered t)
                   (quickvault--account-answered id nil))
     :error-fn (jsonrpc-lambda (&key code data &allow-other-keys)
                 (setq answered t
                       failure `((jsonrpc-error-code . ,code) (jsonrpc-error-data . ,data)))
                 (quickvault--account-answered id failure))
     :timeout-fn (lambda ()
                   (setq answered t
                         failure '((jsonrpc-error-message . "Timed out")))
                   (quickvault--account-answered id failure)))
    (unwind-protect
        (while (not (or answered quickvault--sign-in-page)) (accept-process-output nil 0.2))
      (if (or answered quickvault--sign-in-page)
          (setq id (and (not answered) quickvault--sent-id)
                quickvault--sign-in-id id)
        (quickvault--cancel connection quickvault--sent-id)))
    (message nil)
    (when failure (signal 'jsonrpc-error failure))
    (when id (quickvault--account-fill #'quickvault--insert-sign-in-page))))

(defun quickvault--account-answered (id failure)
  "End the request ID to sign in, which waited for the user, with FAILURE or nil.
Nothing is shown if that is not the one under way: it was given up."
  (when (and id (eql id quickvault--sign-in-id))
    (quickvault--account-end)
    ;; Run from a timer, because these functions send requests.
    (cond ((not failure) (run-at-time 0 nil #'quickvault--account-signed-in))
          ((equal "rpc.cancelled" (plist-get (alist-get 'jsonrpc-error-data failure) :kind)))
          (t (run-at-time 0 nil #'quickvault--account-failed (quickvault--account-error-text failure))))))

(defun quickvault--account-error-text (failure)
  "Return a message about FAILURE of signing in, with the words of the provider."
  (let ((text (plist-get (alist-get 'jsonrpc-error-data failure) :text)))
    (concat (quickvault--error-text failure 'account/signIn)
            (if (stringp text) (concat "  " (quickvault--one-line text)) ""))))

(defun quickvault--account-end ()
  "Forget the page on which the user signs in."
  (setq quickvault--sign-in-id nil
        quickvault--sign-in-page nil))

(defun quickvault--account-failed (text)
  "Show that signing in has failed, and why: TEXT.
The page keeps it, because the user may still be in the browser."
  (with-demoted-errors "QuickVault: %S" (quickvault--account-show-again text))
  (quickvault--message text))

(defun quickvault--account-signed-in ()
  "Show that the user is signed in."
  (quickvault--account-show-again)
  (quickvault--log-message (quickvault--text "Signed in.")))

(defun quickvault--account-prompted (page)
  "Show PAGE, the parameters of `account/didPrompt'."
  (setq quickvault--sign-in-page page)
  (when quickvault--sign-in-id (quickvault--account-fill #'quickvault--insert-sign-in-page)))

(add-hook 'quickvault--prompt-functions #'quickvault--account-prompted)

(defun quickvault-account-cancel ()
  "Give up signing in."
  (interactive)
  (let ((id (or quickvault--sign-in-id
                (user-error "%s" (quickvault--text "Nobody is signing in")))))
    (quickvault--account-end)
    (quickvault--cancel quickvault--connection id)
    (quickvault--account-show-again)))

(defun quickvault-account-quit ()
  "Give up signing in, or quit what else is under way."
  (interactive)
  (if quickvault--sign-in-id (quickvault-account-cancel) (keyboard-quit)))

(defun quickvault--account-give-up (&rest _)
  "Give up signing in, if the user is, and show nothing."
  (when quickvault--sign-in-id
    (let ((id quickvault--sign-in-id))
      (quickvault--account-end)
      (quickvault--cancel quickvault--connection id))))

(add-hook 'quickvault-lock-functions #'quickvault--account-give-up)
(add-hook 'quickvault--end-wait-hook #'quickvault--account-give-up)

(defun quickvault--requests-wait ()
  "Return why requests have to wait, or nil if they need not."
  (and quickvault--sign-in-id
       (quickvault--text "You are signing in to a server.  M-x quickvault-account shows how, M-x quickvault-account-cancel gives up")))

(setq quickvault--wait-function #'quickvault--requests-wait)

(provide 'quickvault-sign-in)
;;; quickvault-sign-in.el ends here
