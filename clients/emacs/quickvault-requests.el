;;; quickvault-requests.el --- Requests on behalf of the user  -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The QuickVault authors

;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; Requests that unlock the vault or ask for the password where the program wants it, show
;; the progress of long work, and turn errors into messages that say what to do.

;;; Code:

(require 'quickvault-server)

(declare-function quickvault-unlock "quickvault-session")
(declare-function quickvault--confirm-user "quickvault-session")
(declare-function quickvault--forget-commands "quickvault-minibuffer")
(declare-function quickvault--confirm-unexpected "quickvault-minibuffer")

(defvar quickvault--changes nil
  "The changes since the unlock, the newest first.
Each is a list of requests that undo it, or `final' if it cannot be undone.")

(defvar quickvault--undoable nil
  "Non-nil while requests are made whose change can be undone.")

(defun quickvault--request (method &optional params handlers timeout)
  "Call METHOD with PARAMS and return the result; wait at most TIMEOUT seconds.
HANDLERS is an alist of error kinds and functions that get the error's
data and return the value to return instead.  If the vault is locked,
unlock it first; if it is missing, create it; if the password is required
again, ask for it.  Signal any other error as a `user-error' with a
message for the user."
  (quickvault--forget-commands)
  (condition-case failure
      (prog1 (quickvault--call method params timeout)
        (when (and (not quickvault--undoable)
                   (memq method '(card/create card/update form/save attachment/add attachment/setWatermark attachment/delete)))
          (push 'final quickvault--changes)))
    (jsonrpc-error
     (let* ((inhibit-quit nil)
            (details (cdr failure))
            (data (alist-get 'jsonrpc-error-data details))
            (kind (plist-get data :kind))
            (handler (cdr (assoc kind handlers))))
       (cond
        (handler (funcall handler data))
        ((and (equal kind "vault.older")
              (quickvault--confirm-unexpected "This is an older copy of the vault.  Change it anyway?"))
         (quickvault--call 'vault/acceptOlder)
         (quickvault--request method params handlers timeout))
        ((member kind '("vault.locked" "vault.notFound" "vault.changed" "auth.required" "auth.notAdmitted"))
         (if (equal kind "auth.required") (quickvault--confirm-user) (quickvault-unlock))
         (quickvault--request method params
                              (cons (cons kind (lambda (_) (user-error "%s" (quickvault--error-text details))))
                                    handlers)
                              timeout))
        (t (user-error "%s" (quickvault--error-text details))))))))

(defun quickvault--with-progress (text method params &optional handlers timeout)
  "Call METHOD with PARAMS, with TEXT and the progress in the echo area.
HANDLERS and TIMEOUT are as for `quickvault--request'.  Quitting cancels
the request."
  (quickvault--without-log
    (let* ((reporter (make-progress-reporter text 0 100))
           (token (symbol-name method))
           (quickvault--progress-functions
            (list (lambda (reported value)
                    (when-let ((percentage (and (equal reported token) (plist-get value :percentage))))
                      (progress-reporter-update reporter percentage))))))
      (prog1 (quickvault--request method (append params (list :progressToken token)) handlers
                                  (or timeout quickvault-password-timeout))
        (message nil)))))

(defun quickvault--request-later (method params on-result on-error)
  "Call METHOD with PARAMS and return the request's id immediately.
Call ON-RESULT with the result, or ON-ERROR with the error's message."
  (let ((connection (quickvault--ensure-connection))
        (quickvault--sent-id nil))
    (jsonrpc-async-request
     connection method params
     :timeout quickvault-timeout
     :success-fn on-result
     :error-fn (jsonrpc-lambda (&key code data &allow-other-keys)
                 (unless (equal (plist-get data :kind) "rpc.cancelled")
                   (funcall on-error (quickvault--error-text `((jsonrpc-error-code . ,code)
                                                               (jsonrpc-error-data . ,data))))))
     :timeout-fn (lambda () (funcall on-error (quickvault--error-text nil))))
    quickvault--sent-id))

(defun quickvault--error-text (details)
  "Return a message for the user about an error with DETAILS."
  (let ((code (alist-get 'jsonrpc-error-code details))
        (messages (plist-get (alist-get 'jsonrpc-error-data details) :messages)))
    (cond
     ((eql code -1)
      (quickvault--text "The program quickvault exited before it responded.  The next command restarts it; check whether your change was saved.  M-x quickvault-report-bug shows what a report needs"))
     ((null code)
      (quickvault--text "No response in time.  Try again; if that does not help, kill the program quickvault"))
     ((eql code -32601)
      (quickvault--text "The program quickvault is too old for this package.  Install a newer version"))
     ((and messages (not (eql code -32603))) (quickvault--localized messages))
     (t (concat (if messages (quickvault--localized messages)
                  (quickvault--text "The program quickvault rejected the request (error %s)." code))
                (quickvault--text "  M-x quickvault-report-bug shows what a report needs"))))))

(provide 'quickvault-requests)
;;; quickvault-requests.el ends here
