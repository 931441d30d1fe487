;;; quickvault-doctor.el --- What works here, and bug reports  -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The QuickVault authors

;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; Both pages are the output of the program's own doctor.

;;; Code:

(require 'quickvault-server)

;;;###autoload
(defun quickvault-doctor ()
  "Show which optional components are available, and how to get the others."
  (interactive)
  (quickvault--show-doctor "*QuickVault doctor*"))

;;;###autoload
(defun quickvault-report-bug ()
  "Show what a bug report needs: versions, problems found, and the last errors.
Nothing is sent."
  (interactive)
  (quickvault--show-doctor "*QuickVault bug report*" "--report"))

(defun quickvault--show-doctor (buffer &rest options)
  "Show the output of the program's doctor with OPTIONS in BUFFER."
  (let ((program (or (executable-find quickvault-program)
                     (user-error "%s" (quickvault--text "The program %s was not found.  Install it or set `quickvault-program'"
                                                        quickvault-program))))
        (vault (and quickvault-vault-file (list "--vault" (expand-file-name quickvault-vault-file))))
        (language (if (quickvault--chinese-p) "LC_ALL=zh_CN.UTF-8" "LC_ALL=C.UTF-8")))
    (with-current-buffer (get-buffer-create buffer)
      (let ((inhibit-read-only t)
            (default-directory "/")
            (process-environment (cons language process-environment))
            (coding-system-for-read 'utf-8))
        (special-mode)
        (setq-local revert-buffer-function (lambda (&rest _) (apply #'quickvault--show-doctor buffer options)))
        (erase-buffer)
        (apply #'call-process program nil t nil "doctor" (append options vault))
        (set-buffer-modified-p nil)
        (goto-char (point-min)))
      (pop-to-buffer (current-buffer)))))

(provide 'quickvault-doctor)
;;; quickvault-doctor.el ends here
