;;; quickvault-damage.el --- Checking and repairing the vault  -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The QuickVault authors

;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; A check of a damaged vault ends on a page that says what is damaged and what a repair
;; makes of it.  The page has nothing of the vault's contents.

;;; Code:

(require 'button)
(require 'quickvault-session)

(defun quickvault--finding-text (finding)
  "Return what FINDING, a kind of damage, means and what a repair does."
  (pcase finding
    ("records" (quickvault--text "Records were changed, removed, added or put back, or cannot be decrypted.  A repair keeps the readable ones."))
    ("structure" (quickvault--text "The structure of the file is damaged.  A repair writes a new file."))
    ("keySlots" (quickvault--text "The key slots are not those that QuickVault wrote.  Somebody may have put back an earlier password.  A repair keeps only the slot of your password; then change the password."))
    ("plainSettings" (quickvault--text "The settings that are not encrypted were changed.  A repair writes them again."))
    ("attempts" (quickvault--text "The count of wrong passwords was removed.  A repair writes it again."))
    (_ (quickvault--text "Something else is damaged (%s)." finding))))

;;;###autoload
(defun quickvault-verify ()
  "Check the whole vault; if it is damaged, show how on a page."
  (interactive)
  (let ((result (quickvault--with-progress (quickvault--text "Checking the vault...") 'vault/verify nil nil
                                           quickvault--long-timeout)))
    (if (not (equal (plist-get result :integrity) "damaged"))
        (quickvault--log-message
         (quickvault--text "The vault is intact.  Cards: %d" (plist-get result :cards)))
      (quickvault--show-damage result)
      (quickvault--log-message (quickvault--damage-summary result)))))

(defun quickvault--damage-summary (result)
  "Return one sentence or more about RESULT, that of `vault/verify'."
  (quickvault--text "The vault is damaged.  Unreadable records: %d, cards: %d.  M-x quickvault-repair keeps the others"
                    (length (plist-get result :damaged)) (plist-get result :cards)))

(defun quickvault--show-damage (result)
  "Show RESULT, that of `vault/verify', in words."
  (with-help-window "*QuickVault damage*"
    (with-current-buffer standard-output
      (insert (quickvault--damage-summary result) "\n")
      (seq-doseq (finding (plist-get result :findings))
        (insert "\n- ")
        (let ((start (point)))
          (insert (quickvault--finding-text finding) "\n")
          (let ((fill-prefix "  ")) (fill-region start (point)))))
      (insert "\n" (quickvault--text "If you have a good backup, keep it, and open it first.") "\n\n")
      (insert-text-button (quickvault--text "Repair a damaged vault")
                          'action (lambda (_) (quickvault-repair)))
      (insert "\n"))))

;;;###autoload
(defun quickvault-repair ()
  "Repair a damaged vault by keeping every readable record.
Save a copy of the damaged file first."
  (interactive)
  (when (quickvault--confirm "Back up the damaged file and keep every readable record?")
    (quickvault--with-current-password
     (quickvault--text "Master password")
     (lambda (password handlers)
       (when-let ((answer (quickvault--request 'vault/repair (list :password password) handlers
                                               quickvault-password-timeout)))
         (quickvault--log-message
          (if-let ((backup (plist-get answer :backup)))
              (quickvault--text "The vault is repaired.  Cards kept: %d, records dropped: %d, cards missing: %s.  The damaged file was saved as %s"
                                (plist-get (plist-get answer :kept) :cards)
                                (length (plist-get answer :dropped))
                                ;; The number is null if the repair found no count of the cards.
                                (or (plist-get answer :missingCards) (quickvault--text "unknown"))
                                backup)
            (quickvault--text "The vault is intact; nothing was changed.")))
         answer)))))

(provide 'quickvault-damage)
;;; quickvault-damage.el ends here
