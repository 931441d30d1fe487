;;; quickvault-edit.el --- Creating and editing a card  -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The QuickVault authors

;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; The form of a card has the fields of its template, followed by extra fields that
;; you define.  Values of extra fields can be concealed.

;;; Code:

(require 'quickvault-drafts)
(require 'quickvault-actions)

(defvar-local quickvault--original nil
  "The card as it was read for editing, or a plist with the :type of a new one.")

;;;###autoload
(defun quickvault-create (type)
  "Create a card of TYPE in a form."
  (interactive
   (progn (quickvault--ensure-unlocked)
          (list (or (quickvault--read-choice (quickvault--text "Create") '("address" "invoice" "text"))
                    (user-error "%s" (quickvault--text "No type was chosen"))))))
  (unless (quickvault--offer-draft (quickvault--draft-of type))
    (quickvault--edit (list :type type :group "personal" :title ""
                            :tags (and (plist-get quickvault--filter :tag)
                                       (list (plist-get quickvault--filter :tag)))))))

;;;###autoload
(defun quickvault-edit (card)
  "Edit CARD in a form."
  (interactive (list (quickvault--read-card (quickvault--text "Edit"))))
  (let ((whole (quickvault--get-card (plist-get card :id))))
    (unless (quickvault--offer-draft (quickvault--draft-of (plist-get whole :type) (plist-get whole :id)))
      (quickvault--edit whole))))

(defun quickvault--edit (card)
  "Show a form to edit CARD, or to create it if it has no :id."
  (let ((type (quickvault--display-name (plist-get card :type))))
    (quickvault--form "*QuickVault form*"
                      (if (plist-get card :id)
                          (quickvault--text "Edit: %s" type)
                        (quickvault--text "New card: %s" type))
                      (quickvault--card-fields card) #'quickvault--save-card))
  (setq quickvault--original card)
  (quickvault--keep-draft (quickvault--draft-of (plist-get card :type) (plist-get card :id))))

(defun quickvault--edit-draft (draft values)
  "Show a form with VALUES, the input of DRAFT."
  (quickvault--edit
   (append (and (plist-get draft :card) (list :id (plist-get draft :card) :revision (plist-get draft :revision)))
           (list :extraFields (quickvault--extras values))
           (quickvault--form-card values (plist-get draft :type)))))

;;; Fields

(defun quickvault--template (type)
  "Return the template fields of cards of TYPE."
  (plist-get (seq-find (lambda (template) (equal type (plist-get template :type)))
                       (plist-get (quickvault--request 'template/list) :templates))
             :fields))

(defun quickvault--card-fields (card)
  "Return the form fields for CARD."
  `((:key "title" :kind line :label ,(quickvault--text "Title") :value ,(plist-get card :title) :required t)
    (:key "group" :kind choice :label ,(quickvault--text "Group") :value ,(plist-get card :group)
          :choices ((,(quickvault--display-name "personal") . "personal")
                    (,(quickvault--display-name "company") . "company")))
    (:key "tags" :kind line :label ,(quickvault--text "Tags, separated by commas")
          :value ,(quickvault--join-tags (plist-get card :tags)) :completions quickvault--tag-completions)
    (:key "pinned" :kind check :label ,(quickvault--text "Pinned") :value ,(eq (plist-get card :pinned) t))
    (:kind heading :label ,(quickvault--display-name (plist-get card :type)))
    ,@(mapcar (lambda (field) (quickvault--template-field field card))
              (quickvault--template (plist-get card :type)))
    (:kind heading :label ,(quickvault--text "More fields"))
    ,@(cl-loop for extra being the elements of (plist-get card :extraFields) using (index index)
               append (quickvault--extra-fields index extra))
    (:kind button :label ,(quickvault--text "Add a field") :action quickvault--add-extra)))

(defun quickvault--template-field (field card)
  "Return the form field for the template's FIELD, with its value in CARD."
  (list :key (plist-get field :key)
        :kind (cond ((eq (plist-get field :concealed) t) 'concealed)
                    ((eq (plist-get field :multiline) t) 'text)
                    (t 'line))
        :label (quickvault--localized (plist-get field :label))
        :required (eq (plist-get field :required) t)
        :value (or (plist-get (seq-find (lambda (own) (equal (plist-get own :key) (plist-get field :key)))
                                        (plist-get card :fields))
                              :value)
                   "")))

(defun quickvault--extra-fields (index extra)
  "Return the form fields for EXTRA, the extra field at INDEX."
  (let ((path (format "extraFields[%d]" index))
        (concealed (eq (plist-get extra :concealed) t)))
    `((:key ,(concat path ".label") :kind line :label ,(quickvault--text "Label %d" (1+ index))
            :value ,(plist-get extra :label))
      (:key ,(concat path ".value") :kind ,(if concealed 'concealed 'text)
            :label ,(quickvault--text "Value %d" (1+ index)) :value ,(plist-get extra :value))
      (:key ,(concat path ".concealed") :kind check :label ,(quickvault--text "Conceal value %d" (1+ index))
            :value ,concealed :action quickvault--redraw-extras)
      (:kind button :label ,(quickvault--text "Remove field %d" (1+ index))
             :action ,(lambda () (quickvault--remove-extra index))))))

(defun quickvault--add-extra ()
  "Add an empty extra field to the form."
  (let ((extras (quickvault--extras (quickvault--form-values))))
    (quickvault--draw-extras (append extras '((:label "" :value "" :concealed :json-false)))
                             (format "extraFields[%d].label" (length extras)))))

(defun quickvault--remove-extra (index)
  "Remove the extra field at INDEX from the form; ask first if it has a value."
  (let ((extras (quickvault--extras (quickvault--form-values))))
    (when (or (string-empty-p (plist-get (nth index extras) :value))
              (quickvault--confirm "Remove field %d with its value?" (1+ index)))
      (quickvault--draw-extras (append (seq-take extras index) (seq-drop extras (1+ index)))))))

(defun quickvault--redraw-extras ()
  "Redraw the extra fields after a change of their concealment."
  (quickvault--draw-extras (quickvault--extras (quickvault--form-values))
                           (car (rassq (widget-at) quickvault--widgets))))

(defun quickvault--draw-extras (extras &optional key)
  "Redraw the form with EXTRAS and its current input; go to the field KEY."
  (quickvault--form-draw
   (quickvault--card-fields (append (list :extraFields extras)
                                    (quickvault--form-card (quickvault--form-values)
                                                           (plist-get quickvault--original :type))))
   nil key)
  (quickvault--put-draft-later))

;;; Completing tags

(defun quickvault--tag-completions (field)
  "Return the completion data of the tag at point in FIELD."
  (list (widget-field-start field) (point) (quickvault--tag-table (quickvault--all-tags))))

;;; Saving

(defun quickvault--extras (values)
  "Return the extra fields in VALUES, an alist from the form."
  (cl-loop for index from 0
           for path = (format "extraFields[%d]" index)
           while (assoc (concat path ".label") values)
           collect (list :label (cdr (assoc (concat path ".label") values))
                         :value (cdr (assoc (concat path ".value") values))
                         :concealed (if (cdr (assoc (concat path ".concealed") values)) t :json-false))))

(defun quickvault--form-card (values type)
  "Return the card of TYPE in VALUES, an alist from the form, without extra fields."
  (list :type type
        :title (cdr (assoc "title" values))
        :group (cdr (assoc "group" values))
        :tags (quickvault--split-tags (or (cdr (assoc "tags" values)) ""))
        :pinned (if (cdr (assoc "pinned" values)) t :json-false)
        :fields (mapcar (lambda (field)
                          (list :key (plist-get field :key)
                                :value (cdr (assoc (plist-get field :key) values))))
                        (quickvault--template type))))

(defun quickvault--save-card (values)
  "Save the card in VALUES, an alist from the form."
  (let* ((typed (quickvault--form-card values (plist-get quickvault--original :type)))
         (id (plist-get quickvault--original :id))
         (shared (list :title (plist-get typed :title)
                       :group (plist-get typed :group)
                       :tags (vconcat (plist-get typed :tags))
                       :pinned (plist-get typed :pinned)
                       :extraFields (vconcat (quickvault--extras values))
                       :fields (quickvault--field-values (plist-get typed :fields) id)))
         (form (current-buffer))
         (answer (if id
                     (quickvault--update-card id (plist-get quickvault--original :revision) shared)
                   (quickvault--request 'card/create `(:type ,(plist-get typed :type) ,@shared)
                                        (quickvault--form-handlers)))))
    (when answer
      (when (buffer-live-p form) (with-current-buffer form (quickvault--discard-draft)))
      (quickvault--discard form)
      (pop-to-buffer-same-window
       (quickvault--page (plist-get answer :card) (plist-get answer :warnings)))
      (quickvault--list-refresh-later))))

(defun quickvault--field-values (fields removing)
  "Return FIELDS as a JSON object.
Empty fields are null if REMOVING, else omitted."
  (let ((values (make-hash-table :test #'equal)))
    (dolist (field fields values)
      (if (string-empty-p (plist-get field :value))
          (when removing (puthash (plist-get field :key) nil values))
        (puthash (plist-get field :key) (plist-get field :value) values)))))

(defun quickvault--form-handlers ()
  "Return error handlers that show the issues of a card in this form."
  (let ((form (current-buffer)))
    (list (cons "card.invalid"
                (lambda (data)
                  (when (buffer-live-p form)
                    (with-current-buffer form
                      (when (derived-mode-p 'quickvault-form-mode)
                        (quickvault--form-show-issues (plist-get data :issues)))))
                  nil)))))

(defun quickvault--update-card (id revision edits)
  "Update the card ID with EDITS; ask the user if REVISION is out of date."
  (quickvault--request
   'card/update `(:id ,id :revision ,revision ,@edits)
   `(("card.conflict" . ,(lambda (data) (quickvault--resolve-conflict (plist-get data :card) edits)))
     ("card.notFound" . ,(lambda (_) (quickvault--save-as-new edits)))
     ,@(quickvault--form-handlers))))

(defun quickvault--save-as-new (edits)
  "Offer to create a card with EDITS in place of one that was deleted meanwhile."
  (when (quickvault--confirm-unexpected "Another program deleted this card.  Save yours as a new card?")
    (let ((fields (copy-hash-table (plist-get edits :fields))))
      (maphash (lambda (key value) (unless value (remhash key fields))) fields)
      (quickvault--request 'card/create
                           `(:type ,(plist-get quickvault--original :type) ,@(plist-put (copy-sequence edits) :fields fields))
                           (quickvault--form-handlers)))))

(defun quickvault--resolve-conflict (theirs edits)
  "Ask how to resolve the conflict between EDITS and THEIRS, the current card."
  (let (choice)
    (while (progn
             (quickvault--discard-typed-keys)
             (setq choice (car (quickvault--without-history
                                 (read-multiple-choice
                                  (quickvault--text "Another program changed this card.")
                                  `((?s ,(quickvault--text "show their version"))
                                    (?o ,(quickvault--text "overwrite it"))
                                    (?k ,(quickvault--text "keep editing")))))))
             (eq choice ?s))
      (save-selected-window
        (pop-to-buffer (quickvault--page theirs))))
    (when (eq choice ?o)
      (quickvault--update-card (plist-get theirs :id) (plist-get theirs :revision) edits))))

(provide 'quickvault-edit)
;;; quickvault-edit.el ends here
