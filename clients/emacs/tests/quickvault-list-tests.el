;;; quickvault-list-tests.el --- Tests of what keys in the list act on  -*- lexical-binding: t; -*-

;;; Code:

(require 'quickvault-test-support)

(defun quickvault-test-add-notes (&rest titles)
  "Store a card with each of TITLES, and refresh the list."
  (dolist (title titles)
    (quickvault-test-add :title title :group "personal" :type "text" :fields '(:text "x")))
  (quickvault-test-keys "g"))

(defun quickvault-test-title ()
  "Return the title of the card at point."
  (plist-get (quickvault--list-item) :title))

(defun quickvault-test-marked-titles ()
  "Return the titles of the marked cards, sorted."
  (sort (mapcar (lambda (card) (plist-get card :title)) (quickvault--marked-cards)) #'string<))

(defun quickvault-test-quit (&rest keys)
  "Type KEYS, which end with \\`C-g'."
  (condition-case nil (apply #'quickvault-test-keys keys) (quit nil)))

(defun quickvault-test-quit-at (method use)
  "Call USE while the user quits at the next request METHOD."
  (let ((call (symbol-function 'quickvault--call)))
    (cl-letf (((symbol-function 'quickvault--call)
               (lambda (called &rest arguments)
                 (when (eq called method) (signal 'quit nil))
                 (apply call called arguments))))
      (should (eq 'quit (condition-case nil (funcall use) (quit 'quit)))))))

;;; Searching

(ert-deftest quickvault-r7-a-key-after-a-search-acts-on-its-best-hit ()
  "R7: the card at point is the first of the result, wherever it was before or while the user typed."
  (quickvault-test-with-vault
    (quickvault-test-add-notes "x third" "x second" "x first")
    (quickvault-test-go "x third")
    (quickvault-test-keys "/ x RET")
    (should (equal "x first" (quickvault-test-title)))
    (quickvault-test-keys "n a")
    (should (equal "x second" (quickvault-test-title)))
    ;; Results for less of the query arrive while the user types.
    (quickvault-test-go "x third")
    (setq quickvault--query "third")
    (quickvault--list-refresh)
    (quickvault-test-keys "/ C-a C-k x RET")
    (should (equal "x first" (quickvault-test-title)))))

(ert-deftest quickvault-r7-a-search-that-is-quit-changes-nothing ()
  "R7: after \\`C-g' the list has its marks, its place and its rows; the next key acts on the same card."
  (quickvault-test-with-vault
    (let ((quickvault-page-size 2))
      (quickvault-test-add-notes "n1" "n2" "n3" "n4" "n5" "n6")
      (quickvault-test-keys "M->")
      (quickvault-test-go "n2")
      (quickvault-test-keys "m m")
      (let ((text (buffer-string))
            (title (quickvault-test-title))
            (mode-line (quickvault--list-summary)))
        (quickvault-test-quit "/ n6 C-g")
        (should (equal text (buffer-string)))
        (should (equal title (quickvault-test-title)))
        (should (equal '("n1" "n2") (quickvault-test-marked-titles)))
        ;; The results have been shown when the user quits.
        (define-key minibuffer-local-map [f5] (lambda ()
                                                (interactive)
                                                (with-current-buffer "*QuickVault*"
                                                  (setq quickvault--query "n6")
                                                  (quickvault--list-refresh)
                                                  (should-not (quickvault--marked-cards)))))
        (quickvault-test-quit "/ <f5> C-g")
        (define-key minibuffer-local-map [f5] nil)
        (should (equal text (buffer-string)))
        (should (equal (list title mode-line) (list (quickvault-test-title) (quickvault--list-summary))))
        (should (equal '("n1" "n2") (quickvault-test-marked-titles)))
        ;; The user quits while the program searches.
        (quickvault-test-quit-at 'card/search (lambda () (quickvault-test-keys "/ n6 RET")))
        (should (equal text (buffer-string)))
        (should (equal "" quickvault--query))
        (should (equal '("n1" "n2") (quickvault-test-marked-titles)))
        (quickvault-test-keys "d y")
        (should-not (string-match-p "n[12]" (quickvault-test-text)))))))

(ert-deftest quickvault-a-filter-that-is-quit-leaves-the-list ()
  "After \\`C-g' while a filter or an order loads, the list and its mode line are those of the rows."
  (quickvault-test-with-vault
    (goto-char (point-min))
    (forward-char 4)
    (let ((shown (list (buffer-string) (quickvault--list-summary) (quickvault--shown))))
      (dolist (keys '("G Company RET" "T Text RET" "# bank RET" "S"))
        (quickvault-test-quit-at 'card/list (lambda () (quickvault-test-keys keys)))
        (should (equal shown (list (buffer-string) (quickvault--list-summary) (quickvault--shown))))))))

;;; Undo

(ert-deftest quickvault-r1-undo-is-of-the-last-change ()
  "R1: C-/ undoes the last change, then those before it; z restores the last deletion."
  (quickvault-test-with-vault
    (quickvault-test-add-notes "gone" "one" "two")
    (quickvault-test-keys "L")
    (quickvault-test-keys "M-x quickvault RET" quickvault-test-keys-of-password "RET")
    (should-error (quickvault-test-keys "C-/") :type 'user-error)
    (quickvault-test-go "gone")
    (quickvault-test-keys "d y")
    (quickvault-test-go "one")
    (quickvault-test-keys "r Company RET")
    (quickvault-test-go "two")
    (quickvault-test-keys "m")
    (quickvault-test-go "one")
    (quickvault-test-keys "m + house RET P")
    (cl-flet ((state (title)
                (mapcar (apply-partially #'plist-get (quickvault-test-card title)) '(:pinned :tags :group))))
      (should (equal '((t ["house"] "company") (t ["house"] "personal")) (list (state "one") (state "two"))))
      (quickvault-test-keys "C-/")
      (should (equal '(:json-false ["house"] "company") (state "one")))
      (quickvault-test-keys "C-/")
      (should (equal '((:json-false [] "company") (:json-false [] "personal")) (list (state "one") (state "two"))))
      (should-not (quickvault-test-card "gone"))
      (quickvault-test-keys "C-/")
      (should (equal '(:json-false [] "personal") (state "one")))
      (should-not (quickvault-test-card "gone"))
      (quickvault-test-keys "C-/")
      (should (quickvault-test-card "gone")))
    (should-error (quickvault-test-keys "C-/") :type 'user-error)))

(ert-deftest quickvault-r1-undo-says-that-there-is-none ()
  "R1: C-/ undoes what a form saved; it does not overwrite a change of another program."
  (quickvault-test-with-vault
    (quickvault-test-add-notes "gone" "one")
    (quickvault-test-go "gone")
    (quickvault-test-keys "d y")
    (quickvault-test-go "one")
    (quickvault-test-keys "e C-e SPC more C-c C-c q")
    (quickvault-test-keys "C-/")
    (should (quickvault-test-card "one"))
    (should-not (quickvault-test-card "gone"))
    (quickvault-test-keys "z")
    (should (quickvault-test-card "gone"))
    (quickvault-test-go "one")
    (quickvault-test-keys "r Company RET")
    (quickvault-test-other-process
     `(card/update :id ,(plist-get (quickvault-test-card "one") :id) :group "personal" :title "theirs"))
    (should-error (quickvault-test-keys "C-/") :type 'user-error)
    (quickvault-test-keys "g")
    (should (quickvault-test-card "theirs"))))

;;; Several cards

(defmacro quickvault-test-quit-after (count method &rest body)
  "Evaluate BODY while the user types \\`C-g' during the request METHOD of number COUNT."
  (declare (indent 2) (debug t))
  `(let ((call (symbol-function 'quickvault--call))
         (left ,count))
     (cl-letf (((symbol-function 'quickvault--call)
                (lambda (called &rest arguments)
                  (prog1 (apply call called arguments)
                    (when (and (eq called ,method) (zerop (cl-decf left))) (setq quit-flag t))))))
       ,@body)))

(ert-deftest quickvault-r8-quitting-says-how-many-cards-are-done ()
  "R8: C-g stops between two cards, says how many are done, and leaves the others marked; a repeat does the rest."
  (quickvault-test-with-vault
    (quickvault-test-add-notes "n1" "n2" "n3" "n4" "n5" "n6")
    (cl-flet ((stopped (count total use)
                (should (equal (format "Stopped.  Done: %d of %d.  The others are unchanged." count total)
                               (cadr (should-error (funcall use) :type 'user-error))))))
      (quickvault-test-keys "t P")
      (quickvault-test-quit-after 3 'card/setPinned
        (stopped 3 8 (lambda () (quickvault-test-keys "P"))))
      (should (equal 5 (length (quickvault-test-marked-titles))))
      (quickvault-test-keys "P")
      (should-not (seq-find (lambda (card) (eq t (plist-get card :pinned))) quickvault--items))
      (quickvault-test-keys "U t")
      (quickvault-test-quit-after 3 'card/delete
        (stopped 3 8 (lambda () (quickvault-test-keys "d y"))))
      (should (equal 5 (length quickvault--items)))
      (should (equal 5 (length (quickvault-test-marked-titles))))
      ;; Undoing can be stopped and continued, too.
      (quickvault-test-quit-after 2 'card/restore
        (stopped 2 3 (lambda () (quickvault-test-keys "C-/"))))
      (should (equal 7 (length quickvault--items)))
      (quickvault-test-keys "C-/")
      (should (equal 8 (length quickvault--items))))))

(ert-deftest quickvault-r8-the-list-names-its-keys ()
  "R8: a line above the list names what can be done, in 80 columns, unless the user hides it; a lock takes it away."
  (quickvault-test-with-vault
    (should (string-match-p "RET show .*w copy .*, settings .*h menu" tab-line-format))
    (should (<= (string-width tab-line-format) 80))
    (let ((quickvault-list-hint nil))
      (quickvault-test-keys "g")
      (should-not tab-line-format))
    (quickvault-test-keys "g L")
    (should-not tab-line-format)))

(ert-deftest quickvault-results-stay-and-are-logged ()
  "R19: a notice goes after two seconds; a result stays until the next command, and is logged if it has no contents."
  (quickvault-test-with-vault
    (let (timers)
      (cl-letf (((symbol-function 'run-at-time) (lambda (seconds &rest _) (push seconds timers))))
        (quickvault--message "the label SECRET")
        (quickvault--log-message "Wrote the file")
        (should-not timers)
        (quickvault--notify "Saved")
        (should (equal '(2) timers))))
    (should (equal "Wrote the file\n" (quickvault-test-text "*Messages*")))))

(provide 'quickvault-list-tests)
;;; quickvault-list-tests.el ends here
