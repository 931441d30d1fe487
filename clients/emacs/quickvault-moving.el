;;; quickvault-moving.el --- Import, export, backup, merging, mending  -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The QuickVault authors

;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; How cards come into the vault and go out of it, and what keeps the file whole.
;; What would be imported is shown before anything is stored.

;;; Code:

(require 'quickvault-attachments)

(declare-function quickvault "quickvault")
(declare-function quickvault--forms-kill-p "quickvault-form")

;;; Import

(defconst quickvault--column-targets
  '("title" "type" "group" "tags" "name" "phone" "province" "city" "district" "address" "postalCode" "notes"
    "companyName" "taxId" "bankName" "bankAccount" "text" "username" "password" "website" "totp" "extra:"
    "concealed:" "ignore")
  "What a column of a table can be; two of them are followed by a label.")

;;;###autoload
(defun quickvault-import (file &optional format)
  "Import the cards of FILE, after showing what would come of it.
Its content says what it is.  With a prefix argument, ask for the FORMAT,
and for what becomes of each column of a table."
  (interactive
   (list (expand-file-name (let (file-name-history)
                             (read-file-name (quickvault--text "Import the file: ") nil nil t)))
         (and current-prefix-arg (quickvault--read-import-format))))
  (quickvault--import file (list :path file) format))

;;;###autoload
(defun quickvault-import-buffer (&optional format)
  "Import the cards in this buffer, or in its region where that is active.
With FORMAT as `quickvault-import'; nothing of it is written to a file."
  (interactive (list (and current-prefix-arg (quickvault--read-import-format))))
  (let ((text (if (use-region-p)
                  (buffer-substring-no-properties (region-beginning) (region-end))
                (buffer-substring-no-properties (point-min) (point-max)))))
    (quickvault--import (buffer-name)
                        (list :data (base64-encode-string (encode-coding-string text 'utf-8) t))
                        format)))

(defun quickvault--read-import-format ()
  "Read the format of what is imported."
  (quickvault--complete (quickvault--text "Format")
                        (mapcar (lambda (one) (cons one one))
                                '("json" "csv" "vcard" "keepass-xml" "bitwarden-json"))))

(defun quickvault--import (file source format)
  "Import the cards of SOURCE, parameters for FILE, which is a name to show.
FORMAT is nil where the content says it."
  (let* ((params (append source (and format (list :format format))))
         (report (quickvault--import-call params t)))
    (pop-to-buffer (quickvault--import-report file report))
    (when (and current-prefix-arg (not (seq-empty-p (plist-get report :mapping))))
      (setq params (append params (list :mapping (quickvault--read-mapping (plist-get report :mapping))))
            report (quickvault--import-call params t))
      (quickvault--import-report file report))
    (if (zerop (quickvault--importable report))
        (quickvault--notice (quickvault--text "There is nothing to import."))
      (when (if (zerop (plist-get report :skipped))
                (quickvault--confirm "Import %d cards?" (quickvault--importable report))
              (quickvault--confirm "Import %d cards, and leave out those that do not do?"
                                   (quickvault--importable report)))
        (let ((done (quickvault--import-call params nil)))
          (quickvault--import-report file done)
          (quickvault--refresh-all)
          (quickvault--notice (quickvault--text "Imported: %d" (plist-get done :imported))))))))

(defun quickvault--importable (report)
  "How many entries of REPORT can be stored."
  (- (plist-get report :total) (plist-get report :duplicates) (plist-get report :skipped)))

(defun quickvault--read-mapping (mapping)
  "Read what becomes of each column of MAPPING; what is not changed stays."
  (let ((table (make-hash-table :test #'equal)))
    (seq-doseq (column mapping)
      (let ((target (quickvault--without-trace
                      (completing-read (quickvault--text "Column %s is: " (plist-get column :column))
                                       quickvault--column-targets nil nil nil t (plist-get column :target)))))
        (unless (equal target (plist-get column :target))
          (puthash (plist-get column :column) target table))))
    table))

(defun quickvault--import-call (params dry)
  "Ask for an import with PARAMS, or what would come of it if DRY.
Entries that do not do are left out."
  (quickvault--with-progress (quickvault--text "Reading the file...") 'vault/import
                             (append params
                                     (list :dryRun (if dry t :json-false)
                                           :onError
                                           "skip"))))

(define-derived-mode quickvault-report-mode special-mode "QuickVault"
  "Mode of a report about what came into the vault.")

(defun quickvault--import-report (file report)
  "A buffer with REPORT about FILE."
  (with-current-buffer (get-buffer-create "*QuickVault import*")
    (let ((inhibit-read-only t))
      (quickvault-report-mode)
      (quickvault--guard #'ignore)
      (quickvault--erase)
      (insert (propertize (file-name-nondirectory file) 'face 'quickvault-title) "\n"
              (quickvault--text "%s, %s.  Entries: %d; do: %d, duplicates: %d, left out: %d"
                                (plist-get report :format) (plist-get report :encoding)
                                (plist-get report :total) (quickvault--importable report)
                                (plist-get report :duplicates) (plist-get report :skipped))
              "\n")
      (quickvault--insert-mapping (plist-get report :mapping))
      (seq-doseq (item (plist-get report :items))
        (quickvault--insert-import-item item))
      (set-buffer-modified-p nil)
      (goto-char (point-min)))
    (current-buffer)))

(defun quickvault--insert-mapping (mapping)
  "Insert what becomes of the columns of a table by MAPPING."
  (unless (seq-empty-p mapping)
    (insert "\n" (propertize (quickvault--text "Columns") 'face 'quickvault-label) "\n")
    (seq-doseq (column mapping)
      (insert (format "  %s → %s\n" (plist-get column :column) (or (plist-get column :target) "—"))))))

(defun quickvault--insert-import-item (item)
  "Insert a line about ITEM of the report, and below it what is remarked."
  (insert (format "\n%5s  %s  %s\n" (or (plist-get item :line) "")
                  (quickvault--name-of (plist-get item :outcome))
                  (quickvault--one-line (or (plist-get item :title) ""))))
  (seq-doseq (remark (append (plist-get item :issues) (plist-get item :warnings) nil))
    (insert (quickvault--issue-text remark) "\n")))

;;; Export and backup

;;;###autoload
(defun quickvault-export (file format)
  "Write all cards to FILE in FORMAT, not encrypted, after the password."
  (interactive
   (let ((format (or (quickvault--complete
                      (quickvault--text "Format")
                      '(("json" . "json") ("csv" . "csv") ("vcard" . "vcard") ("markdown" . "markdown")))
                     (user-error "%s" (quickvault--text "No format was chosen")))))
     (list (quickvault--read-target
            (concat "quickvault." (or (cdr (assoc format '(("vcard" . "vcf") ("markdown" . "md")))) format)))
           format)))
  (when (quickvault--confirm "The file will not be encrypted.  Write it?")
    (quickvault--with-old-password
     (quickvault--text "Master password")
     (lambda (password handlers)
       (when-let ((answer (quickvault--with-progress
                           (quickvault--text "Exporting...") 'vault/export
                           (append (list :path file :format format :password password)
                                   (and (file-exists-p file) '(:overwrite t)))
                           handlers)))
         (quickvault--notice (quickvault--text "Written: %s" (plist-get answer :path)))
         answer)))))

;;;###autoload
(defun quickvault-backup (directory &optional keep)
  "Make a backup of the vault in DIRECTORY, named after the vault and the time.
With a prefix argument, ask how many to KEEP; older ones are removed."
  (interactive
   (list (expand-file-name (read-directory-name (quickvault--text "Backup in: ") nil nil t))
         (and current-prefix-arg (read-number (quickvault--text "Keep how many: ") 7))))
  (let ((answer (quickvault--with-progress
                 (quickvault--text "Making a backup...") 'vault/backup
                 (append (list :path directory) (and keep (list :keep keep))))))
    (if (equal (plist-get answer :integrity) "damaged")
        (display-warning 'quickvault
                         (quickvault--text "The vault is damaged, and so is this backup: %s" (plist-get answer :path)))
      (quickvault--notice (quickvault--text "Written: %s" (plist-get answer :path))))))

;;; Merging and mending

;;;###autoload
(defun quickvault-merge (file)
  "Take in what another copy of this vault, FILE, has that this one has not.
Its password is asked for.  The copy stays as it is."
  (interactive
   (list (expand-file-name (let (file-name-history)
                             (read-file-name (quickvault--text "Merge the copy: ") nil nil t)))))
  (quickvault--with-old-password
   (quickvault--text "Master password of the copy")
   (lambda (password handlers)
     (when-let ((answer (quickvault--with-progress
                         (quickvault--text "Merging...") 'vault/merge
                         (list :path file :password password) handlers)))
       (quickvault--refresh-all)
       (quickvault--notice
        (quickvault--text "Merged.  Added: %d, changed: %d, deleted: %d, kept twice: %d"
                          (plist-get answer :added) (plist-get answer :updated)
                          (plist-get answer :deleted) (length (plist-get answer :conflicts))))
       answer))))

;;;###autoload
(defun quickvault-repair ()
  "Make an intact vault of a damaged one, of all that opens; a copy is made first."
  (interactive)
  (when (quickvault--confirm "Copy the damaged file, and keep every record that opens?")
    (quickvault--with-old-password
     (quickvault--text "Master password")
     (lambda (password handlers)
       (when-let ((answer (quickvault--request 'vault/repair (list :password password) handlers
                                               quickvault-password-timeout)))
         (quickvault--report
          (if-let ((backup (plist-get answer :backup)))
              (quickvault--text "The vault is whole.  Cards kept: %d, records let go: %d.  The damaged file is %s"
                                (plist-get (plist-get answer :kept) :cards)
                                (length (plist-get answer :dropped)) backup)
            (quickvault--text "The vault is whole; nothing was changed.")))
         answer)))))

;;; Demo and doctor

;;;###autoload
(defun quickvault-doctor ()
  "Show what is there of all that the vault can use, and what to do for the rest."
  (interactive)
  (let ((program (or (executable-find quickvault-program)
                     (user-error "%s" (quickvault--text "The program %s was not found.  Install it, or set `quickvault-program'"
                                                        quickvault-program))))
        (vault (and quickvault-vault-file (list "--vault" (expand-file-name quickvault-vault-file))))
        (language (if (quickvault--chinese-p) "LC_ALL=zh_CN.UTF-8" "LC_ALL=C.UTF-8")))
    (with-current-buffer (get-buffer-create "*QuickVault doctor*")
      (let ((inhibit-read-only t)
            (default-directory "/")
            (process-environment (cons language process-environment))
            (coding-system-for-read 'utf-8))
        (special-mode)
        (erase-buffer)
        (apply #'call-process program nil t nil "doctor" vault)
        (goto-char (point-min)))
      (pop-to-buffer (current-buffer)))))

;;;###autoload
(defun quickvault-demo ()
  "Try everything with a vault of sample cards, which is gone when it is left.
The vault of one's own stays locked meanwhile; calling this again goes
back to it."
  (interactive)
  (unless (quickvault--forms-kill-p)
    (user-error "%s" (quickvault--text "Nothing was changed.")))
  (when quickvault--connection (quickvault--stop quickvault--connection))
  ;; That the program ended does not blank what is not saved.
  (run-hook-with-args 'quickvault-lock-functions "request")
  (setq quickvault--demo (not quickvault--demo))
  (if quickvault--demo
      (progn
        (quickvault--connected)
        (setq quickvault--unlocked t)
        (quickvault)
        (quickvault--notice (quickvault--text "These are sample cards; nothing of this stays.  M-x quickvault-demo leaves them.")))
    (quickvault--notice (quickvault--text "The sample cards are gone."))))

(provide 'quickvault-moving)
;;; quickvault-moving.el ends here
