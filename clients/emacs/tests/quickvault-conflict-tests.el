;;; quickvault-conflict-tests.el --- Tests of settling conflict copies  -*- lexical-binding: t; -*-

;;; Commentary:

;; Cards that were changed in two copies of a vault, which are then merged.

;;; Code:

(require 'quickvault-test-support)

(defun quickvault-test-card (title)
  "Return the card TITLE with all its values, or nil."
  (when-let ((card (seq-find (lambda (card) (equal title (plist-get card :title))) (quickvault-test-all-cards))))
    (quickvault--get-card (plist-get card :id))))

(defun quickvault-test-value (title key)
  "Return the value of the field KEY of the card TITLE."
  (plist-get (seq-find (lambda (field) (equal key (plist-get field :key)))
                       (plist-get (quickvault-test-card title) :fields))
             :value))

(defun quickvault-test-make-conflict (here there)
  "Make the requests HERE in this vault and THERE in a copy; merge it, and show the conflict."
  (let ((copy (expand-file-name "copy.quickvault" quickvault-test-directory)))
    (quickvault--request 'vault/backup (list :path copy))
    (pcase-dolist (`(,method . ,parameters) here) (quickvault--request method parameters))
    (let ((quickvault-vault-file copy))
      (apply #'quickvault-test-other-process there))
    (quickvault--request 'vault/merge (list :path copy))
    (quickvault-test-keys "M-x quickvault-conflicts RET")))

(defmacro quickvault-test-with-conflict (&rest body)
  "Evaluate BODY after a merge, with the page of the conflict about the card 家.
This vault has one phone number and door code; the copy another."
  (declare (indent 0) (debug t))
  `(quickvault-test-with-vault
     (let ((id (plist-get (quickvault-test-card "家") :id)))
       (quickvault-test-make-conflict
        `((card/update :id ,id :fields (:phone "13900000001")))
        `((card/update :id ,id :fields (:phone "13900000002")
                       :extraFields [(:label "Door code" :value "门码SECRET9999" :concealed t)])))
       (should (quickvault-test-card "家（冲突副本）"))
       (should (derived-mode-p 'quickvault-conflict-mode))
       ,@body)))

(ert-deftest quickvault-s-conflict-shows-where-the-versions-differ ()
  "S: the page has both values of what differs, nothing else, and no concealed value."
  (quickvault-test-with-conflict
    (should (string-match-p "^[-+]  13900000001$" (quickvault-test-text)))
    (should (string-match-p "^[-+]  13900000002$" (quickvault-test-text)))
    (should (string-match-p "^Door code: \n-  ••••.*\n\\+  ••••" (quickvault-test-text)))
    (should-not (quickvault-test-shows "SECRET"))
    (should-not (quickvault-test-shows "科技路"))
    (should (quickvault-test-shows "k keeps the card"))
    ;; A lock blanks it, and unlocking shows it again.
    (quickvault-test-keys "L")
    (should-not (quickvault-test-anywhere "1390000000"))
    (quickvault-test-keys "RET" quickvault-test-keys-of-password "RET")
    (should (quickvault-test-shows "13900000001"))))

(ert-deftest quickvault-s-conflict-keeps-what-the-user-chooses ()
  "S: the card, the copy or both stay; what is deleted can be restored."
  (quickvault-test-with-conflict
    (let ((here (quickvault-test-value "家" "phone"))
          (there (quickvault-test-value "家（冲突副本）" "phone")))
      (should-not (equal here there))
      (quickvault-test-keys "k n")
      (should (quickvault-test-card "家（冲突副本）"))
      (quickvault-test-keys "k y")
      (should-not (quickvault-test-card "家（冲突副本）"))
      (should (equal here (quickvault-test-value "家" "phone")))
      (should-not (get-buffer "*QuickVault conflict*"))
      (quickvault-test-keys "M-x quickvault RET z M-x quickvault-conflicts RET c y")
      (should (equal there (quickvault-test-value "家" "phone")))
      (should-not (quickvault-test-card "家（冲突副本）"))
      (quickvault-test-keys "M-x quickvault RET z")
      (should (equal 3 (length (quickvault-test-all-cards)))))))

(ert-deftest quickvault-s-conflict-keeps-both ()
  "S: both versions stay as two cards, and are no conflict any more."
  (quickvault-test-with-conflict
    (quickvault-test-keys "n b")
    (should (equal 2 (seq-count (lambda (card) (equal "家" (plist-get card :title))) (quickvault-test-all-cards))))
    (should-not (quickvault--conflicts))))

(provide 'quickvault-conflict-tests)
;;; quickvault-conflict-tests.el ends here
