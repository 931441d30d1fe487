;;; quickvault-conflicts.el --- Settling cards that exist in two versions  -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The QuickVault authors

;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; If a card was changed in two copies of the vault, a merge keeps both versions: the card
;; and its conflict copy.  A page shows where they differ, and settles them.

;;; Code:

(require 'diff-mode)
(require 'quickvault-actions)
(require 'quickvault-attachments)

(defvar-local quickvault--conflict nil
  "The card of this page, nil if unknown, its conflict copy and title.")

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

(defun quickvault--conflicts ()
  "Return the conflicts: plists with the ids of card and copy, and a title.
The id of the card is nil if the card is gone."
  (append (plist-get (quickvault--request 'card/conflicts) :conflicts) nil))

;;;###autoload
(defun quickvault-conflicts ()
  "Show the first card that exists in two versions, and resolve it.
A merge and synchronisation make a conflict copy of a card that was
changed on both sides."
  (interactive)
  (quickvault--show-conflict (quickvault--conflicts) 0))

(defun quickvault--show-conflict (conflicts index)
  "Show the one at INDEX of CONFLICTS; say so if there is none."
  (if (null conflicts)
      (progn
        (when-let ((buffer (get-buffer "*QuickVault conflict*"))) (quickvault--discard buffer))
        (quickvault--log-message (quickvault--text "No card exists in two versions.")))
    (let* ((index (mod index (length conflicts)))
           (conflict (nth index conflicts))
           (id (plist-get conflict :id))
           (card (and id (quickvault--get-card id)))
           (copy (quickvault--get-card (plist-get conflict :copyId)))
           (title (plist-get conflict :title)))
      (pop-to-buffer-same-window (get-buffer-create "*QuickVault conflict*"))
      (quickvault-conflict-mode)
      (setq quickvault--conflict (list card copy title))
      (let ((inhibit-read-only t))
        (quickvault--erase)
        (quickvault--insert-conflict card copy title (1+ index) (length conflicts))
        (quickvault--mark-contents)
        (set-buffer-modified-p nil))
      (goto-char (point-min)))))

;;; Showing

(defun quickvault--insert-conflict (card copy title number total)
  "Insert where CARD and COPY with TITLE differ; this is conflict NUMBER of TOTAL."
  (insert (propertize (quickvault--one-line title) 'face 'quickvault-title)
          "  " (format "%d/%d" number total) "\n"
          (if card
              (quickvault--text "This card was changed in two places; both versions were kept.")
            (quickvault--text "The card of this conflict copy is gone, or not known."))
          "\n\n")
  (when card
    (insert (quickvault--text "-  the card, modified %s" (quickvault--time (plist-get card :modifiedAt))) "\n"))
  (insert (quickvault--text "+  the conflict copy, modified %s" (quickvault--time (plist-get copy :modifiedAt))) "\n\n")
  (let ((mine (quickvault--comparable card (plist-get card :title)))
        (theirs (quickvault--comparable copy title)))
    (dolist (key (delete-dups (mapcar #'car (append mine theirs))))
      (let ((one (cdr (assoc key mine)))
            (other (cdr (assoc key theirs))))
        (unless (equal one other)
          (insert (propertize (quickvault--text "%s: " (plist-get (or one other) :label)) 'face 'quickvault-label) "\n")
          (quickvault--insert-side "-  " one 'diff-removed)
          (quickvault--insert-side "+  " other 'diff-added)))))
  (insert "\n" (quickvault--text "\\[quickvault-conflict-keep-card] keeps the card, \\[quickvault-conflict-keep-copy] keeps the conflict copy, \\[quickvault-conflict-keep-both] keeps both as two cards, \\[quickvault-conflict-next] shows the next one, \\[quit-window] closes.")
          "\n"))

;; A label does not identify a field: an extra field may have that of another one.
(defun quickvault--comparable (card title)
  "Return an alist of what is compared of CARD with TITLE.
A value is a plist of a :label, the :text to show, whether that is
:concealed, and :details to compare that are not shown."
  (when card
    `(("title" :label ,(quickvault--text "Title") :text ,title)
      ("group" :label ,(quickvault--text "Group") :text ,(quickvault--display-name (plist-get card :group)))
      ("tags" :label ,(quickvault--text "Tags") :text ,(quickvault--join-tags (plist-get card :tags)))
      ,@(quickvault--comparable-fields (plist-get card :fields) :key)
      ,@(quickvault--comparable-fields (plist-get card :extraFields) :label)
      ("attachments" ,@(quickvault--comparable-attachments (plist-get card :attachments))))))

(defun quickvault--comparable-fields (fields property)
  "Return what is compared of FIELDS, which PROPERTY identifies."
  (cl-loop for field being the elements of fields
           when (plist-get field :value)
           collect (list (list property (plist-get field property))
                         :label (plist-get field :label)
                         :text (plist-get field :value)
                         :concealed (eq (plist-get field :concealed) t))))

(defun quickvault--comparable-attachments (attachments)
  "Return what is compared of ATTACHMENTS.
The conflict copy has the same ones with other ids."
  (list :label (quickvault--text "Attachments")
        :text (mapconcat (lambda (attachment)
                           (format "%s  %s · %s" (quickvault--one-line (plist-get attachment :name))
                                   (quickvault--describe-attachment attachment)
                                   (quickvault--time (plist-get attachment :addedAt))))
                         attachments "\n")
        :details (mapcar (lambda (attachment) (plist-put (copy-sequence attachment) :id nil)) attachments)))

(defun quickvault--insert-side (mark value face)
  "Insert VALUE, as in `quickvault--comparable', after MARK in FACE."
  (when value
    (dolist (line (if (plist-get value :concealed)
                      (list (quickvault--text "•••••••• (concealed)"))
                    (split-string (plist-get value :text) "\n")))
      (insert (propertize (concat mark line) 'face face) "\n"))))

;;; Settling

(defun quickvault--conflict-side (side)
  "Return the card or the copy on this page, as SIDE is `card' or `copy'."
  (quickvault--check-mode 'quickvault-conflict-mode)
  (or (if (eq side 'card) (car quickvault--conflict) (cadr quickvault--conflict))
      (user-error "%s" (quickvault--text "The card of this conflict copy is gone, or not known."))))

(defun quickvault--conflict-settled ()
  "Refresh the list, and show the next conflict."
  (quickvault--list-refresh-later)
  (quickvault-conflicts))

(defun quickvault--delete-for-conflict (card)
  "Delete CARD; this can be undone until the vault is locked."
  (quickvault--request 'card/delete (list :id (plist-get card :id) :revision (plist-get card :revision)))
  (push (list (quickvault--restoration card)) quickvault--changes))

(defun quickvault--rename-copy (copy)
  "Remove the note from the title of COPY, so that it is a card of its own."
  (quickvault--update copy :title (nth 2 quickvault--conflict)))

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
         (conflicts (quickvault--conflicts)))
    (quickvault--show-conflict
     conflicts
     (1+ (or (seq-position conflicts id (lambda (conflict id) (equal id (plist-get conflict :copyId)))) -1)))))

(provide 'quickvault-conflicts)
;;; quickvault-conflicts.el ends here
