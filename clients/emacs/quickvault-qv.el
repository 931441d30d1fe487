;;; quickvault-qv.el --- The file of a card that qv edits  -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The QuickVault authors

;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; `qv edit' opens a card in the editor of the user, as a private file in memory.  With
;; EDITOR=emacsclient, Emacs would keep copies of the text elsewhere.

;;; Code:

(require 'quickvault-minibuffer)

(defvar quickvault-qv-font-lock-keywords
  '(("^#.*" . font-lock-comment-face)
    ("^\\([^ \t\n#\\:：]\\|\\\\.\\)[^\n\\:：]*\\(\\\\.[^\n\\:：]*\\)*[:：]" . font-lock-keyword-face))
  "Remarks and labels in `quickvault-qv-mode'.")

;;;###autoload
(add-to-list 'auto-mode-alist '("/quickvault-view\\.[[:alnum:]]+/card\\.txt\\'" . quickvault-qv-mode))

;;;###autoload
(define-derived-mode quickvault-qv-mode text-mode "Card"
  "Major mode for the file of a card that `qv edit' opens.
Emacs makes no backup, auto-save file or lock file of it, and does not
save text killed in it."
  :interactive nil
  (setq-local comment-start "# "
              font-lock-defaults '(quickvault-qv-font-lock-keywords t)
              backup-inhibited t
              create-lockfiles nil
              undo-tree-auto-save-history nil)
  (auto-save-mode -1)
  (quickvault--protect-histories))

(provide 'quickvault-qv)
;;; quickvault-qv.el ends here
