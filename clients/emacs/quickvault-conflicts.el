;;; quickvault-conflicts.el --- Settling cards that exist in two versions  -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The QuickVault authors

;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; If a card was changed in two copies of the vault, a merge keeps both versions: the card
;; and its conflict copy.  A page shows where they differ, and settles them.

;;; Code:

(require 'diff-mode)
(require 'quickvault-actions)

(defvar-local quickvault--conflict nil
  "The card and its conflict copy on this page; the card is nil if unknown.")

(defvar quickvault-conflict-mode-map
  (let ((map (make-sparse-keymap)))
    (pcase-dolist (`(,key . ,command) '(("k" . quickvault-conflict-keep-card)
                                        ("c" . quickvault-conflict-keep-copy)
                                        ("b" . quickvault-conflict-keep-both)
                                        ("n" . quickvault-conflict-next)
                                        ("L" . quickvault-lock)))
      (define-key map key command))
    map)
  "Keymap of `quickvault-conflict-mode'.")

(define-derived-mode quickvault-conflict-mode special-mode "QuickVault conflict"
  "Major mode for a page with a card and its conflict copy.
\\{quickvault-conflict-mode-map}"
  :interactive nil
  (visual-line-mode)
  (setq-local revert-buffer-function (lambda (&rest _) (quickvault-conflicts)))
  (quickvault--protect-buffer #'quickvault-conflicts))

;;; Finding

(defun quickvault--title-without-note (title)
  "Return TITLE without the note of a conflict copy, or nil if it has none."
  (when (string-match "\\(?: (conflict copy)\\|（冲突副本）\\)\\'" title)
    (substring title 0 (match-beginning 0))))

(defun quickvault--conflicts ()
  "Return a list of pairs: a card, or nil if it is gone, and its conflict copy."
  (let ((cards (quickvault--all-cards))
        (by-title (make-hash-table :test #'equal)))
    (dolist (card cards)
      (puthash (plist-get card :title) card by-title))
    (mapcan (lambda (copy)
              (when-let ((title (quickvault--title-without-note (plist-get copy :title))))
                (list (list (gethash title by-title) copy))))
            cards)))

;;;###autoload
(defun quickvault-conflicts ()
  "Show the first card that exists in two versions, and settle it.
A merge and synchronisation make a conflict copy of a card that was
changed on both sides."
  (interactive)
  (quickvault--show-conflict (quickvault--conflicts) 0))

(defun quickvault--show-conflict (pairs index)
  "Show the conflict at INDEX of PAIRS; say so if there is none."
  (if (null pairs)
      (progn
        (when-let ((buffer (get-buffer "*QuickVault conflict*"))) (quickvault--discard buffer))
        (quickvault--message (quickvault--text "No card exists in two versions.")))
    (let* ((index (mod index (length pairs)))
           (pair (mapcar (lambda (card) (and card (quickvault--get-card (plist-get card :id))))
                         (nth index pairs))))
      (pop-to-buffer-same-window (get-buffer-create "*QuickVault conflict*"))
      (quickvault-conflict-mode)
      (setq quickvault--conflict pair)
      (let ((inhibit-read-only t))
        (quickvault--erase)
        (quickvault--insert-conflict (car pair) (cadr pair) (1+ index) (length pairs))
        (quickvault--mark-contents)
        (set-buffer-modified-p nil))
      (goto-char (point-min)))))

;;; Showing

(defun quickvault--insert-conflict (card copy number total)
  "Insert where CARD and COPY differ; this is conflict NUMBER of TOTAL."
  (insert (propertize (quickvault--one-line (quickvault--title-without-note (plist-get copy :title)))
                      'face 'quickvault-title)
          "  " (format "%d/%d" number total) "\n"
          (if card
              (quickvault--text "This card was changed in two places; both versions were kept.")
            (quickvault--text "The card of this conflict copy is gone, or has another title."))
          "\n\n")
  (when card
    (insert (quickvault--text "-  the card, modified %s" (quickvault--time (plist-get card :modifiedAt))) "\n"))
  (insert (quickvault--text "+  the conflict copy, modified %s" (quickvault--time (plist-get copy :modifiedAt))) "\n\n")
  (let ((mine (quickvault--comparable card))
        (theirs (quickvault--comparable copy)))
    (dolist (label (delete-dups (mapcar #'car (append mine theirs))))
      (let ((one (cdr (assoc label mine)))
            (other (cdr (assoc label theirs))))
        (unless (equal one other)
          (insert (propertize (quickvault--text "%s: " label) 'face 'quickvault-label) "\n")
          (quickvault--insert-side "-  " one 'diff-removed)
          (quickvault--insert-side "+  " other 'diff-added)))))
  (insert "\n" (quickvault--text "\\[quickvault-conflict-keep-card] keeps the card, \\[quickvault-conflict-keep-copy] keeps the conflict copy, \\[quickvault-conflict-keep-both] keeps both as two cards,\n\\[quickvault-conflict-next] shows the next one, \\[quit-window] closes.")
          "\n"))

(defun quickvault--insert-side (mark value face)
  "Insert VALUE, a cons of a text and whether it is concealed, after MARK in FACE."
  (when value
    (dolist (line (if (cdr value)
                      (list (quickvault--text "•••••••• (concealed)"))
                    (split-string (car value) "\n")))
      (insert (propertize (concat mark line) 'face face) "\n"))))

(defun quickvault--comparable (card)
  "Return an alist of the labels and values of CARD to compare.
A value is a cons of the text and whether it is concealed."
  (when card
    (append
     (list (cons (quickvault--text "Group") (list (quickvault--display-name (plist-get card :group))))
           (cons (quickvault--text "Tags") (list (string-join (plist-get card :tags) ", "))))
     (seq-mapcat (lambda (field)
                   (and (plist-get field :value)
                        (list (cons (plist-get field :label)
                                    (cons (plist-get field :value) (eq (plist-get field :concealed) t))))))
                 (append (plist-get card :fields) (plist-get card :extraFields) nil))
     (list (cons (quickvault--text "Attachments")
                 (list (mapconcat (lambda (attachment) (quickvault--one-line (plist-get attachment :name)))
                                  (plist-get card :attachments) "\n")))))))

;;; Settling

(defun quickvault--conflict-side (side)
  "Return the card or the copy on this page, as SIDE is `card' or `copy'."
  (quickvault--check-mode 'quickvault-conflict-mode)
  (or (if (eq side 'card) (car quickvault--conflict) (cadr quickvault--conflict))
      (user-error "%s" (quickvault--text "The card of this conflict copy is gone, or has another title."))))

(defun quickvault--conflict-settled ()
  "Refresh the list, and show the next conflict."
  (quickvault--list-refresh-later)
  (quickvault-conflicts))

(defun quickvault--delete-for-conflict (card)
  "Delete CARD; this can be undone until the vault is locked."
  (quickvault--request 'card/delete (list :id (plist-get card :id) :revision (plist-get card :revision)))
  (push (list (plist-get card :id)) quickvault--deleted))

(defun quickvault--rename-copy (copy)
  "Give COPY the title without the note, so that it is a card of its own."
  (quickvault--update copy :title (quickvault--title-without-note (plist-get copy :title))))

(defun quickvault-conflict-keep-card ()
  "Keep the card, and delete its conflict copy."
  (interactive nil quickvault-conflict-mode)
  (quickvault--conflict-side 'card)
  (when (quickvault--confirm "Keep the card and delete its conflict copy?")
    (quickvault--delete-for-conflict (quickvault--conflict-side 'copy))
    (quickvault--conflict-settled)))

(defun quickvault-conflict-keep-copy ()
  "Keep the content of the conflict copy, and delete the card with the other one."
  (interactive nil quickvault-conflict-mode)
  (let ((copy (quickvault--conflict-side 'copy))
        (card (car quickvault--conflict)))
    (when (quickvault--confirm "Keep the conflict copy and delete the card?")
      (quickvault--rename-copy copy)
      (when card (quickvault--delete-for-conflict card))
      (quickvault--conflict-settled))))

(defun quickvault-conflict-keep-both ()
  "Keep the card and its conflict copy as two cards."
  (interactive nil quickvault-conflict-mode)
  (quickvault--rename-copy (quickvault--conflict-side 'copy))
  (quickvault--conflict-settled))

(defun quickvault-conflict-next ()
  "Show the next card that exists in two versions."
  (interactive nil quickvault-conflict-mode)
  (let* ((id (plist-get (quickvault--conflict-side 'copy) :id))
         (pairs (quickvault--conflicts)))
    (quickvault--show-conflict
     pairs (1+ (or (seq-position pairs id (lambda (pair id) (equal id (plist-get (cadr pair) :id)))) -1)))))

(provide 'quickvault-conflicts)
;;; quickvault-conflicts.el ends here
