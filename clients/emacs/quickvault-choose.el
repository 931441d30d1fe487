;;; quickvault-choose.el --- Choosing a card in the minibuffer  -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The QuickVault authors

;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; The program finds the titles: by any part of them, by several, and by pinyin.  The
;; completion style `quickvault' offers what it finds, also where that does not have what
;; was typed.

;;; Code:

(require 'quickvault-session)

(defvar quickvault-embark-map
  (let ((map (make-sparse-keymap)))
    (pcase-dolist (`(,key . ,command) '(("RET" . quickvault-show) ("w" . quickvault-copy) ("f" . quickvault-copy-field)
                                        ("W" . quickvault-copy-as) ("i" . quickvault-insert) ("e" . quickvault-edit)
                                        ("P" . quickvault-toggle-pin) ("d" . quickvault-delete)))
      (define-key map (kbd key) command))
    map)
  "Keymap of actions on a card that is being completed, for Embark.")

(add-to-list 'completion-styles-alist
             '(quickvault quickvault--try-found quickvault--all-found "What the vault finds."))
(add-to-list 'completion-category-defaults '(quickvault-card (styles quickvault)))

(defun quickvault--all-found (string table predicate _point)
  "Return all completions of STRING in TABLE that satisfy PREDICATE."
  (all-completions string table predicate))

(defun quickvault--try-found (string table predicate point)
  "Complete STRING, with point at POINT, to what TABLE has for PREDICATE."
  (when-let ((all (all-completions string table predicate)))
    (let ((common (try-completion "" all)))
      (cond ((equal all (list string)) t)
            ((or (null (cdr all)) (string-prefix-p string common t)) (cons common (length common)))
            (t (cons string point))))))

(defun quickvault--complete-card (prompt)
  "Read a card with PROMPT."
  (quickvault--ensure-unlocked)
  (when (boundp 'embark-keymap-alist)
    (add-to-list 'embark-keymap-alist '(quickvault-card . quickvault-embark-map)))
  (let* ((known (make-hash-table :test #'equal))
         (name (quickvault--without-history
                 (minibuffer-with-setup-hook #'quickvault--allow-spaces
                   (completing-read (quickvault--text "%s: " prompt) (quickvault--card-table known) nil t nil t)))))
    (or (gethash name known)
        ;; Embark leaves the minibuffer without a look at the table.
        (and (not (string-empty-p name)) (cdr (assoc name (quickvault--find-titles name))))
        (user-error "%s" (quickvault--text "No card was chosen")))))

(defun quickvault--card-table (known)
  "Return a completion table of titles.
It puts those that it finds with their cards into KNOWN, a hash table."
  (let (asked found)
    (lambda (string predicate action)
      (if (eq action 'metadata)
          `(metadata (category . quickvault-card)
                     (display-sort-function . identity)
                     (cycle-sort-function . identity)
                     (affixation-function
                      . ,(lambda (names)
                           (quickvault--affixed names (lambda (name) (quickvault--describe-card (gethash name known)))))))
        (unless (or (equal string asked) (eq (car-safe action) 'boundaries))
          (setq found (quickvault--find-titles string)
                asked string)
          (pcase-dolist (`(,name . ,card) found) (puthash name card known)))
        (pcase action
          ('t (seq-filter (or predicate #'identity) (mapcar #'car found)))
          ('lambda (and (gethash string known) t))
          ('nil (quickvault--try-found string (mapcar #'car found) predicate (length string))))))))

(defun quickvault--find-titles (string)
  "Return an alist of the titles that have all words of STRING, and their cards.
Titles that occur again have a number."
  (let ((found (quickvault--named-cards string)))
    (if (or found (not (string-match " ([0-9]+)\\'" string)))
        found
      (seq-filter (lambda (candidate) (string-prefix-p string (car candidate) t))
                  (quickvault--named-cards (substring string 0 (match-beginning 0)))))))

(defun quickvault--named-cards (string)
  "Return an alist of different names of cards that have the words of STRING."
  (let ((words (split-string string "[ \t　\"“”＂]+" t)))
    (mapcar (pcase-lambda (`(,name . ,card)) (cons (quickvault--as-contents name) card))
            (quickvault--with-different-names
             (quickvault--title-alist
              ;; The vault may be locked meanwhile.
              (condition-case nil
                  (mapcar (lambda (item) (or (plist-get item :card) item))
                          (plist-get (if words
                                         (quickvault--call 'card/search
                                                           (list :limit 1000
                                                                 :query (mapconcat (lambda (word) (format "title:\"%s\"" word))
                                                                                   words " ")))
                                       (quickvault--call 'card/list '(:limit 1000)))
                                     :items))
                (jsonrpc-error nil)))))))

(defun quickvault--title-alist (cards)
  "Return an alist of titles and CARDS."
  (mapcar (lambda (card) (cons (quickvault--one-line (plist-get card :title)) card)) cards))

(provide 'quickvault-choose)
;;; quickvault-choose.el ends here
