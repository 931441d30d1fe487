;;; quickvault-server-tests.el --- Tests of the program, settings and texts  -*- lexical-binding: t; -*-

;;; Commentary:

;; Tests of problems with the program, each of which has a helpful message, of the
;; settings, and of the two languages.

;;; Code:

(require 'quickvault-test-support)

(defun quickvault-test-error-text (function)
  "Return the message of the `user-error' that FUNCTION signals."
  (cadr (should-error (funcall function) :type 'user-error)))

(defun quickvault-test-fake (answer)
  "Use a program that answers the first request with ANSWER.
It stands for other versions of the real program."
  (quickvault-test-program-file
   (format "printf 'Content-Length: %d\\r\\n\\r\\n%%s' '%s'\nexec cat >/dev/null\n"
           (string-bytes answer) answer)))

(defun quickvault-test-program-file (script)
  "Use SCRIPT as the program."
  (let ((file (expand-file-name "program" quickvault-test-directory)))
    (with-temp-file file (insert "#!/bin/sh\n" script))
    (set-file-modes file #o700)
    (setq quickvault-program file)))

(ert-deftest quickvault-program-that-does-not-fit ()
  "A program that is missing, exits, does not respond, is too old or too new is reported, with what to do."
  (quickvault-test-in-directory
    (let ((quickvault-program "no-such-quickvault"))
      (should (string-match-p "no-such-quickvault was not found.*Install" (quickvault-test-error-text #'quickvault))))
    (let ((quickvault-program "false"))
      (should (string-match-p "exited at startup.*--version" (quickvault-test-error-text #'quickvault))))
    (pcase-dolist (`(,answer . ,text)
                   '(("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"serverInfo\":{\"name\":\"quickvault\"}}}" . "too old")
                     ("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"protocolVersion\":2}}" . "newer.*Update the package")
                     ("{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":-32601,\"message\":\"no\"}}" . "too old")))
      (quickvault-test-fake answer)
      (should (string-match-p text (quickvault-test-error-text #'quickvault))))
    (should-not quickvault--connection)
    (quickvault-test-program-file "exec cat >/dev/null\n")
    (let ((quickvault-timeout 0.2))
      (should (string-match-p "does not respond" (quickvault-test-error-text #'quickvault))))))

(defun quickvault-test-ask-slowly ()
  "Make a request that takes seconds, because of many key derivation iterations."
  (quickvault--request 'vault/changePassword
                       (list :oldPassword quickvault-test-password :newPassword "another password"
                             :kdf '(:algorithm "pbkdf2-hmac-sha256" :iterations 5000000))))

(ert-deftest quickvault-program-stopped ()
  "A program stopped by a signal is killed and restarted."
  (quickvault-test-with-vault
    (signal-process (jsonrpc--process quickvault--connection) 'SIGSTOP)
    (quickvault-test-wait (lambda () (not (quickvault--running-p))))
    (should (eq t (plist-get (quickvault--request 'vault/status) :locked)))
    (should (quickvault-test-shows "The next command restarts it"))))

(ert-deftest quickvault-program-killed-during-a-request ()
  "The command reports it; the buffers are blank; the next command restarts the program."
  (quickvault-test-with-vault
    (let ((process (jsonrpc--process quickvault--connection)))
      (run-at-time 0 nil (lambda () (signal-process process 'SIGKILL)))
      (should (string-match-p "exited before it responded\\..*restarts it.*M-x quickvault-report-bug"
                              (quickvault-test-error-text #'quickvault-test-ask-slowly)))
      (should (quickvault-test-shows "The next command restarts it"))
      (should-not (quickvault-test-anywhere "Harbor 开票"))
      (quickvault-test-keys "RET" (list quickvault-test-password) "RET")
      (should (quickvault-test-shows "Harbor")))))

(ert-deftest quickvault-quitting-cancels ()
  "An abandoned request is cancelled, and the next one is answered."
  (quickvault-test-with-vault
    (let (sent)
      (let ((quickvault-timeout 0.2))
        (cl-letf* ((send (symbol-function 'quickvault--cancel))
                   ((symbol-function 'quickvault--cancel)
                    (lambda (connection id) (setq sent id) (funcall send connection id))))
          (should (string-match-p "No response in time"
                                  (quickvault-test-error-text #'quickvault-test-ask-slowly)))))
      (should (integerp sent))
      (should (plist-get (quickvault--request 'tag/list) :tags)))))

(ert-deftest quickvault-logs-nothing ()
  "Event log, standard error and messages have no contents of the vault."
  (quickvault-test-with-vault
    (quickvault-test-go "家")
    (quickvault-test-keys "w RET v e C-c C-c")
    (should-not (get-buffer "*quickvault events*"))
    (should (equal "" (quickvault-test-text " *quickvault stderr*")))
    (should-not (string-match-p "王芳\\|SECRET" (quickvault-test-text "*Messages*")))
    (dolist (buffer (quickvault--protected-buffers))
      (with-current-buffer buffer
        (should-not buffer-auto-save-file-name)
        (should-not buffer-file-name)
        (should-error (run-hook-with-args-until-success 'write-contents-functions) :type 'user-error)))))

;;; Settings, damage

(ert-deftest quickvault-r13-settings-are-validated-and-kept ()
  "R13: a wrong value is refused with the reason; others are kept; the language changes at once."
  (quickvault-test-with-vault
    (quickvault-test-keys ",")
    (should (quickvault-test-shows "empty for never): 300\n"))
    (pcase-dolist (`(,typed . ,reason) '(("soon" . "Enter a whole number") ("99999999999999999999" . "Enter a whole number")
                                         ("3" . "15 to 86,400")))
      (should (string-match-p reason (cadr (should-error (quickvault-test-keys "RET C-a C-k" (list typed) "RET")
                                                         :type 'user-error)))))
    (quickvault-test-keys "RET C-a C-k 600 RET TAB RET C-s template, SPC address: RET RET {name}/{phone} RET")
    (should (quickvault-test-shows "empty for never): 600\n[ ] Lock"))
    (quickvault-test-keys "C-s Language: RET RET" '("简体中文") "RET")
    (let ((settings (plist-get (quickvault--request 'settings/get) :settings)))
      (should (equal 600 (plist-get settings :autoLockSeconds)))
      (should (eq :json-false (plist-get settings :lockOnBackground)))
      (should (equal "zh-Hans" (plist-get settings :language)))
      (should (equal '(:address "{name}/{phone}") (plist-get settings :copyTemplates))))
    (should (quickvault-test-shows "地址"))
    (should (quickvault-test-shows "发票"))
    (quickvault-test-go "家")
    (quickvault-test-keys "W" '("按模板") "RET")
    (should (equal "王芳/138 0013 8000" (car kill-ring)))
    (quickvault-test-keys "c" '("地址") "RET C-c C-c")
    (should (string-search "“标题”不能为空。" (overlay-get (car (overlays-at (point))) 'help-echo)))))

(defun quickvault-test-copy-vault (from to)
  "Copy the vault FROM with its log to TO."
  (should (eql 0 (call-process "/usr/bin/python3" nil nil nil "-c"
                               "import sqlite3, sys
source, target = (sqlite3.connect(path) for path in sys.argv[1:])
source.backup(target)" from to))))

(ert-deftest quickvault-asks-before-changing-an-older-copy ()
  "R14: an older copy that was put back is reported at the unlock, and is changed only after a question."
  (quickvault-test-with-vault
    (let ((copy (concat quickvault-vault-file ".copy")))
      (quickvault-test-keys "L")
      (quickvault-test-copy-vault quickvault-vault-file copy)
      (quickvault-test-keys "RET" (list quickvault-test-password) "RET")
      (quickvault-test-go "家")
      (quickvault-test-keys "P L")
      (quickvault-test-copy-vault copy quickvault-vault-file)
      (delete-file copy))
    (quickvault-test-keys "RET" (list quickvault-test-password) "RET")
    (should (string-match-p "older copy of the vault.  Its newest card is from 20" (quickvault-test-text "*Warnings*")))
    (kill-buffer "*Warnings*")
    (quickvault-test-go "家")
    (should-error (quickvault-test-keys "P n"))
    (quickvault-test-go "家")
    (quickvault-test-keys "P y")
    (quickvault-test-go "家")
    ;; The second change asks nothing.
    (quickvault-test-keys "P")))

(ert-deftest quickvault-starts-here-from-a-remote-buffer ()
  "R20: in a buffer of another machine, the program starts on this one, and nothing connects."
  (quickvault-test-with-vault
    (quickvault--stop quickvault--connection)
    (cl-letf (((symbol-function 'tramp-file-name-handler) (lambda (&rest call) (error "Connects: %S" call))))
      (let ((default-directory "/ssh:nobody@nowhere.invalid:/tmp/"))
        (quickvault--call 'session/unlock (list :password quickvault-test-password))
        (should (equal 2 (length (quickvault-test-all-cards))))))
    (should (equal quickvault-vault-file (plist-get (quickvault--call 'vault/status) :path)))))

(ert-deftest quickvault-keys-come-from-the-keymap ()
  "R20: help and footers show the keys that the user has chosen."
  (quickvault-test-with-vault
    (let ((list-map (copy-keymap quickvault-list-mode-map))
          (card-map (copy-keymap quickvault-card-mode-map)))
      (quickvault-test-go "Harbor")
      (quickvault-test-keys "RET")
      (should (quickvault-test-shows "RET copies a value, w the card; e edits, d deletes, v shows"))
      (unwind-protect
          (progn
            (dolist (map (list quickvault-list-mode-map quickvault-card-mode-map))
              (define-key map "w" nil)
              (define-key map "y" #'quickvault-copy))
            (quickvault-test-keys "g")
            (should (quickvault-test-shows "RET copies a value, y the card; e edits"))
            (quickvault-test-keys "?")
            (should (string-match-p "^  y +copy$" (quickvault-test-text "*QuickVault help*"))))
        (setcdr quickvault-list-mode-map (cdr list-map))
        (setcdr quickvault-card-mode-map (cdr card-map)))
      (kill-buffer "*QuickVault help*"))))

;;; Synchronisation

(ert-deftest quickvault-s-mode-line-says-what-needs-attention ()
  "S: the mode line follows what the program says of synchronisation; a lock clears it."
  (quickvault-test-with-vault
    (cl-flet ((mark () (seq-find (lambda (text) (string-search "Sync" text))
                                 (mapcar (lambda (part) (if (eq (car-safe part) :eval) (eval (cadr part) t) ""))
                                         mode-line-process))))
      (quickvault--handle-notification nil 'sync/didChange
                                       '(:enabled t :needsAttention (:messages (:en "A file is missing." :zh-Hans "缺少文件。"))))
      (should (equal "  [Sync: see M-x quickvault-sync]" (mark)))
      (should (equal "A file is missing." (get-text-property 0 'help-echo (mark))))
      (quickvault--handle-notification nil 'sync/didChange '(:enabled t :state "failed"))
      (should-not (mark))
      (quickvault--handle-notification nil 'sync/didChange '(:enabled t :needsAttention (:messages nil)))
      (quickvault-test-keys "L")
      (should-not quickvault--sync-attention))))

;;; Languages

(defun quickvault-test-strings (form texts)
  "Return the strings in FORM; put those that are translated into TEXTS, a hash table."
  (cond ((stringp form) (list form))
        ((vectorp form) (seq-mapcat (lambda (part) (quickvault-test-strings part texts)) form))
        ((consp form)
         (when (and (memq (car form) '(quickvault--text quickvault--fail quickvault--confirm quickvault--confirm-unexpected))
                    (stringp (car-safe (cdr form))))
           (puthash (cadr form) t texts))
         (let (strings)
           (while (consp form)
             (setq strings (nconc (quickvault-test-strings (pop form) texts) strings)))
           (nconc (quickvault-test-strings form texts) strings)))))

(ert-deftest quickvault-every-text-has-a-translation ()
  "Every text has a translation with the same placeholders, and none is unused."
  (let ((texts (make-hash-table :test #'equal))
        strings)
    (dolist (file (directory-files (file-name-directory (locate-library "quickvault.el")) t "\\`quickvault.*\\.el\\'"))
      (unless (string-search "messages-zh" file)
        (with-temp-buffer
          (insert-file-contents file)
          (condition-case nil
              (while t (setq strings (nconc (quickvault-test-strings (read (current-buffer)) texts) strings)))
            (end-of-file)))))
    (dolist (entry quickvault--keys) (puthash (nth 2 entry) t texts))
    (dolist (entry quickvault--commands) (puthash (nth 1 entry) t texts))
    (should (> (hash-table-count texts) 100))
    (dolist (text (hash-table-keys texts))
      (let ((chinese (cdr (assoc text quickvault--messages-zh))))
        (should (and text chinese))
        (should (equal (quickvault-test-places text) (quickvault-test-places chinese)))))
    (dolist (entry quickvault--messages-zh)
      (should (and (member (car entry) strings) entry)))))

(defun quickvault-test-places (text)
  "Return the placeholders in TEXT."
  (let ((start 0) places)
    (while (string-match "%[a-z]" text start)
      (push (match-string 0 text) places)
      (setq start (match-end 0)))
    (nreverse places)))

(ert-deftest quickvault-uses-the-language-of-the-locale ()
  "The locale sets the language; LC_ALL takes precedence over LANG."
  (let ((quickvault--language nil) (quickvault-language 'auto)
        (process-environment (append '("LC_ALL=" "LC_MESSAGES" "LANG=zh_CN.UTF-8") process-environment)))
    (should (equal "编辑" (quickvault--text "Edit")))
    (should (equal "发票" (quickvault--display-name "invoice")))
    (let ((process-environment (cons "LC_ALL=en_US.UTF-8" process-environment)))
      (should (equal "Edit" (quickvault--text "Edit")))))
  (quickvault-test-in-directory
    (let ((quickvault-language "zh-Hans"))
      (condition-case nil (quickvault-test-keys "M-x quickvault RET C-g") (quit nil))
      (should (string-match-p "欢迎使用随取" (quickvault-test-text "*QuickVault*"))))))

(provide 'quickvault-server-tests)
;;; quickvault-server-tests.el ends here
