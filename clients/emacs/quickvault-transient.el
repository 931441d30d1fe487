;;; quickvault-transient.el --- A menu of the commands by transient  -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The QuickVault authors

;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; The menu shows the keys of the list and of cards' pages that work in the current
;; buffer, and commands on the whole vault that have no key.

;;; Code:

(require 'transient)
(require 'quickvault)

(defmacro quickvault--define-dispatch (name documentation &rest groups)
  "Define the menu NAME with DOCUMENTATION and GROUPS.
A group is a list of a heading, an expression, and of commands; a command
without a key of its own is a list of a key and the command."
  (declare (indent 1))
  (let ((columns
         (mapcar
          (lambda (group)
            (vconcat
             (list :description `(lambda () ,(car group)))
             (mapcar (lambda (entry)
                       (let* ((command (if (consp entry) (cadr entry) entry))
                              (own (seq-find (lambda (one) (eq command (cadr one))) quickvault--keys))
                              (description (or (nth 2 own) (cadr (assq command quickvault--commands)))))
                         `(,(if (consp entry) (car entry) (car own))
                           (lambda () (quickvault--text ,description))
                           ,command
                           :if (lambda () (quickvault--works-here-p ',command)))))
                     (cdr group))))
          groups)))
    `(transient-define-prefix ,name () ,documentation ,@(mapcar (lambda (column) (vector column)) columns))))

;;;###autoload (autoload 'quickvault-dispatch "quickvault-transient" nil t)
(quickvault--define-dispatch quickvault-dispatch
  "Show a menu of the commands that work here."
  ((quickvault--text "Card") quickvault-show-other-window quickvault-copy quickvault-copy-field quickvault-copy-as quickvault-reveal
   quickvault-create quickvault-edit quickvault-delete quickvault-undo-delete quickvault-toggle-pin
   quickvault-add-tags quickvault-remove-tags quickvault-set-group quickvault-export-cards)
  ((quickvault--text "Attachments") quickvault-attach quickvault-view-attachment quickvault-export-attachment
   quickvault-mail-attachment quickvault-set-watermark quickvault-delete-attachment)
  ((quickvault--text "List") quickvault-search quickvault-narrow-tag quickvault-narrow-group quickvault-narrow-type
   quickvault-show-all quickvault-sort quickvault-mark quickvault-unmark quickvault-unmark-all
   quickvault-toggle-marks)
  ((quickvault--text "Vault") quickvault-lock quickvault-settings quickvault-events ("I" quickvault-import)
   ("O" quickvault-export) ("B" quickvault-backup) ("Y" quickvault-sync) ("N" quickvault-account) ("C" quickvault-verify) quickvault-help))

(provide 'quickvault-transient)
;;; quickvault-transient.el ends here
