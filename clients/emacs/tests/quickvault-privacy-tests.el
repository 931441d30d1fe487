;;; quickvault-privacy-tests.el --- Tests of histories and unsaved input  -*- lexical-binding: t; -*-

;;; Commentary:

;; What remains in kill ring, registers and histories after a lock, and what
;; `savehist-mode' would save.  Also tests that unsaved input is not lost.

;;; Code:

(require 'imenu)
(require 'rect)
(require 'savehist)
(require 'quickvault-test-support)

(defmacro quickvault-test-with-histories (&rest body)
  "Evaluate BODY with a vault and empty registers and histories."
  (declare (indent 0) (debug t))
  `(let (register-alist search-ring regexp-search-ring query-replace-history query-replace-defaults
                        command-history)
     (quickvault-test-with-vault ,@body)))

(defun quickvault-test-remembered ()
  "Return everything that Emacs remembers of the user's actions, as text."
  (format "%S" (list kill-ring register-alist search-ring regexp-search-ring query-replace-history
                     query-replace-defaults command-history isearch-string quickvault-test-clipboard)))

(ert-deftest quickvault-kills-are-cleared-at-the-lock ()
  "A lock clears text killed in forms and pages from kill ring, registers and clipboard."
  (quickvault-test-with-histories
    (kill-new "someone's own")
    (quickvault-test-go "家")
    (quickvault-test-keys "RET v C-x h C-x r s a M-w q")
    (quickvault-test-go "家")
    (quickvault-test-keys "e C-s" '("138 0013") "RET C-a TAB C-k")
    (should (string-match-p "138 0013" (car kill-ring)))
    (should-not (quickvault-test-shows "138 0013 8000"))
    (quickvault-test-keys "C-y")
    (should (quickvault-test-shows "138 0013 8000"))
    (should-not (get-text-property (1- (point)) 'help-echo))
    (should (string-match-p "SECRET4711" (quickvault-test-remembered)))
    (should (equal quickvault-test-clipboard (substring-no-properties (car kill-ring))))
    (quickvault-test-keys "M-x quickvault-lock RET")
    (should (equal kill-ring '("someone's own")))
    (should (equal quickvault-test-clipboard ""))
    (should-not (string-match-p "SECRET4711\\|138 0013\\|王芳" (quickvault-test-remembered)))))

(ert-deftest quickvault-concealed-kills-are-yanked-as-text ()
  "What is killed in a concealed field and yanked elsewhere looks like what it is."
  (quickvault-test-with-histories
    (quickvault-test-go "家")
    (quickvault-test-keys "e C-s door SPC code: SPC RET C-k 4711")
    (font-lock-ensure)
    (should (get-text-property (1- (point)) 'display))
    (quickvault-test-keys "M-b C-k")
    (with-temp-buffer
      (set-window-buffer (selected-window) (current-buffer))
      (quickvault-test-keys "C-y")
      (should (equal "4711" (buffer-string)))
      (should-not (get-text-property 1 'display)))))

(ert-deftest quickvault-writes-no-file-of-its-own ()
  "A form, a page and the prompt for a password are written to no file under any name, and keep their own."
  (quickvault-test-with-vault
    (let ((file (expand-file-name "written" quickvault-test-directory))
          failure)
      (cl-flet ((write (&rest keys)
                  (let ((failure (should-error (apply #'quickvault-test-keys (append keys (list "C-x C-w C-a C-k" (list file) "RET")))
                                               :type 'user-error)))
                    (should (string-match-p "never written" (error-message-string failure))))
                  (should-not (file-exists-p file))
                  (should-not buffer-file-name)
                  (should-not buffer-auto-save-file-name)))
        (write)
        (should buffer-read-only)
        (quickvault-test-go "Harbor")
        (write "e C-e typed")
        (should (string-prefix-p "*QuickVault form*" (buffer-name)))
        (quickvault-test-keys "C-c C-k y RET L")
        (let ((minibuffer-setup-hook (list (lambda () (setq failure (should-error (write-file file) :type 'user-error))))))
          (quickvault-test-keys "RET" quickvault-test-keys-of-password "RET"))
        (should failure)
        (should-not (file-exists-p file))))))

(ert-deftest quickvault-writes-no-temporary-file ()
  "No part of a form or of a page gets into a file, such as the input of a program."
  (quickvault-test-with-vault
    (let ((temporary-file-directory (file-name-as-directory (make-temp-file "quickvault-" t)))
          (file (expand-file-name "written" quickvault-test-directory)))
      (cl-flet ((refuses (function &rest arguments)
                  (let ((failure (should-error (apply function arguments) :type 'user-error)))
                    (should (string-match-p "never written" (error-message-string failure))))))
        (dolist (keys '("RET" "e"))
          (quickvault-test-go "Harbor")
          (quickvault-test-keys keys)
          (with-current-buffer (window-buffer)
            (refuses #'shell-command-on-region (point-min) (point-max) "cat")
            (refuses #'append-to-file (point-min) (point-max) file)
            (refuses #'write-region nil nil file)))
        (quickvault-test-keys "C-c C-k"))
      (should-not (file-exists-p file))
      ;; Fails if there are files.
      (delete-directory temporary-file-directory))))

(ert-deftest quickvault-keeps-its-modes ()
  "Another major mode is refused in a form, where it would end the protection, and no change of the mode outlives a lock."
  (quickvault-test-with-vault
    (quickvault-test-go "Harbor")
    (quickvault-test-keys "e C-e typed")
    (dolist (mode '("text-mode" "normal-mode" "fundamental-mode"))
      (should-error (quickvault-test-keys (concat "M-x " mode " RET")) :type 'user-error)
      (should (derived-mode-p 'quickvault-form-mode)))
    (let ((this-command nil)) (text-mode))
    (should (quickvault-test-shows "typed"))
    (quickvault-lock)
    (should-not (quickvault-test-anywhere "typed"))
    (should (derived-mode-p 'quickvault-blank-mode))))

(ert-deftest quickvault-makes-no-clone-that-shares-text ()
  "There is no indirect clone, which would show the text again after a lock, and none at all of a form, whose fields are not copied."
  (quickvault-test-with-vault
    (dolist (keys '("g" "RET" "L"))
      (quickvault-test-go "")
      (quickvault-test-keys keys)
      (should-error (quickvault-test-keys "M-x clone-indirect-buffer RET")))
    (quickvault-test-keys "RET" quickvault-test-keys-of-password "RET M-x quickvault RET e C-e typed")
    (dolist (command '("clone-indirect-buffer" "clone-buffer"))
      (should-error (quickvault-test-keys (concat "M-x " command " RET"))))
    (should-not (get-buffer "*QuickVault form*<2>"))
    (should (quickvault-test-shows "typed"))))

(ert-deftest quickvault-writes-no-indirect-buffer ()
  "An indirect buffer that a package has made of the list, a page or a form cannot be written either."
  (quickvault-test-with-vault
    (let ((file (expand-file-name "leak" quickvault-test-directory)))
      (dolist (keys '("g" "RET" "e"))
        (quickvault-test-go "家")
        (quickvault-test-keys keys)
        (with-current-buffer (make-indirect-buffer (window-buffer) "QuickVault clone")
          (should (string-search "家" (buffer-string)))
          (should-error (write-region (point-min) (point-max) file) :type 'user-error)
          (kill-buffer)))
      (should-not (file-exists-p file))
      ;; Others are written as ever.
      (with-temp-buffer
        (insert "mine")
        (with-current-buffer (make-indirect-buffer (current-buffer) "clone")
          (write-region (point-min) (point-max) file)
          (kill-buffer)))
      (should (equal "mine" (quickvault-test-file file))))))

(ert-deftest quickvault-other-kills-stay ()
  "A lock keeps text killed elsewhere, also on the clipboard."
  (quickvault-test-with-histories
    (quickvault-test-go "家")
    (quickvault-test-keys "RET C-x h M-w")
    (kill-new "someone's own")
    (quickvault-test-keys "M-x quickvault-lock RET")
    (should (equal kill-ring '("someone's own")))
    (should (equal quickvault-test-clipboard "someone's own"))))

;; Emacs in batch mode has no window system, so it is simulated here.
(ert-deftest quickvault-primary-selection-is-cleared-at-the-lock ()
  "A lock clears the primary selection if it is text from a page, and keeps any other."
  (quickvault-test-with-histories
    (let (primary)
      (cl-letf (((symbol-function 'display-selections-p) #'always)
                ((symbol-function 'gui-backend-selection-owner-p) #'always)
                ((symbol-function 'gui-get-selection) (lambda (type &optional _) (and (eq type 'PRIMARY) primary)))
                ((symbol-function 'gui-set-selection) (lambda (_ text) (setq primary text))))
        (quickvault-test-go "家")
        (quickvault-test-keys "RET C-x h")
        (gui-set-selection 'PRIMARY (funcall region-extract-function nil))
        (should (string-match-p "王芳" primary))
        (quickvault-test-keys "M-x quickvault-lock RET")
        (should-not primary)
        (gui-set-selection 'PRIMARY "someone's own")
        (quickvault-test-keys "M-x quickvault-lock RET")
        (should (equal primary "someone's own"))))))

(ert-deftest quickvault-searches-are-in-no-history ()
  "Searches and replacements in vault buffers are added to no history."
  (quickvault-test-with-histories
    (quickvault-test-go "家")
    (quickvault-test-keys "RET v C-s" '("SECRET4711") "RET C-M-s" '("SECRET47") "RET q")
    (quickvault-test-go "家")
    (quickvault-test-keys "e M-%" '("王芳") "RET" '("王SECRET") "RET")
    (quickvault-test-keys "C-s C-s RET")
    (with-temp-buffer
      (should-not (string-match-p "SECRET\\|王芳" (format "%S" (list search-ring regexp-search-ring query-replace-history
                                                                query-replace-defaults command-history)))))
    (quickvault-test-keys "M-x quickvault-lock RET")
    (should-not (string-match-p "SECRET\\|王芳" (quickvault-test-remembered)))))

(ert-deftest quickvault-other-prompts-of-a-buffer-are-in-no-history ()
  "Text for a rectangle and the label of a field are added to no global history, and in no minibuffer after a lock."
  (quickvault-test-with-histories
    (let (string-rectangle-history imenu--history-list minibuffer-history)
      (quickvault-test-go "家")
      (quickvault-test-keys "RET M-x imenu RET" '("Door") "TAB RET q")
      (quickvault-test-go "家")
      (quickvault-test-keys "e C-SPC C-x r t" '("PLANTED-text") "RET M-x string-insert-rectangle RET" '("PLANTED-more") "RET")
      (should (quickvault-test-shows "PLANTED-morePLANTED-text"))
      (with-temp-buffer
        (should (equal '(nil nil nil) (list string-rectangle-history imenu--history-list minibuffer-history))))
      (quickvault--call 'session/lock)
      (should-not quickvault--unlocked)
      (should-not (seq-filter (lambda (buffer)
                                (string-match-p "PLANTED" (format "%S" (buffer-local-value 'buffer-undo-list buffer))))
                              (buffer-list))))))

(ert-deftest quickvault-a-lock-ends-a-search ()
  "A lock ends an incremental search, so that no key continues it, and what was searched for is forgotten."
  (quickvault-test-with-histories
    (quickvault-test-go "Harbor")
    (isearch-mode t)
    (isearch-process-search-string "Harb" "Harb")
    (should isearch-mode)
    (quickvault--call 'session/lock)
    (should-not overriding-terminal-local-map)
    (should (eq (key-binding "\r") #'quickvault-restore))
    (should (equal '(nil "") (list search-ring isearch-string)))))

(ert-deftest quickvault-kills-in-a-prompt-are-cleared-and-not-saved ()
  "Text killed in a prompt is not saved by `savehist-mode', and cleared at the lock."
  (quickvault-test-with-histories
    (let ((savehist-file (expand-file-name "history" quickvault-test-directory))
          (savehist-additional-variables '(kill-ring)))
      (pcase-dolist (`(,command . ,answers) '((quickvault-search)
                                              (quickvault-copy-as "with a template" "RET")
                                              (quickvault-qv)))
        (kill-new "someone's own")
        (quickvault-test-go "家")
        (ignore-errors
          (quickvault-test-keys (format "M-x %s RET" command) (list (or (car answers) "")) (or (cadr answers) "")
                                '("PLANTED kill") "M-DEL C-a C-k C-g"))
        (should (string-match-p "PLANTED" (quickvault-test-remembered)))
        (should-not (string-match-p "PLANTED" (format "%S" (mapcar (lambda (buffer) (buffer-local-value 'buffer-undo-list buffer))
                                                                   (buffer-list)))))
        (savehist-save)
        (should-not (string-match-p "PLANTED" (quickvault-test-file savehist-file)))
        (quickvault-test-keys "M-x quickvault-lock RET")
        (should (equal (list command (car kill-ring)) (list command "someone's own")))
        (should-not (string-match-p "PLANTED" (quickvault-test-remembered)))
        (quickvault-test-keys "M-x quickvault RET" (list quickvault-test-password) "RET")))))

(ert-deftest quickvault-password-prompt-kills-nothing ()
  "A password that is killed in its prompt does not get into the kill ring."
  (quickvault-test-with-histories
    (kill-new "someone's own")
    (quickvault-test-keys "L RET" '("PLANTED password") "M-DEL C-a C-k" '("PLANTED") "C-a C-SPC C-e M-w C-w"
                          (list quickvault-test-password) "RET")
    (should (derived-mode-p 'quickvault-list-mode))
    (should-not (string-match-p "PLANTED\\|horse" (format "%S" (list kill-ring (mapcar (lambda (buffer) (buffer-local-value 'buffer-undo-list buffer))
                                                                                      (buffer-list))))))
    (should (member "someone's own" kill-ring))))

(ert-deftest quickvault-copies-of-titles-are-blanked-at-the-lock ()
  "R12: a lock leaves no title in buffers made by `occur' or from completions."
  (quickvault-test-with-histories
    (quickvault-test-go "家")
    (quickvault-test-keys "M-s o SECRET47 RET M-s o Harbor RET")
    (should (member "*Occur*" (quickvault-test-anywhere "Harbor")))
    (quickvault-test-keys "M-x quickvault-lock RET")
    (should-not (quickvault-test-anywhere "Harbor"))
    (should-not (quickvault-test-anywhere "SECRET47"))
    (quickvault-test-keys "M-x quickvault RET" (list quickvault-test-password) "RET")
    (quickvault-test-go "家")
    (quickvault-test-keys "e" '("PLANTED") "M-x occur RET PLANTED RET")
    (should (member "*Occur*" (quickvault-test-anywhere "PLANTED")))
    (let (collected)
      (quickvault-test-go "家")
      (set-window-buffer (selected-window) (get-buffer-create "collecting"))
      (set-buffer "collecting")
      (let ((minibuffer-setup-hook
             (list (lambda ()
                     (when (eq this-command 'quickvault-copy)
                       (setq collected (all-completions "" minibuffer-completion-table)))))))
        (condition-case nil (quickvault-test-keys "M-x quickvault-copy RET C-g") (quit nil)))
      (should (= 2 (length collected)))
      (with-current-buffer (get-buffer-create "*Collect*")
        (setq buffer-read-only nil)
        (dolist (title collected) (insert title "\n"))
        (special-mode))
      (with-current-buffer "collecting" (insert (car collected))))
    (quickvault-test-keys "M-x quickvault-lock RET")
    (should-not (get-buffer "*Collect*"))
    (should-not (remove "collecting" (append (quickvault-test-anywhere "Harbor") (quickvault-test-anywhere "PLANTED"))))
    ;; What a person has copied to a buffer of their own stays.
    (should (string-match-p "家\\|Harbor" (quickvault-test-text "collecting")))
    (mapc #'kill-buffer (list "collecting" "*Occur*"))))

(ert-deftest quickvault-commands-with-cards-are-in-no-history ()
  "Commands that read a card or a watermark are not in `command-history'."
  (quickvault-test-with-histories
    (with-temp-buffer
      (set-window-buffer (selected-window) (current-buffer))
      (quickvault-test-keys "M-x quickvault-copy RET" '("Harbor") "TAB RET")
      (should (string-match-p "Harbor" (car kill-ring)))
      (should-not (string-match-p "Harbor" (format "%S" command-history)))
      ;; It makes no request.
      (quickvault-test-keys "M-x quickvault-delete RET" '("Harbor") "TAB RET n")
      (should-not (string-match-p "Harbor" (format "%S" command-history))))))

(ert-deftest quickvault-eldoc-is-cleared-at-the-lock ()
  "What eldoc says of the card at point is in no buffer after a lock."
  (quickvault-test-with-histories
    (quickvault-test-go "家")
    (let ((eldoc-mode t) inhibit-message)
      (eldoc--invoke-strategy t))
    (should (quickvault-test-anywhere "tags: home"))
    (quickvault-lock)
    (should-not (quickvault-test-anywhere "tags: home"))))

;;; Unsaved input

(ert-deftest quickvault-r12-typing-in-a-form-is-activity ()
  "R12: typing in a form keeps the vault unlocked."
  (quickvault-test-with-histories
    (quickvault--request 'settings/update '(:autoLockSeconds 15))
    (quickvault-test-go "家")
    (quickvault-test-keys "e")
    (let ((end (time-add nil 20))
          (next (current-time)))
      (while (time-less-p nil end)
        (when (time-less-p next nil)
          (quickvault-test-keys "x")
          (setq next (time-add nil 1)))
        (accept-process-output nil 0.1)))
    (should (derived-mode-p 'quickvault-form-mode))
    (quickvault-test-keys "C-c C-c")
    (should (quickvault-test-shows "xxxx"))))

(ert-deftest quickvault-unsaved-input-outlives-the-program ()
  "Unsaved input stays when the program exits and can be saved; all else is blank."
  (quickvault-test-with-histories
    (quickvault-test-go "Harbor")
    (quickvault-test-keys "e C-x b *QuickVault* RET")
    (quickvault-test-go "家")
    (quickvault-test-keys "e C-k" '("Renamed"))
    (let ((form (current-buffer)))
      (signal-process (jsonrpc--process quickvault--connection) 'KILL)
      (quickvault-test-wait (lambda () (not quickvault--connection)))
      (should-not (quickvault-test-anywhere "Harbor"))
      (with-current-buffer form (should (derived-mode-p 'quickvault-form-mode)))
      (set-window-buffer (selected-window) form)
      (quickvault-test-keys "C-c C-c" (list quickvault-test-password) "RET")
      (should (derived-mode-p 'quickvault-card-mode))
      (should (quickvault-test-shows "Renamed")))))

(ert-deftest quickvault-unsaved-input-is-blanked-after-the-auto-lock-time ()
  "Without an unlock within the auto-lock time, unsaved input is blanked too."
  (quickvault-test-with-histories
    (quickvault-test-go "家")
    (quickvault-test-keys "e C-k" '("Renamed"))
    (let ((since (float-time)))
      (signal-process (jsonrpc--process quickvault--connection) 'KILL)
      (quickvault-test-wait (lambda () (not quickvault--connection)))
      (should (quickvault-test-anywhere "Renamed"))
      (should (quickvault-test-due-p quickvault--unsaved-timer 300 since)))
    (timer-event-handler quickvault--unsaved-timer)
    (should-not (quickvault-test-anywhere "Renamed"))))

(defun quickvault-test-mode-line ()
  "Return what the mode line shows of the process, as a terminal does."
  (mapconcat (lambda (part)
               (pcase part
                 (`(:eval ,form) (eval form t))
                 ((pred stringp) part)
                 (_ "")))
             mode-line-process
             ""))

(ert-deftest quickvault-demo-shows-that-it-is-one ()
  "Every buffer of the demo says so, and the prompt of the locked demo shows the password."
  (quickvault-test-in-directory
    (let (prompts)
      (quickvault-test-keys "M-x quickvault-demo RET")
      (should (> (length quickvault--items) 3))
      (should-not (file-exists-p quickvault-vault-file))
      (should (string-match-p "Demo; M-x quickvault-demo ends it" (quickvault-test-mode-line)))
      (quickvault-test-keys "c Text RET Renamed")
      (should (string-match-p "Demo;" (quickvault-test-mode-line)))
      ;; Leaving the demo asks before it discards input.
      (should-error (quickvault-test-keys "M-x quickvault-demo RET n") :type 'user-error)
      (should quickvault--demo)
      (quickvault-test-keys "C-c C-k y RET")
      (should (string-match-p "Demo;" (quickvault-test-mode-line)))
      (quickvault-test-keys "L")
      (should (string-match-p "Demo;" (quickvault-test-mode-line)))
      (cl-letf* ((read (symbol-function 'read-passwd))
                 ((symbol-function 'read-passwd)
                  (lambda (prompt &rest arguments) (push prompt prompts) (apply read prompt arguments))))
        (quickvault-test-keys "RET" '("demo demo") "RET"))
      (should (equal prompts '("The password of the sample cards is demo demo.  Master password: ")))
      (should-not (derived-mode-p 'quickvault-blank-mode))
      (let ((vault (plist-get (quickvault--call 'vault/status) :path)))
        (quickvault-test-keys "M-x quickvault-demo RET")
        (should (string-search "The sample cards were deleted." (quickvault-test-text "*Messages*")))
        (should-not (file-exists-p (file-name-directory vault)))
        (should-not (quickvault--running-p))))))

(provide 'quickvault-privacy-tests)
;;; quickvault-privacy-tests.el ends here
