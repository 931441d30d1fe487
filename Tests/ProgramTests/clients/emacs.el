;;; emacs.el --- Talk to QuickVault with jsonrpc.el  -*- lexical-binding: t -*-

;;; Commentary:

;; QUICKVAULT_PROGRAM and QUICKVAULT_VAULT name the program and the vault.  Prints "done" on success, and ends with an
;; error otherwise.

;;; Code:

(require 'jsonrpc)

(defconst emacs-client-password "三月的雨 and 42 umbrellas"
  "The password of the vault that is made.")

(defvar emacs-client-notices nil
  "The notices that came, newest first, each as (METHOD . PARAMETERS).")

(defun emacs-client-connect ()
  "Start the program, with its conversation in jsonrpc.el's hands."
  (make-instance
   'jsonrpc-process-connection
   :name "quickvault"
   :notification-dispatcher (lambda (_connection method parameters)
                              (push (cons method parameters) emacs-client-notices))
   :process (lambda ()
              (make-process :name "quickvault"
                            :command (list (getenv "QUICKVAULT_PROGRAM"))
                            :connection-type 'pipe
                            :coding 'utf-8-emacs-unix
                            :noquery t))))

(defun emacs-client-expect (condition text)
  "Signal an error with TEXT if CONDITION is nil."
  (unless condition (error "Not so: %s" text)))

(defun emacs-client-await (method)
  "Wait for a notice METHOD and give its parameters."
  (let ((deadline (time-add nil 30)))
    (while (and (not (assq method emacs-client-notices)) (time-less-p nil deadline))
      (accept-process-output nil 0.1))
    (emacs-client-expect (assq method emacs-client-notices) (format "the notice %s comes" method))
    (cdr (assq method emacs-client-notices))))

(defun emacs-client-converse (connection)
  "Lead a whole conversation over CONNECTION."
  (let ((hello (jsonrpc-request connection :initialize
                                `(:processId ,(emacs-pid) :clientInfo (:name "Emacs") :locale "zh_CN.UTF-8"
                                  :capabilities ,(make-hash-table)))))
    (emacs-client-expect (equal (plist-get hello :locale) "zh-Hans") "the locale is taken")
    (emacs-client-expect (plist-member hello :capabilities) "the answer has capabilities"))
  (jsonrpc-notify connection :initialized (make-hash-table))
  (jsonrpc-request connection :vault/create
                   `(:password ,emacs-client-password
                     :kdf (:algorithm "pbkdf2-hmac-sha256" :iterations 100000)))
  (let* ((answer (jsonrpc-request connection :card/create
                                  '(:title "家" :group "personal" :type "text" :fields (:text "灯笼 lantern\n𠮷"))))
         (id (plist-get (plist-get answer :card) :id))
         (hits (jsonrpc-request connection :card/search '(:query "灯笼"))))
    (emacs-client-expect (equal (plist-get (emacs-client-await 'window/showMessage) :message) "卡片已保存。")
                         "saving is told")
    (emacs-client-expect (equal (plist-get hits :total) 1) "the card is found")
    (emacs-client-expect
     (equal (plist-get (jsonrpc-request connection :card/copy `(:id ,id)) :text) "灯笼 lantern\n𠮷")
     "the text comes back")
    (emacs-client-expect (null (jsonrpc-request connection :session/lock nil)) "locking answers null")
    (condition-case failure
        (progn (jsonrpc-request connection :card/get `(:id ,id))
               (error "Not so: a locked vault refuses"))
      (jsonrpc-error
       (emacs-client-expect (equal (alist-get 'jsonrpc-error-code (cdr failure)) 1003) "the code is 1003")
       (emacs-client-expect
        (equal (plist-get (alist-get 'jsonrpc-error-data (cdr failure)) :kind) "vault.locked")
        "the kind is vault.locked")))
    ;; Emacs 28 handles messages that arrive in the same read as an answer only when the next message arrives.
    (emacs-client-expect (equal (plist-get (emacs-client-await 'session/didLock) :reason) "request")
                         "locking is told")
    (jsonrpc-request connection :session/unlock `(:password ,emacs-client-password))
    (emacs-client-expect (equal (plist-get (jsonrpc-request connection :card/list nil) :total) 1)
                         "the card is there after the process replaced itself"))
  (jsonrpc-request connection :shutdown nil)
  (jsonrpc-notify connection :exit nil)
  (let ((process (jsonrpc--process connection)))
    (while (process-live-p process) (accept-process-output process 0.1))
    (emacs-client-expect (equal (process-exit-status process) 0) "it ends cleanly")))

(emacs-client-converse (emacs-client-connect))
(princ "done\n")

(provide 'emacs)

;;; emacs.el ends here
