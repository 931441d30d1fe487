;;; quickvault.el --- Encrypted cards, a keystroke away  -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The QuickVault authors

;; SPDX-License-Identifier: Apache-2.0

;; Author: The QuickVault authors
;; Version: 0.1.0
;; Package-Requires: ((emacs "27.1") (jsonrpc "1.0.9"))
;; Keywords: convenience, tools, data

;;; Commentary:

;; QuickVault keeps addresses, invoice details and notes encrypted, and hands them
;; over in a keystroke.  M-x quickvault lists the cards and leads a new user through
;; the first run; M-x quickvault-copy copies one from anywhere.
;;
;; It needs the program `quickvault', which it starts when it is first asked.

;;; Code:

(require 'easymenu)
(require 'quickvault-actions)
(require 'quickvault-picture)
(require 'quickvault-edit)
(require 'quickvault-moving)
(require 'quickvault-search)
(require 'quickvault-settings)

;;;###autoload
(defun quickvault ()
  "List the cards of the vault; unlock or create it first if need be."
  (interactive)
  (pop-to-buffer-same-window (quickvault--list-buffer)))

;;; Keys

(defconst quickvault--keys
  '(("RET" quickvault-show "Show the card")
    ("w" quickvault-copy "Copy the card")
    ("f" quickvault-copy-field "Copy a field")
    ("W" quickvault-copy-as "Copy the card in another style")
    ("v" quickvault-reveal "Show or hide what is concealed (on a card's page)")
    ("c" quickvault-create "Create a card")
    ("e" quickvault-edit "Edit the card")
    ("d" quickvault-delete "Delete the card")
    ("P" quickvault-toggle-pin "Pin the card, or let it go")
    ("A" quickvault-attach "Attach files to the card; C-u with a watermark")
    ("V" quickvault-view-attachment "Show an attachment")
    ("x" quickvault-export-attachment "Write an attachment to a file; C-u asks how")
    ("m" quickvault-mail-attachment "Mail an attachment")
    ("M" quickvault-set-watermark "Set the watermark of an attachment, or take it off")
    ("D" quickvault-delete-attachment "Delete an attachment")
    ("/" quickvault-search "Search while typing")
    ("t" quickvault-narrow-tag "Only cards with a tag")
    ("G" quickvault-narrow-group "Only cards of a group")
    ("T" quickvault-narrow-type "Only cards of a type")
    ("a" quickvault-show-all "All cards again")
    ("+" quickvault-more "Read more cards")
    ("g" revert-buffer "Read the list or the page again")
    ("L" quickvault-lock "Lock the vault now")
    ("," quickvault-settings "Settings of the vault")
    ("E" quickvault-events "What happened to the lock")
    ("?" quickvault-help "Help")
    ("q" quit-window "Leave the buffer"))
  "Keys, commands, and what they do, in the list; most hold on a card's page too.")

(defconst quickvault--commands
  '((quickvault-change-password "Change the master password")
    (quickvault-enable-fingerprint "Unlock with a finger on this device")
    (quickvault-disable-fingerprint "Unlock with the password alone again")
    (quickvault-fingerprint-status "Whether a finger can unlock it here")
    (quickvault-devices "Devices whose fingers unlock the vault")
    (quickvault-import "Import cards from a file")
    (quickvault-export "Write all cards to a file")
    (quickvault-backup "Make a backup of the vault")
    (quickvault-merge "Merge another copy of this vault")
    (quickvault-verify "Check the whole vault")
    (quickvault-repair "Mend a damaged vault")
    (quickvault-demo "Try everything with sample cards")
    (quickvault-doctor "What is there, and what is amiss")
    (quickvault-delete-vault "Delete the vault for good"))
  "Commands without keys, and what they do.")

(defconst quickvault--list-keys '("/" "t" "G" "T" "a" "+")
  "The keys that make sense in the list only.")

(pcase-dolist (`(,key ,command ,_) quickvault--keys)
  (define-key quickvault-list-mode-map (kbd key) command)
  ;; On a card's page, RET presses the button at point.
  (unless (member key (cons "RET" quickvault--list-keys))
    (define-key quickvault-card-mode-map (kbd key) command)))

(defun quickvault-help ()
  "Show the keys."
  (interactive)
  (with-help-window "*QuickVault help*"
    (with-current-buffer standard-output
      (pcase-dolist (`(,key ,_ ,does) quickvault--keys)
        (insert (format "%-6s %s\n" key (quickvault--text does))))
      (insert "\n")
      (pcase-dolist (`(,command ,does) quickvault--commands)
        (insert (format "M-x %-28s %s\n" command (quickvault--text does)))))))

(easy-menu-define quickvault-menu (list quickvault-list-mode-map quickvault-card-mode-map)
  "Menu of the list and of a card's page."
  (cons "QuickVault"
        (append (mapcar (lambda (entry) `[(quickvault--text ,(nth 2 entry)) ,(nth 1 entry)]) quickvault--keys)
                '("--")
                (mapcar (lambda (entry) `[(quickvault--text ,(nth 1 entry)) ,(nth 0 entry)])
                        quickvault--commands))))

(provide 'quickvault)
;;; quickvault.el ends here
