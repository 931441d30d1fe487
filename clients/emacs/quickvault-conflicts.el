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
  (quickvault--keymap special-mode-map "k" #'quickvault-conflict-keep-card "c" #'quickvault-conflict-keep-copy
                      "b" #'quickvault-conflict-keep-both "n" #'quickvault-conflict-next "L" #'quickvault-lock)
  "Keymap of `quickvault-conflict-mode'.")

(define-derived-mode quickvault-conflict-mode special-mode "QuickVault conflict"
  "Major mode for a page with a card and its conflict copy.
\\{quickvault-conflict-mode-map}"
  :interactive nil
  (visual-line-mode)
  (setq-local revert-buffer-function (lambda (&rest _) (quickvault-conflicts))))

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
      (pop-to-buffer-same-window
       (quickvault--with-page "*QuickVault conflict*" quickvault-conflict-mode #'quickvault-conflicts
         (setq quickvault--conflict (list card copy title))
         (quickvault--insert-conflict card copy title (1+ index) (length conflicts)))))))

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
      (let ((one (assoc key mine))
            (other (assoc key theirs)))
        (unless (equal one other)
          (insert (propertize (quickvault--text "%s: " (nth 1 (or one other))) 'face 'quickvault-label) "\n")
          (pcase-dolist (`(,mark ,side ,face) `(("-  " ,one diff-removed) ("+  " ,other diff-added)))
            (dolist (line (and side (split-string (nth 2 side) "\n")))
              (insert (propertize (concat mark line) 'face face) "\n")))))))
  (insert "\n" (quickvault--text "\\[quickvault-conflict-keep-card] keeps the card, \\[quickvault-conflict-keep-copy] keeps the conflict copy, \\[quickvault-conflict-keep-both] keeps both as two cards, \\[quickvault-conflict-next] shows the next one, \\[quit-window] closes.")
          "\n"))

;; A label does not identify a field: an extra field may have that of another one.
(defun quickvault--comparable (card title)
  "Return what is compared of CARD with TITLE, or nil if there is no CARD.
Each part is a list of a key, a label, the text to show, and what else is
compared."
  (when card
    `((title ,(quickvault--text "Title") ,title)
      (group ,(quickvault--text "Group") ,(quickvault--display-name (plist-get card :group)))
      (tags ,(quickvault--text "Tags") ,(string-join (plist-get card :tags) ", "))
      ,@(cl-loop for part in '(:fields :extraFields) append
                 (cl-loop for field across (plist-get card part)
                          for value = (plist-get field :value)
                          for label = (plist-get field :label)
                          when value
                          collect (list (list part (or (plist-get field :key) label)) label
                                        (if (eq (plist-get field :concealed) t)
                                            (quickvault--text "•••••••• (concealed)")
                                          value)
                                        value)))
      (attachments ,(quickvault--text "Attachments")
                   ,(mapconcat (lambda (attachment)
                                 (format "%s  %s · %s" (quickvault--one-line (plist-get attachment :name))
                                         (quickvault--describe-attachment attachment)
                                         (quickvault--time (plist-get attachment :addedAt))))
                               (plist-get card :attachments) "\n")
                   ;; The conflict copy has the same ones with other ids.
                   ,(mapcar (lambda (attachment) (plist-put (copy-sequence attachment) :id nil))
                            (plist-get card :attachments))))))

;;; Settling

(defun quickvault--conflict-side (side)
  "Return the card or the copy on this page, as SIDE is `card' or `copy'."
  (quickvault--check-mode 'quickvault-conflict-mode)
  (or (if (eq side 'card) (car quickvault--conflict) (cadr quickvault--conflict))
      (quickvault--fail "The card of this conflict copy is gone, or not known.")))

(defun quickvault--settle-conflict (side question)
  "If the user agrees to QUESTION, keep SIDE: `card', `copy' or `both'.
What is deleted can be restored until the vault is locked."
  (let* ((card (car quickvault--conflict))
         (copy (quickvault--conflict-side 'copy))
         (deleted (pcase side ('card copy) ('copy card))))
    (when (eq side 'card) (quickvault--conflict-side 'card))
    (when (or (not question) (quickvault--confirm question))
      (unless (eq side 'card)
        ;; Without the note in its title, it is a card of its own.
        (quickvault--update copy :title (nth 2 quickvault--conflict)))
      (when deleted
        (quickvault--request 'card/delete (list :id (plist-get deleted :id) :revision (plist-get deleted :revision)))
        (push (list (quickvault--restoration deleted)) quickvault--changes))
      (quickvault--list-refresh-later)
      (quickvault-conflicts))))

(defun quickvault-conflict-keep-card ()
  "Keep the card, and delete its conflict copy."
  (interactive nil quickvault-conflict-mode)
  (quickvault--settle-conflict 'card "Keep the card and delete its conflict copy?"))

(defun quickvault-conflict-keep-copy ()
  "Keep the content of the conflict copy, and delete the card with the other one."
  (interactive nil quickvault-conflict-mode)
  (quickvault--settle-conflict 'copy "Keep the conflict copy and delete the card?"))

(defun quickvault-conflict-keep-both ()
  "Keep the card and its conflict copy as two cards."
  (interactive nil quickvault-conflict-mode)
  (quickvault--settle-conflict 'both nil))

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
