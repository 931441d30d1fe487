;;; quickvault-remote-tests.el --- Tests with files of other machines  -*- lexical-binding: t; -*-

;;; Commentary:

;; TRAMP reaches this machine by a shell, as its own tests do with the method "mock".

;;; Code:

(require 'quickvault-attachment-tests)
(require 'tramp)

(defmacro quickvault-test-with-remote (&rest body)
  "Evaluate BODY with a vault, and a remote directory in the variable `remote'.
The program must be given no remote name, and no copy must stay."
  (declare (indent 0) (debug t))
  `(quickvault-test-with-vault
     (let* ((tramp-methods '(("mock" (tramp-login-program "sh") (tramp-login-args (("-i")))
                              (tramp-remote-shell "/bin/sh") (tramp-remote-shell-args ("-c")))))
            (tramp-default-host-alist `(("\\`mock\\'" nil ,(system-name))))
            (tramp-connection-timeout 60)
            (tramp-persistency-file-name nil)
            (tramp-verbose 0)
            (runtime (file-name-as-directory (make-temp-file "quickvault-runtime-" t)))
            (process-environment (cons (concat "XDG_RUNTIME_DIR=" runtime) process-environment))
            (local (file-name-as-directory (expand-file-name "there" quickvault-test-directory)))
            (remote (concat "/mock::" local))
            (call (symbol-function 'quickvault--await-response)))
       (make-directory local)
       (unwind-protect
           (cl-letf (((symbol-function 'quickvault--await-response)
                      (lambda (connection method params &rest more)
                        (should-not (string-match-p "/mock:" (format "%S" params)))
                        (apply call connection method params more))))
             (should (file-directory-p remote))
             ,@body
             (should-not (directory-files runtime nil directory-files-no-dot-files-regexp)))
         (tramp-cleanup-all-connections)
         (delete-directory runtime t)))))

(ert-deftest quickvault-r20-remote-file-is-imported-by-its-content ()
  "R20: a copy of a remote file is imported, and deleted."
  (quickvault-test-with-remote
    (with-temp-file (concat local "cards.csv") (insert "title,notes\nDoor,1984#\n"))
    (quickvault-test-answering (list quickvault-test-password)
      (quickvault-test-keys "M-x quickvault-import RET" (list (concat remote "cards.csv")) "SPC --yes RET")
      (quickvault-test-wait-for-page))
    (quickvault-test-wait (lambda () (equal 3 (length (quickvault-test-all-cards)))))))

(ert-deftest quickvault-r20-remote-file-is-attached ()
  "R20, R5: an attachment comes from a remote file and goes to another."
  (quickvault-test-with-remote
    (rename-file (quickvault-test-picture "hopper_orientation_5.jpg") (concat local "hopper.jpg"))
    (quickvault-test-go "家")
    (quickvault-test-keys "A C-a C-k" (list (concat remote "hopper.jpg")) "RET RET RET")
    (should (quickvault-test-shows "hopper.jpg"))
    (goto-char (point-min))
    (search-forward "hopper.jpg")
    (quickvault-test-keys "x C-a C-k" (list (concat remote "out.jpg")) "RET")
    (should (equal "\xff\xd8" (with-temp-buffer
                                (set-buffer-multibyte nil)
                                (insert-file-contents-literally (concat local "out.jpg") nil 0 2)
                                (buffer-string))))))

(ert-deftest quickvault-r20-export-and-backup-go-to-a-remote-directory ()
  "R20: both are written there."
  (quickvault-test-with-remote
    (quickvault-test-answering (make-list 3 quickvault-test-password)
      (quickvault-test-keys "M-x quickvault-export RET" (list (concat remote "cards.json")) "SPC --yes RET")
      (quickvault-test-wait-for-page)
      (should (equal #o600 (file-modes (concat local "cards.json"))))
      (should (string-match-p "南山区" (quickvault-test-file (concat local "cards.json"))))
      (quickvault-test-keys "M-x quickvault-backup RET" (list remote) "RET")
      (quickvault-test-wait-for-page))
    (let ((quickvault-vault-file (car (directory-files local t "\\.quickvault\\'"))))
      (should (equal 2 (plist-get (car (quickvault-test-other-process '(card/list))) :total))))))

;; Otherwise it would be a file in a directory named after the method, of the wrong machine.
(ert-deftest quickvault-r20-vault-of-another-machine-is-refused ()
  "R20: a remote vault is neither opened nor created."
  (quickvault-test-in-directory
    (let ((quickvault-vault-file "/ssh:nobody@nowhere.invalid:/my.quickvault"))
      (should-error (quickvault--call 'vault/status) :type 'user-error)
      (should-not (quickvault--running-p)))))

(provide 'quickvault-remote-tests)
;;; quickvault-remote-tests.el ends here
