;;; quickvault-qv-tests.el --- Tests of qv in a terminal of Emacs  -*- lexical-binding: t; -*-

;;; Commentary:

;; The real qv runs.  Passwords are given by the test, since Emacs in batch mode reads no
;; key outside a keyboard macro; the tests with a terminal type them.

;;; Code:

(require 'quickvault-leak-tests)
(require 'quickvault-test-support)

(ert-deftest quickvault-qv-shows-a-protected-page ()
  "What qv prints is on a page that is not written, can be shown anew, and is erased at the end."
  (quickvault-test-with-vault
    (quickvault-qv '("status"))
    (let ((buffer (window-buffer)))
      (should (equal "*QuickVault qv status*" (buffer-name buffer)))
      (quickvault-test-wait-for-page)
      (should (quickvault-test-shows "R runs this command again, q closes."))
      (with-current-buffer buffer
        (should (and quickvault--protected buffer-read-only (eq t buffer-undo-list)))
        (should-error (write-region (point-min) (point-max) (expand-file-name "page" quickvault-test-directory))))
      (quickvault-test-keys "R")
      (should (get-buffer-process buffer))
      (quickvault-test-wait-for-page)
      (should (quickvault-test-shows "my.quickvault"))
      (quickvault-test-keys "q")
      (should-not (buffer-live-p buffer)))))

(ert-deftest quickvault-qv-asks-for-passwords-in-the-minibuffer ()
  "The client reads the password that qv asks for; the page does not have it."
  (quickvault-test-with-vault
    (let (quickvault-test-questions)
      (quickvault-test-answering (list "mistyped horse" quickvault-test-password)
        (quickvault-qv '("list"))
        (quickvault-test-wait-for-page)
        (should (equal '("Master password" "Master password") quickvault-test-questions))
        (should (quickvault-test-shows "Harbor 开票"))
        (should-not (quickvault-test-anywhere "mistyped horse"))))))

(ert-deftest quickvault-qv-ends-at-a-lock ()
  "A lock ends qv and its terminal, also while it asks for a password."
  (quickvault-test-with-vault
    (save-window-excursion
      (quickvault-qv '("list" "--group" "company"))
      (let* ((buffer (window-buffer))
             (process (get-buffer-process buffer)))
        ;; It asks in this window only.
        (set-window-buffer nil "*QuickVault*")
        (quickvault-test-wait (lambda () (string-search "Master password:" (quickvault-test-text buffer))))
        (quickvault-lock)
        (should-not (buffer-live-p buffer))
        (quickvault-test-wait (lambda () (not (process-live-p process))))))))

(ert-deftest quickvault-r18-qv-copies-to-the-kill-ring ()
  "R18: what qv puts on the clipboard of its terminal is copied, and is not on the page."
  (quickvault-test-with-vault
    (quickvault-test-answering (list quickvault-test-password)
      (let ((process-environment (append '("DISPLAY" "WAYLAND_DISPLAY") process-environment)))
        (quickvault-qv '("copy" "家" "--field" "phone")))
      (quickvault-test-wait-for-page))
    (should (equal "138 0013 8000" (car kill-ring)))
    (should-not (quickvault-test-shows "]52;"))
    (quickvault-test-keys "L")
    (should-not (member "138 0013 8000" kill-ring))))

(ert-deftest quickvault-qv-copies-long-texts ()
  "A control sequence in several parts is taken as a whole."
  (with-temp-buffer
    (let ((process (start-process "true" (current-buffer) "true"))
          copied)
      (cl-letf (((symbol-function 'quickvault--copy-text) (lambda (text _) (push text copied))))
        (should (equal '("a" "" "" "b\e[m" "c")
                       (mapcar (lambda (output) (quickvault--qv-take-copied process output))
                               '("a\e" "]5" "2;c;UExB" "TlRFRA==\ab\e[m" "c"))))
        (should (equal '("PLANTED") copied))))))

(ert-deftest quickvault-r12-qv-leaves-nothing-after-a-lock ()
  "R12: nothing that qv has printed, and nothing of its command, is in a buffer or variable after a lock."
  (quickvault-test-with-vault
    (quickvault-test-answering (list quickvault-test-password)
      (quickvault-test-keys "M-x quickvault-qv RET show SPC" '("Harbor\\ 开票") "RET")
      (quickvault-test-wait-for-page)
      (should (quickvault-test-shows "91350100M000100Y43")))
    (quickvault-test-keys "L")
    (quickvault-test-keys "C-h l C-x 1")
    (should-not (quickvault-test-leaks "91350100M000\\|Harbor.*开票"))))

(ert-deftest quickvault-qv-may-change-the-password ()
  "A lock because the password changes does not end the qv that changes it, but other locks do."
  (quickvault-test-with-vault
    (quickvault-test-keys "M-x quickvault-qv RET password RET")
    (let ((buffer (window-buffer)))
      (run-hook-with-args 'quickvault-lock-functions "passwordChanged")
      (should (get-buffer-process buffer))
      (quickvault-test-answering (list quickvault-test-password "new horse 电池 8" "new horse 电池 8")
        (quickvault-test-wait-for-page)
        (should (quickvault-test-shows "the master password was changed")))
      (run-hook-with-args 'quickvault-lock-functions "passwordChanged")
      (should (quickvault-test-shows "the master password was changed"))
      (run-hook-with-args 'quickvault-lock-functions "timeout")
      (should-not (buffer-live-p buffer)))))

(ert-deftest quickvault-qv-is-completed-by-qv ()
  "Commands, options, titles and files are completed as in a shell."
  (quickvault-test-with-vault
    (let ((table (quickvault--qv-table))
          (default-directory (file-name-as-directory quickvault-test-directory)))
      (should (member "status" (all-completions "st" table)))
      (should (equal "sync enable my.quickvault" (try-completion "sync enable " (quickvault--qv-table))))
      (write-region "" nil "my cards.csv")
      (should (member "my\\ cards.csv" (all-completions "import my" table)))
      (should (equal '(("show" "a b" "c\"d" "") 16) (quickvault--qv-split "show a\\ b 'c\"d' ")))
      (should (equal "a\\ b" (quickvault--qv-quote "a b" "")))
      (should (equal "\"a b\"" (quickvault--qv-quote "a b" "\"a"))))))

(ert-deftest quickvault-qv-has-a-ticket-if-there-are-tickets ()
  "The environment of one qv has a ticket, unless the program knows none."
  (let ((quickvault-shared t)
        (quickvault--unlocked t)
        (answer (lambda (&rest _) '(:ticket "tick"))))
    (cl-letf (((symbol-function 'quickvault--running-p) #'always)
              ((symbol-function 'quickvault--call) (lambda (&rest arguments) (apply answer arguments))))
      (should (equal '("QUICKVAULT_TICKET=tick") (quickvault--qv-ticket)))
      (setq answer (lambda (&rest _) (signal 'jsonrpc-error '((jsonrpc-error-code . -32601)))))
      (should-not (quickvault--qv-ticket)))))

;;; The commands of other areas

(defun quickvault-test-words (keys)
  "Return the words of the qv that the command of KEYS runs, without running it."
  (let (run)
    (cl-letf (((symbol-function 'term-exec)
               (lambda (buffer &rest arguments)
                 (setq run (nth 3 arguments))
                 (start-process "quickvault-qv" buffer "true"))))
      (apply #'quickvault-test-keys keys))
    run))

(ert-deftest quickvault-commands-of-qv ()
  "R17, R22: each command for rare work runs one of qv; with a prefix argument, options can be added."
  (quickvault-test-with-vault
    (pcase-dolist (`(,command ,_ ,words . ,_) (cons '(quickvault-events "" ("log" "--limit" "3")) quickvault-qv-commands))
      (let ((keys (format (cond ((equal words '("log" "--limit" "3")) "C-u M-x %s RET --limit SPC 3 RET")
                                ((memq nil words) "M-x %s RET my RET")
                                (t "M-x %s RET"))
                          command)))
        (should (equal (list keys (if (memq nil words) (append (remq nil words) '("my")) words))
                       (list keys (quickvault-test-words (list keys)))))
        (quickvault-test-wait-for-page)
        (quickvault-test-keys "q")))))

(ert-deftest quickvault-marked-cards-are-exported ()
  "R8: the marked cards are exported, else the one at point."
  (quickvault-test-with-vault
    (cl-flet ((export () (prog1 (quickvault-test-words '("X C-a C-k /none/cards.csv RET"))
                           (quickvault-test-wait-for-page)
                           (quickvault-test-keys "q")))
              (id (title) (plist-get (quickvault-test-card title) :id)))
      (quickvault-test-go "Harbor")
      (should (equal (list "export" "/none/cards.csv" (id "Harbor 开票")) (export)))
      (quickvault-test-go "家")
      (quickvault-test-keys "m")
      (quickvault-test-go "Harbor")
      (quickvault-test-keys "m")
      (should (equal (list "export" "/none/cards.csv" (id "家") (id "Harbor 开票")) (export))))))

(ert-deftest quickvault-qv-page-after-a-lock ()
  "After a lock, the page of a command is empty and can run it again; nothing runs by itself."
  (quickvault-test-with-vault
    (quickvault-test-keys "M-x quickvault-doctor RET")
    (quickvault-test-wait-for-page)
    (should (quickvault-test-shows "SQLite: 3"))
    (quickvault-test-keys "L")
    (should (quickvault-test-shows "The vault is locked."))
    (quickvault-test-keys "RET")
    (should-not (quickvault-test-shows "SQLite"))
    (quickvault-test-keys "R")
    (quickvault-test-wait-for-page)
    (should (quickvault-test-shows "SQLite: 3"))))

(provide 'quickvault-qv-tests)
;;; quickvault-qv-tests.el ends here
