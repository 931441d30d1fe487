;;; quickvault-concealed.el --- Concealed fields of forms  -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The QuickVault authors

;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; The `:secret' property of wid-edit.el needs replacement characters of the same number of
;; bytes, so it fails with Chinese.  A display property works.  Nobody would see what Emacs
;; adds to what is typed there, so it adds nothing.

;;; Code:

(require 'wid-edit)

(defvar quickvault--widgets)

(defun quickvault--conceal-change (begin end _length)
  "Conceal the input from BEGIN to END if its field is concealed."
  (let ((field (widget-field-at begin)))
    (when (and field (widget-get field :quickvault-concealed))
      (quickvault--conceal begin (min end (widget-field-text-end field))))))

(defun quickvault--conceal (begin end)
  "Display a dot for each character from BEGIN to END."
  (with-silent-modifications
    (while (< begin end)
      ;; Separate strings, because runs of the same object are displayed once.
      (put-text-property begin (1+ begin) 'display (string ?•))
      (setq begin (1+ begin)))))

(defun quickvault--reveal-text (text)
  "Return TEXT, to be killed, without the dots that conceal it."
  ;; The undo list has TEXT itself.
  (let ((text (copy-sequence text)))
    (remove-list-of-text-properties 0 (length text) '(display) text)
    text))

(defun quickvault--form-conceal ()
  "Conceal the values of concealed fields."
  (pcase-dolist (`(,_ . ,widget) quickvault--widgets)
    (when (widget-get widget :quickvault-concealed)
      (quickvault--conceal (widget-field-start widget) (widget-field-text-end widget)))))

(defun quickvault--insert-as-typed (count)
  "Insert the typed character COUNT times, with no pair to it and no abbreviation."
  (interactive "p")
  (let (post-self-insert-hook abbrev-mode)
    (self-insert-command count)))

(put 'quickvault--insert-as-typed 'delete-selection t)

(provide 'quickvault-concealed)
;;; quickvault-concealed.el ends here
