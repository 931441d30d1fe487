;;; quickvault-transient.el --- A menu of the commands by transient  -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The QuickVault authors

;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; The menu shows the keys of the list and of cards' pages that work in the current
;; buffer, and commands on the whole vault that have no key.

;;; Code:

(require 'transient)
(require 'quickvault)

(defun quickvault--heading (column texts)
  "Return the heading COLUMN above TEXTS.
It has at least as many characters as each of TEXTS has columns, which
transient takes to be the same."
  (string-pad (quickvault--text column)
              (apply #'max (mapcar (lambda (text) (+ 2 (string-width (quickvault--text text)))) texts))))

(defmacro quickvault--define-dispatch (name documentation)
  "Define the menu NAME with DOCUMENTATION, with what the tables of commands have."
  (declare (indent 1))
  (let ((own (append (mapcar (pcase-lambda (`(,key ,command ,text ,column)) (list column key command text))
                             (seq-remove (lambda (entry) (member (car entry) '("RET" "g" "h" "q"))) quickvault--keys))
                     (cl-loop for (command text _ key) in quickvault--commands
                              when key collect (list "Vault" key command text)))))
    `(transient-define-prefix ,name () ,documentation
       [,@(mapcar (lambda (column)
                    (vconcat (list :description `(lambda ()
                                                   (quickvault--heading ,column
                                                                        ',(cl-loop for (its _ _ short) in own
                                                                                   when (equal its column) collect short))))
                             (cl-loop for (its key command short) in own
                                      when (equal its column)
                                      collect `(,key (lambda () (quickvault--text ,short)) ,command
                                                     :if (lambda () (quickvault--works-here-p ',command))))))
                  '("Card" "List" "Attachments" "Vault"))])))

;;;###autoload (autoload 'quickvault-dispatch "quickvault-transient" nil t)
(quickvault--define-dispatch quickvault-dispatch
  "Show a menu of the commands that work here.")

(provide 'quickvault-transient)
;;; quickvault-transient.el ends here
