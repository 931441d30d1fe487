;;; quickvault-form.el --- The form of a card, a text  -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The QuickVault authors

;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; The program writes a card as text, and reads what the user made of it: it says in which
;; lines something is wrong.  This mode knows of it where fields are: lines that begin with
;; a label and a colon, with indented lines below.  A `*' before the label conceals the
;; value.  What follows the heading of the text of a text card is only text.
;;
;; The text is sent to the program while the user types, when Emacs loses the focus, and
;; before Emacs locks the vault or goes to the background.  The program keeps it encrypted
;; in the vault until the form is saved or discarded.  A form that a lock has blanked is
;; restored with its text; drafts of other forms are offered.  Each form has a name of its
;; own, so that the draft of another Emacs stays as it is.

;;; Code:

(require 'diff-mode)
(require 'quickvault-actions)

(declare-function quickvault "quickvault")

(defvar quickvault-draft-delay 0.5
  "Seconds after a change until the text of a form is sent.")

(defvar-local quickvault--draft-timer nil
  "Timer that sends the text of this form, or nil.")

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
  (quickvault--keymap
   nil
   "C-c C-c" #'quickvault-form-save "C-c C-k" #'quickvault-form-cancel "C-c C-v" #'quickvault-form-reveal
   "C-c C-p" #'quickvault-form-generate "TAB" #'quickvault-form-next "<backtab>" #'quickvault-form-previous
   "<remap> <save-buffer>" #'quickvault-form-save
   ;; Nobody would see what Emacs adds to what is typed in a concealed value.
   "<remap> <self-insert-command>"
   `(menu-item "" quickvault--insert-as-typed
               :filter ,(lambda (command) (and (quickvault--form-concealed-p) command))))
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
  (add-hook 'kill-emacs-hook #'quickvault--put-drafts)
  (add-hook 'after-change-functions #'quickvault--mark-change nil t)
  (add-function :filter-return (local 'filter-buffer-substring-function) #'quickvault--reveal-text))

;; A copy would be another form of the same draft.
(put 'quickvault-form-mode 'no-clone t)

(defun quickvault--mark-change (begin end _length)
  "Mark the input from BEGIN to END as contents of the vault, and send it soon."
  (with-silent-modifications
    (put-text-property begin end 'quickvault-contents quickvault--vault-text-mark))
  (unless quickvault--draft-timer
    (setq quickvault--draft-timer (run-at-time quickvault-draft-delay nil #'quickvault--put-draft (current-buffer)))))

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
  (interactive (quickvault--check-mode 'quickvault-form-mode) quickvault-form-mode)
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
  (interactive (quickvault--check-mode 'quickvault-form-mode) quickvault-form-mode)
  (let ((stops (quickvault--form-stops)))
    (when back (setq stops (nreverse stops)))
    (goto-char (or (seq-find (lambda (place) (if back (< place (point)) (> place (point)))) stops)
                   (car stops) (point-min)))))

(defun quickvault-form-previous ()
  "Move to the previous field, from the first to the last."
  (interactive (quickvault--check-mode 'quickvault-form-mode) quickvault-form-mode)
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
  (interactive (quickvault--check-mode 'quickvault-form-mode) quickvault-form-mode)
  (let* ((field (quickvault--form-field))
         (place (if (plist-get field :concealed) (plist-get field :place)
                  (quickvault--fail "There is no concealed value here")))
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
        (unless field (quickvault--fail "There is no concealed value here"))
        (prog1 (buffer-substring-no-properties (plist-get field :start) (plist-get field :end))
          (quickvault--erase))))))

;;; Completing

(defun quickvault--form-completions ()
  "Return the completion data of the tag, group, type or label at point."
  (let* ((field (quickvault--form-field))
         (start (plist-get field :start))
         (choices (and field (>= (point) start)
                       (pcase (downcase (plist-get field :label))
                         ((or "tags" "标签") 'tags)
                         ((or "group" "分组") '("personal" "company"))
                         ((or "type" "类型") '("invoice" "title"))))))
    (cond ((eq choices 'tags)
           (list (save-excursion (skip-chars-backward "^,，、" start) (skip-chars-forward " \t　") (point)) (point)
                 (mapcar #'quickvault--quoted-tag (quickvault--all-tags))))
          (choices
           (quickvault--form-choice-completions start (plist-get field :end) (mapcar #'quickvault--display-name choices)))
          ((and (not field) (< (line-beginning-position) (point)) (< (point) (quickvault--form-end)))
           (list (save-excursion (beginning-of-line) (skip-chars-forward "*") (point)) (point)
                 (mapcar #'quickvault--as-contents (quickvault--form-labels))
                 :exit-function (lambda (_ status) (when (eq status 'finished) (insert ": "))))))))

(defun quickvault--form-choice-completions (start end names)
  "Return the completion data of a value from START to END, one of two NAMES.
If one of them is there already, it is replaced by the other one."
  (let ((other (remove (buffer-substring-no-properties start end) names)))
    (if (cdr other) (list start end names)
      (lambda ()
        (delete-region start end)
        (goto-char start)
        (insert (car other))
        t))))

(defun quickvault--form-labels ()
  "Return the labels of this type of card that the form does not have."
  (let ((template (seq-find (lambda (template) (equal (plist-get quickvault--draft-form :type) (plist-get template :type)))
                            (plist-get (quickvault--request 'template/list) :templates))))
    (seq-remove
     (lambda (label)
       (save-excursion (goto-char (point-min)) (re-search-forward (concat "^" (regexp-quote label) "[:：]") nil t)))
     (append (mapcar #'quickvault--text '("Title" "Group" "Tags"))
             (mapcar (lambda (field) (quickvault--localized (plist-get field :label))) (plist-get template :fields))))))

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
         (places (sort (delete-dups (mapcar #'overlay-start
                                            (seq-filter (lambda (overlay) (overlay-get overlay 'quickvault-issue))
                                                        (overlays-in (point-min) (point-max)))))
                       #'<))
         (ahead (seq-filter (lambda (place) (if (< count 0) (< place here) (> place here))) places)))
    (goto-char (or (if (= count 0) here (nth (1- (abs count)) (if (< count 0) (nreverse ahead) ahead)))
                   (quickvault--fail "There is no other problem")))
    (when (looking-at quickvault--form-label) (goto-char (match-end 0)))))

;;; Drafts

(defconst quickvault--emacs-name (format "%d-%x" (emacs-pid) (truncate (* 1000 (float-time))))
  "The name of the forms of this Emacs, which has at most one of each card.")

(defvar-local quickvault--draft-revision nil
  "The revision of the card that the text of this form was made from, or nil.")

(defvar-local quickvault--draft-text nil
  "The text of this form that was sent last, or nil.")

(defun quickvault--draft-name (draft)
  "Return the parameters that name DRAFT."
  (cl-loop for key in '(:client :type :card :form)
           when (plist-get draft key) append (list key (plist-get draft key))))

(defun quickvault--own-name (draft)
  "Return the parameters that name a form of this Emacs for the card of DRAFT."
  (quickvault--draft-name `(:form ,quickvault--emacs-name :client "emacs" ,@draft)))

(defun quickvault--elsewhere-p (draft)
  "Return non-nil if DRAFT is of a form in another Emacs, which has not ended."
  (let ((process (string-to-number (or (plist-get draft :form) ""))))
    (and (> process 0)
         (/= process (emacs-pid))
         (string-match-p "emacs" (or (alist-get 'comm (process-attributes process)) "")))))

(defun quickvault--put-draft (form &optional wait)
  "Send the unsaved input of the buffer FORM; if WAIT, wait for the response.
If its changes were undone, delete its draft."
  (when (buffer-live-p form)
    (with-current-buffer form
      (setq quickvault--draft-timer nil)
      (let* ((before quickvault--draft-text)
             (text (and (quickvault--form-changed-p) (quickvault--form-text)))
             (method (if text 'draft/put 'draft/discard))
             (params (append quickvault--draft-form
                             (and text quickvault--draft-revision (list :revision quickvault--draft-revision))
                             (and text (list :text text))))
             (fail (lambda (message)
                     (when (buffer-live-p form)
                       (with-current-buffer form (setq quickvault--draft-text before)))
                     (quickvault--message message))))
        (when (and quickvault--unlocked (quickvault--running-p) (not (equal text before)))
          (setq quickvault--draft-text text)
          (if (not wait) (quickvault--request-later method params #'ignore fail)
            (condition-case failure (quickvault--call method params 2)
              (jsonrpc-error (funcall fail (quickvault--error-text (cdr failure)))))))))))

(defun quickvault--put-drafts-later ()
  "Send the unsaved input of all forms, without waiting for the responses."
  (mapc #'quickvault--put-draft (quickvault--form-buffers)))

(defun quickvault--put-drafts ()
  "Send the unsaved input of all forms, and wait for the responses."
  (dolist (buffer (quickvault--form-buffers)) (quickvault--put-draft buffer t)))

(defun quickvault--form-buffers ()
  "Return the buffers of forms."
  (quickvault--buffers (lambda () (and quickvault--draft-form quickvault--protected))))

(defun quickvault--unkept-input-p ()
  "Return non-nil if a form has unsaved input that its draft does not have."
  (quickvault--buffers
   (lambda ()
     (and (quickvault--form-changed-p) (not (equal quickvault--draft-text (quickvault--form-text)))))))

(defun quickvault--discard-draft ()
  "Delete the draft of this form, if there is one, and send no other."
  (let ((kept quickvault--draft-text))
    (setq quickvault--draft-text (quickvault--form-text))
    (when (and kept quickvault--unlocked (quickvault--running-p))
      (ignore-errors (quickvault--call 'draft/discard quickvault--draft-form 2)))))

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
          (with-current-buffer buffer (quickvault--discard-draft))))))

;;; Continuing

(defun quickvault--drafts ()
  "Return the drafts of cards in Emacs, the newest first."
  (append (plist-get (quickvault--request 'draft/get '(:client "emacs")) :items) nil))

(defun quickvault--restore-form (form)
  "Restore this blanked buffer with the draft that FORM names."
  (let ((blank (current-buffer))
        draft)
    (quickvault--ensure-unlocked)
    (setq draft (seq-find (lambda (draft) (equal form (quickvault--draft-name draft))) (quickvault--drafts)))
    ;; A timer may have restored it while this waited.
    (when (buffer-live-p blank)
      (kill-buffer blank)
      (if draft (quickvault--continue-draft draft) (quickvault)))))

(defun quickvault--continue-draft (draft)
  "Show a form with the text of DRAFT, which gets the name of this form.
Another Emacs that has not ended keeps its own."
  (unless (quickvault--go-to-form draft)
    (quickvault--show-form (quickvault--own-name draft) (plist-get draft :revision) (plist-get draft :text))
    (if (equal quickvault--emacs-name (plist-get draft :form))
        (setq quickvault--draft-text (plist-get draft :text))
      (quickvault--put-drafts)
      (when (and quickvault--draft-text (not (quickvault--elsewhere-p draft)))
        (ignore-errors (quickvault--call 'draft/discard (quickvault--draft-name draft) 2))))))

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
  "Offer the newest of DRAFTS, but for those in other Emacsen.
Return non-nil if the user continues with it; else it stays."
  (when-let ((draft (seq-find (lambda (draft) (not (quickvault--elsewhere-p draft))) drafts)))
    (if (quickvault--confirm-unexpected "Continue with your unsaved input of %s?" (quickvault--time (plist-get draft :savedAt)))
        (progn (quickvault--continue-draft draft) t)
      (quickvault--message (quickvault--text "There is more unsaved input of this form: M-x quickvault-drafts"))
      nil)))

;;;###autoload
(defun quickvault-drafts ()
  "Continue a form whose input was not saved before the vault was locked.
Input in another Emacs is copied."
  (interactive)
  (quickvault--ensure-unlocked)
  (let ((drafts (quickvault--drafts)))
    (unless drafts (quickvault--fail "There is no unsaved input"))
    (quickvault--continue-draft
     (quickvault--complete (quickvault--text "Continue")
                           (mapcar (lambda (draft) (cons (quickvault--draft-title draft) draft)) drafts)))))

(defun quickvault--draft-title (draft)
  "Return a title for DRAFT."
  (let ((title (or (plist-get draft :title) "")))
    (concat (format "%s  %s  %s" (if (string-empty-p title) "-" (quickvault--short-line title))
                    (quickvault--display-name (plist-get draft :type)) (quickvault--time (plist-get draft :savedAt)))
            (and (quickvault--elsewhere-p draft) (quickvault--text "  (in another Emacs)")))))

(defun quickvault--drafts-remark ()
  "Return a remark that there is unsaved input, or nil.
Blanked forms in a window are restored anyway."
  (let ((forms (length (seq-filter (lambda (buffer) (string-match-p "QuickVault form" (buffer-name buffer)))
                                   (quickvault--blank-buffers)))))
    (when (> (length (seq-remove #'quickvault--elsewhere-p (quickvault--drafts))) forms)
      (quickvault--text "  Unsaved input is there: M-x quickvault-drafts"))))

;;; Editing

;;;###autoload
(defun quickvault-create (type)
  "Create a card of TYPE in a form."
  (interactive
   (progn (quickvault--ensure-unlocked)
          (list (quickvault--read-choice (quickvault--text "Create") quickvault--card-types))))
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
         (form (quickvault--own-name answer)))
    (unless (or (quickvault--go-to-form form)
                (and (not is-unsaved) (quickvault--offer-drafts (append (plist-get answer :drafts) nil))))
      (quickvault--show-form form (plist-get answer :revision) (plist-get answer :text) (not is-unsaved)))))

(defun quickvault--show-form (form revision text &optional is-saved)
  "Show the TEXT of a card of REVISION in a new form that FORM names.
Unless it IS-SAVED, it is unsaved input."
  (pop-to-buffer-same-window (generate-new-buffer "*QuickVault form*"))
  (quickvault-form-mode)
  (quickvault--protect-buffer nil)
  (setq quickvault--draft-form form
        quickvault--draft-revision revision
        quickvault--restore-function (apply-partially #'quickvault--restore-form form)
        quickvault--unsaved-function #'quickvault--form-changed-p
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
  (interactive (quickvault--check-mode 'quickvault-form-mode) quickvault-form-mode)
  (let ((form (current-buffer))
        (before quickvault--draft-revision))
    (when-let ((answer (quickvault--save-form form (list :revision before))))
      (unless (memq (plist-get (plist-get answer :card) :revision) (list 1 before))
        (push (list (quickvault--revert-request answer)) quickvault--changes))
      (quickvault--forget-stored)
      (when (buffer-live-p form)
        (quickvault--discard form))
      (pop-to-buffer-same-window
       (quickvault--page (plist-get answer :card) (plist-get answer :warnings)))
      (quickvault--list-refresh-later))))

(defun quickvault--save-form (form more)
  "Save the text of FORM, a buffer, with MORE parameters.
Return the answer, or nil if it was not saved."
  (with-current-buffer form
    ;; A draft that is sent later would stay.
    (quickvault--put-draft form)
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
    (when (seq-empty-p versions) (quickvault--fail "There are no earlier versions"))
    (quickvault--complete
     (quickvault--text "Version")
     (mapcar (lambda (version)
               (cons (format "%s  %s" (quickvault--time (plist-get version :modifiedAt))
                             (quickvault--one-line (plist-get (plist-get version :card) :title)))
                     (plist-get version :version)))
             versions))))

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
       (quickvault--revert-request
        (quickvault--request 'card/revert `(:id ,(plist-get card :id) :version ,version ,@(quickvault--revision card))))))))

(define-derived-mode quickvault-stored-mode special-mode "QuickVault stored card"
  "Major mode for the text of a card as it is stored."
  :interactive nil)

(defun quickvault--show-stored (text)
  "Show TEXT, of a stored card, in another window; mark lines that this form lacks."
  (let ((lines (split-string (quickvault--form-text) "\n")))
    (display-buffer (quickvault--with-page "*QuickVault stored card*" quickvault-stored-mode nil
                      (dolist (line (split-string text "\n"))
                        (insert (if (member line lines) line (propertize line 'face 'diff-added)) "\n")))
                    '(nil (inhibit-same-window . t)))))

(defun quickvault--forget-stored ()
  "Close the text of a stored card."
  (when-let ((buffer (get-buffer "*QuickVault stored card*"))) (quickvault--discard buffer)))

(provide 'quickvault-form)
;;; quickvault-form.el ends here
