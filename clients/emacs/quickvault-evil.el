;;; quickvault-evil.el --- The vault's buffers with Evil  -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The QuickVault authors

;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; With Evil, lists and pages start in Emacs state, where their keys are, and forms in insert
;; state.  Evil remembers nothing of what is typed, replaced and searched for there.

;;; Code:

(require 'ring)
(require 'quickvault-list)
(require 'quickvault-form)

(declare-function evil-set-initial-state "ext:evil-core")
(declare-function evil-local-set-key "ext:evil-core")

(defun quickvault--evil-set-states ()
  "If there is Evil, set the initial states of this package's modes.
Add the keys j and k to lists and pages."
  (when (fboundp 'evil-set-initial-state)
    (dolist (mode '(quickvault-list-mode quickvault-card-mode quickvault-attachment-mode
                    quickvault-question-mode quickvault-conflict-mode quickvault-blank-mode quickvault-terminal-mode quickvault-output-mode
                    quickvault-settings-mode quickvault-stored-mode))
      (evil-set-initial-state mode 'emacs))
    (evil-set-initial-state 'quickvault-form-mode 'insert)
    (dolist (map (list quickvault-list-mode-map quickvault-card-mode-map))
      (define-key map "j" #'next-line)
      (define-key map "k" #'previous-line))))

(quickvault--evil-set-states)
(add-hook 'evil-mode-hook #'quickvault--evil-set-states)

(defun quickvault--evil-protect ()
  "Have Evil remember what it does in this buffer only here.
A lock clears the variables of the buffer."
  (dolist (variable '(evil-ex-history evil-search-forward-history evil-search-backward-history evil-ex-search-history
                      evil-last-insertion evil-last-small-deletion))
    (set (make-local-variable variable) nil))
  (set (make-local-variable 'evil-repeat-ring) (make-ring 10))
  (when (and (derived-mode-p 'quickvault-form-mode) (bound-and-true-p evil-local-mode))
    ;; Evil's own keys come before those of the mode.
    (pcase-dolist (`(,key . ,command) `((,(kbd "TAB") . quickvault-form-next)
                                        (,(kbd "<backtab>") . quickvault-form-previous)
                                        ([remap evil-write] . quickvault-form-save)
                                        ([remap evil-save-and-close] . quickvault-form-save)
                                        ([remap evil-save-modified-and-close] . quickvault-form-save)
                                        ([remap evil-quit] . quickvault-form-cancel)))
      (evil-local-set-key 'normal key command))))

(add-hook 'quickvault--protect-hook #'quickvault--evil-protect)

(defun quickvault--evil-forget (_reason)
  "Clear what Evil remembers of the last command that was typed after a colon."
  (dolist (variable '(evil-ex-tree evil-ex-expression evil-ex-argument evil-ex-substitute-pattern
                      evil-ex-substitute-replacement evil-ex-substitute-current-replacement
                      evil-ex-search-pattern evil-flash-timer evil-repeat-info evil-last-repeat))
    (when (boundp variable) (set variable nil))))

(add-hook 'quickvault-lock-functions #'quickvault--evil-forget)

(provide 'quickvault-evil)
;;; quickvault-evil.el ends here
