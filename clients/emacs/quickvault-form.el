;;; quickvault-form.el --- The form of a card, a text  -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The QuickVault authors

;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; The program writes a card as text, and reads what the user made of it.  This mode knows
;; of it where fields are: lines that begin with a label and a colon, with indented lines
;; below.  A `*' before the label conceals the value.  What follows the heading of the text
;; of a text card is only text.

;;; Code:

(require 'quickvault-card)

(declare-function quickvault--all-tags "quickvault-actions")
(declare-function quickvault--tag-table "quickvault-actions")
(declare-function quickvault--form-kill-p "quickvault-drafts")
(declare-function quickvault--forms-kill-p "quickvault-drafts")
(declare-function quickvault-form-save "quickvault-edit")

(defvar-local quickvault--draft-form nil
  "The parameters that name this form, its card and its draft.")

(defvar-local quickvault--saved-text nil
  "The text of this form without unsaved input, or nil if it never had one.")

(defconst quickvault--form-label
  (rx line-start (group (? "*"))
      (group (or (seq ?\" (* (or (not (any ?\" ?\\ ?\n)) (seq ?\\ nonl))) ?\")
                 (seq (not (any " \t\n#*:：\"")) (* (not (any "\n:："))))))
      (any ":：") (? " "))
  "Regular expression for the label of a field.
Its groups are the mark of a concealed value, and the label.")

(defconst quickvault--form-text-heading "^--- \\(?:Text\\|正文\\) ---[ \t]*\n"
  "Regular expression for the heading of the text of a text card.")

(defconst quickvault--form-mask "••••"
  "What stands for a stored value that is concealed.")

(defvar quickvault-form-mode-map
  (let ((map (make-sparse-keymap)))
    (pcase-dolist (`(,key . ,command) '(("C-c C-c" . quickvault-form-save) ("C-c C-k" . quickvault-form-cancel)
                                        ("C-c C-v" . quickvault-form-reveal)
                                        ("C-c C-p" . quickvault-form-generate) ("TAB" . quickvault-form-next)
                                        ("<backtab>" . quickvault-form-previous)))
      (define-key map (kbd key) command))
    (define-key map [remap save-buffer] #'quickvault-form-save)
    ;; Nobody would see what Emacs adds to what is typed in a concealed value.
    (define-key map [remap self-insert-command]
                `(menu-item "" quickvault--insert-as-typed :filter
                            ,(lambda (command) (and (quickvault--form-concealed-p) command))))
    map)
  "Keymap of `quickvault-form-mode'.")

(define-derived-mode quickvault-form-mode nil "QuickVault form"
  "Major mode for the form of a card.
\\{quickvault-form-mode-map}"
  :interactive nil
  ;; It would break a line that must be one.
  (auto-fill-mode -1)
  (setq-local font-lock-defaults `((,@(mapcar (pcase-lambda (`(,regexp . ,faces))
                                                (cons (quickvault--form-matcher regexp) faces))
                                              `((,quickvault--form-label (1 'warning) (2 'quickvault-label))
                                                ("^--- .* ---$" (0 'bold))
                                                ("^#.*" (0 'font-lock-comment-face))))
                                    ;; Separate strings, because runs of the same object are displayed once.
                                    (quickvault--match-concealed (0 (list 'face nil 'display (string ?•)))))
                                   t)
              font-lock-extra-managed-props '(display)
              ;; A mark before a label conceals the lines below.
              jit-lock-contextually t
              comment-start "# "
              next-error-function #'quickvault--form-next-issue)
  (font-lock-mode)
  (add-hook 'completion-at-point-functions #'quickvault--form-completions nil t)
  (add-hook 'kill-buffer-query-functions #'quickvault--form-kill-p nil t)
  (add-hook 'kill-emacs-query-functions #'quickvault--forms-kill-p)
  (add-hook 'after-change-functions #'quickvault--mark-change nil t)
  (add-function :filter-return (local 'filter-buffer-substring-function) #'quickvault--reveal-text))

;; A copy would be another form of the same draft.
(put 'quickvault-form-mode 'no-clone t)

(defun quickvault--mark-change (begin end _length)
  "Mark the input from BEGIN to END as contents of the vault."
  (with-silent-modifications
    (put-text-property begin end 'quickvault-contents quickvault--vault-text-mark)))

(defun quickvault--form-text ()
  "Return the text of this form."
  (save-restriction
    (widen)
    (buffer-substring-no-properties (point-min) (point-max))))

(defun quickvault--form-changed-p ()
  "Return non-nil if this form has unsaved input."
  (and (derived-mode-p 'quickvault-form-mode)
       (not (equal quickvault--saved-text (quickvault--form-text)))))

(defun quickvault-form-cancel ()
  "Close the form without saving."
  (interactive nil quickvault-form-mode)
  (quickvault--check-mode 'quickvault-form-mode)
  (when (quickvault--form-kill-p)
    (quickvault--discard (current-buffer))))

;;; Fields

(defun quickvault--form-end ()
  "Return where the fields end: before the text of a text card."
  (save-excursion
    (goto-char (point-min))
    (or (and (equal "text" (plist-get quickvault--draft-form :type))
             (re-search-forward quickvault--form-text-heading nil t))
        (point-max))))

(defun quickvault--form-field ()
  "Return the field at point, a plist, or nil.
It has the :place of its label, its :label, whether it is :concealed, and
the :start and :end of its value."
  (save-excursion
    (let ((here (point)) field)
      (beginning-of-line)
      (while (and (looking-at "[ \t]\\|$") (not (bobp))) (forward-line -1))
      (when (and (< here (quickvault--form-end)) (looking-at quickvault--form-label))
        (setq field (list :place (point) :label (match-string-no-properties 2)
                          :concealed (< (match-beginning 1) (match-end 1))
                          :start (match-end 0)))
        (goto-char (match-end 0))
        (end-of-line)
        (while (looking-at "\n\\(?:[ \t]*\n\\)*[ \t]+[^ \t\n].*") (goto-char (match-end 0)))
        (and (<= here (point)) (append field (list :end (point))))))))

(defun quickvault--form-stops ()
  "Return the places of values, of the line for a new field, and of the text."
  (let ((end (quickvault--form-end)) stops)
    (save-excursion
      (goto-char (point-min))
      (while (re-search-forward quickvault--form-label end t)
        (push (if (looking-at "[ \t]*\n[ \t]+[^ \t\n]") (1- (match-end 0)) (point)) stops))
      (goto-char end)
      (when (< end (point-max)) (push end stops))
      (when (looking-back quickvault--form-text-heading (line-beginning-position 0)) (forward-line -1))
      (skip-chars-backward "\n")
      (forward-line 1)
      (when (and (bolp) (eolp)) (push (point) stops)))
    (sort (delete-dups stops) #'<)))

(defun quickvault-form-next (&optional back)
  "Move to the next field, from the last to the first; BACK is the other way."
  (interactive nil quickvault-form-mode)
  (quickvault--check-mode 'quickvault-form-mode)
  (let ((stops (quickvault--form-stops)))
    (when back (setq stops (nreverse stops)))
    (goto-char (or (seq-find (lambda (place) (if back (< place (point)) (> place (point)))) stops)
                   (car stops) (point-min)))))

(defun quickvault-form-previous ()
  "Move to the previous field, from the first to the last."
  (interactive nil quickvault-form-mode)
  (quickvault-form-next t))

(defun quickvault--form-matcher (regexp)
  "Return a function to find REGEXP among the fields, for `font-lock-keywords'."
  (lambda (limit)
    (let ((end (min limit (quickvault--form-end))))
      (and (< (point) end) (re-search-forward regexp end t)))))

;;; Concealed values

(defun quickvault--form-concealed-p ()
  "Return non-nil if point is in a concealed value that is drawn as dots."
  (let ((field (quickvault--form-field)))
    (and (plist-get field :concealed)
         (>= (point) (plist-get field :start))
         (not (get-text-property (plist-get field :place) 'quickvault-revealed)))))

(defun quickvault--match-concealed (limit)
  "Find the next character before LIMIT that is drawn as a dot."
  (let (found)
    (while (and (not found) (< (point) limit))
      (cond ((bolp) (if (or (looking-at "[ \t]+")
                            (and (eq ?* (char-after)) (looking-at quickvault--form-label)))
                        (goto-char (match-end 0))
                      (forward-line 1)))
            ((eolp) (forward-line 1))
            ((not (quickvault--form-concealed-p)) (forward-line 1))
            (t (looking-at ".") (forward-char 1) (setq found t))))
    found))

(defun quickvault--reveal-text (text)
  "Return TEXT, to be killed, without the dots that conceal it."
  ;; The undo list has TEXT itself.
  (let ((text (copy-sequence text)))
    (remove-list-of-text-properties 0 (length text) '(display) text)
    text))

(defun quickvault--insert-as-typed (count)
  "Insert the typed character COUNT times, with no pair to it and no abbreviation."
  (interactive "p")
  (let (post-self-insert-hook abbrev-mode)
    (self-insert-command count)))

(put 'quickvault--insert-as-typed 'delete-selection t)

(defun quickvault-form-reveal ()
  "Show the concealed value at point, or hide it again."
  (interactive nil quickvault-form-mode)
  (quickvault--check-mode 'quickvault-form-mode)
  (let* ((field (quickvault--form-field))
         (place (if (plist-get field :concealed) (plist-get field :place)
                  (user-error "%s" (quickvault--text "There is no concealed value here"))))
         (is-changed (quickvault--form-changed-p))
         (value (buffer-substring-no-properties (plist-get field :start) (plist-get field :end)))
         (shown (get-text-property place 'quickvault-revealed))
         (new (cond ((and shown (equal value shown)) quickvault--form-mask)
                    ((and (not shown) (equal value quickvault--form-mask))
                     (quickvault--form-stored-value (plist-get field :label))))))
    (when new
      (goto-char (plist-get field :start))
      (delete-region (point) (plist-get field :end))
      (save-excursion (insert new)))
    (with-silent-modifications
      (put-text-property place (1+ place) 'quickvault-revealed (and (not shown) (or new t))))
    (unless is-changed (setq quickvault--saved-text (quickvault--form-text)))
    (font-lock-flush)))

(defun quickvault-form-generate (length)
  "Put a random password in place of the concealed value at point.
Without a concealed value there, insert it.  It has LENGTH characters,
the prefix argument; the default is 20."
  (interactive "P" quickvault-form-mode)
  (quickvault--check-mode 'quickvault-form-mode)
  (let* ((answer (quickvault--request 'password/generate (and length (list :length (prefix-numeric-value length)))))
         (field (quickvault--form-field)))
    (when answer
      (when (plist-get field :concealed)
        (goto-char (plist-get field :start))
        (delete-region (point) (plist-get field :end)))
      (insert (plist-get answer :password))
      (quickvault--notify (quickvault--text "Generated a password of %s bits." (plist-get answer :bits))))))

(defun quickvault--form-stored-value (label)
  "Return the stored value of the concealed field LABEL as text."
  (let* ((form quickvault--draft-form)
         (name (if (string-prefix-p "\"" label) (json-parse-string label) label))
         (answer (quickvault--request 'form/open (list :client "emacs" :card (plist-get form :card) :reveal (vector name)))))
    (with-temp-buffer
      (setq quickvault--draft-form form)
      (insert (plist-get answer :text))
      (goto-char (point-min))
      (let ((field (and (re-search-forward (concat "^\\*" (regexp-quote label) "[:：]") nil t)
                        (quickvault--form-field))))
        (unless field (user-error "%s" (quickvault--text "There is no concealed value here")))
        (prog1 (buffer-substring-no-properties (plist-get field :start) (plist-get field :end))
          (quickvault--erase))))))

;;; Completing

(defun quickvault--form-completions ()
  "Return the completion data of the tag, group or label at point."
  (let* ((field (quickvault--form-field))
         (start (plist-get field :start))
         (is-value (and field (>= (point) start)))
         (label (downcase (or (plist-get field :label) ""))))
    (cond ((and is-value (member label '("tags" "标签")))
           (list start (point) (quickvault--tag-table (quickvault--all-tags))))
          ((and is-value (member label '("group" "分组")))
           (quickvault--form-choice-completions start (plist-get field :end) '("personal" "company")))
          ((and is-value (member label '("type" "类型")))
           (quickvault--form-choice-completions start (plist-get field :end) '("invoice" "title")))
          ((and (not field) (< (line-beginning-position) (point)) (< (point) (quickvault--form-end)))
           (list (save-excursion (beginning-of-line) (skip-chars-forward "*") (point)) (point)
                 (mapcar #'quickvault--as-contents (quickvault--form-labels))
                 :exit-function (lambda (_ status) (when (eq status 'finished) (insert ": "))))))))

(defun quickvault--form-choice-completions (start end names)
  "Return the completion data of a group or type from START to END.
It is one of two NAMES.  If one of them is there already, it is replaced
by the other one."
  (let* ((groups (mapcar #'quickvault--display-name names))
         (group (buffer-substring-no-properties start end)))
    (if (member group groups)
        (lambda ()
          (delete-region start end)
          (goto-char start)
          (insert (car (remove group groups)))
          t)
      (list start end groups))))

(defun quickvault--form-labels ()
  "Return the labels of this type of card that the form does not have."
  (let ((type (plist-get quickvault--draft-form :type)))
    (seq-remove
     (lambda (label) (save-excursion (goto-char (point-min)) (re-search-forward (concat "^" (regexp-quote label) "[:：]") nil t)))
     (append (mapcar #'quickvault--text '("Title" "Group" "Tags"))
             (mapcar (lambda (field) (quickvault--localized (plist-get field :label)))
                     (plist-get (seq-find (lambda (template) (equal type (plist-get template :type)))
                                          (plist-get (quickvault--request 'template/list) :templates))
                                :fields))))))

;;; Issues

(defun quickvault--form-set-heading (remark)
  "Show the type of the card and REMARK above the form."
  (setq header-line-format
        (concat (quickvault--text (if (plist-get quickvault--draft-form :card) "Edit: %s" "New card: %s")
                                  (quickvault--display-name (plist-get quickvault--draft-form :type)))
                "  " remark)))

(defun quickvault--form-show-issues (issues)
  "Show each of ISSUES below its line, and go to the first one."
  (remove-overlays nil nil 'quickvault-issue t)
  (quickvault--form-set-heading (quickvault--text "! Not saved.  Problems: %d" (length issues)))
  (save-restriction
    (widen)
    (seq-doseq (issue issues)
      (goto-char (point-min))
      (forward-line (1- (or (plist-get issue :line) 1)))
      (let* ((text (quickvault--issue-text issue))
             (overlay (make-overlay (point) (line-beginning-position 2))))
        (overlay-put overlay 'quickvault-issue t)
        (overlay-put overlay 'help-echo (substring-no-properties text))
        (if (plist-get issue :line)
            (overlay-put overlay 'after-string (concat (if (eq ?\n (char-before (overlay-end overlay))) "" "\n") text "\n"))
          (overlay-put overlay 'before-string (concat text "\n"))))))
  (setq next-error-last-buffer (current-buffer))
  (quickvault--form-next-issue 1 t))

(defun quickvault--form-next-issue (count &optional reset)
  "Go to the issue COUNT places from this one, or from the beginning if RESET."
  (let* ((here (if reset -1 (line-beginning-position)))
         (places (sort (delete-dups (cl-loop for overlay in (overlays-in (point-min) (point-max))
                                             when (overlay-get overlay 'quickvault-issue)
                                             collect (overlay-start overlay)))
                       #'<))
         (place (if (< count 0)
                    (nth (- -1 count) (reverse (seq-filter (lambda (place) (< place here)) places)))
                  (nth (max 0 (1- count)) (seq-filter (lambda (place) (if (= count 0) (>= place here) (> place here)))
                                                      places)))))
    (goto-char (or place (user-error "%s" (quickvault--text "There is no other problem"))))
    (when (looking-at quickvault--form-label) (goto-char (match-end 0)))))

(provide 'quickvault-form)
;;; quickvault-form.el ends here
