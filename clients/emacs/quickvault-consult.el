;;; quickvault-consult.el --- Search all cards with Consult  -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The QuickVault authors

;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; Commands that search all values of all cards while you type, in the manner of
;; `consult-grep': the program searches, and nothing is loaded before.  They need the
;; package Consult, which is loaded by the first of them.

;;; Code:

(require 'quickvault-lisp)

(defvar consult-async-min-input)

(declare-function consult--read "ext:consult")
(declare-function consult--dynamic-collection "ext:consult")

;;;###autoload
(defun quickvault-consult (card)
  "Search all cards as you type, and show the page of CARD, the chosen one."
  (interactive (list (quickvault--consult-card (quickvault--text "Show"))))
  (quickvault-show card))

;;;###autoload
(defun quickvault-consult-copy (card &optional concealed)
  "Search all cards as you type, and copy CARD, the chosen one.
With a prefix argument, or if CONCEALED is non-nil, copy concealed fields
too."
  (interactive (list (quickvault--consult-card (quickvault--text "Copy")) current-prefix-arg))
  (quickvault-copy card concealed))

(defun quickvault--consult-card (prompt)
  "Search all cards with PROMPT, and return the chosen one."
  (unless (require 'consult nil t)
    (user-error "%s" (quickvault--text "This command needs the package Consult")))
  (quickvault--ensure-unlocked)
  (or (quickvault--without-history
       (quickvault--consult-read prompt))
      (user-error "%s" (quickvault--text "No card was chosen"))))

(defun quickvault--consult-read (prompt)
  "Search all cards with PROMPT, and return the chosen one or nil."
  ;; A word of Chinese may have one character.
  (let ((consult-async-min-input 1))
    (consult--read (consult--dynamic-collection #'quickvault--consult-find)
                   :prompt (quickvault--text "%s: " prompt)
                   ;; The numbers of equal titles are those of this search, so that
                   ;; the actions for other completions of titles are not offered.
                   :category 'quickvault
                   :sort nil
                   :require-match t
                   :annotate #'quickvault--consult-annotate
                   :lookup #'quickvault--consult-lookup)))

(defun quickvault--consult-find (query)
  "Return the titles of the cards that match QUERY, each with its card."
  (mapcar (pcase-lambda (`(,title . ,card))
            (propertize (quickvault--as-contents title) 'quickvault-card card))
          (quickvault--with-different-names
           (quickvault--title-alist
            (mapcar (lambda (hit) (plist-get hit :card))
                    (condition-case nil
                        (plist-get (quickvault--call 'card/search
                                                     (list :query query :limit quickvault-page-size))
                                   :items)
                      ;; The query is not complete yet, or the vault was locked meanwhile.
                      (jsonrpc-error nil)))))))

(defun quickvault--consult-annotate (title)
  "Return a description of the card with TITLE."
  (quickvault--as-contents
   (concat "  " (quickvault--describe-card (get-text-property 0 'quickvault-card title)))))

(defun quickvault--consult-lookup (title titles &rest _)
  "Return the card with TITLE, which is one of TITLES, or nil."
  (when-let ((found (car (member title titles))))
    (get-text-property 0 'quickvault-card found)))

(provide 'quickvault-consult)
;;; quickvault-consult.el ends here
