;;; quickvault-mode-tests.el --- Tests of commands in the wrong buffer  -*- lexical-binding: t; -*-

;;; Commentary:

;; Every command, called in the buffer of a file, leaves the file's text alone.

;;; Code:

(require 'dired)
(require 'quickvault-test-support)

(defconst quickvault-test-file-text "the only copy of a letter\n")

(defun quickvault-test-commands ()
  "Return the symbols of all commands of the package."
  (let (commands)
    (mapatoms (lambda (symbol)
                (when (and (commandp symbol)
                           (string-match-p "\\`quickvault\\(-[^-]\\|\\'\\)" (symbol-name symbol))
                           (not (string-prefix-p "quickvault-test" (symbol-name symbol))))
                  (push symbol commands))))
    (sort commands #'string<)))

(defmacro quickvault-test-in-file (&rest body)
  "Evaluate BODY in the selected buffer of a new file with some text."
  (declare (indent 0) (debug t))
  `(let* ((name (expand-file-name "letter.txt" quickvault-test-directory))
          (default-directory quickvault-test-directory)
          (buffer (progn (write-region quickvault-test-file-text nil name)
                         (find-file-noselect name))))
     (unwind-protect
         (progn (delete-other-windows)
                (switch-to-buffer buffer)
                ,@body)
       (with-current-buffer buffer (set-buffer-modified-p nil))
       (kill-buffer buffer))))

(defun quickvault-test-outcome (command answer)
  "Call COMMAND, give ANSWER to its first two questions, and return the error, or nil."
  (let* ((questions 0)
         (minibuffer-setup-hook
          (list (lambda ()
                  (unless (memq this-command '(execute-extended-command))
                    (push (if (<= (cl-incf questions) 2) answer ?\C-g) unread-command-events))))))
    (condition-case failure
        (progn (execute-kbd-macro (kbd (format "M-x %s RET" command)))
               nil)
      ((error quit) failure))))

(ert-deftest quickvault-commands-leave-a-file-alone ()
  "R8: no command changes the text, mode or name of a file's buffer, or protects it."
  (should (> (length (quickvault-test-commands)) 40))
  ;; In batch mode, nothing can be typed in a menu or while a command waits for a finger.
  (dolist (command (seq-difference (quickvault-test-commands) '(quickvault-menu)))
    (quickvault-test-with-vault
      (quickvault-test-in-file
        (dolist (answer '(?\r ?y))
          (switch-to-buffer buffer)
          ;; After three wrong passwords, a person would quit during the wait.
          (let ((failure (cl-letf (((symbol-function 'quickvault--wait-for-lockout)
                                    (lambda (seconds) (unless (= seconds 0) (user-error "%d seconds" seconds)))))
                           (quickvault-test-outcome command answer))))
            ;; A prompt at the end of a keyboard macro signals `end-of-file'.
            (should-not (and failure
                             (not (memq (car failure) '(user-error quit end-of-file)))
                             (list command answer failure)))))
        (quickvault-lock)
        (with-current-buffer buffer
          (should (equal (list command quickvault-test-file-text 'text-mode name nil nil)
                         (list command (buffer-string) major-mode buffer-file-name (buffer-modified-p)
                               quickvault--protected))))))))

(ert-deftest quickvault-commands-of-a-mode-say-so ()
  "R8: a command for one mode is declared so, and refuses to work in any other."
  (let ((of-a-mode (seq-filter #'command-modes (quickvault-test-commands))))
    (should (equal of-a-mode
                   '(quickvault-allow-program quickvault-allow-until-locked quickvault-conflict-keep-both quickvault-conflict-keep-card
                     quickvault-conflict-keep-copy quickvault-conflict-next quickvault-form-cancel
                     quickvault-form-generate quickvault-form-next
                     quickvault-form-previous quickvault-form-reveal quickvault-form-save quickvault-last-card
                     quickvault-mark quickvault-narrow-group quickvault-narrow-tag quickvault-narrow-type quickvault-qv-again
                     quickvault-qv-close quickvault-qv-interrupt quickvault-qv-send
                     quickvault-refuse-program quickvault-restore quickvault-reveal quickvault-show-all quickvault-sort quickvault-toggle-marks quickvault-unmark quickvault-unmark-all
                     quickvault-view-original)))
    (quickvault-test-with-vault
      (quickvault-test-in-file
        (dolist (command of-a-mode)
          (should (eq 'user-error (car (quickvault-test-outcome command ?y))))))
      (quickvault-test-go "Harbor")
      (quickvault-test-keys "RET")
      (dolist (command (remq 'quickvault-reveal of-a-mode))
        (should (eq 'user-error (car (quickvault-test-outcome command ?y))))
        (should (quickvault-test-shows "深圳Harbor"))))))

(ert-deftest quickvault-dispatch-shows-what-works-here ()
  "R20: the menu has the keys that work in the current buffer, and a key runs its command."
  (quickvault-test-with-vault
    (cl-flet ((menu ()
                (let (shown)
                  (quickvault-test-keys "h")
                  (setq shown (quickvault-test-text " *transient*"))
                  (transient-quit-all)
                  shown)))
      (quickvault-test-go "Harbor")
      (let ((shown (menu)))
        (should (string-match-p "^ *Card" shown))
        (should (string-match-p "d delete" shown))
        (should (string-match-p "S sort" shown))
        (should-not (string-match-p "concealed" shown))
        ;; It fits a terminal of 80 columns and 24 lines, with some of the list.
        (should (< (length (split-string (string-trim shown) "\n")) 18))
        (should (seq-every-p (lambda (line) (<= (string-width line) 80)) (split-string shown "\n"))))
      (let ((quickvault--language "zh-Hans"))
        (should (string-match-p "d 删除 " (menu))))
      (quickvault-test-keys "RET")
      (let ((shown (menu)))
        (should (string-match-p "v show concealed" shown))
        (should-not (string-match-p "S sort" shown))))))

(ert-deftest quickvault-any-command-can-be-the-first ()
  "A command finds what other files of the package define, though nothing but its own file was loaded before."
  (quickvault-test-with-vault
    (pcase-dolist (`(,file . ,form)
                   `((quickvault-session . (quickvault-unlock))
                     (quickvault-session . (quickvault-lock))
                     (quickvault-session . (progn (quickvault-unlock) (quickvault-lock)))
                     (quickvault-card . (quickvault-bookmark-jump '("" (id . ,(plist-get (car quickvault--items) :id)))))
                     (quickvault-list . (progn (quickvault-unlock) (cl-assert (lookup-key quickvault-list-mode-map "c"))))
                     (quickvault . (progn (quickvault-demo) (quickvault-demo)))))
      (with-temp-buffer
        (call-process (expand-file-name invocation-name invocation-directory) nil t nil "-Q" "--batch"
                      "-L" (file-name-directory (locate-library "quickvault")) "-l" (symbol-name file)
                      "--eval" (prin1-to-string
                                `(let ((quickvault-program ,quickvault-program)
                                       (quickvault-vault-file ,quickvault-vault-file))
                                   (cl-letf (((symbol-function 'read-passwd)
                                              (lambda (&rest _) (copy-sequence ,quickvault-test-password))))
                                     (condition-case nil ,form (user-error nil)))
                                   (princ "as expected"))))
        (should (equal (list form "as expected")
                       (list form (buffer-substring (max (point-min) (- (point-max) 11)) (point-max)))))))))

(provide 'quickvault-mode-tests)
;;; quickvault-mode-tests.el ends here
