;;; quickvault-text.el --- What a person reads, in English and Chinese  -*- lexical-binding: t; -*-

;;; Commentary:

;; The English text is the key, so that the code reads as it speaks; a test sees to
;; it that each has its Chinese one.

;;; Code:

(require 'seq)
(require 'subr-x)

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

(defvar quickvault--chinese)
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

(defconst quickvault--chinese
  '(("  No cards yet.  c creates one." . "  还没有卡片，按 c 新建。")
    ("  Nothing matches.  a shows all." . "  没有匹配的卡片，按 a 显示全部。")
    (" (required)" . "（必填）")
    ("! Not saved.  To mend: %d" . "! 未保存，需改正：%d 处")
    ("%d cards" . "%d 张卡片")
    ("%d of %d, + reads more" . "%d / %d，按 + 读取更多")
    ("%s: RET copies it" . "%s：按 RET 复制")
    ("Add a field" . "添加字段")
    ("As" . "样式")
    ("C-c C-c saves, C-c C-k cancels, TAB goes on."
     . "C-c C-c 保存，C-c C-k 取消，TAB 到下一项。")
    ("Cancel" . "取消")
    ("Checking the vault..." . "正在检查保险库…")
    ("Clear the clipboard after so many seconds; empty for never"
     . "多少秒后清除剪贴板；留空为从不")
    ("Conceal value %d" . "隐藏内容 %d")
    ("Concealed values are shown on a card's page" . "隐藏内容在卡片页中显示")
    ("Copy a field of" . "复制字段，卡片")
    ("Copy templates, with field keys in braces: {name} {phone}"
     . "复制模板，字段名写在花括号中：{name} {phone}")
    ("Copy" . "复制")
    ("Create" . "新建")
    ("Delete" . "删除")
    ("Delete “%s” for good?" . "永久删除“%s”？")
    ("Discard what you typed?" . "放弃已输入的内容？")
    ("Edit" . "编辑")
    ("Edit: %s" . "编辑：%s")
    ("Event" . "事件")
    ("Every card will be gone for good.  Type the vault's file name, %s, to go on: "
     . "所有卡片将被永久删除。要继续，请输入保险库的文件名 %s：")
    ("Everything is locked by one master password.  Without it there is no way back to what is inside."
     . "一切都由一个主密码锁住。忘记密码便无法再取回其中的内容。")
    ("Field" . "字段")
    ("Found" . "匹配处")
    ("Group" . "分组")
    ("Group, or nothing for all" . "分组，留空为全部")
    ("It keeps addresses, invoice details and notes encrypted, and copies them in a keystroke."
     . "它加密保存地址、开票信息和笔记，一键即可复制。")
    ("Label %d" . "名称 %d")
    ("Language" . "语言")
    ("Lock after so many seconds without use; empty for never" . "闲置多少秒后锁定；留空为从不")
    ("Lock before the machine sleeps" . "电脑睡眠前锁定")
    ("Lock when Emacs goes to the background" . "Emacs 转入后台时锁定")
    ("Lock with the desktop" . "随桌面一起锁定")
    ("Master password" . "主密码")
    ("Modified %s, created %s" . "修改于 %s，创建于 %s")
    ("Modified" . "修改时间")
    ("More fields" . "更多字段")
    ("New card: %s" . "新建卡片：%s")
    ("New master password, at least 8 characters" . "新的主密码，至少 8 个字符")
    ("No answer within the time (%s).  Try again; if it stays so, kill the program quickvault"
     . "未在限定时间内得到回答（%s）。请重试；若仍如此，请结束 quickvault 程序")
    ("No card was chosen" . "没有选择卡片")
    ("No field was chosen" . "没有选择字段")
    ("No style was chosen" . "没有选择样式")
    ("No type was chosen" . "没有选择类型")
    ("Now choose the master password." . "现在请设定主密码。")
    ("Pin or unpin" . "置顶或取消置顶")
    ("Pinned" . "置顶")
    ("RET copies a value, w the card, e edits, v shows what is concealed, ? helps."
     . "RET 复制内容，w 复制整张卡片，e 编辑，v 显示隐藏内容，? 帮助。")
    ("RET unlocks it, q leaves." . "按 RET 解锁，按 q 离开。")
    ("Remove field %d" . "移除字段 %d")
    ("Save" . "保存")
    ("Search: " . "搜索：")
    ("Settings of the vault" . "保险库设置")
    ("Settings saved." . "设置已保存。")
    ("Show" . "显示")
    ("Someone changed this card meanwhile." . "这张卡片刚被其他程序修改。")
    ("Something is missing from the vault or was put back.  M-x quickvault-verify says more; what opens can be read."
     . "保险库中有内容缺失或被换回旧版。用 M-x quickvault-verify 查看详情；能打开的仍可读取。")
    ("Tag, or nothing for all" . "标签，留空为全部")
    ("Tags" . "标签")
    ("Tags, with commas between" . "标签，用逗号分隔")
    ("Template, with field keys in braces: " . "模板，字段名写在花括号中：")
    ("That is all." . "已全部显示。")
    ("That is not its name.  Nothing was deleted" . "文件名不符，没有删除任何内容")
    ("The master password as it is now" . "现在的主密码")
    ("The master password was changed." . "主密码已更改。")
    ("The program %s was not found.  Install it, or set `quickvault-program'"
     . "找不到程序 %s。请先安装，或设置 `quickvault-program'")
    ("The program quickvault does not answer.  Is `quickvault-program' right?"
     . "程序 quickvault 没有回答。`quickvault-program' 是否正确？")
    ("The program quickvault ended at once.  Run `quickvault --version' in a terminal to see why"
     . "程序 quickvault 一启动就结束了。请在终端运行 `quickvault --version' 查看原因")
    ("The program quickvault ended before it answered (%s).  The next command starts it again; look whether a change was kept"
     . "程序 quickvault 在回答之前结束了（%s）。下一个命令会重新启动它；请检查修改是否已保存")
    ("The program quickvault ended; the next command starts it again."
     . "程序 quickvault 已结束；下一个命令会重新启动它。")
    ("The program quickvault is newer than this package.  Update the package"
     . "程序 quickvault 比本软件包新。请更新本软件包")
    ("The program quickvault is too old for this package.  Install a newer one"
     . "程序 quickvault 对本软件包而言太旧。请安装新版本")
    ("The program quickvault refused the request (%s, error %s)"
     . "程序 quickvault 拒绝了请求（%s，错误 %s）")
    ("The same password again" . "再次输入同一密码")
    ("The two differ.  " . "两次输入不同。")
    ("The vault is damaged.  Records that do not open: %d of %d.  Restore the file from a backup"
     . "保险库已损坏。无法打开的记录：%d / %d。请用备份恢复文件")
    ("The vault is locked." . "保险库已锁定。")
    ("The vault is unlocked." . "保险库已解锁。")
    ("The vault is whole.  Cards: %d" . "保险库完好。卡片：%d")
    ("The vault was deleted." . "保险库已删除。")
    ("The vault was locked before the machine slept." . "电脑睡眠前，保险库已锁定。")
    ("The vault was locked with the desktop." . "保险库已随桌面锁定。")
    ("The vault was locked: Emacs went to the background." . "Emacs 转入后台，保险库已锁定。")
    ("The vault was locked: it was not used for a while." . "闲置已久，保险库已锁定。")
    ("The vault was locked: its password was changed elsewhere."
     . "密码已在别处更改，保险库已锁定。")
    ("The vault will be %s." . "保险库将位于 %s。")
    ("This card was deleted elsewhere." . "这张卡片已被其他程序删除。")
    ("Title" . "标题")
    ("Too many wrong passwords.  The next try is in %d s; any key leaves"
     . "密码错误次数过多，%d 秒后可再试；按任意键离开")
    ("Too many wrong passwords.  Try again in %d s" . "密码错误次数过多，请 %d 秒后再试")
    ("Type" . "类型")
    ("Type, or nothing for all" . "类型，留空为全部")
    ("Unlock by fingerprint from now on?" . "以后用指纹解锁？")
    ("Unlocked.  Cards: %d" . "已解锁。卡片：%d")
    ("Value %d" . "内容 %d")
    ("Welcome to QuickVault." . "欢迎使用随取（QuickVault）。")
    ("What is in the vault is not written to files" . "保险库的内容不会写入文件")
    ("When" . "时间")
    ("Why" . "原因")
    ("Wrong password; %d more tries before a wait.  " . "密码错误；再错 %d 次须等待。")
    ("Wrong password; 1 more try before a wait.  " . "密码错误；再错 1 次须等待。")
    ("as the system's" . "跟随系统")
    ("keep editing" . "继续编辑")
    ("overwrite it" . "覆盖")
    ("pinned" . "已置顶")
    ("see theirs" . "查看对方的修改")
    ("tags: %s" . "标签：%s")
    ("•••••••• (concealed)" . "••••••••（已隐藏）")
    ("Show the card" . "显示卡片")
    ("Copy the card" . "复制卡片")
    ("Copy a field" . "复制字段")
    ("Copy the card in another style" . "以其他样式复制卡片")
    ("Show or hide what is concealed (on a card's page)" . "显示或隐藏保密内容（在卡片页）")
    ("Create a card" . "新建卡片")
    ("Edit the card" . "编辑卡片")
    ("Delete the card" . "删除卡片")
    ("Pin the card, or let it go" . "置顶或取消置顶")
    ("Search while typing" . "边输入边搜索")
    ("Only cards with a tag" . "只看某标签的卡片")
    ("Only cards of a group" . "只看某分组的卡片")
    ("Only cards of a type" . "只看某类型的卡片")
    ("All cards again" . "重新显示全部卡片")
    ("Read more cards" . "读取更多卡片")
    ("Read the list or the page again" . "刷新列表或卡片页")
    ("Lock the vault now" . "立即锁定保险库")
    ("What happened to the lock" . "锁定与解锁记录")
    ("Help" . "帮助")
    ("Leave the buffer" . "离开缓冲区")
    ("Change the master password" . "更改主密码")
    ("Check the whole vault" . "检查整个保险库")
    ("Delete the vault for good" . "永久删除保险库"))
  "An alist of English texts and their Chinese ones.")

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
