;;; quickvault-list.el --- The list of cards, and the search  -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The QuickVault authors

;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; Pinned cards first, then the most recently modified.  The list narrows by
;; group, type and tag, and while one types a search.

;;; Code:

(require 'tabulated-list)
(require 'quickvault-card)

(declare-function quickvault "quickvault")

(defcustom quickvault-page-size 200
  "How many cards are read at a time."
  :group 'quickvault
  :type '(integer :match (lambda (_ value) (<= 1 value 1000))))

(defface quickvault-match '((t :inherit match :weight bold :underline t))
  "Face of what a search found."
  :group 'quickvault)

(defface quickvault-pinned '((t :weight bold))
  "Face of the mark of a pinned card."
  :group 'quickvault)

(defvar-local quickvault--filter nil
  "What the list is narrowed to: a plist of :group, :type and :tag.")

(defvar-local quickvault--query ""
  "What is searched for.")

(defvar-local quickvault--items nil
  "The summaries of the cards in the list.")

(defvar-local quickvault--cursor nil
  "Where the list goes on, or nil where all of it was read.")

(defvar-local quickvault--summary ""
  "How many cards there are and what the list is narrowed to.")

(defvar quickvault-list-mode-map
  (let ((map (make-sparse-keymap)))
    (set-keymap-parent map tabulated-list-mode-map)
    map)
  "Keys of the list.")

(define-derived-mode quickvault-list-mode tabulated-list-mode "QuickVault"
  "Mode of the list of cards.
\\{quickvault-list-mode-map}"
  (quickvault--guard #'quickvault)
  (setq-local revert-buffer-function (lambda (&rest _) (quickvault--list-refresh)))
  (setq mode-line-process '(" " quickvault--summary))
  (setq tabulated-list-padding 1))

(defun quickvault--list-buffer ()
  "The buffer with the list, unlocked and read."
  (quickvault--ensure-unlocked)
  (with-current-buffer (get-buffer-create "*QuickVault*")
    (unless (derived-mode-p 'quickvault-list-mode)
      (let ((inhibit-read-only t)) (erase-buffer))
      (quickvault-list-mode))
    (quickvault--list-refresh)
    (current-buffer)))

(defun quickvault--list-item ()
  "The card at point, or nil."
  (let ((id (tabulated-list-get-id)))
    (seq-find (lambda (card) (equal id (plist-get card :id))) quickvault--items)))

;;; Reading

(defun quickvault--list-refresh ()
  "Read the list in the current buffer again."
  (quickvault--list-show (apply #'quickvault--request (quickvault--list-question))))

(defun quickvault--list-refresh-later (&rest _)
  "Read the list again without waiting, and without asking for the password."
  (dolist (buffer (quickvault--guarded-buffers))
    (with-current-buffer buffer
      (when (derived-mode-p 'quickvault-list-mode)
        (let ((question (quickvault--list-question)))
          (apply #'quickvault--request-later
                 (append question
                         (list (lambda (page)
                                 (when (buffer-live-p buffer)
                                   (with-current-buffer buffer
                                     (when (and (derived-mode-p 'quickvault-list-mode)
                                                (equal question (quickvault--list-question)))
                                       (quickvault--list-show page)))))
                               #'quickvault--notice))))))))

(add-hook 'quickvault--change-functions #'quickvault--list-refresh-later)

(defun quickvault--list-question (&optional cursor)
  "The method and the parameters that ask for the list, from CURSOR on."
  (let ((page (append (list :limit quickvault-page-size) (and cursor (list :cursor cursor)))))
    (if (string-blank-p quickvault--query)
        (list 'card/list (append quickvault--filter page))
      (list 'card/search (append (list :query (quickvault--qualified quickvault--query quickvault--filter))
                                 page)))))

(defun quickvault--qualified (query filter)
  "QUERY, narrowed by FILTER in the language of queries."
  (string-join
   `(,query
     ,@(when-let ((group (plist-get filter :group))) (list (concat "group:" group)))
     ,@(when-let ((type (plist-get filter :type))) (list (concat "type:" type)))
     ;; A phrase ends at any quotation mark, so a tag with one is searched for in parts.
     ,@(mapcar (lambda (part) (format "tag:\"%s\"" part))
               (split-string (or (plist-get filter :tag) "") "[\"“”＂]" t)))
   " "))

(defun quickvault-more ()
  "Read more cards into the list."
  (interactive)
  (if quickvault--cursor
      (quickvault--list-show (apply #'quickvault--request (quickvault--list-question quickvault--cursor)) t)
    (quickvault--notice (quickvault--text "That is all."))))

;;; Showing

(defun quickvault--list-show (page &optional more)
  "Show PAGE, an answer to the list's question; if MORE, below what is there."
  (let* ((searching (not (string-blank-p quickvault--query)))
         (hits (mapcar (lambda (item) (if searching item (list :card item))) (plist-get page :items)))
         (cards (mapcar (lambda (hit) (plist-get hit :card)) hits))
         (entries (mapcar (lambda (hit) (quickvault--entry hit searching)) hits)))
    (setq quickvault--items (if more (append quickvault--items cards) cards)
          quickvault--cursor (plist-get page :nextCursor)
          quickvault--summary (quickvault--list-summary (plist-get page :total))
          tabulated-list-format (quickvault--columns searching)
          tabulated-list-entries (if more (append tabulated-list-entries entries) entries))
    ;; Another language or the search may have other columns.
    (unless (cl-find (car tabulated-list-sort-key) tabulated-list-format :key #'car :test #'equal)
      (setq tabulated-list-sort-key nil))
    (tabulated-list-init-header)
    (tabulated-list-print t)
    (unless quickvault--items
      (let ((inhibit-read-only t))
        (insert (if (or searching quickvault--filter)
                    (quickvault--text "  Nothing matches.  a shows all.")
                  (quickvault--text "  No cards yet.  c creates one."))
                "\n")
        (goto-char (point-min))))
    (force-mode-line-update)))

(defun quickvault--columns (searching)
  "The columns of the list; while SEARCHING, the last is for what was found."
  (vconcat
   `(("" 1 nil)
     (,(quickvault--text "Title") ,(if searching 26 (quickvault--title-width)) t)
     (,(quickvault--text "Type") 8 t)
     (,(quickvault--text "Group") 8 t))
   (if searching
       `((,(quickvault--text "Found") 0 nil))
     `((,(quickvault--text "Tags") 14 t)
       (,(quickvault--text "Modified") 16 t)))))

(defun quickvault--title-width ()
  "Columns for the titles: what the others leave of the window, within reason."
  (let ((window (or (get-buffer-window nil t) (selected-window))))
    (max 16 (min 60 (- (window-body-width window) 54)))))

(defun quickvault--entry (hit searching)
  "The row of HIT, a plist of :card and :matches.
SEARCHING is as in `quickvault--columns'."
  (let* ((card (plist-get hit :card))
         (about (quickvault--describe card))
         (cells
          `(,(if (eq (plist-get card :pinned) t) (propertize "*" 'face 'quickvault-pinned) " ")
            ,(quickvault--list-title hit)
            ,(quickvault--name-of (plist-get card :type))
            ,(quickvault--name-of (plist-get card :group))
            ,@(if searching
                  (list (quickvault--found hit))
                (list (quickvault--one-line (string-join (plist-get card :tags) ", "))
                      (quickvault--time (plist-get card :modifiedAt)))))))
    (list (plist-get card :id)
          (vconcat (mapcar (lambda (cell) (propertize cell 'help-echo about)) cells)))))

(defun quickvault--list-title (hit)
  "The title of HIT, with what was found in it marked."
  (let* ((title (plist-get (plist-get hit :card) :title))
         (match (seq-find (lambda (match) (and (equal (plist-get match :field) "title")
                                               (equal (plist-get match :snippet) title)))
                          (plist-get hit :matches))))
    (if match (quickvault--marked match) (quickvault--one-line title))))

(defun quickvault--found (hit)
  "Where the words were found in HIT, apart from its title."
  (let ((title (plist-get (plist-get hit :card) :title)))
    (mapconcat (lambda (match) (concat (plist-get match :label) ": " (quickvault--marked match)))
               (seq-remove (lambda (match) (equal (plist-get match :snippet) title))
                           (plist-get hit :matches))
               "; ")))

(defun quickvault--marked (match)
  "The snippet of MATCH with its ranges marked."
  (let ((snippet (copy-sequence (plist-get match :snippet))))
    (seq-doseq (range (plist-get match :ranges))
      (let ((start (aref range 0)))
        (put-text-property start (min (length snippet) (+ start (aref range 1)))
                           'face 'quickvault-match snippet)))
    (quickvault--one-line snippet)))

(defun quickvault--list-summary (total)
  "Say that there are TOTAL cards, and how the list is narrowed."
  (string-join
   (delq nil
         (list (if quickvault--cursor
                   (quickvault--text "%d of %d, + reads more" (length quickvault--items) total)
                 (quickvault--count total))
               (when-let ((group (plist-get quickvault--filter :group))) (quickvault--name-of group))
               (when-let ((type (plist-get quickvault--filter :type))) (quickvault--name-of type))
               (when-let ((tag (plist-get quickvault--filter :tag))) (concat "#" tag))
               (unless (string-blank-p quickvault--query) (concat "/" quickvault--query))))
   " "))

(defun quickvault--count (cards)
  "Say how many CARDS there are."
  (if (= cards 1) (quickvault--text "1 card") (quickvault--text "%d cards" cards)))

;;; Narrowing

(defun quickvault--narrow (key value)
  "Narrow the list to cards whose KEY is VALUE, or undo that where it is nil."
  (setq quickvault--filter
        (cl-loop for (k v) on quickvault--filter by #'cddr
                 unless (eq k key) append (list k v)))
  (when value (setq quickvault--filter (append quickvault--filter (list key value))))
  (quickvault--list-refresh))

(defun quickvault-narrow-tag ()
  "Narrow the list to a tag, or with no input undo that."
  (interactive)
  (let ((tags (plist-get (quickvault--request 'tag/list) :tags)))
    (quickvault--narrow
     :tag
     (plist-get (quickvault--complete (quickvault--text "Tag, or nothing for all")
                                      (mapcar (lambda (tag) (cons (plist-get tag :tag) tag)) tags)
                                      (lambda (tag) (quickvault--count (plist-get tag :count))))
                :tag))))

(defun quickvault-narrow-group ()
  "Narrow the list to a group, or with no input undo that."
  (interactive)
  (quickvault--narrow :group (quickvault--read-name (quickvault--text "Group, or nothing for all")
                                                    '("personal" "company"))))

(defun quickvault-narrow-type ()
  "Narrow the list to a type of card, or with no input undo that."
  (interactive)
  (quickvault--narrow :type (quickvault--read-name (quickvault--text "Type, or nothing for all")
                                                   '("address" "invoice" "text"))))

(defun quickvault--read-name (prompt values)
  "Read one of VALUES by its name, with PROMPT."
  (quickvault--complete prompt (mapcar (lambda (value) (cons (quickvault--name-of value) value)) values)))

(defun quickvault-show-all ()
  "Show all cards again, without a search or a filter."
  (interactive)
  (setq quickvault--filter nil
        quickvault--query "")
  (quickvault--list-refresh))

(provide 'quickvault-list)
;;; quickvault-list.el ends here
