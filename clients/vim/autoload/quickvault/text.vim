" What a person reads, in both languages.
scriptencoding utf-8

" The language of the conversation, once the server has said it.
let s:language = ''

let s:texts = {
      \ 'again': ['The same again: ', '再次输入：'],
      \ 'attach.file': ['Attach the file: ', '添加文件：'],
      \ 'attached': ['Attached: %d', '已添加附件：%d 个'],
      \ 'attaching': ['Attaching %s...', '正在添加 %s……'],
      \ 'attachment.card': ['Attachments of which card (Tab completes): ', '哪张卡片的附件（Tab 补全）：'],
      \ 'attachment.delete': ['Delete the attachment', '删除附件'],
      \ 'attachment.export': ['Write which attachment to a file?', '把哪个附件写入文件？'],
      \ 'attachment.mark': ['Watermark on', '给附件加水印'],
      \ 'attachment.none': ['This card has no attachments; A attaches one.', '这张卡片没有附件，按 A 添加。'],
      \ 'attachment.view': ['Open which attachment?', '打开哪个附件？'],
      \ 'attachments': ['Attachments', '附件'],
      \ 'backup.damaged': ['The vault is damaged, and so is this backup: %s', '保险库已损坏，此备份亦然：%s'],
      \ 'backup.making': ['Making a backup...', '正在备份……'],
      \ 'backup.to': ['Backup in: ', '备份到目录：'],
      \ 'blank': ['Locked. <CR> or :QuickVault unlocks.', '已锁定。按 <CR> 或执行 :QuickVault 解锁。'],
      \ 'cancelled': ['Cancelled.', '已取消。'],
      \ 'card.none': ['There is no card on this line.', '此行没有卡片。'],
      \ 'cards': ['%d cards', '%d 张卡片'],
      \ 'cards.part': ['%d of %d cards', '%d / %d 张卡片'],
      \ 'cards.one': ['1 card', '1 张卡片'],
      \ 'cards.empty': ['No card yet: c creates one.', '还没有卡片：按 c 新建。'],
      \ 'cards.none': ['Nothing matches.', '没有匹配的卡片。'],
      \ 'cards.more': ['-- more: go to the last line --', '-- 还有更多：移到最后一行 --'],
      \ 'card.deleted': ['This card was deleted.', '此卡片已被删除。'],
      \ 'changed.elsewhere': [
      \   "Changed elsewhere meanwhile: beside it is the card as it is now.\nMerge, then :w again.",
      \   "卡片已在别处修改：旁边是当前的内容。\n合并后再次 :w。"],
      \ 'column.group': ['Group', '分组'],
      \ 'column.modified': ['Modified', '修改时间'],
      \ 'column.tags': ['Tags', '标签'],
      \ 'column.title': ['Title', '标题'],
      \ 'column.type': ['Type', '类型'],
      \ 'company': ['Company', '公司'],
      \ 'confirm.delete': ['Delete "%s"? This cannot be undone.', '删除“%s”？此操作无法撤销。'],
      \ 'confirm.yesno': ["&Delete\n&Keep", "删除(&D)\n保留(&K)"],
      \ 'copied': ['Copied to register %s.', '已复制到寄存器 %s。'],
      \ 'copied.clears': ['Copied to register %s; cleared in %d s.', '已复制到寄存器 %s，%d 秒后清除。'],
      \ 'copied.empty': ['There is nothing to copy.', '没有可复制的内容。'],
      \ 'copy.field': ['Copy which field?', '复制哪个字段？'],
      \ 'copy.none': ['No card has the title "%s".', '没有标题为“%s”的卡片。'],
      \ 'copy.style': [
      \   'Unknown style "%s". There are: %s, and -field={name}.', '未知样式“%s”。可用：%s，以及 -field={字段}。'],
      \ 'copy.title': ['Copy card (Tab completes): ', '复制卡片（Tab 补全）：'],
      \ 'copy.which': ['Copy which card?', '复制哪张卡片？'],
      \ 'created': ['Created', '创建于'],
      \ 'damaged': [
      \   "The vault is damaged.\nThe other cards can be read; :QuickVaultVerify says which cannot.",
      \   "保险库已损坏。\n其他卡片仍可读取；:QuickVaultVerify 会指出损坏的卡片。"],
      \ 'demo': [
      \   'These are sample cards; nothing of this stays.  :QuickVaultDemo leaves them.',
      \   '这些是示例卡片，不会保留。再用 :QuickVaultDemo 离开。'],
      \ 'demo.over': ['The sample cards are gone.', '示例卡片已消失。'],
      \ 'demo.password': ['(sample cards: %s) ', '（示例卡片：%s）'],
      \ 'destroy.confirm': [
      \   'This deletes the vault and every card in it for good. Type its file name (%s) to confirm: ',
      \   '这将永久删除保险库及其中所有卡片。输入文件名（%s）以确认：'],
      \ 'destroyed': ['The vault was deleted.', '保险库已删除。'],
      \ 'device': ['Device', '设备'],
      \ 'device.bound': ['Bound', '绑定时间'],
      \ 'device.none': [
      \   'No device is bound.  :QuickVaultFingerprint on binds this one.',
      \   '没有绑定的设备。用 :QuickVaultFingerprint on 绑定本机。'],
      \ 'device.nowhere': ['There is no device on this line.', '这一行没有设备。'],
      \ 'device.revoke': ['"%s" unlocks the vault no more?', '“%s”不再能解锁保险库？'],
      \ 'device.this': ['this device', '本机'],
      \ 'device.used': ['Last used', '上次使用'],
      \ 'discarded': ['Unsaved changes were discarded with it.', '未保存的修改已一并丢弃。'],
      \ 'encoding': [
      \   "QuickVault needs 'encoding' to be utf-8, or what is saved would be damaged.\nPut :set encoding=utf-8 into your vimrc.",
      \   "随取要求 encoding 为 utf-8，否则保存的内容会损坏。\n请在 vimrc 中加入 :set encoding=utf-8。"],
      \ 'export.both': ['the original, without metadata (finger or password)', '不带水印且不含元数据的原件（需指纹或密码）'],
      \ 'export.choices': ["&Write\n&Cancel", "写入(&W)\n取消(&C)"],
      \ 'export.format': ['Format', '格式'],
      \ 'export.how': ['Write it', '写入方式'],
      \ 'export.original': ['the original, without the watermark (finger or password)', '不带水印的原件（需指纹或密码）'],
      \ 'export.plain': ['The file will not be encrypted. Write it?', '文件不会加密。要写入吗？'],
      \ 'export.shown': ['as it is shown', '按显示的样子'],
      \ 'export.stripped': ['without metadata, such as the place', '不含拍摄地点等元数据'],
      \ 'export.unknown': ['Unknown format "%s". There are: %s.', '未知格式“%s”。可用：%s。'],
      \ 'exporting': ['Exporting...', '正在导出……'],
      \ 'extra': ['Further fields', '其他字段'],
      \ 'failed': ['Something went wrong.', '出错了。'],
      \ 'finger.bound': ['This device is bound: a finger unlocks the vault.', '本机已绑定：可用指纹解锁保险库。'],
      \ 'finger.disable': ['Unlock with the password alone from now on?', '今后只用密码解锁？'],
      \ 'finger.hint': ['%s  (any key: password)', '%s（按任意键改用密码）'],
      \ 'finger.impossible': ['A finger cannot unlock the vault here.', '在这里无法用指纹解锁保险库。'],
      \ 'finger.left': ['Tries left: %s.', '剩余 %s 次。'],
      \ 'finger.off': ['The password alone unlocks the vault now.', '现在只能用密码解锁保险库。'],
      \ 'finger.on': ['A finger unlocks the vault from now on.', '今后可用指纹解锁保险库。'],
      \ 'finger.possible': [
      \   'A finger could unlock the vault: :QuickVaultFingerprint on',
      \   '可以用指纹解锁保险库：:QuickVaultFingerprint on'],
      \ 'finger.turnedOff': [
      \   'A finger does not unlock the vault: the settings say so (:QuickVaultSettings).',
      \   '设置中已关闭指纹解锁（:QuickVaultSettings）。'],
      \ 'finger.usage': [
      \   ':QuickVaultFingerprint takes on, off or nothing.',
      \   ':QuickVaultFingerprint 的参数为 on、off 或留空。'],
      \ 'finger.waiting': ['Waiting for the reader...', '正在等待指纹识别器……'],
      \ 'fingerprint': ['Unlock with a finger from now on?', '今后用指纹解锁？'],
      \ 'group': ['Group', '分组'],
      \ 'hint.extra': [
      \   'Fields of your own, one a line, as label: value. A * before the label conceals the value.',
      \   '自定义字段，每行一个，格式为“标签: 值”。标签前加 * 则隐藏其值。'],
      \ 'hint.form': [':w saves, :q! discards, g? explains.', ':w 保存，:q! 放弃，g? 说明。'],
      \ 'hint.optional': ['Optional', '选填'],
      \ 'import.all': ['Import %d cards?', '导入 %d 张卡片？'],
      \ 'import.choices': ["&Import\n&Cancel", "导入(&I)\n取消(&C)"],
      \ 'import.column': ['Column %s is: ', '列 %s 是：'],
      \ 'import.columns': ['Columns', '列'],
      \ 'import.file': ['Import the file: ', '导入文件：'],
      \ 'import.gone': [
      \   'The report is gone: :QuickVaultImport makes another.',
      \   '报告已清除：用 :QuickVaultImport 重新生成。'],
      \ 'import.more': ['Not listed: %d', '未列出：%d'],
      \ 'import.nothing': ['There is nothing to import.', '没有可导入的内容。'],
      \ 'import.reading': ['Reading the file...', '正在读取文件……'],
      \ 'import.report': [
      \   '%s, %s.  Entries: %d; do: %d, duplicates: %d, left out: %d',
      \   '%s，%s。条目：%d；可导入：%d，重复：%d，略过：%d'],
      \ 'import.some': ['Import %d cards, and leave out those that do not do?', '导入 %d 张卡片，并略过无法导入的？'],
      \ 'import.table': ["&Import\n&Cancel\n&Another column", "导入(&I)\n取消(&C)\n修改列(&A)"],
      \ 'import.unencoded': ['The program base64 could not be run.', '无法运行程序 base64。'],
      \ 'import.which': ['Change which column?', '修改哪一列？'],
      \ 'imported': ['Imported: %d', '已导入：%d'],
      \ 'invalid.number': ['A whole number of seconds, or "%s".', '应为整数秒，或“%s”。'],
      \ 'invalid.group': ['Either "%s" or "%s".', '应为“%s”或“%s”。'],
      \ 'invalid.truth': ['Either "%s" or "%s".', '应为“%s”或“%s”。'],
      \ 'invalid.line': [
      \   'This line belongs to no field. A line that goes on with a value begins with two spaces; fields of your own go below "--- %s ---".',
      \   '此行不属于任何字段。续行以两个空格开头；自定义字段写在“--- %s ---”之下。'],
      \ 'invalid.twice': ['"%s" is here twice.', '“%s”重复出现。'],
      \ 'keys': ['for help', '查看帮助'],
      \ 'loading': ['Loading...', '正在读取……'],
      \ 'lock.anyway': [
      \   'There are changes that are not saved. Lock and discard them?', '有未保存的修改。锁定并丢弃它们？'],
      \ 'lock.background': ['Locked: Vim went to the background.', '已锁定：Vim 进入后台。'],
      \ 'lock.choices': ["&Lock\n&Cancel", "锁定(&L)\n取消(&C)"],
      \ 'lock.deviceLocked': ['Locked: the desktop was locked.', '已锁定：桌面已锁定。'],
      \ 'lock.passwordChanged': [
      \   'Locked: the password was changed elsewhere. Unlock with the new one.',
      \   '已锁定：密码已在别处修改。请用新密码解锁。'],
      \ 'lock.request': ['Locked.', '已锁定。'],
      \ 'lock.shutdown': ['Locked: QuickVault is shutting down.', '已锁定：随取正在关闭。'],
      \ 'lock.sleep': ['Locked: the machine goes to sleep.', '已锁定：系统进入睡眠。'],
      \ 'lock.timeout': ['Locked after a while without activity.', '长时间无操作，已自动锁定。'],
      \ 'locked': ['locked', '已锁定'],
      \ 'lockout': ['Too many wrong passwords: try again in %d s.', '密码错误次数过多：请在 %d 秒后重试。'],
      \ 'lockout.over': ['You may try again now: :QuickVaultUnlock', '现在可以重试：:QuickVaultUnlock'],
      \ 'menu.new': ['New card of which type?', '新建哪种卡片？'],
      \ 'merge.file': ['Merge the copy: ', '合并副本：'],
      \ 'merge.password': ['Master password of the copy: ', '副本的主密码：'],
      \ 'merged': [
      \   'Merged.  Added: %d, changed: %d, deleted: %d, kept twice: %d',
      \   '已合并。新增：%d，修改：%d，删除：%d，保留两份：%d'],
      \ 'merging': ['Merging...', '正在合并……'],
      \ 'method.missing': ['This QuickVault program cannot do that: update it.', '此随取程序不支持该操作，请更新程序。'],
      \ 'modified': ['Modified', '修改于'],
      \ 'never': ['never', '从不'],
      \ 'no': ['no', '否'],
      \ 'notice.saved': ['Saved.', '已保存。'],
      \ 'not.saved': ['Not saved: %d to mend.', '未保存：有 %d 处需要修改。'],
      \ 'not.there': ['There is no vault yet', '尚无保险库'],
      \ 'old.server': [
      \   "This QuickVault program (%s) is too old for the plugin.\nUpdate it, or point g:quickvault_program at a newer one.",
      \   "此随取程序（%s）过旧，插件无法使用。\n请更新程序，或将 g:quickvault_program 指向新版本。"],
      \ 'new.server': [
      \   "This QuickVault program (%s) is newer than the plugin understands.\nUpdate the plugin.",
      \   "此随取程序（%s）比插件更新。\n请更新插件。"],
      \ 'outcome.duplicate': ['duplicate', '重复'],
      \ 'outcome.imported': ['imported', '已导入'],
      \ 'outcome.ready': ['ready', '就绪'],
      \ 'outcome.skipped': ['left out', '略过'],
      \ 'part.fingerprint': ['Fingerprint reader', '指纹识别器'],
      \ 'part.keychain': ['Keychain', '密钥环'],
      \ 'part.session': ['Desktop session', '桌面会话'],
      \ 'password': ['Password: ', '密码：'],
      \ 'password.changed': ['The password was changed.', '密码已修改。'],
      \ 'password.differ': ['The two differ.', '两次输入不一致。'],
      \ 'password.new': ['New password, at least 8 characters: ', '新密码（至少 8 个字符）：'],
      \ 'password.old': ['Present password: ', '当前密码：'],
      \ 'password.original': ['Master password, for the original: ', '主密码（取出原件）：'],
      \ 'personal': ['Personal', '个人'],
      \ 'pinned': ['pinned', '已置顶'],
      \ 'program.missing': [
      \   "The QuickVault program \"%s\" was not found.\nInstall it, or set g:quickvault_program to its path.",
      \   "找不到随取程序“%s”。\n请先安装，或将 g:quickvault_program 设为其路径。"],
      \ 'program.silent': [
      \   "The program \"%s\" does not answer as QuickVault does.\nCheck g:quickvault_program.%s",
      \   "程序“%s”没有像随取那样应答。\n请检查 g:quickvault_program。%s"],
      \ 'ready': ['ready', '就绪'],
      \ 'repair': ['Copy the damaged file, and keep every record that opens?', '复制损坏的文件，并保留所有能打开的记录？'],
      \ 'repair.choices': ["&Repair\n&Cancel", "修复(&R)\n取消(&C)"],
      \ 'repair.intact': ['The vault is whole; nothing was changed.', '保险库完好，没有任何改动。'],
      \ 'repaired': [
      \   'The vault is whole.  Cards kept: %d, records let go: %d.  The damaged file is %s',
      \   '保险库已完好。保留卡片：%d，舍弃记录：%d。损坏的文件在 %s'],
      \ 'repairing': ['Repairing...', '正在修复……'],
      \ 'replace': ['%s exists; replace it?', '%s 已存在，要替换吗？'],
      \ 'replace.choices': ["&Replace\n&Keep", "替换(&R)\n保留(&K)"],
      \ 'search': ['Search: ', '搜索：'],
      \ 'server': ['Program', '程序'],
      \ 'server.ended': [
      \   "QuickVault ended unexpectedly%s.\nThe next command starts it again; unsaved changes are still here.",
      \   "随取意外退出%s。\n下一条命令会重新启动它；未保存的修改仍在。"],
      \ 'server.signal': [' (%s)', '（%s）'],
      \ 'settings': ['Settings', '设置'],
      \ 'silent': [
      \   'QuickVault does not answer. Whether that was done is not known.', '随取没有应答，不知道是否已完成。'],
      \ 'state': ['State', '状态'],
      \ 'tag': ['Tag (Tab completes, empty shows all): ', '标签（Tab 补全，留空显示全部）：'],
      \ 'tags': ['Tags', '标签'],
      \ 'text': ['text', '文本'],
      \ 'title': ['Title', '标题'],
      \ 'type.unknown': ['There is no type "%s".', '没有类型“%s”。'],
      \ 'unchanged': ['Nothing was changed.', '没有任何改动。'],
      \ 'unlocked': ['unlocked', '已解锁'],
      \ 'unlocking': ['Unlocking...', '正在解锁……'],
      \ 'vault': ['Vault', '保险库'],
      \ 'verified': ['All %d cards are intact.', '全部 %d 张卡片完好。'],
      \ 'verifying': ['Verifying...', '正在校验……'],
      \ 'verify.damaged': ['%d records are damaged: %s', '%d 条记录已损坏：%s'],
      \ 'viewer.failed': ['The viewer failed (%d).', '查看程序出错（%d）。'],
      \ 'viewer.missing': [
      \   "The viewer \"%s\" was not found.\nInstall it, or set g:quickvault_viewer to another.",
      \   "找不到查看程序“%s”。\n请先安装，或将 g:quickvault_viewer 设为其他程序。"],
      \ 'viewer.opened': ['Handed to %s; the file goes when the vault locks.', '已交给 %s；锁定时删除该文件。'],
      \ 'waits': ['Password tries', '密码尝试'],
      \ 'waits.none': ['may be tried now', '现在可以尝试'],
      \ 'watermark.ask': ['Watermark, or nothing for none: ', '水印文字，留空为无：'],
      \ 'watermark.choices': ["&Take it off\n&Keep", "去除(&T)\n保留(&K)"],
      \ 'watermark.is': ['watermark: %s', '水印：%s'],
      \ 'watermark.remove': ['Take the watermark off?', '要去除水印吗？'],
      \ 'watermarking': ['Drawing the watermark...', '正在添加水印……'],
      \ 'write.to': ['Write to: ', '写入：'],
      \ 'written': ['Written: %s', '已写入：%s'],
      \ 'yes': ['yes', '是'],
      \ }

" Chooses the language: "en" or "zh-Hans"; anything else leaves it to the locale.
function! quickvault#text#choose(language) abort
  let s:language = index(['en', 'zh-Hans'], a:language) >= 0 ? a:language : ''
endfunction

" The locale to tell the server: the option, else Vim's message language, else the environment's.
function! quickvault#text#locale() abort
  for l:locale in [get(g:, 'quickvault_language', ''), get(v:, 'lang', ''), $LC_ALL, $LC_MESSAGES, $LANG]
    if !empty(l:locale) && l:locale !~# '^\%(C\|POSIX\)\%(\.\|$\)'
      return l:locale
    endif
  endfor
  return 'en'
endfunction

" "en" or "zh-Hans".
function! quickvault#text#language() abort
  return !empty(s:language) ? s:language : quickvault#text#locale() =~? '^zh' ? 'zh-Hans' : 'en'
endfunction

" One text, with its places filled as by printf().
function! quickvault#text#get(key, ...) abort
  let l:text = s:texts[a:key][quickvault#text#language() ==# 'en' ? 0 : 1]
  return a:0 == 0 ? l:text : call('printf', [l:text] + a:000)
endfunction

" A text in both languages, for what a person may type.
function! quickvault#text#both(key) abort
  return s:texts[a:key]
endfunction
