;;; quickvault-drafts.el --- Unsaved forms that outlive a lock  -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The QuickVault authors

;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; The text of the form of a card is sent to the program while the user types, when Emacs
;; loses the focus, and before Emacs locks the vault or goes to the background.  The program
;; keeps it encrypted in the vault until the form is saved or discarded.  A form that a lock
;; has blanked is restored with its text; drafts of other forms are offered.  Each form has a
;; name of its own, so that the draft of another Emacs stays as it is.

;;; Code:

(require 'iso8601)
(require 'quickvault-form)

(declare-function quickvault "quickvault")
(declare-function quickvault--show-form "quickvault-edit")

(defvar quickvault-draft-delay 0.5
  "Seconds after a change until the text of a form is sent.")

(defconst quickvault--emacs-name (format "%d-%x " (emacs-pid) (truncate (* 1000 (float-time))))
  "The beginning of the names of the forms of this Emacs.")

(defvar quickvault--forms 0
  "The number of forms that have got a name.")

(defvar-local quickvault--draft-revision nil
  "The revision of the card that the text of this form was made from, or nil.")

(defvar-local quickvault--draft-timer nil
  "Timer that sends the text of this form, or nil.")

(defvar-local quickvault--draft-text nil
  "The text of this form that was sent last, or nil.")

;;; Sending

(defun quickvault--keep-draft (form revision)
  "Keep the text of this form over a lock, as the draft that FORM names.
It was made from REVISION of the card.  If FORM has no :form yet, it gets
one that no other form has."
  (unless (plist-get form :form)
    (setq form (append form (list :form (format "%s%d" quickvault--emacs-name (cl-incf quickvault--forms))))))
  (setq quickvault--draft-form form
        quickvault--draft-revision revision
        quickvault--restore-function (lambda () (quickvault--restore-form form)))
  (add-hook 'after-change-functions #'quickvault--put-draft-later nil t)
  (add-hook 'kill-emacs-hook #'quickvault--put-drafts))

(defun quickvault--draft-name (draft)
  "Return the parameters that name DRAFT."
  (cl-loop for key in '(:client :type :card :form)
           when (plist-get draft key) append (list key (plist-get draft key))))

(defun quickvault--elsewhere-p (draft)
  "Return non-nil if DRAFT is of a form in another Emacs, which has not ended."
  (let ((process (string-to-number (or (plist-get draft :form) ""))))
    (and (> process 0)
         (/= process (emacs-pid))
         (string-match-p "emacs" (or (alist-get 'comm (process-attributes process)) "")))))

(defun quickvault--put-draft-later (&rest _)
  "Send the text of this form in a moment."
  (unless quickvault--draft-timer
    (setq quickvault--draft-timer (run-at-time quickvault-draft-delay nil #'quickvault--put-draft (current-buffer)))))

(defun quickvault--stop-draft-timer ()
  "Do not send the text of this form later."
  (when quickvault--draft-timer (cancel-timer quickvault--draft-timer))
  (setq quickvault--draft-timer nil))

(defun quickvault--put-draft (form &optional wait)
  "Send the unsaved input of the buffer FORM; if WAIT, wait for the response.
If its changes were undone, delete its draft."
  (when (buffer-live-p form)
    (with-current-buffer form
      (quickvault--stop-draft-timer)
      (when (and quickvault--unlocked (quickvault--running-p))
        (let* ((before quickvault--draft-text)
               (text (and (quickvault--form-changed-p) (quickvault--form-text)))
               (method (if text 'draft/put 'draft/discard))
               (params `(,@quickvault--draft-form
                         ,@(and text quickvault--draft-revision (list :revision quickvault--draft-revision))
                         ,@(and text (list :text text))))
               (fail (lambda (message)
                       (when (buffer-live-p form)
                         (with-current-buffer form (setq quickvault--draft-text before)))
                       (quickvault--message message))))
          (unless (equal text before)
            (setq quickvault--draft-text text)
            (condition-case failure
                (if wait
                    (quickvault--call method params 2)
                  (quickvault--request-later method params #'ignore fail))
              (jsonrpc-error (funcall fail (quickvault--error-text (cdr failure)))))))))))

(defun quickvault--put-drafts-later ()
  "Send the unsaved input of all forms, without waiting for the responses."
  (mapc #'quickvault--put-draft (quickvault--form-buffers)))

(defun quickvault--put-drafts ()
  "Send the unsaved input of all forms, and wait for the responses."
  (dolist (buffer (quickvault--form-buffers))
    (quickvault--put-draft buffer t)))

(defun quickvault--form-buffers ()
  "Return the buffers of forms."
  (seq-filter (lambda (buffer) (buffer-local-value 'quickvault--draft-form buffer)) (quickvault--protected-buffers)))

(defun quickvault--unkept-input-p ()
  "Return non-nil if a form has unsaved input that its draft does not have."
  (seq-some (lambda (buffer)
              (with-current-buffer buffer
                (and (quickvault--form-changed-p) (not (equal quickvault--draft-text (quickvault--form-text))))))
            (quickvault--form-buffers)))

(defun quickvault--forget-draft ()
  "Send the text of this form no more: its draft is gone."
  (quickvault--stop-draft-timer)
  (setq quickvault--draft-form nil
        quickvault--draft-text nil))

(defun quickvault--discard-draft ()
  "Delete the draft of this form, if there is one."
  (quickvault--stop-draft-timer)
  (when (and quickvault--draft-text quickvault--unlocked (quickvault--running-p))
    (setq quickvault--draft-text nil)
    (ignore-errors (quickvault--call 'draft/discard quickvault--draft-form 2))))

;;; Leaving

(defun quickvault--form-kill-p ()
  "Return non-nil if the form may be killed; ask if it has unsaved input."
  (when (or (not (quickvault--form-changed-p))
            (quickvault--confirm "Discard your unsaved changes?"))
    (quickvault--discard-draft)
    t))

(defun quickvault--forms-kill-p ()
  "Return non-nil if all forms may be killed; ask if one has unsaved input.
What the user discards is not sent when Emacs ends.  Nobody is asked if a
signal ends it, as when its terminal is closed."
  (or (not (quickvault--unsaved-input-p))
      (when (quickvault--confirm "Discard your unsaved changes?")
        (dolist (buffer (quickvault--form-buffers) t)
          (with-current-buffer buffer
            (quickvault--discard-draft)
            (setq quickvault--draft-text (quickvault--form-text)))))))

;;; Continuing

(defun quickvault--drafts ()
  "Return the drafts of cards in Emacs, the newest first."
  (append (plist-get (quickvault--request 'draft/get '(:client "emacs")) :items) nil))

(defun quickvault--restore-form (form)
  "Restore this blanked buffer with the draft that FORM names."
  (let ((blank (current-buffer))
        draft)
    (quickvault--ensure-unlocked)
    (setq draft (seq-find (lambda (draft) (equal (plist-get draft :form) (plist-get form :form))) (quickvault--drafts)))
    ;; A timer may have restored it while this waited.
    (when (buffer-live-p blank)
      (kill-buffer blank)
      (if draft (quickvault--continue-draft draft) (quickvault)))))

(defun quickvault--continue-draft (draft)
  "Show a form with the text of DRAFT.
The draft gets the name of the form; another Emacs that has not ended
keeps its own."
  (unless (quickvault--go-to-form draft)
    (let ((name (quickvault--draft-name draft))
          (text (plist-get draft :text))
          (is-own (string-prefix-p quickvault--emacs-name (or (plist-get draft :form) ""))))
      (quickvault--show-form (if is-own name (quickvault--draft-name (plist-put (copy-sequence draft) :form nil)))
                             (plist-get draft :revision) text)
      (if is-own
          (setq quickvault--draft-text text)
        (quickvault--put-drafts)
        (when (and quickvault--draft-text (not (quickvault--elsewhere-p draft)))
          (ignore-errors (quickvault--call 'draft/discard name 2)))))))

(defun quickvault--go-to-form (form)
  "Go to the open form that FORM names if its input is unsaved, else close it.
Return non-nil if there is unsaved input: there are no two forms of a
card in one Emacs."
  (when-let ((open (seq-find (lambda (buffer)
                               (let ((other (buffer-local-value 'quickvault--draft-form buffer)))
                                 (and (equal (plist-get form :type) (plist-get other :type))
                                      (equal (plist-get form :card) (plist-get other :card)))))
                             (quickvault--form-buffers))))
    (if (quickvault--unsaved-input-p open)
        (progn (pop-to-buffer-same-window open)
               (quickvault--message (quickvault--text "This form has unsaved input."))
               t)
      (quickvault--discard open)
      nil)))

(defun quickvault--offer-drafts (drafts)
  "Offer each of DRAFTS, and continue with the one that the user wants.
Return it, or nil.  The others stay, and those in other Emacsen are not
offered."
  (let* ((drafts (seq-remove #'quickvault--elsewhere-p drafts))
         (count (length drafts))
         (wanted (cl-loop for draft in drafts
                          for number from 1
                          ;; The place tells several questions apart.
                          for place = (if (= count 1) "" (format " (%d/%d)" number count))
                          when (quickvault--confirm-unexpected "Continue with your unsaved input of %s?"
                                                               (concat (quickvault--draft-time draft) place))
                          return draft)))
    (when wanted (quickvault--continue-draft wanted))
    (when (remq wanted drafts)
      (quickvault--message (quickvault--text "There is more unsaved input of this form: M-x quickvault-drafts")))
    wanted))

(defun quickvault--draft-time (draft)
  "Return the local time of DRAFT."
  (format-time-string "%F %R" (encode-time (iso8601-parse (plist-get draft :savedAt)))))

;;;###autoload
(defun quickvault-drafts ()
  "Continue a form whose input was not saved before the vault was locked.
Input in another Emacs is copied."
  (interactive)
  (quickvault--ensure-unlocked)
  (let ((drafts (quickvault--drafts)))
    (unless drafts (user-error "%s" (quickvault--text "There is no unsaved input")))
    (quickvault--continue-draft
     (or (quickvault--complete (quickvault--text "Continue")
                               (mapcar (lambda (draft) (cons (quickvault--draft-title draft) draft)) drafts))
         (user-error "%s" (quickvault--text "Nothing was chosen"))))))

(defun quickvault--draft-title (draft)
  "Return a title for DRAFT."
  (let ((title (or (plist-get draft :title) "")))
    (concat (format "%s  %s  %s" (if (string-empty-p title) "-" (quickvault--short-line title))
                    (quickvault--display-name (plist-get draft :type)) (quickvault--draft-time draft))
            (and (quickvault--elsewhere-p draft) (quickvault--text "  (in another Emacs)")))))

(defun quickvault--drafts-remark ()
  "Return a remark that there is unsaved input, or nil.
Blanked forms in a window are restored anyway."
  (let ((forms (length (seq-filter (lambda (buffer) (string-match-p "QuickVault form" (buffer-name buffer)))
                                   (quickvault--blank-buffers)))))
    (when (> (length (seq-remove #'quickvault--elsewhere-p (quickvault--drafts))) forms)
      (quickvault--text "  Unsaved input is there: M-x quickvault-drafts"))))

(provide 'quickvault-drafts)
;;; quickvault-drafts.el ends here
