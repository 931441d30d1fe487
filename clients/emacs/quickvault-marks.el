;;; quickvault-marks.el --- Marking cards and acting on them  -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The QuickVault authors

;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; Cards are marked in the list as files are in Dired.  A command that can act on several
;; cards acts on the marked ones; if there are none, on the card at point.

;;; Code:

(require 'quickvault-list)

;;; Marking

(defun quickvault-mark (&optional count)
  "Mark the card at point and go to the next line, or mark those in the region.
With a prefix argument, mark COUNT cards from point on."
  (interactive "p" quickvault-list-mode)
  (quickvault--mark-rows t count))

(defun quickvault-unmark (&optional count)
  "Unmark the card at point and go to the next line, or unmark those in the region.
With a prefix argument, unmark COUNT cards from point on."
  (interactive "p" quickvault-list-mode)
  (quickvault--mark-rows nil count))

(defun quickvault-unmark-all ()
  "Unmark all cards."
  (interactive nil quickvault-list-mode)
  (quickvault--check-mode 'quickvault-list-mode)
  (quickvault--update-marks (point-min) (point-max) #'ignore))

(defun quickvault-toggle-marks ()
  "Mark the cards of the list that are not marked, and unmark the others."
  (interactive nil quickvault-list-mode)
  (quickvault--check-mode 'quickvault-list-mode)
  (quickvault--load-all)
  (quickvault--update-marks (point-min) (point-max) #'not))

(defun quickvault--mark-rows (marked count)
  "Mark the rows in the region if MARKED, else unmark them.
If there is no region, these are COUNT rows from point on."
  (quickvault--check-mode 'quickvault-list-mode)
  (if (use-region-p)
      (progn (quickvault--update-marks (region-beginning) (region-end) (lambda (_) marked))
             (deactivate-mark))
    (quickvault--update-marks (line-beginning-position) (line-end-position count) (lambda (_) marked))
    (forward-line (max 1 (or count 1)))))

(defun quickvault--update-marks (begin end change)
  "Mark or unmark the rows from BEGIN to END.
CHANGE is called with non-nil for a marked row, and returns whether it
is to be marked."
  (unless quickvault--marked (setq quickvault--marked (make-hash-table :test #'equal)))
  (save-excursion
    (goto-char begin)
    (beginning-of-line)
    (while (< (point) end)
      (when-let ((id (tabulated-list-get-id)))
        (if (funcall change (gethash id quickvault--marked))
            (puthash id t quickvault--marked)
          (remhash id quickvault--marked))
        (quickvault--redraw-mark id))
      (forward-line 1)))
  (force-mode-line-update))

(defun quickvault--redraw-mark (id)
  "Redraw the mark at the beginning of this line, the row of the card ID."
  (let ((inhibit-read-only t)
        (mark (quickvault--row-mark id)))
    (subst-char-in-region (point) (1+ (point)) (char-after) (aref mark 0) t)
    (put-text-property (point) (1+ (point)) 'face (get-text-property 0 'face mark))
    (set-buffer-modified-p nil)))

(provide 'quickvault-marks)
;;; quickvault-marks.el ends here
