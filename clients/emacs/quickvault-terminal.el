;;; quickvault-terminal.el --- The clipboard of a terminal  -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The QuickVault authors

;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; In a terminal, Emacs itself often reaches no clipboard.  Then what is copied is also sent
;; to the terminal, by the control sequence OSC 52.  Nothing can clear it there.

;;; Code:

(require 'quickvault-pipe)

(defcustom quickvault-terminal-clipboard t
  "Whether to copy to the clipboard of the terminal if Emacs reaches no other.
It cannot be cleared there."
  :group 'quickvault
  :type 'boolean)

(defconst quickvault--longest-terminal-text 74994
  "The number of bytes that a terminal takes in one sequence.")

(defun quickvault--clipboard-out-of-reach-p ()
  "Return non-nil if Emacs itself puts no kill on a clipboard here."
  (and (not (display-graphic-p))
       (eq interprogram-cut-function #'gui-select-text)
       (not (bound-and-true-p xclip-mode))
       ;; Emacs uses the control sequence itself.
       (not (terminal-parameter nil 'xterm--set-selection))))

(defun quickvault--copy-to-terminal (text)
  "Put TEXT on the clipboard of this terminal; return nil if it has none."
  (let ((bytes (encode-coding-string text 'utf-8))
        (tmux (getenv "TMUX" (selected-frame))))
    (and quickvault-terminal-clipboard
         (<= (length bytes) quickvault--longest-terminal-text)
         (not (member (tty-type) '(nil "dumb" "linux")))
         (or (and tmux (quickvault--copy-to-tmux text tmux))
             (let ((sequence (concat "\e]52;c;" (base64-encode-string bytes t) "\a")))
               (send-string-to-terminal
                ;; GNU screen passes on what is wrapped in a device control string.
                (if (and (string-prefix-p "screen" (tty-type)) (not tmux)) (concat "\eP" sequence "\e\\") sequence))
               t)))))

(defun quickvault--copy-to-tmux (text tmux)
  "Have tmux, with the socket in TMUX, copy TEXT; return nil if it does not.
It passes its own buffers on to the terminal, whatever it allows programs
inside."
  (when-let ((program (executable-find "tmux")))
    (let ((process-environment (cons (concat "TMUX=" tmux) process-environment))
          (buffer (format "quickvault-%d" (emacs-pid))))
      (when (quickvault--pipe text program "load-buffer" "-w" "-b" buffer "-")
        (quickvault--pipe "" program "delete-buffer" "-b" buffer)
        t))))

(provide 'quickvault-terminal)
;;; quickvault-terminal.el ends here
