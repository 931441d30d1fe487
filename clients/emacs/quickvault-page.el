;;; quickvault-page.el --- Pages that are written anew  -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The QuickVault authors

;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; A page that follows the program changes while the user reads it, in several windows
;; perhaps.

;;; Code:

(require 'quickvault-buffer)

(defun quickvault--refill (insert)
  "Have the function INSERT write this page anew.
Point, and each window, stays at its line and column."
  (let ((inhibit-read-only t)
        (point (quickvault--place (point)))
        (windows (mapcar (lambda (window)
                           (list window
                                 (quickvault--place (window-start window))
                                 (quickvault--place (window-point window))))
                         (get-buffer-window-list nil nil t))))
    (quickvault--erase)
    (funcall insert)
    (quickvault--mark-contents)
    (set-buffer-modified-p nil)
    (pcase-dolist (`(,window ,start ,cursor) windows)
      (set-window-start window (quickvault--at-place start) t)
      (set-window-point window (quickvault--at-place cursor)))
    (goto-char (quickvault--at-place point))))

(defun quickvault--place (position)
  "Return the line and column of POSITION."
  (save-excursion
    (goto-char position)
    (cons (line-number-at-pos) (- position (line-beginning-position)))))

(defun quickvault--at-place (place)
  "Return the position of PLACE, a line and a column."
  (save-excursion
    (goto-char (point-min))
    (forward-line (1- (car place)))
    (min (+ (point) (cdr place)) (line-end-position))))

(provide 'quickvault-page)
;;; quickvault-page.el ends here
