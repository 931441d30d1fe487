;;; quickvault-filter.el --- Filtering and sorting the list  -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The QuickVault authors

;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; Commands that show only the cards with a tag, of a group or of a type, and that sort
;; the list.

;;; Code:

(require 'quickvault-list)

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

(defun quickvault-show-all ()
  "Show all cards, without a search or a filter."
  (interactive nil quickvault-list-mode)
  (quickvault--check-mode 'quickvault-list-mode)
  (setq quickvault--filter nil
        quickvault--query ""
        tabulated-list-sort-key nil)
  (quickvault--list-refresh))

;;; Sorting

(defun quickvault-sort (&optional column)
  "Sort all cards by the column at point; the same column again reverses the order.
With a prefix argument, sort by the column number COLUMN."
  (interactive "P" quickvault-list-mode)
  (quickvault--check-mode 'quickvault-list-mode)
  (let ((index (if column (prefix-numeric-value column) (quickvault--column-at-point))))
    (quickvault--sort-by (car (nth index (append tabulated-list-format nil))))))

(defun quickvault--sort-by (name)
  "Sort by the column NAME, or reverse the order if it is sorted by it."
  (unless (nth 2 (assoc name (append tabulated-list-format nil)))
    (user-error "%s" (quickvault--text "Cards cannot be sorted by this column")))
  (setq tabulated-list-sort-key
        (cons name (and (equal name (car tabulated-list-sort-key)) (not (cdr tabulated-list-sort-key)))))
  (quickvault--list-refresh))

(defun quickvault-sort-by-click (event)
  "Sort all cards by the column whose heading EVENT, a click, is on."
  (interactive (list last-command-event) quickvault-list-mode)
  (if (not (mouse-event-p event))
      (quickvault-sort)
    (let ((heading (posn-string (event-start event))))
      (with-current-buffer (window-buffer (posn-window (event-start event)))
        (quickvault--check-mode 'quickvault-list-mode)
        (when-let ((name (and heading
                              (get-text-property (cdr heading) 'tabulated-list-column-name (car heading)))))
          (quickvault--sort-by name))))))

(define-key quickvault-list-mode-map [remap tabulated-list-sort] #'quickvault-sort)
(define-key quickvault-list-mode-map [remap tabulated-list-col-sort] #'quickvault-sort-by-click)

(provide 'quickvault-filter)
;;; quickvault-filter.el ends here
