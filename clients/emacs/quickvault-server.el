;;; quickvault-server.el --- The conversation with the vault's process  -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The QuickVault authors

;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; Starts `quickvault' when it is first needed, and again whenever it has ended;
;; asks it, waits for it, and turns what went wrong into words that say what to do.
;; Nothing that passes is recorded: the event log of jsonrpc.el is off, and the
;; process's standard error is dropped.

;;; Code:

(require 'cl-lib)
(require 'eieio)
(require 'jsonrpc)
(require 'quickvault-text)

(declare-function quickvault-unlock "quickvault-session")
(declare-function quickvault--forget-commands "quickvault-buffer")

(defgroup quickvault nil
  "Addresses, invoice details and notes, encrypted and a keystroke away."
  :group 'applications
  :prefix "quickvault-")

(defcustom quickvault-program "quickvault"
  "The program that keeps the vault, by name or by path."
  :type 'string)

(defcustom quickvault-vault-file nil
  "The vault's file, or nil for the usual one.
A change takes effect when the program is started next."
  :type '(choice (const :tag "The usual one" nil) file))

(defcustom quickvault-timeout 10
  "Seconds to wait for an answer."
  :type 'number)

(defcustom quickvault-password-timeout 180
  "Seconds to wait where a key is derived from a password.
Deriving it is slow on purpose."
  :type 'number)

(defvar quickvault-lock-functions nil
  "Functions called with the reason, a string, when the vault was locked.
The reasons are those of the notice `session/didLock', and `ended' when
the program ended.  They run in a process filter: they must not ask.")

(defvar quickvault--change-functions nil
  "Functions called with the parameters of `card/didChange'.")

(defvar quickvault--progress-functions nil
  "Functions called with the token and the value of `$/progress'.")

(defvar quickvault--finger-functions nil
  "Functions called with the parameters of `biometric/didChangeState'.")

(defvar quickvault--demo nil
  "Whether the program is started with a vault of sample cards.")

(defvar quickvault--connection nil
  "The connection to the running program, or nil.")

(defvar quickvault--sent-id 'none
  "The id of the request that was sent last, where someone has bound it to nil.")

(defclass quickvault--link (jsonrpc-process-connection) ()
  :documentation "A connection that tells the ids of its requests, to cancel them by.")

(cl-defmethod jsonrpc-connection-send :before
  ((_connection quickvault--link) &key id method &allow-other-keys)
  "Remember ID of a request for METHOD."
  (when (and id method (null quickvault--sent-id))
    (setq quickvault--sent-id id)))

;;; Starting and ending

(defun quickvault--connected ()
  "The running connection; start the program where there is none."
  (unless (quickvault--running-p)
    ;; One that a signal has stopped would neither hear nor answer.
    (when quickvault--connection (quickvault--stop quickvault--connection))
    (let ((connection (quickvault--start)))
      (quickvault--greet connection)
      (setq quickvault--connection connection)))
  quickvault--connection)

(defun quickvault--running-p ()
  "Whether there is a program to talk to."
  (and quickvault--connection
       (eq 'run (process-status (jsonrpc--process quickvault--connection)))))

(defun quickvault--start ()
  "Start the program and return a connection to it."
  (let ((program (executable-find quickvault-program))
        (default-directory "/"))
    (unless program
      (user-error "%s" (quickvault--text "The program %s was not found.  Install it, or set `quickvault-program'"
                                         quickvault-program)))
    (apply #'make-instance 'quickvault--link
           :name "quickvault"
           :process (lambda () (quickvault--make-process program))
           :notification-dispatcher #'quickvault--notified
           :on-shutdown #'quickvault--ended
           ;; Later versions of jsonrpc.el have another name for it.
           (if (slot-exists-p 'jsonrpc-process-connection '-events-buffer-config)
               '(:events-buffer-config (:size 0 :format full))
             '(:events-buffer-scrollback-size 0)))))

(defun quickvault--make-process (program)
  "Start PROGRAM; its standard error is read and dropped."
  (let ((errors (make-pipe-process :name "quickvault-stderr"
                                   :buffer (generate-new-buffer " *quickvault dropped*")
                                   :noquery t
                                   :filter #'ignore
                                   :sentinel (lambda (pipe _) (kill-buffer (process-buffer pipe))))))
    (make-process :name "quickvault"
                  :command (cons program
                                 (cond (quickvault--demo '("demo"))
                                       (quickvault-vault-file
                                        (list "--vault" (expand-file-name quickvault-vault-file)))))
                  :connection-type 'pipe
                  :coding 'utf-8-emacs-unix
                  :noquery t
                  :stderr errors)))

(defun quickvault--greet (connection)
  "Open the conversation on CONNECTION, or end it where the program does not suit."
  (condition-case failure
      (let* ((answer (quickvault--wait
                      connection 'initialize
                      (list :processId (emacs-pid)
                            :clientInfo (list :name "emacs" :version emacs-version)
                            :locale (quickvault--locale))
                      quickvault-timeout))
             (version (plist-get answer :protocolVersion)))
        (unless (eql version 1)
          (quickvault--stop connection)
          (user-error "%s" (if (and (integerp version) (> version 1))
                               (quickvault--text "The program quickvault is newer than this package.  Update the package")
                             (quickvault--text "The program quickvault is too old for this package.  Install a newer one"))))
        (setq quickvault--language (or (plist-get answer :locale) "en"))
        (jsonrpc-notify connection 'initialized (make-hash-table)))
    (jsonrpc-error
     (let ((code (alist-get 'jsonrpc-error-code (cdr failure))))
       (quickvault--stop connection)
       (user-error "%s" (cond
                         ((eql code -1)
                          (quickvault--text "The program quickvault ended at once.  Run `quickvault --version' in a terminal to see why"))
                         ((null code)
                          (quickvault--text "The program quickvault does not answer.  Is `quickvault-program' right?"))
                         (t
                          (quickvault--text "The program quickvault is too old for this package.  Install a newer one"))))))))

(defun quickvault--stop (connection)
  "End the program behind CONNECTION."
  (when (jsonrpc-running-p connection)
    (let ((inhibit-message t))
      (jsonrpc-shutdown connection))))

(defun quickvault--ended (connection)
  "Tidy up after the program behind CONNECTION ended."
  (kill-buffer (jsonrpc-events-buffer connection))
  (kill-buffer (jsonrpc-stderr-buffer connection))
  (kill-buffer (process-buffer (jsonrpc--process connection)))
  (when (eq connection quickvault--connection)
    (setq quickvault--connection nil)
    (run-hook-with-args 'quickvault-lock-functions "ended")))

;;; Notices

(defun quickvault--notified (connection method params)
  "Act on the notice METHOD with PARAMS from CONNECTION."
  (pcase method
    ('session/didLock
     (setf (jsonrpc-last-error connection) nil)
     (run-hook-with-args 'quickvault-lock-functions (plist-get params :reason)))
    ('card/didChange
     ;; From the timer, not from here: those who hear of it will ask.
     (run-at-time 0 nil #'run-hook-with-args 'quickvault--change-functions params))
    ('$/progress
     (run-hook-with-args 'quickvault--progress-functions
                         (plist-get params :token) (plist-get params :value)))
    ('biometric/didChangeState
     (run-hook-with-args 'quickvault--finger-functions params))
    ('window/showMessage
     ;; An error comes as an answer too, and is shown there.
     (when (eql (plist-get params :type) 3)
       (quickvault--notice (quickvault--own-language (plist-get params :messages)))))))

(defun quickvault--notice (text)
  "Show TEXT in the echo area and let it go after two seconds."
  (let ((message-log-max nil)
        (minibuffer-message-clear-timeout 2))
    (message "%s" text))
  (run-at-time 2 nil (lambda () (when (equal (current-message) text) (message nil)))))

(defun quickvault--tell (method)
  "Send the notice METHOD, if there is a program to hear it."
  (when (quickvault--running-p)
    (jsonrpc-notify quickvault--connection method (make-hash-table))))

;;; Asking

(defun quickvault--call (method &optional params timeout)
  "Ask METHOD with PARAMS and return the result; wait TIMEOUT seconds at most.
Signal `jsonrpc-error' for every error.  Quitting cancels the request."
  (quickvault--wait (quickvault--connected) method (or params (make-hash-table))
                    (or timeout quickvault-timeout)))

(defun quickvault--wait (connection method params timeout)
  "Ask METHOD with PARAMS over CONNECTION and wait TIMEOUT seconds at most.
`jsonrpc-request' leaves by a throw, and a notice that came along with
the answer would lie there until more comes."
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
      ;; It ended a moment ago, and sending told.
      (error (setq answered t failure '((jsonrpc-error-code . -1)))))
    (unwind-protect
        (while (not (or answered failure)) (accept-process-output nil 0.2))
      ;; After quitting, or too late, nobody waits for it any more.
      (unless answered (quickvault--cancel connection quickvault--sent-id)))
    (when failure (signal 'jsonrpc-error failure))
    result))

(defun quickvault--cancel (connection id)
  "Ask CONNECTION to stop the request ID."
  (when (and id (eq connection quickvault--connection) (quickvault--running-p))
    (jsonrpc-notify connection '$/cancelRequest (list :id id))))

(defun quickvault--request (method &optional params handlers timeout)
  "Ask METHOD with PARAMS and return the result, within TIMEOUT seconds.
HANDLERS is an alist of kinds of errors and functions of their data,
whose value is returned instead.  A locked vault is unlocked first and
a missing one created.  Any other error is a `user-error' in words."
  (quickvault--forget-commands)
  (condition-case failure
      (quickvault--call method params timeout)
    (jsonrpc-error
     (let* ((details (cdr failure))
            (data (alist-get 'jsonrpc-error-data details))
            (kind (plist-get data :kind))
            (handler (cdr (assoc kind handlers))))
       (cond
        (handler (funcall handler data))
        ((member kind '("vault.locked" "vault.notFound" "vault.changed"))
         (quickvault-unlock)
         (quickvault--request method params
                              (cons (cons kind (lambda (_) (user-error "%s" (quickvault--explain details method))))
                                    handlers)
                              timeout))
        (t (user-error "%s" (quickvault--explain details method))))))))

(defun quickvault--request-later (method params receive refuse)
  "Ask METHOD with PARAMS and return the request's id at once.
The result goes to the function RECEIVE; of an error, its words go to REFUSE."
  (let ((connection (quickvault--connected))
        (quickvault--sent-id nil))
    (jsonrpc-async-request
     connection method params
     :timeout quickvault-timeout
     :success-fn receive
     :error-fn (jsonrpc-lambda (&key code data &allow-other-keys)
                 (unless (equal (plist-get data :kind) "rpc.cancelled")
                   (funcall refuse (quickvault--explain `((jsonrpc-error-code . ,code)
                                                          (jsonrpc-error-data . ,data))
                                                        method))))
     :timeout-fn (lambda () (funcall refuse (quickvault--explain nil method))))
    quickvault--sent-id))

(defun quickvault--explain (details method)
  "What DETAILS of an error of METHOD mean to a person, and what to do."
  (let ((code (alist-get 'jsonrpc-error-code details))
        (messages (plist-get (alist-get 'jsonrpc-error-data details) :messages)))
    (cond
     ((eql code -1)
      (quickvault--text "The program quickvault ended before it answered (%s).  The next command starts it again; look whether a change was kept"
                        method))
     ((null code)
      (quickvault--text "No answer within the time (%s).  Try again; if it stays so, kill the program quickvault"
                        method))
     ((eql code -32601)
      (quickvault--text "The program quickvault is too old for this package.  Install a newer one"))
     (messages (quickvault--own-language messages))
     (t (quickvault--text "The program quickvault refused the request (%s, error %s)" method code)))))

(provide 'quickvault-server)
;;; quickvault-server.el ends here
