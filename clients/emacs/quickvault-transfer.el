;;; quickvault-transfer.el --- Import, export, backup and merge  -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The QuickVault authors

;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; What goes into the vault and out of it as a whole is done by qv.  It and the program know
;; only the files of this machine.  What is read from another one is sent to the program as
;; content, or copied to a directory that is deleted afterwards; what is written goes through
;; such a directory.

;;; Code:

(require 'quickvault-qv)

(declare-function quickvault "quickvault")
(autoload 'quickvault--forms-kill-p "quickvault-drafts")

;;; Files of this machine and of others

(defun quickvault--local-path (file)
  "Return the path of FILE, of this machine, without the mark of a quoted name."
  (expand-file-name (file-name-unquote file)))

(defun quickvault--file-parameters (file)
  "Return request parameters for FILE: its path, or its content if it is remote."
  (if (file-remote-p file)
      (list :data (with-temp-buffer
                    (set-buffer-multibyte nil)
                    (insert-file-contents-literally file)
                    (prog1 (base64-encode-string (buffer-string) t)
                      (quickvault--erase))))
    (list :path (quickvault--local-path file))))

(defun quickvault--make-directory ()
  "Return a new private directory, in memory if this session has such a place."
  (let ((temporary-file-directory (or (quickvault--runtime-directory) temporary-file-directory)))
    (file-name-as-directory (make-temp-file "quickvault-" t))))

(defun quickvault--with-local-directory (use)
  "Call USE with a private directory, and delete it and what is in it."
  (let ((directory (quickvault--make-directory)))
    (unwind-protect (funcall use directory)
      (delete-directory directory t))))

(defun quickvault--runtime-directory ()
  "Return the directory for files of this session, or nil."
  (when-let ((directory (getenv "XDG_RUNTIME_DIR")))
    (and (file-writable-p directory) (file-name-as-directory directory))))

(defun quickvault--write-by-path (file use)
  "Call USE with the path of FILE; return its answer, with a path, or nil.
If FILE is remote, call USE with another path, and copy what the answer
says was written; FILE may be a directory to write into."
  (if (file-remote-p file)
      (quickvault--with-local-directory
       (lambda (directory)
         (when-let ((answer (funcall use (if (directory-name-p file) directory
                                           (expand-file-name (file-name-nondirectory file) directory)))))
           (let* ((written (plist-get answer :path))
                  (target (if (directory-name-p file)
                              (expand-file-name (file-name-nondirectory written) file)
                            file)))
             (copy-file written target (not (directory-name-p file)))
             (plist-put (copy-sequence answer) :path target)))))
    (funcall use (quickvault--local-path file))))

(defun quickvault--read-target (name)
  "Read the name of a file to write; the default is NAME."
  (let ((file (expand-file-name (read-file-name (quickvault--text "Write to: ") nil nil nil name))))
    (when (file-directory-p file) (setq file (expand-file-name name file)))
    (when (and (file-exists-p file)
               (not (quickvault--confirm "%s already exists.  Replace it?" file)))
      (user-error "%s" (quickvault--text "Nothing was written")))
    file))

(defun quickvault--run-with-file (file words again &optional writes)
  "Run qv with the value of WORDS, a function, for the path of FILE.
If FILE is remote, that is the path of a copy; if WRITES, of one that qv
makes, and that goes to FILE, or into FILE if that is a directory.  AGAIN
does it again."
  (if (not (file-remote-p file))
      (apply #'quickvault--run (funcall words (quickvault--local-path file)))
    (let* ((directory (quickvault--make-directory))
           (copy (expand-file-name (file-name-nondirectory file) directory)))
      (unless writes (copy-file file copy))
      (quickvault-qv
       (quickvault--edited (funcall words copy)) again
       (lambda (status)
         (unwind-protect
             (when (and writes status)
               (dolist (written (directory-files directory t directory-files-no-dot-files-regexp))
                 (copy-file written (file-name-directory file) t)))
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
  (quickvault--run-with-file file (apply-partially #'list "import") (lambda () (quickvault-import file))))

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
  (quickvault--run-with-file file (apply-partially #'list "merge") (lambda () (quickvault-merge file))))

;;; Export and backup

;;;###autoload
(defun quickvault-export (file &optional cards)
  "Export all cards, or CARDS, to FILE, which is not encrypted.
The format is that of its name, such as .json, .csv, .vcf or .md."
  (interactive (list (quickvault--read-target "quickvault.json")))
  (quickvault--run-with-file
   file (lambda (path) `("export" ,path ,@(mapcar (lambda (card) (plist-get card :id)) cards)))
   (lambda () (quickvault-export file cards)) t))

;;;###autoload
(defun quickvault-export-cards (cards file)
  "Export CARDS, the marked ones or the one at point, to FILE."
  (interactive (list (quickvault--read-cards (quickvault--text "Export card"))
                     (quickvault--read-target "quickvault.json")))
  (quickvault-export file cards))

;;;###autoload
(defun quickvault-backup (directory)
  "Back up the vault to a file in DIRECTORY, named after the vault and the time."
  (interactive
   (list (expand-file-name (read-directory-name (quickvault--text "Back up to directory: ") nil nil t))))
  (quickvault--run-with-file (file-name-as-directory directory) (apply-partially #'list "backup")
                             (lambda () (quickvault-backup directory)) t))

;;; Demo

;;;###autoload
(defun quickvault-demo ()
  "Start a demo with sample cards, or leave it and delete them.
Your own vault stays as it is, and is not shown during the demo."
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
