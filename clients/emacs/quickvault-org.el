;;; quickvault-org.el --- Links from Org files to cards  -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The QuickVault authors

;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; A link such as [[quickvault:ID][Office]] opens the page of a card.  Org stores one with
;; `org-store-link' in the list and on a card's page.  A link has the id of the card and
;; nothing of its contents; the description is up to you.  To use it, add to your init file:
;;
;;   (with-eval-after-load 'org (require 'quickvault-org))

;;; Code:

(require 'ol)
(require 'quickvault-lisp)

(defun quickvault-org-open (id &optional _)
  "Show the page of the card ID."
  (quickvault-show (list :id id)))

(defun quickvault-org-store ()
  "Store a link to the card at point or on this page."
  (when-let ((card (quickvault--card-at-point)))
    (org-link-store-props :type "quickvault" :link (concat "quickvault:" (plist-get card :id)))))

(defun quickvault-org-complete (&optional _)
  "Return a link to a card that the user chooses."
  (concat "quickvault:" (plist-get (quickvault--complete-card (quickvault--text "Link to")) :id)))

(org-link-set-parameters "quickvault"
                         :follow #'quickvault-org-open
                         :store #'quickvault-org-store
                         :complete #'quickvault-org-complete)

(provide 'quickvault-org)
;;; quickvault-org.el ends here
