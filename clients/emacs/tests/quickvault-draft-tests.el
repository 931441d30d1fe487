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

;; Typing on and on does not put it off.
(ert-deftest quickvault-r12-losing-the-focus-sends-input ()
  "R12: losing the focus sends what was typed at once."
  (quickvault-test-with-vault
    (let ((quickvault-draft-delay 3600))
      (quickvault-test-keys "c text RET" '("the end"))
      (cl-letf (((symbol-function 'quickvault--focused-p) #'ignore))
        (quickvault--focus-changed))
      (quickvault-test-wait (lambda () (equal "the end" (plist-get (car (quickvault--drafts)) :title))))
      (quickvault-test-keys "C-c C-k y RET"))))

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

(ert-deftest quickvault-a-form-does-not-break-lines ()
  "A title stays on one line, even if Emacs fills all buffers."
  (quickvault-test-with-vault
    (let ((fill (default-value 'auto-fill-function)))
      (unwind-protect
          (progn
            (setq-default auto-fill-function #'do-auto-fill)
            (quickvault-test-keys "c text RET" (list (string-join (make-list 20 "title") " ")) "SPC"))
        (setq-default auto-fill-function fill)))
    (should (string-match-p "\\`Title: title.*title *\n" (quickvault-test-text)))
    (quickvault-test-keys "C-c C-k y RET")))

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

(ert-deftest quickvault-drafts-are-chosen ()
  "A draft of a form that is not open any more can be chosen, and saved."
  (quickvault-test-with-vault
    (quickvault-test-put-draft "Kept")
    (quickvault-test-keys "M-x quickvault-drafts RET Kept TAB RET")
    (should (derived-mode-p 'quickvault-form-mode))
    (quickvault-test-keys "C-c C-c")
    (should (quickvault-test-shows "Kept\nText · Company"))
    (should-error (quickvault-drafts) :type 'user-error)))

(defvar quickvault-test-emacs nil
  "The process of the other Emacs.")

(defmacro quickvault-test-with-other-emacs (&rest body)
  "Evaluate BODY with a vault that another Emacs has unlocked too."
  (declare (indent 0) (debug t))
  `(quickvault-test-with-vault
     (let* ((process-environment (cons "EMACSLOADPATH=" process-environment))
            (quickvault-test-emacs
             (make-process :name "other-emacs" :buffer (generate-new-buffer "other-emacs") :noquery t :connection-type 'pipe
                           :command (list (expand-file-name invocation-name invocation-directory) "-Q" "--batch"
                                          "-L" (file-name-directory (locate-library "quickvault"))
                                          "-L" (file-name-directory (locate-library "quickvault-test-support"))
                                          "-l" "quickvault-test-support"
                                          "--eval" "(while t (princ (format \"= %S\\n\" (eval (read-minibuffer \"\") t))))"))))
       (unwind-protect
           (progn
             (quickvault-test-other-emacs
              `(setq inhibit-message t
                     quickvault-program ,quickvault-program
                     quickvault-vault-file ,quickvault-vault-file
                     quickvault-language "en"))
             (quickvault-test-other-emacs '(quickvault-test-keys "M-x quickvault RET" quickvault-test-keys-of-password "RET"))
             ,@body)
         (let ((buffer (process-buffer quickvault-test-emacs)))
           (delete-process quickvault-test-emacs)
           (kill-buffer buffer))))))

(defun quickvault-test-other-emacs (&rest forms)
  "Evaluate FORMS in the other Emacs, and return the value of the last one."
  (with-current-buffer (process-buffer quickvault-test-emacs)
    (erase-buffer)
    (process-send-string quickvault-test-emacs (format "%S\n" (cons 'progn forms)))
    (let ((deadline (time-add nil 60)))
      (while (not (progn (goto-char (point-min)) (re-search-forward "^\\(?:Lisp expression: \\)?= \\(.*\\)\n" nil t)))
        (when (or (time-less-p deadline nil) (not (process-live-p quickvault-test-emacs)))
          (ert-fail (list "The other Emacs" forms (buffer-string))))
        (accept-process-output quickvault-test-emacs 0.05)))
    (car (read-from-string (match-string 1)))))

(defun quickvault-test-type-in-other-emacs (keys text)
  "Type KEYS and TEXT into a form in the other Emacs, and send its draft."
  (quickvault-test-other-emacs
   '(quickvault-test-keys "M-x quickvault RET")
   '(quickvault-test-go "Harbor")
   `(quickvault-test-keys ,keys '(,text))
   '(quickvault--put-drafts)))

(ert-deftest quickvault-r12-two-emacsen-keep-their-input ()
  "R12: two Emacsen have drafts of one card beside each other, and each restores and deletes its own."
  (quickvault-test-with-other-emacs
    (dolist (keys '("e" "c text RET"))
      (quickvault-test-type-in-other-emacs keys "6")
      (quickvault-test-keys "M-x quickvault RET")
      (quickvault-test-go "Harbor")
      ;; Its input is not offered while it runs.
      (quickvault-test-keys keys '("7"))
      (quickvault--put-drafts)
      (should (equal 2 (length (quickvault--drafts))))
      (quickvault-lock)
      (quickvault-test-unlock)
      (should (string-prefix-p "Title: 7" (quickvault-test-text)))
      (should (quickvault-test-other-emacs
               '(quickvault-lock)
               '(quickvault-test-keys "RET" quickvault-test-keys-of-password "RET")
               '(string-prefix-p "Title: 6" (quickvault--form-text))))
      (quickvault-test-keys "C-c C-k y RET")
      (should (equal 1 (length (quickvault--drafts))))
      (quickvault-test-other-emacs '(quickvault-test-keys "C-c C-k y RET"))
      (should-not (quickvault--drafts)))))

(ert-deftest quickvault-r12-input-of-another-emacs ()
  "R12: input in an Emacs that still runs is copied and stays there; when it has ended, it moves."
  (quickvault-test-with-other-emacs
    (quickvault-test-type-in-other-emacs "e" "typed there ")
    (should-not (quickvault--drafts-remark))
    (quickvault-test-keys "M-x quickvault-drafts RET" '("typed there") "TAB RET")
    (should (quickvault-test-shows "typed there Harbor"))
    (should (equal 2 (length (quickvault--drafts))))
    (quickvault-test-keys "C-c C-k y RET")
    (should (equal 1 (length (quickvault--drafts))))
    (signal-process quickvault-test-emacs 'KILL)
    (quickvault-test-wait (lambda () (not (process-live-p quickvault-test-emacs))))
    (should (quickvault--drafts-remark))
    (quickvault-test-go "Harbor")
    (quickvault-test-keys "e y RET")
    (should (quickvault-test-shows "typed there Harbor"))
    (should (equal (list (plist-get quickvault--draft-form :form))
                   (mapcar (lambda (draft) (plist-get draft :form)) (quickvault--drafts))))
    (quickvault-test-keys "C-c C-c")
    (should (quickvault-test-shows "typed there Harbor"))
    (should-not (quickvault--drafts))))

(ert-deftest quickvault-r12-several-drafts-of-a-card ()
  "R12: all drafts of a card are offered one after the other; those that are not wanted stay, and can be chosen."
  (quickvault-test-with-vault
    (dolist (title '("first" "second" "third" "third"))
      (quickvault-test-put-draft title (format "999999999-1 %s" (random))))
    (let (questions)
      (cl-letf (((symbol-function 'quickvault--confirm)
                 (lambda (format &rest arguments)
                   (push (apply #'format format arguments) questions)
                   (length> questions 2))))
        (quickvault-test-keys "c text RET"))
      (should (string-match-p "(1/4)[?]\\'" (nth 2 questions)))
      (should (string-match-p "(3/4)[?]\\'" (car questions))))
    (should (quickvault-test-shows "second"))
    (should (equal 4 (length (quickvault--drafts))))
    (quickvault-test-keys "C-c C-k y RET")
    ;; Both drafts called "third" have the same name, also where a minute ended between them.
    (cl-letf (((symbol-function 'quickvault--draft-time) (lambda (_) "now")))
      (dolist (title '("first" "third" "third"))
        (quickvault-test-keys "M-x quickvault-drafts RET" (list title) "TAB RET")
        (should (quickvault-test-shows title))
        (quickvault-test-keys "C-c C-k y RET")))
    (should-not (quickvault--drafts))))

(ert-deftest quickvault-forms-keep-their-undo ()
  "What was typed before a failed save is undone after it."
  (quickvault-test-with-vault
    (quickvault-test-keys "c Text RET first C-c C-c")
    (should (string-search "! Not saved" header-line-format))
    (quickvault-test-keys "C-/")
    (should-not (quickvault--form-changed-p))))

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

(defmacro quickvault-test-while-another-program-writes (&rest body)
  "Evaluate BODY while another program has the vault locked for writing."
  (declare (indent 0) (debug t))
  `(let ((writer (make-process :name "writer" :buffer (generate-new-buffer "writer") :noquery t :connection-type 'pipe
                               :command (list "/usr/bin/python3" "-c" "import sqlite3, sys
vault = sqlite3.connect(sys.argv[1], isolation_level=None)
vault.execute('BEGIN IMMEDIATE')
print('locked', flush=True)
sys.stdin.read()"
                                              quickvault-vault-file))))
     (unwind-protect
         (progn (quickvault-test-wait (lambda () (string-match-p "locked" (quickvault-test-text (process-buffer writer)))))
                ,@body)
       (process-send-eof writer)
       (quickvault-test-wait (lambda () (not (process-live-p writer))))
       (kill-buffer (process-buffer writer)))))

(ert-deftest quickvault-r1-a-deletion-is-undone-after-a-failure ()
  "R1: a card that could not be restored can be restored later, unless it is gone."
  (quickvault-test-with-vault
    (quickvault-test-go "Harbor")
    (quickvault-test-keys "d y RET")
    (quickvault-test-while-another-program-writes
      (should-error (quickvault-undo-delete) :type 'user-error))
    (quickvault-test-keys "z")
    (should (quickvault-test-shows "Harbor"))
    (should-error (quickvault-undo-delete) :type 'user-error)
    ;; The deletion of a card that is gone does not hide an earlier one.
    (quickvault-test-go "Harbor")
    (quickvault-test-keys "d y RET")
    (push '((card/restore (:id "00000000-0000-4000-8000-000000000000"))) quickvault--changes)
    (should-error (quickvault-undo-delete) :type 'user-error)
    (quickvault-test-keys "z")
    (should (quickvault-test-shows "Harbor"))))

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
