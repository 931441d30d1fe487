;;; quickvault-server.el --- Connection to the quickvault process  -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The QuickVault authors

;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; Starts `quickvault' on first use and restarts it after it exits; sends calls and waits
;; for the responses.  A request on behalf of the user unlocks the vault or asks for the
;; password where the program wants it, and turns errors into messages that say what to do.
;; Nothing is logged: the event log of jsonrpc.el is off, and the standard error of the
;; process is discarded.

;;; Code:

(require 'cl-lib)
(require 'eieio)
(require 'jsonrpc)
(require 'quickvault-messages)

(declare-function quickvault--handle-request "quickvault-session")
(declare-function quickvault--sync-remember "quickvault-buffer")
(declare-function quickvault--unlocked-elsewhere "quickvault-session")
(declare-function quickvault--withdraw-question "quickvault-session")

(defgroup quickvault nil
  "Encrypted vault for addresses, invoice details and notes."
  :group 'applications
  :prefix "quickvault-")

(defcustom quickvault-program "quickvault"
  "Name or path of the quickvault program."
  :type 'string)

(defcustom quickvault-vault-file nil
  "The vault file, or nil for the default one.
A change takes effect when the program is started the next time."
  :type '(choice (const :tag "Default" nil) file))

(defcustom quickvault-shared t
  "Whether one unlock serves all programs that share the vault.
If non-nil, Emacs connects to the service of the vault, and starts it if
none runs; where that has no place, Emacs has a process of its own.  A
change takes effect when the program is started the next time."
  :type 'boolean)

(defcustom quickvault-timeout 10
  "Seconds to wait for a response."
  :type 'number)

(defcustom quickvault-password-timeout 180
  "Seconds to wait for a request that derives a key from a password.
Key derivation is slow by design."
  :type 'number)

(defvar quickvault-lock-functions nil
  "Abnormal hook run when the vault is locked.
The functions get one argument, the reason as a string: one of those of
the notification `session/didLock', or \"ended\" when the program
exited, or \"deleted\".  They run in a process filter, so they must not
read input.")

(defvar quickvault--change-functions nil
  "Hook run with the parameters of `card/didChange'.")

(defvar quickvault--progress-functions nil
  "Hook run with the token and the value of `$/progress'.")

(defvar quickvault--fingerprint-functions nil
  "Hook run with the parameters of `biometric/didChangeState'.")

(defvar quickvault--unshown-kind nil
  "The kind of the next message of the program that is not shown, or nil.")

(defvar quickvault--quiet nil
  "Non-nil while no message of the program is shown, because others follow.")

(defvar quickvault--demo nil
  "Non-nil if the program is started with the demo vault.")

(defvar quickvault--connection nil
  "The connection to the running program, or nil.")

(defvar quickvault--alone nil
  "Non-nil if the program is not shared because its service cannot be used.")

(defun quickvault--sharing-p ()
  "Return non-nil if the program is, or will be, one that others share."
  (and quickvault-shared (not quickvault--alone) (not quickvault--demo)))

(defvar quickvault--sent-id 'none
  "The id of the next request sent, if bound to nil; see `quickvault--cancel'.")

(defclass quickvault--process-connection (jsonrpc-process-connection) ()
  :documentation "A connection that records request ids for cancellation.")

(cl-defmethod jsonrpc-connection-send :before
  ((_connection quickvault--process-connection) &key id method &allow-other-keys)
  "Record ID of the request METHOD."
  (when (and id method (null quickvault--sent-id))
    (setq quickvault--sent-id id)))

;;; Starting and stopping

(defun quickvault--ensure-connection ()
  "Return the connection to the program; start the program if necessary."
  (unless (quickvault--running-p)
    ;; A process stopped by a signal would not respond.
    (when quickvault--connection (quickvault--stop quickvault--connection))
    (setq quickvault--alone nil)
    (unless (setq quickvault--connection (quickvault--initialize (quickvault--start)))
      (setq quickvault--alone t
            quickvault--connection (quickvault--initialize (quickvault--start))))
    (when (quickvault--sharing-p) (quickvault--unlocked-elsewhere)))
  quickvault--connection)

(defun quickvault--running-p ()
  "Return non-nil if the program is running."
  (and quickvault--connection
       (eq 'run (process-status (jsonrpc--process quickvault--connection)))))

(defun quickvault--start ()
  "Start the program and return a connection to it."
  ;; The command may be an autoloaded one, whose file requires less than a lock and the list.
  (require 'quickvault)
  (let ((program (executable-find quickvault-program))
        (default-directory "/"))
    (unless program
      (quickvault--fail "The program %s was not found.  Install it or set `quickvault-program'"
                        quickvault-program))
    (when (and quickvault-vault-file (file-remote-p quickvault-vault-file))
      (quickvault--fail "The vault must be a file of this machine"))
    (apply #'make-instance 'quickvault--process-connection
           :name "quickvault"
           :process (lambda () (quickvault--make-process program))
           :notification-dispatcher #'quickvault--handle-notification
           :request-dispatcher #'quickvault--handle-request
           :on-shutdown #'quickvault--program-exited
           ;; Renamed in later versions of jsonrpc.el.
           (if (slot-exists-p 'jsonrpc-process-connection '-events-buffer-config)
               '(:events-buffer-config (:size 0 :format full))
             '(:events-buffer-scrollback-size 0)))))

(defun quickvault--make-process (program)
  "Start PROGRAM and discard its standard error."
  ;; Otherwise Emacs delays reading small responses.
  (let (process-adaptive-read-buffering)
    (make-process :name "quickvault"
                  :command `("/bin/sh" "-c" "exec \"$0\" \"$@\" 2>/dev/null" ,program
                             ,@(if quickvault--demo
                                   '("demo")
                                 (append (and (quickvault--sharing-p) '("--shared"))
                                         (and quickvault-vault-file
                                              (list "--vault" (expand-file-name quickvault-vault-file))))))
                  :connection-type 'pipe
                  :coding 'utf-8-emacs-unix
                  :noquery t)))

(defun quickvault--initialize (connection)
  "Send `initialize' over CONNECTION, and return that.
Stop the program if its version is wrong.  Return nil if it would be
shared and has ended."
  (condition-case failure
      (let* ((answer (quickvault--await-response
                      connection 'initialize
                      (list :processId (emacs-pid)
                            :clientInfo (list :name "emacs" :version emacs-version)
                            :locale (quickvault--locale)
                            :capabilities '(:sessionAdmit t))
                      quickvault-timeout))
             (version (plist-get answer :protocolVersion)))
        (unless (eql version 1)
          (quickvault--stop connection)
          (user-error "%s" (if (and (integerp version) (> version 1))
                               (quickvault--text "The program quickvault is newer than this package.  Update the package")
                             (quickvault--text "The program quickvault is too old for this package.  Install a newer version"))))
        (setq quickvault--language (or (plist-get answer :locale) "en"))
        (jsonrpc-notify connection 'initialized (make-hash-table))
        connection)
    (jsonrpc-error
     (let ((code (alist-get 'jsonrpc-error-code (cdr failure))))
       (quickvault--stop connection)
       (unless (and (eql code -1) (quickvault--sharing-p))
         (quickvault--fail
          (pcase code
            (-1 "The program quickvault exited at startup.  Run `quickvault --version' in a terminal to see why")
            ('nil "The program quickvault does not respond.  Check `quickvault-program'")
            (_ "The program quickvault is too old for this package.  Install a newer version"))))))))

(defun quickvault--stop (connection)
  "Stop the program behind CONNECTION, and clean up after it.
Later, that would kill the buffers of the next one, which have its names."
  (let ((inhibit-message t))
    (jsonrpc-shutdown connection)))

(defun quickvault--program-exited (connection)
  "Clean up after the program behind CONNECTION exited."
  (kill-buffer (jsonrpc-events-buffer connection))
  (kill-buffer (jsonrpc-stderr-buffer connection))
  (kill-buffer (process-buffer (jsonrpc--process connection)))
  (when (eq connection quickvault--connection)
    (setq quickvault--connection nil)
    (run-hook-with-args 'quickvault-lock-functions "ended")))

;;; Notifications

(defun quickvault--handle-notification (connection method params)
  "Handle the notification METHOD with PARAMS from CONNECTION."
  (pcase method
    ('session/didLock
     (setf (jsonrpc-last-error connection) nil)
     (run-hook-with-args 'quickvault-lock-functions (plist-get params :reason)))
    ('session/didUnlock (run-at-time 0 nil #'quickvault--unlocked-elsewhere))
    ('$/cancelRequest (quickvault--withdraw-question (plist-get params :id)))
    ('card/didChange
     ;; Run from a timer, because these functions send requests.
     (run-at-time 0 nil #'run-hook-with-args 'quickvault--change-functions params))
    ('sync/didChange (quickvault--sync-remember params))
    ('$/progress
     (run-hook-with-args 'quickvault--progress-functions
                         (plist-get params :token) (plist-get params :value)))
    ('biometric/didChangeState
     (run-hook-with-args 'quickvault--fingerprint-functions params))
    ('window/showMessage
     ;; An error also comes as a response and is shown there.
     (cond ((equal (plist-get params :kind) quickvault--unshown-kind)
            (setq quickvault--unshown-kind nil))
           (quickvault--quiet)
           ((eql (plist-get params :type) 3)
            (funcall
             (if (equal (plist-get params :kind) "sync.conflict") #'quickvault--message #'quickvault--notify)
             (concat (quickvault--localized (plist-get params :messages))
                     (and (equal (plist-get params :kind) "sync.conflict")
                          (quickvault--text "  M-x quickvault-conflicts resolves it.")))))))))

(defun quickvault--log-message (text)
  "Show TEXT, which must not have contents of cards, and log it."
  (let ((message-log-max (default-value 'message-log-max)))
    (message "%s" text)))

(defun quickvault--message (text)
  "Show TEXT in the echo area until the next command, without logging it."
  (let ((message-log-max nil))
    (message "%s" text)))

(defun quickvault--notify (text)
  "Show TEXT in the echo area for two seconds, without logging it."
  (let ((minibuffer-message-clear-timeout 2))
    (quickvault--message text))
  (run-at-time 2 nil (lambda () (when (equal (current-message) text) (message nil)))))

(defun quickvault--send-notification (method)
  "Send the notification METHOD if the program is running."
  (when (quickvault--running-p)
    (jsonrpc-notify quickvault--connection method (make-hash-table))))

;;; Requests

(defun quickvault--call (method &optional params timeout)
  "Call METHOD with PARAMS and return the result; wait at most TIMEOUT seconds.
Signal `jsonrpc-error' on any error.  Quitting cancels the request."
  (quickvault--await-response (quickvault--ensure-connection) method (or params (make-hash-table))
                              (or timeout quickvault-timeout)))

(defmacro quickvault--with-large-results (&rest body)
  "Evaluate BODY, which requests large results, with few interruptions.
The input is read in larger parts, and garbage is collected afterwards."
  (declare (indent 0) (debug t))
  `(let ((read-process-output-max (max read-process-output-max 1048576))
         (gc-cons-threshold (max gc-cons-threshold 67108864)))
     ,@body))

(defun quickvault--await-response (connection method params timeout &optional wait)
  "Call METHOD with PARAMS over CONNECTION; wait at most TIMEOUT seconds.
Meanwhile, call WAIT, a function, again and again.
This replaces `jsonrpc-request', which exits by a throw: a notification
received together with the response would not be handled until more
output arrives."
  (let ((quickvault--sent-id nil)
        answered result failure)
    (condition-case nil
        (jsonrpc-async-request
         connection method params
         :timeout timeout
         :success-fn (lambda (value) (setq answered t result value))
         :error-fn (jsonrpc-lambda (&key code message data &allow-other-keys)
                     (setq answered t
                           failure `((jsonrpc-error-code . ,code)
                                     (jsonrpc-error-message . ,message)
                                     (jsonrpc-error-data . ,data))))
         :timeout-fn (lambda () (setq failure '((jsonrpc-error-message . "Timed out")))))
      ;; Sending failed because the program has just exited.
      (error (setq answered t failure '((jsonrpc-error-code . -1)))))
    (unwind-protect
        (while (not (or answered failure)) (if wait (funcall wait) (accept-process-output nil 0.2)))
      ;; After quitting or a timeout, nobody waits for the response.
      (unless answered (quickvault--cancel connection quickvault--sent-id)))
    (when failure (signal 'jsonrpc-error failure))
    result))

(defun quickvault--cancel (connection id)
  "Cancel the request ID over CONNECTION."
  (when (and id (eq connection quickvault--connection) (quickvault--running-p))
    (jsonrpc-notify connection '$/cancelRequest (list :id id))))

;;; Requests on behalf of the user

(declare-function quickvault-unlock "quickvault-session")
(declare-function quickvault--confirm-user "quickvault-session")
(declare-function quickvault--forget-commands "quickvault-buffer")
(declare-function quickvault--confirm-unexpected "quickvault-buffer")

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

(provide 'quickvault-server)
;;; quickvault-server.el ends here
