;;; quickvault-sync-state.el --- State in the mode line  -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The QuickVault authors

;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; The last status of synchronisation, which the mode line of the vault's buffers needs
;; even if its page was never shown.

;;; Code:

(require 'seq)
(require 'quickvault-requests)

(defvar quickvault--unlocked)

(defvar quickvault--sync-status nil
  "The last result of `sync/status', or nil.")

(defun quickvault--sync-needs-password-p (status)
  "Return non-nil if by STATUS another machine has given the vault a new key."
  (or (eq (plist-get status :needsPassword) t)
      (equal (plist-get (plist-get status :failure) :kind) "sync.newKey")))

(defconst quickvault--sync-passing-failures
  '("carrier.offline" "carrier.nameNotFound" "carrier.unreachable" "carrier.rateLimited" "carrier.timedOut"
    "carrier.interrupted" "carrier.serverFailed" "carrier.folderInUse")
  "The kinds of failures to carry the folder that pass without the user.")

(defun quickvault--sync-not-carried-p (status)
  "Return non-nil if by STATUS the folder waits for the user to be carried."
  (when-let ((kind (plist-get (plist-get (plist-get status :mirror) :failure) :kind)))
    (not (member kind quickvault--sync-passing-failures))))

(defun quickvault--sync-wrong-p (status)
  "Return non-nil if STATUS needs the attention of the user."
  (and (eq (plist-get status :enabled) t)
       (or (equal (plist-get status :state) "failed")
           (quickvault--sync-needs-password-p status)
           (quickvault--sync-not-carried-p status)
           (seq-some (lambda (replica) (plist-get replica :problem)) (plist-get status :replicas)))
       t))

(defun quickvault--sync-mark ()
  "Return a text for the mode line if synchronisation needs attention."
  (if (quickvault--sync-wrong-p quickvault--sync-status)
      (quickvault--text "  [Sync: see M-x quickvault-sync]")
    ""))

(defun quickvault--sync-fetch ()
  "Request the status of synchronisation, without waiting for it."
  (when (quickvault--running-p)
    (quickvault--request-later 'sync/status (make-hash-table) #'quickvault--sync-remember #'ignore)))

(defun quickvault--sync-remember (status)
  "Remember STATUS for the mode line."
  (setq quickvault--sync-status status)
  (force-mode-line-update t))

(defun quickvault--sync-changed (status)
  "Remember STATUS, the parameters of `sync/didChange'."
  (when quickvault--unlocked (quickvault--sync-remember status)))

(add-hook 'quickvault--sync-functions #'quickvault--sync-changed)

(defun quickvault--sync-forget (_reason)
  "Forget the status of synchronisation when the vault is locked."
  (setq quickvault--sync-status nil))

(add-hook 'quickvault-lock-functions #'quickvault--sync-forget)

;;; The mode line of the vault's buffers

(defun quickvault--set-up-display (process)
  "Wrap lines between words, and show PROCESS and remarks in the mode line."
  (setq-local mode-line-buffer-identification
              ;; In a narrow window, `quickvault--demo-mark' is beyond the edge.
              (cons '(:eval (if (and quickvault--demo (< (window-width) 80)) (quickvault--text "[Demo] ") ""))
                    (default-value 'mode-line-buffer-identification)))
  (setq-local mode-line-process (list "" process '(:eval (quickvault--demo-mark)) '(:eval (quickvault--sync-mark))))
  (setq-local word-wrap t
              word-wrap-by-category t))

(defun quickvault--demo-mark ()
  "Return a text for the mode line: that this is the demo, or nothing."
  (if quickvault--demo
      (quickvault--text "  [Demo; M-x quickvault-demo ends it]")
    ""))

(provide 'quickvault-sync-state)
;;; quickvault-sync-state.el ends here
