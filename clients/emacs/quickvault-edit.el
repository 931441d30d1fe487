;;; quickvault-edit.el --- Creating and editing a card  -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The QuickVault authors

;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; A card is edited as the text that the program makes of it.  It reads the text when it is
;; saved, and says in which lines something is wrong.

;;; Code:

(require 'diff-mode)
(require 'quickvault-drafts)
(require 'quickvault-actions)

;;;###autoload
(defun quickvault-create (type)
  "Create a card of TYPE in a form."
  (interactive
   (progn (quickvault--ensure-unlocked)
          (list (or (quickvault--read-choice (quickvault--text "Create") quickvault--card-types)
                    (user-error "%s" (quickvault--text "No type was chosen"))))))
  (quickvault--open-form
   `(:type ,type ,@(and (plist-get quickvault--filter :tag) (list :tags (vector (plist-get quickvault--filter :tag)))))))

;;;###autoload
(defun quickvault-paste (text)
  "Create a card of TEXT in a form: the region, or else what was copied last.
An address, details for an invoice or any other text fills in the form."
  (interactive (list (if (use-region-p)
                         (buffer-substring-no-properties (region-beginning) (region-end))
                       (substring-no-properties (or (ignore-errors (current-kill 0)) "")))))
  (when (string-blank-p text) (user-error (quickvault--text "There is no text to paste.")))
  (quickvault--ensure-unlocked)
  (quickvault--open-form (list :pasted text) t))

;;;###autoload
(defun quickvault-edit (card)
  "Edit CARD in a form."
  (interactive (list (quickvault--read-card (quickvault--text "Edit"))))
  (quickvault--open-form (list :card (plist-get card :id))))

(defun quickvault--open-form (params &optional is-unsaved)
  "Show the form of the card that PARAMS name; offer its unsaved input first.
If it IS-UNSAVED, the text of the form is such input itself."
  (let* ((answer (quickvault--request 'form/open `(:client "emacs" ,@params)))
         (form (quickvault--draft-name (append '(:client "emacs") answer))))
    (unless (or (quickvault--go-to-form form)
                (and (not is-unsaved) (quickvault--offer-drafts (append (plist-get answer :drafts) nil))))
      (quickvault--show-form form (plist-get answer :revision) (plist-get answer :text) (not is-unsaved)))))

(defun quickvault--show-form (form revision text &optional is-saved)
  "Show the TEXT of a card of REVISION in a new form that FORM names.
Unless it IS-SAVED, it is unsaved input."
  (pop-to-buffer-same-window (generate-new-buffer "*QuickVault form*"))
  (quickvault-form-mode)
  (quickvault--protect-buffer nil)
  (quickvault--keep-draft form revision)
  (setq quickvault--unsaved-function #'quickvault--form-changed-p
        quickvault--saved-text (and is-saved text))
  (insert text)
  (quickvault--form-set-heading
   (quickvault--text "\\[quickvault-form-save] saves, \\[quickvault-form-cancel] cancels, \\[quickvault-form-next] moves to the next field."))
  (set-buffer-modified-p nil)
  (buffer-enable-undo)
  (goto-char (point-min))
  (quickvault-form-next))

;;; Saving

(defun quickvault-form-save ()
  "Save the form.  `quickvault-undo' takes it back."
  (interactive nil quickvault-form-mode)
  (quickvault--check-mode 'quickvault-form-mode)
  (let ((form (current-buffer))
        (before quickvault--draft-revision))
    (when-let ((answer (quickvault--save-form form (list :revision before))))
      (unless (memq (plist-get (plist-get answer :card) :revision) (list 1 before))
        (quickvault--note-reversible answer))
      (quickvault--forget-stored)
      (when (buffer-live-p form)
        (with-current-buffer form (quickvault--forget-draft))
        (quickvault--discard form))
      (pop-to-buffer-same-window
       (quickvault--page (plist-get answer :card) (plist-get answer :warnings)))
      (quickvault--list-refresh-later))))

(defun quickvault--save-form (form more)
  "Save the text of FORM, a buffer, with MORE parameters.
Return the answer, or nil if it was not saved."
  (with-current-buffer form
    (quickvault--request
     'form/save `(,@quickvault--draft-form ,@(and (cadr more) more) :text ,(quickvault--form-text))
     (mapcar (pcase-lambda (`(,kind . ,handler))
               (cons kind (lambda (data)
                            (when (buffer-live-p form)
                              (with-current-buffer form
                                (when (derived-mode-p 'quickvault-form-mode) (funcall handler form data)))))))
             '(("card.invalid" . quickvault--save-invalid)
               ("card.conflict" . quickvault--save-conflict)
               ("card.notFound" . quickvault--save-as-new))))))

(defun quickvault--save-invalid (_form data)
  "Show the issues in DATA, of an error, in this form."
  (quickvault--form-show-issues (plist-get data :issues))
  nil)

(defun quickvault--save-as-new (form _data)
  "Offer to make a new card of FORM in place of one that was deleted meanwhile."
  (when (quickvault--confirm-unexpected "Another program deleted this card.  Save yours as a new card?")
    (quickvault--save-form form '(:asNew t))))

(defun quickvault--save-conflict (form data)
  "Show the stored card in DATA beside FORM, and ask whether to overwrite it."
  (quickvault--show-stored (plist-get data :text))
  (quickvault--discard-typed-keys)
  (when (eq ?o (car (quickvault--without-history
                      (read-multiple-choice (quickvault--text "Another program changed this card.")
                                            `((?o ,(quickvault--text "overwrite it"))
                                              (?k ,(quickvault--text "keep editing")))))))
    (quickvault--save-form form (list :revision (plist-get (plist-get data :card) :revision)))))

;;; Earlier versions

(defun quickvault--read-version (id)
  "Read an earlier version of the card with ID, and return its name."
  (let ((versions (plist-get (quickvault--request 'card/history (list :id id)) :versions)))
    (when (seq-empty-p versions) (user-error "%s" (quickvault--text "There are no earlier versions")))
    (or (quickvault--complete
         (quickvault--text "Version")
         (mapcar (lambda (version)
                   (cons (format "%s  %s" (quickvault--time (plist-get version :modifiedAt))
                                 (quickvault--one-line (plist-get (plist-get version :card) :title)))
                         (plist-get version :version)))
                 versions))
        (user-error "%s" (quickvault--text "No version was chosen")))))

;;;###autoload
(defun quickvault-history (card)
  "Edit CARD beside an earlier version of it, with the lines that differ marked."
  (interactive (list (quickvault--read-card (quickvault--text "History of"))))
  (let* ((id (plist-get card :id))
         (earlier (quickvault--request
                   'form/open (list :client "emacs" :card id :version (quickvault--read-version id)))))
    (quickvault-edit card)
    (quickvault--show-stored (plist-get earlier :text))))

;;;###autoload
(defun quickvault-revert (card)
  "Give CARD the contents of an earlier version that you choose."
  (interactive (list (quickvault--read-card (quickvault--text "Take back an edit of"))))
  (let ((version (quickvault--read-version (plist-get card :id))))
    (quickvault--change-cards
     (list card)
     (lambda (card)
       (let ((id (plist-get card :id)))
         (quickvault--remember-revision
          (quickvault--request 'card/revert `(:id ,id :version ,version ,@(quickvault--revision card))))
         (list 'card/revert (list :id id)))))))

(define-derived-mode quickvault-stored-mode special-mode "QuickVault stored card"
  "Major mode for the text of a card as it is stored."
  :interactive nil)

(defun quickvault--show-stored (text)
  "Show TEXT, of a stored card, in another window; mark lines that this form lacks."
  (let ((lines (split-string (quickvault--form-text) "\n")))
    (with-current-buffer (get-buffer-create "*QuickVault stored card*")
      (quickvault-stored-mode)
      (quickvault--protect-buffer nil)
      (let ((inhibit-read-only t))
        (quickvault--erase)
        (dolist (line (split-string text "\n"))
          (insert (if (member line lines) line (propertize line 'face 'diff-added)) "\n"))
        (quickvault--mark-contents))
      (goto-char (point-min))
      (display-buffer (current-buffer) '(nil (inhibit-same-window . t))))))

(defun quickvault--forget-stored ()
  "Close the text of a stored card."
  (when-let ((buffer (get-buffer "*QuickVault stored card*"))) (quickvault--discard buffer)))

(provide 'quickvault-edit)
;;; quickvault-edit.el ends here
