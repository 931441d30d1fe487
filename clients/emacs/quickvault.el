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
(require 'quickvault-attachments)
(require 'quickvault-conflicts)
(require 'quickvault-form)
(require 'quickvault-lisp)
(require 'quickvault-qv)
(require 'quickvault-list)
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

;;; Demo

;;;###autoload
(defun quickvault-demo ()
  "Start a demo with sample cards, or leave it and delete them.
Your own vault stays as it is, and is not shown during the demo."
  (interactive)
  (unless (quickvault--forms-kill-p)
    (quickvault--fail "Nothing was changed."))
  (let ((vault (and (quickvault--running-p) (plist-get (quickvault--request 'vault/status) :path))))
    (when quickvault--connection
      ;; If it ends by itself, it deletes the sample cards.
      (ignore-errors (process-send-eof (jsonrpc--process quickvault--connection)))
      (with-timeout (quickvault-timeout (quickvault--stop quickvault--connection))
        (while quickvault--connection (accept-process-output nil 0.1))))
    ;; An exit of the program alone would not blank unsaved input.
    (run-hook-with-args 'quickvault-lock-functions "request")
    (setq quickvault--demo (not quickvault--demo))
    (cond (quickvault--demo
           (quickvault--ensure-connection)
           (setq quickvault--unlocked t)
           (quickvault)
           (quickvault--log-message
            (quickvault--text "These are sample cards.  Use M-x quickvault-demo again to leave and delete them.")))
          ((not vault)
           (quickvault--log-message (quickvault--text "The demo is over.")))
          ((file-exists-p vault)
           (quickvault--fail "The sample cards were not deleted: delete %s" (file-name-directory vault)))
          (t (quickvault--log-message (quickvault--text "The sample cards were deleted."))))))

;;; Keys

(defconst quickvault--keys
  '(("RET" quickvault-show "show" "Card")
    ("o" quickvault-show-other-window "other window" "Card")
    ("w" quickvault-copy "copy" "Card")
    ("f" quickvault-copy-field "copy a field" "Card")
    ("W" quickvault-copy-as "copy in a style" "Card")
    ("v" quickvault-reveal "show concealed" "Card")
    ("c" quickvault-create "create" "Card")
    ("e" quickvault-edit "edit" "Card")
    ("H" quickvault-history "earlier versions" "Card")
    ("d" quickvault-delete "delete" "Card")
    ("z" quickvault-undo-delete "restore deleted" "Card")
    ("P" quickvault-toggle-pin "pin or unpin" "Card")
    ("+" quickvault-add-tags "add tags" "Card")
    ("-" quickvault-remove-tags "remove tags" "Card")
    ("r" quickvault-set-group "move to group" "Card")
    ("X" quickvault-export-cards "export" "Card")
    ("/" quickvault-search "search" "List")
    ("#" quickvault-narrow-tag "one tag" "List")
    ("G" quickvault-narrow-group "one group" "List")
    ("T" quickvault-narrow-type "one type" "List")
    ("a" quickvault-show-all "show all" "List")
    ("S" quickvault-sort "sort" "List")
    ("m" quickvault-mark "mark" "List")
    ("u" quickvault-unmark "unmark" "List")
    ("U" quickvault-unmark-all "unmark all" "List")
    ("t" quickvault-toggle-marks "toggle marks" "List")
    ("g" revert-buffer "refresh" "List")
    ("A" quickvault-attach "attach files" "Attachments")
    ("V" quickvault-view-attachment "show" "Attachments")
    ("x" quickvault-export-attachment "export to a file" "Attachments")
    ("@" quickvault-mail-attachment "mail" "Attachments")
    ("M" quickvault-set-watermark "watermark" "Attachments")
    ("D" quickvault-delete-attachment "delete" "Attachments")
    ("L" quickvault-lock "lock" "Vault")
    ("," quickvault-settings "settings" "Vault")
    ("E" quickvault-events "lock history" "Vault")
    ("h" quickvault-dispatch "menu" "Vault")
    ("?" quickvault-help "help" "Vault")
    ("q" quit-window "close" "Vault"))
  "Keys of the list, with their commands, descriptions and parts of the help.
But for the list's own ones, they also work on a card's page.")

(defconst quickvault--commands
  `((quickvault-qv "run qv" nil "Q")
    (quickvault-drafts "Continue a form that was not saved before a lock")
    (quickvault-paste "paste" nil "Y")
    (quickvault-revert "Take back an edit of a card")
    (quickvault-conflicts "Resolve cards that exist in two versions")
    (quickvault-demo "Try QuickVault with sample cards")
    ,@(assq-delete-all 'quickvault-events (copy-sequence quickvault-qv-commands)))
  "Commands without keys, and their descriptions.
What the menu `quickvault-dispatch' shows has its key there, too.")

(pcase-dolist (`(,key ,command ,_ ,part) quickvault--keys)
  (define-key quickvault-list-mode-map (kbd key) command)
  ;; On a card's page, RET presses the button at point.
  (unless (or (equal key "RET") (and (equal part "List") (not (equal key "g"))))
    (define-key quickvault-card-mode-map (kbd key) command)))

(define-key quickvault-list-mode-map [double-mouse-1] #'quickvault-show)

(dolist (map (list quickvault-list-mode-map quickvault-card-mode-map))
  (define-key map [remap undo] #'quickvault-undo))

;;;###autoload (autoload 'quickvault-map "quickvault" nil nil 'keymap)
(defvar quickvault-map
  (quickvault--keymap nil "q" #'quickvault "w" #'quickvault-copy "f" #'quickvault-copy-field "W" #'quickvault-copy-as
                      "i" #'quickvault-insert "s" #'quickvault-search "c" #'quickvault-create "y" #'quickvault-paste
                      "e" #'quickvault-edit "u" #'quickvault-unlock "L" #'quickvault-lock "," #'quickvault-settings
                      "?" #'quickvault-help)
  "Keymap of the commands that work in any buffer; bind it to a prefix key.")

(fset 'quickvault-map quickvault-map)

(defun quickvault-help ()
  "Describe the keys and commands."
  (interactive)
  (with-help-window "*QuickVault help*"
    (with-current-buffer standard-output
      (pcase-dolist (`(,part . ,entries) (seq-group-by (lambda (entry) (nth 3 entry)) quickvault--keys))
        (insert (quickvault--text part) "\n")
        (pcase-dolist (`(,_ ,command ,description . ,_) entries)
          (insert (format "  %-6s %s\n"
                          (substitute-command-keys (format "\\<quickvault-list-mode-map>\\[%s]" command))
                          (quickvault--text description))))
        (insert "\n"))
      (pcase-dolist (`(,command ,description . ,_) quickvault--commands)
        (insert (format "M-x %-30s %s\n" command (quickvault--text description)))))))

(defun quickvault--works-here-p (command)
  "Return non-nil if COMMAND works in the current buffer's mode."
  (or (null (command-modes command))
      (apply #'derived-mode-p (command-modes command))))

(defun quickvault--menu-item (command text)
  "Return the menu item of COMMAND with TEXT, shown where it works."
  `[(quickvault--text ,text) ,command :visible (quickvault--works-here-p ',command)])

(easy-menu-define quickvault-menu (list quickvault-list-mode-map quickvault-card-mode-map)
  "Menu of the list and of card pages."
  `("QuickVault"
    ,@(mapcar (pcase-lambda (`(,part . ,entries))
                `(,part :label (quickvault--text ,part)
                        ,@(mapcar (lambda (entry) (quickvault--menu-item (nth 1 entry) (nth 2 entry))) entries)))
              (seq-group-by (lambda (entry) (nth 3 entry)) quickvault--keys))
    "--"
    ,@(mapcar (lambda (entry) (quickvault--menu-item (nth 0 entry) (nth 1 entry))) quickvault--commands)))

(provide 'quickvault)
;;; quickvault.el ends here
