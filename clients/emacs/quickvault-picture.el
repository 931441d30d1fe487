;;; quickvault-picture.el --- A buffer that shows an attachment  -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The QuickVault authors

;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; The picture itself, in a buffer and nowhere else.  Of a document, and of what Emacs
;; cannot read, it is what the program draws.

;;; Code:

(require 'quickvault-attachments)

(defvar-local quickvault--picture nil
  "The content that the buffer shows: unibyte, erased at the lock.")

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
  "Keys of a buffer with an attachment.")

(define-derived-mode quickvault-attachment-mode special-mode "QuickVault"
  "Mode of a buffer that shows an attachment.
\\{quickvault-attachment-mode-map}"
  (setq-local revert-buffer-function (lambda (&rest _) (quickvault--show-attachment quickvault--attachment))))

;;;###autoload
(defun quickvault-view-attachment (attachment)
  "Show ATTACHMENT, with its watermark; of a document the first page."
  (interactive (list (quickvault--read-attachment (quickvault--text "View"))))
  (pop-to-buffer-same-window (quickvault--show-attachment attachment)))

(defun quickvault-view-original ()
  "Show the attachment of this buffer without its watermark, after the password."
  (interactive)
  (unless quickvault--attachment
    (user-error "%s" (quickvault--text "The original is shown from the attachment's own buffer")))
  (quickvault--show-attachment quickvault--attachment t))

(defun quickvault--show-attachment (attachment &optional original)
  "A buffer with ATTACHMENT, without its watermark if ORIGINAL."
  (let* ((content (quickvault--attachment-content attachment original))
         (buffer (get-buffer-create "*QuickVault attachment*")))
    (with-current-buffer buffer
      (let ((inhibit-read-only t))
        (quickvault--erase)
        (quickvault-attachment-mode)
        (quickvault--guard (lambda () (quickvault-view-attachment attachment)))
        (setq quickvault--attachment attachment
              quickvault--picture content)
        (add-hook 'change-major-mode-hook #'quickvault--forget-picture nil t)
        (add-hook 'kill-buffer-hook #'quickvault--forget-picture nil t)
        (insert (propertize (plist-get attachment :name) 'face 'quickvault-title) "\n"
                (quickvault--describe-attachment attachment) "\n\n")
        (if content
            (insert-image (create-image content (image-type-from-data content) t
                                        :max-width (window-body-width nil t))
                          (quickvault--describe-attachment attachment))
          (insert (quickvault--text "This frame shows no pictures.")))
        (insert "\n\n"
                (quickvault--text "x exports it, m mails it, M sets its watermark, o shows the original, d deletes it, q leaves.")
                "\n")
        (set-buffer-modified-p nil)
        (goto-char (point-min))))
    buffer))

(defun quickvault--attachment-content (attachment original)
  "The bytes of a picture of ATTACHMENT, or nil where the frame cannot show any.
Without its watermark if ORIGINAL."
  (when (display-images-p)
    (let* ((type (plist-get attachment :mediaType))
           (as-it-is (and (member type '("image/jpeg" "image/png"))
                          (image-type-available-p (if (equal type "image/png") 'png 'jpeg))))
           (answer (if (or as-it-is original)
                       (quickvault--attachment-call 'attachment/get (quickvault--text "Opening...") attachment
                                                    (and original '(:original t)))
                     ;; What Emacs cannot read, the program draws.
                     (quickvault--request 'attachment/thumbnail (list :id (plist-get attachment :id) :size 2048)
                                          nil quickvault-password-timeout))))
      (base64-decode-string (plist-get answer :data)))))

(defun quickvault--forget-picture ()
  "Erase the picture of this buffer, and what Emacs has drawn of it."
  (when quickvault--picture
    (clear-string quickvault--picture)
    (setq quickvault--picture nil)
    (when (fboundp 'clear-image-cache) (clear-image-cache t))))

(provide 'quickvault-picture)
;;; quickvault-picture.el ends here
