;;; quickvault-actions.el --- Commands that act on a card  -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The QuickVault authors

;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; Copying, pinning, tagging and deleting.

;;; Code:

(require 'quickvault-changes)
(require 'quickvault-clipboard)
(require 'quickvault-list)

;;; Copying

(defun quickvault--copy-card (card &rest options)
  "Copy CARD, or the part of it that OPTIONS, a plist, select.
Show which fields the text does not have."
  (let ((answer (quickvault--request
                 'card/copy `(:id ,(plist-get card :id) ,@options)
                 `(("copy.noTemplate" . ,(lambda (_) (quickvault--copy-by-template card) nil))))))
    (when answer
      (quickvault--show-remarks
       (if (plist-get answer :secondsLeft)
           (quickvault--text "Copied a code that is valid for %s s." (plist-get answer :secondsLeft))
         (quickvault--left-out-text (plist-get answer :leftOut)))
       (quickvault--copy-text (plist-get answer :text) (plist-get answer :clearAfterSeconds))))))

(defun quickvault--show-remarks (left-out &optional remark)
  "Show LEFT-OUT, what a text lacks, or else REMARK for a while.
Both may be nil."
  (cond (left-out (quickvault--message (concat remark (and remark "  ") left-out)))
        (remark (quickvault--notify remark))))

(defun quickvault--left-out-text (fields &optional inserted)
  "Return a remark with FIELDS, which a copied or INSERTED text does not have.
Return nil if there are none."
  (unless (seq-empty-p fields)
    (concat (let ((names (mapconcat (lambda (field) (quickvault--one-line (plist-get field :label)))
                                    fields (quickvault--text ", "))))
              (if inserted
                  (quickvault--text "Inserted without: %s." names)
                (quickvault--text "Copied without: %s." names)))
            (cond ((not (seq-some (lambda (field) (eq (plist-get field :concealed) t)) fields)) "")
                  (inserted (quickvault--text "  With a prefix argument, you choose the field."))
                  (t (quickvault--text "  With a prefix argument, concealed fields are copied too."))))))

(defun quickvault--concealed-option (concealed)
  "Return the option of `card/copy' for the prefix argument CONCEALED."
  (and concealed '(:concealed t)))

(defun quickvault--copy-by-template (card)
  "Read a template and copy CARD formatted with it."
  (quickvault--copy-card card :template
                         (quickvault--without-history
                           (read-string (quickvault--text "Template, with field keys in braces: ") nil t))))

;;;###autoload
(defun quickvault-copy (card &optional concealed)
  "Copy all of CARD.
With a prefix argument, or if CONCEALED is non-nil, copy concealed fields
too."
  (interactive (list (quickvault--read-card (quickvault--text "Copy")) current-prefix-arg))
  (apply #'quickvault--copy-card card (quickvault--concealed-option concealed)))

;;;###autoload
(defun quickvault-copy-field (card)
  "Copy one field of CARD."
  (interactive (list (quickvault--read-card (quickvault--text "Copy a field of card"))))
  (quickvault--copy-card card :field (quickvault--read-field card)))

(defun quickvault--read-field (card)
  "Read a field of CARD and return its key, or its label if it has none."
  (let* ((whole (quickvault--omit-concealed (quickvault--get-card (plist-get card :id))))
         (fields (append (plist-get whole :fields) (plist-get whole :extraFields)
                         (list (list :key "title" :label (quickvault--text "Title")
                                     :value (plist-get whole :title)))))
         (field (quickvault--complete
                 (quickvault--text "Field")
                 (mapcar (lambda (field) (cons (plist-get field :label) field)) fields)
                 (lambda (field)
                   (quickvault--short-line (or (plist-get field :value) (quickvault--mask field)))))))
    (unless field (user-error "%s" (quickvault--text "No field was chosen")))
    (or (plist-get field :key) (plist-get field :label))))

;;;###autoload
(defun quickvault-copy-as (card &optional concealed)
  "Copy CARD in a style that you choose.
With a prefix argument, or if CONCEALED is non-nil, copy concealed fields
too."
  (interactive (list (quickvault--read-card (quickvault--text "Copy")) current-prefix-arg))
  (let ((style (quickvault--complete
                (quickvault--text "Style")
                (mapcar (lambda (style) (cons (quickvault--display-name style) style))
                        '("labelled" "values" "oneLine" "markdown" "json" "template")))))
    (unless style (user-error "%s" (quickvault--text "No style was chosen")))
    (apply #'quickvault--copy-card card :style style (quickvault--concealed-option concealed))))

;;; Changing

;;;###autoload
(defun quickvault-toggle-pin (cards)
  "Pin CARDS, the marked ones or the one at point; unpin them if all are pinned."
  (interactive (list (quickvault--read-cards (quickvault--text "Pin or unpin"))))
  (let ((pinned (if (seq-every-p (lambda (card) (eq (plist-get card :pinned) t)) cards) :json-false t)))
    (quickvault--change-cards
     cards
     (lambda (card)
       (quickvault--change card :pinned pinned
                           (lambda (id) (quickvault--request 'card/setPinned (list :id id :pinned pinned))))))))

;;;###autoload
(defun quickvault-add-tags (cards tags)
  "Add TAGS to CARDS, the marked ones or the one at point."
  (interactive (let ((cards (quickvault--read-cards (quickvault--text "Add tags to"))))
                 (list cards (quickvault--read-tags (quickvault--text "Tags to add, separated by commas: ")
                                                    (quickvault--all-tags)))))
  (quickvault--change-cards
   cards
   (lambda (card)
     (quickvault--update card :tags (vconcat (delete-dups (append (plist-get card :tags) tags nil)))))))

;;;###autoload
(defun quickvault-remove-tags (cards tags)
  "Remove TAGS from CARDS, the marked ones or the one at point."
  (interactive (let ((cards (quickvault--read-cards (quickvault--text "Remove tags from"))))
                 (list cards (quickvault--read-tags
                              (quickvault--text "Tags to remove, separated by commas: ")
                              (delete-dups (seq-mapcat (lambda (card) (append (plist-get card :tags) nil)) cards))))))
  (quickvault--change-cards
   cards
   (lambda (card)
     (quickvault--update card :tags (vconcat (seq-remove (lambda (tag) (member tag tags)) (plist-get card :tags)))))))

;;;###autoload
(defun quickvault-set-group (cards group)
  "Move CARDS, the marked ones or the one at point, to GROUP."
  (interactive (let ((cards (quickvault--read-cards (quickvault--text "Set the group of"))))
                 (list cards (or (quickvault--read-choice (quickvault--text "Group") '("personal" "company"))
                                 (user-error "%s" (quickvault--text "No group was chosen"))))))
  (quickvault--change-cards cards (lambda (card) (quickvault--update card :group group))))

;;;###autoload
(defun quickvault-delete (cards)
  "Delete CARDS, the marked ones or the one at point, after asking."
  (interactive (list (quickvault--read-cards (quickvault--text "Delete"))))
  (when (if (cdr cards)
            (quickvault--confirm "Delete %d cards?" (length cards))
          (quickvault--confirm "Delete “%s”?" (plist-get (car cards) :title)))
    (quickvault--change-cards
     cards
     (lambda (card)
       (quickvault--request 'card/delete `(:id ,(plist-get card :id) ,@(quickvault--revision card)))
       (when-let ((page (quickvault--page-buffer (plist-get card :id))))
         (quickvault--discard page))
       (quickvault--restoration card)))
    (quickvault--notify
     (substitute-command-keys
      (quickvault--text "Deleted.  \\<quickvault-list-mode-map>\\[quickvault-undo-delete] restores it until the vault is locked.")))))

;;; Tags

(defun quickvault--all-tags ()
  "Return all tags of the vault, the most used first."
  (mapcar (lambda (tag) (plist-get tag :tag)) (plist-get (quickvault--request 'tag/list) :tags)))

(defun quickvault--read-tags (prompt tags)
  "Read some tags with PROMPT; complete TAGS."
  (quickvault--without-history
    (let ((completion-ignore-case t))
      (or (quickvault--split-tags
           (minibuffer-with-setup-hook #'quickvault--allow-spaces
             (substring-no-properties (completing-read prompt (quickvault--tag-table tags) nil nil nil t))))
          (user-error "%s" (quickvault--text "No tag was given"))))))

(defun quickvault--tag-table (tags)
  "Return a table that completes the last of several tags to one of TAGS."
  (let ((names (mapcar (lambda (tag) (quickvault--as-contents (quickvault--join-tags (list tag)))) tags)))
    (lambda (string predicate action)
      (let ((place (quickvault--last-tag string)))
        (cond ((eq action 'metadata) '(metadata (category . quickvault)))
              ((eq (car-safe action) 'boundaries)
               `(boundaries ,place . ,(or (string-match "[,，、]" (cdr action)) (length (cdr action)))))
              (t (completion-table-with-context (substring string 0 place) names (substring string place)
                                                predicate action)))))))

(provide 'quickvault-actions)
;;; quickvault-actions.el ends here
