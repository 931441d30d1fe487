;;; quickvault-background.el --- Locking when Emacs goes to the background  -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The QuickVault authors

;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; Tells the program when Emacs is suspended or ends, when its last frame is deleted, and
;; when all frames are minimised; if the user wants it, when no frame has had the focus for
;; a while.  The program then locks the vault if the vault's settings say so.

;;; Code:

(require 'quickvault-buffer)

(defcustom quickvault-lock-on-focus-loss nil
  "Seconds without the focus after which the vault locks; nil for never.
If all frames are minimised, the vault locks immediately.  The vault's own
setting for locking in the background must be on too.  While a form has
unsaved input, a loss of the focus does not lock."
  :group 'quickvault
  :type '(choice (const :tag "Never" nil) (number :tag "Seconds")))

(autoload 'quickvault--put-drafts "quickvault-drafts")
(autoload 'quickvault--put-drafts-later "quickvault-drafts")

(defvar quickvault--unlocked nil
  "Non-nil if the vault was unlocked and has not been locked since.")

(defun quickvault--did-lock (_reason)
  "Record that the vault is locked."
  (setq quickvault--unlocked nil))

(add-hook 'quickvault-lock-functions #'quickvault--did-lock)

(defvar quickvault--focus-timer nil
  "Timer that delays a reaction to losing the focus, or nil.")

(defun quickvault--watch-background ()
  "Start watching for Emacs going to the background and returning."
  (add-hook 'suspend-hook #'quickvault--did-enter-background)
  (add-hook 'suspend-resume-hook #'quickvault--did-become-active)
  (add-hook 'suspend-tty-functions #'quickvault--terminal-suspended)
  (add-hook 'resume-tty-functions #'quickvault--did-become-active)
  (add-hook 'delete-frame-functions #'quickvault--frame-deleted)
  (add-hook 'after-make-frame-functions #'quickvault--did-become-active)
  (add-hook 'kill-emacs-hook #'quickvault--did-enter-background)
  (add-function :after after-focus-change-function #'quickvault--focus-changed)
  (when (eq (lookup-key special-event-map [iconify-frame]) 'ignore)
    (define-key special-event-map [iconify-frame] #'quickvault--frame-iconified)))

(defun quickvault--did-enter-background (&rest _)
  "Notify the program that Emacs is no longer in the foreground.
Wait for the lock, so that the screen is cleared before Emacs is suspended."
  (when quickvault--unlocked
    (with-demoted-errors "QuickVault: %S"
      (quickvault--put-drafts)
      (quickvault--send-notification 'client/didEnterBackground)
      (quickvault--call 'vault/status nil 2)
      (redisplay t))))

(defun quickvault--did-become-active (&rest _)
  "Notify the program that Emacs is in the foreground again.
Wait for a lock meanwhile, before the screen is drawn again."
  (with-demoted-errors "QuickVault: %S"
    (quickvault--send-notification 'client/didBecomeActive)
    (when quickvault--unlocked (quickvault--call 'vault/status nil 2))))

(defun quickvault--frame-deleted (frame)
  "Go to the background if FRAME, about to be deleted, is the last one."
  (unless (remq frame (quickvault--shown-frames))
    (quickvault--did-enter-background)))

(defun quickvault--terminal-suspended (terminal)
  "Go to the background if TERMINAL, about to be suspended, has the last frames."
  (when (seq-every-p (lambda (frame) (eq (frame-terminal frame) terminal)) (quickvault--shown-frames))
    (quickvault--did-enter-background)))

(defun quickvault--frames ()
  "Return the user's frames.
Child frames and the initial one of a daemon are not among them."
  (seq-remove (lambda (frame)
                (or (frame-parameter frame 'parent-frame)
                    (equal (terminal-name frame) "initial_terminal")))
              (frame-list)))

(defun quickvault--shown-frames ()
  "Return the frames that the user can see.
One that is minimised, or on a suspended terminal, is not among them."
  (seq-filter (lambda (frame) (eq (frame-visible-p frame) t)) (quickvault--frames)))

(defun quickvault--check-frame ()
  "Signal a `user-error' in a daemon without a frame, where nobody can answer."
  (when (and (daemonp) (equal (terminal-name) "initial_terminal"))
    (user-error "%s" (quickvault--text "No frame can ask for the password; open one with emacsclient -c or -t"))))

(defun quickvault--frame-iconified ()
  "React to a frame being minimised."
  (interactive)
  (quickvault--focus-changed))

(defun quickvault--focus-changed ()
  "React to a change of focus: send drafts; after a delay, tell the program.
Of a mere loss of the focus, it is told only if the user wants it."
  (unless (quickvault--focused-p) (quickvault--put-drafts-later))
  (when (timerp quickvault--focus-timer) (cancel-timer quickvault--focus-timer))
  ;; Between two frames, for a moment neither has the focus.
  (let ((delay (if (or (quickvault--focused-p) (quickvault--minimised-p)) 0 quickvault-lock-on-focus-loss)))
    (setq quickvault--focus-timer
          (and delay quickvault--unlocked (run-at-time (max 0.3 delay) nil #'quickvault--report-focus)))))

(defun quickvault--focused-p ()
  "Return non-nil if a frame that the user sees has the focus."
  (seq-some (lambda (frame)
              (and (frame-focus-state frame) (not (eq (frame-visible-p frame) 'icon))))
            (frame-list)))

(defun quickvault--minimised-p ()
  "Return non-nil if no frame can be seen, because they are minimised."
  (and (not (quickvault--shown-frames))
       (seq-some (lambda (frame) (eq (frame-visible-p frame) 'icon)) (quickvault--frames))))

(defun quickvault--report-focus ()
  "Notify the program of whether any frame has the focus.
If a form has unsaved input, do not report the loss of the focus: a user
who fills in a form looks things up in other programs."
  (setq quickvault--focus-timer nil)
  (cond ((quickvault--focused-p)
         (quickvault--did-become-active))
        ((and (or quickvault-lock-on-focus-loss (quickvault--minimised-p)) (not (quickvault--unsaved-input-p)))
         (quickvault--did-enter-background))))

(provide 'quickvault-background)
;;; quickvault-background.el ends here
