;;; quickvault-shared.el --- One unlock for several programs  -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The QuickVault authors

;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; With `quickvault-shared', Emacs uses the service that shares one unlocked vault among
;; the programs of a user.  If another program asks to use the vault, a window shows the
;; question; it is not selected, so that what you type does not answer it.

;;; Code:

(require 'button)
(require 'quickvault-buffer)
(require 'quickvault-background)

(declare-function quickvault--unlock "quickvault-session")
(declare-function quickvault--did-unlock "quickvault-session")

;;; Being admitted

(defun quickvault--not-admitted-p (status)
  "Return non-nil if by STATUS Emacs may not use the vault, though unlocked."
  (eq (plist-get status :admitted) :json-false))

(defun quickvault--be-admitted (status)
  "Ask another program for consent if one can give it, or unlock by STATUS."
  (let ((programs (mapconcat (lambda (program) (plist-get program :name)) (plist-get status :consentFrom)
                             (quickvault--text ", "))))
    (unless (and (not (string-empty-p programs))
                 (quickvault--confirm "Ask for consent in %s, instead of giving the password?  (The setting sharedUnlock can allow every program.)"
                                      programs)
                 (quickvault--request-consent programs))
      (quickvault--unlock status))))

(defun quickvault--request-consent (programs)
  "Ask in the PROGRAMS that use the vault; return non-nil if one agrees."
  (let ((message-log-max nil))
    (message "%s" (quickvault--text "Waiting for consent in %s (C-g to cancel)..." programs)))
  (condition-case failure
      (progn
        (quickvault--did-unlock (quickvault--call 'client/requestConsent nil 90) nil)
        t)
    (jsonrpc-error
     (quickvault--message (quickvault--error-text (cdr failure)))
     (sit-for 1)
     nil)))

(defun quickvault--unlocked-elsewhere ()
  "Show contents again after another program has unlocked the vault."
  (with-demoted-errors "QuickVault: %S"
    (unless quickvault--unlocked
      (let ((status (quickvault--call 'vault/status)))
        (unless (or (eq (plist-get status :locked) t) (quickvault--not-admitted-p status))
          (quickvault--set-up status)
          (quickvault--log-message (quickvault--text "Another program has unlocked the vault.")))))))

(defun quickvault--set-up (status)
  "Set up Emacs for the unlocked vault with STATUS, also the result of an unlock."
  (let ((settings (plist-get (quickvault--call 'settings/get) :settings)))
    (quickvault--apply-language settings)
    (setq quickvault--unlocked t
          quickvault--read-only (eq (plist-get status :readOnly) t)
          quickvault--auto-lock-seconds (plist-get settings :autoLockSeconds)))
  (quickvault--watch-background)
  (quickvault--restore-later)
  (quickvault--put-drafts-later)
  (quickvault--sync-fetch))

;;; Answering for another program

(defvar quickvault--questions nil
  "Open questions, the first one shown: lists of connection, id and text.")

(defvar quickvault-question-mode-map
  (let ((map (make-sparse-keymap)))
    (define-key map "a" #'quickvault-allow-program)
    (define-key map "r" #'quickvault-refuse-program)
    map)
  "Keymap of `quickvault-question-mode'.")

(define-derived-mode quickvault-question-mode special-mode "QuickVault question"
  "Major mode for the question whether another program may use the vault."
  :interactive nil)

(defun quickvault--handle-request (_connection method params)
  "Handle the request METHOD with PARAMS from the program.
The answer to a question comes later."
  (if (eq method 'session/admit)
      (list 'quickvault--later (quickvault--localized (plist-get params :messages)))
    (signal 'jsonrpc-error '((jsonrpc-error-code . -32601) (jsonrpc-error-message . "Unknown method")))))

(cl-defmethod jsonrpc-connection-send :around
  ((connection quickvault--process-connection) &rest message)
  "Send MESSAGE over CONNECTION, unless it is a response that comes later."
  (let ((result (plist-get message :result)))
    (if (eq (car-safe result) 'quickvault--later)
        (quickvault--add-question (list connection (plist-get message :id) (cadr result)))
      (cl-call-next-method))))

(defun quickvault--add-question (question)
  "Add QUESTION to the open ones, and show the first."
  (setq quickvault--questions (append quickvault--questions (list question)))
  (quickvault--show-question)
  (ding t))

(defun quickvault--show-question ()
  "Show the first open question in a window that is not selected, or close it."
  (let ((buffer (get-buffer-create "*QuickVault question*"))
        (question (car quickvault--questions)))
    (if (not question)
        (quickvault--discard buffer)
      (with-current-buffer buffer
        (quickvault-question-mode)
        (let ((inhibit-read-only t))
          (erase-buffer)
          (insert (nth 2 question) "\n\n")
          (insert-text-button (quickvault--text "Allow") 'action (lambda (_) (quickvault-allow-program)))
          (insert "  ")
          (insert-text-button (quickvault--text "Refuse") 'action (lambda (_) (quickvault-refuse-program)))
          (insert "\n" (quickvault--text "In this window, a allows and r refuses; M-x quickvault-answer goes there.")))
        (goto-char (point-min)))
      (display-buffer buffer '((display-buffer-reuse-window display-buffer-at-bottom)
                               (window-height . fit-window-to-buffer))))))

(defun quickvault--withdraw-question (id)
  "Remove the question ID, which needs no answer any more."
  (when (seq-find (lambda (question) (equal id (nth 1 question))) quickvault--questions)
    (setq quickvault--questions
          (seq-remove (lambda (question) (equal id (nth 1 question))) quickvault--questions))
    (quickvault--show-question)))

(defun quickvault--answer-question (allow)
  "Answer the first open question: yes if ALLOW is non-nil."
  (pcase-let ((`(,connection ,id ,_) (or (pop quickvault--questions)
                                         (user-error "%s" (quickvault--text "No program asks to use the vault")))))
    (jsonrpc-connection-send connection :id id :result (list :allow (if allow t :json-false)))
    (quickvault--show-question)))

(defun quickvault-allow-program ()
  "Allow the program in question to use the unlocked vault."
  (interactive nil quickvault-question-mode)
  (quickvault--check-mode 'quickvault-question-mode)
  (quickvault--answer-question t))

(defun quickvault-refuse-program ()
  "Refuse the program in question the use of the unlocked vault."
  (interactive nil quickvault-question-mode)
  (quickvault--check-mode 'quickvault-question-mode)
  (quickvault--answer-question nil))

;;;###autoload
(defun quickvault-answer ()
  "Select the window with the question whether a program may use the vault."
  (interactive)
  (unless quickvault--questions
    (user-error "%s" (quickvault--text "No program asks to use the vault")))
  (quickvault--show-question)
  (pop-to-buffer "*QuickVault question*"))

(defun quickvault--forget-questions (_reason)
  "Remove all questions: a lock answers them."
  (when quickvault--questions
    (setq quickvault--questions nil)
    (quickvault--show-question)))

(add-hook 'quickvault-lock-functions #'quickvault--forget-questions)

(provide 'quickvault-shared)
;;; quickvault-shared.el ends here
