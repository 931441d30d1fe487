;;; quickvault-sync-tests.el --- Tests of the page about synchronisation  -*- lexical-binding: t; -*-

;;; Commentary:

;; Most answers about synchronisation are given by the test: problems of other machines and
;; of the folder are as in the description of the protocol.  The last test has two vaults.

;;; Code:

(require 'quickvault-test-support)

(defvar quickvault-test-asked nil
  "The methods of synchronisation that were called, the newest first, with parameters.")

(defconst quickvault-test-sync-status
  '(:enabled t :folder "/home/lin/carried" :replica "aaaa" :machine "desk" :published 12 :state "idle"
    :lastSynced "2026-11-23T04:00:00.000Z"
    :replicas [(:replica "bbbb" :machine "laptop" :lastSeen "2026-11-22T10:00:00.000Z" :behind 0)
               (:replica "cccc" :machine "old tablet" :behind 3
                :problem (:kind "missing" :segment 17 :message "m"))
               (:replica "dddd" :machine "" :behind 0 :problem (:kind "unreadable" :segment 1 :message "m"))])
  "The status of a synchronised vault with two problems.")

(defmacro quickvault-test-syncing (status &rest body)
  "Evaluate BODY in the list of a vault, with STATUS as the answer about synchronisation."
  (declare (indent 1) (debug t))
  `(let ((call (symbol-function 'quickvault--call))
         (quickvault-test-asked nil)
         (answer ,status))
     (quickvault-test-with-vault
       (cl-letf (((symbol-function 'quickvault--call)
                  (lambda (method &optional params timeout)
                    (if (not (string-match-p "\\`sync/\\|\\`vault/rekey" (symbol-name method)))
                        (funcall call method params timeout)
                      (push (cons method params) quickvault-test-asked)
                      (when (eq method 'sync/disable) (setq answer '(:enabled :json-false)))
                      answer))))
         ,@body))))

(ert-deftest quickvault-s-page-shows-machines-and-problems ()
  "S: the page has state, folder, machines with when they were seen, and problems, in both languages."
  (quickvault-test-syncing quickvault-test-sync-status
    (quickvault-test-keys "M-x quickvault-sync RET")
    (dolist (text '("something needs your attention" "Folder: /home/lin/carried" "This machine: desk"
                    "laptop  last seen 2026-11-22" "old tablet  not seen yet, changes to come: 3"
                    "! File changes/cccc/0000000000000011 is not here" "  dddd  not seen yet"
                    "! File changes/dddd/0000000000000001 is truncated" "s synchronises now"))
      (should (and text (quickvault-test-shows text))))
    (let ((quickvault--language "zh-Hans"))
      (quickvault-test-keys "g")
      (should (quickvault-test-shows "文件 changes/cccc/0000000000000011 尚未到达")))))

(ert-deftest quickvault-s-page-follows-the-program ()
  "S: a notification updates the page, where point is, and the mode line; a lock clears both."
  (quickvault-test-syncing quickvault-test-sync-status
    (quickvault-test-keys "M-x quickvault-sync RET")
    (goto-char (point-min))
    (search-forward "laptop")
    (should (string-match-p "M-x quickvault-sync" (quickvault--sync-mark)))
    (quickvault--handle-notification
     nil 'sync/didChange
     (list :enabled t :folder "/home/lin/carried" :machine "desk" :state "failed"
           :failure (quote (:kind "sync.folderNotFound" :since "2026-11-23T04:00:00.000Z"
                    :messages (:en "The folder is gone." :zh-Hans "文件夹不见了。")))
           :replicas (plist-get quickvault-test-sync-status :replicas)))
    (quickvault-test-wait (lambda () (quickvault-test-shows "The folder is gone.  (since")))
    (should (string-match-p "sync" (quickvault--sync-mark)))
    (quickvault--handle-notification nil 'sync/didChange
                                     (list :enabled t :folder "/f" :machine "desk" :state "idle" :replicas []))
    (quickvault-test-wait (lambda () (quickvault-test-shows "None yet")))
    (should (equal "" (quickvault--sync-mark)))
    (quickvault-test-keys "L")
    (should-not (string-search "Other machines" (quickvault-test-text "*QuickVault sync*")))
    (should-not quickvault--sync-status)))

(ert-deftest quickvault-s-conflict-is-told-with-what-settles-it ()
  "S: a card that two machines changed is told, with the command that shows both versions."
  (let (shown)
    (cl-letf (((symbol-function 'quickvault--message) (lambda (text) (setq shown text))))
      (quickvault--handle-notification
       nil 'window/showMessage
       '(:type 3 :kind "sync.conflict" :messages (:en "Both versions were kept." :zh-Hans "两个版本都已保留。"))))
    (should (equal shown "Both versions were kept.  M-x quickvault-conflicts resolves it."))))

(ert-deftest quickvault-s-page-says-whether-a-server-has-it ()
  "S: with an account, the page says when the server got the folder, or why not; the mode line, if the user must act."
  (quickvault-test-syncing '(:enabled t :folder "/f" :machine "desk" :state "idle" :replicas [])
    (quickvault-test-keys "M-x quickvault-sync RET")
    (should-not (quickvault-test-shows "Mirrored to the server"))
    (pcase-dolist (`(,mirror ,shown ,wrong)
                   '((nil "Mirrored to the server: not yet\n" nil)
                     ((:lastMirrored "2026-11-23T04:00:00.000Z") "Mirrored to the server: 2026-11-23" nil)
                     ((:percentage 40) "not yet  (40 % of what is new)" nil)
                     ((:lastMirrored "2026-11-22T04:00:00.000Z"
                       :failure (:kind "carrier.offline" :messages (:en "Offline." :zh-Hans "没有联网。")
                                 :since "2026-11-23T04:00:00.000Z"))
                      "  ! Offline.  (since 2026-11-23" nil)
                     ((:failure (:kind "carrier.signInAgain" :messages (:en "Sign in." :zh-Hans "请登录。")
                                 :since "2026-11-23T04:00:00.000Z"))
                      "not yet  ! Sign in.  (since 2026-11-23" t)))
      (quickvault--handle-notification nil 'sync/didChange (append answer (list :mirror mirror)))
      (quickvault-test-wait (lambda () (quickvault-test-shows shown)))
      (should (eq wrong (quickvault--sync-wrong-p quickvault--sync-status))))
    (let ((quickvault--language "zh-Hans"))
      (quickvault--sync-changed (append answer '(:mirror nil)))
      (should (quickvault-test-shows "传送到服务器：尚未传送")))))

(ert-deftest quickvault-s-keys-of-the-page ()
  "S: the keys enable, synchronise, forget, follow a new key and turn off; dangerous ones ask."
  (quickvault-test-syncing '(:enabled :json-false)
    (quickvault-test-keys "M-x quickvault-sync RET")
    (should (quickvault-test-shows "This vault is not synchronised"))
    (setq answer (append '(:needsPassword t) quickvault-test-sync-status))
    (quickvault-test-keys "e C-a C-k" (list quickvault-test-directory) "RET")
    (should (equal (directory-file-name quickvault-test-directory)
                   (plist-get (cdr (assq 'sync/enable quickvault-test-asked)) :folder)))
    (should (quickvault-test-shows "has given the vault a new key"))
    (quickvault-test-keys "s p" quickvault-test-keys-of-password "RET")
    (should (assq 'sync/now quickvault-test-asked))
    (should (assq 'sync/rejoin quickvault-test-asked))
    (goto-char (point-min))
    (search-forward "! File changes/cccc")
    (quickvault-test-keys "k n")
    (should-not (assq 'sync/forget quickvault-test-asked))
    (quickvault-test-keys "k y")
    (should (equal '(:replica "cccc") (cdr (assq 'sync/forget quickvault-test-asked))))
    (goto-char (point-max))
    (should-error (quickvault-test-keys "k"))
    (quickvault-test-keys "R y RET" quickvault-test-keys-of-password "RET" "another SPC one RET another SPC one RET")
    (should (plist-member (cdr (assq (quote vault/rekey) quickvault-test-asked)) :oldPassword))
    (quickvault-test-keys "D y")
    (should (quickvault-test-shows "This vault is not synchronised"))
    (should-error (quickvault-test-keys "D") :type 'user-error)))

(ert-deftest quickvault-s-the-first-run-offers-to-join ()
  "S, R22: the welcome names the command; joining asks for folder and password, and opens the list."
  (quickvault-test-in-directory
    (let ((call (symbol-function 'quickvault--call)) joined)
      (cl-letf (((symbol-function 'quickvault--call)
                 (lambda (method &optional params timeout)
                   (pcase method
                     ('sync/join
                      (setq joined (copy-tree params))
                      ;; What joining leaves: a vault with this password.
                      (funcall call 'vault/create (list :password (plist-get params :password)) timeout)
                      quickvault-test-sync-status)
                     ('sync/status quickvault-test-sync-status)
                     (_ (funcall call method params timeout))))))
        (quickvault-test-keys "M-x quickvault RET C-g")
        (should (quickvault-test-shows "M-x quickvault-sync-join"))
        (quickvault-test-keys "M-x quickvault-sync-join RET C-a C-k" (list quickvault-test-directory) "RET"
                              quickvault-test-keys-of-password "RET"))
      (should (equal (directory-file-name quickvault-test-directory) (plist-get joined :folder)))
      (should quickvault--unlocked)
      (should (quickvault-test-shows "old tablet"))
      (quickvault-test-keys "M-x quickvault RET")
      (should (quickvault-test-shows "No cards yet")))))

(ert-deftest quickvault-s-a-program-that-cannot-synchronise ()
  "S: with an older program, the welcome does not offer to join, and the page says why not."
  (quickvault-test-in-directory
    (let ((call (symbol-function 'quickvault--call)))
      (cl-letf (((symbol-function 'quickvault--call)
                 (lambda (method &optional params timeout)
                   (if (eq method 'sync/status)
                       (signal 'jsonrpc-error '((jsonrpc-error-code . -32601)))
                     (funcall call method params timeout)))))
        (quickvault-test-keys "M-x quickvault RET C-g")
        (should (quickvault-test-shows "Welcome"))
        (should-not (quickvault-test-shows "quickvault-sync"))
        (should (string-match-p "too old" (error-message-string (should-error (quickvault-sync)))))))))

;;; With the real program

(defun quickvault-test-machine (name)
  "Continue as the machine NAME, which has a vault of its own."
  (quickvault--stop quickvault--connection)
  (setq quickvault-vault-file (expand-file-name (concat name ".quickvault") quickvault-test-directory)))

(ert-deftest quickvault-s-two-machines-and-a-new-key ()
  "S: from the page, a machine enables, another joins, one gives a new key, and the other follows."
  (quickvault-test-with-vault
    (let ((folder (expand-file-name "carried" quickvault-test-directory))
          (tokens nil))
      (make-directory folder)
      (quickvault-test-keys "M-x quickvault-sync RET e C-a C-k" (list folder) "RET")
      (should (quickvault-test-shows "None yet"))
      (quickvault-test-machine "other")
      ;; After a wrong password, it is asked for again.
      (quickvault-test-keys "M-x quickvault-sync-join RET C-a C-k" (list folder) "RET not SPC it RET"
                            quickvault-test-keys-of-password "RET")
      (should (quickvault-test-shows "Other machines"))
      (cl-letf* ((handle (symbol-function 'quickvault--handle-notification))
                 ((symbol-function 'quickvault--handle-notification)
                  (lambda (connection method params)
                    (when (eq method '$/progress) (push (plist-get params :token) tokens))
                    (funcall handle connection method params))))
        (quickvault-test-keys "R y RET" quickvault-test-keys-of-password "RET another SPC one RET another SPC one RET"))
      (should (member "vault/rekey" tokens))
      (should (quickvault-test-shows "Other machines"))
      (quickvault-test-machine "my")
      (quickvault-test-keys "M-x quickvault-sync RET" quickvault-test-keys-of-password "RET")
      (ignore-errors (quickvault-test-keys "s"))
      (quickvault-test-wait (lambda () (quickvault-test-shows "has given the vault a new key")))
      (quickvault-test-keys "p not SPC it RET another SPC one RET")
      (quickvault-test-wait (lambda () (not (quickvault-test-shows "has given the vault a new key"))))
      (quickvault-test-keys "M-x quickvault RET")
      (should (quickvault-test-shows "Harbor")))))

(provide 'quickvault-sync-tests)
;;; quickvault-sync-tests.el ends here
