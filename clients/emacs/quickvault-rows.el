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

;;; Columns

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
    (max 16 (min 60 (- (window-body-width window) 55)))))

;;; Sorting

(defun quickvault--sort-parameters ()
  "Return the parameters of `card/list' that sort by `tabulated-list-sort-key'."
  (when-let ((index (seq-position tabulated-list-format (car tabulated-list-sort-key)
                                  (lambda (column name) (equal (car column) name)))))
    (list :sort (nth index '("title" "title" "type" "group" "tags" "modifiedAt"))
          :descending (if (cdr tabulated-list-sort-key) t :json-false))))

;;; Cells

(defun quickvault--list-entry (hit searching)
  "Return the table row of HIT, a plist of :card and :matches.
SEARCHING is as in `quickvault--columns'."
  (let ((card (plist-get hit :card)))
    (list (plist-get card :id)
          (vconcat
           (list (if (eq (plist-get card :pinned) t) (propertize "*" 'face 'quickvault-pinned) " ")
                 (quickvault--list-title hit)
                 (quickvault--display-name (plist-get card :type))
                 (quickvault--display-name (plist-get card :group)))
           (if searching
               (list (quickvault--matches-text hit))
             (list (quickvault--one-line (string-join (plist-get card :tags) ", "))
                   (quickvault--time (plist-get card :modifiedAt))))))))

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

(declare-function quickvault--list-item "quickvault-list")

(defun quickvault--row-help (_window buffer position)
  "Describe the card at POSITION in BUFFER, for the mouse."
  (when (bufferp buffer)
    (with-current-buffer buffer
      (when-let ((card (save-excursion (goto-char position) (quickvault--list-item))))
        (quickvault--describe-card card)))))

;;; Places

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
  (let ((rows (make-hash-table :test #'equal)))
    (dolist (place places)
      (when (nth 1 place) (puthash (nth 1 place) nil rows)))
    (save-excursion
      (goto-char (if (zerop (hash-table-count rows)) (point-max) (point-min)))
      (while (not (eobp))
        (let ((id (tabulated-list-get-id)))
          (when (and id (not (eq 'none (gethash id rows 'none))))
            (puthash id (point) rows)))
        (forward-line 1)))
    (pcase-dolist (`(,window ,id ,line ,column ,above) places)
      (goto-char (or (gethash id rows)
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
    (goto-char (if-let ((window (get-buffer-window))) (window-point window) (point)))))

(provide 'quickvault-rows)
;;; quickvault-rows.el ends here
