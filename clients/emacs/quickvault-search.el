;;; quickvault-search.el --- Searching while one types  -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The QuickVault authors

;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; The list follows what is typed in the minibuffer.  The program is asked when the
;; keys pause; an answer to what is no longer there is cancelled, or else dropped.

;;; Code:

(require 'quickvault-list)

(defcustom quickvault-search-delay 0.15
  "Seconds without a key before what was typed is searched for."
  :group 'quickvault
  :type 'number)

;;;###autoload
(defun quickvault-search ()
  "Search while typing; RET to keep what was found, `C-g' to go back."
  (interactive)
  (unless (derived-mode-p 'quickvault-list-mode)
    (pop-to-buffer-same-window (quickvault--list-buffer)))
  (let* ((buffer (current-buffer))
         (before quickvault--query)
         (search (quickvault--search-as-typed buffer))
         (kept nil))
    (unwind-protect
        (progn
          (setq quickvault--query
                (quickvault--without-trace
                  (minibuffer-with-setup-hook
                      (lambda () (add-hook 'post-command-hook search nil t))
                    (read-from-minibuffer (quickvault--text "Search: ") before nil nil t))))
          (setq kept t))
      (funcall search 'stop)
      (when (buffer-live-p buffer)
        (with-current-buffer buffer
          (when (derived-mode-p 'quickvault-list-mode)
            (unless kept (setq quickvault--query before))
            (quickvault--list-refresh)))))))

(defun quickvault--search-as-typed (buffer)
  "A function for `post-command-hook' to search for the minibuffer's input.
What was found is shown in BUFFER.  Called with `stop', it ends its search."
  (let ((typed (buffer-local-value 'quickvault--query buffer))
        timer request)
    (lambda (&optional stop)
      (let ((input (if stop typed (minibuffer-contents-no-properties))))
        (when (or stop (not (equal input typed)))
          (setq typed input)
          (when timer (cancel-timer timer))
          (when (and request quickvault--connection)
            (quickvault--cancel quickvault--connection request))
          (setq request nil)
          (unless stop
            (setq timer
                  (run-with-idle-timer
                   quickvault-search-delay nil
                   (lambda ()
                     (setq request
                           (quickvault--search-later buffer input
                                                     (lambda () (equal input typed)))))))))))))

(defun quickvault--search-later (buffer query current-p)
  "Search for QUERY without waiting, and show in BUFFER what is found.
An answer that comes when CURRENT-P returns nil is dropped.  Return the
request's id."
  (with-current-buffer buffer
    (when (derived-mode-p 'quickvault-list-mode)
      (setq quickvault--query query)
      (apply #'quickvault--request-later
             (append (quickvault--list-question)
                     (list (lambda (page)
                             (when (and (buffer-live-p buffer) (funcall current-p))
                               (with-current-buffer buffer
                                 (when (derived-mode-p 'quickvault-list-mode)
                                   (setq quickvault--query query)
                                   (quickvault--list-show page)))))
                           (lambda (words)
                             (when (funcall current-p) (quickvault--notice words)))))))))

(provide 'quickvault-search)
;;; quickvault-search.el ends here
