;;; quickvault-search.el --- Search, filter, sort and mark cards  -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The QuickVault authors

;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; The list shows the results for the input in the minibuffer.  A search starts after a
;; short pause in typing; searches for earlier input are cancelled and their results
;; ignored.
;;
;; Cards are marked in the list as files are in Dired.  A command that can act on several
;; cards acts on the marked ones; if there are none, on the card at point.

;;; Code:

(require 'quickvault-list)

(defcustom quickvault-search-delay 0.15
  "Seconds of idle time before a search starts."
  :group 'quickvault
  :type 'number)

;;;###autoload
(defun quickvault-search (&optional query callback)
  "Search as you type; RET to keep the results, `C-g' to restore the list.
From Lisp, search for QUERY in the background, and call CALLBACK with a
list of at most 1000 cards that match, each a property list with
:id, :title, :group, :type and :tags.  Return the id of the request.  The
vault must be unlocked, as by `quickvault-with-unlocked'."
  (interactive)
  (if callback
      (quickvault--request-later 'card/search (list :query query :limit 1000)
                                 (lambda (page)
                                   (funcall callback (mapcar (lambda (item) (plist-get item :card))
                                                             (plist-get page :items))))
                                 #'quickvault--message)
    (quickvault--search-in-list)))

(defun quickvault--search-in-list ()
  "Search as the user types, and show the results in the list."
  (unless (derived-mode-p 'quickvault-list-mode)
    (pop-to-buffer-same-window (quickvault--list-buffer)))
  (let* ((buffer (current-buffer))
         (restore (quickvault--list-restorer))
         (marked (and quickvault--marked (copy-hash-table quickvault--marked)))
         (search (quickvault--search-as-typed buffer))
         changed done)
    (unwind-protect
        (let ((query (let ((quickvault--change-functions
                            (cons (lambda (_) (setq changed t)) quickvault--change-functions)))
                       (quickvault--without-history
                         (minibuffer-with-setup-hook
                             (lambda () (add-hook 'post-command-hook search nil t))
                           (read-from-minibuffer (quickvault--text "Search: ") quickvault--query nil nil t))))))
          (funcall search 'stop)
          (quickvault--check-mode 'quickvault-list-mode)
          (setq quickvault--query query
                ;; What was found for less of the query took marks away.
                quickvault--marked marked)
          (quickvault--list-refresh)
          (setq done t))
      (unless done
        (funcall search 'stop)
        (when (buffer-live-p buffer)
          (with-current-buffer buffer
            (when (derived-mode-p 'quickvault-list-mode)
              (funcall restore)
              (when changed (quickvault--list-refresh-later)))))))))

(defconst quickvault--list-variables
  '(quickvault--query quickvault--filter tabulated-list-sort-key tabulated-list-format quickvault--shown-columns
    quickvault--items quickvault--hits quickvault--cursor quickvault--shown quickvault--total quickvault--summary)
  "The variables that hold what a list shows.")

(defun quickvault--list-restorer ()
  "Return a function to show this list again as it is now, without a request."
  (let ((values (mapcar #'symbol-value quickvault--list-variables))
        (marked (and quickvault--marked (copy-hash-table quickvault--marked)))
        (places (quickvault--places))
        (rows (buffer-string)))
    (lambda ()
      (let ((inhibit-read-only t))
        (cl-mapc #'set quickvault--list-variables values)
        (setq quickvault--marked marked
              quickvault--awaited-cursor nil)
        (erase-buffer)
        (insert rows)
        (tabulated-list-init-header)
        (set-buffer-modified-p nil)
        (quickvault--restore-places places t)))))

(defun quickvault--search-as-typed (buffer)
  "Return a function for `post-command-hook' to search for the input.
Show the results in BUFFER.  Called with `stop', it cancels its search."
  (let ((typed (buffer-local-value 'quickvault--query buffer))
        timer request)
    (lambda (&optional stop)
      (let ((input (if stop typed (minibuffer-contents-no-properties))))
        (when (or stop (not (equal input typed)))
          (setq typed input)
          (when timer (cancel-timer timer))
          (when (and request quickvault--connection)
            (quickvault--cancel quickvault--connection request))
          (setq request nil)
          (unless stop
            (setq timer
                  (run-with-idle-timer
                   quickvault-search-delay nil
                   (lambda ()
                     (setq request
                           (quickvault--search-later buffer input
                                                     (lambda () (equal input typed)))))))))))))

(defun quickvault--search-later (buffer query current-p)
  "Search for QUERY asynchronously and show the results in BUFFER.
Ignore results that arrive when CURRENT-P returns nil.  Return the id of
the request."
  (with-current-buffer buffer
    (when (derived-mode-p 'quickvault-list-mode)
      (setq quickvault--query query)
      ;; More are loaded as you scroll.
      (quickvault--list-fetch #'quickvault--send-for-list (min quickvault-page-size (frame-height))
                              (lambda (hits page)
                                (when (funcall current-p) (quickvault--list-show hits page)))))))

;;; A search outlives a lock

(defconst quickvault--list-draft '(:client "emacs list" :type "text")
  "The parameters that name the draft with what the list shows.
The vault keeps that encrypted; nothing of it stays in Emacs.")

(defun quickvault--list-recall ()
  "Show what the list showed before the lock."
  (when-let ((draft (car (append (plist-get (quickvault--request 'draft/get '(:client "emacs list")) :items) nil))))
    (pcase-setq `(,quickvault--query ,quickvault--filter ,tabulated-list-sort-key)
                (setq quickvault--kept (car (read-from-string (plist-get draft :text)))))))

(defun quickvault--list-keep ()
  "Have the vault keep the search, the filter and the order over a lock."
  (unless (equal quickvault--kept quickvault--shown)
    (setq quickvault--kept quickvault--shown)
    (if (equal quickvault--shown '("" nil nil))
        (quickvault--request-later 'draft/discard quickvault--list-draft #'ignore #'ignore)
      (let (print-length print-level)
        (quickvault--request-later 'draft/put (append quickvault--list-draft (list :text (prin1-to-string quickvault--shown)))
                                   #'ignore #'ignore)))))

;;; Filtering

(defun quickvault--narrow (key value)
  "Show only cards whose KEY is VALUE, or remove that filter if VALUE is nil."
  (setq quickvault--filter
        (cl-loop for (k v) on quickvault--filter by #'cddr
                 unless (eq k key) append (list k v)))
  (when value (setq quickvault--filter (append quickvault--filter (list key value))))
  (quickvault--list-refresh))

(defun quickvault-narrow-tag ()
  "Show only cards with a tag; with empty input, show all tags."
  (interactive nil quickvault-list-mode)
  (quickvault--check-mode 'quickvault-list-mode)
  (let ((tags (plist-get (quickvault--request 'tag/list) :tags)))
    (quickvault--narrow
     :tag
     (plist-get (quickvault--complete (quickvault--text "Tag (empty for all)")
                                      (mapcar (lambda (tag) (cons (plist-get tag :tag) tag)) tags)
                                      (lambda (tag) (quickvault--card-count-text (plist-get tag :count))))
                :tag))))

(defun quickvault-narrow-group ()
  "Show only cards of a group; with empty input, show all groups."
  (interactive nil quickvault-list-mode)
  (quickvault--check-mode 'quickvault-list-mode)
  (quickvault--narrow :group (quickvault--read-choice (quickvault--text "Group (empty for all)")
                                                      '("personal" "company"))))

(defun quickvault-narrow-type ()
  "Show only cards of a type; with empty input, show all types."
  (interactive nil quickvault-list-mode)
  (quickvault--check-mode 'quickvault-list-mode)
  (quickvault--narrow :type (quickvault--read-choice (quickvault--text "Type (empty for all)")
                                                     quickvault--card-types)))

(defun quickvault-show-all ()
  "Show all cards, without a search or a filter."
  (interactive nil quickvault-list-mode)
  (quickvault--check-mode 'quickvault-list-mode)
  (setq quickvault--filter nil
        quickvault--query ""
        tabulated-list-sort-key nil)
  (quickvault--list-refresh))

;;; Sorting

(defun quickvault-sort (&optional column)
  "Sort all cards by the column at point; the same column again reverses the order.
With a prefix argument, sort by the column number COLUMN."
  (interactive "P" quickvault-list-mode)
  (quickvault--check-mode 'quickvault-list-mode)
  (let ((index (if column (prefix-numeric-value column) (quickvault--column-at-point))))
    (quickvault--sort-by (car (nth index (append tabulated-list-format nil))))))

(defun quickvault--sort-by (name)
  "Sort by the column NAME, or reverse the order if it is sorted by it."
  (unless (nth 2 (assoc name (append tabulated-list-format nil)))
    (user-error "%s" (quickvault--text "Cards cannot be sorted by this column")))
  (setq tabulated-list-sort-key
        (cons name (and (equal name (car tabulated-list-sort-key)) (not (cdr tabulated-list-sort-key)))))
  (quickvault--list-refresh))

(defun quickvault-sort-by-click (event)
  "Sort all cards by the column whose heading EVENT, a click, is on."
  (interactive (list last-command-event) quickvault-list-mode)
  (if (not (mouse-event-p event))
      (quickvault-sort)
    (let ((heading (posn-string (event-start event))))
      (with-current-buffer (window-buffer (posn-window (event-start event)))
        (quickvault--check-mode 'quickvault-list-mode)
        (when-let ((name (and heading
                              (get-text-property (cdr heading) 'tabulated-list-column-name (car heading)))))
          (quickvault--sort-by name))))))

(define-key quickvault-list-mode-map [remap tabulated-list-sort] #'quickvault-sort)
(define-key quickvault-list-mode-map [remap tabulated-list-col-sort] #'quickvault-sort-by-click)

;;; Marking

(defun quickvault-mark (&optional count)
  "Mark the card at point and go to the next line, or mark those in the region.
With a prefix argument, mark COUNT cards from point on."
  (interactive "p" quickvault-list-mode)
  (quickvault--mark-rows t count))

(defun quickvault-unmark (&optional count)
  "Unmark the card at point and go to the next line, or unmark those in the region.
With a prefix argument, unmark COUNT cards from point on."
  (interactive "p" quickvault-list-mode)
  (quickvault--mark-rows nil count))

(defun quickvault-unmark-all ()
  "Unmark all cards."
  (interactive nil quickvault-list-mode)
  (quickvault--check-mode 'quickvault-list-mode)
  (quickvault--update-marks (point-min) (point-max) #'ignore))

(defun quickvault-toggle-marks ()
  "Mark the cards of the list that are not marked, and unmark the others."
  (interactive nil quickvault-list-mode)
  (quickvault--check-mode 'quickvault-list-mode)
  (quickvault--load-all)
  (quickvault--update-marks (point-min) (point-max) #'not))

(defun quickvault--mark-rows (marked count)
  "Mark the rows in the region if MARKED, else unmark them.
If there is no region, these are COUNT rows from point on."
  (quickvault--check-mode 'quickvault-list-mode)
  (if (use-region-p)
      (progn (quickvault--update-marks (region-beginning) (region-end) (lambda (_) marked))
             (deactivate-mark))
    (quickvault--update-marks (line-beginning-position) (line-end-position count) (lambda (_) marked))
    (forward-line (max 1 (or count 1)))))

(defun quickvault--update-marks (begin end change)
  "Mark or unmark the rows from BEGIN to END.
CHANGE is called with non-nil for a marked row, and returns whether it
is to be marked."
  (unless quickvault--marked (setq quickvault--marked (make-hash-table :test #'equal)))
  (save-excursion
    (goto-char begin)
    (beginning-of-line)
    (while (< (point) end)
      (when-let ((id (tabulated-list-get-id)))
        (if (funcall change (gethash id quickvault--marked))
            (puthash id t quickvault--marked)
          (remhash id quickvault--marked))
        (quickvault--redraw-mark id))
      (forward-line 1)))
  (force-mode-line-update))

(defun quickvault--redraw-mark (id)
  "Redraw the mark at the beginning of this line, the row of the card ID."
  (let ((inhibit-read-only t)
        (mark (quickvault--row-mark id)))
    (subst-char-in-region (point) (1+ (point)) (char-after) (aref mark 0) t)
    (put-text-property (point) (1+ (point)) 'face (get-text-property 0 'face mark))
    (set-buffer-modified-p nil)))

(provide 'quickvault-search)
;;; quickvault-search.el ends here
