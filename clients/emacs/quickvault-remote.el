;;; quickvault-remote.el --- Files of other machines  -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The QuickVault authors

;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; The program knows only the files of this machine.  What is read from another one is
;; sent to it as content, or copied to a directory that is deleted afterwards; what is
;; written goes through such a directory.

;;; Code:

(require 'quickvault-minibuffer)

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

(provide 'quickvault-remote)
;;; quickvault-remote.el ends here
