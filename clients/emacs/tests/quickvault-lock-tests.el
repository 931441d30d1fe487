;;; quickvault-lock-tests.el --- Tests of password, lock and clipboard  -*- lexical-binding: t; -*-

;;; Commentary:

;; Tests of the first run, passwords, every kind of lock, and what remains after one.

;;; Code:

(require 'quickvault-test-support)

(defun quickvault-test-secrets-left ()
  "Return the buffers and kills that still have contents of the test's vault."
  (append (mapcan #'quickvault-test-anywhere '("王芳" "Harbor" "SECRET4711" "科技路"))
          (seq-filter (lambda (text) (string-match-p "Harbor\\|王芳\\|SECRET" text)) kill-ring)))

(ert-deftest quickvault-r22-first-run-leads-to-the-list ()
  "R22, R11: welcome, the password twice, the list.
One that is too short is asked for again at once, and a guessable one
only used if the user wants it."
  (quickvault-test-in-directory
    (quickvault-test-keys "M-x quickvault RET" '("long enough") "RET" '("something else") "RET"
                          "short RET"
                          "iloveyou RET n RET"
                          quickvault-test-keys-of-password "RET" quickvault-test-keys-of-password "RET")
    (should (derived-mode-p 'quickvault-list-mode))
    (should (quickvault-test-shows "No cards yet"))
    (should (file-exists-p quickvault-vault-file))
    (quickvault-test-keys "L")
    (should (quickvault-test-shows "The vault is locked."))
    (quickvault-test-keys "RET" quickvault-test-keys-of-password "RET")
    (should (derived-mode-p 'quickvault-list-mode))))

;; A password counts for a minute, which a test does not wait for, so the responses are simulated.
(ert-deftest quickvault-r9-what-weakens-the-vault-asks-again ()
  "R9: a request that needs the password again asks for it, and is repeated once."
  (let (asked prompts confirmed)
    (cl-letf (((symbol-function 'quickvault--call)
               (lambda (method &optional params _timeout)
                 (push method asked)
                 (cl-flet ((fail (&rest data)
                             (signal 'jsonrpc-error `((jsonrpc-error-code . 1105) (jsonrpc-error-data . ,data)))))
                   (pcase method
                     ('vault/status '(:locked :json-false :lockout (:failedAttempts 0 :retryAfterSeconds 0)))
                     ('session/unlock
                      (if (setq confirmed (equal (plist-get params :password) "right")) '(:cardCount 0)
                        (fail :kind "auth.wrongPassword" :attemptsLeft 2)))
                     ((guard confirmed) 'done)
                     (_ (fail :kind "auth.required" :messages '(:en "Again." :zh-Hans "再次。")))))))
              ((symbol-function 'read-passwd)
               (lambda (prompt &rest _)
                 (push prompt prompts)
                 (copy-sequence (if (cdr prompts) "right" "wrong")))))
      (should (eq 'done (quickvault--request 'vault/backup '(:path "/x"))))
      (should (equal '(vault/backup session/unlock) (list (car asked) (cadr asked))))
      (should (string-match-p "Wrong password.*Master password, to confirm" (car prompts)))
      (should (equal 2 (length prompts))))))

(ert-deftest quickvault-r22-welcome-stays-after-quitting ()
  "Quitting the first run keeps the welcome text, from which it can continue."
  (quickvault-test-in-directory
    (condition-case nil (quickvault-test-keys "M-x quickvault RET C-g") (quit nil))
    (let ((page (quickvault-test-text "*QuickVault*")))
      (should (string-match-p "Welcome to QuickVault" page))
      (should (string-search (concat "stored in " quickvault-vault-file) page))
      (should (string-search "Nothing leaves this machine unless you turn on synchronisation" page))
      (should (string-search "If you forget it, nothing can be recovered" page)))
    (should-not (file-exists-p quickvault-vault-file))
    (set-window-buffer (selected-window) "*QuickVault*")
    (quickvault-test-keys "RET" quickvault-test-keys-of-password "RET" quickvault-test-keys-of-password "RET")
    (should (derived-mode-p 'quickvault-list-mode))))

;; The test machine may have no fingerprint reader, so the responses are simulated.
(ert-deftest quickvault-r22-offers-fingerprint-unlock-if-the-program-does ()
  "R22: fingerprint unlock is offered if the response says so, and y enables it.
Requests are only recorded."
  (let ((outcome '(answered nil))
        asked shown)
    (cl-letf (((symbol-function 'quickvault--request) #'ignore)
              ((symbol-function 'quickvault--call) (lambda (&rest _) '(:settings (:language "en"))))
              ((symbol-function 'quickvault--log-message) (lambda (text) (setq shown text)))
              ((symbol-function 'quickvault--await-fingerprint)
               (lambda (method params &rest _) (setq asked (cons method params)) outcome)))
      (cl-flet ((open-with (offer keys)
                  (setq asked nil)
                  (with-temp-buffer
                    (use-local-map (make-sparse-keymap))
                    (local-set-key "x" (lambda () (interactive)
                                         (quickvault--did-unlock (list :cardCount 0 :offerBiometric offer) "the password")))
                    (set-window-buffer (selected-window) (current-buffer))
                    (quickvault-test-keys keys))
                  asked))
        (should-not (open-with :json-false "x"))
        (should-not (open-with t "x n RET"))
        (should (equal '(biometric/enable :password "the password") (open-with t "x y RET")))
        (should (equal "You can now unlock the vault with your fingerprint.  Unlocked.  Cards: 0" shown))
        (setq outcome '(failed (:kind "biometric.notEnrolled" :messages (:en "No prints are enrolled."))))
        (open-with t "x y RET")
        (should (equal "No prints are enrolled.  Unlocked.  Cards: 0" shown))))
    (setq quickvault--unlocked nil)))

(ert-deftest quickvault-keys-after-a-lock-are-not-logged ()
  "The rest of a word that is typed in a form when the vault locks is not in *Messages* as keys without a command."
  (quickvault-test-with-vault
    (quickvault-test-keys "c text RET P")
    (quickvault--call 'session/lock)
    (let ((inhibit-message nil)) (ignore-errors (quickvault-test-keys "LAN")))
    (should (derived-mode-p 'quickvault-blank-mode))
    (should-not (string-search "undefined" (quickvault-test-text "*Messages*")))))

(ert-deftest quickvault-r11-wrong-password-is-asked-again ()
  "R11: after a wrong password, the next prompt shows the attempts left."
  (quickvault-test-with-vault
    (quickvault-test-keys "L")
    (let (prompts)
      (cl-letf* ((read (symbol-function 'read-passwd))
                 ((symbol-function 'read-passwd)
                  (lambda (prompt &rest arguments) (push prompt prompts) (apply read prompt arguments))))
        (quickvault-test-keys "RET" '("wrong one") "RET" quickvault-test-keys-of-password "RET"))
      (should (equal (reverse prompts)
                     '("Master password: "
                       "Wrong password; 2 attempts left before a delay.  Master password: "))))
    (should (derived-mode-p 'quickvault-list-mode))))

(ert-deftest quickvault-r12-quitting-while-unlocking-leaves-the-vault-locked ()
  "R12: if the user quits just before the answer to the password, the vault does not stay unlocked."
  (quickvault-test-with-vault
    (quickvault-test-keys "L")
    (let ((call (symbol-function 'quickvault--call)))
      (cl-letf (((symbol-function 'quickvault--call)
                 (lambda (method &rest more)
                   (prog1 (apply call method more)
                     (when (eq method 'session/unlock) (signal 'quit nil))))))
        (should (eq 'quit (condition-case nil
                              (quickvault-test-keys "RET" quickvault-test-keys-of-password "RET")
                            (quit 'quit))))))
    (should (eq t (plist-get (quickvault--call 'vault/status) :locked)))
    (should-not quickvault--unlocked)
    (quickvault-test-keys "RET" quickvault-test-keys-of-password "RET")
    (should (quickvault-test-shows "Harbor"))))

(ert-deftest quickvault-lock-blanks-everything ()
  "R12: a lock leaves nothing in list, page, form, output or undo lists."
  (quickvault-test-with-vault
    (quickvault-test-go "家")
    (quickvault-test-keys "w RET v q")
    (quickvault-test-go "Harbor")
    (quickvault-test-keys "e" '("SECRET typed "))
    (should (consp buffer-undo-list))
    (kill-new "someone's own")
    (quickvault-test-keys "M-x quickvault-doctor RET")
    (quickvault-test-wait-for-page)
    (quickvault-test-keys "M-x quickvault-lock RET")
    (should-not (quickvault-test-secrets-left))
    (should (equal kill-ring '("someone's own")))
    (dolist (name '("*QuickVault*" "*QuickVault card*" "*QuickVault form*" "*QuickVault qv doctor*"))
      (with-current-buffer name
        (should (eq major-mode 'quickvault-blank-mode))
        (should (eq buffer-undo-list t))
        (should-not (overlays-in (point-min) (point-max)))
        (dolist (variable (buffer-local-variables))
          (should-not (and (string-match-p "王芳\\|Harbor\\|SECRET" (format "%S" variable)) (list name variable))))))
    (should-not (string-match-p "SECRET" (format "%s" (concat (seq-filter #'characterp (recent-keys))))))))

(ert-deftest quickvault-unlocking-restores-what-is-shown ()
  "R20: after an unlock, no buffer says that the vault is locked; those in a window are restored."
  (quickvault-test-with-vault
    (quickvault-test-go "Harbor")
    (quickvault-test-keys "RET M-x quickvault-doctor RET M-x quickvault-lock RET")
    (quickvault-test-go "")
    (quickvault-test-keys "M-x quickvault-unlock RET" quickvault-test-keys-of-password "RET")
    (quickvault-test-wait (lambda () (quickvault-test-shows "Harbor 开票")))
    (should-not (quickvault-test-anywhere "The vault is locked."))
    (should (string-match-p "\\`The vault is unlocked\\.\n\nPress RET" (quickvault-test-text "*QuickVault card*")))
    (set-window-buffer (selected-window) "*QuickVault card*")
    (quickvault-test-keys "RET")
    (should (quickvault-test-shows "深圳Harbor"))))

(ert-deftest quickvault-locked-command-unlocks-and-continues ()
  "A command on a locked vault asks for the password and then continues."
  (quickvault-test-with-vault
    (quickvault-test-keys "L M-x quickvault-copy RET" quickvault-test-keys-of-password "RET" '("家") "RET")
    (should (string-match-p "王芳" (car kill-ring)))))

(ert-deftest quickvault-r12-suspending-locks-before-emacs-stops ()
  "R12: after `suspend-hook', the vault is locked and the buffers are blank."
  (quickvault-test-with-vault
    (run-hooks 'suspend-hook)
    (should (quickvault-test-shows "Emacs went to the background"))
    (should (eq t (plist-get (quickvault--call 'vault/status) :locked)))
    (run-hooks 'suspend-resume-hook)))

(ert-deftest quickvault-r13-suspending-does-not-lock-with-the-setting-off ()
  "R13: with lockOnBackground off, suspending leaves the vault unlocked."
  (quickvault-test-with-vault
    (quickvault--request 'settings/update '(:lockOnBackground :json-false))
    (run-hooks 'suspend-hook)
    (should (quickvault-test-shows "Harbor"))))

(ert-deftest quickvault-r12-losing-the-last-frame-locks ()
  "R12: deleting the last frame locks; so do minimising and, if the user wants it, losing the focus."
  (quickvault-test-with-vault
    ;; In batch mode the only frame is the invisible one that a daemon has, so any other
    ;; frame is the last.
    (quickvault--frame-deleted nil)
    (should (quickvault-test-shows "Emacs went to the background"))
    (quickvault-test-keys "RET" quickvault-test-keys-of-password "RET")
    (cl-letf (((symbol-function 'frame-focus-state) #'ignore))
      (funcall after-focus-change-function)
      (should-not quickvault--focus-timer)
      (let ((quickvault-lock-on-focus-loss 60)
            (since (float-time)))
        (funcall after-focus-change-function)
        (should (quickvault-test-due-p quickvault--focus-timer 60 since)))
      (quickvault--report-focus)
      (should (quickvault-test-shows "Harbor"))
      (cl-letf (((symbol-function 'quickvault--minimised-p) #'always))
        (funcall after-focus-change-function)
        (quickvault-test-wait (lambda () (quickvault-test-shows "Emacs went to the background"))))
      (quickvault-test-keys "RET" quickvault-test-keys-of-password "RET")
      (setq quickvault-lock-on-focus-loss 0)
      (funcall after-focus-change-function)
      (quickvault-test-wait (lambda () (quickvault-test-shows "Emacs went to the background"))))
    (setq quickvault--focus-timer nil
          quickvault-lock-on-focus-loss nil)))

(ert-deftest quickvault-r12-losing-the-focus-keeps-unsaved-input ()
  "R12, R13: the settings say that a form with unsaved input stays, and it does."
  (quickvault-test-with-vault
    (cl-letf (((symbol-function 'frame-focus-state) #'ignore)
              (quickvault-lock-on-focus-loss 60))
      (quickvault-test-keys ",")
      (should (quickvault-test-shows "[X] Lock when Emacs is suspended or minimised, or has lost the focus without an unsaved form"))
      (quickvault-test-go "Harbor")
      (quickvault-test-keys "e C-e" '(" typed"))
      (quickvault--report-focus)
      (should (quickvault-test-shows "Harbor 开票 typed"))
      (should-not (eq t (plist-get (quickvault--call 'vault/status) :locked)))
      (quickvault-test-keys "C-c C-c")
      (quickvault--report-focus)
      (should (quickvault-test-shows "Emacs went to the background")))))

(ert-deftest quickvault-r12-auto-lock-blanks ()
  "R12: after the shortest auto-lock time, the list is blank."
  (quickvault-test-with-vault
    (quickvault--request 'settings/update '(:autoLockSeconds 15))
    (quickvault-test-wait (lambda () (quickvault-test-shows "because it was idle")))
    (should-not (quickvault-test-anywhere "Harbor 开票"))))

(ert-deftest quickvault-password-changed-elsewhere ()
  "The next command reports it, asks for the password and continues."
  (quickvault-test-with-vault
    (let ((new "another password"))
      (quickvault-test-other-process
       `(vault/changePassword :oldPassword ,quickvault-test-password :newPassword ,new
                              :kdf (:algorithm "pbkdf2-hmac-sha256" :iterations 100000)))
      (quickvault-test-go "家")
      (let (seen)
        (cl-letf* ((read (symbol-function 'read-passwd))
                   ((symbol-function 'read-passwd)
                    (lambda (&rest arguments)
                      (setq seen (quickvault-test-text "*QuickVault*"))
                      (apply read arguments))))
          (quickvault-test-keys "w" (list new) "RET"))
        (should (string-match-p "changed its password or replaced its file" seen)))
      (should (string-match-p "王芳" (car kill-ring))))))

(ert-deftest quickvault-deletes-the-vault ()
  "L: after qv has deleted the vault, all buffers are blank."
  (quickvault-test-with-vault
    (quickvault-test-answering (list quickvault-test-password)
      (quickvault-test-keys "C-u M-x quickvault-delete-vault RET --confirm SPC my.quickvault RET")
      (quickvault-test-wait-for-page))
    (should-not (file-exists-p quickvault-vault-file))
    (should (string-search "The vault was deleted." (quickvault-test-text "*QuickVault*")))))

;;; The clipboard

(defun quickvault-test-pass-time ()
  "Run the timers of copied texts now."
  (timer-event-handler (plist-get quickvault--copied :timer)))

(ert-deftest quickvault-clipboard-is-cleared-in-time ()
  "R18: after the timeout, the text is cleared from clipboard and kill ring."
  (quickvault-test-with-vault
    (quickvault-test-go "家")
    (let ((since (float-time)))
      (quickvault-test-keys "w")
      (should (quickvault-test-due-p (plist-get quickvault--copied :timer) 30 since)))
    (should (string-match-p "王芳" quickvault-test-clipboard))
    (quickvault-test-pass-time)
    (should (equal "" quickvault-test-clipboard))
    (should-not kill-ring)))

(ert-deftest quickvault-kill-ring-is-not-saved ()
  "`savehist-mode' does not save the kill ring while vault text is in it."
  (quickvault-test-with-vault
    (require 'savehist)
    (let ((savehist-file (expand-file-name "history" quickvault-test-directory))
          (savehist-additional-variables '(kill-ring))
          (kill-emacs-hook (list #'ignore)))
      (quickvault-test-go "家")
      (kill-new "someone's own")
      (quickvault-test-keys "w")
      (savehist-save)
      (should-not (string-match-p "王芳" (quickvault-test-file savehist-file)))
      (with-temp-buffer
        (yank)
        (should (search-backward "王芳" nil t))
        (should-not (text-properties-at (point))))
      (quickvault-test-pass-time)
      (savehist-save)
      (should (string-match-p "someone's own" (quickvault-test-file savehist-file)))
      (should (eq (car kill-emacs-hook) #'quickvault--clear-all-copied)))))

(ert-deftest quickvault-clipboard-of-others-stays ()
  "R18: text copied meanwhile by another program or the user is not cleared."
  (quickvault-test-with-vault
    (quickvault-test-go "家")
    (quickvault-test-keys "w")
    (setq quickvault-test-clipboard "from a browser")
    (quickvault-test-pass-time)
    (should (equal "from a browser" quickvault-test-clipboard))
    ;; The clipboard is unreadable if Emacs owns it, as with `gui-selection-value'.
    (let ((interprogram-paste-function #'ignore))
      (quickvault-test-keys "w")
      (kill-new "killed later")
      (quickvault-test-pass-time)
      (should (equal "killed later" quickvault-test-clipboard))
      (should (equal '("killed later") kill-ring))
      (quickvault-test-keys "w")
      (quickvault-test-pass-time)
      (should (equal "" quickvault-test-clipboard)))))

(ert-deftest quickvault-clipboard-outlives-the-background-and-no-other-lock ()
  "A lock in the background keeps the clipboard; any other lock clears it."
  (quickvault-test-with-vault
    (quickvault-test-go "家")
    (quickvault-test-keys "w")
    (run-hooks 'suspend-hook)
    (should (string-match-p "王芳" quickvault-test-clipboard))
    (should-not kill-ring)
    (let ((interprogram-paste-function #'ignore))
      (quickvault-test-pass-time))
    (should (equal "" quickvault-test-clipboard))
    (quickvault-test-keys "RET" quickvault-test-keys-of-password "RET")
    (quickvault-test-go "家")
    (quickvault-test-keys "w L")
    (should (equal "" quickvault-test-clipboard))
    (should-not quickvault--copied)))

(provide 'quickvault-lock-tests)
;;; quickvault-lock-tests.el ends here
