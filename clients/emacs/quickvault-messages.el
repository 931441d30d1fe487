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

(defun quickvault--fail (english &rest arguments)
  "Signal a `user-error' with ENGLISH, or its translation, and ARGUMENTS."
  (user-error "%s" (apply #'quickvault--text english arguments)))

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

;;; Keys

(defun quickvault--keymap (parent &rest bindings)
  "Return a keymap with PARENT and BINDINGS, keys and commands."
  (let ((map (make-sparse-keymap)))
    (set-keymap-parent map parent)
    (cl-loop for (key command) on bindings by #'cddr do (define-key map (kbd key) command))
    map))

;;; Display names

(defconst quickvault--display-names
  '(("address" "Address" "地址")
    ("invoice" "Invoice" "发票")
    ("title" "Invoice title" "发票抬头")
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

(defconst quickvault--card-types '("address" "invoice" "title" "text")
  "The types of cards.")

;;; Cards and times as text

(defun quickvault--describe-card (card)
  "Describe CARD in one line, for annotations and screen readers."
  (string-join
   (delq nil
         (list (and (eq (plist-get card :pinned) t) (quickvault--text "pinned"))
               (quickvault--display-name (plist-get card :type))
               (quickvault--display-name (plist-get card :group))
               (and (> (length (plist-get card :tags)) 0)
                    (quickvault--text "tags: %s" (quickvault--one-line (string-join (plist-get card :tags) ", "))))))
   " · "))

(defun quickvault--one-line (text)
  "Return TEXT with its line breaks and tabs replaced by spaces."
  (if (string-match-p "[\n\r\t\u2028\u2029]" text)
      (replace-regexp-in-string "[\n\r\t\u2028\u2029]" " " text)
    text))

(defun quickvault--short-line (text)
  "Return TEXT on one line, and truncated to what a prompt has room for."
  (truncate-string-to-width (quickvault--one-line text) 50 nil nil t))

(defun quickvault--time (text)
  "Format TEXT, an RFC 3339 timestamp, in local time."
  (cl-flet ((number (from to) (string-to-number (substring text from to))))
    (format-time-string "%Y-%m-%d %H:%M"
                        ;; QuickVault's timestamps are in UTC.
                        (encode-time (list 0 (number 14 16) (number 11 13) (number 8 10) (number 5 7) (number 0 4)
                                           nil nil t)))))

(defun quickvault--card-count-text (cards)
  "Return a text for a number of CARDS."
  (if (= cards 1) (quickvault--text "1 card") (quickvault--text "%d cards" cards)))

(defun quickvault--filtered-query (query filter)
  "Return QUERY with FILTER added in the query language."
  (string-join
   `(,query
     ,@(when-let ((group (plist-get filter :group))) (list (concat "group:" group)))
     ,@(when-let ((type (plist-get filter :type))) (list (concat "type:" type)))
     ;; Any quotation mark ends a phrase, so split a tag with one into parts.
     ,@(mapcar (lambda (part) (format "tag:\"%s\"" part))
               (split-string (or (plist-get filter :tag) "") "[\"“”＂]" t)))
   " "))

(provide 'quickvault-messages)
;;; quickvault-messages.el ends here
