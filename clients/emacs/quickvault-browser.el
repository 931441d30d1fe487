;;; quickvault-browser.el --- Pages to open in a browser  -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The QuickVault authors

;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; A page that the user opens in a browser is a button, and a QR code for a telephone if the
;; program qrencode is installed.

;;; Code:

(require 'browse-url)
(require 'quickvault-card)
(require 'quickvault-pipe)

(defun quickvault--insert-page (url code url-with-code)
  "Insert the page URL to open, the CODE to type there, and a QR code.
CODE may be nil, and so may URL-WITH-CODE, which is for the QR code."
  (insert (quickvault--text "Open this page in your browser:") "\n\n  ")
  (quickvault--insert-link (quickvault--one-line url))
  (insert "\n\n")
  (when code
    (insert (quickvault--text "and type this code there:") "\n\n  "
            (propertize (quickvault--one-line code) 'face 'quickvault-title) "\n\n"))
  (when-let ((picture (and url-with-code (quickvault--qr-code url-with-code))))
    (insert (quickvault--text "Or scan this with a telephone:") "\n\n" picture "\n\n")))

(defun quickvault--insert-link (url)
  "Insert URL, as a button if it is the address of a web page."
  (if (string-match-p "\\`https?://" url)
      (insert-text-button url 'action (lambda (_) (browse-url url)) 'follow-link t)
    (insert url)))

(defun quickvault--qr-code (text)
  "Return TEXT as a QR code, to insert, or nil if qrencode is missing."
  (if (and (display-images-p) (image-type-available-p 'svg))
      (when-let ((picture (quickvault--qrencode text "SVG")))
        (propertize "*" 'display (create-image picture 'svg t :scale 2 :margin 8 :background "white")))
    (when-let ((picture (quickvault--qrencode text "UTF8")))
      ;; A camera wants dark on light, whatever the colours of the terminal are.
      (propertize (string-trim-right picture "\n") 'face '(:foreground "white" :background "black")))))

(defun quickvault--qrencode (text type)
  "Return what qrencode prints for TEXT as TYPE, or nil."
  (when-let ((program (executable-find "qrencode")))
    (quickvault--pipe text program "-t" type "-o" "-")))

;;;###autoload
(defun quickvault-privacy ()
  "Show the statement on privacy: who learns what."
  (interactive)
  (let ((program (or (executable-find quickvault-program)
                     (user-error "%s" (quickvault--text "The program %s was not found.  Install it or set `quickvault-program'"
                                                        quickvault-program))))
        (default-directory "/")
        (coding-system-for-read 'utf-8)
        (process-environment (cons (if (quickvault--chinese-p) "LC_ALL=zh_CN.UTF-8" "LC_ALL=C.UTF-8")
                                   process-environment)))
    (with-help-window "*QuickVault privacy*"
      (call-process program nil (list standard-output nil) nil "privacy"))))

(provide 'quickvault-browser)
;;; quickvault-browser.el ends here
