;;; quickvault-sync.el --- Synchronisation with other machines  -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The QuickVault authors

;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; A page shows the folder that carries the vault to other machines, these machines, and
;; what is wrong.  It follows the notifications of the program; the mode line of the
;; vault's buffers shows that something is wrong.

;;; Code:

(require 'quickvault-conflicts)
(require 'quickvault-page)
(require 'quickvault-session)

(declare-function quickvault-account "quickvault-account")

(defface quickvault-problem '((t :inherit warning :weight bold))
  "Face for what is wrong with synchronisation."
  :group 'quickvault)

(defvar quickvault-sync-mode-map
  (let ((map (make-sparse-keymap)))
    (set-keymap-parent map (make-composed-keymap button-buffer-map special-mode-map))
    (pcase-dolist (`(,key . ,command) '(("s" . quickvault-sync-now)
                                        ("e" . quickvault-sync-enable)
                                        ("D" . quickvault-sync-disable)
                                        ("k" . quickvault-sync-forget)
                                        ("R" . quickvault-sync-rekey)
                                        ("p" . quickvault-sync-rejoin)
                                        ("c" . quickvault-conflicts)
                                        ("a" . quickvault-account)
                                        ("L" . quickvault-lock)))
      (define-key map key command))
    map)
  "Keymap of `quickvault-sync-mode'.")

(define-derived-mode quickvault-sync-mode special-mode "QuickVault sync"
  "Major mode for the page about synchronisation.
\\{quickvault-sync-mode-map}"
  :interactive nil
  (visual-line-mode)
  (setq-local revert-buffer-function (lambda (&rest _) (quickvault-sync)))
  (quickvault--protect-buffer #'quickvault-sync))

;;; The page

;;;###autoload
(defun quickvault-sync ()
  "Show the folder and the machines that this vault is synchronised with."
  (interactive)
  (let ((status (quickvault--request 'sync/status)))
    (pop-to-buffer-same-window (get-buffer-create "*QuickVault sync*"))
    (unless (derived-mode-p 'quickvault-sync-mode) (quickvault-sync-mode))
    (quickvault--sync-show status)))

(defun quickvault--sync-show (status)
  "Remember STATUS for the mode line, and show it on the page if there is one."
  (quickvault--sync-remember status)
  (when-let ((buffer (get-buffer "*QuickVault sync*")))
    (with-current-buffer buffer
      (when (derived-mode-p 'quickvault-sync-mode)
        (quickvault--refill (lambda ()
                              (if (eq (plist-get status :enabled) t)
                                  (quickvault--insert-sync status)
                                (quickvault--insert-no-sync))))))))

(defun quickvault--sync-changed (status)
  "Show STATUS, the parameters of `sync/didChange'."
  (when quickvault--unlocked (quickvault--sync-show status)))

(add-hook 'quickvault--sync-functions #'quickvault--sync-changed)

(defun quickvault--insert-no-sync ()
  "Insert what synchronisation is and how it is turned on."
  (insert (propertize (quickvault--text "This vault is not synchronised.") 'face 'quickvault-title) "\n\n"
          (quickvault--text "Choose an empty folder that Syncthing, a cloud drive, git or a USB stick carries to your other machines.  What is in it is encrypted.")
          "  "
          (quickvault--text "Instead, a WebDAV server can carry it: \\[quickvault-account].")
          "\n\n"
          (quickvault--text "\\[quickvault-sync-enable] turns synchronisation on.  On the other machines, join with M-x quickvault-sync-join.")
          "\n"))

(defun quickvault--insert-sync (status)
  "Insert STATUS of a synchronised vault."
  (insert (propertize (quickvault--sync-state-text status) 'face
                      (if (quickvault--sync-wrong-p status) 'quickvault-problem 'quickvault-title))
          "\n")
  (when-let ((failure (plist-get status :failure)))
    (insert (quickvault--sync-failure-text failure) "\n"))
  (when (quickvault--sync-needs-password-p status)
    (insert (quickvault--text "Another machine has given the vault a new key.  \\[quickvault-sync-rejoin] asks for the new password and continues synchronising.") "\n"))
  (insert "\n")
  (pcase-dolist (`(,label . ,value)
                 `((,(quickvault--text "Folder") . ,(plist-get status :folder))
                   (,(quickvault--text "This machine") . ,(plist-get status :machine))
                   (,(quickvault--text "Last synchronised")
                    . ,(if-let ((time (plist-get status :lastSynced))) (quickvault--time time)
                         (quickvault--text "never")))))
    (insert (propertize (quickvault--text "%s: " label) 'face 'quickvault-label)
            (quickvault--one-line (or value "")) "\n"))
  ;; Nil, an empty object, is there while nothing was carried yet.
  (when (plist-member status :mirror)
    (quickvault--insert-mirror (plist-get status :mirror)))
  (insert "\n" (propertize (quickvault--text "Other machines") 'face 'quickvault-title) "\n")
  (if (seq-empty-p (plist-get status :replicas))
      (insert (quickvault--text "  None yet.  On another machine, join with M-x quickvault-sync-join.") "\n")
    (seq-doseq (replica (plist-get status :replicas))
      (quickvault--insert-replica replica)))
  (insert "\n" (quickvault--text "\\[quickvault-sync-now] synchronises now, \\[quickvault-sync-forget] forgets the machine at point, \\[quickvault-sync-rekey] gives the vault a new key, \\[quickvault-sync-disable] turns synchronisation off, \\[quickvault-account] shows the server that carries the folder, \\[revert-buffer] refreshes, \\[quit-window] closes.")
          "\n"))

(defun quickvault--insert-mirror (mirror)
  "Insert a line about MIRROR: when a server got the folder, or why it did not."
  (let ((failure (plist-get mirror :failure)))
    (insert (propertize (quickvault--text "%s: " (quickvault--text "Mirrored to the server")) 'face 'quickvault-label)
            (quickvault--mirrored-text mirror)
            (if failure
                (propertize (concat "  ! " (quickvault--sync-failure-text failure)) 'face 'quickvault-problem)
              "")
            "\n")))

(defun quickvault--mirrored-text (mirror)
  "Return when the folder was mirrored by MIRROR, and how far a pass is."
  (concat (if-let ((time (plist-get mirror :lastMirrored))) (quickvault--time time)
            (quickvault--text "not yet"))
          (if-let ((percentage (plist-get mirror :percentage)))
              (quickvault--text "  (%d %% of what is new)" percentage)
            "")))

(defun quickvault--sync-failure-text (failure)
  "Return the message of FAILURE, and since when it is so."
  (concat (quickvault--one-line (quickvault--localized (plist-get failure :messages)))
          (if-let ((since (plist-get failure :since)))
              (quickvault--text "  (since %s)" (quickvault--time since))
            "")))

(defun quickvault--insert-replica (replica)
  "Insert a line about REPLICA, and one about its problem."
  (let ((start (point))
        (behind (or (plist-get replica :behind) 0)))
    (insert "  " (quickvault--sync-machine-name replica) "  "
            (if-let ((seen (plist-get replica :lastSeen)))
                (quickvault--text "last seen %s" (quickvault--time seen))
              (quickvault--text "not seen yet"))
            (if (zerop behind) "" (quickvault--text ", changes to come: %d" behind))
            "\n")
    (when-let ((problem (plist-get replica :problem)))
      (insert (propertize (concat "    ! " (quickvault--sync-problem-text problem (plist-get replica :replica))) 'face 'quickvault-problem) "\n"))
    (put-text-property start (point) 'quickvault-replica replica)))

(defun quickvault--sync-machine-name (replica)
  "Return the name of REPLICA's machine, or its id before something of it was read."
  (let ((name (quickvault--one-line (plist-get replica :machine))))
    (if (string-empty-p name) (plist-get replica :replica) name)))

(defun quickvault--sync-problem-text (problem replica)
  "Return what PROBLEM with the machine that has the id REPLICA means.
Files are named as in the folder, below the directories of the vault
and its key."
  (let ((segment (format "changes/%s/%016x" replica (or (plist-get problem :segment) 0))))
    (pcase (plist-get problem :kind)
      ("missing" (quickvault--text "File %s is not here.  It may still be on its way." segment))
      ("unreadable" (quickvault--text "File %s is truncated or was changed." segment))
      ("replaced" (quickvault--text "File %s was replaced by another after it had been read." segment))
      ("contentMissing" (quickvault--text "An attachment of file %s is not here.  It may still be on its way." segment))
      (_ (or (plist-get problem :message) "")))))

(defun quickvault--sync-state-text (status)
  "Return one sentence about STATUS."
  (pcase (plist-get status :state)
    ("syncing" (quickvault--text "Synchronising..."))
    ("failed" (quickvault--text "Synchronisation does not work."))
    (_ (if (quickvault--sync-wrong-p status)
           (quickvault--text "Synchronised, but something needs your attention.")
         (quickvault--text "Synchronised.")))))

;;; Commands

(defun quickvault--sync-request (text method &optional params handlers)
  "Call METHOD with PARAMS and HANDLERS, and show the resulting status.
TEXT is shown with the progress of long work; it is nil for short work."
  (let ((status (if text
                    (quickvault--with-progress text method params handlers quickvault--long-timeout)
                  (quickvault--request method params handlers))))
    (when (plist-member status :enabled)
      (quickvault--sync-show status))
    status))

;;;###autoload
(defun quickvault-sync-enable (folder &optional machine)
  "Synchronise this vault over FOLDER, which something carries to other machines.
With a prefix argument, ask for the name of this MACHINE there."
  (interactive
   (list (quickvault--read-sync-folder (quickvault--text "Folder to synchronise over: "))
         (and current-prefix-arg (read-string (quickvault--text "Name of this machine: ") (system-name)))))
  (quickvault--sync-request (quickvault--text "Synchronising...") 'sync/enable
                            (append (list :folder folder) (and machine (list :machine machine))))
  (quickvault-sync))

(defun quickvault--read-sync-folder (prompt)
  "Read a folder of this machine with PROMPT."
  (let ((folder (expand-file-name (read-directory-name prompt (if (file-remote-p default-directory) "~/")))))
    (when (file-remote-p folder)
      (user-error "%s" (quickvault--text "The folder must be on this machine")))
    (directory-file-name folder)))

;;;###autoload
(defun quickvault-sync-join (folder &optional machine)
  "Create the vault here from FOLDER, in which another machine has enabled it.
With a prefix argument, ask for the name of this MACHINE."
  (interactive
   (list (quickvault--read-sync-folder (quickvault--text "Folder of the vault to join: "))
         (and current-prefix-arg (read-string (quickvault--text "Name of this machine: ") (system-name)))))
  (quickvault--with-current-password
   (quickvault--text "Master password of the vault to join")
   (lambda (password handlers)
     (when (quickvault--sync-request (quickvault--text "Reading the vault...") 'sync/join
                                     (append (list :folder folder :password password)
                                             (and machine (list :machine machine)))
                                     handlers)
       (quickvault--did-unlock
        (quickvault--request 'session/unlock (list :password password) nil quickvault-password-timeout)
        password))))
  (quickvault-sync))

;;;###autoload
(defun quickvault-sync-now ()
  "Publish what changed on this machine now, and apply what the others published."
  (interactive)
  (quickvault--sync-request (quickvault--text "Synchronising...") 'sync/now))

;;;###autoload
(defun quickvault-sync-disable ()
  "Stop synchronising this vault; its cards and the folder stay as they are."
  (interactive)
  (unless (eq (plist-get (quickvault--request 'sync/status) :enabled) t)
    (user-error "%s" (quickvault--text "This vault is not synchronised.")))
  (when (quickvault--confirm "Stop synchronising this vault?")
    (quickvault--sync-request nil 'sync/disable)))

(defun quickvault-sync-forget ()
  "Forget the machine at point, which is not used any more."
  (interactive nil quickvault-sync-mode)
  (quickvault--check-mode 'quickvault-sync-mode)
  (let ((replica (or (get-text-property (point) 'quickvault-replica)
                     (user-error "%s" (quickvault--text "There is no machine on this line")))))
    (when (quickvault--confirm "Forget the machine “%s”?  It keeps its copy; a new key shuts it out"
                               (quickvault--sync-machine-name replica))
      (quickvault--sync-request nil 'sync/forget (list :replica (plist-get replica :replica))))))

;;;###autoload
(defun quickvault-sync-rekey ()
  "Give the vault a new key and password, to shut out a machine that was lost.
The other machines ask for the new password once."
  (interactive)
  (when (quickvault--confirm "Give the vault a new key?  Every other machine has to give the new password once")
    (quickvault--with-current-password
     (quickvault--text "Current master password")
     (lambda (old wrong)
       ;; Check it before the user types the new one twice.
       (when (quickvault--request 'session/unlock (list :password old) wrong quickvault-password-timeout)
         (quickvault--with-new-password
          (lambda (new)
            (quickvault--sync-request (quickvault--text "Re-encrypting the vault...") 'vault/rekey
                                      (list :oldPassword old :newPassword new)))))))))

;;;###autoload
(defun quickvault-sync-rejoin ()
  "Follow another machine that has given the vault a new key."
  (interactive)
  (quickvault--with-current-password
   (quickvault--text "Master password that was set on the other machine")
   (lambda (password handlers)
     (quickvault--sync-request (quickvault--text "Synchronising...") 'sync/rejoin
                               (list :password password) handlers))))

(provide 'quickvault-sync)
;;; quickvault-sync.el ends here
