;;; quickvault-card.el --- Choosing a card, and its page  -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The QuickVault authors

;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; Commands act on the card at point, in the list or on its page; elsewhere they ask
;; for one.  The program finds the titles: by any part of them, by several, and by pinyin.
;; The page has no concealed values until you reveal them.

;;; Code:

(require 'button)
(require 'text-property-search)
(require 'quickvault-session)

;;; Choosing a card

(defvar quickvault-embark-map
  (quickvault--keymap nil "RET" 'quickvault-show "w" 'quickvault-copy "f" 'quickvault-copy-field
                      "W" 'quickvault-copy-as "i" 'quickvault-insert "e" 'quickvault-edit
                      "P" 'quickvault-toggle-pin "d" 'quickvault-delete)
  "Keymap of actions on a card that is being completed, for Embark.")

(add-to-list 'completion-styles-alist
             '(quickvault quickvault--try-found quickvault--all-found "What the vault finds."))
;; The numbers of equal titles are those of a search, so that Embark acts only on the first.
(dolist (category '(quickvault-card quickvault-found))
  (add-to-list 'completion-category-defaults `(,category (styles quickvault))))

(defun quickvault--all-found (string table predicate _point)
  "Return all completions of STRING in TABLE that satisfy PREDICATE."
  (all-completions string table predicate))

(defun quickvault--try-found (string table predicate point)
  "Complete STRING, with point at POINT, to what TABLE has for PREDICATE."
  (when-let ((all (all-completions string table predicate)))
    (let ((common (try-completion "" all)))
      (cond ((equal all (list string)) t)
            ((or (null (cdr all)) (string-prefix-p string common t)) (cons common (length common)))
            (t (cons string point))))))

(defun quickvault--complete-card (prompt &optional category query)
  "Read a card with PROMPT, as completion CATEGORY.
QUERY is a function of the input that returns the query to find it by,
nil for its title."
  (quickvault--ensure-unlocked)
  (when (boundp 'embark-keymap-alist)
    (add-to-list 'embark-keymap-alist '(quickvault-card . quickvault-embark-map)))
  (let* ((query (or query #'quickvault--title-query))
         (known (make-hash-table :test #'equal))
         (name (quickvault--without-history
                 (minibuffer-with-setup-hook #'quickvault--allow-spaces
                   (completing-read (quickvault--text "%s: " prompt)
                                    (quickvault--card-table known (or category 'quickvault-card) query)
                                    nil t nil t)))))
    (or (gethash name known)
        ;; Embark leaves the minibuffer without a look at the table.
        (and (not (string-empty-p name)) (cdr (assoc name (quickvault--find-titles name query))))
        (quickvault--fail "Nothing was chosen"))))

(defun quickvault--card-table (known category query)
  "Return a completion table of titles, of CATEGORY, by QUERY.
It puts those that are found with their cards into KNOWN, a hash table."
  (let (asked found)
    (lambda (string predicate action)
      (if (eq action 'metadata)
          `(metadata (category . ,category)
                     (display-sort-function . identity)
                     (cycle-sort-function . identity)
                     (affixation-function
                      . ,(lambda (names)
                           (quickvault--affixed names (lambda (name) (quickvault--describe-card (gethash name known)))))))
        (unless (or (equal string asked) (eq (car-safe action) 'boundaries))
          (setq found (quickvault--find-titles string query)
                asked string)
          (pcase-dolist (`(,name . ,card) found) (puthash name card known)))
        (pcase action
          ('t (seq-filter (or predicate #'identity) (mapcar #'car found)))
          ('lambda (and (gethash string known) t))
          ('nil (quickvault--try-found string (mapcar #'car found) predicate (length string))))))))

(defun quickvault--title-query (string)
  "Return the query for titles that have all words of STRING."
  (mapconcat (lambda (word) (format "title:\"%s\"" word))
             (split-string string "[ \t　\"“”＂]+" t) " "))

(defun quickvault--find-titles (string query)
  "Return an alist of the titles that match QUERY of STRING, and their cards.
Titles that occur again have a number."
  (let ((found (quickvault--named-cards (funcall query string))))
    (if (or found (not (string-match " ([0-9]+)\\'" string)))
        found
      (seq-filter (lambda (candidate) (string-prefix-p string (car candidate) t))
                  (quickvault--named-cards (funcall query (substring string 0 (match-beginning 0))))))))

(defun quickvault--named-cards (query)
  "Return an alist of different names of the cards that match QUERY."
  (mapcar (pcase-lambda (`(,name . ,card)) (cons (quickvault--as-contents name) card))
          (quickvault--with-different-names
           (mapcar (lambda (item)
                     (let ((card (or (plist-get item :card) item)))
                       (cons (quickvault--one-line (plist-get card :title)) card)))
                   ;; The vault may be locked meanwhile, and the query not complete yet.
                   (condition-case nil
                       (plist-get (if (string-blank-p query) (quickvault--call 'card/list '(:limit 1000))
                                    (quickvault--call 'card/search (list :limit 1000 :query query)))
                                  :items)
                     (jsonrpc-error nil))))))

;;;###autoload
(defun quickvault-consult (card)
  "Search all values of all cards, and show the page of CARD, the chosen one.
With packages such as Vertico, the result is shown as you type."
  (interactive (list (quickvault--complete-card (quickvault--text "Show") 'quickvault-found #'identity)))
  (quickvault-show card))

;;;###autoload
(defun quickvault-consult-copy (card &optional concealed)
  "Search all values of all cards, and copy CARD, the chosen one.
With a prefix argument, or if CONCEALED is non-nil, copy concealed fields
too."
  (interactive (list (quickvault--complete-card (quickvault--text "Copy") 'quickvault-found #'identity)
                     current-prefix-arg))
  (quickvault-copy card concealed))

;;; The page of a card

(declare-function quickvault--list-item "quickvault-list")
(declare-function quickvault--list-refresh "quickvault-list")
(declare-function quickvault--list-update "quickvault-list")
(declare-function quickvault-copy "quickvault-actions")
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

(defun quickvault--read-choice (prompt values &optional or-none)
  "Read one of VALUES by its display name, with PROMPT; OR-NONE if that is non-nil."
  (quickvault--complete prompt (mapcar (lambda (value) (cons (quickvault--display-name value) value)) values)
                        nil or-none))

;;; The page

(defvar quickvault-card-mode-map
  (quickvault--keymap (make-composed-keymap button-buffer-map special-mode-map))
  "Keymap of `quickvault-card-mode'.")

(define-derived-mode quickvault-card-mode special-mode "QuickVault"
  "Major mode for the page of a card.
\\{quickvault-card-mode-map}"
  :interactive nil
  (visual-line-mode)
  (setq-local revert-buffer-function (lambda (&rest _) (quickvault-show quickvault--card))
              imenu-create-index-function #'quickvault--page-index
              bookmark-make-record-function #'quickvault--bookmark-record))

(defun quickvault--page-index ()
  "Return the places of the fields on this page, for `imenu'."
  (save-excursion
    (goto-char (point-min))
    (cl-loop for match = (text-property-search-forward 'face 'quickvault-label t)
             while match
             collect (let ((begin (prop-match-beginning match)))
                       (cons (string-trim-right (buffer-substring-no-properties begin (prop-match-end match)) "[:：]")
                             begin)))))

;;; Bookmarks

(defun quickvault--bookmark-record ()
  "Return a bookmark of the card at point or on this page.
It has the id of the card and nothing of its contents."
  (let ((card (or (quickvault--card-at-point) (quickvault--fail "Nothing was chosen"))))
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
           (place (and (equal id (plist-get quickvault--card :id)) (point))))
      (quickvault--with-page (current-buffer) quickvault-card-mode (apply-partially #'quickvault-show (list :id id))
        (setq quickvault--revealed revealed
              quickvault--card (if revealed card (quickvault--omit-concealed card)))
        (quickvault--insert-card quickvault--card warnings))
      (when place (goto-char place))
      (current-buffer))))

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
  (interactive (quickvault--check-mode 'quickvault-card-mode) quickvault-card-mode)
  (quickvault--page (quickvault--get-card (plist-get quickvault--card :id)) nil (not quickvault--revealed)))

;;; Following changes

(defun quickvault--page-buffer (id)
  "Return the buffer with the page of the card ID, or nil."
  (car (quickvault--buffers (lambda () (and (derived-mode-p 'quickvault-card-mode)
                                            (equal id (plist-get quickvault--card :id)))))))

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
