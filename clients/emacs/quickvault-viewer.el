;;; quickvault-viewer.el --- Viewing attachments  -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The QuickVault authors

;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; Shows an attachment as an image in a buffer, without a file.  Documents, and images
;; that Emacs cannot display, are rendered by the program.

;;; Code:

(require 'quickvault-attachments)

(defvar-local quickvault--image-data nil
  "The image data shown in this buffer, a unibyte string cleared at a lock.")

(defvar quickvault-attachment-mode-map
  (let ((map (make-sparse-keymap)))
    (set-keymap-parent map special-mode-map)
    (define-key map "x" #'quickvault-export-attachment)
    (define-key map "m" #'quickvault-mail-attachment)
    (define-key map "M" #'quickvault-set-watermark)
    (define-key map "d" #'quickvault-delete-attachment)
    (define-key map "o" #'quickvault-view-original)
    (define-key map "L" #'quickvault-lock)
    map)
  "Keymap of `quickvault-attachment-mode'.")

(define-derived-mode quickvault-attachment-mode special-mode "QuickVault"
  "Major mode for viewing an attachment.
\\{quickvault-attachment-mode-map}"
  :interactive nil
  (setq-local revert-buffer-function (lambda (&rest _) (quickvault--show-attachment quickvault--attachment))))

;;;###autoload
(defun quickvault-view-attachment (attachment)
  "Show ATTACHMENT with its watermark; of a document, show the first page."
  (interactive (list (quickvault--read-attachment (quickvault--text "View attachment"))))
  (pop-to-buffer-same-window (quickvault--show-attachment attachment)))

(defun quickvault-view-original ()
  "View this buffer's attachment without its watermark.
Ask for a fingerprint or the password first."
  (interactive nil quickvault-attachment-mode)
  (quickvault--check-mode 'quickvault-attachment-mode)
  (quickvault--show-attachment quickvault--attachment t))

(defun quickvault--show-attachment (attachment &optional original)
  "Return a buffer displaying ATTACHMENT, without its watermark if ORIGINAL."
  (let* ((content (quickvault--attachment-content attachment original))
         (buffer (get-buffer-create "*QuickVault attachment*")))
    (with-current-buffer buffer
      (let ((inhibit-read-only t))
        (quickvault--erase)
        (quickvault-attachment-mode)
        (quickvault--protect-buffer (lambda () (quickvault-view-attachment attachment)))
        (setq quickvault--attachment attachment
              quickvault--image-data content)
        (add-hook 'change-major-mode-hook #'quickvault--clear-image nil t)
        (add-hook 'kill-buffer-hook #'quickvault--clear-image nil t)
        (insert (propertize (plist-get attachment :name) 'face 'quickvault-title) "\n"
                (quickvault--describe-attachment attachment) "\n\n")
        (if content
            (quickvault--insert-image (create-image content (image-type-from-data content) t
                                                    :max-width (window-body-width nil t))
                                      attachment)
          (insert (quickvault--text "This frame cannot display images.")))
        (insert "\n\n"
                (quickvault--text "\\[quickvault-export-attachment] exports, \\[quickvault-mail-attachment] mails, \\[quickvault-set-watermark] sets the watermark, \\[quickvault-view-original] shows the original, \\[quickvault-delete-attachment] deletes, \\[quit-window] closes.")
                "\n")
        (quickvault--mark-contents)
        (set-buffer-modified-p nil)
        (goto-char (point-min))))
    buffer))

(defun quickvault--attachment-content (attachment original)
  "Return ATTACHMENT as image data, without its watermark if ORIGINAL.
Return nil if the frame cannot display images."
  (when (display-images-p)
    (let* ((type (plist-get attachment :mediaType))
           (displayable (and (member type '("image/jpeg" "image/png"))
                             (image-type-available-p (if (equal type "image/png") 'png 'jpeg))))
           (answer (if (or displayable original)
                       (quickvault--attachment-request 'attachment/get (quickvault--text "Opening...") attachment
                                                       (and original '(:original t)))
                     ;; Have the program render what Emacs cannot display.
                     (quickvault--request 'attachment/thumbnail (list :id (plist-get attachment :id) :size 2048)
                                          nil quickvault-password-timeout))))
      (base64-decode-string (plist-get answer :data)))))

(defun quickvault--clear-image ()
  "Clear this buffer's image data and the image cache."
  (when quickvault--image-data
    (clear-string quickvault--image-data)
    (setq quickvault--image-data nil)
    (when (fboundp 'clear-image-cache) (clear-image-cache t))))

(provide 'quickvault-viewer)
;;; quickvault-viewer.el ends here
