;;; quickvault-messages.el --- Messages in English and Chinese  -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The QuickVault authors

;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; The English text is the key of its translation.  A test checks that every text
;; has a Chinese translation.

;;; Code:

(require 'cl-lib)
(require 'seq)
(require 'subr-x)
(require 'quickvault-messages-zh)

(defcustom quickvault-language 'auto
  "Language of the messages.
The language in the vault's settings takes precedence unless it is
automatic."
  :group 'quickvault
  :type '(choice (const :tag "Language of the system's locale" auto)
                 (const :tag "English" "en")
                 (const :tag "简体中文" "zh-Hans")))

(defvar quickvault--language nil
  "The language in use, or nil if none was negotiated yet.")

(defun quickvault--locale ()
  "Return the locale to start the program with."
  (if (stringp quickvault-language)
      quickvault-language
    (or (seq-find (lambda (value) (and value (not (string-empty-p value))))
                  (mapcar #'getenv '("LC_ALL" "LC_MESSAGES" "LANG")))
        "en")))

(defvar quickvault--display-names)

(defun quickvault--chinese-p ()
  "Return non-nil if messages are in Chinese."
  (string-prefix-p "zh" (or quickvault--language (quickvault--locale))))

(defun quickvault--apply-language (settings)
  "Switch to the language in SETTINGS, the vault's settings."
  (let ((language (plist-get settings :language)))
    (setq quickvault--language (if (equal language "auto") nil language))))

(defun quickvault--localized (texts)
  "Return the text in the language in use from TEXTS, a plist by language."
  (plist-get texts (if (quickvault--chinese-p) :zh-Hans :en)))

(defconst quickvault--translations
  (let ((table (make-hash-table :test #'equal :size (length quickvault--messages-zh))))
    (pcase-dolist (`(,english . ,chinese) quickvault--messages-zh)
      (puthash english chinese table))
    table)
  "Hash table of the English texts and their Chinese translations.")

(defun quickvault--text (english &rest arguments)
  "Format ENGLISH, or its translation, with ARGUMENTS.
References to commands become their keys in the current buffer."
  (let ((text (or (and (quickvault--chinese-p) (gethash english quickvault--translations))
                  english)))
    (apply #'format
           (if (string-search "\\[" text) (substitute-command-keys text) text)
           arguments)))

(defmacro quickvault--without-log (&rest body)
  "Evaluate BODY, and log no message of it in *Messages*, in any buffer.
Binding the variable `message-log-max' would not do in a protected buffer,
where it is local."
  (declare (indent 0) (debug t))
  `(cl-letf (((default-value 'message-log-max) nil))
     ,@body))

(defun quickvault--display-name (value)
  "Return the display name of VALUE, an enumeration value of the protocol."
  (let ((names (cdr (assoc value quickvault--display-names))))
    (cond ((null names) value)
          ((quickvault--chinese-p) (cadr names))
          (t (car names)))))

;;; Display names

(defconst quickvault--display-names
  '(("address" "Address" "地址")
    ("invoice" "Invoice" "发票")
    ("text" "Text" "文本")
    ("personal" "Personal" "个人")
    ("company" "Company" "公司")
    ("labelled" "with labels" "带名称")
    ("values" "values only" "仅内容")
    ("oneLine" "on one line" "单行")
    ("markdown" "as Markdown" "Markdown")
    ("json" "as JSON" "JSON")
    ("template" "with a template" "按模板"))
  "Display names of the protocol's enumeration values, in English and Chinese.")

(provide 'quickvault-messages)
;;; quickvault-messages.el ends here
