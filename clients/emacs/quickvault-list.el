;;; quickvault-list.el --- The list of cards  -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The QuickVault authors

;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; Pinned cards come first, then the most recently modified.  The list can be filtered
;; by group, type and tag, and shows the results of a search.

;;; Code:

(require 'quickvault-rows)

(declare-function quickvault "quickvault")
(declare-function quickvault--list-keep "quickvault-search")
(declare-function quickvault--list-recall "quickvault-search")

(defvar-local quickvault--kept '("" nil nil)
  "What the list showed when that was last kept over a lock.")

(defcustom quickvault-page-size 200
  "Number of cards to load at a time.
More are loaded as you scroll."
  :group 'quickvault
  :type '(integer :match (lambda (_ value) (<= 1 value 1000))))

(defcustom quickvault-list-hint t
  "Whether a line above the list names its most important keys."
  :group 'quickvault
  :type 'boolean)

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

(defvar-local quickvault--total 0
  "The number of cards that the list has if all are loaded.")

(defvar-local quickvault--summary ""
  "The number of cards and the filter, for the mode line.")

(defvar quickvault-list-mode-map
  (let ((map (make-sparse-keymap)))
    (set-keymap-parent map tabulated-list-mode-map)
    (define-key map [remap end-of-buffer] #'quickvault-last-card)
    map)
  "Keymap of `quickvault-list-mode'.")

(define-derived-mode quickvault-list-mode tabulated-list-mode "QuickVault"
  "Major mode for the list of cards.
\\{quickvault-list-mode-map}"
  :interactive nil
  (setq mode-line-process '(" " quickvault--summary))
  (quickvault--protect-buffer #'quickvault)
  (setq-local revert-buffer-function (lambda (&rest _) (quickvault--list-refresh)))
  (add-hook 'post-command-hook #'quickvault--load-ahead nil t)
  (add-hook 'isearch-mode-hook #'quickvault--load-all nil t)
  (add-hook 'window-size-change-functions #'quickvault--list-fit nil t)
  (add-hook 'eldoc-documentation-functions #'quickvault--list-eldoc nil t)
  (eldoc-mode)
  (hl-line-mode)
  (setq-local bookmark-make-record-function #'quickvault--bookmark-record)
  (setq quickvault--hits (make-hash-table :test #'equal)
        tabulated-list-padding 2
        tabulated-list-entries #'quickvault--list-entries
        tabulated-list-printer #'quickvault--insert-row))

(defun quickvault--list-eldoc (&rest _)
  "Return a description of the card at point, for `eldoc-mode'."
  (when-let ((card (quickvault--list-item)))
    (quickvault--as-contents (quickvault--describe-card card))))

(defun quickvault-last-card ()
  "Go to the last card, after loading the rest of the list."
  (interactive nil quickvault-list-mode)
  (quickvault--check-mode 'quickvault-list-mode)
  (push-mark)
  (quickvault--load-all)
  (goto-char (point-max))
  (forward-line -1))

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

;;; Marked cards

(defun quickvault--marked-cards ()
  "Return the marked cards of this list."
  (and quickvault--marked
       (seq-filter (lambda (card) (gethash (plist-get card :id) quickvault--marked)) quickvault--items)))

(defun quickvault--keep-marks ()
  "Unmark the cards that are not in the list any more."
  (when quickvault--marked
    (maphash (lambda (id _)
               (unless (gethash id quickvault--hits) (remhash id quickvault--marked)))
             quickvault--marked)))

(defun quickvault--read-cards (prompt)
  "Return the marked cards; else the card at point or one read with PROMPT."
  (or (and (derived-mode-p 'quickvault-list-mode) (quickvault--marked-cards))
      (list (quickvault--read-card prompt))))

(defun quickvault--forget-mark (card)
  "Unmark CARD in this list, as of the next refresh."
  (when quickvault--marked (remhash (plist-get card :id) quickvault--marked)))

;;; Loading

(defconst quickvault--largest-page 1000
  "The largest number of cards on a page of the protocol.")

(defun quickvault--list-request (&optional cursor limit)
  "Return a list of the method and parameters that load LIMIT cards from CURSOR."
  (let ((page (append (list :limit (or limit quickvault-page-size)) (and cursor (list :cursor cursor)))))
    (if (string-blank-p quickvault--query)
        (list 'card/list (append quickvault--filter (quickvault--sort-parameters) page))
      (list 'card/search (append (list :query (quickvault--filtered-query quickvault--query quickvault--filter))
                                 page)))))

(defun quickvault--list-fetch (send count use &optional hits cursor)
  "Fetch COUNT rows from CURSOR on with SEND, and call USE with the result.
SEND is called with a request and with a function for its result.  USE
is called with all rows, after HITS, and with the last page."
  (let ((searching (not (string-blank-p quickvault--query))))
    (funcall send
             (quickvault--list-request cursor (min count quickvault--largest-page))
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
    (apply #'quickvault--request-later
           (append request
                   (list (lambda (page)
                           (when (buffer-live-p buffer)
                             (with-current-buffer buffer
                               (when (and (derived-mode-p 'quickvault-list-mode)
                                          (equal shown (quickvault--shown)))
                                 (funcall use page)))))
                         #'quickvault--message)))))

(defun quickvault--list-length ()
  "Return the number of rows to load in a refresh: as many as there are now."
  (cond ((quickvault--sorted-here-p) most-positive-fixnum)
        ((equal quickvault--shown (quickvault--shown)) (max quickvault-page-size (length quickvault--items)))
        (t quickvault-page-size)))

(defun quickvault--shown ()
  "Return the query, the filter and the order of the list."
  (list quickvault--query quickvault--filter tabulated-list-sort-key))

(defun quickvault--sorted-here-p ()
  "Return non-nil if Emacs has to sort the list.
The program does not sort the results of a search."
  (and tabulated-list-sort-key (not (string-blank-p quickvault--query))))

(defun quickvault--list-refresh ()
  "Refresh the list in the current buffer.
If that fails or the user quits, the query, the filter and the order are
again those of the rows in the list."
  (let ((list (current-buffer))
        (failed t))
    (unwind-protect
        (progn (quickvault--with-large-results
                 (quickvault--list-fetch #'quickvault--send-now (quickvault--list-length) #'quickvault--list-show))
               (setq failed nil)
               (quickvault--list-keep))
      (when (and failed (buffer-live-p list))
        (with-current-buffer list
          (when quickvault--shown
            (pcase-setq `(,quickvault--query ,quickvault--filter ,tabulated-list-sort-key) quickvault--shown)))))))

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

;;; Showing

(defun quickvault--list-show (hits page)
  "Show HITS in place of the list; PAGE is the last one of the result."
  (let ((searching (not (string-blank-p quickvault--query)))
        (places (quickvault--places))
        (shown (quickvault--shown))
        (inhibit-read-only t))
    (when (and searching (not (equal quickvault--query (car quickvault--shown))))
      ;; What was found for less of the query, or before it, does not choose the card at point.
      (setq places (mapcar (lambda (place) (list (car place) nil 1 0 nil)) places)))
    (quickvault--list-remember nil hits page)
    (setq tabulated-list-format (quickvault--format-columns searching))
    ;; The columns differ between languages, and in search results.
    (unless (cl-find (car tabulated-list-sort-key) tabulated-list-format :key #'car :test #'equal)
      (setq tabulated-list-sort-key nil))
    (tabulated-list-init-header)
    (unless (bound-and-true-p tab-line-mode)
      (setq tab-line-format
            (and quickvault-list-hint
                 (quickvault--text "\\[quickvault-show] show  \\[quickvault-copy] copy  \\[quickvault-create] new  \\[quickvault-edit] edit  \\[quickvault-delete] delete  \\[quickvault-search] search  \\[quickvault-settings] settings  \\[quickvault-dispatch] menu  \\[quickvault-help] help"))))
    (quickvault--keep-marks)
    (quickvault--draw-rows)
    (unless quickvault--items
      (insert (if (or searching quickvault--filter)
                  (quickvault--text "  No matches.  Press \\[quickvault-show-all] to show all cards.")
                (quickvault--text "  No cards yet.  Press \\[quickvault-create] to create one."))
              "\n")
      (quickvault--mark-contents))
    (set-buffer-modified-p nil)
    (quickvault--restore-places places (equal shown quickvault--shown))
    (setq quickvault--shown shown)))

(defun quickvault--list-append (hits page)
  "Append HITS to the list; PAGE is the last one of the result."
  (save-excursion
    (goto-char (point-max))
    (let ((inhibit-read-only t))
      (quickvault--insert-rows (quickvault--list-remember t hits page)))
    (set-buffer-modified-p nil)))

(defun quickvault--draw-rows ()
  "Draw all rows of the list."
  (if (quickvault--sorted-here-p)
      (tabulated-list-print)
    (erase-buffer)
    (quickvault--insert-rows quickvault--items)))

(defun quickvault--insert-rows (cards)
  "Insert the rows of CARDS at point."
  (let ((separators (quickvault--separators)))
    (dolist (card cards)
      (pcase-let ((`(,id ,cells) (quickvault--list-entry card)))
        (quickvault--insert-row id cells separators)))))

(defun quickvault--list-remember (more hits page)
  "Remember HITS and PAGE as the list, or as its end if MORE.
Return the new cards."
  (let ((cards (mapcar (lambda (hit) (plist-get hit :card)) hits)))
    (unless more (setq quickvault--hits (make-hash-table :test #'equal)))
    (dolist (hit hits) (puthash (plist-get (plist-get hit :card) :id) hit quickvault--hits))
    (setq quickvault--items (if more (append quickvault--items cards) cards)
          quickvault--cursor (plist-get page :nextCursor)
          quickvault--awaited-cursor nil)
    (quickvault--list-count (plist-get page :total))
    cards))

(defun quickvault--list-count (total)
  "Show that there are TOTAL cards in the list."
  (setq quickvault--total total
        quickvault--summary (quickvault--list-summary total))
  (force-mode-line-update))

(defun quickvault--list-fit (window)
  "Draw the list again if other columns fit in WINDOW, which has another size now."
  (with-current-buffer (window-buffer window)
    (unless (equal tabulated-list-format (quickvault--format-columns (not (string-blank-p quickvault--query))))
      (let ((places (quickvault--places))
            (inhibit-read-only t))
        (setq tabulated-list-format (quickvault--format-columns (not (string-blank-p quickvault--query))))
        (tabulated-list-init-header)
        (when quickvault--items (quickvault--draw-rows))
        (set-buffer-modified-p nil)
        (quickvault--restore-places places t)))))

(defun quickvault--list-summary (total)
  "Return a summary of TOTAL cards and the filter, for the mode line."
  (string-join
   (delq nil
         (list (quickvault--card-count-text total)
               (and quickvault--read-only (quickvault--text "[read-only]"))
               (when-let ((group (plist-get quickvault--filter :group))) (quickvault--display-name group))
               (when-let ((type (plist-get quickvault--filter :type))) (quickvault--display-name type))
               (when-let ((tag (plist-get quickvault--filter :tag))) (concat "#" tag))
               (unless (string-blank-p quickvault--query) (concat "/" quickvault--query))))
   " "))

(provide 'quickvault-list)
;;; quickvault-list.el ends here
