;;; quickvault-shared-tests.el --- Tests of shared unlock  -*- lexical-binding: t; -*-

;;; Commentary:

;; Emacs and another program on one service.

;;; Code:

(require 'quickvault-test-support)

(defvar quickvault-test-shared nil
  "Non-nil in a test with a shared vault.")

(defvar quickvault-test-output nil
  "What the other program has received.")

(defun quickvault-test-other-client (&optional way)
  "Start a relay to the service of the vault in its own session, and return its process.
WAY is \"mcp\" for the server of an agent."
  (setq quickvault-test-output "")
  (make-process :name "other" :connection-type 'pipe :noquery t :coding 'utf-8
                :command (list "setsid" "--wait" quickvault-test-program (or way "--shared")
                               "--vault" quickvault-vault-file)
                :filter (lambda (_ text) (setq quickvault-test-output (concat quickvault-test-output text)))))

(defun quickvault-test-send (process id method &optional params)
  "Send the request METHOD with ID and PARAMS to PROCESS."
  (process-send-string
   process (concat (json-serialize `(:jsonrpc "2.0" :id ,id :method ,method :params ,(or params (make-hash-table)))) "\n")))

(defun quickvault-test-await-output (text)
  "Wait until the other program has received TEXT."
  (quickvault-test-wait (lambda () (string-search text quickvault-test-output))))

(defmacro quickvault-test-sharing (&rest body)
  "Evaluate BODY in the list of a shared vault, with OTHER, a second program."
  (declare (indent 0) (debug t))
  `(let ((quickvault-test-shared t)
         (process-environment (cons (concat "XDG_RUNTIME_DIR=" (getenv "HOME")) process-environment)))
     (quickvault-test-with-vault
       (let ((other (quickvault-test-other-client)))
         (unwind-protect (progn ,@body)
           (ignore-errors (quickvault--call 'session/lock))
           (delete-process other))))))

(ert-deftest quickvault-u-the-user-is-asked-and-typing-does-not-answer ()
  "U: a question of another program is shown, answered, and not by what is typed."
  (quickvault-test-sharing
    (quickvault-test-send other 1 "client/requestConsent")
    (quickvault-test-wait (lambda () quickvault--question))
    (should (string-match-p "to use the unlocked vault\\?" (quickvault-test-text "*QuickVault question*")))
    (should (derived-mode-p 'quickvault-list-mode))
    (quickvault-test-keys "a")
    (should quickvault--question)
    (quickvault-test-keys "M-x quickvault-answer RET a")
    (quickvault-test-await-output "\"cardCount\":2")
    (should-not (get-buffer "*QuickVault question*"))
    (quickvault-test-send other 2 "card/list")
    (quickvault-test-await-output "Harbor")))

(ert-deftest quickvault-u-refused-and-withdrawn ()
  "U: a refusal is told; a question that is over is removed."
  (quickvault-test-sharing
    (quickvault-test-send other 1 "client/requestConsent")
    (quickvault-test-wait (lambda () quickvault--question))
    (process-send-string other "{\"jsonrpc\":\"2.0\",\"method\":\"$/cancelRequest\",\"params\":{\"id\":1}}\n")
    (quickvault-test-wait (lambda () (not quickvault--question)))
    (should-not (get-buffer "*QuickVault question*"))
    (quickvault-test-send other 2 "client/requestConsent")
    (quickvault-test-wait (lambda () quickvault--question))
    (quickvault-test-keys "M-x quickvault-answer RET r")
    (quickvault-test-await-output "auth.admissionRefused")))

(ert-deftest quickvault-m-an-agent-is-allowed-until-the-lock ()
  "M: what an agent may do, it may do again until the vault is locked; no program is admitted like that."
  (quickvault-test-sharing
    (quickvault-test-send other 1 "client/requestConsent")
    (quickvault-test-wait (lambda () quickvault--question))
    (should-error (quickvault-test-keys "M-x quickvault-answer RET l") :type 'user-error)
    (quickvault-test-keys "r")
    (let ((agent (quickvault-test-other-client "mcp"))
          (find '(:name "find_cards" :arguments (:query "Harbor"))))
      (unwind-protect
          (progn
            (quickvault-test-send
             agent 1 "initialize" `(:protocolVersion "2025-11-25" :capabilities ,(make-hash-table)
                                    :clientInfo (:name "test" :version "1")))
            (quickvault-test-send agent 2 "tools/call" find)
            (quickvault-test-wait (lambda () quickvault--question))
            (should (string-match-p "titles and field names" (quickvault-test-text "*QuickVault question*")))
            (quickvault-test-keys "M-x quickvault-answer RET l")
            (quickvault-test-await-output "\"id\":2,\"result\"")
            (quickvault-test-send agent 3 "tools/call" find)
            (quickvault-test-await-output "\"id\":3,\"result\"")
            (should (string-search "Harbor" quickvault-test-output)))
        (delete-process agent)))))

(ert-deftest quickvault-u-one-unlock-and-one-lock ()
  "U: another program's lock blanks Emacs, and its unlock restores it."
  (quickvault-test-sharing
    (quickvault-test-send other 1 "session/unlock" (list :password quickvault-test-password))
    (quickvault-test-await-output "\"cardCount\":2")
    (quickvault-test-send other 2 "session/lock")
    (quickvault-test-wait (lambda () (quickvault-test-shows "The vault is locked.")))
    (quickvault-test-send other 3 "session/unlock" (list :password quickvault-test-password))
    (quickvault-test-wait (lambda () (quickvault-test-shows "Harbor")))))

(ert-deftest quickvault-u-the-password-admits-emacs ()
  "U: an Emacs that is not admitted asks for consent or the password."
  (quickvault-test-sharing
    (quickvault-test-send other 1 "session/unlock" (list :password quickvault-test-password))
    (quickvault-test-await-output "\"cardCount\":2")
    (quickvault-test-send other 2 "client/list")
    (quickvault-test-await-output "\"own\":true")
    (string-match "{\"id\":\\([0-9]+\\),\"program\":{[^}]*},\"own\":false" quickvault-test-output)
    (quickvault-test-send other 3 "client/revoke"
                          (list :id (string-to-number (match-string 1 quickvault-test-output))))
    (quickvault-test-wait (lambda () (quickvault-test-shows "ended the access of Emacs")))
    (quickvault-test-keys "RET n RET" quickvault-test-keys-of-password "RET")
    (should (quickvault-test-shows "Harbor"))))

(ert-deftest quickvault-u-the-programs-that-can-consent-are-named ()
  "U: Emacs asks for the password at once if nobody can consent; else it names who is asked."
  (let (asked called)
    (cl-letf (((symbol-function 'quickvault--unlock) (lambda (_) (push 'password asked)))
              ((symbol-function 'quickvault--confirm) (lambda (&rest question) (push question asked) t))
              ((symbol-function 'quickvault--did-unlock) #'ignore)
              ((symbol-function 'quickvault--call) (lambda (method &rest _) (setq called method))))
      (quickvault--be-admitted '(:admitted :json-false))
      (should (equal '(password) asked))
      (quickvault--be-admitted '(:admitted :json-false :consentFrom [(:name "vim" :process 7) (:name "qv" :process 8)]))
      (should (equal '("vim, qv") (cdar asked)))
      (should (eq 'client/requestConsent called)))))

(ert-deftest quickvault-u-emacs-joins-a-vault-that-is-unlocked ()
  "U: an Emacs that starts after another program has unlocked the vault asks nothing, and locks with it."
  (quickvault-test-sharing
    (quickvault-test-send other 1 "session/unlock" (list :password quickvault-test-password))
    (quickvault-test-await-output "\"cardCount\":2")
    (quickvault--stop quickvault--connection)
    (should-not quickvault--unlocked)
    (quickvault-test-keys "M-x quickvault RET")
    (should quickvault--unlocked)
    (should (quickvault-test-shows "Harbor"))
    (quickvault-test-send other 2 "session/lock")
    (quickvault-test-wait (lambda () (quickvault-test-shows "The vault is locked.")))))

(ert-deftest quickvault-u-without-a-place-for-the-service-emacs-is-alone ()
  "U: where the socket has no place, Emacs has a process of its own, and says so."
  (let* ((runtime (make-temp-file "quickvault-runtime-" t))
         (process-environment (cons (concat "XDG_RUNTIME_DIR=" runtime) process-environment))
         (quickvault-test-shared t))
    (make-symbolic-link "nowhere" (expand-file-name "quickvault" runtime))
    (unwind-protect
        (quickvault-test-with-vault
          (should-not (quickvault--sharing-p))
          (should (member "QUICKVAULT_ALONE=1" (quickvault--qv-environment)))
          (quickvault-test-keys "L RET" quickvault-test-keys-of-password "RET")
          (should (quickvault-test-shows "Harbor"))
          (should (string-search "Unlocked.  Cards: 2  Not shared with other programs" (quickvault-test-text "*Messages*"))))
      (delete-directory runtime t))))

;;; A service that is killed

(defun quickvault-test-service ()
  "Return the process ID of the service of the vault."
  (seq-find (lambda (process)
              (let ((words (alist-get 'args (process-attributes process))))
                (and words (string-search (concat "--background --vault " quickvault-vault-file) words))))
            (list-system-processes)))

(ert-deftest quickvault-u-the-service-is-killed-while-nothing-is-asked ()
  "U: Emacs says that the service has ended and blanks; the next command starts another."
  (quickvault-test-sharing
    (quickvault--request 'card/create '(:title "Answered" :group "personal" :type "text" :fields (:text "x")))
    (let ((killed (quickvault-test-service)))
      (signal-process killed 'SIGKILL)
      (quickvault-test-wait (lambda () (quickvault-test-shows "The next command restarts it")))
      (should-not (quickvault-test-anywhere "Harbor 开票"))
      (quickvault-test-keys "RET" (list quickvault-test-password) "RET")
      (should (quickvault-test-shows "Harbor"))
      (should (quickvault-test-shows "Answered"))
      (should-not (equal killed (quickvault-test-service))))))

(provide 'quickvault-shared-tests)
;;; quickvault-shared-tests.el ends here
