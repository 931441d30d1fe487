;;; quickvault-viewer.el --- Viewing attachments  -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The QuickVault authors

;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; Shows an attachment as an image in a buffer, without a file.  Documents, and images
;; that Emacs cannot display, are rendered by the program.  On a terminal, chafa(1) draws
;; them, if it is installed.

;;; Code:

(require 'ansi-color)
(require 'quickvault-attachments)
(require 'quickvault-clipboard)

(defcustom quickvault-thumbnail-size 128
  "Longest side of the thumbnails on a card's page, in pixels; 0 for none."
  :group 'quickvault
  :type 'integer)

(defvar-local quickvault--image-data nil
  "The image data shown in this buffer, a unibyte string cleared at a lock.")

(defvar-local quickvault--original-shown nil
  "Non-nil if this buffer shows the original of a picture with a watermark.")

(defvar quickvault-attachment-mode-map
  (let ((map (make-sparse-keymap)))
    (set-keymap-parent map special-mode-map)
    (pcase-dolist (`(,key . ,command) '(("x" . quickvault-export-attachment) ("@" . quickvault-mail-attachment)
                                        ("M" . quickvault-set-watermark) ("D" . quickvault-delete-attachment)
                                        ("v" . quickvault-view-original) ("o" . quickvault-open-attachment)
                                        ("L" . quickvault-lock)))
      (define-key map key command))
    map)
  "Keymap of `quickvault-attachment-mode'.
The keys are those of a card's page.")

(define-derived-mode quickvault-attachment-mode special-mode "QuickVault"
  "Major mode for viewing an attachment.
\\{quickvault-attachment-mode-map}"
  :interactive nil
  (setq-local revert-buffer-function
              (lambda (&rest _) (quickvault--show-attachment quickvault--attachment quickvault--original-shown))))

;;;###autoload
(defun quickvault-view-attachment (attachment)
  "Show ATTACHMENT with its watermark; of a document, show the first page."
  (interactive (list (quickvault--read-attachment (quickvault--text "View attachment"))))
  (pop-to-buffer-same-window (quickvault--show-attachment attachment)))

(defun quickvault-view-original ()
  "View this buffer's attachment without its watermark, or with it again.
Ask for a fingerprint or the password first."
  (interactive nil quickvault-attachment-mode)
  (quickvault--check-mode 'quickvault-attachment-mode)
  (unless (plist-get quickvault--attachment :watermark)
    (user-error "%s" (quickvault--text "This is the original: it has no watermark")))
  (quickvault--show-attachment quickvault--attachment (not quickvault--original-shown)))

;;;###autoload
(defun quickvault-open-attachment (attachment)
  "Open ATTACHMENT, such as a PDF, in the program of the desktop for it.
`qv open' gives that a file in memory until the program ends, or the
vault is locked."
  (interactive (list (quickvault--read-attachment (quickvault--text "View attachment"))))
  (quickvault-qv (list "open" (plist-get attachment :cardId) (plist-get attachment :id))))

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
              quickvault--original-shown original
              quickvault--image-data content)
        (add-hook 'change-major-mode-hook #'quickvault--clear-image nil t)
        (add-hook 'kill-buffer-hook #'quickvault--clear-image nil t)
        (insert (propertize (plist-get attachment :name) 'face 'quickvault-title) "\n"
                (quickvault--describe-attachment attachment) "\n"
                (cond (original (quickvault--text "The original, without the watermark"))
                      ((plist-get attachment :watermark) (quickvault--text "With the watermark"))
                      (t (quickvault--text "The original: it has no watermark")))
                (if (equal "application/pdf" (plist-get attachment :mediaType))
                    (quickvault--text "; the first page, \\[quickvault-open-attachment] opens the document")
                  "")
                "\n\n")
        (quickvault--insert-picture content attachment (window-body-width nil (display-graphic-p)))
        (insert "\n"
                (quickvault--text "\\[quickvault-export-attachment] exports, \\[quickvault-mail-attachment] mails, \\[quickvault-set-watermark] sets the watermark, \\[quickvault-view-original] shows the original, \\[quickvault-open-attachment] opens, \\[quickvault-delete-attachment] deletes, \\[quit-window] closes.")
                "\n")
        (quickvault--mark-contents)
        (set-buffer-modified-p nil)
        (goto-char (point-min))))
    buffer))

(defun quickvault--attachment-content (attachment original)
  "Return ATTACHMENT as image data, without its watermark if ORIGINAL.
Return nil if nothing can display it."
  (when (or (display-images-p) (quickvault--chafa))
    (let* ((type (plist-get attachment :mediaType))
           (displayable (and (display-images-p)
                             (member type '("image/jpeg" "image/png"))
                             (image-type-available-p (if (equal type "image/png") 'png 'jpeg))))
           (answer (if (or displayable original)
                       (quickvault--attachment-request 'attachment/get (quickvault--text "Opening...") attachment
                                                       (and original '(:original t)))
                     ;; Have the program render what Emacs cannot display.
                     (quickvault--request 'attachment/thumbnail
                                          (list :id (plist-get attachment :id) :size (if (display-images-p) 2048 512))
                                          nil quickvault-password-timeout))))
      (base64-decode-string (plist-get answer :data)))))

(defun quickvault--clear-image ()
  "Clear this buffer's image data and the image cache."
  (when quickvault--image-data
    (clear-string quickvault--image-data)
    (setq quickvault--image-data nil)
    (when (fboundp 'clear-image-cache) (clear-image-cache t))))

;;; Pictures

(defun quickvault--insert-thumbnail (attachment)
  "Insert a placeholder, and replace it by the thumbnail of ATTACHMENT later."
  (when (and (> quickvault-thumbnail-size 0)
             (or (quickvault--chafa) (and (display-graphic-p) (image-type-available-p 'jpeg))))
    (let ((start (copy-marker (point)))
          (page (current-buffer)))
      (insert "\n")
      (quickvault--request-later
       'attachment/thumbnail (list :id (plist-get attachment :id) :size (max 16 quickvault-thumbnail-size))
       ;; chafa is waited for.  Meanwhile the filter that has this answer must not read the next one.
       (lambda (answer) (run-at-time 0 nil #'quickvault--replace-by-thumbnail page start attachment answer))
       #'ignore))))

(defun quickvault--replace-by-thumbnail (page start attachment answer)
  "Replace the empty line at START of PAGE by the picture of ATTACHMENT in ANSWER."
  (when (and (buffer-live-p page) (marker-position start))
    (with-current-buffer page
      ;; By now the vault may be locked, or the page may show another card.
      (when (and (derived-mode-p 'quickvault-card-mode)
                 (eq (char-after start) ?\n))
        (let ((inhibit-read-only t))
          (save-excursion
            (goto-char start)
            (quickvault--insert-picture (base64-decode-string (plist-get answer :data)) attachment
                                        (if (display-graphic-p) quickvault-thumbnail-size
                                          (/ quickvault-thumbnail-size 4))))
          (quickvault--mark-contents)
          (set-buffer-modified-p nil))))))

(defun quickvault--chafa ()
  "Return the program that draws pictures on this terminal, or nil."
  (and (not (display-graphic-p)) (executable-find "chafa")))

(defun quickvault--insert-picture (data attachment width)
  "Insert the picture of DATA, of ATTACHMENT, at most WIDTH pixels or columns wide.
`insert-image' would bring keys that write the image to a file."
  (cond ((and data (display-graphic-p))
         (insert (propertize (quickvault--describe-attachment attachment) 'rear-nonsticky t 'display
                             (create-image data (image-type-from-data data) t :max-width width))))
        ((and data (quickvault--chafa))
         ;; `ansi-color-apply' uses another name for faces.
         (setq-local char-property-alias-alist '((face font-lock-face)))
         (insert (ansi-color-apply
                  (or (quickvault--pipe data (quickvault--chafa) "--format" "symbols" "--animate" "off"
                                    "--colors" (cond ((< (display-color-cells) 16) "8")
                                                     ;; Emacs 28 knows no more.
                                                     ((or (< emacs-major-version 29) (< (display-color-cells) 256)) "16")
                                                     ((< (display-color-cells) 16777216) "256")
                                                     (t "full"))
                                    "--symbols" "block" "--size"
                                    (format "%dx%d" width (min (/ width 2) (max 4 (- (window-body-height) 8)))) "-")
                      ""))
                 "\n"))
        (t (insert (quickvault--text "This frame cannot display images.") "\n"))))

(provide 'quickvault-viewer)
;;; quickvault-viewer.el ends here
