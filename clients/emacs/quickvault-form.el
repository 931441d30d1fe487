;;; quickvault-form.el --- Forms with validation messages  -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The QuickVault authors

;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; A form is a list of fields, each a plist:
;;   :key      the name of its value, and of the field in the vault's issues
;;   :kind     line, text, concealed, choice or check; heading and button have no value
;;   :label    its label for the user
;;   :value    its initial value
;;   :required non-nil if it must not be empty
;;   :choices  an alist of names and values, for a choice
;;   :completions  a function of a line's widget that returns data as those of
;;             `completion-at-point-functions' do
;;   :action   a function called by a button, or when a choice or check changes
;; The form is redrawn when its fields change or there are issues to show.

;;; Code:

(require 'wid-edit)
(require 'quickvault-card)
(require 'quickvault-concealed)

(declare-function quickvault "quickvault")
(declare-function quickvault--discard-draft "quickvault-drafts")

(defvar-local quickvault--fields nil
  "The fields of the form.")

(defvar-local quickvault--widgets nil
  "Alist of keys and widgets.")

(defvar-local quickvault--issues nil
  "The issues that the form shows.")

(defvar-local quickvault--heading nil
  "The heading of the form.")

(defvar-local quickvault--initial-values nil
  "The initial values of the form.")

(defvar-local quickvault--discarded-values nil
  "The input that the user discarded to end Emacs, or nil.")

(defvar-local quickvault--save nil
  "Function that saves the form's values, its only argument.")

(defun quickvault--form-keys (parent)
  "Return a keymap with the keys of a form, inheriting from PARENT."
  (let ((map (make-sparse-keymap)))
    (set-keymap-parent map parent)
    (define-key map (kbd "C-c C-c") #'quickvault-form-save)
    (define-key map (kbd "C-c C-k") #'quickvault-form-cancel)
    (define-key map [remap save-buffer] #'quickvault-form-save)
    map))

(defvar quickvault-form-mode-map (quickvault--form-keys widget-keymap)
  "Keymap of `quickvault-form-mode'.")

(defvar quickvault-form-line-map (quickvault--form-keys widget-field-keymap)
  "Keymap of single-line fields.")

(defvar quickvault-form-concealed-map
  (let ((map (make-sparse-keymap)))
    (set-keymap-parent map quickvault-form-line-map)
    (define-key map [remap self-insert-command] #'quickvault--insert-as-typed)
    map)
  "Keymap of concealed fields.")

(defvar quickvault-form-text-map (quickvault--form-keys widget-text-keymap)
  "Keymap of multi-line fields.")

(define-derived-mode quickvault-form-mode nil "QuickVault form"
  "Major mode for forms.
\\{quickvault-form-mode-map}"
  :interactive nil
  ;; It would break a line that must be one.
  (auto-fill-mode -1)
  (add-hook 'kill-buffer-query-functions #'quickvault--form-kill-p nil t)
  (add-hook 'kill-emacs-query-functions #'quickvault--forms-kill-p)
  (add-hook 'after-change-functions #'quickvault--mark-change nil t)
  (add-hook 'after-change-functions #'quickvault--conceal-change nil t)
  (add-hook 'after-change-functions #'quickvault--report-activity nil t))

;; A copy would have the text, and the fields of this one.
(put 'quickvault-form-mode 'no-clone t)

(defun quickvault--form (name heading fields save)
  "Show a form with HEADING and FIELDS in a new buffer NAME; call SAVE to save."
  (pop-to-buffer-same-window (generate-new-buffer name))
  (quickvault-form-mode)
  (quickvault--protect-buffer #'quickvault)
  (setq quickvault--heading heading
        quickvault--save save
        quickvault--unsaved-function #'quickvault--form-changed-p)
  (add-function :filter-return (local 'filter-buffer-substring-function) #'quickvault--reveal-text)
  (quickvault--form-draw fields)
  (setq quickvault--initial-values (quickvault--form-values)))

;;; Drawing

(defun quickvault--form-draw (fields &optional issues key)
  "Redraw the form with FIELDS and ISSUES; go to KEY or the first issue.
Undo brings back what it showed before, and then undoes earlier input."
  (let ((inhibit-read-only t)
        (inhibit-modification-hooks t)
        (undo (and quickvault--fields (listp buffer-undo-list) (quickvault--form-undo-list))))
    (quickvault--erase)
    (setq buffer-undo-list t
          quickvault--fields fields
          quickvault--issues issues
          quickvault--widgets nil
          widget-field-new nil
          widget-field-list nil)
    (widget-insert quickvault--heading "\n"
                   (if (> (length issues) 0)
                       (quickvault--text "! Not saved.  Problems: %d" (length issues))
                     (quickvault--text "\\[quickvault-form-save] saves, \\[quickvault-form-cancel] cancels, \\[widget-forward] moves to the next field."))
                   "\n\n")
    (dolist (field fields)
      (quickvault--form-insert field (quickvault--issues-of field issues)))
    (quickvault--form-insert-rest issues)
    (widget-insert "\n")
    (quickvault--form-button (quickvault--text "Save") #'quickvault-form-save)
    (widget-insert " ")
    (quickvault--form-button (quickvault--text "Cancel") #'quickvault-form-cancel)
    (widget-insert "\n")
    (widget-setup)
    (quickvault--form-conceal)
    (quickvault--mark-contents)
    (setq buffer-undo-list undo))
  (set-buffer-modified-p nil)
  (quickvault--form-go (or key (quickvault--first-invalid-key issues))))

(defun quickvault--form-undo-list ()
  "Return the undo list of this form after a change of it as a whole.
Its first element draws it as it is now."
  `((apply quickvault--form-draw-again ,(quickvault--form-current-fields) ,quickvault--issues ,(point))
    ,@(and (car buffer-undo-list) '(nil)) ,@buffer-undo-list))

(defun quickvault--form-draw-again (fields issues place)
  "Draw the form with FIELDS and ISSUES again, and go to PLACE."
  (quickvault--form-draw fields issues)
  (goto-char place)
  (run-hook-with-args 'after-change-functions (point) (point) 0))

(defun quickvault--form-act (action)
  "Return a function to call ACTION of a widget.
The widget keeps its value apart from its text, so that undo has to draw
both; by itself it clears the undo list."
  (lambda (&rest arguments)
    (let ((undo (quickvault--form-undo-list)))
      (let ((buffer-undo-list t))
        (apply action arguments))
      (setq buffer-undo-list undo)
      (undo-boundary))))

(defun quickvault--issues-of (field issues)
  "Return the ISSUES of FIELD."
  (let ((key (plist-get field :key)))
    (seq-filter (lambda (issue)
                  (let ((of (plist-get issue :field)))
                    (or (equal of key)
                        ;; All tags share one form field.
                        (and (equal key "tags") (string-prefix-p "tags[" of)))))
                issues)))

(defun quickvault--form-insert-rest (issues)
  "Insert the ISSUES that belong to no field of the form."
  (seq-doseq (issue issues)
    (unless (seq-some (lambda (field) (quickvault--issues-of field (list issue))) quickvault--fields)
      (widget-insert (quickvault--issue-text issue) "\n"))))

(defun quickvault--first-invalid-key (issues)
  "Return the key of the first field with one of ISSUES, or of the first field."
  (plist-get (or (seq-find (lambda (field) (quickvault--issues-of field issues)) quickvault--fields)
                 (seq-find (lambda (field) (plist-get field :key)) quickvault--fields))
             :key))

(defun quickvault--form-go (key)
  "Move point to the value of the field KEY."
  (let ((widget (cdr (assoc key quickvault--widgets))))
    (goto-char (cond ((null widget) (point-min))
                     ((widget-field-start widget))
                     (t (widget-get widget :from))))))

(defun quickvault--form-insert (field issues)
  "Insert FIELD with its ISSUES below it."
  (let* ((label (concat (plist-get field :label)
                        (and (plist-get field :required) (quickvault--text " (required)"))
                        (quickvault--text ":")))
         (help (string-join (cons label (mapcar (lambda (issue) (quickvault--localized (plist-get issue :messages)))
                                                issues))
                            " "))
         (widget
          (pcase (plist-get field :kind)
            ('heading (widget-insert "\n" (propertize (plist-get field :label) 'face 'quickvault-label) "\n") nil)
            ('button (quickvault--form-button (plist-get field :label) (plist-get field :action))
                     (widget-insert "\n")
                     nil)
            ('check (quickvault--form-check field help))
            (kind (widget-insert (propertize label 'face 'quickvault-label)
                                 (if (memq kind '(text choice)) "\n" " "))
                  (quickvault--form-widget field help)))))
    (when widget
      (push (cons (plist-get field :key) widget) quickvault--widgets))
    (dolist (issue issues)
      (widget-insert (quickvault--issue-text issue) "\n"))))

(defun quickvault--form-widget (field help)
  "Create a widget to edit FIELD, with help text HELP."
  (let ((value (plist-get field :value)))
    (pcase (plist-get field :kind)
      ('choice (apply #'widget-create 'radio-button-choice :value value :indent 2 :help-echo help
                      :button-args (list :action (quickvault--form-act #'widget-toggle-action))
                      :notify (lambda (&rest _) (quickvault--form-chosen field))
                      (mapcar (lambda (choice) `(item :format "%t\n" :tag ,(car choice) :value ,(cdr choice)))
                              (plist-get field :choices))))
      ('text (widget-create 'text :format "%v" :value value :help-echo help
                            :keymap quickvault-form-text-map))
      ;; No :size, which would strip spaces at the end of a value as padding.
      (kind (widget-create 'editable-field :format "%v" :value value :help-echo help
                           :keymap (if (eq kind 'concealed) quickvault-form-concealed-map quickvault-form-line-map)
                           :completions-function (or (plist-get field :completions) #'widget-default-completions)
                           :quickvault-concealed (eq kind 'concealed))))))

(defun quickvault--form-check (field help)
  "Insert the checkbox FIELD with help text HELP, and return its widget."
  (prog1 (widget-create 'checkbox :value (plist-get field :value) :help-echo help
                        :action (quickvault--form-act #'widget-checkbox-action)
                        :notify (lambda (&rest _) (quickvault--form-chosen field)))
    (widget-insert " " (plist-get field :label) "\n")))

(defun quickvault--form-chosen (field)
  "React to another value of FIELD, a choice or check.
Widgets draw it without running `after-change-functions'."
  (run-hook-with-args 'after-change-functions (point) (point) 0)
  (funcall (or (plist-get field :action) #'ignore)))

(defun quickvault--form-button (label action)
  "Insert a button LABEL for the function ACTION."
  (widget-create 'push-button :notify (lambda (&rest _) (funcall action)) :help-echo label label))

(defun quickvault--mark-change (begin end _length)
  "Mark the input from BEGIN to END as contents of the vault."
  (with-silent-modifications
    (put-text-property begin end 'quickvault-contents quickvault--vault-text-mark)))

;;; Activity

(defvar quickvault--activity-reported 0
  "Time of the last activity report, in seconds since the epoch.")

(defun quickvault--report-activity (&rest _)
  "Keep the vault from locking while the user types.
Only requests count as activity, so send one every few seconds."
  (when (and quickvault--unlocked
             (quickvault--running-p)
             (> (abs (- (float-time) quickvault--activity-reported)) 5))
    (setq quickvault--activity-reported (float-time))
    (ignore-errors
      (quickvault--request-later 'template/list (make-hash-table) #'ignore #'ignore))))

;;; Values

(defun quickvault--form-values ()
  "Return an alist of the form's keys and values."
  (save-restriction
    (widen)
    (mapcar (lambda (entry)
              (let ((value (widget-value (cdr entry))))
                (cons (car entry) (if (stringp value) (substring-no-properties value) value))))
            (reverse quickvault--widgets))))

(defun quickvault--form-current-fields (&optional values)
  "Return the form's fields with VALUES, or else with their current values."
  (let ((values (or values (quickvault--form-values))))
    (mapcar (lambda (field)
              (let ((entry (assoc (plist-get field :key) values)))
                (if entry (plist-put (copy-sequence field) :value (cdr entry)) field)))
            quickvault--fields)))

(defun quickvault-form-save ()
  "Save the form."
  (interactive nil quickvault-form-mode)
  (quickvault--check-mode 'quickvault-form-mode)
  (funcall quickvault--save (quickvault--form-values)))

(defun quickvault--form-show-issues (issues)
  "Show ISSUES below their fields and keep the input."
  (quickvault--form-draw (quickvault--form-current-fields) issues)
  (quickvault--notify (quickvault--text "! Not saved.  Problems: %d" (length issues))))

;;; Leaving

(defun quickvault--form-changed-p ()
  "Return non-nil if the form has unsaved input."
  (and (derived-mode-p 'quickvault-form-mode)
       (not (equal quickvault--initial-values (quickvault--form-values)))))

(defun quickvault--form-kill-p ()
  "Return non-nil if the form may be killed; ask if it has unsaved input."
  (when (or (not (quickvault--form-changed-p))
            (quickvault--confirm "Discard your unsaved changes?"))
    (quickvault--discard-draft)
    t))

(defun quickvault--forms-kill-p ()
  "Return non-nil if all forms may be killed; ask if one has unsaved input."
  (or (not (quickvault--unsaved-input-p))
      (and (quickvault--confirm "Discard your unsaved changes?")
           (progn
             (dolist (buffer (quickvault--protected-buffers))
               (with-current-buffer buffer
                 (when (derived-mode-p 'quickvault-form-mode)
                   (quickvault--discard-draft)
                   (setq quickvault--discarded-values (quickvault--form-values)))))
             t))))

(defun quickvault-form-cancel ()
  "Close the form without saving."
  (interactive nil quickvault-form-mode)
  (quickvault--check-mode 'quickvault-form-mode)
  (when (quickvault--form-kill-p)
    (quickvault--discard (current-buffer))))

(provide 'quickvault-form)
;;; quickvault-form.el ends here
