;;; quickvault-actions.el --- Commands that act on a card  -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The QuickVault authors

;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; Copying, pinning and deleting.

;;; Code:

(require 'quickvault-card)
(require 'quickvault-clipboard)

;;; Copying

(defun quickvault--copy-card (card &rest options)
  "Copy CARD, or the part of it that OPTIONS, a plist, select.
Show which fields the text does not have."
  (let ((answer (quickvault--request
                 'card/copy `(:id ,(plist-get card :id) ,@options)
                 `(("copy.noTemplate" . ,(lambda (_) (quickvault--copy-by-template card) nil))))))
    (when answer
      (quickvault--copy-text (plist-get answer :text) (plist-get answer :clearAfterSeconds))
      (quickvault--show-left-out (plist-get answer :leftOut)))))

(defun quickvault--show-left-out (fields)
  "Show the names of FIELDS, which a copied text does not have."
  (unless (seq-empty-p fields)
    (quickvault--message
     (concat (quickvault--text "Copied without: %s."
                               (mapconcat (lambda (field) (quickvault--one-line (plist-get field :label)))
                                          fields (quickvault--text ", ")))
             (if (seq-some (lambda (field) (eq (plist-get field :concealed) t)) fields)
                 (quickvault--text "  With a prefix argument, concealed fields are copied too.")
               "")))))

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
  (let* ((whole (quickvault--omit-concealed (quickvault--get-card (plist-get card :id))))
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
    (quickvault--copy-card card :field (or (plist-get field :key) (plist-get field :label)))))

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
(defun quickvault-toggle-pin (card)
  "Pin CARD, or unpin it if it is pinned."
  (interactive (list (quickvault--read-card (quickvault--text "Pin or unpin"))))
  (quickvault--request 'card/setPinned
                       (list :id (plist-get card :id)
                             :pinned (if (eq (plist-get card :pinned) t) :json-false t)))
  (quickvault--refresh-all))

;;;###autoload
(defun quickvault-delete (card)
  "Delete CARD permanently, after asking for confirmation."
  (interactive (list (quickvault--read-card (quickvault--text "Delete"))))
  (when (quickvault--confirm "Delete “%s” permanently?" (plist-get card :title))
    (quickvault--request 'card/delete
                         (append (list :id (plist-get card :id))
                                 ;; Fail if another process has changed the card.
                                 (and (plist-get card :revision)
                                      (list :revision (plist-get card :revision)))))
    (let ((page (quickvault--page-buffer (plist-get card :id))))
      (when page (quickvault--discard page)))
    (quickvault--refresh-all)))

(provide 'quickvault-actions)
;;; quickvault-actions.el ends here
