;;; quickvault-list.el --- The list of cards  -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The QuickVault authors

;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; Pinned cards come first, then the most recently modified.  The list can be filtered
;; by group, type and tag, and shows the results of a search.

;;; Code:

(require 'tabulated-list)
(require 'quickvault-card)

(declare-function quickvault "quickvault")

(defcustom quickvault-page-size 200
  "Number of cards to load at a time."
  :group 'quickvault
  :type '(integer :match (lambda (_ value) (<= 1 value 1000))))

(defface quickvault-match '((t :inherit match :weight bold :underline t))
  "Face for search matches."
  :group 'quickvault)

(defface quickvault-pinned '((t :weight bold))
  "Face for the mark of a pinned card."
  :group 'quickvault)

(defvar-local quickvault--filter nil
  "The filter of the list: a plist of :group, :type and :tag.")

(defvar-local quickvault--query ""
  "The search query, or an empty string.")

(defvar-local quickvault--items nil
  "The summaries of the cards in the list.")

(defvar-local quickvault--cursor nil
  "The cursor of the next page, or nil after the last page.")

(defvar-local quickvault--summary ""
  "The number of cards and the filter, for the mode line.")

(defvar quickvault-list-mode-map
  (let ((map (make-sparse-keymap)))
    (set-keymap-parent map tabulated-list-mode-map)
    map)
  "Keymap of `quickvault-list-mode'.")

(define-derived-mode quickvault-list-mode tabulated-list-mode "QuickVault"
  "Major mode for the list of cards.
\\{quickvault-list-mode-map}"
  :interactive nil
  (setq mode-line-process '(" " quickvault--summary))
  (quickvault--protect-buffer #'quickvault)
  (setq-local revert-buffer-function (lambda (&rest _) (quickvault--list-refresh)))
  (setq tabulated-list-padding 1))

(defun quickvault--list-buffer ()
  "Return the buffer with the list, after unlocking the vault and refreshing it."
  (quickvault--ensure-unlocked)
  (with-current-buffer (get-buffer-create "*QuickVault*")
    (unless (derived-mode-p 'quickvault-list-mode)
      (let ((inhibit-read-only t)) (erase-buffer))
      (quickvault-list-mode))
    (quickvault--list-refresh)
    (current-buffer)))

(defun quickvault--list-item ()
  "Return the card at point, or nil."
  (let ((id (tabulated-list-get-id)))
    (seq-find (lambda (card) (equal id (plist-get card :id))) quickvault--items)))

;;; Loading

(defun quickvault--list-refresh ()
  "Refresh the list in the current buffer."
  (quickvault--list-show (apply #'quickvault--request (quickvault--list-request))))

(defun quickvault--list-refresh-later (&rest _)
  "Refresh the list asynchronously, without asking for the password."
  (dolist (buffer (quickvault--protected-buffers))
    (with-current-buffer buffer
      (when (derived-mode-p 'quickvault-list-mode)
        (let ((request (quickvault--list-request)))
          (apply #'quickvault--request-later
                 (append request
                         (list (lambda (page)
                                 (when (buffer-live-p buffer)
                                   (with-current-buffer buffer
                                     (when (and (derived-mode-p 'quickvault-list-mode)
                                                (equal request (quickvault--list-request)))
                                       (quickvault--list-show page)))))
                               #'quickvault--message))))))))

(add-hook 'quickvault--change-functions #'quickvault--list-refresh-later)

(defun quickvault--list-request (&optional cursor)
  "Return a list of the method and parameters that load the list from CURSOR."
  (let ((page (append (list :limit quickvault-page-size) (and cursor (list :cursor cursor)))))
    (if (string-blank-p quickvault--query)
        (list 'card/list (append quickvault--filter page))
      (list 'card/search (append (list :query (quickvault--filtered-query quickvault--query quickvault--filter))
                                 page)))))

(defun quickvault--filtered-query (query filter)
  "Return QUERY with FILTER added in the query language."
  (string-join
   `(,query
     ,@(when-let ((group (plist-get filter :group))) (list (concat "group:" group)))
     ,@(when-let ((type (plist-get filter :type))) (list (concat "type:" type)))
     ;; Any quotation mark ends a phrase, so split a tag with one into parts.
     ,@(mapcar (lambda (part) (format "tag:\"%s\"" part))
               (split-string (or (plist-get filter :tag) "") "[\"“”＂]" t)))
   " "))

(defun quickvault-more ()
  "Load more cards into the list."
  (interactive nil quickvault-list-mode)
  (quickvault--check-mode 'quickvault-list-mode)
  (if quickvault--cursor
      (quickvault--list-show (apply #'quickvault--request (quickvault--list-request quickvault--cursor)) t)
    (quickvault--message (quickvault--text "No more cards."))))

;;; Showing

(defun quickvault--list-show (page &optional more)
  "Show PAGE, the result of `quickvault--list-request'; append it if MORE."
  (let* ((searching (not (string-blank-p quickvault--query)))
         (hits (mapcar (lambda (item) (if searching item (list :card item))) (plist-get page :items)))
         (cards (mapcar (lambda (hit) (plist-get hit :card)) hits))
         (entries (mapcar (lambda (hit) (quickvault--list-entry hit searching)) hits)))
    (setq quickvault--items (if more (append quickvault--items cards) cards)
          quickvault--cursor (plist-get page :nextCursor)
          quickvault--summary (quickvault--list-summary (plist-get page :total))
          tabulated-list-format (quickvault--columns searching)
          tabulated-list-entries (if more (append tabulated-list-entries entries) entries))
    ;; The columns differ between languages, and in search results.
    (unless (cl-find (car tabulated-list-sort-key) tabulated-list-format :key #'car :test #'equal)
      (setq tabulated-list-sort-key nil))
    (tabulated-list-init-header)
    (tabulated-list-print t)
    (unless quickvault--items
      (let ((inhibit-read-only t))
        (insert (if (or searching quickvault--filter)
                    (quickvault--text "  No matches.  Press \\[quickvault-show-all] to show all cards.")
                  (quickvault--text "  No cards yet.  Press \\[quickvault-create] to create one."))
                "\n")
        (goto-char (point-min))))
    (quickvault--mark-contents)
    (force-mode-line-update)))

(defun quickvault--columns (searching)
  "Return the columns of the list; if SEARCHING, the last one is for matches."
  (vconcat
   `(("" 1 nil)
     (,(quickvault--text "Title") ,(if searching 26 (quickvault--title-width)) t)
     (,(quickvault--text "Type") 8 t)
     (,(quickvault--text "Group") 8 t))
   (if searching
       `((,(quickvault--text "Match") 0 nil))
     `((,(quickvault--text "Tags") 14 t)
       (,(quickvault--text "Modified") 16 t)))))

(defun quickvault--title-width ()
  "Return the width of the title column: the rest of the window, within limits."
  (let ((window (or (get-buffer-window nil t) (selected-window))))
    (max 16 (min 60 (- (window-body-width window) 54)))))

(defun quickvault--list-entry (hit searching)
  "Return the table row of HIT, a plist of :card and :matches.
SEARCHING is as in `quickvault--columns'."
  (let* ((card (plist-get hit :card))
         (description (quickvault--describe-card card))
         (cells
          `(,(if (eq (plist-get card :pinned) t) (propertize "*" 'face 'quickvault-pinned) " ")
            ,(quickvault--list-title hit)
            ,(quickvault--display-name (plist-get card :type))
            ,(quickvault--display-name (plist-get card :group))
            ,@(if searching
                  (list (quickvault--matches-text hit))
                (list (quickvault--one-line (string-join (plist-get card :tags) ", "))
                      (quickvault--time (plist-get card :modifiedAt)))))))
    (list (plist-get card :id)
          (vconcat (mapcar (lambda (cell) (propertize cell 'help-echo description)) cells)))))

(defun quickvault--list-title (hit)
  "Return the title of HIT with its matches highlighted."
  (let* ((title (plist-get (plist-get hit :card) :title))
         (match (seq-find (lambda (match) (and (equal (plist-get match :field) "title")
                                               (equal (plist-get match :snippet) title)))
                          (plist-get hit :matches))))
    (if match (quickvault--highlighted match) (quickvault--one-line title))))

(defun quickvault--matches-text (hit)
  "Return the matches of HIT outside its title."
  (let ((title (plist-get (plist-get hit :card) :title)))
    (mapconcat (lambda (match) (concat (quickvault--text "%s: " (plist-get match :label)) (quickvault--highlighted match)))
               (seq-remove (lambda (match) (equal (plist-get match :snippet) title))
                           (plist-get hit :matches))
               (quickvault--text "; "))))

(defun quickvault--highlighted (match)
  "Return the snippet of MATCH with its ranges highlighted."
  (let ((snippet (copy-sequence (plist-get match :snippet))))
    (seq-doseq (range (plist-get match :ranges))
      (let ((start (aref range 0)))
        (put-text-property start (min (length snippet) (+ start (aref range 1)))
                           'face 'quickvault-match snippet)))
    (quickvault--one-line snippet)))

(defun quickvault--list-summary (total)
  "Return a summary of TOTAL cards and the filter, for the mode line."
  (string-join
   (delq nil
         (list (if quickvault--cursor
                   (quickvault--text "%d of %d, \\[quickvault-more] loads more" (length quickvault--items) total)
                 (quickvault--card-count-text total))
               (and quickvault--read-only (quickvault--text "[read-only]"))
               (when-let ((group (plist-get quickvault--filter :group))) (quickvault--display-name group))
               (when-let ((type (plist-get quickvault--filter :type))) (quickvault--display-name type))
               (when-let ((tag (plist-get quickvault--filter :tag))) (concat "#" tag))
               (unless (string-blank-p quickvault--query) (concat "/" quickvault--query))))
   " "))

(defun quickvault--card-count-text (cards)
  "Return a text for a number of CARDS."
  (if (= cards 1) (quickvault--text "1 card") (quickvault--text "%d cards" cards)))

;;; Filtering

(defun quickvault--narrow (key value)
  "Show only cards whose KEY is VALUE, or remove that filter if VALUE is nil."
  (setq quickvault--filter
        (cl-loop for (k v) on quickvault--filter by #'cddr
                 unless (eq k key) append (list k v)))
  (when value (setq quickvault--filter (append quickvault--filter (list key value))))
  (quickvault--list-refresh))

(defun quickvault-narrow-tag ()
  "Show only cards with a tag; with empty input, show all tags."
  (interactive nil quickvault-list-mode)
  (quickvault--check-mode 'quickvault-list-mode)
  (let ((tags (plist-get (quickvault--request 'tag/list) :tags)))
    (quickvault--narrow
     :tag
     (plist-get (quickvault--complete (quickvault--text "Tag (empty for all)")
                                      (mapcar (lambda (tag) (cons (plist-get tag :tag) tag)) tags)
                                      (lambda (tag) (quickvault--card-count-text (plist-get tag :count))))
                :tag))))

(defun quickvault-narrow-group ()
  "Show only cards of a group; with empty input, show all groups."
  (interactive nil quickvault-list-mode)
  (quickvault--check-mode 'quickvault-list-mode)
  (quickvault--narrow :group (quickvault--read-choice (quickvault--text "Group (empty for all)")
                                                      '("personal" "company"))))

(defun quickvault-narrow-type ()
  "Show only cards of a type; with empty input, show all types."
  (interactive nil quickvault-list-mode)
  (quickvault--check-mode 'quickvault-list-mode)
  (quickvault--narrow :type (quickvault--read-choice (quickvault--text "Type (empty for all)")
                                                     '("address" "invoice" "text"))))

(defun quickvault--read-choice (prompt values)
  "Read one of VALUES by its display name, with PROMPT."
  (quickvault--complete prompt (mapcar (lambda (value) (cons (quickvault--display-name value) value)) values)))

(defun quickvault-show-all ()
  "Show all cards, without a search or a filter."
  (interactive nil quickvault-list-mode)
  (quickvault--check-mode 'quickvault-list-mode)
  (setq quickvault--filter nil
        quickvault--query "")
  (quickvault--list-refresh))

(provide 'quickvault-list)
;;; quickvault-list.el ends here
