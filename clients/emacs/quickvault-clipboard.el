;;; quickvault-clipboard.el --- Clear copied text from kill ring and clipboard  -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The QuickVault authors

;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; Copied text is removed from the kill ring, and from the clipboard if it is still
;; there, after the time in the vault's settings, when the vault locks, and when
;; Emacs exits.  A lock also removes what else was killed in the vault's buffers, from
;; wherever Emacs keeps it.
;;
;; In a terminal, Emacs itself often reaches no clipboard.  Then what is copied is also sent
;; to the terminal, by the control sequence OSC 52.  Nothing can clear it there.

;;; Code:

(require 'quickvault-buffer)

(defcustom quickvault-terminal-clipboard t
  "Whether to copy to the clipboard of the terminal if Emacs reaches no other.
It cannot be cleared there."
  :group 'quickvault
  :type 'boolean)

(defvar killed-rectangle)
(defvar yank-menu)

(defvar quickvault--copied nil
  "What was copied and is not cleared yet: the :texts, the last one first.
The :timer clears them.  The last one is on the clipboard as long as the
first element of the kill ring is :top.")

(defvar selection-converter-alist)

(defconst quickvault--secret-converter '(x-kde-passwordManagerHint . quickvault--secret-hint)
  "Element of `selection-converter-alist' for clipboard managers.
They keep no copy then.")

(defun quickvault--secret-hint (_selection _type value)
  "Return the answer to a clipboard manager that asks whether VALUE is secret."
  (and (quickvault--vault-text-p value) "secret"))

(defun quickvault--copy-text (text seconds)
  "Copy TEXT and clear it after SECONDS, or at the next lock if that is nil.
Return a remark about the clipboard of a terminal, or nil."
  (let ((texts (cons text (plist-get quickvault--copied :texts))))
    (quickvault--untrack-copied)
    (setq quickvault--copied (list :texts texts :top text
                                   :timer (and seconds (run-at-time seconds nil #'quickvault--clear-copied)))))
  ;; Run before functions that write the kill ring to a file.
  (add-hook 'kill-emacs-hook #'quickvault--clear-all-copied -90)
  (when (boundp 'selection-converter-alist)
    (cl-pushnew quickvault--secret-converter selection-converter-alist))
  (kill-new (quickvault--mark-vault-text text))
  (when (quickvault--clipboard-out-of-reach-p)
    (if (quickvault--copy-to-terminal text)
        (quickvault--text "Copied, also to the clipboard of the terminal, where it cannot be cleared.")
      (quickvault--text "Copied within Emacs only: this terminal has no clipboard."))))

(defun quickvault--untrack-copied ()
  "Do not clear what was copied any more."
  (when-let ((timer (plist-get quickvault--copied :timer))) (cancel-timer timer))
  (setq quickvault--copied nil))

(defun quickvault--clear-copied ()
  "Remove what was copied from the kill ring, and from the clipboard."
  (when (quickvault--copied-on-clipboard-p)
    (funcall interprogram-cut-function ""))
  (when (boundp 'selection-converter-alist)
    (setq selection-converter-alist (remq quickvault--secret-converter selection-converter-alist)))
  (quickvault--forget-copied-kills)
  (quickvault--untrack-copied))

(defun quickvault--forget-copied-kills ()
  "Remove what was copied from the kill ring."
  (let ((top (and quickvault--copied (equal (car kill-ring) (plist-get quickvault--copied :top)))))
    (quickvault--forget-kills (lambda (kill) (member kill (plist-get quickvault--copied :texts))))
    (when top (setq quickvault--copied (plist-put quickvault--copied :top (car kill-ring))))))

(defun quickvault--copied-on-clipboard-p ()
  "Return non-nil if the text copied last is still on the clipboard.
If the clipboard cannot be read, or no other program has set it, it
holds the last kill."
  (and interprogram-cut-function
       quickvault--copied
       (let ((there (quickvault--clipboard)))
         (if there (equal there (car (plist-get quickvault--copied :texts)))
           (equal (car kill-ring) (plist-get quickvault--copied :top))))))

(defun quickvault--clipboard ()
  "Return the text on the clipboard, or nil."
  (let ((there (or (and (display-selections-p)
                        (ignore-errors (gui-get-selection 'CLIPBOARD 'UTF8_STRING)))
                   (and interprogram-paste-function (funcall interprogram-paste-function)))))
    (if (consp there) (car there) there)))

(defun quickvault--clear-all-copied (&rest reason)
  "Clear all copied texts, and everything killed in the vault's buffers.
If REASON is that Emacs went to the background, leave the clipboard to
its timer: a user who wants to paste elsewhere leaves Emacs."
  (let ((background (equal reason '("background"))))
    (if background (quickvault--forget-copied-kills) (quickvault--clear-copied))
    (unless background
      (when (quickvault--killed-on-clipboard-p) (funcall interprogram-cut-function ""))
      (mapc #'quickvault--disown '(PRIMARY SECONDARY)))
    (quickvault--forget-kills #'quickvault--vault-text-p)
    (setq register-alist (quickvault--other-registers))
    (when (and (boundp 'killed-rectangle) (quickvault--vault-text-p killed-rectangle))
      (setq killed-rectangle nil))
    ;; What `dabbrev-expand' and `hippie-expand' found in a form.
    (dolist (variable '(dabbrev--last-expansion dabbrev--last-table he-expand-list he-tried-table))
      (when (boundp variable) (set variable nil)))))

(defun quickvault--forget-kills (predicate)
  "Forget each killed text that satisfies PREDICATE.
They are in the kill ring, in the Edit menu, and where Emacs remembers
what it had put on the clipboard."
  (setq kill-ring (seq-remove predicate kill-ring)
        kill-ring-yank-pointer kill-ring)
  (when (consp (bound-and-true-p yank-menu))
    (setcdr yank-menu (seq-remove (lambda (item) (funcall predicate (car-safe item))) (cdr yank-menu))))
  (dolist (variable '(gui--last-selected-text-clipboard gui--last-selected-text-primary))
    (when (and (boundp variable) (funcall predicate (symbol-value variable)))
      (set variable nil))))

(defun quickvault--killed-on-clipboard-p ()
  "Return non-nil if the last kill, from a vault's buffer, is on the clipboard."
  (and interprogram-cut-function
       (quickvault--vault-text-p (car kill-ring))
       (member (quickvault--clipboard) (list nil (substring-no-properties (car kill-ring))))))

(defun quickvault--disown (selection)
  "Give up SELECTION, a symbol, if it is text from the vault's buffers.
On a graphic display, the active region becomes the primary selection."
  (when (and (display-selections-p)
             (gui-backend-selection-owner-p selection)
             (quickvault--vault-text-p (ignore-errors (gui-get-selection selection))))
    (gui-set-selection selection nil)))

(add-hook 'quickvault-lock-functions #'quickvault--clear-all-copied)

;;; The clipboard of a terminal

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

(defun quickvault--pipe (text program &rest arguments)
  "Return the output of PROGRAM with ARGUMENTS for TEXT, or nil if it fails.
Unlike that of `call-process-region', TEXT is written to no file."
  (with-temp-buffer
    (let* ((default-directory "/")
           (process (make-process :name "quickvault-pipe" :buffer (current-buffer) :command (cons program arguments)
                                  :connection-type 'pipe :coding 'utf-8-unix :noquery t :sentinel #'ignore)))
      ;; The program may exit without reading.
      (ignore-errors
        (process-send-string process text)
        (process-send-eof process))
      (while (or (accept-process-output process 0.1) (process-live-p process)))
      (and (eql 0 (process-exit-status process)) (buffer-string)))))

(provide 'quickvault-clipboard)
;;; quickvault-clipboard.el ends here
