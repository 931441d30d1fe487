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
            (mode-line quickvault--summary))
        (quickvault-test-quit "/ n6 C-g")
        (should (equal-including-properties text (buffer-string)))
        (should (equal title (quickvault-test-title)))
        (should (equal '("n1" "n2") (quickvault-test-marked-titles)))
        ;; The results have been shown when the user quits.
        (let ((restore (quickvault--list-restorer)))
          (setq quickvault--query "n6")
          (quickvault--list-refresh)
          (should-not (quickvault--marked-cards))
          (funcall restore))
        (should (equal-including-properties text (buffer-string)))
        (should (equal (list title mode-line) (list (quickvault-test-title) quickvault--summary)))
        (should (equal '("n1" "n2") (quickvault-test-marked-titles)))
        ;; The user quits while the program searches.
        (quickvault-test-quit-at 'card/search (lambda () (quickvault-test-keys "/ n6 RET")))
        (should (equal-including-properties text (buffer-string)))
        (should (equal "" quickvault--query))
        (should (equal '("n1" "n2") (quickvault-test-marked-titles)))
        (quickvault-test-keys "d y")
        (should-not (string-match-p "n[12]" (quickvault-test-text)))))))

(ert-deftest quickvault-r7-a-search-keeps-the-marks-of-its-result ()
  "R7: what was found for less of the query takes no mark away."
  (quickvault-test-with-vault
    (quickvault-test-add-notes "one x" "two x")
    (quickvault-test-go "one x")
    (quickvault-test-keys "m")
    (let ((read (symbol-function 'read-from-minibuffer))
          (list (current-buffer)))
      (cl-letf (((symbol-function 'read-from-minibuffer)
                 (lambda (&rest arguments)
                   (with-current-buffer list
                     (setq quickvault--query "two")
                     (quickvault--list-refresh))
                   (apply read arguments))))
        (quickvault-test-keys "/ x RET")))
    (should (equal '("one x") (quickvault-test-marked-titles)))))

(ert-deftest quickvault-a-filter-that-is-quit-leaves-the-list ()
  "After \\`C-g' while a filter or an order loads, the list and its mode line are those of the rows."
  (quickvault-test-with-vault
    (goto-char (point-min))
    (forward-char 4)
    (let ((shown (list (buffer-string) quickvault--summary (quickvault--shown))))
      (dolist (keys '("G Company RET" "T Text RET" "# bank RET" "S"))
        (quickvault-test-quit-at 'card/list (lambda () (quickvault-test-keys keys)))
        (should (equal shown (list (buffer-string) quickvault--summary (quickvault--shown))))))))

(provide 'quickvault-list-tests)
;;; quickvault-list-tests.el ends here
