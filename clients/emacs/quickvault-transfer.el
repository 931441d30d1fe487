;;; quickvault-transfer.el --- Import, export, backup and merge  -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The QuickVault authors

;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; What goes into the vault and out of it as a whole is done by qv, which knows the files
;; of this machine only.

;;; Code:

(require 'quickvault-attachments)
(require 'quickvault-commands)

(declare-function quickvault "quickvault")
(autoload 'quickvault--forms-kill-p "quickvault-form")

;;; Files of this machine and of others

(defun quickvault--run-on-copy (again file &rest words)
  "Run qv with WORDS and the path of FILE, or of a copy if FILE is remote.
AGAIN does it again."
  (if (not (file-remote-p file))
      (apply #'quickvault--run (append words (list (quickvault--local-path file))))
    (let* ((directory (quickvault--make-directory))
           (copy (expand-file-name (file-name-nondirectory file) directory)))
      (copy-file file copy)
      (quickvault-qv (quickvault--edited (append words (list copy))) again
                     (lambda (_) (delete-directory directory t))))))

(defun quickvault--run-to-file (again file &rest words)
  "Run qv with WORDS and the path of FILE, to write it.
If FILE is remote, what qv writes elsewhere is copied there; FILE may be
a directory to write into.  AGAIN does it again."
  (if (not (file-remote-p file))
      (apply #'quickvault--run (append words (list (quickvault--local-path file))))
    (let ((directory (quickvault--make-directory)))
      (quickvault-qv
       (quickvault--edited (append words (list (if (directory-name-p file) directory
                                                 (expand-file-name (file-name-nondirectory file) directory)))))
       again
       (lambda (status)
         (unwind-protect
             (when status
               (dolist (written (directory-files directory t directory-files-no-dot-files-regexp))
                 (copy-file written (if (directory-name-p file) file (file-name-directory file)) t)))
           (delete-directory directory t)))))))

;;; Import and merge

(defun quickvault--read-file (prompt)
  "Read the name of a file with PROMPT, and keep it out of the history."
  (let (file-name-history)
    (expand-file-name (read-file-name prompt nil nil t))))

;;;###autoload
(defun quickvault-import (file)
  "Import the cards in FILE, after a preview and a question."
  (interactive (list (quickvault--read-file (quickvault--text "Import file: "))))
  (quickvault--run-on-copy (lambda () (quickvault-import file)) file "import"))

;;;###autoload
(defun quickvault-import-buffer ()
  "Import the cards in this buffer, or in the region if it is active.
Nothing is written to a file: qv reads the text from a pipe."
  (interactive)
  (let* ((text (encode-coding-string (if (use-region-p) (buffer-substring-no-properties (region-beginning) (region-end))
                                       (buffer-substring-no-properties (point-min) (point-max)))
                                     'utf-8-unix))
         (directory (quickvault--make-directory))
         (pipe (expand-file-name "pipe" directory)))
    (call-process "mkfifo" nil nil nil "-m" "600" pipe)
    (let ((writer (make-process :name "quickvault-pipe" :connection-type 'pipe :noquery t :sentinel #'ignore
                                :coding 'no-conversion
                                :command (list "/bin/sh" "-c" "exec cat >\"$0\"" pipe))))
      (process-send-string writer text)
      (process-send-eof writer)
      (clear-string text)
      (quickvault-qv (quickvault--edited '("import" "-"))
                     (lambda () (user-error "%s" (quickvault--text "Import the buffer again instead")))
                     (lambda (_)
                       (delete-process writer)
                       (delete-directory directory t))
                     pipe))))

;;;###autoload
(defun quickvault-merge (file)
  "Merge FILE, another copy of this vault, into this vault.
The copy itself is not changed."
  (interactive (list (quickvault--read-file (quickvault--text "Merge copy: "))))
  (quickvault--run-on-copy (lambda () (quickvault-merge file)) file "merge"))

;;; Export and backup

;;;###autoload
(defun quickvault-export (file)
  "Export all cards to FILE, which is not encrypted.
The format is that of its name."
  (interactive (list (quickvault--read-target "quickvault.json")))
  (quickvault--run-to-file (lambda () (quickvault-export file)) file "export"))

;;;###autoload
(defun quickvault-backup (directory)
  "Back up the vault to a file in DIRECTORY, named after the vault and the time."
  (interactive
   (list (expand-file-name (read-directory-name (quickvault--text "Back up to directory: ") nil nil t))))
  (quickvault--run-to-file (lambda () (quickvault-backup directory)) (file-name-as-directory directory) "backup"))

;; qv exports all cards only.
;;;###autoload
(defun quickvault-export-cards (cards file format)
  "Export CARDS, the marked ones or the one at point, to FILE in FORMAT.
The file is not encrypted; the password is asked for."
  (interactive (cons (quickvault--read-cards (quickvault--text "Export card")) (quickvault--read-export)))
  (when (quickvault--confirm "%sThe file with %s will not be encrypted.  Write it?"
                             (quickvault--export-lacks file format cards) (quickvault--card-count-text (length cards)))
    (quickvault--with-current-password
     (quickvault--text "Master password")
     (lambda (password handlers)
       (when-let ((answer (quickvault--write-by-path
                           file
                           (lambda (path)
                             (quickvault--with-progress
                              (quickvault--text "Exporting...") 'vault/export
                              (append (quickvault--export-parameters path format cards)
                                      (list :password password)
                                      (and (file-exists-p path) '(:overwrite t)))
                              handlers)))))
         (quickvault--log-message (quickvault--export-text answer))
         answer)))))

(defun quickvault--read-export ()
  "Read the file and the format of an export."
  (let ((format (or (quickvault--complete
                     (quickvault--text "Format")
                     '(("json" . "json") ("csv" . "csv") ("vcard" . "vcard") ("markdown" . "markdown")))
                    (user-error "%s" (quickvault--text "No format was chosen")))))
    (list (quickvault--read-target
           (concat "quickvault." (or (cdr (assoc format '(("vcard" . "vcf") ("markdown" . "md")))) format)))
          format)))

(defun quickvault--export-parameters (file format cards)
  "Return the parameters of an export of CARDS to FILE in FORMAT."
  (list :path file :format format :ids (vconcat (mapcar (lambda (card) (plist-get card :id)) cards))))

(defun quickvault--export-lacks (file format cards)
  "Return a text about what FILE in FORMAT will lack of CARDS."
  (pcase-let ((`(,cards ,concealed ,attachments ,damaged)
               (mapcar (apply-partially #'plist-get
                                        (quickvault--request
                                         'vault/export
                                         (append (quickvault--export-parameters (file-local-name file) format cards)
                                                 '(:dryRun t))))
                       '(:cardsLeftOut :concealedLeftOut :attachmentsLeftOut :damaged))))
    (concat
     (if (zerop cards) ""
       (quickvault--text "Left out, because they are no addresses: %s.  " cards))
     (if (zerop concealed) ""
       (quickvault--text "Concealed values left out: %s.  " concealed))
     (if (zerop attachments) ""
       (quickvault--text "Attachments left out: %s.  " attachments))
     (if (zerop damaged) ""
       (quickvault--text "Unreadable cards or attachments: %s.  " damaged)))))

(defun quickvault--export-text (answer)
  "Return a text about ANSWER, with what the file does not have."
  (pcase-let ((`(,cards ,attachments ,damaged)
               (mapcar (lambda (member) (or (plist-get answer member) 0))
                       '(:cardsLeftOut :attachmentsLeftOut :damaged))))
    (concat (quickvault--text "Wrote %s" (plist-get answer :path))
            (if (= 0 cards attachments damaged) ""
              (quickvault--text ".  Without: cards: %d, attachments: %d, damaged: %d" cards attachments damaged)))))

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
