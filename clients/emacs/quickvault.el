;;; quickvault.el --- Encrypted vault for text you paste often  -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The QuickVault authors

;; SPDX-License-Identifier: Apache-2.0

;; Author: The QuickVault authors
;; Version: 0.2.0
;; Package-Requires: ((emacs "28.1") (jsonrpc "1.0.9"))
;; Keywords: convenience, tools, data

;;; Commentary:

;; QuickVault keeps addresses, invoice details and notes encrypted, and copies them
;; with a keystroke.  M-x quickvault lists the cards; the first time, it helps you
;; create a vault.  M-x quickvault-copy copies a card from any buffer.
;;
;; The package needs the program `quickvault' and starts it on first use.

;;; Code:

(require 'easymenu)
(require 'quickvault-actions)
(require 'quickvault-filter)
(require 'quickvault-marks)
(require 'quickvault-viewer)
(require 'quickvault-conflicts)
(require 'quickvault-damage)
(require 'quickvault-deletion)
(require 'quickvault-doctor)
(require 'quickvault-edit)
(require 'quickvault-evil)
(require 'quickvault-lisp)
(require 'quickvault-transfer)
(require 'quickvault-search)
(require 'quickvault-settings)
(require 'quickvault-sign-in)
(require 'quickvault-sync)

;;;###autoload
(defun quickvault ()
  "List the cards of the vault; unlock or create it first if necessary."
  (interactive)
  (pop-to-buffer-same-window (quickvault--list-buffer)))

(autoload 'quickvault-dispatch "quickvault-transient" nil t)
(autoload 'quickvault-consult "quickvault-consult" nil t)
(autoload 'quickvault-consult-copy "quickvault-consult" nil t)

;;; Keys

(defconst quickvault--keys
  '(("RET" quickvault-show "Show the card")
    ("o" quickvault-show-other-window "Show the card on a page of its own, in another window")
    ("w" quickvault-copy "Copy the card")
    ("f" quickvault-copy-field "Copy a field")
    ("W" quickvault-copy-as "Copy the card in another style")
    ("v" quickvault-reveal "Show or hide concealed values (on a card's page)")
    ("c" quickvault-create "Create a card")
    ("e" quickvault-edit "Edit the card")
    ("d" quickvault-delete "Delete the card")
    ("z" quickvault-undo-delete "Restore the cards that were deleted last, until the vault is locked")
    ("P" quickvault-toggle-pin "Pin or unpin the card")
    ("+" quickvault-add-tags "Add tags to the card")
    ("-" quickvault-remove-tags "Remove tags from the card")
    ("r" quickvault-set-group "Move the card to another group")
    ("X" quickvault-export-cards "Export the card to a file that is not encrypted")
    ("m" quickvault-mark "Mark the card")
    ("u" quickvault-unmark "Unmark the card")
    ("U" quickvault-unmark-all "Unmark all cards")
    ("t" quickvault-toggle-marks "Mark the unmarked cards, and unmark the others")
    ("A" quickvault-attach "Attach files to the card; a picture can get a watermark")
    ("V" quickvault-view-attachment "Show an attachment")
    ("x" quickvault-export-attachment "Export an attachment to a file; with C-u, ask for options")
    ("@" quickvault-mail-attachment "Mail an attachment")
    ("M" quickvault-set-watermark "Set or remove the watermark of an attachment")
    ("D" quickvault-delete-attachment "Delete an attachment")
    ("/" quickvault-search "Search as you type")
    ("#" quickvault-narrow-tag "Show only the cards with one tag")
    ("G" quickvault-narrow-group "Show only the cards of one group")
    ("T" quickvault-narrow-type "Show only the cards of one type")
    ("a" quickvault-show-all "Show all cards")
    ("S" quickvault-sort "Sort by the column at point")
    ("g" revert-buffer "Refresh the list or the page")
    ("L" quickvault-lock "Lock the vault now")
    ("," quickvault-settings "Settings of the vault")
    ("E" quickvault-events "Show the lock and unlock history")
    ("h" quickvault-dispatch "Show a menu of the commands that work here")
    ("?" quickvault-help "Help")
    ("q" quit-window "Close the buffer"))
  "Keys of the list, with their commands and descriptions.
All but `quickvault--list-keys' also work on a card's page.")

(defconst quickvault--commands
  '((quickvault-drafts "Continue a form that was not saved before a lock")
    (quickvault-revoke-program "End the access of another program to the shared vault")
    (quickvault-change-password "Change the master password")
    (quickvault-enable-fingerprint "Turn on fingerprint unlock on this device")
    (quickvault-disable-fingerprint "Turn off fingerprint unlock on this device")
    (quickvault-fingerprint-status "Show whether fingerprint unlock works here")
    (quickvault-devices "List the devices bound to the vault")
    (quickvault-import "Import cards from a file")
    (quickvault-export "Export all cards to a file")
    (quickvault-backup "Make a backup of the vault")
    (quickvault-merge "Merge another copy of this vault")
    (quickvault-sync "Synchronise the vault with other machines")
    (quickvault-sync-join "Create the vault from one that another machine synchronises")
    (quickvault-account "Have a server carry the folder between machines")
    (quickvault-privacy "Show what leaves this machine, and who learns what")
    (quickvault-conflicts "Resolve cards that exist in two versions")
    (quickvault-verify "Check the whole vault")
    (quickvault-repair "Repair a damaged vault")
    (quickvault-demo "Try QuickVault with sample cards")
    (quickvault-doctor "Check what works here and what is missing")
    (quickvault-report-bug "Show versions, problems and the last errors for a bug report")
    (quickvault-delete-vault "Delete the vault permanently"))
  "Commands without keys, and their descriptions.")

(defconst quickvault--list-keys '("/" "#" "G" "T" "a" "m" "u" "U" "t" "S")
  "Keys that work in the list only.")

(pcase-dolist (`(,key ,command ,_) quickvault--keys)
  (define-key quickvault-list-mode-map (kbd key) command)
  ;; On a card's page, RET presses the button at point.
  (unless (member key (cons "RET" quickvault--list-keys))
    (define-key quickvault-card-mode-map (kbd key) command)))

(dolist (map (list quickvault-list-mode-map quickvault-card-mode-map))
  (define-key map [remap undo] #'quickvault-undo))

;;;###autoload (autoload 'quickvault-map "quickvault" nil nil 'keymap)
(defvar quickvault-map
  (let ((map (make-sparse-keymap)))
    (pcase-dolist (`(,key . ,command) '(("q" . quickvault) ("w" . quickvault-copy) ("f" . quickvault-copy-field)
                                        ("W" . quickvault-copy-as) ("i" . quickvault-insert) ("s" . quickvault-search)
                                        ("c" . quickvault-create) ("e" . quickvault-edit) ("u" . quickvault-unlock)
                                        ("L" . quickvault-lock) ("," . quickvault-settings) ("?" . quickvault-help)))
      (define-key map (kbd key) command))
    map)
  "Keymap of the commands that work in any buffer; bind it to a prefix key.")

(fset 'quickvault-map quickvault-map)

(defun quickvault-help ()
  "Describe the keys and commands."
  (interactive)
  (with-help-window "*QuickVault help*"
    (with-current-buffer standard-output
      (pcase-dolist (`(,_ ,command ,description) quickvault--keys)
        (insert (format "%-6s %s\n"
                        (substitute-command-keys (format "\\<quickvault-list-mode-map>\\[%s]" command))
                        (quickvault--text description))))
      (insert "\n")
      (pcase-dolist (`(,command ,description) quickvault--commands)
        (insert (format "M-x %-28s %s\n" command (quickvault--text description)))))))

(defun quickvault--works-here-p (command)
  "Return non-nil if COMMAND works in the current buffer's mode."
  (or (null (command-modes command))
      (apply #'derived-mode-p (command-modes command))))

(easy-menu-define quickvault-menu (list quickvault-list-mode-map quickvault-card-mode-map)
  "Menu of the list and of card pages."
  (cons "QuickVault"
        (append (mapcar (lambda (entry)
                          `[(quickvault--text ,(nth 2 entry)) ,(nth 1 entry)
                            :visible (quickvault--works-here-p ',(nth 1 entry))])
                        quickvault--keys)
                '("--")
                (mapcar (lambda (entry) `[(quickvault--text ,(nth 1 entry)) ,(nth 0 entry)])
                        quickvault--commands))))

(provide 'quickvault)
;;; quickvault.el ends here
