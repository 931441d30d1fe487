;;; quickvault-attachments.el --- Images and documents attached to a card  -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The QuickVault authors

;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; A card's page lists its attachments, with thumbnails if the frame can display
;; images; on a terminal, chafa(1) draws them, if it is installed.  RET shows one in a
;; buffer, without a file.  Documents, and images that Emacs cannot display, are rendered by
;; the program.  Only `quickvault-export-attachment' writes content to a file.

;;; Code:

(require 'ansi-color)
(require 'quickvault-qv)

(declare-function dired-get-marked-files "dired")
(declare-function mml-insert-empty-tag "mml")

(defvar-local quickvault--attachment nil
  "The attachment shown in this buffer.")

;;; The card's page

(defun quickvault--attachments-of (card)
  "Return the attachments of CARD, each with :cardId."
  (mapcar (lambda (attachment) (append attachment (list :cardId (plist-get card :id)))) (plist-get card :attachments)))

(define-button-type 'quickvault-attachment
  'keymap (quickvault--keymap button-map "o" #'quickvault-open-attachment)
  'action (lambda (button) (quickvault-view-attachment (button-get button 'quickvault-attachment)))
  'face 'default
  'follow-link t)

(defun quickvault--insert-attachments (card)
  "Insert the attachments of CARD."
  (when (> (length (plist-get card :attachments)) 0)
    (insert "\n" (propertize (quickvault--text "Attachments") 'face 'quickvault-label) "\n")
    (dolist (attachment (quickvault--attachments-of card))
      (insert "  ")
      (insert-text-button (quickvault--one-line (plist-get attachment :name))
                          'type 'quickvault-attachment
                          'quickvault-attachment attachment
                          'help-echo (quickvault--text "%s: RET shows it" (quickvault--describe-attachment attachment)))
      (insert "  " (quickvault--describe-attachment attachment) "\n")
      (quickvault--insert-thumbnail attachment))))

(defun quickvault--describe-attachment (attachment)
  "Describe ATTACHMENT in one line."
  (let ((watermark (plist-get (plist-get attachment :watermark) :text)))
    (string-join
     (delq nil
           (list (upcase (cadr (split-string (plist-get attachment :mediaType) "/")))
                 (format "%d×%d" (plist-get attachment :width) (plist-get attachment :height))
                 (file-size-human-readable (plist-get attachment :size) 'iec " " "B")
                 (and watermark (quickvault--text "watermark: %s" (quickvault--one-line watermark)))))
     " · ")))

;;; Choosing an attachment

(defun quickvault--read-attachment (prompt)
  "Return the attachment at point or in this buffer; else read one with PROMPT."
  (or (quickvault--attachment-at-point)
      (let* ((card (quickvault--read-card prompt))
             (all (quickvault--attachments-of
                   (list :id (plist-get card :id)
                         :attachments (plist-get (quickvault--request 'attachment/list (list :cardId (plist-get card :id)))
                                                 :items)))))
        (cond ((null all) (quickvault--fail "This card has no attachments; press \\[quickvault-attach] to add one"))
              ((null (cdr all)) (car all))
              (t (quickvault--complete prompt
                                       (mapcar (lambda (one) (cons (plist-get one :name) one)) all)
                                       #'quickvault--describe-attachment))))))

(defun quickvault--attachment-at-point ()
  "Return the attachment at point or in this buffer, or nil."
  (or quickvault--attachment
      (and (derived-mode-p 'quickvault-card-mode)
           (let ((button (button-at (line-beginning-position))))
             (setq button (or (button-at (point)) button
                              (save-excursion
                                (goto-char (line-beginning-position))
                                (and (looking-at "  ") (button-at (+ (point) 2))))))
             (and button (button-get button 'quickvault-attachment))))))

;;; Requests

(defun quickvault--attachment-request (method text attachment params)
  "Call METHOD for ATTACHMENT with PARAMS, with TEXT in the echo area.
If PARAMS ask for the original of a watermarked attachment, ask for a
fingerprint if this device is bound, else for the password."
  (let ((params (append (list :id (plist-get attachment :id)) params)))
    (if (and (eq (plist-get params :original) t) (plist-get attachment :watermark))
        (let ((answer (quickvault--try-fingerprint (quickvault--request 'vault/status) method params)))
          (when (stringp answer)
            (quickvault--with-current-password
             (concat answer (quickvault--text "Master password, to get the original"))
             (lambda (password handlers)
               (setq answer
                     (quickvault--with-progress text method (append params (list :password password)) handlers)))))
          answer)
      (quickvault--with-progress text method params))))

;;; Attaching

(defvar quickvault--last-watermark nil
  "The text of the last watermark, until the vault locks.")

(add-hook 'quickvault-lock-functions (lambda (_) (setq quickvault--last-watermark nil)))

(defun quickvault--picture-p (file)
  "Return non-nil if FILE is a picture that can get a watermark.
Its first bytes tell."
  (with-temp-buffer
    (set-buffer-multibyte nil)
    (insert-file-contents-literally file nil 0 12)
    (looking-at-p "\377\330\377\\|\211PNG\\|....ftyp")))

;;;###autoload
(defun quickvault-attach (card files &optional watermark)
  "Attach FILES to CARD, and say which were not attached.
In Dired these are the marked files; elsewhere, read a file name.  If one
of them is a picture, ask for a WATERMARK, which only pictures get."
  (interactive
   (let ((files (if (derived-mode-p 'dired-mode) (dired-get-marked-files) nil))
         (card (quickvault--read-card (quickvault--text "Attach to"))))
     (unless files
       (setq files (list (let (file-name-history)
                           (read-file-name (quickvault--text "Attach file: ") nil nil t)))))
     (list card (setq files (quickvault--files-to-attach card files))
           (and (seq-some #'quickvault--picture-p files)
                (quickvault--read-watermark)))))
  (let* (failed
         (left (unwind-protect
                   (quickvault--do-each
                    files (quickvault--text "Attaching files...")
                    (lambda (file)
                      (condition-case failure
                          (quickvault--attach card file watermark)
                        (user-error (push (concat (quickvault--text "%s: " (file-name-nondirectory file))
                                                  (error-message-string failure))
                                          failed)))))
                 (quickvault--refresh-all)))
         (rest (append (nreverse failed) (mapcar #'file-name-nondirectory (cdr left))))
         (attached (quickvault--text "Attached: %d" (- (length files) (length rest)))))
    (if rest
        (user-error "%s" (string-join (delq nil (list (car left) attached
                                                      (quickvault--text "Not attached: %s"
                                                                        (string-join rest (quickvault--text "; ")))))
                                      "  "))
      (quickvault--log-message attached))))

(defun quickvault--files-to-attach (card files)
  "Return those of FILES that the user wants to attach to CARD.
Ask about each that CARD seems to have already, by name and size."
  (let ((there (plist-get (quickvault--request 'attachment/list (list :cardId (plist-get card :id))) :items)))
    (or (seq-filter (lambda (file)
                      (let ((name (file-name-nondirectory file))
                            (size (file-attribute-size (file-attributes (file-truename file)))))
                        (or (seq-every-p (lambda (one)
                                           (not (and (equal name (plist-get one :name)) (eql size (plist-get one :size)))))
                                         there)
                            (quickvault--confirm "“%s” is attached already.  Attach it again?" name))))
                    files)
        (quickvault--fail "Nothing was changed."))))

(defun quickvault--attach (card file watermark)
  "Attach FILE to CARD.
If it is a picture, it gets the text WATERMARK, unless that is nil."
  (quickvault--with-progress
   (quickvault--text "Attaching %s..." (file-name-nondirectory file))
   'attachment/add
   (append (list :cardId (plist-get card :id))
           (and (file-remote-p file) (list :name (file-name-nondirectory file)))
           (quickvault--file-parameters file)
           (and watermark
                (quickvault--picture-p file)
                (list :watermark (list :text watermark))))))

(defun quickvault--read-watermark (&optional text)
  "Read the text of a watermark, currently TEXT; return nil for none.
The last one is what the command `next-history-element' gives."
  (let ((new (quickvault--without-history
               (read-from-minibuffer
                (if quickvault--last-watermark
                    (quickvault--text "Watermark (empty for none, M-n for “%s”): " quickvault--last-watermark)
                  (quickvault--text "Watermark (empty for none): "))
                text nil nil t quickvault--last-watermark t))))
    (and (not (string-blank-p new)) (setq quickvault--last-watermark new))))

;;;###autoload
(defun quickvault-set-watermark (attachment text)
  "Set the watermark of ATTACHMENT to TEXT, or remove it if TEXT is nil.
The original stays in the vault."
  (interactive
   (let ((attachment (quickvault--read-attachment (quickvault--text "Watermark attachment"))))
     (when (equal "application/pdf" (plist-get attachment :mediaType))
       (quickvault--fail "A PDF cannot have a watermark: make a picture of it and attach that"))
     (list attachment
           (quickvault--read-watermark (plist-get (plist-get attachment :watermark) :text)))))
  (quickvault--attachment-request 'attachment/setWatermark (quickvault--text "Drawing the watermark...")
                                  attachment (list :text text))
  (quickvault--refresh-all)
  (when quickvault--attachment
    (quickvault--show-attachment (plist-put (copy-sequence quickvault--attachment)
                                            :watermark (and text (list :text text))))))

;;;###autoload
(defun quickvault-delete-attachment (attachment)
  "Delete ATTACHMENT permanently, after asking for confirmation."
  (interactive (list (quickvault--read-attachment (quickvault--text "Delete attachment"))))
  (when (quickvault--confirm "Delete “%s” permanently?" (plist-get attachment :name))
    (quickvault--request 'attachment/delete (list :id (plist-get attachment :id)))
    (when quickvault--attachment (quickvault--discard (current-buffer)))
    (quickvault--refresh-all)))

;;; Exporting

;;;###autoload
(defun quickvault-export-attachment (attachment file &optional options)
  "Write ATTACHMENT to FILE, with its watermark.
OPTIONS is a plist of more parameters.  With a prefix argument, ask
whether to write the original, which needs a fingerprint or the password,
and whether to remove metadata such as the location of a photo."
  (interactive
   (let ((attachment (quickvault--read-attachment (quickvault--text "Export attachment"))))
     (list attachment
           (quickvault--read-target (plist-get attachment :name))
           (and current-prefix-arg
                (append (and (plist-get attachment :watermark)
                             (quickvault--confirm "Export the original, without the watermark?")
                             '(:original t))
                        (and (quickvault--confirm "Remove metadata, such as the location?")
                             '(:stripMetadata t)))))))
  (when-let ((answer (quickvault--write-by-path
                      file
                      (lambda (path)
                        (quickvault--attachment-request
                         'attachment/export (quickvault--text "Exporting...") attachment
                         (append (list :path path) options
                                 ;; The user confirmed this when entering the name.
                                 (and (file-exists-p path) '(:overwrite t))))))))
    (quickvault--message (quickvault--text "Wrote %s" (plist-get answer :path)))))

;;;###autoload
(defun quickvault-mail-attachment (attachment)
  "Attach ATTACHMENT, with its watermark, to this buffer's message or a new one."
  (interactive (list (quickvault--read-attachment (quickvault--text "Mail attachment"))))
  (require 'mml)
  (let* ((answer (quickvault--attachment-request 'attachment/get (quickvault--text "Opening...") attachment nil))
         ;; The message names the buffer: no other attachment gets that name after a lock.
         (content (generate-new-buffer (format " *QuickVault mail %s*" (plist-get attachment :id)))))
    (with-current-buffer content
      (set-buffer-multibyte nil)
      (insert (base64-decode-string (plist-get answer :data)))
      (quickvault--protect-buffer nil)
      ;; The message is still to be sent, so do not lock when another program gets the focus.
      (setq quickvault--unsaved-function (lambda () t)))
    (unless (derived-mode-p 'message-mode) (compose-mail))
    (save-excursion
      (goto-char (point-max))
      (mml-insert-empty-tag 'part 'type (plist-get answer :mediaType) 'buffer (buffer-name content)
                            'filename (plist-get answer :name) 'disposition "attachment"))
    (add-hook 'message-send-hook
              (apply-partially #'quickvault--check-mail (buffer-name content) (plist-get answer :name)) nil t)
    ;; The content is read when the message is sent, and not needed afterwards.
    (add-hook 'kill-buffer-hook
              (lambda () (when (buffer-live-p content) (quickvault--discard content))) nil t)))

(defun quickvault--check-mail (content name)
  "Refuse to send this message if the buffer CONTENT with NAME is gone."
  (when (and (not (get-buffer content))
             (save-excursion (goto-char (point-min)) (search-forward content nil t)))
    (quickvault--fail "Not sent: the vault was locked.  Remove “%s” from the message, and attach it again"
                      name)))

;;; Viewing

(defcustom quickvault-thumbnail-size 128
  "Longest side of the thumbnails on a card's page, in pixels; 0 for none."
  :group 'quickvault
  :type 'integer)

(defvar-local quickvault--image-data nil
  "The image data shown in this buffer, a unibyte string cleared at a lock.")

(defvar-local quickvault--original-shown nil
  "Non-nil if this buffer shows the original of a picture with a watermark.")

(defvar quickvault-attachment-mode-map
  (quickvault--keymap special-mode-map "x" #'quickvault-export-attachment "@" #'quickvault-mail-attachment
                      "M" #'quickvault-set-watermark "D" #'quickvault-delete-attachment "L" #'quickvault-lock
                      "v" #'quickvault-view-original "o" #'quickvault-open-attachment)
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
  (interactive (quickvault--check-mode 'quickvault-attachment-mode) quickvault-attachment-mode)
  (unless (plist-get quickvault--attachment :watermark)
    (quickvault--fail "This is the original: it has no watermark"))
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
    (quickvault--with-page buffer quickvault-attachment-mode (lambda () (quickvault-view-attachment attachment))
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
              "\n"))))

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

(provide 'quickvault-attachments)
;;; quickvault-attachments.el ends here
