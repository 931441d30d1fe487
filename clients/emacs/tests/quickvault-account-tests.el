;;; quickvault-account-tests.el --- Tests of the page about the account  -*- lexical-binding: t; -*-

;;; Commentary:

;; The program, its carrier and the servers are real: rclone, and glewlwyd with Apache.  Debian
;; has no package of Nextcloud, so a server of the tests answers like one.

;;; Code:

(require 'quickvault-test-support)

(defvar quickvault-test-server nil
  "The process of the server.")

(defvar quickvault-test-facts nil
  "What to sign in to the server with, in the order of the questions.")

(defmacro quickvault-test-with-server (kind &rest body)
  "Evaluate BODY in the list of a vault, while a server of KIND runs."
  (declare (indent 1) (debug t))
  `(quickvault-test-beside-server ,kind (quickvault-test-with-vault ,@body)))

(defmacro quickvault-test-beside-server (kind &rest body)
  "Evaluate BODY while a server of KIND runs."
  (declare (indent 1) (debug t))
  `(let* ((quickvault-test-facts nil)
          (quickvault-test-server (quickvault-test-start-server ,kind)))
     (unwind-protect
         (progn ,@body)
       (process-send-eof quickvault-test-server)
       (quickvault-test-wait (lambda () (not (process-live-p quickvault-test-server)))))))

(defun quickvault-test-start-server (kind)
  "Start a server of KIND, and wait for what to sign in with."
  (let* ((file (expand-file-name "../../../Tests/CarrierTests/account_server.py"
                                 (file-name-directory (locate-library "quickvault-account-tests"))))
         (output "")
         ;; Apache, as another user, cannot reach the directory of the tests.
         (process-environment (append '("PYTHONDONTWRITEBYTECODE=1" "TMPDIR") process-environment))
         (process (make-process :name "account-server" :connection-type 'pipe :noquery t
                                :command (list "/usr/bin/python3" file kind)
                                :filter (lambda (_ text) (setq output (concat output text)))))
         (wanted (pcase kind ((or "device" "code") 4) ("tls" 2) (_ 1))))
    (quickvault-test-wait (lambda ()
                            (unless (process-live-p process) (error "The server has ended: %s" output))
                            (setq quickvault-test-facts (split-string output "\n" t))
                            (and (string-suffix-p "\n" output) (= wanted (length quickvault-test-facts)))))
    process))

(defun quickvault-test-sign-in (provider &rest answers)
  "Type the keys to sign in with PROVIDER and ANSWERS, texts to type."
  (apply #'quickvault-test-keys "M-x quickvault-account-sign-in RET" (list provider) "RET"
         (mapcan (lambda (answer) (list (list answer) "RET")) answers)))

(defun quickvault-test-sign-in-by-password (password)
  "Sign in to the server with PASSWORD."
  (quickvault-test-sign-in "Another WebDAV server" (car quickvault-test-facts) "dav" password))

(defun quickvault-test-let-in (&optional line)
  "Have the server let the user in, with LINE about the page."
  (process-send-string quickvault-test-server (concat line "\n")))

(ert-deftest quickvault-c-app-password ()
  "C: a wrong app password is refused in words; with the right one, the page shows the account; it signs out."
  (quickvault-test-with-server "password"
    (quickvault-test-keys "M-x quickvault-sync RET a")
    (dolist (text '("Not signed in." "Nextcloud, in a browser" "User name and app password" "with a code in any browser"
                    "in a browser on this machine" "an app password, which" "It does not learn what is in them.  p shows more"))
      (should (and text (quickvault-test-shows text))))
    (let ((failure (should-error (quickvault-test-sign-in-by-password "wrong SECRET4712") :type 'user-error)))
      (should (string-match-p "user name\\|password" (error-message-string failure))))
    (should (quickvault-test-shows "Not signed in."))
    (quickvault-test-sign-in-by-password "the app password of the tests")
    (dolist (text (list "Signed in." (concat "Server: " (car quickvault-test-facts)) "User: dav"
                        "Signed in by: User name and app password" "Last mirrored: "
                        "Signs in with: tokens or a password, encrypted in the vault's file"))
      (should (and text (quickvault-test-shows text))))
    (dolist (secret '("SECRET4712" "the app password of the tests"))
      (should-not (quickvault-test-anywhere secret))
      (should-not (string-search secret (format "%S" (list minibuffer-history command-history kill-ring)))))
    (let ((quickvault--language "zh-Hans"))
      (quickvault-test-keys "g")
      (should (quickvault-test-shows "登录方式：用户名和应用密码")))
    (quickvault-test-keys "g o n")
    (should (quickvault-test-shows "Signed in."))
    (quickvault-test-keys "o y")
    (should (quickvault-test-shows "Not signed in."))))

(ert-deftest quickvault-c-the-folder-is-carried ()
  "C: the page says when the folder was carried, as soon as it was."
  (quickvault-test-with-server "password"
    (let ((folder (expand-file-name "carried" quickvault-test-directory)))
      (make-directory folder)
      (quickvault-test-keys "M-x quickvault-sync RET e C-a C-k" (list folder) "RET")
      (quickvault-test-sign-in-by-password "the app password of the tests")
      (quickvault-test-wait (lambda ()
                              (quickvault-test-keys "g")
                              (quickvault-test-shows "Last mirrored: 20"))))))

(ert-deftest quickvault-c-delete-data ()
  "C: a key deletes what the server has, after name and password; what was carried is gone, and what is here stays."
  (quickvault-test-with-server "password"
    (let ((folder (expand-file-name "carried" quickvault-test-directory))
          said)
      (make-directory folder)
      (quickvault-test-keys "M-x quickvault-account RET")
      (should-error (quickvault-test-keys "D") :type 'user-error)
      (quickvault-test-keys "M-x quickvault-sync RET e C-a C-k" (list folder) "RET")
      (quickvault-test-sign-in-by-password "the app password of the tests")
      (quickvault-test-wait (lambda ()
                              (quickvault-test-keys "g")
                              (quickvault-test-shows "Last mirrored: 20")))
      (should (quickvault-test-shows "D also deletes"))
      (should-error (quickvault-test-keys "D other RET") :type 'user-error)
      (should (quickvault-test-shows "Signed in."))
      (cl-letf (((symbol-function 'quickvault--message) (lambda (text) (setq said text))))
        (quickvault-test-keys "D my.quickvault RET" '("wrong one") "RET" quickvault-test-keys-of-password "RET"))
      (should (string-match-p "\\`Deleted on the server, and signed out\\..*may still be valid" said))
      (should (quickvault-test-shows "Not signed in."))
      (should (directory-files folder nil "\\`[^.]"))
      (quickvault-test-keys "M-x quickvault-sync RET")
      (should (quickvault-test-shows folder))
      (quickvault-test-sign-in-by-password "the app password of the tests")
      (let ((quickvault--language "zh-Hans"))
        (cl-letf* (((symbol-function 'quickvault--message) (lambda (text) (setq said text)))
                   (request (symbol-function 'quickvault--request))
                   ((symbol-function 'quickvault--request)
                    (lambda (method &rest more)
                      (if (eq method 'account/deleteData)
                          '(:deleted :json-false :revoked :json-false :failure (:messages (:en "Away." :zh-Hans "不在。")))
                        (apply request method more)))))
          (quickvault-test-keys "D my.quickvault RET" quickvault-test-keys-of-password "RET"))
        (should (equal said "已退出登录。服务器上没有这个保险库的内容。  不在。  应用密码或会话在服务器上可能仍然有效，请在服务器上删除。"))))))

(ert-deftest quickvault-c-page-follows-the-program ()
  "C: when the folder was carried, the page says so without asking, and each window stays where it is."
  (quickvault-test-with-server "password"
    (let ((folder (expand-file-name "carried" quickvault-test-directory))
          places)
      (make-directory folder)
      (quickvault-test-sign-in-by-password "the app password of the tests")
      (should (quickvault-test-shows "Last mirrored: not yet"))
      (save-window-excursion
        (let ((other (split-window)))
          (goto-char (point-min))
          (search-forward "User: d")
          (with-selected-window other (goto-char (point-max)))
          (quickvault--request 'sync/enable (list :folder folder))
          (quickvault-test-wait (lambda () (quickvault-test-shows "Last mirrored: 20")))
          (setq places (list (looking-back "User: d" 10) (= (window-point other) (point-max))))))
      (should (equal places '(t t)))
      (quickvault-test-keys "M-x quickvault-sync RET")
      (should (quickvault-test-shows "Mirrored to the server: 20")))))

(ert-deftest quickvault-c-before-a-vault ()
  "C: without a vault, the page says after signing in how to get it from the server."
  (quickvault-test-beside-server "password"
    (quickvault-test-in-directory
      (quickvault-test-keys "M-x quickvault-account RET")
      (should (quickvault-test-shows "Not signed in."))
      (quickvault-test-sign-in-by-password "the app password of the tests")
      (should (quickvault-test-shows "User: dav"))
      (should (quickvault-test-shows "M-x quickvault-sync-join gets")))))

(ert-deftest quickvault-c-waiting-for-the-browser ()
  "C: the page is a button and a QR code; Emacs stays usable; \\`C-g' gives up in silence; a server that does not forget is named."
  (quickvault-test-with-server "forgetful"
    (let* ((url (car quickvault-test-facts))
           opened
           (browse-url-browser-function (lambda (page &rest _) (setq opened page))))
      (quickvault-test-sign-in "Nextcloud" url)
      (should (quickvault-test-shows (concat "  " url "/index.php/login/v2/flow/x")))
      (quickvault-test-keys "TAB RET")
      (should (equal opened (concat url "/index.php/login/v2/flow/x")))
      ;; Other commands say at once what they would wait for.
      (let ((failure (should-error (quickvault-test-keys "M-x quickvault-events RET") :type 'user-error)))
        (should (string-match-p "You are signing in" (error-message-string failure))))
      (should-error (quickvault-test-keys "M-x quickvault-account-sign-in RET") :type 'user-error)
      (quickvault-test-keys "M-x quickvault-account RET")
      (should (quickvault-test-shows "/login/v2/flow/x"))
      (call-interactively (key-binding (kbd "C-g")))
      (should (quickvault-test-shows "Not signed in."))
      (quickvault-test-sign-in "Nextcloud" url)
      (quickvault-test-keys "C-c C-k")
      (should (quickvault-test-shows "Not signed in."))
      (should-error (quickvault-test-keys "M-x quickvault-account-cancel RET") :type 'user-error)
      (quickvault-test-sign-in "Nextcloud" url)
      (quickvault-test-let-in)
      (quickvault-test-wait (lambda () (quickvault-test-shows "User: alice")))
      (let (said)
        (cl-letf (((symbol-function 'quickvault--message) (lambda (text) (setq said text))))
          (quickvault-test-keys "o y"))
        (should (string-match-p "\\`Signed out\\.  .+" said)))
      (should (quickvault-test-shows "Not signed in.")))))

(ert-deftest quickvault-c-lock-while-signing-in ()
  "R9: a lock while the browser is open clears the page and gives up; unlocking shows the account."
  (quickvault-test-with-server "forgetful"
    (quickvault-test-sign-in "Nextcloud" (car quickvault-test-facts))
    (should (quickvault-test-shows "/login/v2/flow/x"))
    (quickvault-test-keys "L")
    (should-not (quickvault-test-anywhere "/login/v2/flow/x"))
    (should-not quickvault--sign-in-id)
    (quickvault-test-let-in)
    (quickvault-test-keys "RET" quickvault-test-keys-of-password "RET")
    (should (quickvault-test-shows "Not signed in."))))

(ert-deftest quickvault-c-unsaved-input-while-signing-in ()
  "R9: what was typed into a form while the browser is open comes back after a lock."
  (quickvault-test-with-server "forgetful"
    (quickvault-test-go "Harbor")
    (quickvault-test-keys "e")
    (let ((form (current-buffer)))
      (quickvault-test-sign-in "Nextcloud" (car quickvault-test-facts))
      (switch-to-buffer form)
      (quickvault-test-keys "typed SPC meanwhile")
      (quickvault-lock)
      (should-not (quickvault-test-anywhere "typed meanwhile"))
      (switch-to-buffer form)
      (quickvault-test-keys "RET" quickvault-test-keys-of-password "RET")
      (quickvault-test-wait (lambda () (quickvault-test-anywhere "typed meanwhile"))))))

(ert-deftest quickvault-c-password-is-asked-again ()
  "C: if the password was given long ago, it is asked for before signing in."
  (quickvault-test-with-server "password"
    (let ((send (symbol-function 'quickvault--account-send-once))
          (times 0))
      (cl-letf (((symbol-function 'quickvault--account-send-once)
                 (lambda (params)
                   (if (= 1 (cl-incf times))
                       (signal 'jsonrpc-error '((jsonrpc-error-code . 1004)
                                                (jsonrpc-error-data . (:kind "auth.required"
                                                                       :messages (:en "Again." :zh-Hans "再次。")))))
                     (funcall send params)))))
        (quickvault-test-sign-in "Another WebDAV server" (car quickvault-test-facts) "dav" "the app password of the tests"
                                 quickvault-test-password))
      (should (= times 2))
      (should (quickvault-test-shows "User: dav")))))

(ert-deftest quickvault-c-certificate-of-ones-own ()
  "C: if a certificate is not trusted, a file of authorities is asked for, or with a prefix argument at once."
  (quickvault-test-with-server "tls"
    (pcase-let* ((`(,url ,certificate) quickvault-test-facts)
                 (authorities (expand-file-name "authorities.pem" quickvault-test-directory))
                 (password "the app password of the tests"))
      (copy-file certificate authorities)
      (let ((failure (should-error (quickvault-test-sign-in "Another WebDAV server" url "dav" password "") :type 'user-error)))
        (should (string-match-p "certificate" (error-message-string failure))))
      (should (quickvault-test-shows "Not signed in."))
      (quickvault-test-sign-in "Another WebDAV server" url "dav" password authorities)
      (should (quickvault-test-shows (concat "Certificate authorities: " authorities)))
      (quickvault-test-keys "o y RET C-u s" (list "Another WebDAV server") "RET" (list url) "RET dav RET" (list password) "RET"
                            (list authorities) "RET")
      (should (quickvault-test-shows "User: dav")))))

(ert-deftest quickvault-c-device-of-a-provider ()
  "C: the code of a real provider is shown; once it is confirmed, the page shows the account until when."
  (quickvault-test-with-server "device"
    (pcase-let ((`(,url ,issuer ,client ,scope) quickvault-test-facts))
      (quickvault-test-keys "C-u M-x quickvault-account-sign-in RET" (list "OpenID Connect") "RET"
                            (list "OpenID Connect, with a code in any browser") "RET" (list url) "RET" (list issuer) "RET"
                            (list client) "RET" (list scope) "RET")
      (should (quickvault-test-shows "and type this code there:"))
      (should (quickvault-test-shows (plist-get quickvault--sign-in-page :code)))
      (quickvault-test-let-in (plist-get quickvault--sign-in-page :urlWithCode))
      (quickvault-test-wait (lambda () (quickvault-test-shows "Access until: 20")))
      (should (quickvault-test-shows "Signed in by: OpenID Connect, with a code in any browser")))))

(ert-deftest quickvault-c-browser-of-this-machine ()
  "C: the page of a real provider comes back to this machine, and the page shows the account."
  (quickvault-test-with-server "code"
    (pcase-let ((`(,url ,issuer ,client ,scope) quickvault-test-facts))
      (quickvault-test-keys "C-u M-x quickvault-account-sign-in RET" (list "OpenID Connect") "RET"
                            (list "OpenID Connect, in a browser on this machine") "RET" (list url) "RET" (list issuer) "RET"
                            (list client) "RET" (list scope) "RET")
      (should-not (quickvault-test-shows "and type this code there:"))
      (quickvault-test-let-in (plist-get quickvault--sign-in-page :url))
      (quickvault-test-wait (lambda () (quickvault-test-shows "Access until: 20")))
      (should (quickvault-test-shows "Signed in by: OpenID Connect, in a browser on this machine")))))

(ert-deftest quickvault-c-sign-in-again ()
  "C: an account that needs a new sign-in says so, and signing in offers to sign out first."
  (quickvault-test-with-server "password"
    (quickvault-test-sign-in-by-password "the app password of the tests")
    (quickvault--account-fill
     (lambda ()
       (quickvault--insert-account
        '(:signedIn t :method "device" :address "https://example.org/dav/"
          :failure (:kind "carrier.signInAgain" :since "2026-11-23T04:00:00.000Z"
                    :messages (:en "Sign in again." :zh-Hans "请重新登录。"))))))
    (dolist (text '("the folder is not mirrored" "Sign in again.  (since 2026-11-23" "s signs out and in again"))
      (should (and text (quickvault-test-shows text))))
    (should-error (quickvault-test-keys "s n") :type 'user-error)
    (quickvault-test-keys "g s y RET" (list "Another WebDAV server") "RET" (list (car quickvault-test-facts)) "RET dav RET"
                          (list "the app password of the tests") "RET")
    (should (quickvault-test-shows "User: dav"))))

(ert-deftest quickvault-c-sign-in-again-says-what-stays-valid ()
  "C: if the server does not forget the old sign-in, the page says so while the new one is asked for, and after it is given up."
  (quickvault-test-with-server "forgetful"
    (let ((url (car quickvault-test-facts))
          (says "server failed.*may still be valid at the server")
          pages)
      (quickvault-test-sign-in "Nextcloud" url)
      (quickvault-test-let-in)
      (quickvault-test-wait (lambda () (quickvault-test-shows "User: alice")))
      (let ((minibuffer-setup-hook (list (lambda () (push (quickvault-test-text "*QuickVault account*") pages)))))
        (should-error (quickvault-test-keys "s y RET" (list "Another WebDAV server") "RET" (list url) "RET dav RET wrong RET")
                      :type 'user-error))
      (should (string-match-p says (quickvault-test-text)))
      (dolist (page (seq-take pages 4))
        (should (string-match-p says page))))))

(ert-deftest quickvault-c-qr-code ()
  "C: the text for the QR code is given to qrencode over a pipe; without the program, there is none."
  (quickvault-test-in-directory
    (let* ((program (expand-file-name "qrencode" quickvault-test-directory))
           (exec-path (list quickvault-test-directory)))
      (should-not (quickvault--qr-code "https://example.org/"))
      (with-temp-file program
        (insert "#!/bin/sh\ntest -p /dev/stdin || exit 1\necho \"$*\"\nexec /bin/cat\n"))
      (set-file-modes program #o700)
      (should (equal (substring-no-properties (quickvault--qr-code "https://example.org/?code=WDJB"))
                     "-t UTF8 -o -\nhttps://example.org/?code=WDJB"))
      ;; A telephone cannot go on to a browser's page that comes back to this machine.
      (with-temp-buffer
        (quickvault--insert-page "https://example.org/" nil nil)
        (should-not (string-search "telephone" (buffer-string)))
        (quickvault--insert-page "https://example.org/" "WDJB" "https://example.org/?code=WDJB")
        (should (string-search "-t UTF8 -o -\nhttps://example.org/?code=WDJB" (buffer-string))))
      (with-temp-file program (insert "#!/bin/sh\nexit 1\n"))
      (should-not (quickvault--qr-code "https://example.org/"))
      ;; A page of a server that lies is no button.
      (with-temp-buffer
        (quickvault--insert-page "file:///etc/passwd" nil nil)
        (should-not (next-button (point-min)))))))

(ert-deftest quickvault-c-privacy ()
  "C: a key shows who learns what."
  (quickvault-test-with-vault
    (quickvault-test-keys "M-x quickvault-account RET p")
    (should (string-match-p "What leaves this machine" (quickvault-test-text "*QuickVault privacy*")))
    (kill-buffer "*QuickVault privacy*")))

(provide 'quickvault-account-tests)
;;; quickvault-account-tests.el ends here
