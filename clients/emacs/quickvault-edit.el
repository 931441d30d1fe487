;;; quickvault-edit.el --- Creating and editing a card  -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The QuickVault authors

;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; The form of a card comes from its template.  Extra fields of one's own follow;
;; their values are concealed if one wishes.

;;; Code:

(require 'quickvault-form)
(require 'quickvault-list)

(defvar-local quickvault--original nil
  "The card that is edited as it was read, or a plist with the :type of a new one.")

;;;###autoload
(defun quickvault-create (type)
  "Create a card of TYPE in a form."
  (interactive
   (progn (quickvault--ensure-unlocked)
          (list (or (quickvault--read-name (quickvault--text "Create") '("address" "invoice" "text"))
                    (user-error "%s" (quickvault--text "No type was chosen"))))))
  (quickvault--edit (list :type type :group "personal" :title ""
                          :tags (and (plist-get quickvault--filter :tag)
                                     (list (plist-get quickvault--filter :tag))))
                    (quickvault--text "New card: %s" (quickvault--name-of type))))

;;;###autoload
(defun quickvault-edit (card)
  "Edit CARD in a form."
  (interactive (list (quickvault--read-card (quickvault--text "Edit"))))
  (let ((whole (quickvault--get (plist-get card :id))))
    (quickvault--edit whole (quickvault--text "Edit: %s" (quickvault--name-of (plist-get whole :type))))))

(defun quickvault--edit (card heading)
  "Show the form of CARD with HEADING."
  (quickvault--form "*QuickVault form*" heading (quickvault--card-fields card) #'quickvault--save-card)
  (setq quickvault--original card))

;;; Fields

(defun quickvault--template (type)
  "The fields of the template of TYPE."
  (plist-get (seq-find (lambda (template) (equal type (plist-get template :type)))
                       (plist-get (quickvault--request 'template/list) :templates))
             :fields))

(defun quickvault--card-fields (card)
  "The fields of the form of CARD."
  `((:key "title" :kind line :label ,(quickvault--text "Title") :value ,(plist-get card :title) :required t)
    (:key "group" :kind choice :label ,(quickvault--text "Group") :value ,(plist-get card :group)
          :choices ((,(quickvault--name-of "personal") . "personal")
                    (,(quickvault--name-of "company") . "company")))
    (:key "tags" :kind line :label ,(quickvault--text "Tags, with commas between")
          :value ,(string-join (plist-get card :tags) ", "))
    (:key "pinned" :kind check :label ,(quickvault--text "Pinned") :value ,(eq (plist-get card :pinned) t))
    (:kind heading :label ,(quickvault--name-of (plist-get card :type)))
    ,@(mapcar (lambda (field) (quickvault--template-field field card))
              (quickvault--template (plist-get card :type)))
    (:kind heading :label ,(quickvault--text "More fields"))
    ,@(cl-loop for extra being the elements of (plist-get card :extraFields) using (index index)
               append (quickvault--extra-fields index extra))
    (:kind button :label ,(quickvault--text "Add a field") :action quickvault--add-extra)))

(defun quickvault--template-field (field card)
  "The form's field for FIELD of the template, with its value in CARD."
  (list :key (plist-get field :key)
        :kind (cond ((eq (plist-get field :concealed) t) 'concealed)
                    ((eq (plist-get field :multiline) t) 'text)
                    (t 'line))
        :label (quickvault--own-language (plist-get field :label))
        :required (eq (plist-get field :required) t)
        :value (or (plist-get (seq-find (lambda (own) (equal (plist-get own :key) (plist-get field :key)))
                                        (plist-get card :fields))
                              :value)
                   "")))

(defun quickvault--extra-fields (index extra)
  "The form's fields for EXTRA, the one at INDEX."
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
  "Remove the extra field at INDEX from the form."
  (let ((extras (quickvault--extras (quickvault--form-values))))
    (quickvault--draw-extras (append (seq-take extras index) (seq-drop extras (1+ index))))))

(defun quickvault--redraw-extras ()
  "Draw the extra fields anew, concealed or not as they are marked."
  (quickvault--draw-extras (quickvault--extras (quickvault--form-values))
                           (car (rassq (widget-at) quickvault--widgets))))

(defun quickvault--draw-extras (extras &optional key)
  "Draw the form with EXTRAS, and with what its other fields hold; go to KEY."
  (quickvault--form-draw
   (quickvault--card-fields (append (list :extraFields extras)
                                    (quickvault--typed-card (quickvault--form-values))))
   nil key))

;;; Saving

(defun quickvault--extras (values)
  "The extra fields in VALUES of the form."
  (cl-loop for index from 0
           for path = (format "extraFields[%d]" index)
           while (assoc (concat path ".label") values)
           collect (list :label (cdr (assoc (concat path ".label") values))
                         :value (cdr (assoc (concat path ".value") values))
                         :concealed (if (cdr (assoc (concat path ".concealed") values)) t :json-false))))

(defun quickvault--typed-card (values)
  "The card that VALUES of the form make, without its extra fields."
  (let ((type (plist-get quickvault--original :type)))
    (list :type type
          :title (cdr (assoc "title" values))
          :group (cdr (assoc "group" values))
          :tags (quickvault--typed-tags (cdr (assoc "tags" values)))
          :pinned (if (cdr (assoc "pinned" values)) t :json-false)
          :fields (mapcar (lambda (field)
                            (list :key (plist-get field :key)
                                  :value (cdr (assoc (plist-get field :key) values))))
                          (quickvault--template type)))))

(defun quickvault--typed-tags (text)
  "The tags in TEXT, which commas of either script part."
  (delete-dups (split-string text "[,，、]" t "[ \t　]+")))

(defun quickvault--save-card (values)
  "Save the card with VALUES of the form."
  (let* ((typed (quickvault--typed-card values))
         (id (plist-get quickvault--original :id))
         (shared (list :title (plist-get typed :title)
                       :group (plist-get typed :group)
                       :tags (vconcat (plist-get typed :tags))
                       :pinned (plist-get typed :pinned)
                       :extraFields (vconcat (quickvault--extras values))
                       :fields (quickvault--field-values (plist-get typed :fields) id)))
         (form (current-buffer))
         (answer (if id
                     (quickvault--update id (plist-get quickvault--original :revision) shared)
                   (quickvault--request 'card/create `(:type ,(plist-get typed :type) ,@shared)
                                        (quickvault--form-handlers)))))
    (when answer
      (quickvault--discard form)
      (pop-to-buffer-same-window
       (quickvault--page (plist-get answer :card) (plist-get answer :warnings)))
      (quickvault--list-refresh-later))))

(defun quickvault--field-values (fields removing)
  "FIELDS as an object; the empty ones are null if REMOVING, or left out."
  (let ((values (make-hash-table :test #'equal)))
    (dolist (field fields values)
      (if (string-empty-p (plist-get field :value))
          (when removing (puthash (plist-get field :key) nil values))
        (puthash (plist-get field :key) (plist-get field :value) values)))))

(defun quickvault--form-handlers ()
  "What to do with issues: show them in the form."
  (let ((form (current-buffer)))
    (list (cons "card.invalid"
                (lambda (data)
                  (when (buffer-live-p form)
                    (with-current-buffer form
                      (when (derived-mode-p 'quickvault-form-mode)
                        (quickvault--form-refuse (plist-get data :issues)))))
                  nil)))))

(defun quickvault--update (id revision edits)
  "Change the card ID, seen at REVISION, by EDITS; ask where it has moved on."
  (quickvault--request
   'card/update `(:id ,id :revision ,revision ,@edits)
   (cons (cons "card.conflict"
               (lambda (data) (quickvault--settle (plist-get data :card) edits)))
         (quickvault--form-handlers))))

(defun quickvault--settle (theirs edits)
  "Ask what is to become of EDITS, as the card is now THEIRS."
  (let (choice)
    (while (progn
             (setq choice (car (quickvault--without-trace
                                 (read-multiple-choice
                                  (quickvault--text "Someone changed this card meanwhile.")
                                  `((?s ,(quickvault--text "see theirs"))
                                    (?o ,(quickvault--text "overwrite it"))
                                    (?k ,(quickvault--text "keep editing")))))))
             (eq choice ?s))
      (save-selected-window
        (pop-to-buffer (quickvault--page theirs))))
    (when (eq choice ?o)
      (quickvault--update (plist-get theirs :id) (plist-get theirs :revision) edits))))

(provide 'quickvault-edit)
;;; quickvault-edit.el ends here
