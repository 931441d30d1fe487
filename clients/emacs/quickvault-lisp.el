;;; quickvault-lisp.el --- Cards for other Lisp programs  -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The QuickVault authors

;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; Functions for init files, snippets and other packages.  Their names and arguments stay
;; the same between versions:
;;
;;   (quickvault-with-unlocked BODY...)      unlock the vault and evaluate BODY
;;   (quickvault-get-field "Office" "phone") return a value
;;   (quickvault-insert "Office")            insert a card or one of its fields
;;   (quickvault-search "office" CALLBACK)   search in the background
;;
;; A card is named by its title, by its id, or by the property list that a search gives.

;;; Code:

(require 'quickvault-actions)

(defmacro quickvault-with-unlocked (&rest body)
  "Unlock the vault, or create it if there is none; then evaluate BODY."
  (declare (indent 0) (debug t))
  `(progn (quickvault--ensure-unlocked)
          ,@body))

(defconst quickvault--id-regexp
  "\\`[[:xdigit:]]\\{8\\}-\\(?:[[:xdigit:]]\\{4\\}-\\)\\{3\\}[[:xdigit:]]\\{12\\}\\'"
  "Regular expression for the id of a card.")

(defun quickvault-get-card (card)
  "Return CARD with all its values, as a property list.
It has the properties :id, :title, :group, :type, :tags, :pinned,
:fields, :extraFields and :attachments.  CARD is a title, an id or such a
list.  Signal a `user-error' if there is no such card, or several."
  (quickvault--get-card
   (cond ((consp card) (plist-get card :id))
         ((string-match-p quickvault--id-regexp card) card)
         (t (quickvault--id-of-title card)))))

(defun quickvault--same-text-p (one other)
  "Return non-nil if ONE and OTHER are equal, ignoring case."
  (eq t (compare-strings one nil nil other nil nil t)))

(defun quickvault--id-of-title (title)
  "Return the id of the card with TITLE; case does not matter."
  (let* ((query (format "title:\"%s\"" (replace-regexp-in-string "[\"“”＂]" " " title)))
         (cards (seq-filter (lambda (card) (quickvault--same-text-p (plist-get card :title) title))
                            (mapcar (lambda (item) (plist-get item :card))
                                    (plist-get (quickvault--request 'card/search (list :query query :limit 1000))
                                               :items)))))
    (cond ((null cards) (user-error "%s" (quickvault--text "No card has the title “%s”" title)))
          ((cdr cards) (user-error "%s" (quickvault--text "Several cards have the title “%s”" title)))
          (t (plist-get (car cards) :id)))))

;;;###autoload
(defun quickvault-get-field (card field)
  "Return the value of FIELD of CARD, or nil if it is empty.
CARD is as in `quickvault-get-card'.  FIELD is a key of the protocol such
as \"phone\", or a label.  Unlock the vault if necessary.  The value of a
concealed field is returned like any other."
  (let ((card (quickvault-get-card card)))
    (plist-get (seq-find (lambda (one)
                           (or (equal field (plist-get one :key))
                               (quickvault--same-text-p field (plist-get one :label))))
                         (append (plist-get card :fields) (plist-get card :extraFields) nil))
               :value)))

;;;###autoload
(defun quickvault-insert (card &optional field)
  "Insert CARD at point, or the value of FIELD if that is non-nil.
CARD and FIELD are as in `quickvault-get-field'.  Interactively, with a
prefix argument, ask for the field.  The text stays in the buffer when
the vault locks.  A whole card is inserted without its concealed fields,
and a message names them."
  (interactive
   (progn
     (barf-if-buffer-read-only)
     (let ((card (quickvault--complete-card (quickvault--text "Insert"))))
       (list card (and current-prefix-arg (quickvault--read-field card))))))
  (let ((id (plist-get (quickvault-get-card card) :id)))
    (setq quickvault--unshown-kind "card.copied")
    (let ((answer (quickvault--request 'card/copy `(:id ,id ,@(and field (list :field field))))))
      (insert (plist-get answer :text))
      (quickvault--show-remarks (quickvault--left-out-text (plist-get answer :leftOut) t)))))

(provide 'quickvault-lisp)
;;; quickvault-lisp.el ends here
