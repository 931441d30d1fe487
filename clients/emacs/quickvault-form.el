;;; quickvault-form.el --- Forms whose fields say what is wrong with them  -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The QuickVault authors

;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; A form is a list of fields, each a plist:
;;   :key      the name of its value, and of what the vault finds wrong with it
;;   :kind     line, text, concealed, choice or check; heading and button have no value
;;   :label    its name for a person
;;   :value    what it holds
;;   :required whether it must not be empty
;;   :choices  an alist of names and values, for a choice
;;   :action   what a button does, or what follows when a choice or check changes
;; It is drawn anew whenever its fields change or issues have come.

;;; Code:

(require 'wid-edit)
(require 'quickvault-card)

(declare-function quickvault "quickvault")

(defvar-local quickvault--fields nil
  "The fields of the form.")

(defvar-local quickvault--widgets nil
  "An alist of keys and widgets.")

(defvar-local quickvault--heading nil
  "What stands at the top of the form.")

(defvar-local quickvault--untouched nil
  "The values that the form began with.")

(defvar-local quickvault--save nil
  "A function of the form's values that saves them.")

(defun quickvault--form-keys (parent)
  "A keymap with the keys of a form, and those of PARENT."
  (let ((map (make-sparse-keymap)))
    (set-keymap-parent map parent)
    (define-key map (kbd "C-c C-c") #'quickvault-form-save)
    (define-key map (kbd "C-c C-k") #'quickvault-form-cancel)
    (define-key map [remap save-buffer] #'quickvault-form-save)
    map))

(defvar quickvault-form-mode-map (quickvault--form-keys widget-keymap)
  "Keys of a form.")

(defvar quickvault-form-line-map (quickvault--form-keys widget-field-keymap)
  "Keys in a field of one line.")

(defvar quickvault-form-text-map (quickvault--form-keys widget-text-keymap)
  "Keys in a field of several lines.")

(define-derived-mode quickvault-form-mode nil "QuickVault form"
  "Mode of a form.
\\{quickvault-form-mode-map}"
  (add-hook 'kill-buffer-query-functions #'quickvault--form-kill-p nil t)
  (add-hook 'kill-emacs-query-functions #'quickvault--forms-kill-p)
  (add-hook 'after-change-functions #'quickvault--conceal-change nil t)
  (add-hook 'after-change-functions #'quickvault--stay-awake nil t))

(defun quickvault--form (name heading fields save)
  "Show a form in a new buffer NAME, with HEADING and FIELDS; call SAVE to save."
  (pop-to-buffer-same-window (generate-new-buffer name))
  (quickvault-form-mode)
  (quickvault--guard #'quickvault)
  (setq quickvault--heading heading
        quickvault--save save
        quickvault--unsaved-p #'quickvault--form-changed-p)
  (quickvault--form-draw fields)
  (setq quickvault--untouched (quickvault--form-values)))

;;; Drawing

(defun quickvault--form-draw (fields &optional issues key)
  "Draw FIELDS anew, with ISSUES beside them, and go to KEY or the first issue."
  (let ((inhibit-read-only t)
        (inhibit-modification-hooks t))
    (quickvault--erase)
    (setq quickvault--fields fields
          quickvault--widgets nil
          widget-field-new nil
          widget-field-list nil)
    (widget-insert quickvault--heading "\n"
                   (if (> (length issues) 0)
                       (quickvault--text "! Not saved.  To mend: %d" (length issues))
                     (quickvault--text "C-c C-c saves, C-c C-k cancels, TAB goes on."))
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
    (quickvault--form-conceal))
  (buffer-enable-undo)
  (set-buffer-modified-p nil)
  (quickvault--form-go (or key (quickvault--first-faulty issues))))

(defun quickvault--issues-of (field issues)
  "Those of ISSUES that are about FIELD."
  (let ((key (plist-get field :key)))
    (seq-filter (lambda (issue)
                  (let ((of (plist-get issue :field)))
                    (or (equal of key)
                        ;; One of several tags, which have one field together.
                        (and (equal key "tags") (string-prefix-p "tags[" of)))))
                issues)))

(defun quickvault--form-insert-rest (issues)
  "Insert those of ISSUES that belong to no field of the form."
  (seq-doseq (issue issues)
    (unless (seq-some (lambda (field) (quickvault--issues-of field (list issue))) quickvault--fields)
      (widget-insert (quickvault--issue-text issue) "\n"))))

(defun quickvault--first-faulty (issues)
  "The key of the first field with one of ISSUES, or of the first field."
  (plist-get (or (seq-find (lambda (field) (quickvault--issues-of field issues)) quickvault--fields)
                 (seq-find (lambda (field) (plist-get field :key)) quickvault--fields))
             :key))

(defun quickvault--form-go (key)
  "Put point where the value of KEY begins."
  (let ((widget (cdr (assoc key quickvault--widgets))))
    (goto-char (cond ((null widget) (point-min))
                     ((widget-field-start widget))
                     (t (widget-get widget :from))))))

(defun quickvault--form-insert (field issues)
  "Insert FIELD with its ISSUES below."
  (let* ((label (concat (plist-get field :label)
                        (and (plist-get field :required) (quickvault--text " (required)"))
                        ":"))
         (help (string-join (cons label (mapcar (lambda (issue) (quickvault--own-language (plist-get issue :messages)))
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
  "Create the widget that edits FIELD, described by HELP."
  (let ((value (plist-get field :value)))
    (pcase (plist-get field :kind)
      ('choice (apply #'widget-create 'radio-button-choice :value value :indent 2 :help-echo help
                      :notify (lambda (&rest _) (funcall (or (plist-get field :action) #'ignore)))
                      (mapcar (lambda (choice) `(item :format "%t\n" :tag ,(car choice) :value ,(cdr choice)))
                              (plist-get field :choices))))
      ('text (widget-create 'text :format "%v" :value value :help-echo help
                            :keymap quickvault-form-text-map))
      ;; Without a size, which would take the spaces at a value's end for padding.
      (kind (widget-create 'editable-field :format "%v" :value value :help-echo help
                           :keymap quickvault-form-line-map
                           :quickvault-concealed (eq kind 'concealed))))))

(defun quickvault--form-check (field help)
  "Insert the check FIELD, described by HELP, and return its widget."
  (prog1 (widget-create 'checkbox :value (plist-get field :value) :help-echo help
                        :notify (lambda (&rest _) (funcall (or (plist-get field :action) #'ignore))))
    (widget-insert " " (plist-get field :label) "\n")))

(defun quickvault--form-button (label action)
  "Insert a button LABEL that does ACTION."
  (widget-create 'push-button :notify (lambda (&rest _) (funcall action)) :help-echo label label))

;;; Concealing
;; The `:secret' of wid-edit.el replaces characters by one of as many bytes, so it
;; cannot do so with Chinese; a display property can.

(defun quickvault--conceal-change (begin end _length)
  "Conceal what was typed from BEGIN to END, in a field whose value is."
  (let ((field (widget-field-at begin)))
    (when (and field (widget-get field :quickvault-concealed))
      (quickvault--conceal begin (min end (widget-field-text-end field))))))

(defun quickvault--conceal (begin end)
  "Show a dot for each character from BEGIN to END."
  (with-silent-modifications
    (while (< begin end)
      ;; Each its own string, or they would be shown as one.
      (put-text-property begin (1+ begin) 'display (string ?•))
      (setq begin (1+ begin)))))

(defun quickvault--form-conceal ()
  "Conceal the values of the fields that ask for it."
  (pcase-dolist (`(,_ . ,widget) quickvault--widgets)
    (when (widget-get widget :quickvault-concealed)
      (quickvault--conceal (widget-field-start widget) (widget-field-text-end widget)))))

;;; Staying awake

(defvar quickvault--told-of-typing 0
  "When the program was told last that somebody types, in seconds.")

(defun quickvault--stay-awake (&rest _)
  "Keep the vault from locking while somebody types.
The program sees requests only, and one every few seconds does."
  (when (and quickvault--unlocked
             (quickvault--running-p)
             (> (abs (- (float-time) quickvault--told-of-typing)) 5))
    (setq quickvault--told-of-typing (float-time))
    (ignore-errors
      (quickvault--request-later 'template/list (make-hash-table) #'ignore #'ignore))))

;;; Values

(defun quickvault--form-values ()
  "An alist of the form's keys and values."
  (mapcar (lambda (entry)
            (let ((value (widget-value (cdr entry))))
              (cons (car entry) (if (stringp value) (substring-no-properties value) value))))
          (reverse quickvault--widgets)))

(defun quickvault--form-filled ()
  "The form's fields with what they hold now."
  (let ((values (quickvault--form-values)))
    (mapcar (lambda (field)
              (let ((entry (assoc (plist-get field :key) values)))
                (if entry (plist-put (copy-sequence field) :value (cdr entry)) field)))
            quickvault--fields)))

(defun quickvault-form-save ()
  "Save the form."
  (interactive)
  (funcall quickvault--save (quickvault--form-values)))

(defun quickvault--form-refuse (issues)
  "Show ISSUES at their fields; what was typed stays."
  (quickvault--form-draw (quickvault--form-filled) issues)
  (quickvault--notice (quickvault--text "! Not saved.  To mend: %d" (length issues))))

;;; Leaving

(defun quickvault--form-changed-p ()
  "Whether something was typed into the form that is not saved."
  (and (derived-mode-p 'quickvault-form-mode)
       (not (equal quickvault--untouched (quickvault--form-values)))))

(defun quickvault--form-kill-p ()
  "Whether the form may be killed."
  (or (not (quickvault--form-changed-p))
      (quickvault--confirm "Discard what you typed?")))

(defun quickvault--forms-kill-p ()
  "Whether what is in forms may go."
  (or (not (quickvault--unsaved-in-p))
      (quickvault--confirm "Discard what you typed?")))

(defun quickvault-form-cancel ()
  "Leave the form without saving."
  (interactive)
  (when (quickvault--form-kill-p)
    (quickvault--discard (current-buffer))))

(provide 'quickvault-form)
;;; quickvault-form.el ends here
