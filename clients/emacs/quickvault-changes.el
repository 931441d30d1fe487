;;; quickvault-changes.el --- Changing several cards, and undo  -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The QuickVault authors

;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; Work on several cards or files stops between two of them and says how many are done.
;; What undoes a change is kept until the vault is locked.

;;; Code:

(require 'quickvault-list)

(defvar quickvault--changed 'none
  "The cards that `quickvault--change-cards' has changed, as they are now.
A deleted one has only an :id.")

;;; Several at once

(defun quickvault--do-each (items text use)
  "Call USE with each of ITEMS, and show TEXT and the progress.
If there are several, quit between two of them only, so that each is done
or not.  Return the items that were not done, after the reason."
  (if (null (cdr items))
      (progn (mapc use items) nil)
    (quickvault--with-large-results
      (quickvault--without-log
        (let ((reporter (make-progress-reporter text 0 (length items)))
              (done 0)
              reason)
          (while (and items (not reason))
            (progress-reporter-update reporter done)
            (condition-case failure
                (let ((inhibit-quit t)
                      (quickvault--quiet (cdr items)))
                  (funcall use (car items))
                  (setq items (cdr items)
                        done (1+ done))
                  (when quit-flag
                    (setq quit-flag nil
                          reason (quickvault--text "Stopped."))))
              (quit (setq reason (quickvault--text "Stopped.")))
              (user-error (setq reason (error-message-string failure)))))
          (and items (cons reason items)))))))

(defun quickvault--change-cards (cards change)
  "Call CHANGE with each of CARDS, and refresh the list and the page.
CHANGE returns the request that undoes what it did, a list of a method
and parameters, or nil if it did nothing.  If not all is done, signal a
`user-error' that says how much is; only the other cards stay marked."
  (let ((quickvault--changed nil)
        undo left)
    (unwind-protect
        (let ((quickvault--undoable t))
          (setq left (quickvault--do-each cards (quickvault--text "Changing cards...")
                                          (lambda (card)
                                            (when-let ((request (funcall change card)))
                                              (push request undo))))))
      (when undo (push undo quickvault--changes))
      (when left
        (mapc #'quickvault--forget-mark (butlast cards (length (cdr left)))))
      (quickvault--refresh-all (and (not left) (reverse quickvault--changed))))
    (when left
      (user-error "%s" (quickvault--text "%s  Done: %d of %d.  The others are unchanged." (car left)
                                         (- (length cards) (length (cdr left))) (length cards))))))

;;; Changes of one card

(defun quickvault--note-change (card)
  "Note that CARD was changed."
  (unless (eq quickvault--changed 'none) (push card quickvault--changed)))

(defvar quickvault--revisions (make-hash-table :test #'equal)
  "The revisions that cards have after a change that can be undone, by id.")

(defun quickvault--change (card key value use)
  "Have the KEY of CARD be VALUE by calling USE with its id.
Return the request that undoes this, or nil if CARD is that way already."
  (let ((before (plist-get card key))
        (id (plist-get card :id)))
    (unless (equal value before)
      (quickvault--remember-revision (funcall use id))
      (list 'card/update (list :id id key before)))))

(defun quickvault--update (card key value)
  "Update the KEY of CARD to VALUE; fail if another process has changed the card.
Return the request that undoes this, or nil if CARD is that way already."
  (quickvault--change card key value
                      (lambda (id)
                        (quickvault--request 'card/update `(:id ,id ,@(quickvault--revision card) ,key ,value)))))

(defun quickvault--revision (card)
  "Return the parameter for the revision of CARD, if it is known."
  (and (plist-get card :revision) (list :revision (plist-get card :revision))))

(defun quickvault--restoration (card)
  "Return the request to restore CARD, which was deleted."
  (quickvault--note-change (list :id (plist-get card :id)))
  (list 'card/restore (list :id (plist-get card :id))))

(defun quickvault--note-reversible (answer)
  "Note that the card in ANSWER was edited, which can be undone."
  (quickvault--remember-revision answer)
  (push (list (list 'card/revert (list :id (plist-get (plist-get answer :card) :id)))) quickvault--changes))

(defun quickvault--remember-revision (answer)
  "Remember the revision of the card in ANSWER."
  (let ((card (plist-get answer :card)))
    (quickvault--note-change card)
    (puthash (plist-get card :id) (plist-get card :revision) quickvault--revisions)))

;;; Undo

(defun quickvault--forget-changes (_reason)
  "Forget what was changed, which is final after a lock."
  (clrhash quickvault--revisions)
  (setq quickvault--changes nil))

(add-hook 'quickvault-lock-functions #'quickvault--forget-changes)

;;;###autoload
(defun quickvault-undo ()
  "Undo the last change of cards; after that, the change before it.
That is possible until the vault is locked."
  (interactive)
  (pcase (car quickvault--changes)
    ('nil (user-error "%s" (quickvault--text "No card was changed since the vault was unlocked")))
    ('final (user-error "%s" (quickvault--text "The last change cannot be undone")))
    (change (quickvault--undo change))))

;;;###autoload
(defun quickvault-undo-delete ()
  "Restore the cards that were deleted last.
That is possible until the vault is locked."
  (interactive)
  (quickvault--undo
   (or (seq-find (lambda (change) (eq 'card/restore (car-safe (car-safe change)))) quickvault--changes)
       (user-error "%s" (quickvault--text "No card was deleted since the vault was unlocked")))))

(defun quickvault--undo (change)
  "Make the requests of CHANGE, one of `quickvault--changes'.
If one fails, it and the others can be tried again, unless the card is
gone."
  (let ((rest (memq change quickvault--changes)))
    (unwind-protect
        (quickvault--change-cards change (lambda (request)
                                           (quickvault--undo-one request (lambda () (pop (car rest))))
                                           nil))
      (setq quickvault--changes (delq nil quickvault--changes)))))

(defun quickvault--undo-one (request forget)
  "Make REQUEST to undo a change; call FORGET unless it can be repeated."
  (pcase-let* ((`(,method ,params) request)
               (revision (gethash (plist-get params :id) quickvault--revisions)))
    (quickvault--remember-revision
     (quickvault--request method
                          (if (and revision (memq method '(card/update card/revert))) (append params (list :revision revision)) params)
                          `(("card.notFound" . ,(lambda (data)
                                                  (funcall forget)
                                                  (user-error "%s" (quickvault--localized (plist-get data :messages))))))))
    (funcall forget)))

(provide 'quickvault-changes)
;;; quickvault-changes.el ends here
