;;; quickvault-sync-tests.el --- Tests of the state of synchronisation  -*- lexical-binding: t; -*-

;;; Commentary:

;; Problems of other machines and of the folder are as in the description of the protocol.

;;; Code:

(require 'quickvault-test-support)

(ert-deftest quickvault-s-mode-line-says-what-needs-attention ()
  "S: the mode line follows the notifications, and says what only the user can mend; a lock clears it."
  (quickvault-test-with-vault
    (pcase-dolist (`(,wrong . ,status)
                   '((nil :state "idle" :replicas [])
                     (t :state "failed" :replicas [])
                     (t :state "idle" :needsPassword t :replicas [])
                     (t :state "idle" :replicas [(:replica "cccc" :problem (:kind "missing" :segment 17 :message "m"))])
                     (nil :state "idle" :replicas [] :mirror nil)
                     (nil :state "idle" :replicas [] :mirror (:failure (:kind "carrier.offline")))
                     (t :state "idle" :replicas [] :mirror (:failure (:kind "carrier.signInAgain")))))
      (quickvault--handle-notification nil 'sync/didChange (append '(:enabled t) status))
      (quickvault-test-wait (lambda () (equal (append '(:enabled t) status) quickvault--sync-status)))
      (should (equal (if wrong "  [Sync: see M-x quickvault-sync]" "") (quickvault--sync-mark))))
    (quickvault-test-keys "L")
    (should-not quickvault--sync-status)))

(ert-deftest quickvault-s-conflict-is-told-with-what-settles-it ()
  "S: a card that two machines changed is told, with the command that shows both versions."
  (let (shown)
    (cl-letf (((symbol-function 'quickvault--message) (lambda (text) (setq shown text))))
      (quickvault--handle-notification
       nil 'window/showMessage
       '(:type 3 :kind "sync.conflict" :messages (:en "Both versions were kept." :zh-Hans "两个版本都已保留。"))))
    (should (equal shown "Both versions were kept.  M-x quickvault-conflicts resolves it."))))

(provide 'quickvault-sync-tests)
;;; quickvault-sync-tests.el ends here
