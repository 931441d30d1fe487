;;; quickvault-expansion.el --- Expansions without words of the vault  -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The QuickVault authors

;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; `dabbrev-expand' and `hippie-expand' look for words in all buffers.  What the user types
;; elsewhere must not be completed with words of the vault, whatever the name of their buffer.

;;; Code:

(require 'dabbrev)
(require 'hippie-exp)
(require 'nadvice)
(require 'quickvault-minibuffer)

(defvar quickvault--protected)

;; Emacs decodes process output in the last one.
(defconst quickvault--contents-names "\\`\\*QuickVault\\|\\` \\*code-conversion-work\\*\\'"
  "Regular expression for usual names of buffers with contents of the vault.")

(defun quickvault--hide-words ()
  "Have expansions in other buffers find no words of the vault."
  ;; Packages such as Cape look at these variables only.
  (dolist (variable '(dabbrev-ignored-buffer-regexps hippie-expand-ignore-buffers))
    (add-to-list variable quickvault--contents-names))
  (advice-add 'dabbrev--make-friend-buffer-list :filter-return #'quickvault--without-contents)
  (advice-add 'he-buffer-member :around #'quickvault--hippie-expand-member))

(defun quickvault--contents-p (buffer)
  "Return non-nil if BUFFER has contents of the vault."
  (with-current-buffer buffer
    (or quickvault--protected
        (string-match-p quickvault--contents-names (buffer-name))
        (quickvault--marked-p))))

(defun quickvault--marked-p ()
  "Return non-nil if the current buffer has text marked as contents of the vault."
  (save-restriction
    (widen)
    (text-property-any (point-min) (point-max) 'quickvault-contents quickvault--vault-text-mark)))

(defun quickvault--without-contents (buffers)
  "Return BUFFERS without those that have contents of the vault."
  (seq-remove #'quickvault--contents-p buffers))

(defun quickvault--hippie-expand-member (member kinds)
  "Return the value of MEMBER, whether the current buffer is of KINDS.
One with contents of the vault is only of those that are ignored."
  (if (quickvault--contents-p (current-buffer))
      (eq kinds hippie-expand-ignore-buffers)
    (funcall member kinds)))

(provide 'quickvault-expansion)
;;; quickvault-expansion.el ends here
