;;; quickvault-commands.el --- Rare work, done by qv  -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The QuickVault authors

;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; Each command runs one of qv in a terminal, with what this client knows.  With a prefix
;; argument, the command can be edited before, to add options.

;;; Code:

(require 'quickvault-qv)

(defconst quickvault--qv-commands
  '((quickvault-change-password "Change the master password" ("password"))
    (quickvault-programs "List the programs that use the vault" ("clients"))
    (quickvault-enable-fingerprint "Turn on fingerprint unlock on this device" ("fingerprint" "on"))
    (quickvault-fingerprint-status "Show whether fingerprint unlock works here" ("fingerprint" "status"))
    (quickvault-devices "List the devices bound to the vault" ("devices"))
    (quickvault-sync "Synchronise the vault with other machines" ("sync") "Y" "synchronise")
    (quickvault-sync-now "Synchronise now" ("sync" "now"))
    (quickvault-sync-disable "Stop synchronising this vault" ("sync" "disable"))
    (quickvault-sync-rekey "Give the vault a new key, to shut out a machine that was lost" ("rekey"))
    (quickvault-sync-rejoin "Switch to the new key of another machine" ("sync" "rejoin"))
    (quickvault-account "Have a server carry the folder between machines" ("account") "N" "server")
    (quickvault-account-providers "List the kinds of servers that can carry it" ("account" "providers"))
    (quickvault-account-sign-out "Sign out of the server" ("account" "sign-out"))
    (quickvault-privacy "Show what leaves this machine, and who learns what" ("privacy"))
    (quickvault-verify "Check the whole vault" ("verify") "C" "check")
    (quickvault-repair "Repair a damaged vault" ("repair"))
    (quickvault-doctor "Check what works here and what is missing" ("doctor"))
    (quickvault-report-bug "Show versions, problems and the last errors for a bug report" ("doctor" "--report")))
  "Commands that run one of qv: their descriptions, and the words of that.
What the menu `quickvault-dispatch' shows has its key there and a short
description, too.")

;;;###autoload
(dolist (command '(quickvault-change-password quickvault-programs quickvault-enable-fingerprint
                   quickvault-fingerprint-status quickvault-devices quickvault-sync quickvault-sync-now
                   quickvault-sync-disable quickvault-sync-rekey quickvault-sync-rejoin quickvault-account quickvault-account-providers
                   quickvault-account-sign-out quickvault-privacy quickvault-verify quickvault-repair
                   quickvault-doctor quickvault-report-bug))
  (autoload command "quickvault-commands" nil t))

(pcase-dolist (`(,command ,description ,words . ,_) quickvault--qv-commands)
  (defalias command
    (lambda () (interactive) (apply #'quickvault--run words))
    (format "%s.\nThis runs `qv %s'." description (string-join words " "))))

(defun quickvault--run (&rest words)
  "Run qv with WORDS; with a prefix argument, the user can edit them first.
Before there is a vault, qv uses its shared service: that remembers the
sign-in to a server until the vault is there."
  (let ((quickvault-shared (or quickvault-shared
                               (and (member (car words) '("account" "sync"))
                                    (eq :json-false (plist-get (quickvault--call 'vault/status) :exists))))))
    (quickvault-qv (quickvault--edited words) t)))

(defun quickvault--edited (words)
  "Return WORDS, edited by the user if there is a prefix argument."
  (if current-prefix-arg
      (quickvault--read-qv (mapconcat (lambda (word) (concat (quickvault--qv-quote word "") " ")) words ""))
    words))

;;; The vault

;;;###autoload
(defun quickvault-events ()
  "Show when the vault was unlocked, locked or attempted, newest first."
  (interactive)
  (quickvault--run "log"))

;;;###autoload
(defun quickvault-delete-vault ()
  "Delete the vault permanently, after asking for its file name and password."
  (interactive)
  (quickvault-qv (quickvault--edited '("delete-vault")) t
                 (lambda (status)
                   (when (eql status 0) (run-hook-with-args 'quickvault-lock-functions "deleted")))))

;;; Fingerprint, devices and programs

;;;###autoload
(defun quickvault-disable-fingerprint ()
  "Remove the binding of this device to the vault."
  (interactive)
  (when (quickvault--confirm "Turn off fingerprint unlock on this device?")
    (quickvault--run "fingerprint" "off")))

(defun quickvault--choose (prompt items name)
  "Read one of ITEMS with PROMPT; NAME is a function of one, for its name."
  (or (quickvault--complete prompt (mapcar (lambda (item) (cons (funcall name item) item)) items))
      (user-error "%s" (quickvault--text "There is nothing to choose"))))

;;;###autoload
(defun quickvault-revoke-device (device)
  "Remove the binding of DEVICE, an entry of `device/list'."
  (interactive
   (list (quickvault--choose (quickvault--text "Remove the binding of")
                             (plist-get (quickvault--request 'device/list) :items)
                             (lambda (device) (plist-get device :name)))))
  (quickvault--run "devices" "revoke" (plist-get device :id)))

;;;###autoload
(defun quickvault-revoke-program (program)
  "End the access of PROGRAM, an entry of `client/list', to the shared vault."
  (interactive
   (list (quickvault--choose (quickvault--text "End the access of program")
                             (seq-remove (lambda (program) (eq (plist-get program :own) t))
                                         (plist-get (quickvault--request 'client/list) :items))
                             (lambda (program)
                               (let ((facts (plist-get program :program)))
                                 (format "%s (%s)  %s" (plist-get facts :name) (plist-get facts :process)
                                         (or (plist-get facts :terminal) "")))))))
  (when (quickvault--confirm "End the access of %s?" (plist-get (plist-get program :program) :name))
    (quickvault--run "clients" "revoke" (number-to-string (plist-get program :id)))))

;;; Several machines

(defun quickvault--read-sync-folder (prompt)
  "Read a folder of this machine with PROMPT."
  (let ((folder (expand-file-name (read-directory-name prompt (if (file-remote-p default-directory) "~/")))))
    (when (file-remote-p folder)
      (user-error "%s" (quickvault--text "The folder must be on this machine")))
    (directory-file-name folder)))

;;;###autoload
(defun quickvault-sync-enable (folder)
  "Synchronise this vault over FOLDER, which something carries to other machines."
  (interactive (list (quickvault--read-sync-folder (quickvault--text "Folder to synchronise over: "))))
  (quickvault--run "sync" "enable" folder))

;;;###autoload
(defun quickvault-sync-join (folder)
  "Create the vault here from FOLDER, in which another machine has enabled it."
  (interactive (list (quickvault--read-sync-folder (quickvault--text "Folder of the vault to join: "))))
  (quickvault--run "sync" "join" folder))

;;;###autoload
(defun quickvault-sync-forget (replica)
  "Forget the machine of REPLICA, which is not used any more."
  (interactive
   (list (quickvault--choose (quickvault--text "Forget the machine")
                             (plist-get (quickvault--request 'sync/status) :replicas) #'quickvault--machine-name)))
  (quickvault--run "sync" "forget" (plist-get replica :replica)))

(defun quickvault--machine-name (replica)
  "Return the name of the machine of REPLICA, or its id if that is not known."
  (let ((name (plist-get replica :machine)))
    (if (string-empty-p name) (plist-get replica :replica) name)))

;;; The server that carries the folder

;;;###autoload
(defun quickvault-account-sign-in ()
  "Sign in to a server that carries the folder of this vault.
Its address and options are read as those of `qv account sign-in'."
  (interactive)
  (let ((current-prefix-arg t))
    (quickvault--run "account" "sign-in")))

;;;###autoload
(defun quickvault-account-delete-data (name)
  "Delete what the server has of this vault, and sign out; the cards here stay.
NAME is the name of the vault's file, which the user has to type."
  (interactive
   (list (read-string (quickvault--text "What the server has of this vault will be deleted.  To continue, type the vault's file name: "))))
  (quickvault--run "account" "delete-data" name))

(provide 'quickvault-commands)
;;; quickvault-commands.el ends here
