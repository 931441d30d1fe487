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
        (let (kill-buffer-query-functions) (kill-buffer)))
      (quickvault-test-keys "M-x quickvault RET" quickvault-test-keys-of-password "RET")
      (should (equal 1 (length (quickvault--drafts))))
      (quickvault-test-keys "c text RET y RET")
      (should (quickvault-test-shows "A new title"))
      (quickvault-test-keys "C-c C-k y RET")
      (should (equal nil (quickvault--drafts)))
      (quickvault-test-keys "c text RET")
      (should-not (quickvault-test-shows "A new title")))))

(ert-deftest quickvault-r12-undone-input-has-no-draft ()
  "R12: input that was undone does not come back, by itself or when it is offered."
  (quickvault-test-with-vault
    (let ((quickvault-draft-delay 0))
      (dolist (leave '("M-x quickvault-lock RET" "C-c C-k"))
        (quickvault-test-go "Harbor")
        (quickvault-test-keys "e" '("xyz"))
        (quickvault-test-wait (lambda () (quickvault--drafts)))
        (let ((quickvault-draft-delay 3600))
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

;; Timers run while Emacs waits for the answer to the save.
(ert-deftest quickvault-r12-a-saved-form-has-no-draft ()
  "R12: a form that is saved right after a key leaves no draft, whenever the timer is due."
  (quickvault-test-with-vault
    (let ((quickvault-draft-delay 0))
      (quickvault-test-go "Harbor")
      (quickvault-test-keys "e" '("xyz") "C-c C-c")
      (should (derived-mode-p 'quickvault-card-mode))
      (should-not (quickvault--drafts)))))

(ert-deftest quickvault-r12-the-end-of-emacs-keeps-input ()
  "R12: if a signal ends Emacs, what was typed just before is kept; what the user discards is not."
  (quickvault-test-with-vault
    (let ((quickvault-draft-delay 3600))
      (quickvault-test-go "Harbor")
      (quickvault-test-keys "e" '("the last words"))
      (should (memq #'quickvault--put-drafts kill-emacs-hook))
      (quickvault--put-drafts)
      (should (string-search "the last words" (plist-get (car (quickvault--drafts)) :text)))
      (cl-letf (((symbol-function 'quickvault--confirm) #'always))
        (should (quickvault--forms-kill-p)))
      (quickvault--put-drafts)
      (should (equal nil (quickvault--drafts)))
      (quickvault-test-keys "C-c C-k y RET"))))

(ert-deftest quickvault-concealed-fields-have-what-was-typed ()
  "In concealed fields, nothing is paired, replaced or expanded; in others it is."
  (quickvault-test-with-vault
    (let ((kept (list electric-pair-mode electric-quote-mode))
          (table (make-abbrev-table)))
      (define-abbrev table "brb" "be right back")
      (unwind-protect
          (progn
            (electric-pair-mode 1)
            (electric-quote-mode 1)
            (quickvault-test-go "家")
            (quickvault-test-keys "e")
            (setq-local local-abbrev-table table
                        electric-quote-chars '(?‘ ?’ ?“ ?”))
            (abbrev-mode 1)
            (quickvault-test-keys "C-e" '(" brb (") "C-s" '("door code: ") "RET C-k" '("brb (a') \"[`c"))
            (should (quickvault-test-shows " be right back ()\n"))
            (should (quickvault-test-shows "*Door code: brb (a') \"[`c\n"))
            (quickvault-test-keys "C-c C-k y RET"))
        (electric-pair-mode (if (car kept) 1 -1))
        (electric-quote-mode (if (cadr kept) 1 -1))))))

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
      ;; The program answers one request after the other.
      (should-not (quickvault--drafts))
      (should-not quickvault--draft-text))
    (quickvault-test-keys "M-x quickvault-lock RET n RET")
    (should quickvault--unlocked)
    (should (quickvault--form-changed-p))
    (quickvault-test-keys "M-x quickvault-lock RET y RET")
    (should-not quickvault--unlocked)
    (should-not (quickvault-test-shows "comes back"))))

(defun quickvault-test-put-draft (title &optional form)
  "Have the vault keep a draft of a new text card TITLE, of FORM."
  (quickvault--request 'draft/put `(:client "emacs" :type "text" ,@(and form (list :form form))
                                            :text ,(format "Title: %s\nGroup: Company\n\n--- Text ---\nbody\n" title))))

(ert-deftest quickvault-r12-a-draft-that-is-not-wanted-stays ()
  "R12: who answers n gets a form without the unsaved input, which stays, and is told where it is."
  (quickvault-test-with-vault
    (quickvault-test-put-draft "Kept")
    (let (shown)
      (cl-letf (((symbol-function 'quickvault--message) (lambda (text) (push text shown))))
        (quickvault-test-keys "c text RET n RET"))
      (should (string-search "M-x quickvault-drafts" (car shown))))
    (should (quickvault-test-form))
    (should-not (quickvault-test-shows "Kept"))
    (quickvault-test-keys "C-c C-k y RET")
    (should (equal 1 (length (quickvault--drafts))))))

(ert-deftest quickvault-r12-input-of-another-emacs ()
  "R12: input in an Emacs that still runs is not offered, is copied on demand and stays; when it has ended, it moves."
  (quickvault-test-with-vault
    (quickvault-test-put-draft "theirs" "4711-1")
    (cl-letf (((symbol-function 'process-attributes) (lambda (process) (and (= process 4711) '((comm . "emacs"))))))
      (should-not (quickvault--drafts-remark))
      (quickvault-test-keys "c text RET mine")
      (quickvault--put-drafts)
      (should (equal '("4711-1" t) (sort (mapcar (lambda (draft) (or (equal quickvault--emacs-name (plist-get draft :form))
                                                                     (plist-get draft :form)))
                                                 (quickvault--drafts))
                                         (lambda (one _) (stringp one)))))
      (quickvault-lock)
      (quickvault-test-unlock)
      (should (string-prefix-p "Title: mine" (quickvault-test-text)))
      (quickvault-test-keys "C-c C-k y RET M-x quickvault-drafts RET" '("theirs") "TAB RET")
      (should (string-prefix-p "Title: theirs" (quickvault-test-text)))
      (should (equal 2 (length (quickvault--drafts))))
      (quickvault-test-keys "C-c C-k y RET"))
    (should (quickvault--drafts-remark))
    (quickvault-test-keys "M-x quickvault RET c text RET y RET")
    (should (quickvault-test-shows "theirs"))
    (should (equal (list quickvault--emacs-name)
                   (mapcar (lambda (draft) (plist-get draft :form)) (quickvault--drafts))))
    (quickvault-test-keys "C-c C-k y RET")))

(ert-deftest quickvault-r12-several-drafts-of-a-card ()
  "R12: the newest draft of a card is offered; the others stay, and can be chosen, also by equal names."
  (quickvault-test-with-vault
    (dolist (title '("first" "second" "third" "third"))
      (quickvault-test-put-draft title (format "999999999-1 %s" (random))))
    (quickvault-test-keys "c text RET y RET")
    (should (quickvault-test-shows "third"))
    (should (equal 4 (length (quickvault--drafts))))
    (quickvault-test-keys "C-c C-k y RET")
    ;; Both are of the same minute.
    (cl-letf (((symbol-function 'quickvault--time) (lambda (_) "now")))
      (dolist (title '("first" "second" "third"))
        (quickvault-test-keys "M-x quickvault-drafts RET" (list title) "TAB RET")
        (should (quickvault-test-shows title))
        (quickvault-test-keys "C-c C-k y RET")))
    (should-not (quickvault--drafts))))

(ert-deftest quickvault-lock-in-a-narrowed-form ()
  "R12: a form that the user has narrowed is saved, kept at a lock, blanked, and comes back."
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

(provide 'quickvault-draft-tests)
;;; quickvault-draft-tests.el ends here
