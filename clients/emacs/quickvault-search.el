;;; quickvault-search.el --- Search as you type  -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The QuickVault authors

;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; The list shows the results for the input in the minibuffer.  A search starts after a
;; short pause in typing; searches for earlier input are cancelled and their results
;; ignored.

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
  '(quickvault--query quickvault--filter tabulated-list-sort-key tabulated-list-format tabulated-list-entries
    quickvault--items quickvault--card-table quickvault--cursor quickvault--shown quickvault--summary)
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

(provide 'quickvault-search)
;;; quickvault-search.el ends here
