;;; quickvault-rows.el --- Rows of the list of cards  -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The QuickVault authors

;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; The columns of the list and the text of each row.  Rows are inserted by a function of
;; this package, because that of tabulated-list.el is slow with thousands of rows.

;;; Code:

(require 'tabulated-list)
(require 'quickvault-card)

(defface quickvault-match '((t :inherit match :weight bold :underline t))
  "Face for search matches."
  :group 'quickvault)

(defface quickvault-pinned '((t :weight bold))
  "Face for the mark of a pinned card."
  :group 'quickvault)

(defface quickvault-marked '((t :inherit warning :weight bold))
  "Face for the mark of a marked card."
  :group 'quickvault)

(defvar-local quickvault--marked nil
  "Hash table whose keys are the ids of the marked cards, or nil for none.")

(defvar quickvault--cursor)
(defvar quickvault--shown)
(defvar quickvault--total)

(declare-function quickvault--insert-rows "quickvault-list")
(declare-function quickvault--keep-marks "quickvault-list")
(declare-function quickvault--list-count "quickvault-list")
(declare-function quickvault--list-item "quickvault-list")

(defvar-local quickvault--items nil
  "The summaries of the cards in the list.")

(defvar-local quickvault--hits (make-hash-table :test #'equal)
  "Hash table of the ids of the listed cards, and plists of :card and :matches.")

;;; Columns

(defconst quickvault--columns
  '((pinned 1 "") (title nil "Title" "title") (type 8 "Type" "type") (group 8 "Group" "group")
    (tags 14 "Tags" "tags") (modified 16 "Modified" "modifiedAt") (matches 0 "Match"))
  "The columns of the list: widths, headings, and their names in `card/list'.
The title takes the rest of the window.")

(defvar-local quickvault--shown-columns nil
  "The columns that the list shows.")

(defun quickvault--format-columns (searching)
  "Choose the columns that have room in the window; return the list's format.
If SEARCHING, the last one is for matches."
  (let* ((width (window-body-width (or (get-buffer-window nil t) (selected-window))))
         (keys (if searching '(pinned title type group matches) '(pinned title type group tags modified)))
         (rest (lambda () (apply #'+ 3 (mapcar (lambda (key) (1+ (or (cadr (assq key quickvault--columns)) -1))) keys)))))
    (dolist (key '(modified tags group type))
      (when (and (< (- width (funcall rest)) (if searching 46 16))
                 (not (equal (car tabulated-list-sort-key) (quickvault--text (nth 2 (assq key quickvault--columns))))))
        (setq keys (remq key keys))))
    (setq quickvault--shown-columns (mapcar (lambda (key) (assq key quickvault--columns)) keys))
    (vconcat (mapcar (pcase-lambda (`(,_ ,own ,heading ,sort))
                       (list (if (equal heading "") "" (quickvault--text heading))
                             (or own (if searching 26 (max 16 (min 60 (- width (funcall rest))))))
                             (and sort t)))
                     quickvault--shown-columns))))

(defun quickvault--sort-parameters ()
  "Return the parameters of `card/list' that sort by `tabulated-list-sort-key'."
  (when-let ((index (seq-position tabulated-list-format (car tabulated-list-sort-key)
                                  (lambda (column name) (equal (car column) name)))))
    (list :sort (nth 3 (nth index quickvault--shown-columns))
          :descending (if (cdr tabulated-list-sort-key) t :json-false))))

;;; Cells

(defun quickvault--list-entries ()
  "Return the rows of the list, as `tabulated-list-entries' has them."
  (mapcar #'quickvault--list-entry quickvault--items))

(defun quickvault--list-entry (card)
  "Return the row of CARD: its id and cells."
  (let* ((id (plist-get card :id))
         (hit (gethash id quickvault--hits)))
    (list id
          (vconcat (mapcar (lambda (column)
                             (pcase (car column)
                               ('pinned (if (eq (plist-get card :pinned) t) (propertize "*" 'face 'quickvault-pinned) " "))
                               ('title (quickvault--list-title hit))
                               ('type (quickvault--display-name (plist-get card :type)))
                               ('group (quickvault--display-name (plist-get card :group)))
                               ('tags (quickvault--one-line (string-join (plist-get card :tags) ", ")))
                               ('modified (quickvault--time (plist-get card :modifiedAt)))
                               ('matches (quickvault--matches-text hit))))
                           quickvault--shown-columns)))))

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

;;; Inserting

(defun quickvault--separators ()
  "Return the strings after the columns of the list, which align the next ones."
  (let ((column tabulated-list-padding))
    (mapcar (lambda (format)
              (setq column (+ column (cadr format) 1))
              (propertize " " 'display `(space :align-to ,column)))
            tabulated-list-format)))

(defun quickvault--insert-row (id cells &optional separators)
  "Insert a row with CELLS for the card ID, as `tabulated-list-print-entry' does.
SEPARATORS is the value of `quickvault--separators', for many rows."
  (let ((start (point))
        (separators (or separators (quickvault--separators)))
        parts)
    (dotimes (index (length cells))
      (push (quickvault--fitting (aref cells index) (cadr (aref tabulated-list-format index))) parts)
      (push (pop separators) parts))
    (apply #'insert (quickvault--row-mark id) (nreverse (cdr parts)))
    (insert "\n")
    (add-text-properties start (point)
                         `(tabulated-list-id ,id tabulated-list-entry ,cells
                           quickvault-contents ,quickvault--vault-text-mark
                           help-echo quickvault--row-help))))

(defun quickvault--fitting (text width)
  "Return TEXT, truncated to WIDTH columns unless that is 0."
  (bidi-string-mark-left-to-right
   (if (or (zerop width) (<= (string-width text) width))
       text
     (truncate-string-to-width text width nil nil t t))))

(defun quickvault--column-at-point ()
  "Return the number of the column at point, but at least that of the title."
  (let ((column (+ tabulated-list-padding -1)))
    (max 1 (1- (or (seq-position tabulated-list-format nil
                                 (lambda (format _)
                                   (prog1 (< (current-column) column)
                                     (setq column (+ column (cadr format) 1)))))
                   (length tabulated-list-format))))))

(defun quickvault--row-mark (id)
  "Return the text at the beginning of the row of the card ID."
  (if (and quickvault--marked (gethash id quickvault--marked))
      (propertize "> " 'face 'quickvault-marked)
    "  "))

(defun quickvault--row-help (_window buffer position)
  "Describe the card at POSITION in BUFFER, for the mouse."
  (when (bufferp buffer)
    (with-current-buffer buffer
      (when-let ((card (save-excursion (goto-char position) (quickvault--list-item))))
        (quickvault--describe-card card)))))

;;; Places

(defun quickvault--row-position (id)
  "Return where the row of the card ID begins, or nil."
  (when-let ((hit (gethash id quickvault--hits)))
    ;; The property is the same object.
    (text-property-any (point-min) (point-max) 'tabulated-list-id (plist-get (plist-get hit :card) :id))))

(defun quickvault--places ()
  "Return where point is, in this buffer and in each of its windows.
Each place is a list of a window or nil, the id of the row, its line, the
column, and the number of lines from the beginning of the window, or nil
if that is the beginning of the list."
  (mapcar (lambda (window)
            (save-excursion
              (when window (goto-char (window-point window)))
              (list window (tabulated-list-get-id) (line-number-at-pos) (current-column)
                    (and window
                         (> (window-start window) (point-min))
                         (count-lines (window-start window) (line-beginning-position))))))
          (cons nil (get-buffer-window-list nil t t))))

(defun quickvault--restore-places (places same-list)
  "Go back to PLACES.
If a row is gone, go to its line if SAME-LIST, else to the first."
  (pcase-dolist (`(,window ,id ,line ,column ,above) places)
    (goto-char (or (and id (quickvault--row-position id))
                   (progn (goto-char (point-min))
                          (when same-list (forward-line (1- line)))
                          (when (and (eobp) (not (bobp))) (forward-line -1))
                          (point))))
    (move-to-column column)
    (when window
      (set-window-point window (point))
      ;; From the beginning of the list, go on showing it, with what is new there.
      (set-window-start window
                        (if above (save-excursion (forward-line (- above)) (point)) (point-min))
                        t)))
  (goto-char (if-let ((window (get-buffer-window))) (window-point window) (point))))

;;; Changes of a few cards

(defun quickvault--list-update (cards)
  "Draw the rows of CARDS, as they are after a change, and no others.
One that was deleted has only an :id.  Return nil if the list has to be
loaded again."
  (when (and (equal quickvault--shown '("" nil nil)) quickvault--items (length< cards 50)
             ;; Of a card that is not loaded, it is not known whether it is new.
             (or (not quickvault--cursor)
                 (seq-every-p (lambda (card) (gethash (plist-get card :id) quickvault--hits)) cards)))
    (let ((places (quickvault--places))
          (inhibit-read-only t))
      (dolist (card cards)
        (quickvault--remove-row (plist-get card :id))
        (when (plist-get card :title) (quickvault--add-row card)))
      (set-buffer-modified-p nil)
      (quickvault--keep-marks)
      (quickvault--restore-places places t)
      quickvault--items)))

(defun quickvault--remove-row (id)
  "Remove the card ID from the list."
  (when-let ((hit (gethash id quickvault--hits)))
    (goto-char (quickvault--row-position id))
    (delete-region (point) (progn (forward-line 1) (point)))
    (remhash id quickvault--hits)
    (setq quickvault--items (delq (plist-get hit :card) quickvault--items))
    (quickvault--list-count (1- quickvault--total))))

(defun quickvault--add-row (whole)
  "Add the card WHOLE to the list, where the vault's order has it."
  (let* ((card (cl-loop for key in '(:id :revision :title :group :type :tags :pinned :createdAt :modifiedAt :attachments)
                        append (list key (plist-get whole key))))
         (rest (seq-drop-while (lambda (other) (quickvault--before-p other card)) quickvault--items)))
    (quickvault--list-count (1+ quickvault--total))
    ;; Behind the last one, it comes with the next page.
    (when (or rest (not quickvault--cursor))
      (goto-char (if rest (quickvault--row-position (plist-get (car rest) :id)) (point-max)))
      (puthash (plist-get card :id) (list :card card) quickvault--hits)
      (setq quickvault--items (append (butlast quickvault--items (length rest)) (list card) rest))
      (quickvault--insert-rows (list card)))))

(defun quickvault--before-p (one other)
  "Return non-nil if the card ONE comes before OTHER in the vault's order."
  (let ((pinned (eq (plist-get one :pinned) t)))
    (if (eq pinned (eq (plist-get other :pinned) t))
        (not (string< (plist-get one :modifiedAt) (plist-get other :modifiedAt)))
      pinned)))

(provide 'quickvault-rows)
;;; quickvault-rows.el ends here
