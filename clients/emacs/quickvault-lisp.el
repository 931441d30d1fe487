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

(defun quickvault-get-card (card)
  "Return CARD with all its values, as a property list.
It has the properties :id, :title, :group, :type, :tags, :pinned,
:fields, :extraFields and :attachments.  CARD is a whole title, in any
case, an id or such a list.  Signal a `user-error' if there is no such
card, or several."
  (quickvault--get-card (quickvault--id-of-card card)))

(defun quickvault--id-of-card (card)
  "Return the id of CARD, which is as in `quickvault-get-card'."
  (if (consp card)
      (plist-get card :id)
    (plist-get (plist-get (quickvault--request 'card/resolve (list :name card)) :card) :id)))

(defun quickvault--same-text-p (one other)
  "Return non-nil if ONE and OTHER are equal, ignoring case."
  (eq t (compare-strings one nil nil other nil nil t)))

(defun quickvault--copied (card &optional field handlers)
  "Return the answer of `card/copy' for CARD or its FIELD, without a message.
CARD is as in `quickvault-get-card', HANDLERS as in `quickvault--request'."
  (let ((id (quickvault--id-of-card card)))
    (setq quickvault--unshown-kind "card.copied")
    (quickvault--request 'card/copy `(:id ,id ,@(and field (list :field field))) handlers)))

;;;###autoload
(defun quickvault-get-field (card field)
  "Return the value of FIELD of CARD, or nil if it is empty.
CARD is as in `quickvault-get-card'.  FIELD is a key of the protocol such
as \"phone\", or a label in either language, in any case.  Unlock the
vault if necessary.  The value of a concealed field is returned like any
other."
  (plist-get (quickvault--copied card field
                                 `(("card.fieldNotFound" . ,(lambda (_) (setq quickvault--unshown-kind nil)))))
             :text))

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
  (let ((answer (quickvault--copied card field)))
    (insert (plist-get answer :text))
    (quickvault--show-remarks (quickvault--left-out-text (plist-get answer :leftOut) t))))

(provide 'quickvault-lisp)
;;; quickvault-lisp.el ends here
