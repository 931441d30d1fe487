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
(require 'quickvault-commands)
(require 'quickvault-conflicts)
(require 'quickvault-edit)
(require 'quickvault-lisp)
(require 'quickvault-qv)
(require 'quickvault-transfer)
(require 'quickvault-search)
(require 'quickvault-settings)

;;;###autoload
(defun quickvault ()
  "List the cards of the vault; unlock or create it first if necessary."
  (interactive)
  (pop-to-buffer-same-window (quickvault--list-buffer)))

(defun quickvault--load-evil ()
  "Load what Evil needs."
  (require 'quickvault-evil))

(if (featurep 'evil) (quickvault--load-evil) (add-hook 'evil-mode-hook #'quickvault--load-evil))

(autoload 'quickvault-dispatch "quickvault-transient" nil t)
(autoload 'quickvault-consult "quickvault-consult" nil t)
(autoload 'quickvault-consult-copy "quickvault-consult" nil t)

;;; Keys

(defconst quickvault--keys
  '(("RET" quickvault-show "Show the card")
    ("o" quickvault-show-other-window "Show the card on a page of its own, in another window" "Card" "other window")
    ("w" quickvault-copy "Copy the card" "Card" "copy")
    ("f" quickvault-copy-field "Copy a field" "Card" "copy a field")
    ("W" quickvault-copy-as "Copy the card in another style" "Card" "copy in a style")
    ("v" quickvault-reveal "Show or hide concealed values (on a card's page)" "Card" "show concealed")
    ("c" quickvault-create "Create a card" "Card" "create")
    ("e" quickvault-edit "Edit the card" "Card" "edit")
    ("d" quickvault-delete "Delete the card" "Card" "delete")
    ("z" quickvault-undo-delete "Restore the cards that were deleted last, until the vault is locked" "Card" "restore deleted")
    ("P" quickvault-toggle-pin "Pin or unpin the card" "Card" "pin or unpin")
    ("+" quickvault-add-tags "Add tags to the card" "Card" "add tags")
    ("-" quickvault-remove-tags "Remove tags from the card" "Card" "remove tags")
    ("r" quickvault-set-group "Move the card to another group" "Card" "move to group")
    ("X" quickvault-export-cards "Export the card to a file that is not encrypted" "Card" "export")
    ("m" quickvault-mark "Mark the card" "List" "mark")
    ("u" quickvault-unmark "Unmark the card" "List" "unmark")
    ("U" quickvault-unmark-all "Unmark all cards" "List" "unmark all")
    ("t" quickvault-toggle-marks "Mark the unmarked cards, and unmark the others" "List" "toggle marks")
    ("A" quickvault-attach "Attach files to the card; a picture can get a watermark" "Attachments" "attach files")
    ("V" quickvault-view-attachment "Show an attachment" "Attachments" "show")
    ("x" quickvault-export-attachment "Export an attachment to a file; with C-u, ask for options" "Attachments" "export to a file")
    ("@" quickvault-mail-attachment "Mail an attachment" "Attachments" "mail")
    ("M" quickvault-set-watermark "Set or remove the watermark of an attachment" "Attachments" "watermark")
    ("D" quickvault-delete-attachment "Delete an attachment" "Attachments" "delete")
    ("/" quickvault-search "Search as you type" "List" "search")
    ("#" quickvault-narrow-tag "Show only the cards with one tag" "List" "one tag")
    ("G" quickvault-narrow-group "Show only the cards of one group" "List" "one group")
    ("T" quickvault-narrow-type "Show only the cards of one type" "List" "one type")
    ("a" quickvault-show-all "Show all cards" "List" "show all")
    ("S" quickvault-sort "Sort by the column at point" "List" "sort")
    ("g" revert-buffer "Refresh the list or the page")
    ("L" quickvault-lock "Lock the vault now" "Vault" "lock")
    ("," quickvault-settings "Settings of the vault" "Vault" "settings")
    ("E" quickvault-events "Show the lock and unlock history" "Vault" "lock history")
    ("h" quickvault-dispatch "Show a menu of the commands that work here")
    ("?" quickvault-help "Help" "Vault" "help")
    ("q" quit-window "Close the buffer"))
  "Keys of the list, with their commands and descriptions.
Those in the menu `quickvault-dispatch' have its column there and a
short description, too.
All but `quickvault--list-keys' also work on a card's page.")

(defconst quickvault--commands
  `((quickvault-qv "Run any command of qv, the client for the command line" "Q" "run qv")
    (quickvault-drafts "Continue a form that was not saved before a lock")
    (quickvault-revoke-program "End the access of another program to the shared vault")
    (quickvault-disable-fingerprint "Turn off fingerprint unlock on this device")
    (quickvault-import "Import cards from a file" "I" "import")
    (quickvault-export "Export all cards to a file" "O" "export all")
    (quickvault-backup "Make a backup of the vault" "B" "back up")
    (quickvault-merge "Merge another copy of this vault")
    (quickvault-sync-join "Create the vault from one that another machine synchronises")
    (quickvault-conflicts "Resolve cards that exist in two versions")
    (quickvault-demo "Try QuickVault with sample cards")
    (quickvault-delete-vault "Delete the vault permanently")
    ,@(mapcar (pcase-lambda (`(,command ,description ,_ . ,menu)) `(,command ,description . ,menu))
              quickvault--qv-commands))
  "Commands without keys, and their descriptions.
What the menu `quickvault-dispatch' shows has its key there and a short
description, too.")

(defconst quickvault--list-keys '("/" "#" "G" "T" "a" "m" "u" "U" "t" "S")
  "Keys that work in the list only.")

(pcase-dolist (`(,key ,command . ,_) quickvault--keys)
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
      (pcase-dolist (`(,_ ,command ,description . ,_) quickvault--keys)
        (insert (format "%-6s %s\n"
                        (substitute-command-keys (format "\\<quickvault-list-mode-map>\\[%s]" command))
                        (quickvault--text description))))
      (insert "\n")
      (pcase-dolist (`(,command ,description . ,_) quickvault--commands)
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
