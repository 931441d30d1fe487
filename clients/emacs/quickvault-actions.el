;;; quickvault-actions.el --- Commands that act on cards, and undo  -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The QuickVault authors

;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; Copying, pinning, tagging and deleting.  Work on several cards or files stops between
;; two of them and says how many are done.  What undoes a change is kept until the vault is
;; locked.

;;; Code:

(require 'crm)
(require 'quickvault-clipboard)
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
        (dolist (card (and quickvault--marked (butlast cards (length (cdr left)))))
          (remhash (plist-get card :id) quickvault--marked)))
      (quickvault--refresh-all (and (not left) (reverse quickvault--changed))))
    (when left
      (quickvault--fail "%s  Done: %d of %d.  The others are unchanged." (car left)
                        (- (length cards) (length (cdr left))) (length cards)))))

;;; Changes of one card

(defun quickvault--note-change (card)
  "Note that CARD was changed."
  (unless (eq quickvault--changed 'none) (push card quickvault--changed)))

(defvar quickvault--revisions (make-hash-table :test #'equal)
  "The revisions that cards have after a change that can be undone, by id.")

(defun quickvault--update (card key value &optional method)
  "Update the KEY of CARD to VALUE by METHOD, a request, or by `card/update'.
The latter fails if another process has changed the card.  Return the
request that undoes this, or nil if CARD is that way already."
  (let ((before (plist-get card key))
        (id (plist-get card :id)))
    (unless (equal value before)
      (quickvault--remember-revision
       (quickvault--request (or method 'card/update)
                            `(:id ,id ,@(and (not method) (quickvault--revision card)) ,key ,value)))
      (list 'card/update (list :id id key before)))))

(defun quickvault--revision (card)
  "Return the parameter for the revision of CARD, if it is known."
  (and (plist-get card :revision) (list :revision (plist-get card :revision))))

(defun quickvault--restoration (card)
  "Return the request to restore CARD, which was deleted."
  (quickvault--note-change (list :id (plist-get card :id)))
  (list 'card/restore (list :id (plist-get card :id))))

(defun quickvault--revert-request (answer)
  "Return the request that takes back the edit of the card in ANSWER."
  (quickvault--remember-revision answer)
  (list 'card/revert (list :id (plist-get (plist-get answer :card) :id))))

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
    ('nil (quickvault--fail "No card was changed since the vault was unlocked"))
    ('final (quickvault--fail "The last change cannot be undone"))
    (change (quickvault--undo change))))

;;;###autoload
(defun quickvault-undo-delete ()
  "Restore the cards that were deleted last.
That is possible until the vault is locked."
  (interactive)
  (quickvault--undo
   (or (seq-find (lambda (change) (eq 'card/restore (car-safe (car-safe change)))) quickvault--changes)
       (quickvault--fail "No card was deleted since the vault was unlocked"))))

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

;;; Copying

(defun quickvault--copy-card (card &rest options)
  "Copy CARD, or the part of it that OPTIONS, a plist, select.
Show which fields the text does not have."
  (let ((answer (quickvault--request
                 'card/copy `(:id ,(plist-get card :id) ,@options)
                 `(("copy.noTemplate" . ,(lambda (_) (quickvault--copy-by-template card) nil))))))
    (when answer
      (quickvault--show-remarks
       (if (plist-get answer :secondsLeft)
           (quickvault--text "Copied a code that is valid for %s s." (plist-get answer :secondsLeft))
         (quickvault--left-out-text (plist-get answer :leftOut)))
       (quickvault--copy-text (plist-get answer :text) (plist-get answer :clearAfterSeconds))))))

(defun quickvault--show-remarks (left-out &optional remark)
  "Show LEFT-OUT, what a text lacks, or else REMARK for a while.
Both may be nil."
  (cond (left-out (quickvault--message (concat remark (and remark "  ") left-out)))
        (remark (quickvault--notify remark))))

(defun quickvault--left-out-text (fields &optional inserted)
  "Return a remark with FIELDS, which a copied or INSERTED text does not have.
Return nil if there are none."
  (unless (seq-empty-p fields)
    (concat (let ((names (mapconcat (lambda (field) (quickvault--one-line (plist-get field :label)))
                                    fields (quickvault--text ", "))))
              (if inserted
                  (quickvault--text "Inserted without: %s." names)
                (quickvault--text "Copied without: %s." names)))
            (cond ((not (seq-some (lambda (field) (eq (plist-get field :concealed) t)) fields)) "")
                  (inserted (quickvault--text "  With a prefix argument, you choose the field."))
                  (t (quickvault--text "  With a prefix argument, concealed fields are copied too."))))))

(defun quickvault--copy-by-template (card)
  "Read a template and copy CARD formatted with it."
  (quickvault--copy-card card :template
                         (quickvault--without-history
                           (read-string (quickvault--text "Template, with field keys in braces: ") nil t))))

;;;###autoload
(defun quickvault-copy (card &optional concealed)
  "Copy all of CARD.
With a prefix argument, or if CONCEALED is non-nil, copy concealed fields
too."
  (interactive (list (quickvault--read-card (quickvault--text "Copy")) current-prefix-arg))
  (apply #'quickvault--copy-card card (and concealed '(:concealed t))))

;;;###autoload
(defun quickvault-copy-field (card)
  "Copy one field of CARD."
  (interactive (list (quickvault--read-card (quickvault--text "Copy a field of card"))))
  (quickvault--copy-card card :field (quickvault--read-field card)))

(defun quickvault--read-field (card)
  "Read a field of CARD and return its key, or its label if it has none."
  (let* ((whole (quickvault--omit-concealed (quickvault--get-card (plist-get card :id))))
         (fields (append (plist-get whole :fields) (plist-get whole :extraFields)
                         (list (list :key "title" :label (quickvault--text "Title")
                                     :value (plist-get whole :title)))))
         (field (quickvault--complete
                 (quickvault--text "Field")
                 (mapcar (lambda (field) (cons (plist-get field :label) field)) fields)
                 (lambda (field)
                   (quickvault--short-line (or (plist-get field :value) (quickvault--mask field)))))))
    (or (plist-get field :key) (plist-get field :label))))

;;;###autoload
(defun quickvault-copy-as (card &optional concealed)
  "Copy CARD in a style that you choose.
With a prefix argument, or if CONCEALED is non-nil, copy concealed fields
too."
  (interactive (list (quickvault--read-card (quickvault--text "Copy")) current-prefix-arg))
  (let ((style (quickvault--complete
                (quickvault--text "Style")
                (mapcar (lambda (style) (cons (quickvault--display-name style) style))
                        '("labelled" "values" "oneLine" "markdown" "json" "template")))))
    (apply #'quickvault--copy-card card :style style (and concealed '(:concealed t)))))

;;; Changing

;;;###autoload
(defun quickvault-toggle-pin (cards)
  "Pin CARDS, the marked ones or the one at point; unpin them if all are pinned."
  (interactive (list (quickvault--read-cards (quickvault--text "Pin or unpin"))))
  (let ((pinned (if (seq-every-p (lambda (card) (eq (plist-get card :pinned) t)) cards) :json-false t)))
    (quickvault--change-cards cards (lambda (card) (quickvault--update card :pinned pinned 'card/setPinned)))))

;;;###autoload
(defun quickvault-add-tags (cards tags)
  "Add TAGS to CARDS, the marked ones or the one at point."
  (interactive (let ((cards (quickvault--read-cards (quickvault--text "Add tags to"))))
                 (list cards (quickvault--read-tags (quickvault--text "Tags to add, separated by commas: ")
                                                    (quickvault--all-tags)))))
  (quickvault--change-cards
   cards
   (lambda (card)
     (quickvault--update card :tags (vconcat (delete-dups (append (plist-get card :tags) tags nil)))))))

;;;###autoload
(defun quickvault-remove-tags (cards tags)
  "Remove TAGS from CARDS, the marked ones or the one at point."
  (interactive (let ((cards (quickvault--read-cards (quickvault--text "Remove tags from"))))
                 (list cards (quickvault--read-tags
                              (quickvault--text "Tags to remove, separated by commas: ")
                              (delete-dups (seq-mapcat (lambda (card) (append (plist-get card :tags) nil)) cards))))))
  (quickvault--change-cards
   cards
   (lambda (card)
     (quickvault--update card :tags (vconcat (seq-remove (lambda (tag) (member tag tags)) (plist-get card :tags)))))))

;;;###autoload
(defun quickvault-set-group (cards group)
  "Move CARDS, the marked ones or the one at point, to GROUP."
  (interactive (let ((cards (quickvault--read-cards (quickvault--text "Set the group of"))))
                 (list cards (quickvault--read-choice (quickvault--text "Group") '("personal" "company")))))
  (quickvault--change-cards cards (lambda (card) (quickvault--update card :group group))))

;;;###autoload
(defun quickvault-delete (cards)
  "Delete CARDS, the marked ones or the one at point, after asking."
  (interactive (list (quickvault--read-cards (quickvault--text "Delete"))))
  (when (if (cdr cards)
            (quickvault--confirm "Delete %d cards?" (length cards))
          (quickvault--confirm "Delete “%s”?" (plist-get (car cards) :title)))
    (quickvault--change-cards
     cards
     (lambda (card)
       (quickvault--request 'card/delete `(:id ,(plist-get card :id) ,@(quickvault--revision card)))
       (when-let ((page (quickvault--page-buffer (plist-get card :id))))
         (quickvault--discard page))
       (quickvault--restoration card)))
    (quickvault--notify
     (substitute-command-keys
      (quickvault--text "Deleted.  \\<quickvault-list-mode-map>\\[quickvault-undo-delete] restores it until the vault is locked.")))))

;;; Tags

(defun quickvault--all-tags ()
  "Return all tags of the vault, the most used first."
  (mapcar (lambda (tag) (plist-get tag :tag)) (plist-get (quickvault--request 'tag/list) :tags)))

(defun quickvault--quoted-tag (tag)
  "Return TAG as text in a list of tags; one with a comma is quoted."
  (quickvault--as-contents
   (if (string-match-p "[,，、]\\|\\`[ \t　\"]\\|[ \t　]\\'" tag)
       (concat "\"" (replace-regexp-in-string "[\"\\]" "\\\\\\&" tag) "\"")
     tag)))

(defun quickvault--read-tags (prompt tags)
  "Read some of TAGS or new ones with PROMPT, separated by commas."
  (quickvault--without-history
    (let ((completion-ignore-case t))
      (or (delete-dups
           (seq-remove #'string-blank-p
                       (mapcar #'cdr (quickvault--split-tags
                                      (minibuffer-with-setup-hook #'quickvault--allow-spaces
                                        (completing-read prompt (quickvault--tag-table tags) nil nil nil t))))))
          (quickvault--fail "No tag was given")))))

(defconst quickvault--tag-regexp
  (rx (group-n 1 (* (any " \t　")))
      (or (seq ?\" (group-n 2 (* (or (not (any ?\" ?\\)) (seq ?\\ anychar)))) (or (seq ?\" (* (any " \t　"))) string-end))
          (group-n 3 (* (not (any ",，、")))))
      (or (group-n 4 (any ",，、")) string-end))
  "Regular expression for a tag with the comma after it.
Its groups are the space before the tag, the tag in quotation marks, or
as it is, and the comma.  The last quotation mark may be missing.")

(defun quickvault--split-tags (text)
  "Return the tags in TEXT, separated by commas, each after where it begins."
  (let ((place 0)
        tags)
    (while place
      (string-match quickvault--tag-regexp text place)
      (setq place (match-end 4))
      (push (cons (match-end 1)
                  (substring-no-properties
                   (if (match-beginning 2)
                       (replace-regexp-in-string "\\\\\\(.\\)" "\\1" (match-string 2 text))
                     (string-trim-right (match-string 3 text) "[ \t　]+"))))
            tags))
    (nreverse tags)))

(defun quickvault--tag-table (tags)
  "Return a table that completes the last of several tags to one of TAGS."
  (let ((names (mapcar #'quickvault--quoted-tag tags)))
    (lambda (text predicate action)
      (let ((place (caar (last (quickvault--split-tags text)))))
        (pcase action
          ('metadata '(metadata (category . quickvault)))
          (`(boundaries . ,after) `(boundaries ,place . ,(or (string-match "[,，、]" after) (length after))))
          (_ (completion-table-with-context (substring text 0 place) names (substring text place)
                                            predicate action)))))))

(provide 'quickvault-actions)
;;; quickvault-actions.el ends here
