;;; quickvault-display.el --- Mode line and line breaks  -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The QuickVault authors

;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; What all buffers of the vault show: whether it is the demo, and whether synchronisation
;; needs attention.

;;; Code:

(require 'quickvault-sync-state)

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

(provide 'quickvault-display)
;;; quickvault-display.el ends here
