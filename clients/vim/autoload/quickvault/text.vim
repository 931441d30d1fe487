" Messages in English and Chinese.
scriptencoding utf-8

" The language from the server, or empty if it is unknown.
let s:language = ''

let s:texts = {
      \ 'attach.file': ['Attach file: ', '要添加的文件：'],
      \ 'attach.added': ['Attached: %s', '已添加附件：%s'],
      \ 'attach.document': [
      \   '%s: a PDF cannot have a watermark. Attach it without?', '%s：PDF 无法添加水印。要不加水印添加吗？'],
      \ 'attach.document.choices': ["&Attach\n&Leave out", "&A 添加\n&L 不添加"],
      \ 'attach.failed': ['Not attached: %s', '未添加：%s'],
      \ 'attach.there': ['The card already has files of these names and sizes: %s', '卡片中已有名称和大小相同的文件：%s'],
      \ 'attach.unknown': ['No answer yet; look at the card later: %s', '尚无结果，请稍后查看卡片：%s'],
      \ 'attaching': ['Attaching %s...', '正在添加 %s…'],
      \ 'attachment.card': ['Attachments of card (Tab completes): ', '附件所在的卡片（Tab 补全）：'],
      \ 'attachment.delete': ['Delete which attachment?', '要删除哪个附件？'],
      \ 'attachment.export': ['Export which attachment?', '要导出哪个附件？'],
      \ 'attachment.none': ['This card has no attachments. Press A to add one.', '这张卡片没有附件，按 A 添加。'],
      \ 'attachment.preview': ['Show which attachment?', '要显示哪个附件？'],
      \ 'attachment.view': ['Open which attachment?', '要打开哪个附件？'],
      \ 'attachment.watermark': ['Set the watermark of which attachment?', '要设置哪个附件的水印？'],
      \ 'attachments': ['Attachments', '附件'],
      \ 'attempts': ['Password attempts', '密码尝试'],
      \ 'attempts.allowed': ['allowed now', '当前允许'],
      \ 'backup.damaged': ['The vault is damaged, and so is this backup: %s', '保险库已损坏，此备份同样有损坏：%s'],
      \ 'backup.making': ['Making a backup...', '正在备份…'],
      \ 'backup.to': ['Back up to directory: ', '备份到目录：'],
      \ 'blank': ['Locked. Press <CR> or type :QuickVault to unlock.', '已锁定。按 <CR> 或执行 :QuickVault 解锁。'],
      \ 'brackets': [' (%s)', '（%s）'],
      \ 'cancelled': ['Cancelled.', '已取消。'],
      \ 'card.changed': [
      \   "Another program changed this card. Its current version is in the other window.\nMerge the changes, then :w again.",
      \   "这张卡片已被其他程序修改，其当前版本在旁边的窗口中。\n请合并修改，然后再次执行 :w。"],
      \ 'card.deleted.choices': ["&Save as new\n&Cancel", "&S 另存为新卡片\n&C 取消"],
      \ 'card.deleted.question': [
      \   'Another program deleted this card. Save yours as a new card?',
      \   '这张卡片已被其他程序删除。要把您的内容另存为新卡片吗？'],
      \ 'card.deleted': ['This card was deleted.', '这张卡片已被删除。'],
      \ 'card.none': ['There is no card on this line.', '此行没有卡片。'],
      \ 'card.unmerged': [
      \   'You have not merged the changes. Replace the current version of the card with yours?',
      \   '您还没有合并修改。要用您的内容替换这张卡片的当前版本吗？'],
      \ 'cards': ['%d cards', '%d 张卡片'],
      \ 'cards.empty': ['No cards yet. Press c to create one.', '还没有卡片，按 c 新建。'],
      \ 'cards.more': ['-- more: scroll on, or press G for all --', '-- 还有更多：继续滚动，或按 G 加载全部 --'],
      \ 'cards.none': ['No matches.', '没有匹配的卡片。'],
      \ 'cards.one': ['1 card', '1 张卡片'],
      \ 'cards.part': ['%d of %d cards', '%d / %d 张卡片'],
      \ 'choice': ['Type number and <Enter> (q or empty cancels): ', '输入编号后按 <Enter>（q 或留空取消）：'],
      \ 'colon': [': ', '：'],
      \ 'column.group': ['Group', '分组'],
      \ 'column.modified': ['Modified', '修改时间'],
      \ 'column.tags': ['Tags', '标签'],
      \ 'column.title': ['Title', '标题'],
      \ 'column.type': ['Type', '类型'],
      \ 'conflict.copy': [
      \   'Another copy of the vault: merge it with :QuickVaultMerge, then delete it: %s',
      \   '保险库的另一个副本，请用 :QuickVaultMerge 合并后删除：%s'],
      \ 'conflict.log': [
      \   'A log whose vault is missing; :QuickVaultDoctor says what to do: %s',
      \   '找不到所属保险库的日志，处理方法见 :QuickVaultDoctor：%s'],
      \ 'conflict.made': ['Two machines changed a card; see :QuickVaultConflicts', '两台电脑修改了同一张卡片，见 :QuickVaultConflicts'],
      \ 'comma': [', ', '，'],
      \ 'list': [', ', '、'],
      \ 'company': ['Company', '公司'],
      \ 'confirm.delete': ['Delete "%s"? This cannot be undone.', '要删除“%s”吗？此操作无法撤销。'],
      \ 'confirm.delete.card': ['Delete "%s"?', '要删除“%s”吗？'],
      \ 'confirm.yesno': ["&Delete\n&Keep", "&D 删除\n&K 保留"],
      \ 'consent.answers': ["&Allow\n&Refuse", "&A 允许\n&R 拒绝"],
      \ 'consent.choices': ["&Ask for consent\n&Give the password", "&A 请求许可\n&G 输入密码"],
      \ 'consent.how': ['Type :QuickVaultAnswer to answer.', '执行 :QuickVaultAnswer 应答。'],
      \ 'consent.none': ['No program asks to use the vault.', '没有程序请求使用保险库。'],
      \ 'consent.question': ['Another program has unlocked the vault.', '保险库已由其他程序解锁。'],
      \ 'consent.waiting': ['Waiting for consent in another program...', '正在等待其他程序许可…'],
      \ 'copied': ['Copied to register %s.', '已复制到寄存器 %s。'],
      \ 'copied.clears': ['Copied to register %s; it will be cleared in %d s.', '已复制到寄存器 %s，%d 秒后清除。'],
      \ 'copied.clipboard': ['Copied to the clipboard.', '已复制到剪贴板。'],
      \ 'copied.clipboard.clears': ['Copied to the clipboard; it will be cleared in %d s.', '已复制到剪贴板，%d 秒后清除。'],
      \ 'copied.empty': ['There is nothing to copy.', '没有可复制的内容。'],
      \ 'copied.nowhere': ['Not copied: there is no clipboard here. Register " has it.', '未复制：此处没有剪贴板。内容在寄存器 " 中。'],
      \ 'copied.nowhere.clears': [
      \   'Not copied: there is no clipboard here. Register " has it for %d s.',
      \   '未复制：此处没有剪贴板。内容在寄存器 " 中，%d 秒后清除。'],
      \ 'copied.terminal': ['Copied through the terminal, which cannot clear it again.', '已通过终端复制；终端剪贴板中的内容无法自动清除。'],
      \ 'copied.terminal.clears': [
      \   'Copied through the terminal, which cannot clear it again. Register " is cleared in %d s.',
      \   '已通过终端复制；终端剪贴板中的内容无法自动清除，寄存器 " 将在 %d 秒后清除。'],
      \ 'copied.without': ['Left out: %s. ', '未复制：%s。'],
      \ 'copied.without.concealed': ['Left out: %s (! copies concealed fields). ', '未复制：%s（加 ! 可复制保密字段）。'],
      \ 'copy.field': ['Copy which field?', '要复制哪个字段？'],
      \ 'copy.many': ['%d cards match. Type more of the title.', '有 %d 张卡片匹配，请多输入一些标题内容。'],
      \ 'copy.none': ['No card has the title "%s".', '没有标题为“%s”的卡片。'],
      \ 'copy.style': [
      \   'Unknown style "%s". Use one of: %s, or -field={name}.',
      \   '没有样式“%s”。可用：%s，或 -field={字段}。'],
      \ 'copy.title': ['Copy card (Tab completes): ', '复制卡片（Tab 补全）：'],
      \ 'copy.which': ['Copy which card?', '要复制哪张卡片？'],
      \ 'created': ['Created', '创建于'],
      \ 'damaged': [
      \   "The vault is damaged. You can still read the cards that open.\n:QuickVaultVerify shows which ones do not.",
      \   "保险库已损坏。能打开的卡片仍可查看。\n用 :QuickVaultVerify 查看损坏的卡片。"],
      \ 'older': [
      \   'This is an older copy of the vault. Its newest card is from %s.',
      \   '这是保险库的旧副本，最新的卡片日期为 %s。'],
      \ 'programs.admitted': ['uses the vault', '正在使用保险库'],
      \ 'programs.list': [
      \   'Other programs that use the vault; :QuickVaultRevoke ends the access of one.',
      \   '其他正在使用此保险库的程序；用 :QuickVaultRevoke 可终止其访问。'],
      \ 'programs.none': ['No other program is connected to the vault.', '没有其他程序连接到保险库。'],
      \ 'programs.revoked': ['The program can no longer use the vault.', '该程序已不能使用保险库。'],
      \ 'programs.which': ['End the access of which program?', '要终止哪个程序的访问？'],
      \ 'unlocked.elsewhere': ['Another program has unlocked the vault.', '其他程序已解锁保险库。'],
      \ 'readonly': [
      \   'The vault can only be read: its file cannot be written, or the disk is full.',
      \   '保险库目前只能查看：其文件无法写入，或磁盘已满。'],
      \ 'readonly.short': ['[read-only]', '[只读]'],
      \ 'older.question': ['This is an older copy of the vault. Change it anyway?', '这是保险库的旧副本，仍要更改吗？'],
      \ 'older.choices': ["&Change\n&Leave as it is", "&C 更改\n&L 不更改"],
      \ 'demo': [
      \   'These are sample cards. Use :QuickVaultDemo again to leave and delete them.',
      \   '这些是示例卡片。再次执行 :QuickVaultDemo 即可退出演示并删除它们。'],
      \ 'demo.mark': ['Demo with sample cards; :QuickVaultDemo ends it.', '正在使用示例卡片演示；执行 :QuickVaultDemo 退出。'],
      \ 'demo.over': ['The sample cards were deleted.', '示例卡片已删除。'],
      \ 'demo.password': ['(sample cards: %s) ', '（示例卡片：%s）'],
      \ 'destroy.confirm': [
      \   'This permanently deletes the vault and all its cards. Type its file name (%s) to confirm: ',
      \   '这将永久删除保险库及其中所有卡片。请输入文件名（%s）以确认：'],
      \ 'destroy.data': [
      \   'On the server only; sign out on other machines first. Type its file name (%s) to confirm: ',
      \   '这将只删除服务器上的保险库；请先在其他电脑上退出登录。请输入文件名（%s）以确认：'],
      \ 'destroyed': ['The vault was deleted.', '保险库已删除。'],
      \ 'deleted.undo': ['Deleted. Press u to restore it; locking makes it final.', '已删除。按 u 可恢复，锁定后无法恢复。'],
      \ 'deleted.none': ['No card was deleted since the vault was unlocked.', '解锁以来没有删除过卡片。'],
      \ 'device': ['Device', '设备'],
      \ 'device.bound': ['Bound', '绑定时间'],
      \ 'device.missing': ['There is no device on this line.', '此行没有设备。'],
      \ 'device.none': [
      \   'No devices are bound. Use :QuickVaultFingerprint on to bind this one.',
      \   '没有已绑定的设备。用 :QuickVaultFingerprint on 绑定本机。'],
      \ 'device.revoke': ['Remove the binding of "%s"?', '要解除“%s”的绑定吗？'],
      \ 'device.this': ['this device', '本机'],
      \ 'device.used': ['Last used', '上次使用'],
      \ 'discarded': ['Unsaved changes were discarded.', '已放弃未保存的修改。'],
      \ 'directory.missing': ['%s: there is no such directory.', '%s：没有这个目录。'],
      \ 'draft.choices': ["&Continue\n&Discard", "&C 继续\n&D 放弃"],
      \ 'draft.discarded': ['Discarded. CTRL-R brings the changes back.', '已放弃；按 CTRL-R 可恢复这些修改。'],
      \ 'draft.elsewhere': ['Another Vim still has unsaved changes of this form, of %s. Copy them here?',
      \   '另一个 Vim 中有此表单 %s 未保存的修改。要复制到这里吗？'],
      \ 'draft.elsewhere.choices': ["&Copy\n&Leave them there", "&C 复制\n&L 留在那里"],
      \ 'draft.form.is.open': ['This form has unsaved changes already.', '此表单已有未保存的修改。'],
      \ 'draft.is.elsewhere': ['(in another Vim)', '（在另一个 Vim 中）'],
      \ 'draft.kept': ['Unsaved changes come back when you unlock.', '未保存的修改会在解锁后恢复。'],
      \ 'draft.more': ['There are more unsaved changes of this form: :QuickVaultDrafts', '此表单还有其他未保存的修改：:QuickVaultDrafts'],
      \ 'draft.none': ['There are no unsaved changes.', '没有未保存的修改。'],
      \ 'draft.question': ['Continue with your unsaved changes of %s?', '要继续 %s 未保存的修改吗？'],
      \ 'draft.there': ['There are unsaved changes from before: :QuickVaultDrafts', '有以前未保存的修改：:QuickVaultDrafts'],
      \ 'draft.which': ['Continue which form?', '要继续填写哪个表单？'],
      \ 'encoding': [
      \   "QuickVault requires 'encoding' to be utf-8; otherwise it would save damaged text.\nAdd :set encoding=utf-8 to your vimrc.",
      \   "随取要求 'encoding' 为 utf-8，否则保存的内容会损坏。\n请在 vimrc 中加入 :set encoding=utf-8。"],
      \ 'export.choices': ["&Write\n&Cancel", "&W 导出\n&C 取消"],
      \ 'export.format': ['Export in which format?', '要导出为哪种格式？'],
      \ 'export.how': ['Export which version?', '要导出哪个版本？'],
      \ 'export.original': [
      \   'the original, without the watermark (asks for fingerprint or password)',
      \   '不带水印的原件（需指纹或密码）'],
      \ 'export.original.stripped': [
      \   'the original, without metadata (asks for fingerprint or password)',
      \   '不带水印且不含元数据的原件（需指纹或密码）'],
      \ 'export.plain': ['The file will not be encrypted. Write it?', '导出的文件不加密，仍要导出吗？'],
      \ 'export.shown': ['as shown', '与显示的一致'],
      \ 'export.stripped': ['without metadata, such as the location', '不含拍摄地点等元数据'],
      \ 'export.unknown': ['Unknown format "%s". Use one of: %s.', '没有格式“%s”。可用：%s。'],
      \ 'export.without': ['The file will not have: %s. ', '导出的文件将不含：%s。'],
      \ 'export.without.attachments': ['the attachments of %d card(s)', '%d 张卡片的附件'],
      \ 'export.without.cards': ['%d card(s) that are no addresses', '%d 张非地址卡片'],
      \ 'export.without.concealed': ['concealed values', '保密内容'],
      \ 'exporting': ['Exporting...', '正在导出…'],
      \ 'extra': ['Further fields', '自定义字段'],
      \ 'failed': ['Something went wrong.', '出错了。'],
      \ 'fingerprint.attempts': ['Attempts left: %s.', '还可尝试 %s 次。'],
      \ 'fingerprint.available': [
      \   'Fingerprint unlock is available. Turn it on with :QuickVaultFingerprint on.',
      \   '可以使用指纹解锁。用 :QuickVaultFingerprint on 开启。'],
      \ 'fingerprint.bound': [
      \   'This device is bound: your fingerprint unlocks the vault.',
      \   '本机已绑定，可以用指纹解锁保险库。'],
      \ 'fingerprint.disable': ['Turn off fingerprint unlock on this device?', '要在本机关闭指纹解锁吗？'],
      \ 'fingerprint.hint': ['%s  (press any key for the password)', '%s（按任意键改用密码）'],
      \ 'fingerprint.isOff': ['Fingerprint unlock is off on this device.', '本机尚未开启指纹解锁。'],
      \ 'fingerprint.off': [
      \   'Fingerprint unlock is off. Only the password unlocks the vault now.',
      \   '已关闭指纹解锁，现在只能用密码解锁保险库。'],
      \ 'fingerprint.offer': ['Turn on fingerprint unlock?', '要开启指纹解锁吗？'],
      \ 'fingerprint.on': ['You can now unlock the vault with your fingerprint.', '现在可以用指纹解锁保险库了。'],
      \ 'fingerprint.turnedOff': [
      \   'Fingerprint unlock is turned off in the settings (:QuickVaultSettings).',
      \   '设置中已关闭指纹解锁（:QuickVaultSettings）。'],
      \ 'fingerprint.unavailable': ['Fingerprint unlock is not available here.', '本机无法使用指纹解锁。'],
      \ 'fingerprint.usage': [
      \   ':QuickVaultFingerprint accepts "on", "off" or no argument.',
      \   ':QuickVaultFingerprint 的参数为 on、off 或留空。'],
      \ 'fingerprint.wait': ['%s  (CTRL-C to cancel)', '%s（按 CTRL-C 取消）'],
      \ 'fingerprint.waiting': ['Waiting for the fingerprint reader...', '正在等待指纹识别器…'],
      \ 'fzf.missing': [
      \   "fzf#run() is missing: add fzf's directory with plugin/fzf.vim to 'runtimepath', or use :QuickVaultPick.",
      \   "缺少 fzf#run()：请把 fzf 的 plugin/fzf.vim 所在的目录加入 'runtimepath'，或使用 :QuickVaultPick。"],
      \ 'group': ['Group', '分组'],
      \ 'hint.background': [
      \   'In the background: Vim is suspended, or has lost the focus without unsaved changes or an open viewer.',
      \   '转入后台：Vim 被挂起；或没有未保存的修改、也没有打开的查看程序时，Vim 失去焦点一段时间。'],
      \ 'hint.suspended': ['In the background: Vim is suspended.', '转入后台：Vim 被挂起。'],
      \ 'hint.seconds': ['Times are in seconds (s), or "%s".', '时间以秒为单位，或填写“%s”。'],
      \ 'hint.close': ['q closes.', 'q 关闭。'],
      \ 'hint.damage': [
      \   ':QuickVaultRepair repairs the vault, R checks again, L locks, q closes.',
      \   ':QuickVaultRepair 修复保险库，R 重新检查，L 锁定，q 关闭。'],
      \ 'hint.devices': ['d removes a binding, R refreshes, L locks, q closes.', 'd 解除绑定，R 刷新，L 锁定，q 关闭。'],
      \ 'hint.list': [
      \   '<CR> shows, w copies, e edits, d deletes, c creates, / searches, S opens the settings, ? shows all keys.',
      \   '<CR> 查看，w 复制，e 编辑，d 删除，c 新建，/ 搜索，S 打开设置，? 显示全部按键。'],
      \ 'hint.log': ['R refreshes, L locks, q closes.', 'R 刷新，L 锁定，q 关闭。'],
      \ 'hint.page': [
      \   '<CR> copies the field, w the card; e edits, d deletes, x shows concealed values, A attaches, ? shows all keys.',
      \   '<CR> 复制字段，w 复制卡片，e 编辑，d 删除，x 显示保密内容，A 添加附件，? 显示全部按键。'],
      \ 'hint.report': ['L locks, q closes.', 'L 锁定，q 关闭。'],
      \ 'hint.settings': [
      \   'See also :QuickVaultPassword (change the master password) and :QuickVaultFingerprint on (or off).',
      \   '另见 :QuickVaultPassword（更改主密码）和 :QuickVaultFingerprint on（或 off，指纹解锁）。'],
      \ 'hint.extra': [
      \   'Your own fields, one per line, as label: value. A * before the label conceals the value.',
      \   '自定义字段，每行一个，格式为“名称: 内容”。名称前加 * 则内容保密。'],
      \ 'hint.form': [':w saves, :q! discards, g? shows help.', ':w 保存，:q! 放弃，g? 帮助。'],
      \ 'hint.optional': ['Optional', '选填'],
      \ 'import.all': ['Import %d cards?', '要导入 %d 张卡片吗？'],
      \ 'import.cancelled': ['Cancelled. Nothing was imported.', '已取消，未导入任何内容。'],
      \ 'import.choices': ["&Import\n&Cancel", "&I 导入\n&C 取消"],
      \ 'import.column': ['Import column %s as: ', '列 %s 导入为：'],
      \ 'import.columns': ['Columns', '列'],
      \ 'import.file': ['Import file: ', '要导入的文件：'],
      \ 'import.gone': [
      \   'This report was cleared. Use :QuickVaultImport to create a new one.',
      \   '此报告已清除。用 :QuickVaultImport 重新生成。'],
      \ 'import.more': ['Not listed: %d', '未列出：%d'],
      \ 'import.nothing': ['There is nothing to import.', '没有可导入的内容。'],
      \ 'import.reading': ['Reading the file...', '正在读取文件…'],
      \ 'import.report': [
      \   '%s, %s.  Entries: %d; %s: %d, duplicates: %d, skipped: %d',
      \   '%s，%s。条目：%d；%s：%d，重复：%d，跳过：%d'],
      \ 'import.some': ['Import %d cards and skip invalid entries?', '要导入 %d 张卡片，并跳过无效条目吗？'],
      \ 'import.table': ["&Import\n&Cancel\nChange &a column", "&I 导入\n&C 取消\n&A 修改列"],
      \ 'import.unencoded': ['Could not run the program base64.', '无法运行程序 base64。'],
      \ 'import.which': ['Change which column?', '要修改哪一列？'],
      \ 'imported': ['Imported: %d', '已导入：%d'],
      \ 'invalid.access': ['Enter one of: ask, always, never.', '请输入 ask、always 或 never。'],
      \ 'invalid.boolean': ['Enter "%s" or "%s".', '请输入“%s”或“%s”。'],
      \ 'insert.readonly': ['This buffer cannot be changed.', '此缓冲区不能修改。'],
      \ 'invalid.group': ['Enter "%s" or "%s".', '请输入“%s”或“%s”。'],
      \ 'invalid.line': [
      \   'This line belongs to no field. Begin further lines of a value with two spaces; put your own fields below "--- %s ---".',
      \   '此行不属于任何字段。内容的续行以两个空格开头；自定义字段写在“--- %s ---”之下。'],
      \ 'invalid.number': ['Enter a whole number of seconds, or "%s".', '请输入整数秒数，或“%s”。'],
      \ 'invalid.twice': ['"%s" occurs twice.', '“%s”重复出现。'],
      \ 'line.changed': ['This line has changed. Look, and press the key again.', '此行刚刚有变化，请查看后再按一次。'],
      \ 'loading': ['Loading...', '正在加载…'],
      \ 'lock.anyway': ['There are unsaved changes. Lock and discard them?', '有未保存的修改。要放弃修改并锁定吗？'],
      \ 'lock.background': ['Locked because Vim went to the background.', 'Vim 转入后台，已锁定。'],
      \ 'lock.revoked': ['Another program ended the access to the vault.', '其他程序已终止对保险库的访问。'],
      \ 'lock.choices': ["&Lock\n&Cancel", "&L 锁定\n&C 取消"],
      \ 'lock.deviceLocked': ['Locked because the desktop was locked.', '桌面已锁定，保险库也已锁定。'],
      \ 'lock.passwordChanged': [
      \   'Locked because another program changed the vault''s password or replaced its file.',
      \   '其他程序更改了主密码，或替换了保险库文件，已锁定。'],
      \ 'lock.request': ['Locked.', '已锁定。'],
      \ 'lock.shutdown': ['Locked because QuickVault is shutting down.', '随取正在退出，已锁定。'],
      \ 'lock.sleep': ['Locked because the computer is going to sleep.', '电脑即将睡眠，已锁定。'],
      \ 'lock.timeout': ['Locked because the vault was idle.', '保险库闲置超时，已锁定。'],
      \ 'locked': ['locked', '已锁定'],
      \ 'lockout': ['Too many wrong passwords. Try again in %d s.', '密码错误次数过多，请在 %d 秒后重试。'],
      \ 'lockout.wait': [
      \   'Too many wrong passwords. Next attempt in %d s (CTRL-C to leave)',
      \   '密码错误次数过多，%d 秒后可重试（按 CTRL-C 离开）'],
      \ 'merge.file': ['Merge copy: ', '要合并的副本：'],
      \ 'merge.password': ['Master password of the copy: ', '副本的主密码：'],
      \ 'merged': [
      \   'Merged.  Added: %d, changed: %d, deleted: %d, kept in both versions: 0',
      \   '已合并：新增 %d 张，修改 %d 张，删除 %d 张，两个版本都保留 0 张'],
      \ 'merged.conflicts': [
      \   'Merged.  Kept in both versions: %d (see :QuickVaultConflicts), added: %d, changed: %d, deleted: %d',
      \   '已合并：两个版本都保留 %d 张（见 :QuickVaultConflicts），新增 %d 张，修改 %d 张，删除 %d 张'],
      \ 'merging': ['Merging...', '正在合并…'],
      \ 'method.missing': [
      \   'This QuickVault program is too old for that. Update it.',
      \   '此随取程序版本太旧，不支持该操作。请更新程序。'],
      \ 'modified': ['Modified', '修改于'],
      \ 'never': ['never', '从不'],
      \ 'new.type': ['Create a card of which type?', '要新建哪种卡片？'],
      \ 'no': ['no', '否'],
      \ 'no.response': [
      \   'QuickVault does not respond. The operation may or may not be complete.',
      \   '随取没有响应，无法确定操作是否已完成。'],
      \ 'not.a.form': ['Only forms can be written to the vault.', '只有表单可以写入保险库。'],
      \ 'not.saved': ['Not saved. Problems: %d', '未保存，有 %d 处问题'],
      \ 'outcome.duplicate': ['duplicate', '重复'],
      \ 'outcome.imported': ['imported', '已导入'],
      \ 'outcome.ready': ['importable', '可导入'],
      \ 'outcome.skipped': ['skipped', '已跳过'],
      \ 'option.unknown': ['There is no option "%s".', '没有选项“%s”。'],
      \ 'part.fingerprint': ['Fingerprint reader', '指纹识别器'],
      \ 'part.keychain': ['Keychain', '密钥环'],
      \ 'part.session': ['Desktop session', '桌面会话'],
      \ 'password': ['Master password: ', '主密码：'],
      \ 'password.anyway': ['Use it anyway?', '仍要使用吗？'],
      \ 'password.changed': ['The master password was changed.', '主密码已更改。'],
      \ 'password.confirm': ['Master password, to confirm: ', '主密码（用于确认）：'],
      \ 'password.current': ['Current master password: ', '当前主密码：'],
      \ 'password.differ': ['The passwords do not match.', '两次输入的密码不一致。'],
      \ 'password.new': ['New master password (at least 8 characters): ', '新主密码（至少 8 个字符）：'],
      \ 'password.original': ['Master password, to get the original: ', '主密码（用于取出原件）：'],
      \ 'password.repeat': ['Repeat the password: ', '再次输入密码：'],
      \ 'pick': ['Card: ', '卡片：'],
      \ 'personal': ['Personal', '个人'],
      \ 'pinned': ['pinned', '已置顶'],
      \ 'preview.failed': ['chafa could not show the picture (exit status %d).', 'chafa 无法显示图片（退出状态 %d）。'],
      \ 'preview.hint': ['%s (any key closes)', '%s（按任意键关闭）'],
      \ 'preview.loading': ['Preparing the picture...', '正在准备图片…'],
      \ 'preview.missing': [
      \   "Pictures are shown here by the program chafa, which is not installed.\nInstall its package, such as with `sudo apt install chafa`, or press o to open the attachment.",
      \   "在此显示图片需要 chafa 程序，但尚未安装。\n请安装该软件包，例如执行“sudo apt install chafa”，或按 o 打开附件。"],
      \ 'program.missing': [
      \   "The program \"%s\" was not found.\nInstall QuickVault or set g:quickvault_program to its path.",
      \   "找不到程序“%s”。\n请安装随取，或将 g:quickvault_program 设为其路径。"],
      \ 'program.wrong': [
      \   "The program \"%s\" does not respond as QuickVault does.\nCheck g:quickvault_program.%s",
      \   "程序“%s”的响应与随取不符。\n请检查 g:quickvault_program。%s"],
      \ 'ready': ['ready', '就绪'],
      \ 'rekeying': ['Re-encrypting the vault...', '正在重新加密保险库…'],
      \ 'repair': [
      \   'Back up the damaged file and keep every readable record?',
      \   '要备份损坏的文件，并保留所有可读取的记录吗？'],
      \ 'repair.choices': ["&Repair\n&Cancel", "&R 修复\n&C 取消"],
      \ 'repair.intact': ['The vault is intact; nothing was changed.', '保险库完好，未作任何更改。'],
      \ 'repaired': [
      \   'The vault is repaired.  Cards kept: %d, records dropped: %d, cards missing: %s.  The damaged file was saved as %s',
      \   '保险库已修复。保留卡片：%d，舍弃记录：%d，缺失卡片：%s。损坏的文件已另存为 %s'],
      \ 'repaired.unknown': ['unknown', '未知'],
      \ 'repairing': ['Repairing...', '正在修复…'],
      \ 'replace': ['%s already exists. Replace it?', '%s 已存在，要替换吗？'],
      \ 'replace.choices': ["&Replace\n&Keep", "&R 替换\n&K 保留"],
      \ 'requires.cpoptions': [
      \   "QuickVault requires 'nocompatible'; add :set nocompatible to the top of your vimrc.",
      \   "随取需要 'nocompatible'，请在 vimrc 开头加入 :set nocompatible。"],
      \ 'requires.editor': [
      \   'QuickVault requires Neovim 0.7 or later, or Vim 8.2.4684 or later with +channel, +job and +timers.',
      \   '随取需要 Neovim 0.7 或更高版本，或带有 +channel、+job 和 +timers 的 Vim 8.2.4684 或更高版本。'],
      \ 'restricted': [
      \   "QuickVault does not work in Vim's restricted mode, which starts no programs.\nStart vim instead of rvim, and without -Z.",
      \   "随取不能在 Vim 的受限模式下使用，因为该模式不启动任何程序。\n请启动 vim 而不是 rvim，并且不要使用 -Z。"],
      \ 'saved': ['Saved.', '已保存。'],
      \ 'search': ['Search: ', '搜索：'],
      \ 'server': ['Program', '程序'],
      \ 'server.ended': [
      \   "QuickVault exited unexpectedly%s.\nThe next command restarts it. Your unsaved changes are still here.",
      \   "随取意外退出%s。\n下一条命令会重新启动它；未保存的修改仍保留着。"],
      \ 'server.too_new': [
      \   "The QuickVault program (%s) is newer than this plugin.\nUpdate the plugin.",
      \   "随取程序（%s）的版本比本插件新。\n请更新插件。"],
      \ 'server.too_old': [
      \   "The QuickVault program (%s) is too old for this plugin.\nUpdate it, or set g:quickvault_program to a newer one.",
      \   "随取程序（%s）的版本太旧，与本插件不兼容。\n请更新程序，或将 g:quickvault_program 设为较新版本的路径。"],
      \ 'settings': ['Settings', '设置'],
      \ 'sort.search': ['Search results keep their order.', '搜索结果不能另行排序。'],
      \ 'since': ['since', '开始于'],
      \ 'state': ['State', '状态'],
      \ 'stop': ['. ', '。'],
      \ 'tag': ['Show cards with tag (Tab completes, empty shows all): ', '按标签筛选（Tab 补全，留空则显示全部）：'],
      \ 'tags': ['Tags', '标签'],
      \ 'text': ['text', '文本'],
      \ 'title': ['Title', '标题'],
      \ 'type.unknown': ['There is no card type "%s".', '没有卡片类型“%s”。'],
      \ 'unchanged': ['Nothing was changed.', '未作任何更改。'],
      \ 'unlocked': ['unlocked', '已解锁'],
      \ 'unlocked.now': ['Unlocked.', '已解锁。'],
      \ 'unlocking': ['Unlocking...', '正在解锁…'],
      \ 'vault': ['Vault', '保险库'],
      \ 'vault.exists': ['There is already a vault: %s', '已有保险库：%s'],
      \ 'vault.missing': ['There is no vault yet', '还没有保险库'],
      \ 'verified': ['The vault is intact.  Cards: %d', '保险库完好，共 %d 张卡片'],
      \ 'verify.backup': ['If you have a good backup, keep it, and open it first.', '如果您有完好的备份，请保留它，并先打开它。'],
      \ 'verify.damaged': [
      \   'The vault is damaged.  Unreadable records: %d, cards: %d',
      \   '保险库已损坏：有 %d 条记录无法读取，共 %d 张卡片'],
      \ 'verify.other': ['Something else is damaged (%s).', '还有其他损坏（%s）。'],
      \ 'verify.records': ['Unreadable records:', '无法读取的记录：'],
      \ 'verifying': ['Checking the vault...', '正在检查保险库…'],
      \ 'viewer.failed': ['The viewer failed (exit status %d).', '查看程序出错（退出状态 %d）。'],
      \ 'viewer.missing': [
      \   "The viewer \"%s\" was not found.\nInstall it or set g:quickvault_viewer to another program.",
      \   "找不到查看程序“%s”。\n请安装它，或将 g:quickvault_viewer 设为其他程序。"],
      \ 'viewer.opened': [
      \   'Opened with %s; the file will be removed when the vault locks.',
      \   '已用 %s 打开；锁定时将删除该文件。'],
      \ 'watermark.ask': ['Watermark (empty for none): ', '水印文字（留空则不加）：'],
      \ 'watermark.choices': ["&Remove\n&Keep", "&R 移除\n&K 保留"],
      \ 'watermark.document': [
      \   'A PDF cannot have a watermark: make a picture of it and attach that.', '无法给 PDF 添加水印：请先转为图片再添加。'],
      \ 'watermark.is': ['watermark: %s', '水印：%s'],
      \ 'watermark.remove': ['Remove the watermark?', '要移除水印吗？'],
      \ 'watermarking': ['Drawing the watermark...', '正在添加水印…'],
      \ 'write.to': ['Write to: ', '保存到：'],
      \ 'written': ['Wrote %s', '已写入：%s'],
      \ 'written.without': [
      \   'Wrote %s.  Without: cards: %d, attachments: %d, damaged: %d',
      \   '已写入：%s。未包含：卡片 %d 张，附件 %d 个，无法读取的卡片 %d 张'],
      \ 'yes': ['yes', '是'],
      \ 'yesno': ["&Yes\n&No", "&Y 是\n&N 否"],
      \ }

" Sets the language to "en" or "zh-Hans"; any other value means that of the locale.
function! quickvault#text#set_language(language) abort
  let s:language = index(['en', 'zh-Hans'], a:language) >= 0 ? a:language : ''
endfunction

" Returns the locale for the server: from the option, else Vim's message language, else the environment.
function! quickvault#text#locale() abort
  for l:locale in [get(g:, 'quickvault_language', ''), get(v:, 'lang', ''), $LC_ALL, $LC_MESSAGES, $LANG]
    if !empty(l:locale) && l:locale !~# '^\%(C\|POSIX\)\%(\.\|$\)'
      return l:locale
    endif
  endfor
  return 'en'
endfunction

" Returns the language in use, "en" or "zh-Hans".
function! quickvault#text#language() abort
  return !empty(s:language) ? s:language : quickvault#text#locale() =~? '^zh' ? 'zh-Hans' : 'en'
endfunction

" Returns a message, formatted with the optional arguments as by printf().
function! quickvault#text#get(key, ...) abort
  let l:text = s:texts[a:key][quickvault#text#language() ==# 'en' ? 0 : 1]
  return a:0 == 0 ? l:text : call('printf', [l:text] + a:000)
endfunction

" Returns the text of a message of the server, in the language.
function! quickvault#text#localized(message) abort
  return get(a:message.messages, quickvault#text#language(), a:message.message)
endfunction

" Returns a text that the server has in both languages.
function! quickvault#text#in_language(texts) abort
  return a:texts[quickvault#text#language()]
endfunction

" Returns a message in both languages, to parse input.
function! quickvault#text#translations(key) abort
  return s:texts[a:key]
endfunction
