;;; quickvault-pipe.el --- Text for other programs  -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The QuickVault authors

;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; `call-process-region' writes its input to a temporary file, so it is not for secrets.

;;; Code:

(defun quickvault--pipe (text program &rest arguments)
  "Return the output of PROGRAM with ARGUMENTS for TEXT, or nil if it fails."
  (with-temp-buffer
    (let* ((default-directory "/")
           (process (make-process :name "quickvault-pipe" :buffer (current-buffer) :command (cons program arguments)
                                  :connection-type 'pipe :coding 'utf-8-unix :noquery t :sentinel #'ignore)))
      ;; The program may exit without reading.
      (ignore-errors
        (process-send-string process text)
        (process-send-eof process))
      (while (or (accept-process-output process 0.1) (process-live-p process)))
      (and (eql 0 (process-exit-status process)) (buffer-string)))))

(provide 'quickvault-pipe)
;;; quickvault-pipe.el ends here
