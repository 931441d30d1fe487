;;; quickvault-attachment-tests.el --- Tests of attachments, transfer and the demo  -*- lexical-binding: t; -*-

;;; Commentary:

;; These tests use the real imaging helper and images from the repository.

;;; Code:

(require 'dired)
(require 'message)
(require 'quickvault-test-support)

(defconst quickvault-test-pictures
  (expand-file-name "../../../Tests/ImagingTests/files/pillow/"
                    (file-name-directory (or load-file-name buffer-file-name)))
  "Directory of valid images.")

(defun quickvault-test-picture (name)
  "Copy the image NAME to the test's directory and return its file name."
  (let ((file (expand-file-name (concat "我的 " name) quickvault-test-directory)))
    (copy-file (expand-file-name name quickvault-test-pictures) file)
    file))

(defun quickvault-test-attach (name)
  "Attach the image NAME to the card 家 and show its page."
  (let ((file (quickvault-test-picture name)))
    (quickvault-test-go "家")
    (quickvault-test-keys "RET A" (list file) "RET")
    file))

(defun quickvault-test-bytes (file)
  "Return the bytes of FILE."
  (with-temp-buffer
    (set-buffer-multibyte nil)
    (insert-file-contents-literally file)
    (buffer-string)))

(ert-deftest quickvault-r6-watermark-and-original ()
  "R5, R6: an exported file has the watermark; the original needs the password, and is what was attached."
  (quickvault-test-with-vault
    (let ((file (quickvault-test-attach "hopper_orientation_6.jpg"))
          (target (expand-file-name "out.jpg" quickvault-test-directory)))
      (goto-char (point-min))
      (search-forward "我的")
      (quickvault-test-keys "M" '("仅供租房使用") "RET")
      (should (quickvault-test-shows "watermark: 仅供租房使用"))
      (goto-char (point-min))
      (search-forward "我的")
      (quickvault-test-keys "x C-a C-k" (list target) "RET")
      (should-not (equal (quickvault-test-bytes target) (quickvault-test-bytes file)))
      (should (equal (file-modes target) #o600))
      (should-error (quickvault-test-keys "x C-a C-k" (list target) "RET n") :type 'user-error)
      (quickvault-test-keys "C-u x C-a C-k" (list target) "RET y RET y RET n RET" (list quickvault-test-password) "RET")
      (should (equal (quickvault-test-bytes target) (quickvault-test-bytes file)))
      (goto-char (point-min))
      (search-forward "我的")
      (quickvault-test-keys "M C-a C-k RET")
      (should-not (quickvault-test-shows "watermark:"))
      (goto-char (point-min))
      (search-forward "我的")
      (quickvault-test-keys "D n")
      (should (quickvault-test-shows "hopper"))
      (quickvault-test-keys "D y")
      (should-not (quickvault-test-shows "hopper")))))

;; There is no fingerprint reader here: requests are recorded and results simulated.
(ert-deftest quickvault-r6-fingerprint-first-for-the-original ()
  "R6: on a bound device, a fingerprint is requested first, then the password, unless that would not help either."
  (let ((attachment '(:id "a" :watermark (:text "x"))) outcome asked prompt)
    (cl-letf (((symbol-function 'quickvault--request)
               (lambda (method &optional params &rest _)
                 (if (eq method 'vault/status) '(:biometric (:enabled t) :lockout (:failedAttempts 0 :retryAfterSeconds 0))
                   (setq asked params)
                   'by-password)))
              ((symbol-function 'quickvault--await-fingerprint) (lambda (_ params) (setq asked params) outcome))
              ((symbol-function 'read-passwd) (lambda (text &rest _) (setq prompt text) (copy-sequence "secret"))))
      (cl-flet ((ask (&optional kind)
                  (setq outcome (if kind `(failed (:kind ,kind :messages (:en "No."))) '(answered by-finger)))
                  (quickvault--attachment-request 'attachment/get "..." attachment '(:original t))))
        (should (eq 'by-finger (ask)))
        (should (equal '(:id "a" :original t :method "biometric") asked))
        (should (eq 'by-password (ask "biometric.authenticationFailed")))
        (should (string-prefix-p "No.  Master password, to get the original" prompt))
        (should (plist-get asked :password))
        (should-error (ask "file.exists") :type 'user-error)
        (quickvault--attachment-request 'attachment/get "..." attachment nil)
        (should-not (plist-get asked :password))))))

(ert-deftest quickvault-r6-only-pictures-are-asked-a-watermark ()
  "R6: of four files one is a PDF, which gets no watermark; what failed is named, and a repeat doubles nothing."
  (quickvault-test-with-vault
    (let ((pdf (expand-file-name "blank.pdf" quickvault-test-directory))
          (bad (expand-file-name "bad.jpg" quickvault-test-directory)))
      (copy-file (expand-file-name "../libvips/blankpage.pdf" quickvault-test-pictures) pdf)
      (quickvault-test-picture "hopper_orientation_5.jpg")
      (quickvault-test-picture "hopper_orientation_8.jpg")
      (with-temp-file bad (insert "no picture"))
      (dired quickvault-test-directory)
      (dired-mark-files-regexp "jpg\\'\\|pdf\\'")
      (let ((text (cadr (should-error (quickvault-test-keys "M-x quickvault-attach RET" '("家") "RET" '("for the bank") "RET")
                                      :type 'user-error))))
        (should (string-prefix-p "Attached: 3  Not attached: bad.jpg: " text)))
      (cl-flet ((attached ()
                  (mapcar (lambda (one) (list (plist-get one :name) (plist-get (plist-get one :watermark) :text)))
                          (plist-get (quickvault--request 'attachment/list
                                                          (list :cardId (plist-get (quickvault-test-card "家") :id)))
                                     :items))))
        (let ((before (with-current-buffer "*QuickVault*" (attached))))
          (should (equal '(("blank.pdf" nil) ("我的 hopper_orientation_5.jpg" "for the bank")
                           ("我的 hopper_orientation_8.jpg" "for the bank"))
                         (sort (copy-sequence before) (lambda (one other) (string< (car one) (car other))))))
          (should-error (quickvault-test-keys "M-x quickvault-attach RET" '("家") "RET n RET n RET n RET") :type 'user-error)
          (should (equal before (with-current-buffer "*QuickVault*" (attached)))))
        (kill-buffer)
        (quickvault-test-go "家")
        (quickvault-test-keys "RET")
        (goto-char (point-min))
        (search-forward "blank")
        (should-error (quickvault-test-keys "M") :type 'user-error)
        ;; A file that is no picture is refused, and no question comes before.
        (should-error (quickvault-test-keys "A" (list bad) "RET") :type 'user-error)))))

(ert-deftest quickvault-a-picture-brings-no-keys ()
  "R5: on a thumbnail and on a picture, the keys are those of the page: none writes the picture to a file."
  (quickvault-test-with-vault
    (cl-letf (((symbol-function 'display-graphic-p) #'always)
              ((symbol-function 'display-images-p) #'always)
              ((symbol-function 'window-body-width) (lambda (&rest _) 100))
              ((symbol-function 'image-type-available-p) #'always))
      (quickvault-test-attach "hopper.jpg")
      (cl-flet ((check (keys)
                  (quickvault-test-wait (lambda () (text-property-not-all (point-min) (point-max) 'display nil)))
                  (goto-char (text-property-not-all (point-min) (point-max) 'display nil))
                  (should (eq 'image (car-safe (get-text-property (point) 'display))))
                  (pcase-dolist (`(,key ,command) keys)
                    (should (eq command (key-binding key))))))
        (check '(("o" quickvault-show-other-window) ("r" quickvault-set-group) ("+" quickvault-add-tags)))
        (goto-char (point-min))
        (search-forward "我的")
        (quickvault-test-keys "V")
        (check '(("o" quickvault-open-attachment) ("v" quickvault-view-original) ("r" undefined)))))))

(ert-deftest quickvault-r23-mail-has-the-image-from-memory ()
  "R23: a message gets the image from a buffer; no file is written; after a lock, it is not sent without it."
  (quickvault-test-with-vault
    (let ((file (quickvault-test-attach "hopper_orientation_5.jpg"))
          (mail-user-agent 'message-user-agent))
      (delete-file file)
      (goto-char (point-min))
      (search-forward "我的")
      (quickvault-test-keys "@")
      (should (derived-mode-p 'message-mode))
      (should (quickvault-test-shows "hopper_orientation_5.jpg"))
      (goto-char (point-min))
      (re-search-forward "<#part type=\"image/jpeg\" buffer=\"\\( [*]QuickVault mail.*?\\)\"")
      (let ((content (match-string 1))
            sent)
        (should (> (buffer-size (get-buffer content)) 1000))
        (should (equal '("my.quickvault")
                       (seq-filter (lambda (name) (string-suffix-p "quickvault" name))
                                   (directory-files quickvault-test-directory))))
        (quickvault-lock)
        (should-not (get-buffer content))
        (let ((message-send-mail-function (lambda () (setq sent (buffer-string)))))
          (goto-char (point-min))
          (search-forward "To: ")
          (insert "someone@example.org")
          (should-error (message-send) :type 'user-error)
          (should-not sent)
          (message-goto-body)
          (delete-region (point) (point-max))
          (message-send)
          (should sent)))
      (set-buffer-modified-p nil)
      (kill-buffer))))

(ert-deftest quickvault-viewer-says-what-it-shows ()
  "R6, R20: the viewer says which version it shows; v shows the other one; a lock blanks it, also on a terminal."
  (skip-unless (executable-find "chafa"))
  (quickvault-test-with-vault
    (quickvault-test-attach "hopper_orientation_5.jpg")
    ;; chafa draws the thumbnail.
    (quickvault-test-wait (lambda () (string-match-p "[▀-▟]" (quickvault-test-text))))
    (goto-char (point-min))
    (search-forward "我的")
    (quickvault-test-keys "M" '("visa") "RET")
    (goto-char (point-min))
    (search-forward "我的")
    (quickvault-test-keys "RET")
    (should (equal (buffer-name (window-buffer)) "*QuickVault attachment*"))
    (should (quickvault-test-shows "With the watermark"))
    (should (string-match-p "[▀-▟]" (quickvault-test-text)))
    (cl-letf (((symbol-function 'quickvault--attachment-content) (lambda (&rest _))))
      (quickvault-test-keys "v")
      (should (quickvault-test-shows "The original, without the watermark"))
      (quickvault-test-keys "v"))
    (should (quickvault-test-shows "With the watermark"))
    (quickvault-lock)
    (should-not (delete "*Messages*" (quickvault-test-anywhere "hopper_orientation_5.jpg")))))

(ert-deftest quickvault-a-pdf-is-opened ()
  "R20: o in the viewer and on the page has qv open a document in the program for it; the viewer shows its first page."
  (quickvault-test-with-vault
    (let ((pdf (expand-file-name "blank.pdf" quickvault-test-directory))
          opened)
      (copy-file (expand-file-name "../libvips/blankpage.pdf" quickvault-test-pictures) pdf)
      (quickvault-test-go "家")
      (quickvault-test-keys "RET A" (list pdf) "RET")
      (goto-char (point-min))
      (search-forward "blank.pdf")
      (backward-char)
      (cl-letf (((symbol-function 'quickvault-qv) (lambda (words &rest _) (push words opened))))
        (quickvault-test-keys "o RET")
        (should (quickvault-test-shows "The original: it has no watermark; the first page, o opens the document"))
        (quickvault-test-keys "o"))
      (should (equal (car opened) (cadr opened)))
      (should (equal (list "open" (plist-get (quickvault-test-card "家") :id)) (seq-take (car opened) 2))))))

(ert-deftest quickvault-import-takes-a-region-of-a-buffer ()
  "The region of a buffer is imported by qv without a file."
  (quickvault-test-with-vault
    (let* ((runtime (file-name-as-directory (make-temp-file "quickvault-runtime-" t)))
           (process-environment (cons (concat "XDG_RUNTIME_DIR=" runtime) process-environment)))
      (unwind-protect
          (progn
            (with-temp-buffer
              (insert "title,text\nDoor,1984#\nGate,2001#\n")
              (push-mark (save-excursion (forward-line -1) (point)) t t)
              (goto-char (point-min))
              (let ((transient-mark-mode t) (current-prefix-arg nil))
                (quickvault-test-answering (list quickvault-test-password)
                  (quickvault-import-buffer)
                  (quickvault-test-wait (lambda () (string-search "[y/N]" (quickvault-test-text))))
                  (should (quickvault-test-shows "Door"))
                  (should-not (quickvault-test-shows "Gate"))
                  (process-send-string (get-buffer-process (window-buffer)) "y\n")
                  (quickvault-test-wait-for-page))))
            (quickvault-test-wait (lambda () (equal 3 (length (quickvault-test-all-cards)))))
            (should-not (directory-files runtime nil directory-files-no-dot-files-regexp)))
        (delete-directory runtime t)))))

(provide 'quickvault-attachment-tests)
;;; quickvault-attachment-tests.el ends here
