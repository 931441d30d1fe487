;;; quickvault-text.el --- What a person reads, in English and Chinese  -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The QuickVault authors

;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; The English text is the key, so that the code reads as it speaks; a test sees to
;; it that each has its Chinese one.

;;; Code:

(require 'seq)
(require 'subr-x)
(require 'quickvault-chinese)

(defcustom quickvault-language 'auto
  "The language to speak: that of the system's locale, or one's own choice.
The vault's own setting, where it is not automatic, goes before."
  :group 'quickvault
  :type '(choice (const :tag "That of the system" auto)
                 (const :tag "English" "en")
                 (const :tag "简体中文" "zh-Hans")))

(defvar quickvault--language nil
  "The language of the conversation, or nil before there is one.")

(defun quickvault--locale ()
  "The locale to begin a conversation with."
  (if (stringp quickvault-language)
      quickvault-language
    (or (seq-find (lambda (value) (and value (not (string-empty-p value))))
                  (mapcar #'getenv '("LC_ALL" "LC_MESSAGES" "LANG")))
        "en")))

(defvar quickvault--names)

(defun quickvault--chinese-p ()
  "Whether to speak Chinese."
  (string-prefix-p "zh" (or quickvault--language (quickvault--locale))))

(defun quickvault--follow-language (settings)
  "Speak the language that SETTINGS of the vault name."
  (let ((language (plist-get settings :language)))
    (setq quickvault--language (if (equal language "auto") nil language))))

(defun quickvault--own-language (texts)
  "That of TEXTS, a plist by language, which is in the language spoken."
  (plist-get texts (if (quickvault--chinese-p) :zh-Hans :en)))

(defun quickvault--text (english &rest arguments)
  "ENGLISH or its Chinese, with ARGUMENTS in their places."
  (apply #'format
         (or (and (quickvault--chinese-p) (cdr (assoc english quickvault--chinese)))
             english)
         arguments))

(defun quickvault--name-of (value)
  "The name for a person of VALUE, one that the protocol enumerates."
  (let ((names (cdr (assoc value quickvault--names))))
    (cond ((null names) value)
          ((quickvault--chinese-p) (cadr names))
          (t (car names)))))

;;; The texts

(defconst quickvault--names
  '(("address" "Address" "地址")
    ("invoice" "Invoice" "发票")
    ("text" "Text" "文本")
    ("personal" "Personal" "个人")
    ("company" "Company" "公司")
    ("labelled" "with labels" "带名称")
    ("values" "values only" "只有内容")
    ("oneLine" "in one line" "一行")
    ("markdown" "as Markdown" "Markdown")
    ("json" "as JSON" "JSON")
    ("template" "by a template" "按模板")
    ("unlocked" "Unlocked" "已解锁")
    ("wrongPassword" "Wrong password" "密码错误")
    ("lockedOut" "A wait began" "开始等待")
    ("refused" "Tried during the wait" "等待期间尝试")
    ("locked" "Locked" "已锁定")
    ("passwordChanged" "Password changed" "密码已更改")
    ("created" "Vault created" "已创建保险库")
    ("repaired" "Damaged, and repaired" "曾损坏，已修复")
    ("settingsForged" "Settings were tampered with" "设置被篡改")
    ("memoryNotLocked" "Memory could not be locked" "无法锁定内存")
    ("password" "by password" "用密码")
    ("request" "on request" "主动锁定")
    ("timeout" "not used for a while" "闲置超时")
    ("background" "went to the background" "转入后台")
    ("deviceLocked" "with the desktop" "随桌面锁定")
    ("sleep" "before sleep" "睡眠前")
    ("shutdown" "the program ended" "程序结束"))
  "What the protocol enumerates, in English and Chinese.")

(provide 'quickvault-text)
;;; quickvault-text.el ends here
