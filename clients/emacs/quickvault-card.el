;;; quickvault-card.el --- Showing a card  -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The QuickVault authors

;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; Commands act on the card at point, in the list or on its page; elsewhere they ask
;; for one.  The page has no concealed values until you reveal them.

;;; Code:

(require 'button)
(require 'quickvault-choose)

(declare-function quickvault--list-item "quickvault-list")
(declare-function quickvault--list-refresh "quickvault-list")
(declare-function quickvault--list-update "quickvault-list")
(declare-function quickvault--copy-card "quickvault-actions")
(declare-function quickvault--insert-attachments "quickvault-attachments")

(defface quickvault-title '((t :weight bold :height 1.2))
  "Face for the title of a card on its page."
  :group 'quickvault)

(defface quickvault-label '((t :inherit font-lock-keyword-face))
  "Face for field labels."
  :group 'quickvault)

(defface quickvault-issue '((t :inherit error :weight bold))
  "Face for problems with a field; the text begins with an exclamation mark."
  :group 'quickvault)

(defvar-local quickvault--card nil
  "The card on this page, without concealed values that are not shown.")

(defvar-local quickvault--revealed nil
  "Non-nil if this page shows concealed values.")

;;; Choosing a card

(defun quickvault--card-at-point ()
  "Return the card at point or on this page, or nil."
  (cond ((derived-mode-p 'quickvault-card-mode) quickvault--card)
        ((derived-mode-p 'quickvault-list-mode) (quickvault--list-item))))

(defun quickvault--read-card (prompt)
  "Return the card at point or on this page; else read one with PROMPT."
  (or (quickvault--card-at-point)
      (quickvault--complete-card prompt)))

(defun quickvault--read-choice (prompt values)
  "Read one of VALUES by its display name, with PROMPT."
  (quickvault--complete prompt (mapcar (lambda (value) (cons (quickvault--display-name value) value)) values)))

;;; The page

(defvar quickvault-card-mode-map
  (let ((map (make-sparse-keymap)))
    (set-keymap-parent map (make-composed-keymap button-buffer-map special-mode-map))
    map)
  "Keymap of `quickvault-card-mode'.")

(define-derived-mode quickvault-card-mode special-mode "QuickVault"
  "Major mode for the page of a card.
\\{quickvault-card-mode-map}"
  :interactive nil
  (visual-line-mode)
  (setq-local revert-buffer-function (lambda (&rest _) (quickvault-show quickvault--card)))
  (setq-local imenu-create-index-function #'quickvault--page-index)
  (setq-local bookmark-make-record-function #'quickvault--bookmark-record))

(defun quickvault--page-index ()
  "Return the places of the fields on this page, for `imenu'."
  (let (index)
    (save-excursion
      (goto-char (point-min))
      (while (not (eobp))
        (when (eq 'quickvault-label (get-text-property (point) 'face))
          (push (cons (buffer-substring-no-properties
                       (point) (1- (next-single-property-change (point) 'face nil (line-end-position))))
                      (point))
                index))
        (forward-line 1)))
    (nreverse index)))

;;; Bookmarks

(defun quickvault--bookmark-record ()
  "Return a bookmark of the card at point or on this page.
It has the id of the card and nothing of its contents."
  (let ((card (or (quickvault--card-at-point) (user-error "%s" (quickvault--text "No card was chosen")))))
    `("QuickVault" (id . ,(plist-get card :id)) (handler . quickvault-bookmark-jump))))

;;;###autoload
(defun quickvault-bookmark-jump (bookmark)
  "Show the card of BOOKMARK."
  (quickvault-show (list :id (alist-get 'id (cdr bookmark)))))

(define-button-type 'quickvault-value
  'action (lambda (button) (quickvault--copy-card quickvault--card :field (button-get button 'quickvault-field)))
  'face 'default
  'follow-link t)

;;;###autoload
(defun quickvault-show (card)
  "Show the page of CARD."
  (interactive (list (quickvault--read-card (quickvault--text "Show"))))
  (pop-to-buffer-same-window (quickvault--page (quickvault--get-card (plist-get card :id)))))

;;;###autoload
(defun quickvault-show-other-window (card)
  "Show CARD on a page of its own, in another window."
  (interactive (list (quickvault--read-card (quickvault--text "Show"))))
  (let* ((whole (quickvault--get-card (plist-get card :id)))
         (buffer (or (quickvault--page-buffer (plist-get card :id))
                     (generate-new-buffer "*QuickVault card*"))))
    (pop-to-buffer (quickvault--page whole nil nil buffer))))

(defun quickvault--get-card (id)
  "Return the card with ID, with all its values."
  (plist-get (quickvault--request 'card/get (list :id id)) :card))

(defun quickvault--page (card &optional warnings revealed buffer)
  "Return BUFFER, or another one, with the page of CARD, which has all its values.
Show WARNINGS below their fields, and concealed values if REVEALED."
  (with-current-buffer (or buffer
                           (quickvault--page-buffer (plist-get card :id))
                           (get-buffer-create "*QuickVault card*"))
    (let* ((id (plist-get card :id))
           (place (and (equal id (plist-get quickvault--card :id)) (point)))
           (inhibit-read-only t))
      (quickvault-card-mode)
      (quickvault--protect-buffer (apply-partially #'quickvault-show (list :id id)))
      (setq quickvault--revealed revealed
            quickvault--card (if revealed card (quickvault--omit-concealed card)))
      (erase-buffer)
      (quickvault--insert-card quickvault--card warnings)
      (quickvault--mark-contents)
      (set-buffer-modified-p nil)
      (goto-char (or place (point-min))))
    (current-buffer)))

(defun quickvault--omit-concealed (card)
  "Return CARD with nil in place of each concealed value."
  (let ((card (copy-sequence card)))
    (dolist (part '(:fields :extraFields) card)
      (plist-put card part
                 (mapcar (lambda (field)
                           (if (eq (plist-get field :concealed) t)
                               (plist-put (plist-put (copy-sequence field) :value nil)
                                          :code (seq-contains-p (plist-get card :oneTimeCodes)
                                                                (plist-get field :label)))
                             field))
                         (plist-get card part))))))

(defun quickvault--mask (field)
  "Return what stands in place of the value of the concealed FIELD."
  (if (plist-get field :code)
      (quickvault--text "•••••• (one-time code)")
    (quickvault--text "•••••••• (concealed)")))

(defun quickvault--insert-card (card warnings)
  "Insert CARD, with WARNINGS below their fields."
  (insert (propertize (plist-get card :title) 'face 'quickvault-title) "\n"
          (quickvault--describe-card card) "\n"
          (quickvault--text "Modified %s, created %s"
                            (quickvault--time (plist-get card :modifiedAt))
                            (quickvault--time (plist-get card :createdAt)))
          "\n\n")
  (let* ((fields (append (plist-get card :fields) (plist-get card :extraFields) nil))
         (width (apply #'max 0 (mapcar (lambda (field) (string-width (plist-get field :label))) fields))))
    (dolist (field fields)
      (quickvault--insert-field field (min width 24))
      (seq-doseq (warning warnings)
        (when (equal (plist-get warning :field) (plist-get field :key))
          (insert (quickvault--issue-text warning) "\n")))))
  (quickvault--insert-attachments card)
  (insert "\n" (quickvault--text "\\<button-map>\\[push-button]\\<quickvault-card-mode-map> copies a value, \\[quickvault-copy] the card; \\[quickvault-edit] edits, \\[quickvault-delete] deletes, \\[quickvault-reveal] shows concealed values, \\[quickvault-help] shows help.") "\n"))

(defun quickvault--insert-field (field width)
  "Insert FIELD, padding its label to WIDTH columns.
Insert a value of several lines below the label."
  (let* ((label (plist-get field :label))
         (value (or (plist-get field :value) (quickvault--mask field)))
         (lines (split-string value "\r\n\\|[\n\r\u2028\u2029]"))
         (indent (if (cdr lines) "\n    " (make-string (max 1 (- (1+ width) (string-width label))) ?\s))))
    (insert (propertize (concat label (quickvault--text ":")) 'face 'quickvault-label))
    (dolist (line lines)
      (insert indent)
      (insert-text-button line
                          'type 'quickvault-value
                          'quickvault-field (or (plist-get field :key) label)
                          'help-echo (quickvault--text "%s: RET copies it" label)))
    (insert "\n")))

(defun quickvault--issue-text (issue)
  "Return the message of ISSUE, to insert below its field."
  (propertize (concat "  ! " (quickvault--localized (plist-get issue :messages)))
              'face 'quickvault-issue))

(defun quickvault-reveal ()
  "Show the concealed values on this page, or hide them again."
  (interactive nil quickvault-card-mode)
  (quickvault--check-mode 'quickvault-card-mode)
  (quickvault--page (quickvault--get-card (plist-get quickvault--card :id)) nil (not quickvault--revealed)))

;;; Following changes

(defun quickvault--page-buffer (id)
  "Return the buffer with the page of the card ID, or nil."
  (seq-find (lambda (buffer)
              (with-current-buffer buffer
                (and (derived-mode-p 'quickvault-card-mode)
                     (equal id (plist-get quickvault--card :id)))))
            (buffer-list)))

(defun quickvault--refresh-all (&optional changed)
  "Refresh the list and the pages.
If only the cards of CHANGED are different, do not load the others again."
  (dolist (buffer (quickvault--protected-buffers))
    (with-current-buffer buffer
      (cond ((derived-mode-p 'quickvault-list-mode)
             (or (and changed (quickvault--list-update changed)) (quickvault--list-refresh)))
            ((derived-mode-p 'quickvault-card-mode)
             (quickvault--page (quickvault--get-card (plist-get quickvault--card :id)) nil quickvault--revealed))))))

(defun quickvault--page-changed (change)
  "Update pages after CHANGE, the parameters of `card/didChange'."
  (dolist (buffer (quickvault--protected-buffers))
    (with-current-buffer buffer
      (when (derived-mode-p 'quickvault-card-mode)
        (let ((id (plist-get quickvault--card :id))
              (revealed quickvault--revealed))
          (cond
           ((seq-contains-p (plist-get change :deleted) id)
            (quickvault--blank buffer (quickvault--text "Another program deleted this card.")))
           ((or (plist-get change :all) (seq-contains-p (plist-get change :changed) id))
            (quickvault--request-later
             'card/get (list :id id)
             (lambda (answer)
               (when (quickvault--page-buffer id)
                 (quickvault--page (plist-get answer :card) nil revealed)))
             #'quickvault--message))))))))

(add-hook 'quickvault--change-functions #'quickvault--page-changed)

(provide 'quickvault-card)
;;; quickvault-card.el ends here
