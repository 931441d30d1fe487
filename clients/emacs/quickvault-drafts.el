;;; quickvault-drafts.el --- Unsaved forms that outlive a lock  -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The QuickVault authors

;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; The input of the form of a card or of the settings is sent to the program while the user
;; types, when Emacs loses the focus, and before Emacs locks the vault or goes to the background.
;; The program keeps it encrypted in the vault until the form is saved or discarded.  A form
;; that a lock has blanked is restored with its input; drafts of other forms are offered.
;; Each form has a draft of its own, so that of another Emacs stays as it is.

;;; Code:

(require 'iso8601)
(require 'quickvault-form)

(defvar quickvault--original)

(declare-function quickvault "quickvault")
(declare-function quickvault--edit-draft "quickvault-edit")
(declare-function quickvault--edit-settings "quickvault-settings")
(declare-function quickvault--display-name "quickvault-messages")
(declare-function quickvault--ensure-unlocked "quickvault-session")

(defvar quickvault-draft-delay 0.3
  "Seconds without a change until the input of a form is sent.")

(defvar quickvault-draft-longest-delay 1
  "Seconds until the input of a form is sent while it still changes.")

(defconst quickvault--settings-draft '(:client "emacs settings" :type "text")
  "The parameters that name the draft of the settings, which are no card.")

(defvar quickvault--forms 0
  "The number of forms that have got a name.")

(defvar quickvault--left-drafts nil
  "The forms of other Emacsen whose input the user has left there.")

(defvar-local quickvault--draft-form nil
  "The parameters that name the draft of this form, or nil if it has none.")

(defvar-local quickvault--draft-timer nil
  "Timer that sends the input of this form, or nil.")

(defvar-local quickvault--draft-due nil
  "Time at which the input of this form is sent even if it still changes.")

(defvar-local quickvault--draft-values nil
  "The input of this form that was sent last, or nil.")

;;; Sending

(defun quickvault--keep-draft (form)
  "Keep the input of this form over a lock, as the draft that FORM names.
If it has no :form yet, it gets one that no other form has."
  (unless (plist-get form :form)
    (setq form (append form (list :form (format "%s %d" (quickvault--process-name (emacs-pid))
                                                (cl-incf quickvault--forms))))))
  (setq quickvault--draft-form form
        quickvault--restore-function (quickvault--draft-restorer form))
  (add-hook 'after-change-functions #'quickvault--put-draft-later nil t)
  (add-hook 'kill-emacs-hook #'quickvault--put-last-drafts))

(defun quickvault--draft-of (type &optional id)
  "Return the parameters that name the draft of a card.
It is the card ID, or a new one of TYPE."
  `(:client "emacs" :type ,type ,@(and id (list :card id))))

(defun quickvault--process-name (id)
  "Return a name of the process ID that no later process gets.
It has the time of its start in ticks since the start of the machine, or
0 if it has ended."
  (with-temp-buffer
    (ignore-errors (insert-file-contents-literally (format "/proc/%d/stat" id)))
    (goto-char (point-max))
    ;; The name of the program, in parentheses, may have spaces.
    (search-backward ")" nil t)
    (let ((fields (split-string (buffer-substring (point) (point-max)))))
      (format "%d-%s" id (if (member (nth 1 fields) '(nil "Z" "X")) "0" (nth 20 fields))))))

(defun quickvault--elsewhere-p (draft)
  "Return non-nil if DRAFT is of a form in another Emacs, which has not ended."
  (let* ((process (car (split-string (or (plist-get draft :form) "") " ")))
         (id (string-to-number process)))
    (and (> id 0)
         (/= id (emacs-pid))
         (equal process (quickvault--process-name id)))))

(defun quickvault--draft-request (values)
  "Return the parameters that keep VALUES, the input of this form."
  (append quickvault--draft-form
          (and (plist-get quickvault--original :id)
               (list :revision (plist-get quickvault--original :revision)))
          (list :text (let (print-length print-level) (prin1-to-string values)))))

(defun quickvault--put-draft-later (&rest _)
  "Send the input of this form in a moment."
  (if quickvault--draft-timer
      (cancel-timer quickvault--draft-timer)
    (setq quickvault--draft-due (time-add nil quickvault-draft-longest-delay)))
  (setq quickvault--draft-timer
        (run-at-time (max 0 (min quickvault-draft-delay (float-time (time-subtract quickvault--draft-due nil))))
                     nil #'quickvault--put-draft-of (current-buffer))))

(defun quickvault--put-draft-of (form)
  "Send the input of the buffer FORM, without waiting for the response.
If its changes were undone, delete its draft."
  (when (buffer-live-p form)
    (with-current-buffer form
      (when quickvault--draft-timer (cancel-timer quickvault--draft-timer))
      (setq quickvault--draft-timer nil)
      (when (and quickvault--unlocked (quickvault--running-p))
        (let ((before quickvault--draft-values)
              (values (quickvault--unsent-input)))
          (cond (values
                 (setq quickvault--draft-values values)
                 (ignore-errors
                   (quickvault--request-later 'draft/put (quickvault--draft-request values) #'ignore
                                              (lambda (text)
                                                (when (buffer-live-p form)
                                                  (with-current-buffer form (setq quickvault--draft-values before)))
                                                (quickvault--message text)))))
                ((quickvault--undone-p)
                 (setq quickvault--draft-values nil)
                 (ignore-errors
                   (quickvault--request-later 'draft/discard quickvault--draft-form #'ignore #'ignore)))))))))

(defun quickvault--undone-p ()
  "Return non-nil if the input of this form that was sent was undone since."
  (and quickvault--draft-values (not (quickvault--form-changed-p))))

(defun quickvault--put-drafts-later ()
  "Send the unsaved input of all forms, without waiting for the responses."
  (dolist (buffer (quickvault--protected-buffers))
    (when (buffer-local-value 'quickvault--draft-form buffer)
      (quickvault--put-draft-of buffer))))

(defun quickvault--put-last-drafts ()
  "Send the unsaved input of all forms, except what the user discarded.
Nobody was asked if a signal ends Emacs, as when its terminal is closed."
  (dolist (buffer (quickvault--protected-buffers))
    (with-current-buffer buffer
      (when (and quickvault--discarded-values
                 (equal quickvault--discarded-values (ignore-errors (quickvault--form-values))))
        (setq quickvault--draft-form nil))))
  (with-demoted-errors "QuickVault: %S"
    (quickvault--put-drafts)))

(defun quickvault--unsent-input ()
  "Return the input of this form if it is unsaved and has not been sent."
  (when (quickvault--form-changed-p)
    (let ((values (quickvault--form-values)))
      (unless (equal values quickvault--draft-values) values))))

(defun quickvault--put-drafts ()
  "Send the unsaved input of all forms, and wait for the responses."
  (when (and quickvault--unlocked (quickvault--running-p))
    (dolist (buffer (quickvault--protected-buffers))
      (with-current-buffer buffer
        (when (ignore-errors (quickvault--undone-p)) (quickvault--discard-draft))
        ;; A form that cannot be read must not keep the vault from being locked.
        (when-let ((values (and quickvault--draft-form (ignore-errors (quickvault--unsent-input)))))
          (condition-case failure
              (progn (quickvault--call 'draft/put (quickvault--draft-request values) 2)
                     (setq quickvault--draft-values values))
            (jsonrpc-error (quickvault--message (quickvault--error-text (cdr failure))))))))))

(defun quickvault--unkept-input-p ()
  "Return non-nil if a form has unsaved input that its draft does not have."
  (seq-some (lambda (buffer)
              (with-current-buffer buffer
                (and quickvault--draft-form (ignore-errors (quickvault--unsent-input)))))
            (quickvault--protected-buffers)))

(defun quickvault--discard-draft ()
  "Delete the draft of this form, if there is one."
  (when quickvault--draft-timer (cancel-timer quickvault--draft-timer))
  (setq quickvault--draft-timer nil)
  (when (and quickvault--draft-values quickvault--unlocked (quickvault--running-p))
    (setq quickvault--draft-values nil)
    (ignore-errors (quickvault--call 'draft/discard quickvault--draft-form 2))))

;;; Continuing

(defun quickvault--drafts (&optional client)
  "Return the drafts of CLIENT, by default of cards in Emacs, the newest first."
  (append (plist-get (quickvault--request 'draft/get (list :client (or client "emacs"))) :items) nil))

(defun quickvault--drafts-of (form)
  "Return the drafts of the card that FORM names, as they are offered.
Those of other Emacsen that have not ended are the last."
  (let ((drafts (seq-filter (lambda (draft) (quickvault--same-form-p draft form))
                            (quickvault--drafts (plist-get form :client)))))
    (append (seq-remove #'quickvault--elsewhere-p drafts)
            (seq-filter (lambda (draft)
                          (and (quickvault--elsewhere-p draft)
                               (not (member (plist-get draft :form) quickvault--left-drafts))))
                        drafts))))

(defun quickvault--draft-name (draft)
  "Return the parameters that name DRAFT."
  (cl-loop for key in '(:client :type :card :form)
           when (plist-get draft key) append (list key (plist-get draft key))))

(defun quickvault--same-form-p (one other)
  "Return non-nil if ONE and OTHER, drafts or names of drafts, are of one card."
  (and (equal (plist-get one :client) (plist-get other :client))
       (equal (plist-get one :type) (plist-get other :type))
       (equal (plist-get one :card) (plist-get other :card))))

(defun quickvault--draft-restorer (form)
  "Return a function to restore a blanked buffer with the draft of FORM."
  (lambda ()
    (let ((blank (current-buffer))
          draft)
      (quickvault--ensure-unlocked)
      (setq draft (seq-find (lambda (draft) (equal (plist-get draft :form) (plist-get form :form)))
                            (quickvault--drafts-of form)))
      ;; A timer may have restored it while this waited.
      (when (buffer-live-p blank)
        (kill-buffer blank)
        (if draft (quickvault--continue-draft draft) (quickvault))))))

(defun quickvault--continue-draft (draft)
  "Show a form with the input of DRAFT."
  (let ((values (car (read-from-string (plist-get draft :text)))))
    (unless (quickvault--go-to-form draft)
      (if (quickvault--same-form-p draft quickvault--settings-draft)
          (quickvault--edit-settings values)
        (quickvault--edit-draft draft values))
      (setq quickvault--draft-values values
            ;; Differs from any input, so the form counts as unsaved.
            quickvault--initial-values 'draft)
      (quickvault--take-draft draft values))))

(defun quickvault--take-draft (draft values)
  "Keep VALUES, the input of DRAFT, as the draft of this form instead.
Another Emacs that has not ended keeps its own."
  (if (string-prefix-p (concat (quickvault--process-name (emacs-pid)) " ") (or (plist-get draft :form) ""))
      (quickvault--keep-draft (quickvault--draft-name draft))
    (let ((form (current-buffer)))
      (condition-case failure
          (progn
            (quickvault--call 'draft/put (quickvault--draft-request values) 2)
            (unless (quickvault--elsewhere-p draft)
              (quickvault--call 'draft/discard (quickvault--draft-name draft) 2)))
        (jsonrpc-error
         (when (buffer-live-p form)
           (with-current-buffer form (setq quickvault--draft-values nil)))
         (quickvault--message (quickvault--error-text (cdr failure))))))))

(defun quickvault--go-to-form (form)
  "Go to the open form that FORM names if its input is unsaved, else close it.
Return non-nil if there is unsaved input: there are no two forms of a
card in one Emacs."
  (when-let ((open (seq-find (lambda (buffer)
                               (with-current-buffer buffer
                                 (and quickvault--draft-form
                                      (quickvault--same-form-p form quickvault--draft-form))))
                             (quickvault--protected-buffers))))
    (if (quickvault--unsaved-input-p open)
        (progn (pop-to-buffer-same-window open)
               (quickvault--message (quickvault--text "This form has unsaved input."))
               t)
      (quickvault--discard open)
      nil)))

(defun quickvault--offer-draft (form)
  "Continue with unsaved input of FORM; return non-nil if there is any.
Offer each draft first, and leave one that the user does not want."
  (or (quickvault--go-to-form form)
      (let* ((drafts (quickvault--drafts-of form))
             (count (length drafts))
             (wanted (cl-loop for draft in drafts
                              for number from 1
                              ;; The place tells several questions apart.
                              for place = (if (= count 1) "" (format " (%d/%d)" number count))
                              when (quickvault--draft-wanted-p draft place) return draft)))
        (when wanted (quickvault--continue-draft wanted))
        (unless (seq-every-p #'quickvault--elsewhere-p (remq wanted drafts))
          (quickvault--message
           (if (quickvault--same-form-p form quickvault--settings-draft)
               (quickvault--text "There is more unsaved input of this form: close it, and open the settings again")
             (quickvault--text "There is more unsaved input of this form: M-x quickvault-drafts"))))
        wanted)))

(defun quickvault--draft-wanted-p (draft place)
  "Return non-nil if the user wants to continue with DRAFT.
The question has its PLACE among several.  One of another Emacs that has
not ended is offered only once."
  (if (quickvault--elsewhere-p draft)
      (or (quickvault--copy-draft-p draft place)
          (progn (push (plist-get draft :form) quickvault--left-drafts)
                 nil))
    (quickvault--confirm-unexpected "Continue with your unsaved input of %s?" (concat (quickvault--draft-time draft) place))))

(defun quickvault--copy-draft-p (draft &optional place)
  "Ask whether to copy DRAFT, of another Emacs that has not ended.
PLACE is as in `quickvault--draft-wanted-p'."
  (quickvault--confirm-unexpected "Another Emacs still has unsaved input of this form, of %s.  Copy it here?"
                                  (concat (quickvault--draft-time draft) place)))

(defun quickvault--draft-time (draft)
  "Return the local time of DRAFT."
  (format-time-string "%F %R" (encode-time (iso8601-parse (plist-get draft :savedAt)))))

;;;###autoload
(defun quickvault-drafts ()
  "Continue a form whose input was not saved before the vault was locked."
  (interactive)
  (quickvault--ensure-unlocked)
  (let ((drafts (quickvault--drafts)))
    (unless drafts (user-error "%s" (quickvault--text "There is no unsaved input")))
    (let ((draft (or (quickvault--complete (quickvault--text "Continue")
                                            (mapcar (lambda (draft) (cons (quickvault--draft-title draft) draft)) drafts))
                     (user-error "%s" (quickvault--text "Nothing was chosen")))))
      (when (or (not (quickvault--elsewhere-p draft)) (quickvault--copy-draft-p draft))
        (quickvault--continue-draft draft)))))

(defun quickvault--draft-title (draft)
  "Return a title for DRAFT."
  (let ((title (cdr (assoc "title" (car (read-from-string (plist-get draft :text)))))))
    (concat (format "%s  %s  %s" (if (string-empty-p (or title "")) "-" (quickvault--short-line title))
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
