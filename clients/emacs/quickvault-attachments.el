;;; quickvault-attachments.el --- Pictures and documents of a card  -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The QuickVault authors

;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; A card's page lists its attachments, with small pictures of them where the frame
;; can show pictures.  RET shows one.  No content is ever written to a file, unless
;; by `quickvault-export-attachment': pictures and mail are made from memory.

;;; Code:

(require 'quickvault-card)
(require 'quickvault-finger)

(declare-function quickvault-view-attachment "quickvault-picture")
(declare-function quickvault--show-attachment "quickvault-picture")
(declare-function dired-get-marked-files "dired")
(declare-function mml-insert-empty-tag "mml")

(defcustom quickvault-thumbnail-size 128
  "The longest side in pixels of the small pictures on a card's page; 0 for none."
  :group 'quickvault
  :type 'integer)

(defvar-local quickvault--attachment nil
  "The attachment that the buffer shows.")

;;; On the page

(define-button-type 'quickvault-attachment
  'action (lambda (button) (quickvault-view-attachment (button-get button 'quickvault-attachment)))
  'face 'default
  'follow-link t)

(defun quickvault--insert-attachments (card)
  "Insert the attachments of CARD."
  (when (> (length (plist-get card :attachments)) 0)
    (insert "\n" (propertize (quickvault--text "Attachments") 'face 'quickvault-label) "\n")
    (seq-doseq (attachment (plist-get card :attachments))
      (insert "  ")
      (insert-text-button (quickvault--one-line (plist-get attachment :name))
                          'type 'quickvault-attachment
                          'quickvault-attachment attachment
                          'help-echo (quickvault--text "%s: RET shows it" (quickvault--describe-attachment attachment)))
      (insert "  " (quickvault--describe-attachment attachment) "\n")
      (quickvault--insert-thumbnail attachment))))

(defun quickvault--describe-attachment (attachment)
  "Say in a line what ATTACHMENT is."
  (let ((watermark (plist-get (plist-get attachment :watermark) :text)))
    (string-join
     (delq nil
           (list (upcase (cadr (split-string (plist-get attachment :mediaType) "/")))
                 (format "%d×%d" (plist-get attachment :width) (plist-get attachment :height))
                 (file-size-human-readable (plist-get attachment :size) 'iec " " "B")
                 (and watermark (quickvault--text "watermark: %s" (quickvault--one-line watermark)))))
     " · ")))

(defun quickvault--insert-thumbnail (attachment)
  "Insert a place for the small picture of ATTACHMENT, and fill it when it comes."
  (when (and (display-graphic-p) (> quickvault-thumbnail-size 0) (image-type-available-p 'jpeg))
    (let ((start (copy-marker (point)))
          (page (current-buffer)))
      (insert "\n")
      (quickvault--request-later
       'attachment/thumbnail (list :id (plist-get attachment :id) :size (max 16 quickvault-thumbnail-size))
       (lambda (answer)
         (when (and (buffer-live-p page) (marker-position start))
           (with-current-buffer page
             ;; The lock, or another card, may have come before.
             (when (and (derived-mode-p 'quickvault-card-mode)
                        (eq (char-after start) ?\n))
               (let ((inhibit-read-only t))
                 (save-excursion
                   (goto-char start)
                   (insert-image (quickvault--image (plist-get answer :data))
                                 (quickvault--describe-attachment attachment)))
                 (set-buffer-modified-p nil))))))
       #'ignore))))

(defun quickvault--image (data)
  "The image of DATA, which is Base64."
  (create-image (base64-decode-string data) 'jpeg t))

;;; Choosing one

(defun quickvault--read-attachment (prompt)
  "The attachment at point or of this buffer, or one of a card's, read with PROMPT."
  (or (quickvault--attachment-here)
      (let* ((card (quickvault--read-card prompt))
             (all (append (plist-get (quickvault--request 'attachment/list (list :cardId (plist-get card :id)))
                                     :items)
                          nil)))
        (cond ((null all) (user-error "%s" (quickvault--text "This card has no attachments; A attaches one")))
              ((null (cdr all)) (car all))
              ((quickvault--complete prompt
                                     (mapcar (lambda (one) (cons (plist-get one :name) one)) all)
                                     #'quickvault--describe-attachment))
              (t (user-error "%s" (quickvault--text "No attachment was chosen")))))))

(defun quickvault--attachment-here ()
  "The attachment at point or of this buffer, or nil."
  (or quickvault--attachment
      (and (derived-mode-p 'quickvault-card-mode)
           (let ((button (button-at (line-beginning-position))))
             (setq button (or (button-at (point)) button
                              (save-excursion
                                (goto-char (line-beginning-position))
                                (and (looking-at "  ") (button-at (+ (point) 2))))))
             (and button (button-get button 'quickvault-attachment))))))

;;; What takes long

(defun quickvault--with-progress (text method params &optional handlers)
  "Ask METHOD with PARAMS while TEXT and how far it is stand in the echo area.
HANDLERS are as for `quickvault--request'.  Quitting cancels it."
  (let* ((reporter (make-progress-reporter text 0 100))
         (token (symbol-name method))
         (message-log-max nil)
         (quickvault--progress-functions
          (list (lambda (_token value)
                  (when-let ((percentage (plist-get value :percentage)))
                    (progress-reporter-update reporter percentage))))))
    (prog1 (quickvault--request method (append params (list :progressToken token)) handlers
                                quickvault-password-timeout)
      (message nil))))

(defun quickvault--attachment-call (method text attachment params)
  "Ask METHOD about ATTACHMENT with PARAMS, and TEXT in the echo area.
Where PARAMS want the original of a marked one, a finger is asked for where
this device is bound, and else the password."
  (let ((params (append (list :id (plist-get attachment :id)) params)))
    (if (and (eq (plist-get params :original) t) (plist-get attachment :watermark))
        (let ((answer (quickvault--ask-for-finger (quickvault--request 'vault/status) method params)))
          (when (stringp answer)
            (quickvault--with-old-password
             (concat answer (quickvault--text "Master password, for the original"))
             (lambda (password handlers)
               (setq answer
                     (quickvault--with-progress text method (append params (list :password password)) handlers)))))
          answer)
      (quickvault--with-progress text method params))))

;;; Attaching

;;;###autoload
(defun quickvault-attach (card files &optional watermark)
  "Attach FILES to CARD.
In Dired these are the marked files, elsewhere one that is read.  With a
prefix argument, ask for a WATERMARK that is shown on them."
  (interactive
   (let ((files (if (derived-mode-p 'dired-mode) (dired-get-marked-files) nil))
         (card (quickvault--read-card (quickvault--text "Attach to"))))
     (list card
           (or files
               (list (let (file-name-history)
                       (read-file-name (quickvault--text "Attach the file: ") nil nil t))))
           (and current-prefix-arg (quickvault--read-watermark nil)))))
  (dolist (file files)
    (quickvault--with-progress
     (quickvault--text "Attaching %s..." (file-name-nondirectory file))
     'attachment/add
     (append (list :cardId (plist-get card :id))
             (quickvault--file-parameters (expand-file-name file))
             (and watermark (list :watermark (list :text watermark))))))
  (quickvault--refresh-all)
  (quickvault--notice (quickvault--text "Attached: %d" (length files))))

(defun quickvault--file-parameters (file)
  "Parameters that hand FILE over: its path, or its content if it is remote."
  (if (file-remote-p file)
      (list :name (file-name-nondirectory file)
            :data (with-temp-buffer
                    (set-buffer-multibyte nil)
                    (insert-file-contents-literally file)
                    (base64-encode-string (buffer-string) t)))
    (list :path file)))

(defun quickvault--read-watermark (text)
  "Read the text of a watermark, which is TEXT now; nil for none."
  (let ((new (quickvault--without-trace
               (read-string (quickvault--text "Watermark, or nothing for none: ") text t nil t))))
    (and (not (string-blank-p new)) new)))

;;;###autoload
(defun quickvault-set-watermark (attachment text)
  "Show TEXT over ATTACHMENT from now on; nil takes it off.
The original stays in the vault."
  (interactive
   (let ((attachment (quickvault--read-attachment (quickvault--text "Watermark on"))))
     (list attachment
           (quickvault--read-watermark (plist-get (plist-get attachment :watermark) :text)))))
  (quickvault--attachment-call 'attachment/setWatermark (quickvault--text "Drawing the watermark...")
                               attachment (list :text text))
  (quickvault--refresh-all)
  (when quickvault--attachment
    (quickvault--show-attachment (plist-put (copy-sequence quickvault--attachment)
                                            :watermark (and text (list :text text))))))

;;;###autoload
(defun quickvault-delete-attachment (attachment)
  "Delete ATTACHMENT for good, after a question."
  (interactive (list (quickvault--read-attachment (quickvault--text "Delete the attachment"))))
  (when (quickvault--confirm "Delete “%s” for good?" (plist-get attachment :name))
    (quickvault--request 'attachment/delete (list :id (plist-get attachment :id)))
    (when quickvault--attachment (quickvault--discard (current-buffer)))
    (quickvault--refresh-all)))

;;; Taking out

;;;###autoload
(defun quickvault-export-attachment (attachment file &optional how)
  "Write ATTACHMENT to FILE, with its watermark.
HOW is a plist of more parameters.  With a prefix argument, ask whether to
write the original, for which the password is asked, and whether to leave
out metadata such as where a photograph was taken."
  (interactive
   (let ((attachment (quickvault--read-attachment (quickvault--text "Export"))))
     (list attachment
           (quickvault--read-target (plist-get attachment :name))
           (and current-prefix-arg
                (append (and (plist-get attachment :watermark)
                             (quickvault--confirm "The original, without the watermark?")
                             '(:original t))
                        (and (quickvault--confirm "Without metadata, such as the place?")
                             '(:stripMetadata t)))))))
  (let ((answer (quickvault--attachment-call
                 'attachment/export (quickvault--text "Exporting...") attachment
                 (append (list :path file) how
                         ;; The question was asked when the name was read.
                         (and (file-exists-p file) '(:overwrite t))))))
    (quickvault--notice (quickvault--text "Written: %s" (plist-get answer :path)))))

(defun quickvault--read-target (name)
  "Read the name of a file to write, NAME unless another is typed."
  (let ((file (expand-file-name (read-file-name (quickvault--text "Write to: ") nil nil nil name))))
    (when (file-directory-p file) (setq file (expand-file-name name file)))
    (when (and (file-exists-p file)
               (not (quickvault--confirm "%s exists; replace it?" file)))
      (user-error "%s" (quickvault--text "Nothing was written")))
    file))

;;;###autoload
(defun quickvault-mail-attachment (attachment)
  "Put ATTACHMENT, with its watermark, into this buffer's message or a new one."
  (interactive (list (quickvault--read-attachment (quickvault--text "Mail"))))
  (require 'mml)
  (let* ((answer (quickvault--attachment-call 'attachment/get (quickvault--text "Opening...") attachment nil))
         (content (generate-new-buffer " *QuickVault mail*")))
    (with-current-buffer content
      (set-buffer-multibyte nil)
      (insert (base64-decode-string (plist-get answer :data)))
      (quickvault--guard #'ignore))
    (unless (derived-mode-p 'message-mode) (compose-mail))
    (save-excursion
      (goto-char (point-max))
      (mml-insert-empty-tag 'part 'type (plist-get answer :mediaType) 'buffer (buffer-name content)
                            'filename (plist-get answer :name) 'disposition "attachment"))
    ;; The message reads it when it is sent; after that nobody does.
    (add-hook 'kill-buffer-hook
              (lambda () (when (buffer-live-p content) (quickvault--discard content))) nil t)))

(provide 'quickvault-attachments)
;;; quickvault-attachments.el ends here
