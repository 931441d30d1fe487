;;; quickvault-background.el --- Locking when Emacs is left  -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The QuickVault authors

;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; When Emacs is suspended or its last frame goes, the program hears of it and
;; locks the vault, where the vault's settings say so; and when no frame has the
;; focus, where the user wants it.

;;; Code:

(require 'quickvault-buffer)

(defcustom quickvault-lock-on-focus-loss nil
  "Whether the vault locks when no frame of Emacs has the focus any more.
The vault's own setting to lock in the background must be on too."
  :group 'quickvault
  :type 'boolean)

(defvar quickvault--unlocked nil
  "Whether the vault was unlocked and no lock was heard of since.")

(defun quickvault--did-lock (_reason)
  "Remember that the vault is locked."
  (setq quickvault--unlocked nil))

(add-hook 'quickvault-lock-functions #'quickvault--did-lock)

(defvar quickvault--focus-timer nil
  "A timer that waits whether the focus comes back.")

(defun quickvault--watch ()
  "Watch for Emacs going to the background and coming back."
  (add-hook 'suspend-hook #'quickvault--did-enter-background)
  (add-hook 'suspend-resume-hook #'quickvault--did-become-active)
  (add-hook 'suspend-tty-functions #'quickvault--terminal-left)
  (add-hook 'resume-tty-functions #'quickvault--did-become-active)
  (add-hook 'delete-frame-functions #'quickvault--frame-left)
  (add-hook 'after-make-frame-functions #'quickvault--did-become-active)
  (add-function :after after-focus-change-function #'quickvault--focus-changed))

(defun quickvault--did-enter-background (&rest _)
  "Tell the program that Emacs went to the background, and wait for the lock.
What is on the screen is gone then before Emacs is."
  (when quickvault--unlocked
    (with-demoted-errors "QuickVault: %S"
      (quickvault--tell 'client/didEnterBackground)
      (quickvault--call 'vault/status nil 2)
      (redisplay t))))

(defun quickvault--did-become-active (&rest _)
  "Tell the program that Emacs is in front again."
  (with-demoted-errors "QuickVault: %S"
    (quickvault--tell 'client/didBecomeActive)))

(defun quickvault--frame-left (frame)
  "Act when FRAME is about to go and no other is left."
  (unless (quickvault--frames-but (lambda (other) (eq other frame)))
    (quickvault--did-enter-background)))

(defun quickvault--terminal-left (terminal)
  "Act when TERMINAL is about to be suspended and no frame is elsewhere."
  (unless (quickvault--frames-but (lambda (other) (eq (frame-terminal other) terminal)))
    (quickvault--did-enter-background)))

(defun quickvault--frames-but (predicate)
  "The frames that a person sees, without those of which PREDICATE is true."
  (seq-remove (lambda (frame)
                (or (funcall predicate frame)
                    (frame-parameter frame 'parent-frame)
                    ;; The frame that a daemon has and nobody sees.
                    (equal (terminal-name frame) "initial_terminal")))
              (frame-list)))

(defun quickvault--focus-changed ()
  "Act a little later on a change of the focus, if the user wants it."
  (when (and quickvault-lock-on-focus-loss quickvault--unlocked)
    (when (timerp quickvault--focus-timer) (cancel-timer quickvault--focus-timer))
    ;; Going from one frame to another, the focus is nowhere for a moment.
    (setq quickvault--focus-timer (run-at-time 0.3 nil #'quickvault--settle-focus))))

(defun quickvault--settle-focus ()
  "Tell the program whether a frame has the focus."
  (if (seq-some #'frame-focus-state (frame-list))
      (quickvault--did-become-active)
    (quickvault--did-enter-background)))

(provide 'quickvault-background)
;;; quickvault-background.el ends here
