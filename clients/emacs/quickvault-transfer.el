;;; quickvault-transfer.el --- Import, export, backup and merge  -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The QuickVault authors

;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; Commands on the vault as a whole.  An import shows a preview before it stores
;; anything.

;;; Code:

(require 'quickvault-attachments)

(declare-function quickvault "quickvault")
(autoload 'quickvault--forms-kill-p "quickvault-form")

;;; Import

(defconst quickvault--column-targets
  '("title" "type" "group" "tags" "name" "phone" "province" "city" "district" "address" "postalCode" "notes"
    "companyName" "taxId" "bankName" "bankAccount" "text" "username" "password" "website" "totp" "extra:"
    "concealed:" "ignore")
  "Targets for the columns of a table; a label follows the two that end in a colon.")

;;;###autoload
(defun quickvault-import (file &optional format)
  "Import the cards in FILE, after showing a preview.
The format is detected from the content.  With a prefix argument, ask for
the FORMAT and for the target of each column of a table."
  (interactive
   (list (expand-file-name (let (file-name-history)
                             (read-file-name (quickvault--text "Import file: ") nil nil t)))
         (and current-prefix-arg (quickvault--read-import-format))))
  (quickvault--import file (quickvault--file-parameters file) format))

;;;###autoload
(defun quickvault-import-buffer (&optional format)
  "Import the cards in this buffer, or in the region if it is active.
FORMAT is as for `quickvault-import'.  Nothing is written to a file."
  (interactive (list (and current-prefix-arg (quickvault--read-import-format))))
  (let ((text (if (use-region-p)
                  (buffer-substring-no-properties (region-beginning) (region-end))
                (buffer-substring-no-properties (point-min) (point-max)))))
    (quickvault--import (buffer-name)
                        (list :data (base64-encode-string (encode-coding-string text 'utf-8) t))
                        format)))

(defun quickvault--read-import-format ()
  "Read the format of an import."
  (quickvault--complete (quickvault--text "Format")
                        (mapcar (lambda (one) (cons one one))
                                '("json" "csv" "vcard" "keepass-xml" "bitwarden-json"))))

(defun quickvault--import (file source format)
  "Import the cards of SOURCE, a plist of request parameters.
FILE is the name to show.  If FORMAT is nil, it is detected."
  (let* ((params (append source (and format (list :format format))))
         (report (quickvault--import-call params t)))
    (pop-to-buffer (quickvault--import-report file report))
    (when (and current-prefix-arg (not (seq-empty-p (plist-get report :mapping))))
      (setq params (append params (list :mapping (quickvault--read-mapping (plist-get report :mapping))))
            report (quickvault--import-call params t))
      (quickvault--import-report file report))
    (if (zerop (quickvault--importable-count report))
        (quickvault--log-message (quickvault--text "There is nothing to import."))
      (when (let ((cards (quickvault--card-count-text (quickvault--importable-count report))))
              (if (zerop (plist-get report :skipped))
                  (quickvault--confirm "Import %s?" cards)
                (quickvault--confirm "Import %s and skip invalid entries?" cards)))
        (let ((done (quickvault--import-call params nil)))
          (quickvault--import-report file done)
          (quickvault--refresh-all)
          (quickvault--log-message (quickvault--text "Imported: %d" (plist-get done :imported))))))))

(defun quickvault--importable-count (report)
  "Return how many entries of REPORT can be stored."
  (- (plist-get report :total) (plist-get report :duplicates) (plist-get report :skipped)))

(defun quickvault--read-mapping (mapping)
  "Read a target for each column of MAPPING; return the changed ones."
  (let ((table (make-hash-table :test #'equal)))
    (seq-doseq (column mapping)
      (let ((target (quickvault--without-history
                      (completing-read (quickvault--text "Column %s is: " (plist-get column :column))
                                       quickvault--column-targets nil nil nil t (plist-get column :target)))))
        (unless (equal target (plist-get column :target))
          (puthash (plist-get column :column) target table))))
    table))

(defun quickvault--import-call (params dry-run)
  "Import with PARAMS, skipping invalid entries; only preview if DRY-RUN."
  (quickvault--with-progress (quickvault--text "Reading the file...") 'vault/import
                             (append params
                                     (list :dryRun (if dry-run t :json-false)
                                           :onError "skip"))))

(define-derived-mode quickvault-report-mode special-mode "QuickVault"
  "Major mode for import reports."
  :interactive nil)

(defun quickvault--import-report (file report)
  "Return a buffer with the REPORT of importing FILE."
  (with-current-buffer (get-buffer-create "*QuickVault import*")
    (let ((inhibit-read-only t))
      (quickvault-report-mode)
      (quickvault--protect-buffer #'quickvault)
      (quickvault--erase)
      (insert (propertize (file-name-nondirectory file) 'face 'quickvault-title) "\n"
              (quickvault--text "%s, %s.  Entries: %d; %s: %d, duplicates: %d, skipped: %d"
                                (plist-get report :format) (plist-get report :encoding)
                                (plist-get report :total)
                                (quickvault--display-name (if (zerop (plist-get report :imported)) "ready" "imported"))
                                (quickvault--importable-count report)
                                (plist-get report :duplicates) (plist-get report :skipped))
              "\n")
      (quickvault--insert-mapping (plist-get report :mapping))
      (seq-doseq (item (plist-get report :items))
        (quickvault--insert-import-item item))
      (unless (zerop (plist-get report :itemsLeftOut))
        (insert "\n" (quickvault--text "Not listed: %d" (plist-get report :itemsLeftOut)) "\n"))
      (quickvault--mark-contents)
      (set-buffer-modified-p nil)
      (goto-char (point-min)))
    (current-buffer)))

(defun quickvault--insert-mapping (mapping)
  "Insert MAPPING, the targets of the columns of a table."
  (unless (seq-empty-p mapping)
    (insert "\n" (propertize (quickvault--text "Columns") 'face 'quickvault-label) "\n")
    (seq-doseq (column mapping)
      (insert (format "  %s → %s\n" (plist-get column :column) (or (plist-get column :target) "—"))))))

(defun quickvault--insert-import-item (item)
  "Insert a line about ITEM of the report, with its issues and warnings below."
  (insert (format "\n%5s  %s  %s\n" (or (plist-get item :line) "")
                  (quickvault--display-name (plist-get item :outcome))
                  (quickvault--one-line (or (plist-get item :title) ""))))
  (seq-doseq (remark (append (plist-get item :issues) (plist-get item :warnings) nil))
    (insert (quickvault--issue-text remark) "\n")))

;;; Export and backup

;;;###autoload
(defun quickvault-export (file format &optional cards)
  "Export all cards, or CARDS only, to FILE in FORMAT.
The file is not encrypted; the password is asked for."
  (interactive (quickvault--read-export))
  (when (if cards
            (quickvault--confirm "%sThe file with %s will not be encrypted.  Write it?"
                                 (quickvault--export-lacks format cards) (quickvault--card-count-text (length cards)))
          (quickvault--confirm "%sThe file will not be encrypted.  Write it?" (quickvault--export-lacks format nil)))
    (quickvault--with-current-password
     (quickvault--text "Master password")
     (lambda (password handlers)
       (when-let ((answer (quickvault--write-by-path
                           file
                           (lambda (path)
                             (quickvault--with-progress
                              (quickvault--text "Exporting...") 'vault/export
                              (append (list :path path :format format :password password)
                                      (and cards (list :ids (vconcat (mapcar (lambda (card) (plist-get card :id)) cards))))
                                      (and (file-exists-p path) '(:overwrite t)))
                              handlers)))))
         (quickvault--log-message (quickvault--export-text answer))
         answer)))))

;;;###autoload
(defun quickvault-export-cards (cards file format)
  "Export CARDS, the marked ones or the one at point, to FILE in FORMAT.
The file is not encrypted; the password is asked for."
  (interactive (cons (quickvault--read-cards (quickvault--text "Export card")) (quickvault--read-export)))
  (quickvault-export file format cards))

(defun quickvault--read-export ()
  "Read the file and the format of an export."
  (let ((format (or (quickvault--complete
                     (quickvault--text "Format")
                     '(("json" . "json") ("csv" . "csv") ("vcard" . "vcard") ("markdown" . "markdown")))
                    (user-error "%s" (quickvault--text "No format was chosen")))))
    (list (quickvault--read-target
           (concat "quickvault." (or (cdr (assoc format '(("vcard" . "vcf") ("markdown" . "md")))) format)))
          format)))

(defun quickvault--export-lacks (format cards)
  "Return a text about what a file in FORMAT lacks of CARDS, or of all."
  (cl-flet ((total (method &rest parameters)
              (plist-get (quickvault--request method (append parameters '(:limit 1))) :total)))
    (let ((others (cond ((not (equal format "vcard")) 0)
                        (cards (seq-count (lambda (card) (not (equal "address" (plist-get card :type)))) cards))
                        (t (- (total 'card/list) (total 'card/list :type "address")))))
          (attached (cond ((equal format "json") 0)
                          (cards (seq-count (lambda (card) (not (seq-empty-p (plist-get card :attachments)))) cards))
                          (t (total 'card/search :query "has:attachment")))))
      (concat (if (zerop others) "" (quickvault--text "Left out, because they are no addresses: %s.  "
                                                      (quickvault--card-count-text others)))
              (if (equal format "vcard") (quickvault--text "Concealed values are left out.  ") "")
              (if (zerop attached) "" (quickvault--text "Attachments are left out, of %s.  "
                                                        (quickvault--card-count-text attached)))))))

(defun quickvault--export-text (answer)
  "Return a text about ANSWER, with what the file does not have."
  (pcase-let ((`(,cards ,attachments ,damaged)
               (mapcar (lambda (member) (or (plist-get answer member) 0))
                       '(:cardsLeftOut :attachmentsLeftOut :damaged))))
    (concat (quickvault--text "Wrote %s" (plist-get answer :path))
            (if (= 0 cards attachments damaged) ""
              (quickvault--text ".  Without: cards: %d, attachments: %d, damaged: %d" cards attachments damaged)))))

;;;###autoload
(defun quickvault-backup (directory &optional keep)
  "Back up the vault to a file in DIRECTORY, named after the vault and the time.
With a prefix argument, ask how many backups to KEEP; delete older ones."
  (interactive
   (list (expand-file-name (read-directory-name (quickvault--text "Back up to directory: ") nil nil t))
         (and current-prefix-arg (read-number (quickvault--text "Number of backups to keep: ") 7))))
  (when (and keep (file-remote-p directory))
    (user-error "%s" (quickvault--text "Old backups are deleted on this machine only")))
  (let ((answer (quickvault--write-by-path
                 (file-name-as-directory directory)
                 (lambda (path)
                   (quickvault--with-progress (quickvault--text "Making a backup...") 'vault/backup
                                              (append (list :path path) (and keep (list :keep keep))))))))
    (if (equal (plist-get answer :integrity) "damaged")
        (display-warning 'quickvault
                         (quickvault--text "The vault is damaged, and so is this backup: %s" (plist-get answer :path)))
      (quickvault--log-message (quickvault--text "Wrote %s" (plist-get answer :path))))))

;;; Merge

;;;###autoload
(defun quickvault-merge (file)
  "Merge FILE, another copy of this vault, into this vault.
Ask for its password only if the key of this vault does not open it.
The copy itself is not changed."
  (interactive
   (list (expand-file-name (let (file-name-history)
                             (read-file-name (quickvault--text "Merge copy: ") nil nil t)))))
  (quickvault--read-by-path
   file
   (lambda (path)
     (quickvault--merge
      (list :path path)
      `(("merge.passwordRequired"
         . ,(lambda (_data)
              (quickvault--with-current-password
               (quickvault--text "Master password of the copy")
               (lambda (password handlers)
                 (quickvault--merge (list :path path :password password) handlers)))
              nil)))))))

(defun quickvault--merge (params handlers)
  "Merge a copy with PARAMS and say what was changed; return the answer.
HANDLERS are as for `quickvault--request'."
  (when-let ((answer (quickvault--with-progress
                      (quickvault--text "Merging...") 'vault/merge params handlers)))
    (quickvault--refresh-all)
    (let ((conflicts (+ (length (plist-get answer :conflicts))
                        (or (plist-get answer :conflictsLeftOut) 0))))
      (quickvault--log-message
       (concat (quickvault--text "Merged.  Added: %d, changed: %d, deleted: %d, kept in both versions: %d"
                                 (plist-get answer :added) (plist-get answer :updated)
                                 (plist-get answer :deleted) conflicts)
               (if (zerop conflicts) "" (quickvault--text ".  M-x quickvault-conflicts settles them")))))
    answer))

;;; Demo

;;;###autoload
(defun quickvault-demo ()
  "Start a demo with sample cards, or leave it and delete them.
Your own vault stays locked during the demo."
  (interactive)
  (unless (quickvault--forms-kill-p)
    (user-error "%s" (quickvault--text "Nothing was changed.")))
  (let ((vault (and (quickvault--running-p) (plist-get (quickvault--request 'vault/status) :path))))
    (when quickvault--connection (quickvault--end quickvault--connection))
    ;; An exit of the program alone would not blank unsaved input.
    (run-hook-with-args 'quickvault-lock-functions "request")
    (setq quickvault--demo (not quickvault--demo))
    (cond (quickvault--demo
           (quickvault--ensure-connection)
           (setq quickvault--unlocked t)
           (quickvault)
           (quickvault--log-message
            (quickvault--text "These are sample cards.  Use M-x quickvault-demo again to leave and delete them.")))
          ((not vault)
           (quickvault--log-message (quickvault--text "The demo is over.")))
          ((file-exists-p vault)
           (user-error "%s" (quickvault--text "The sample cards were not deleted: delete %s" (file-name-directory vault))))
          (t (quickvault--log-message (quickvault--text "The sample cards were deleted."))))))

(provide 'quickvault-transfer)
;;; quickvault-transfer.el ends here
