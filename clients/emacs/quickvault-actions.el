;;; quickvault-actions.el --- What is done with a card  -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The QuickVault authors

;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; Copying, pinning and deleting.

;;; Code:

(require 'quickvault-card)
(require 'quickvault-copy)

;;; Copying

(defun quickvault--copy (card &rest how)
  "Copy CARD, or a part of it, by the parameters HOW."
  (let ((answer (quickvault--request
                 'card/copy `(:id ,(plist-get card :id) ,@how)
                 `(("copy.noTemplate" . ,(lambda (_) (quickvault--copy-by-template card) nil))))))
    (when answer
      (quickvault--put (plist-get answer :text) (plist-get answer :clearAfterSeconds)))))

(defun quickvault--copy-by-template (card)
  "Read a template and copy CARD by it."
  (quickvault--copy card :template
                    (quickvault--without-trace
                      (read-string (quickvault--text "Template, with field keys in braces: ") nil t))))

;;;###autoload
(defun quickvault-copy (card)
  "Copy the whole of CARD."
  (interactive (list (quickvault--read-card (quickvault--text "Copy"))))
  (quickvault--copy card))

;;;###autoload
(defun quickvault-copy-field (card)
  "Copy one field of CARD."
  (interactive (list (quickvault--read-card (quickvault--text "Copy a field of"))))
  (let* ((whole (quickvault--without-concealed (quickvault--get (plist-get card :id))))
         (fields (append (plist-get whole :fields) (plist-get whole :extraFields)
                         (list (list :key "title" :label (quickvault--text "Title")
                                     :value (plist-get whole :title)))))
         (field (quickvault--complete
                 (quickvault--text "Field")
                 (mapcar (lambda (field) (cons (plist-get field :label) field)) fields)
                 (lambda (field)
                   (truncate-string-to-width
                    (quickvault--one-line (or (plist-get field :value) (quickvault--text "•••••••• (concealed)")))
                    50 nil nil t)))))
    (unless field (user-error "%s" (quickvault--text "No field was chosen")))
    (quickvault--copy card :field (or (plist-get field :key) (plist-get field :label)))))

;;;###autoload
(defun quickvault-copy-as (card)
  "Copy CARD in a style of one's choice."
  (interactive (list (quickvault--read-card (quickvault--text "Copy"))))
  (let ((style (quickvault--complete
                (quickvault--text "As")
                (mapcar (lambda (style) (cons (quickvault--name-of style) style))
                        '("labelled" "values" "oneLine" "markdown" "json" "template")))))
    (unless style (user-error "%s" (quickvault--text "No style was chosen")))
    (quickvault--copy card :style style)))

;;; Changing

;;;###autoload
(defun quickvault-toggle-pin (card)
  "Pin CARD, or let it go."
  (interactive (list (quickvault--read-card (quickvault--text "Pin or unpin"))))
  (quickvault--request 'card/setPinned
                       (list :id (plist-get card :id)
                             :pinned (if (eq (plist-get card :pinned) t) :json-false t)))
  (quickvault--refresh-all))

;;;###autoload
(defun quickvault-delete (card)
  "Delete CARD for good, after a question."
  (interactive (list (quickvault--read-card (quickvault--text "Delete"))))
  (when (quickvault--confirm "Delete “%s” for good?" (plist-get card :title))
    (quickvault--request 'card/delete
                         (append (list :id (plist-get card :id))
                                 ;; What another process changed meanwhile is not deleted unseen.
                                 (and (plist-get card :revision)
                                      (list :revision (plist-get card :revision)))))
    (let ((page (quickvault--page-of (plist-get card :id))))
      (when page (quickvault--discard page)))
    (quickvault--refresh-all)))

(provide 'quickvault-actions)
;;; quickvault-actions.el ends here
