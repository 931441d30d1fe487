;;; quickvault-draft-tests.el --- Tests of drafts and of undoing  -*- lexical-binding: t; -*-

;;; Commentary:

;; What a lock and a deletion do not cost.

;;; Code:

(require 'quickvault-test-support)

(defun quickvault-test-form ()
  "Return the buffer of the form."
  (seq-find (lambda (buffer) (with-current-buffer buffer (derived-mode-p 'quickvault-form-mode))) (buffer-list)))

(defun quickvault-test-unlock ()
  "Unlock in the selected window, and run what waits for it."
  (quickvault-test-keys "RET" quickvault-test-keys-of-password "RET")
  (accept-process-output nil 0.05))

(ert-deftest quickvault-r12-a-lock-keeps-a-form ()
  "R12: a form that a lock blanks comes back with its input, and saves it."
  (quickvault-test-with-vault
    (quickvault-test-go "Harbor")
    (quickvault-test-keys "e" '("typed é字\" ") "M-x quickvault-lock RET")
    (should (equal nil (append (quickvault-test-anywhere "typed é字") (quickvault-test-anywhere "Harbor"))))
    (should (quickvault-test-shows "Your unsaved input comes back when you unlock."))
    (quickvault-test-unlock)
    (should (derived-mode-p 'quickvault-form-mode))
    (should (quickvault-test-shows "typed é字\" Harbor"))
    (should (quickvault--form-changed-p))
    (quickvault-test-keys "C-c C-c")
    (should (derived-mode-p 'quickvault-card-mode))
    (should (quickvault-test-shows "typed é字\" Harbor"))
    (should (equal nil (quickvault--drafts)))))

(ert-deftest quickvault-r12-a-timer-keeps-a-form ()
  "R12: what was typed is sent after a moment, so that any lock and the end of Emacs leave it."
  (quickvault-test-with-vault
    (let ((quickvault-draft-delay 0))
      (quickvault-test-keys "c text RET" '("A new title") "TAB" )
      (quickvault-test-wait (lambda () (quickvault--drafts)))
      ;; As if Emacs was killed: nothing is asked, nothing is sent.
      (quickvault--stop quickvault--connection)
      (with-current-buffer (quickvault-test-form)
        (setq quickvault--initial-values (quickvault--form-values))
        (let (kill-buffer-query-functions) (kill-buffer)))
      (quickvault-test-keys "M-x quickvault RET" quickvault-test-keys-of-password "RET")
      (should (equal 1 (length (quickvault--drafts))))
      (quickvault-test-keys "c text RET y RET")
      (should (quickvault-test-shows "A new title"))
      (quickvault-test-keys "C-c C-k y RET")
      (should (equal nil (quickvault--drafts)))
      (quickvault-test-keys "c text RET")
      (should-not (quickvault-test-shows "A new title")))))

(ert-deftest quickvault-r12-input-is-sent-while-it-changes ()
  "R12: who types on and on has a draft too; and losing the focus sends it at once."
  (quickvault-test-with-vault
    (quickvault-test-keys "c text RET")
    (let ((quickvault-draft-delay 3600)
          (quickvault-draft-longest-delay 0.05))
      (quickvault-test-wait (lambda ()
                              (quickvault-test-keys '("x"))
                              (quickvault--drafts))))
    (let ((quickvault-draft-delay 3600)
          (quickvault-draft-longest-delay 3600))
      (quickvault-test-keys '("the end"))
      (cl-letf (((symbol-function 'quickvault--focused-p) #'ignore))
        (quickvault--focus-changed))
      (quickvault-test-wait
       (lambda () (string-search "the end" (plist-get (car (quickvault--drafts)) :text)))))
    (quickvault-test-keys "C-c C-k y RET")))

(ert-deftest quickvault-r12-a-choice-is-sent ()
  "R12: a group and a check are kept too, if nothing is typed after them."
  (quickvault-test-with-vault
    (let ((quickvault-draft-delay 0))
      (dolist (keys '(("c text RET Chosen") ("TAB TAB RET" "group" . "company") ("TAB TAB RET" "pinned" . t)))
        (quickvault-test-keys (car keys))
        (when (cdr keys) (should (member (cdr keys) (quickvault--form-values))))
        (quickvault-test-wait (lambda () (equal quickvault--draft-values (quickvault--form-values)))))
      (quickvault-test-keys "C-c C-k y RET"))))

(ert-deftest quickvault-r12-undone-input-has-no-draft ()
  "R12: input that was undone does not come back, by itself or when it is offered."
  (quickvault-test-with-vault
    (let ((quickvault-draft-delay 0))
      (dolist (leave '("M-x quickvault-lock RET" "C-c C-k"))
        (quickvault-test-go "Harbor")
        (quickvault-test-keys "e" '("xyz"))
        (quickvault-test-wait (lambda () (quickvault--drafts)))
        (let ((quickvault-draft-delay 3600)
              (quickvault-draft-longest-delay 3600))
          (quickvault-test-keys "DEL DEL DEL" leave))
        (unless quickvault--unlocked
          (quickvault-test-unlock)
          (should-not (quickvault-test-shows "xyz"))
          (quickvault-test-keys "M-x quickvault RET"))
        (should (equal nil (quickvault--drafts)))))
    (quickvault-test-keys "e" '("xyz"))
    (quickvault-test-wait (lambda () (quickvault--drafts)))
    (quickvault-test-keys "DEL DEL DEL")
    (quickvault-test-wait (lambda () (not (quickvault--drafts))))
    (quickvault-test-keys "C-c C-k")))

(ert-deftest quickvault-r12-the-end-of-emacs-keeps-input ()
  "R12: if a signal ends Emacs, what was typed just before is kept; what the user discards is not."
  (quickvault-test-with-vault
    (let ((quickvault-draft-delay 3600)
          (quickvault-draft-longest-delay 3600))
      (quickvault-test-go "Harbor")
      (quickvault-test-keys "e" '("the last words"))
      (should (memq #'quickvault--put-last-drafts kill-emacs-hook))
      (quickvault--put-last-drafts)
      (should (string-search "the last words" (plist-get (car (quickvault--drafts)) :text)))
      (cl-letf (((symbol-function 'quickvault--confirm) #'always))
        (should (quickvault--forms-kill-p)))
      (quickvault--put-last-drafts)
      (should (equal nil (quickvault--drafts)))
      (quickvault-test-keys "C-c C-k y RET"))))

(ert-deftest quickvault-a-form-does-not-break-lines ()
  "A title stays on one line, even if Emacs fills all buffers."
  (quickvault-test-with-vault
    (let ((fill (default-value 'auto-fill-function)))
      (unwind-protect
          (progn
            (setq-default auto-fill-function #'do-auto-fill)
            (quickvault-test-keys "c text RET" (list (string-join (make-list 20 "title") " ")) "SPC"))
        (setq-default auto-fill-function fill)))
    (should-not (string-search "\n" (cdr (assoc "title" (quickvault--form-values)))))
    (quickvault-test-keys "C-c C-k y RET")))

(ert-deftest quickvault-r12-one-form-for-a-draft ()
  "R12: there is no second form beside one with unsaved input, whose draft it would replace."
  (quickvault-test-with-vault
    (pcase-dolist (`(,row . ,keys) '(("Harbor" . "e") ("Harbor" . "c text RET")))
      (quickvault-test-go row)
      (quickvault-test-keys keys '("typed first "))
      (quickvault-test-wait (lambda () (accept-process-output nil 0.4) (quickvault--drafts)))
      (let ((form (current-buffer)))
        (quickvault-test-go row)
        (quickvault-test-keys keys)
        (should (eq form (window-buffer)))
        (quickvault-test-go row)
        (quickvault-test-keys "M-x quickvault-drafts RET" '("typed first") "TAB RET")
        (should (eq form (window-buffer)))
        (quickvault-test-keys "M-x quickvault RET L")
        (quickvault-test-unlock)
        (quickvault-test-go row)
        (quickvault-test-keys keys "y RET")
        (should (quickvault-test-shows "typed first"))
        (setq form (window-buffer))
        (set-window-buffer (selected-window) (car (quickvault--blank-buffers)))
        (quickvault--restore-windows)
        (should (eq form (window-buffer))))
      (quickvault-test-keys "C-c C-k y RET")
      ;; A form without input is closed, because the card may have changed.
      (dotimes (_ 2)
        (quickvault-test-go row)
        (quickvault-test-keys keys))
      (should (equal '("*QuickVault form*")
                     (seq-filter (lambda (name) (string-search "QuickVault form" name))
                                 (mapcar #'buffer-name (buffer-list)))))
      (quickvault-test-keys "C-c C-k"))))

(ert-deftest quickvault-r12-a-draft-that-cannot-be-kept ()
  "R12: before a lock that would cost input the vault cannot keep, the user is asked, and no return is promised."
  (quickvault-test-with-vault
    (quickvault-test-go "Harbor")
    (quickvault-test-keys "e C-e SPC")
    (insert (make-string 200001 ?x))
    (dolist (send (list #'quickvault--put-drafts #'quickvault--put-drafts-later))
      (funcall send)
      (accept-process-output nil 0.2)
      (should-not quickvault--draft-values))
    (quickvault-test-keys "M-x quickvault-lock RET n RET")
    (should quickvault--unlocked)
    (should (quickvault--form-changed-p))
    (quickvault-test-keys "M-x quickvault-lock RET y RET")
    (should-not quickvault--unlocked)
    (should-not (quickvault-test-shows "comes back"))))

(ert-deftest quickvault-r12-input-from-before-an-unlock-is-sent ()
  "R12: what was typed after the program exited is sent as soon as the vault is unlocked again."
  (quickvault-test-with-vault
    (quickvault-test-go "Harbor")
    (quickvault-test-keys "e a")
    (quickvault--stop quickvault--connection)
    (should-not quickvault--unlocked)
    (quickvault-test-keys "DEL" '("typed "))
    (let ((form (current-buffer)))
      (quickvault-test-keys "M-x quickvault RET" quickvault-test-keys-of-password "RET")
      ;; As at a lock of another program: Emacs is not asked.
      (quickvault--call 'session/lock)
      (set-window-buffer (selected-window) form)
      (quickvault-test-unlock)
      (should (quickvault-test-shows "typed Harbor"))
      (quickvault-test-keys "C-c C-k y RET"))))

(ert-deftest quickvault-r12-a-draft-of-a-deleted-card ()
  "R12: the draft of a card that was deleted meanwhile is saved as a new card."
  (quickvault-test-with-vault
    (quickvault-test-go "Harbor")
    (quickvault-test-keys "e" '("typed ") "M-x quickvault-lock RET")
    (let ((id (plist-get (seq-find (lambda (card) (string-match-p "Harbor" (plist-get card :title)))
                                   (plist-get (car (quickvault-test-other-process '(card/list))) :items))
                         :id)))
      (quickvault-test-other-process `(card/delete :id ,id))
      (quickvault-test-unlock)
      (should (quickvault-test-shows "typed Harbor"))
      (quickvault-test-keys "C-c C-c y RET")
      (should (derived-mode-p 'quickvault-card-mode))
      (should (quickvault-test-shows "typed Harbor"))
      (should (equal nil (quickvault--drafts))))))

(ert-deftest quickvault-r12-a-lock-keeps-the-settings ()
  "R12: the form of the settings comes back with its input after a lock, and after the end of Emacs."
  (quickvault-test-with-vault
    (quickvault-test-keys ", C-a C-k 17")
    (quickvault-lock)
    (should-not (quickvault-test-anywhere "seconds; empty for never): 17"))
    (should (quickvault-test-shows "Your unsaved input comes back when you unlock."))
    (quickvault-test-unlock)
    (should (quickvault-test-shows "seconds; empty for never): 17"))
    (should (quickvault--form-changed-p))
    (should-not (quickvault--drafts))
    (quickvault-lock)
    (kill-buffer (car (quickvault--blank-buffers)))
    (quickvault-test-keys "M-x quickvault RET" quickvault-test-keys-of-password "RET , y RET")
    (should (quickvault-test-shows "seconds; empty for never): 17"))
    (quickvault-test-keys "C-c C-c")
    (should (equal 17 (plist-get (plist-get (quickvault--request 'settings/get) :settings) :autoLockSeconds)))
    (quickvault-test-keys ", C-a C-k 18")
    (quickvault--put-drafts)
    (quickvault-test-keys "C-c C-k y RET ,")
    (should (quickvault-test-shows "seconds; empty for never): 17"))
    (quickvault-test-keys "C-c C-k")))

(ert-deftest quickvault-drafts-are-chosen ()
  "A draft of a form that is not open any more can be chosen."
  (quickvault-test-with-vault
    (quickvault--request 'draft/put (list :client "emacs" :type "text" :text (prin1-to-string '(("title" . "Kept") ("group" . "company")))))
    (quickvault-test-keys "M-x quickvault-drafts RET Kept TAB RET")
    (should (quickvault-test-shows "Kept"))
    (should (derived-mode-p 'quickvault-form-mode))
    (quickvault-test-keys "C-c C-k y RET")
    (should-error (quickvault-drafts) :type 'user-error)))

(ert-deftest quickvault-r1-a-deletion-is-undone ()
  "R1: deleted cards are restored until the lock, the last deletion first."
  (quickvault-test-with-vault
    (quickvault-test-go "Harbor")
    (quickvault-test-keys "d y RET")
    (should-not (quickvault-test-shows "Harbor"))
    (quickvault-test-go "家")
    (quickvault-test-keys "d y RET")
    (quickvault-test-keys "z")
    (should (quickvault-test-shows "家"))
    (should-not (quickvault-test-shows "Harbor"))
    (quickvault-test-keys "C-/")
    (should (quickvault-test-shows "Harbor"))
    (should-error (quickvault-undo-delete) :type 'user-error)
    (quickvault-test-go "Harbor")
    (quickvault-test-keys "d y RET L")
    (quickvault-test-unlock)
    (should-error (quickvault-undo-delete) :type 'user-error)))

(ert-deftest quickvault-lock-in-a-narrowed-form ()
  "R9: a form that the user has narrowed is saved, kept at a lock, blanked, and comes back."
  (quickvault-test-with-vault
    (quickvault-test-go "Harbor")
    (quickvault-test-keys "e C-e SPC narrowed")
    (narrow-to-region (line-beginning-position) (line-end-position))
    (should (quickvault--form-changed-p))
    (quickvault-lock)
    (should-not quickvault--unlocked)
    (should-not (quickvault-test-anywhere "narrowed"))
    (quickvault-test-keys "RET" quickvault-test-keys-of-password "RET")
    (should (quickvault-test-shows "narrowed"))
    (narrow-to-region (line-beginning-position) (line-end-position))
    (quickvault-test-keys "C-c C-c")
    (should (quickvault-test-shows "Harbor 开票 narrowed"))))

(ert-deftest quickvault-lock-with-a-form-that-cannot-be-read ()
  "R9: a form whose fields are broken does not keep the vault from being locked, and is blanked."
  (quickvault-test-with-vault
    (quickvault-test-go "Harbor")
    (quickvault-test-keys "e C-e SPC broken")
    (cl-letf (((symbol-function 'quickvault--form-values) (lambda () (error "Broken"))))
      (quickvault-lock))
    (should-not quickvault--unlocked)
    (should-not (quickvault-test-anywhere "broken"))))

(provide 'quickvault-draft-tests)
;;; quickvault-draft-tests.el ends here
