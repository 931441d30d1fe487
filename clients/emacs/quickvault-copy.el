;;; quickvault-copy.el --- The kill ring and the clipboard, for a while  -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The QuickVault authors

;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; A copied text is taken out of the kill ring again after the time that the vault's
;; settings say, when the vault locks, and when Emacs ends; and off the clipboard,
;; if it is still there.

;;; Code:

(require 'quickvault-buffer)

(cl-defstruct (quickvault--copy (:constructor quickvault--copy-of (text)))
  "A text of the vault that was copied.
TOP is what the kill ring begins with while nothing was killed since."
  text (top text) timer)

(defvar quickvault--copies nil
  "What was copied and is not yet taken back.")

(defun quickvault--put (text seconds)
  "Copy TEXT; take it back after SECONDS, or at the lock where that is nil."
  (dolist (copy quickvault--copies)
    (when (equal (quickvault--copy-text copy) text)
      (quickvault--forget-copy copy)))
  (let ((copy (quickvault--copy-of text)))
    (push copy quickvault--copies)
    (when seconds
      (setf (quickvault--copy-timer copy) (run-at-time seconds nil #'quickvault--take-back copy))))
  ;; Before others write the kill ring to a file.
  (add-hook 'kill-emacs-hook #'quickvault--take-all-back -90)
  (kill-new (quickvault--tagged text)))

(defun quickvault--forget-copy (copy)
  "Do not take COPY back any more."
  (when (quickvault--copy-timer copy) (cancel-timer (quickvault--copy-timer copy)))
  (setq quickvault--copies (delq copy quickvault--copies)))

(defun quickvault--take-back (copy)
  "Take COPY out of the kill ring, and off the clipboard if it is still there."
  (quickvault--forget-copy copy)
  (when (quickvault--on-clipboard-p copy)
    (funcall interprogram-cut-function ""))
  (quickvault--unkill copy))

(defun quickvault--unkill (copy)
  "Take COPY out of the kill ring."
  (let ((text (quickvault--copy-text copy)))
    (setq kill-ring (delete text kill-ring)
          kill-ring-yank-pointer kill-ring)
    (when (equal text (quickvault--copy-top copy))
      (setf (quickvault--copy-top copy) (car kill-ring)))))

(defun quickvault--on-clipboard-p (copy)
  "Whether COPY is still on the clipboard.
Where it cannot be read, or says that nobody else has put anything
there, it holds what was killed last."
  (and interprogram-cut-function
       (let ((there (quickvault--clipboard)))
         (if there
             (equal there (quickvault--copy-text copy))
           (equal (car kill-ring) (quickvault--copy-top copy))))))

(defun quickvault--clipboard ()
  "The text on the clipboard, or nil."
  (let ((there (or (and (display-selections-p)
                        (ignore-errors (gui-get-selection 'CLIPBOARD 'UTF8_STRING)))
                   (and interprogram-paste-function (funcall interprogram-paste-function)))))
    (if (consp there) (car there) there)))

(defun quickvault--take-all-back (&rest reason)
  "Take back what was copied, and what was killed in the vault's buffers.
Where REASON is that Emacs went to the background, the clipboard keeps it
for its time: who copies in order to paste elsewhere leaves Emacs."
  (let ((background (equal reason '("background"))))
    (mapc (if background #'quickvault--unkill #'quickvault--take-back) quickvault--copies)
    (unless background
      (when (quickvault--killed-on-clipboard-p) (funcall interprogram-cut-function ""))
      (quickvault--disown-primary))
    (setq kill-ring (seq-remove #'quickvault--tagged-p kill-ring)
          kill-ring-yank-pointer kill-ring
          register-alist (seq-remove (lambda (register) (quickvault--tagged-p (cdr register)))
                                     register-alist))))

(defun quickvault--killed-on-clipboard-p ()
  "Whether what was killed last, in a vault's buffer, is on the clipboard."
  (and interprogram-cut-function
       (quickvault--tagged-p (car kill-ring))
       (member (quickvault--clipboard) (list nil (substring-no-properties (car kill-ring))))))

(defun quickvault--disown-primary ()
  "Let go of the primary selection, where it is a text of the vault's buffers.
Whatever is selected in a graphic frame becomes that."
  (when (and (display-selections-p)
             (gui-backend-selection-owner-p 'PRIMARY)
             (quickvault--tagged-p (ignore-errors (gui-get-selection 'PRIMARY))))
    (gui-set-selection 'PRIMARY nil)))

(add-hook 'quickvault-lock-functions #'quickvault--take-all-back)

(provide 'quickvault-copy)
;;; quickvault-copy.el ends here
