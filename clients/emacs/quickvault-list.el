;;; quickvault-list.el --- The list of cards  -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The QuickVault authors

;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; Pinned cards come first, then the most recently modified.  The list can be filtered
;; by group, type and tag, and shows the results of a search for what is typed.
;;
;; Cards are marked in the list as files are in Dired.  A command that can act on several
;; cards acts on the marked ones; if there are none, on the card at point.

;;; Code:

(require 'tabulated-list)
(require 'quickvault-card)

(declare-function quickvault "quickvault")

(defface quickvault-match '((t :inherit match :weight bold :underline t))
  "Face for search matches."
  :group 'quickvault)

(defface quickvault-pinned '((t :weight bold))
  "Face for the mark of a pinned card."
  :group 'quickvault)

(defface quickvault-marked '((t :inherit warning :weight bold))
  "Face for the mark of a marked card."
  :group 'quickvault)

(defcustom quickvault-page-size 200
  "Number of cards to load at a time.
More are loaded as you scroll."
  :group 'quickvault
  :type '(integer :match (lambda (_ value) (<= 1 value 1000))))

(defcustom quickvault-search-delay 0.15
  "Seconds of idle time before a search starts."
  :group 'quickvault
  :type 'number)

(defcustom quickvault-list-hint t
  "Whether a line above the list names its most important keys."
  :group 'quickvault
  :type 'boolean)

(defvar-local quickvault--items nil
  "The summaries of the cards in the list.")

(defvar-local quickvault--hits (make-hash-table :test #'equal)
  "Hash table of the ids of the listed cards, and plists of :card and :matches.")

(defvar-local quickvault--marked nil
  "Hash table whose keys are the ids of the marked cards.")

(defvar-local quickvault--filter nil
  "The filter of the list: a plist of :group, :type and :tag.")

(defvar-local quickvault--query ""
  "The search query, or an empty string.")

(defvar-local quickvault--cursor nil
  "The cursor of the next page, or nil after the last page.")

(defvar-local quickvault--awaited-cursor nil
  "The cursor of a page that was requested and has not arrived, or nil.
It is `all' while the rest of the list is requested.")

(defvar-local quickvault--shown nil
  "The value of the function `quickvault--shown' for what the list shows, or nil.")

(defvar-local quickvault--kept '("" nil nil)
  "What the list showed when that was last kept over a lock.")

(defvar-local quickvault--total 0
  "The number of cards that the list has if all are loaded.")

(defvar quickvault-list-mode-map
  (quickvault--keymap tabulated-list-mode-map "<remap> <end-of-buffer>" #'quickvault-last-card)
  "Keymap of `quickvault-list-mode'.")

(define-derived-mode quickvault-list-mode tabulated-list-mode "QuickVault"
  "Major mode for the list of cards.
\\{quickvault-list-mode-map}"
  :interactive nil
  (setq mode-line-process '(" " (:eval (quickvault--list-summary))))
  (quickvault--protect-buffer #'quickvault)
  (add-hook 'post-command-hook #'quickvault--load-ahead nil t)
  (add-hook 'isearch-mode-hook #'quickvault--load-all nil t)
  (add-hook 'window-size-change-functions #'quickvault--list-fit nil t)
  (add-hook 'eldoc-documentation-functions #'quickvault--list-eldoc nil t)
  (eldoc-mode)
  (hl-line-mode)
  (setq-local revert-buffer-function (lambda (&rest _) (quickvault--list-refresh))
              bookmark-make-record-function #'quickvault--bookmark-record)
  (setq quickvault--hits (make-hash-table :test #'equal)
        quickvault--marked (make-hash-table :test #'equal)
        tabulated-list-padding 2
        tabulated-list-entries #'quickvault--list-entries
        tabulated-list-printer #'quickvault--insert-row))

(defun quickvault--list-buffer ()
  "Return the buffer with the list, after unlocking the vault and refreshing it."
  (quickvault--ensure-unlocked)
  (with-current-buffer (get-buffer-create "*QuickVault*")
    (unless (derived-mode-p 'quickvault-list-mode)
      (let ((inhibit-read-only t)
            (was-blanked (derived-mode-p 'quickvault-blank-mode)))
        (erase-buffer)
        (quickvault-list-mode)
        (if was-blanked (quickvault--list-recall) (setq quickvault--kept nil))))
    (quickvault--list-refresh)
    (current-buffer)))

(defun quickvault--list-item ()
  "Return the card at point, or nil."
  (when-let ((id (tabulated-list-get-id)))
    (plist-get (gethash id quickvault--hits) :card)))

(defun quickvault--list-eldoc (&rest _)
  "Return a description of the card at point, for `eldoc-mode'."
  (when-let ((card (quickvault--list-item)))
    (quickvault--as-contents (quickvault--describe-card card))))

(defun quickvault--searching-p ()
  "Return non-nil if the list is, or will be, that of a search."
  (not (string-blank-p quickvault--query)))

(defun quickvault--list-summary ()
  "Return the number of cards and the filter, for the mode line."
  (string-join
   (delq nil
         (list (quickvault--card-count-text quickvault--total)
               (and quickvault--read-only (quickvault--text "[read-only]"))
               (when-let ((group (plist-get quickvault--filter :group))) (quickvault--display-name group))
               (when-let ((type (plist-get quickvault--filter :type))) (quickvault--display-name type))
               (when-let ((tag (plist-get quickvault--filter :tag))) (concat "#" tag))
               (and (quickvault--searching-p) (concat "/" quickvault--query))))
   " "))

;;; Columns

(defconst quickvault--columns
  '((pinned 1 "") (title nil "Title" "title") (type 8 "Type" "type") (group 8 "Group" "group")
    (tags 14 "Tags" "tags") (modified 16 "Modified" "modifiedAt") (matches 0 "Match"))
  "The columns of the list: widths, headings, and their names in `card/list'.
The title takes the rest of the window.")

(defvar-local quickvault--shown-columns nil
  "The columns that the list shows.")

(defun quickvault--format-columns ()
  "Choose the columns that have room in the window; return the list's format.
In a search, the last one is for matches.  Emacs sorts only the result of
a search; other lists come in their order."
  (let* ((searching (quickvault--searching-p))
         (width (window-body-width (or (get-buffer-window nil t) (selected-window))))
         (keys (if searching '(pinned title type group matches) '(pinned title type group tags modified)))
         (rest (lambda () (apply #'+ 3 (mapcar (lambda (key) (1+ (or (cadr (assq key quickvault--columns)) -1))) keys)))))
    (dolist (key '(modified tags group type))
      (when (and (< (- width (funcall rest)) (if searching 46 16))
                 (not (equal (car tabulated-list-sort-key) (quickvault--text (nth 2 (assq key quickvault--columns))))))
        (setq keys (remq key keys))))
    (setq quickvault--shown-columns (mapcar (lambda (key) (assq key quickvault--columns)) keys))
    (vconcat (mapcar (pcase-lambda (`(,_ ,own ,heading ,sort))
                       (list (if (equal heading "") "" (quickvault--text heading))
                             (or own (if searching 26 (max 16 (min 60 (- width (funcall rest))))))
                             (and sort (or searching #'ignore))))
                     quickvault--shown-columns))))

(defun quickvault--sort-parameters ()
  "Return the parameters of `card/list' that sort by `tabulated-list-sort-key'."
  (when-let ((index (seq-position tabulated-list-format (car tabulated-list-sort-key)
                                  (lambda (column name) (equal (car column) name)))))
    (list :sort (nth 3 (nth index quickvault--shown-columns))
          :descending (if (cdr tabulated-list-sort-key) t :json-false))))

(defun quickvault--list-fit (window)
  "Draw the list again if other columns fit in WINDOW, which has another size now."
  (with-current-buffer (window-buffer window)
    (unless (equal (mapcar #'cadr tabulated-list-format) (mapcar #'cadr (quickvault--format-columns)))
      (quickvault--draw (quickvault--places) t))))

;;; Rows

(defvar-local quickvault--separators nil
  "The value of the function `quickvault--separators', for all rows.")

(defun quickvault--separators ()
  "Return what ends each column of a row.
It has the heading, if the list can be sorted by the column."
  (cl-loop for ((heading width sort) . more) on (append tabulated-list-format nil)
           for column = (+ (or column tabulated-list-padding) width 1)
           collect (apply #'propertize (if more " " "\n") 'tabulated-list-column-name (and sort heading)
                          (and more `(display (space :align-to ,column))))))

(defun quickvault--list-entries ()
  "Return the rows of the list, as `tabulated-list-entries' has them.
If the user has chosen another order, load the cards in that."
  (unless (equal quickvault--shown (quickvault--shown)) (quickvault--list-load))
  (setq quickvault--separators (quickvault--separators))
  (mapcar #'quickvault--list-entry quickvault--items))

(defun quickvault--list-entry (card)
  "Return the row of CARD: its id and cells."
  (let* ((id (plist-get card :id))
         (hit (gethash id quickvault--hits)))
    (list id
          (vconcat (mapcar (lambda (column)
                             (pcase (car column)
                               ('pinned (if (eq (plist-get card :pinned) t) (propertize "*" 'face 'quickvault-pinned) " "))
                               ('title (quickvault--list-title hit))
                               ('type (quickvault--display-name (plist-get card :type)))
                               ('group (quickvault--display-name (plist-get card :group)))
                               ('tags (quickvault--one-line (string-join (plist-get card :tags) ", ")))
                               ('modified (quickvault--time (plist-get card :modifiedAt)))
                               ('matches (quickvault--matches-text hit))))
                           quickvault--shown-columns)))))

(defun quickvault--list-title (hit)
  "Return the title of HIT with its matches highlighted."
  (let* ((title (plist-get (plist-get hit :card) :title))
         (match (seq-find (lambda (match) (and (equal (plist-get match :field) "title")
                                               (equal (plist-get match :snippet) title)))
                          (plist-get hit :matches))))
    (if match (quickvault--highlighted match) (quickvault--one-line title))))

(defun quickvault--matches-text (hit)
  "Return the matches of HIT outside its title."
  (let ((title (plist-get (plist-get hit :card) :title)))
    (mapconcat (lambda (match) (concat (quickvault--text "%s: " (plist-get match :label)) (quickvault--highlighted match)))
               (seq-remove (lambda (match) (equal (plist-get match :snippet) title))
                           (plist-get hit :matches))
               (quickvault--text "; "))))

(defun quickvault--highlighted (match)
  "Return the snippet of MATCH with its ranges highlighted."
  (let ((snippet (copy-sequence (plist-get match :snippet))))
    (seq-doseq (range (plist-get match :ranges))
      (let ((start (aref range 0)))
        (put-text-property start (min (length snippet) (+ start (aref range 1)))
                           'face 'quickvault-match snippet)))
    (quickvault--one-line snippet)))

;; That of tabulated-list.el is slow with thousands of rows.
(defun quickvault--insert-row (id cells)
  "Insert a row with CELLS for the card ID, as `tabulated-list-print-entry' does."
  (let ((start (point))
        (separators quickvault--separators))
    (insert (quickvault--row-mark id))
    (dotimes (index (length cells))
      (insert (quickvault--fitting (aref cells index) (cadr (aref tabulated-list-format index))) (pop separators)))
    (add-text-properties start (point)
                         `(tabulated-list-id ,id tabulated-list-entry ,cells
                           quickvault-contents ,quickvault--vault-text-mark))))

(defun quickvault--fitting (text width)
  "Return TEXT, truncated to WIDTH columns unless that is 0."
  (bidi-string-mark-left-to-right
   (if (or (zerop width) (<= (string-width text) width))
       text
     (truncate-string-to-width text width nil nil t t))))

(defun quickvault--row-mark (id)
  "Return the text at the beginning of the row of the card ID."
  (if (gethash id quickvault--marked) (propertize "> " 'face 'quickvault-marked) "  "))

;;; Places

(defun quickvault--row-position (id)
  "Return where the row of the card ID begins, or nil."
  (when-let ((hit (gethash id quickvault--hits)))
    ;; The property is the same object.
    (text-property-any (point-min) (point-max) 'tabulated-list-id (plist-get (plist-get hit :card) :id))))

(defun quickvault--places ()
  "Return where point is, in this buffer and in each of its windows.
Each place is a list of a window or nil, the id of the row, its line, the
column, and the number of lines from the beginning of the window, or nil
if that is the beginning of the list."
  (mapcar (lambda (window)
            (save-excursion
              (when window (goto-char (window-point window)))
              (list window (tabulated-list-get-id) (line-number-at-pos) (current-column)
                    (and window
                         (> (window-start window) (point-min))
                         (count-lines (window-start window) (line-beginning-position))))))
          (cons nil (get-buffer-window-list nil t t))))

(defun quickvault--restore-places (places same-list)
  "Go back to PLACES.
If a row is gone, go to its line if SAME-LIST, else to the first."
  (pcase-dolist (`(,window ,id ,line ,column ,above) places)
    (goto-char (or (and id (quickvault--row-position id))
                   (progn (goto-char (point-min))
                          (when same-list (forward-line (1- line)))
                          (when (and (eobp) (not (bobp))) (forward-line -1))
                          (point))))
    (move-to-column column)
    (when window
      (set-window-point window (point))
      ;; From the beginning of the list, go on showing it, with what is new there.
      (set-window-start window
                        (if above (save-excursion (forward-line (- above)) (point)) (point-min))
                        t)))
  (goto-char (if-let ((window (get-buffer-window))) (window-point window) (point))))

;;; Loading

(defun quickvault--shown ()
  "Return the query, the filter and the order of the list."
  (list quickvault--query quickvault--filter (and tabulated-list-sort-key (copy-tree tabulated-list-sort-key))))

(defun quickvault--set-shown (shown)
  "Give the list the query, the filter and the order in SHOWN."
  (pcase-setq `(,quickvault--query ,quickvault--filter ,tabulated-list-sort-key) (copy-tree shown)))

(defun quickvault--list-fetch (send count use &optional hits cursor)
  "Fetch COUNT rows from CURSOR on with SEND, and call USE with the result.
SEND is called with a request and with a function for its result.  USE
is called with all rows, after HITS, and with the last page."
  (let ((searching (quickvault--searching-p))
        (page (append (list :limit (min count 1000)) (and cursor (list :cursor cursor)))))
    (funcall send
             (if searching
                 (list 'card/search (append (list :query (quickvault--filtered-query quickvault--query quickvault--filter))
                                            page))
               (list 'card/list (append quickvault--filter (quickvault--sort-parameters) page)))
             (lambda (page)
               (let* ((new (mapcar (lambda (item) (if searching item (list :card item))) (plist-get page :items)))
                      (left (- count (length new)))
                      (hits (append hits new))
                      (next (plist-get page :nextCursor)))
                 (if (and next (> left 0))
                     (quickvault--list-fetch send left use hits next)
                   (funcall use hits page)))))))

(defun quickvault--send-now (request use)
  "Send REQUEST and call USE with its result."
  (funcall use (apply #'quickvault--request request)))

(defun quickvault--send-for-list (request use)
  "Send REQUEST asynchronously; call USE with its result in this list.
Do nothing if the list shows something else by then.  Return the id of
the request."
  (let ((buffer (current-buffer))
        (shown (quickvault--shown)))
    (quickvault--request-later (car request) (cadr request)
                               (lambda (page)
                                 (when (buffer-live-p buffer)
                                   (with-current-buffer buffer
                                     (when (and (derived-mode-p 'quickvault-list-mode)
                                                (equal shown (quickvault--shown)))
                                       (funcall use page)))))
                               #'quickvault--message)))

(defun quickvault--list-length ()
  "Return the number of rows to load in a refresh: as many as there are now.
Emacs has to sort the result of a search, and needs it all for that."
  (cond ((and tabulated-list-sort-key (quickvault--searching-p)) most-positive-fixnum)
        ((equal quickvault--shown (quickvault--shown)) (max quickvault-page-size (length quickvault--items)))
        (t quickvault-page-size)))

(defun quickvault--list-load (&optional count)
  "Load COUNT cards, and return the last page.
If that fails or the user quits, the query, the filter and the order are
again those of the rows in the list."
  (let ((list (current-buffer))
        last)
    (unwind-protect
        (quickvault--with-large-results
          (quickvault--list-fetch #'quickvault--send-now (or count (quickvault--list-length))
                                  (lambda (hits page)
                                    (quickvault--list-remember nil hits (setq last page))
                                    (setq quickvault--shown (quickvault--shown))))
          (quickvault--list-keep))
      (when (and (not last) (buffer-live-p list))
        (with-current-buffer list
          (when quickvault--shown
            (quickvault--set-shown quickvault--shown)
            (tabulated-list-init-header)))))))

(defun quickvault--list-refresh (&optional count)
  "Refresh the list in the current buffer, with COUNT cards or as many as now."
  (let ((places (quickvault--places))
        (before quickvault--shown))
    (quickvault--list-load count)
    (quickvault--show-rows places before)))

(defun quickvault--list-refresh-later (&rest _)
  "Refresh the list asynchronously, without asking for the password."
  (dolist (buffer (quickvault--protected-buffers))
    (with-current-buffer buffer
      (when (derived-mode-p 'quickvault-list-mode)
        (quickvault--list-fetch #'quickvault--send-for-list (quickvault--list-length) #'quickvault--list-show)))))

(add-hook 'quickvault--change-functions #'quickvault--list-refresh-later)

(defun quickvault--load-all ()
  "Load the rest of the list."
  (when quickvault--cursor
    ;; Ignore a page that was requested before.
    (setq quickvault--awaited-cursor 'all)
    (quickvault--with-large-results
      (quickvault--list-fetch #'quickvault--send-now most-positive-fixnum #'quickvault--list-append
                              nil quickvault--cursor))))

(defun quickvault--load-ahead ()
  "Load the next page asynchronously if the window gets near the end of the list."
  (when (and quickvault--cursor
             (not (equal quickvault--cursor quickvault--awaited-cursor))
             (> (+ (line-number-at-pos (max (point) (window-start)))
                   (* 2 (window-body-height)))
                (length quickvault--items)))
    (let ((cursor quickvault--cursor))
      (setq quickvault--awaited-cursor cursor)
      (quickvault--list-fetch #'quickvault--send-for-list quickvault-page-size
                              (lambda (hits page)
                                (when (equal cursor quickvault--awaited-cursor)
                                  (quickvault--list-append hits page)))
                              nil cursor))))

(defun quickvault-last-card ()
  "Go to the last card, after loading the rest of the list."
  (interactive (quickvault--check-mode 'quickvault-list-mode) quickvault-list-mode)
  (push-mark)
  (quickvault--load-all)
  (goto-char (point-max))
  (forward-line -1))

;;; Showing

(defun quickvault--list-remember (more hits page)
  "Remember HITS and PAGE as the list, or as its end if MORE.
Return the new cards."
  (let ((cards (mapcar (lambda (hit) (plist-get hit :card)) hits)))
    (unless more (setq quickvault--hits (make-hash-table :test #'equal)))
    (dolist (hit hits) (puthash (plist-get (plist-get hit :card) :id) hit quickvault--hits))
    (setq quickvault--items (if more (append quickvault--items cards) cards)
          quickvault--cursor (plist-get page :nextCursor)
          quickvault--awaited-cursor nil
          quickvault--total (plist-get page :total))
    (quickvault--keep-marks)
    cards))

(defun quickvault--list-show (hits page)
  "Show HITS in place of the list; PAGE is the last one of the result."
  (let ((places (quickvault--places))
        (before quickvault--shown))
    (quickvault--list-remember nil hits page)
    (quickvault--show-rows places before)))

(defun quickvault--show-rows (places before)
  "Draw the list and go back to PLACES; BEFORE is what it showed there."
  (setq quickvault--shown (quickvault--shown))
  (unless (bound-and-true-p tab-line-mode)
    (setq tab-line-format
          (and quickvault-list-hint
               (quickvault--text "\\[quickvault-show] show  \\[quickvault-copy] copy  \\[quickvault-create] new  \\[quickvault-edit] edit  \\[quickvault-delete] delete  \\[quickvault-search] search  \\[quickvault-settings] settings  \\[quickvault-dispatch] menu  \\[quickvault-help] help"))))
  (quickvault--draw
   (if (and (quickvault--searching-p) (not (equal quickvault--query (car before))))
       ;; What was found for less of the query, or before it, does not choose the card at point.
       (mapcar (lambda (place) (list (car place) nil 1 0 nil)) places)
     places)
   (equal before quickvault--shown)))

(defun quickvault--draw (places same-list)
  "Draw the columns and rows; go back to PLACES in it, if it is the SAME-LIST."
  (setq tabulated-list-format (quickvault--format-columns))
  ;; The columns differ between languages, and in search results.
  (unless (assoc (car tabulated-list-sort-key) (append tabulated-list-format nil))
    (setq tabulated-list-sort-key nil
          quickvault--shown (quickvault--shown)))
  (tabulated-list-init-header)
  (quickvault--with-large-results (tabulated-list-print))
  (unless quickvault--items
    (let ((inhibit-read-only t))
      (insert (if (or (quickvault--searching-p) quickvault--filter)
                  (quickvault--text "  No matches.  Press \\[quickvault-show-all] to show all cards.")
                (quickvault--text "  No cards yet.  Press \\[quickvault-create] to create one."))
              "\n")
      (quickvault--mark-contents)
      (set-buffer-modified-p nil)))
  (quickvault--restore-places places same-list)
  (force-mode-line-update))

(defun quickvault--list-append (hits page)
  "Append HITS to the list; PAGE is the last one of the result."
  (save-excursion
    (goto-char (point-max))
    (quickvault--insert-cards (quickvault--list-remember t hits page))))

(defun quickvault--insert-cards (cards)
  "Insert the rows of CARDS at point."
  (let ((inhibit-read-only t))
    (dolist (card cards) (apply #'quickvault--insert-row (quickvault--list-entry card)))
    (set-buffer-modified-p nil)
    (force-mode-line-update)))

;;; Changes of a few cards

(defun quickvault--list-update (cards)
  "Draw the rows of CARDS, as they are after a change, and no others.
One that was deleted has only an :id.  Return nil if the list has to be
loaded again."
  (when (and (equal quickvault--shown '("" nil nil)) quickvault--items (length< cards 50)
             ;; Of a card that is not loaded, it is not known whether it is new.
             (or (not quickvault--cursor)
                 (seq-every-p (lambda (card) (gethash (plist-get card :id) quickvault--hits)) cards)))
    (let ((places (quickvault--places)))
      (dolist (card cards)
        (quickvault--remove-row (plist-get card :id))
        (when (plist-get card :title) (quickvault--add-row card)))
      (quickvault--keep-marks)
      (quickvault--restore-places places t)
      quickvault--items)))

(defun quickvault--remove-row (id)
  "Remove the card ID from the list."
  (when-let ((hit (gethash id quickvault--hits))
             (inhibit-read-only t))
    (goto-char (quickvault--row-position id))
    (delete-region (point) (line-beginning-position 2))
    (remhash id quickvault--hits)
    (setq quickvault--items (delq (plist-get hit :card) quickvault--items)
          quickvault--total (1- quickvault--total))))

(defun quickvault--add-row (whole)
  "Add the card WHOLE to the list, where the vault's order has it."
  (let* ((card (cl-loop for key in '(:id :revision :title :group :type :tags :pinned :createdAt :modifiedAt :attachments)
                        append (list key (plist-get whole key))))
         (rest (seq-drop-while (lambda (other) (quickvault--before-p other card)) quickvault--items)))
    (setq quickvault--total (1+ quickvault--total))
    ;; Behind the last one, it comes with the next page.
    (when (or rest (not quickvault--cursor))
      (goto-char (if rest (quickvault--row-position (plist-get (car rest) :id)) (point-max)))
      (puthash (plist-get card :id) (list :card card) quickvault--hits)
      (setq quickvault--items (append (butlast quickvault--items (length rest)) (list card) rest))
      (quickvault--insert-cards (list card)))))

(defun quickvault--before-p (one other)
  "Return non-nil if the card ONE comes before OTHER in the vault's order."
  (let ((pinned (eq (plist-get one :pinned) t)))
    (if (eq pinned (eq (plist-get other :pinned) t))
        (not (string< (plist-get one :modifiedAt) (plist-get other :modifiedAt)))
      pinned)))

;;; Searching

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
    (unless (derived-mode-p 'quickvault-list-mode)
      (pop-to-buffer-same-window (quickvault--list-buffer)))
    (quickvault--search-in-list (current-buffer))))

(defun quickvault--search-in-list (list)
  "Search as the user types, and show the results in the buffer LIST."
  (let ((shown (quickvault--shown))
        (count (length quickvault--items))
        (places (quickvault--places))
        ;; What was found for less of the query takes marks away.
        (marked (copy-hash-table quickvault--marked))
        (search (quickvault--search-as-typed list))
        done)
    (unwind-protect
        (let ((query (quickvault--without-history
                       (minibuffer-with-setup-hook
                           (lambda () (add-hook 'post-command-hook search nil t))
                         (read-from-minibuffer (quickvault--text "Search: ") quickvault--query nil nil t)))))
          (funcall search 'stop)
          (quickvault--check-mode 'quickvault-list-mode)
          (setq quickvault--query query
                quickvault--marked marked)
          (quickvault--list-refresh)
          (setq done t))
      (unless done
        (funcall search 'stop)
        (when (buffer-live-p list)
          (with-current-buffer list
            (when (derived-mode-p 'quickvault-list-mode)
              (setq quickvault--marked marked)
              (quickvault--set-shown shown)
              (quickvault--list-refresh count)
              (quickvault--restore-places places t))))))))

(defun quickvault--search-as-typed (list)
  "Return a function for `post-command-hook' to search for the input.
Show the results in the buffer LIST.  Called with `stop', it cancels its
search."
  (let ((typed (buffer-local-value 'quickvault--query list))
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
            (setq timer (run-with-idle-timer
                         quickvault-search-delay nil
                         (lambda ()
                           (with-current-buffer list
                             (when (derived-mode-p 'quickvault-list-mode)
                               (setq quickvault--query input
                                     request
                                     ;; More are loaded as you scroll.
                                     (quickvault--list-fetch #'quickvault--send-for-list
                                                             (min quickvault-page-size (frame-height))
                                                             (lambda (hits page)
                                                               (when (equal input typed)
                                                                 (quickvault--list-show hits page))))))))))))))))

;;; A search outlives a lock

(defconst quickvault--list-draft '(:client "emacs list" :type "text")
  "The parameters that name the draft with what the list shows.
The vault keeps that encrypted; nothing of it stays in Emacs.")

(defun quickvault--list-recall ()
  "Show what the list showed before the lock."
  (when-let ((draft (car (append (plist-get (quickvault--request 'draft/get '(:client "emacs list")) :items) nil))))
    (quickvault--set-shown (setq quickvault--kept (car (read-from-string (plist-get draft :text)))))))

(defun quickvault--list-keep ()
  "Have the vault keep the search, the filter and the order over a lock."
  (unless (equal quickvault--kept quickvault--shown)
    (setq quickvault--kept quickvault--shown)
    (let (print-length print-level)
      (if (equal quickvault--shown '("" nil nil))
          (quickvault--request-later 'draft/discard quickvault--list-draft #'ignore #'ignore)
        (quickvault--request-later 'draft/put
                                   (append quickvault--list-draft (list :text (prin1-to-string quickvault--shown)))
                                   #'ignore #'ignore)))))

;;; Filtering

(defun quickvault--narrow (key value)
  "Show only cards whose KEY is VALUE, or remove that filter if VALUE is nil."
  (setq quickvault--filter
        (append (cl-loop for (k v) on quickvault--filter by #'cddr unless (eq k key) append (list k v))
                (and value (list key value))))
  (quickvault--list-refresh))

(defun quickvault-narrow-tag ()
  "Show only cards with a tag; with empty input, show all tags."
  (interactive (quickvault--check-mode 'quickvault-list-mode) quickvault-list-mode)
  (let ((tags (plist-get (quickvault--request 'tag/list) :tags)))
    (quickvault--narrow
     :tag
     (plist-get (quickvault--complete (quickvault--text "Tag (empty for all)")
                                      (mapcar (lambda (tag) (cons (plist-get tag :tag) tag)) tags)
                                      (lambda (tag) (quickvault--card-count-text (plist-get tag :count)))
                                      'or-none)
                :tag))))

(defun quickvault-narrow-group ()
  "Show only cards of a group; with empty input, show all groups."
  (interactive (quickvault--check-mode 'quickvault-list-mode) quickvault-list-mode)
  (quickvault--narrow :group (quickvault--read-choice (quickvault--text "Group (empty for all)")
                                                      '("personal" "company") 'or-none)))

(defun quickvault-narrow-type ()
  "Show only cards of a type; with empty input, show all types."
  (interactive (quickvault--check-mode 'quickvault-list-mode) quickvault-list-mode)
  (quickvault--narrow :type (quickvault--read-choice (quickvault--text "Type (empty for all)")
                                                     quickvault--card-types 'or-none)))

(defun quickvault-show-all ()
  "Show all cards, without a search or a filter."
  (interactive (quickvault--check-mode 'quickvault-list-mode) quickvault-list-mode)
  (quickvault--set-shown '("" nil nil))
  (quickvault--list-refresh))

;;; Sorting

(defun quickvault-sort (&optional column)
  "Sort all cards by the column at point; the same column again reverses the order.
With a prefix argument, sort by the column number COLUMN."
  (interactive "P" quickvault-list-mode)
  (quickvault--check-mode 'quickvault-list-mode)
  (tabulated-list-sort
   (or column
       ;; The next heading is at the end of the column at point, or of the title.
       (when-let ((end (text-property-not-all (point) (line-beginning-position 2) 'tabulated-list-column-name nil)))
         (seq-position tabulated-list-format (get-text-property end 'tabulated-list-column-name)
                       (lambda (format heading) (equal (car format) heading)))))))

;;; Marking

(defun quickvault--marked-cards ()
  "Return the marked cards of this list."
  (unless (hash-table-empty-p quickvault--marked)
    (seq-filter (lambda (card) (gethash (plist-get card :id) quickvault--marked)) quickvault--items)))

(defun quickvault--keep-marks ()
  "Unmark the cards that are not in the list any more."
  (maphash (lambda (id _) (unless (gethash id quickvault--hits) (remhash id quickvault--marked)))
           quickvault--marked))

(defun quickvault--read-cards (prompt)
  "Return the marked cards; else the card at point or one read with PROMPT."
  (or (and (derived-mode-p 'quickvault-list-mode) (quickvault--marked-cards))
      (list (quickvault--read-card prompt))))

(defun quickvault-mark (&optional count)
  "Mark the card at point and go to the next line, or mark those in the region.
With a prefix argument, mark COUNT cards from point on."
  (interactive "p" quickvault-list-mode)
  (quickvault--mark-rows #'always count))

(defun quickvault-unmark (&optional count)
  "Unmark the card at point and go to the next line, or unmark those in the region.
With a prefix argument, unmark COUNT cards from point on."
  (interactive "p" quickvault-list-mode)
  (quickvault--mark-rows #'ignore count))

(defun quickvault-unmark-all ()
  "Unmark all cards."
  (interactive (quickvault--check-mode 'quickvault-list-mode) quickvault-list-mode)
  (quickvault--update-marks (point-min) (point-max) #'ignore))

(defun quickvault-toggle-marks ()
  "Mark the cards of the list that are not marked, and unmark the others."
  (interactive (quickvault--check-mode 'quickvault-list-mode) quickvault-list-mode)
  (quickvault--load-all)
  (quickvault--update-marks (point-min) (point-max) #'not))

(defun quickvault--mark-rows (change count)
  "Mark or unmark the rows in the region by CHANGE.
If there is no region, these are COUNT rows from point on."
  (quickvault--check-mode 'quickvault-list-mode)
  (if (use-region-p)
      (progn (quickvault--update-marks (region-beginning) (region-end) change)
             (deactivate-mark))
    (quickvault--update-marks (line-beginning-position) (line-end-position count) change)
    (forward-line (max 1 (or count 1)))))

(defun quickvault--update-marks (begin end change)
  "Mark or unmark the rows from BEGIN to END.
CHANGE is called with non-nil for a marked row, and returns whether it
is to be marked."
  (save-excursion
    (goto-char begin)
    (beginning-of-line)
    (while (< (point) end)
      (when-let ((id (tabulated-list-get-id)))
        (if (funcall change (gethash id quickvault--marked))
            (puthash id t quickvault--marked)
          (remhash id quickvault--marked))
        (quickvault--redraw-mark (quickvault--row-mark id)))
      (forward-line 1)))
  (force-mode-line-update))

(defun quickvault--redraw-mark (mark)
  "Draw MARK at the beginning of this line."
  (let ((inhibit-read-only t))
    (subst-char-in-region (point) (1+ (point)) (char-after) (aref mark 0) t)
    (put-text-property (point) (1+ (point)) 'face (get-text-property 0 'face mark))
    (set-buffer-modified-p nil)))

(provide 'quickvault-list)
;;; quickvault-list.el ends here
