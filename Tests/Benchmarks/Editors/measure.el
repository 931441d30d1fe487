;;; measure.el --- Measures what a user of the Emacs client waits for  -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The QuickVault authors

;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; The benchmark reads the messages that this file writes, lines of JSON, and types the
;; keys that they ask for, as a user does: time begins when a key arrives here, and ends
;; when what it asks for is on the screen.  The clock is that of Emacs.

;;; Code:

(defvar native-comp-deferred-compilation)
(defvar native-comp-jit-compilation)
;; Compiling in the background would take the processor from what is measured.
(setq native-comp-deferred-compilation nil
      native-comp-jit-compilation nil
      inhibit-startup-screen t)

(require 'json)
(require 'quickvault)

(setq quickvault-program (getenv "BENCHMARK_PROGRAM")
      quickvault-vault-file (getenv "BENCHMARK_VAULT")
      ;; What is measured begins with a program and an unlock of its own.
      quickvault-shared nil)

(defvar measure-step 'password
  "What is being measured or prepared.")

(defvar measure-began nil
  "When the last key arrived, as a float.")

(defvar measure-typed 0
  "The number of letters that were typed in the search.")

(defvar measure-keys nil
  "The microseconds of each letter, the last one first.")

(defvar measure-unlock nil
  "The microseconds from the password to the list.")

(defun measure-write (name value)
  "Write a message with the member NAME of VALUE."
  (let ((coding-system-for-write 'utf-8))
    (write-region (concat (json-encode (list (cons name value))) "\n")
                  nil (getenv "BENCHMARK_MESSAGES") t 'silent)))

(defun measure-type (keys)
  "Have KEYS typed."
  (measure-write 'type keys))

(defun measure-elapsed (&optional delay)
  "Display what has changed, and return the microseconds since the key.
The seconds of DELAY are not counted."
  (redisplay t)
  (round (* 1e6 (- (float-time) measure-began (or delay 0)))))

(defun measure-type-letter ()
  "Type the next letter of the word, or leave the search."
  (let ((word (getenv "BENCHMARK_WORD")))
    (setq measure-step (if (< measure-typed (length word)) 'searching 'leaving))
    (if (eq measure-step 'leaving)
        (measure-type "\C-g")
      (measure-type (substring word measure-typed (setq measure-typed (1+ measure-typed)))))))

(defun measure-on-prompt ()
  "Answer a prompt."
  (let ((prompt (or (minibuffer-prompt) "")))
    (cond ((string-match-p "Master password" prompt)
           (measure-type (concat (getenv "BENCHMARK_PASSWORD") "\r")))
          ((string-match-p "Search" prompt)
           (measure-type-letter)))))

(defun measure-on-key ()
  "Note when a key arrives."
  (setq measure-began (float-time)))

(defun measure-rows ()
  "Return the number of rows of the list."
  (if (derived-mode-p 'quickvault-list-mode)
      (how-many "^." (point-min) (point-max))
    0))

(defun measure-on-results (&rest _)
  "Note when results are displayed."
  (when (and (eq measure-step 'searching)
             (equal quickvault--query (substring (getenv "BENCHMARK_WORD") 0 measure-typed)))
    (push (measure-elapsed quickvault-search-delay) measure-keys)
    (measure-type-letter)))

(defun measure-on-command ()
  "Go on when a command has ended."
  (when (and (zerop (minibuffer-depth)) (derived-mode-p 'quickvault-list-mode))
    (pcase measure-step
      ('password
       (setq measure-unlock (measure-elapsed)
             measure-step 'search)
       (measure-type "\exquickvault-search\r"))
      ('leaving
       (setq measure-step 'all)
       (measure-type "\e>"))
      ('all
       (when (eq this-command #'quickvault-last-card)
         (let ((elapsed (measure-elapsed)))
           (measure-write 'measured `((unlock . ,measure-unlock)
                                      (keys . ,(vconcat (reverse measure-keys)))
                                      (allRows . ,elapsed)
                                      (rows . ,(measure-rows)))))
         (kill-emacs))))))

(defun measure-guard (function)
  "Return a function to call FUNCTION, and to tell its error and end Emacs."
  (lambda (&rest arguments)
    (condition-case failure
        (apply function arguments)
      (error (measure-write 'error (error-message-string failure))
             (kill-emacs)))))

(add-hook 'minibuffer-setup-hook (measure-guard #'measure-on-prompt))
(add-hook 'pre-command-hook #'measure-on-key)
(add-hook 'post-command-hook (measure-guard #'measure-on-command))
(advice-add 'quickvault--list-show :after (measure-guard #'measure-on-results))
(add-hook 'emacs-startup-hook (lambda () (measure-type "\exquickvault\r")))

;;; measure.el ends here
