" Key mappings of the vault buffers, and their help texts.
scriptencoding utf-8

" Vim's g commands, which stay available in a view; g alone waits for 'timeoutlen'.  The user may have mapped one, such as gx.
let s:g_commands = split("# $ & ' ` * + , - 0 8 ; < @ D E F H I J M N P Q R T U V ] ^ _ a d e f g h i j k m n o p q r s t u v w x ~")
      \ + ['<C-A>', '<C-G>', '<C-H>', '<C-]>', '<Tab>', '<Up>', '<Down>', '<Home>', '<End>']

" The keys of each page: the keys, the function that they call, and their help in both languages, if they have any.
let s:card = [
      \ ['w', "action#do('copy')", 'copy the card', '复制卡片'],
      \ ['e', "action#do('edit')", 'edit', '编辑'],
      \ ['d', "action#do('delete')", 'delete', '删除'],
      \ ['u', 'action#undelete()', 'restore the card that was deleted last', '恢复最近删除的卡片'],
      \ ['p', "action#do('pin')", 'pin or unpin', '置顶或取消置顶'],
      \ ['A', "action#do('attach')", 'attach a file', '添加附件'],
      \ ['o', "action#do('view')", 'open an attachment', '打开附件'],
      \ ['P', "action#do('preview')", 'show a picture of an attachment here', '在此显示附件的图片'],
      \ ['X', "action#do('export')", 'export an attachment', '导出附件'],
      \ ['M', "action#do('set_watermark')", 'set or remove the watermark of an attachment', '设置或移除附件的水印'],
      \ ['D', "action#do('delete_attachment')", 'delete an attachment', '删除附件'],
      \ ]

let s:lock = [['L', 'lock(0)', 'lock', '锁定'], ['q', '', 'close', '关闭']]

let s:keys = {}
let s:keys.list = [
      \ ['/', 'list#search()', 'search as you type', '边输入边搜索'],
      \ ['g R', 'list#refresh()', 'refresh', '刷新'],
      \ ['<CR>', "action#do('show')", 'show the card', '查看卡片'],
      \ ['f', "action#do('copy_field')", 'copy a field', '复制字段'],
      \ ['c', "new('', '')", 'create a card', '新建卡片'],
      \ ] + s:card + [
      \ ['t', 'list#filter()', 'show only one tag', '按标签筛选'],
      \ ['s', 'list#sort()', 'sort by the column at the cursor; again: in reverse; a third time: as usual', '按光标所在列排序；再按：倒序、恢复'],
      \ ['S', "settings#open('')", 'open the settings', '打开设置'],
      \ ['G', 'list#last()', 'load all cards and go to the last one', '加载全部卡片并跳到最后一张'],
      \ ] + s:lock + [['? g?', "keys#help('list')", 'show this help; see also :help quickvault', '显示本帮助；另见 :help quickvault']]

let s:keys.page = [
      \ ['x', 'page#reveal()', 'show or hide concealed values', '显示或隐藏保密内容'],
      \ ['f <CR>', "action#do('copy_field')", 'copy the field or open the attachment on this line', '复制此行的字段，或打开此行的附件'],
      \ ['g R', 'page#refresh()', 'refresh', '刷新'],
      \ ] + s:card + s:lock
      \ + [['? g?', "keys#help('page')", 'show this help; see also :help quickvault', '显示本帮助；另见 :help quickvault']]

let s:keys.conflicts = [
      \ ['K', 'conflicts#keep_card()', 'keep the card, and delete the conflict copy', '保留卡片，删除冲突副本'],
      \ ['C', 'conflicts#keep_copy()', 'keep the conflict copy, and delete the card', '保留冲突副本，删除卡片'],
      \ ['B', 'conflicts#keep_both()', 'keep both as two cards', '两者都保留，成为两张卡片'],
      \ ['e', 'conflicts#merge()', 'edit the card beside its conflict copy: do takes a part over, :w saves; then K',
      \  '对照冲突副本编辑卡片：do 取用一处，:w 保存，然后按 K'],
      \ ['u', 'action#undelete()', 'restore the card that was deleted last', '恢复最近删除的卡片'],
      \ ['x', 'conflicts#reveal()', 'show or hide concealed values', '显示或隐藏保密内容'],
      \ ['<Tab>', 'conflicts#go(1)', 'show the next conflict', '查看下一处冲突'],
      \ ['<S-Tab>', 'conflicts#go(-1)', 'show the previous conflict', '查看上一处冲突'],
      \ ['<CR>', 'conflicts#show()', 'show the conflict on this line', '查看此行的冲突'],
      \ ['g R', 'conflicts#refresh()', 'look for conflicts again', '重新查找冲突'],
      \ ] + s:lock
      \ + [['? g?', "keys#help('conflicts')", 'show this help; see also :help quickvault', '显示本帮助；另见 :help quickvault']]

let s:keys.qv = [['g R', 'qv#again()']] + s:lock

let s:keys.form = [
      \ ['g?', "keys#help('form')"],
      \ [':w', '', 'save', '保存'],
      \ [':q!', '', 'discard changes', '放弃修改'],
      \ [':lnext', '', 'go to the next problem', '跳到下一处问题'],
      \ [':QuickVaultReveal', '', 'show or hide the concealed value on this line', '显示或隐藏此行的保密内容'],
      \ ['label: value', '', 'a field; further lines of its value begin with two spaces', '字段；内容的续行以两个空格开头'],
      \ ['*label: value', '', 'your own field with a concealed value', '内容保密的自定义字段'],
      \ ['*label: ••••', '', 'its value, unchanged; type over it to set another one', '内容不变；改写即设为新内容'],
      \ ['# ...', '', 'a comment; it is not saved', '注释，不会保存'],
      \ ]

let s:welcome = [
      \ ['Welcome to QuickVault', '欢迎使用随取'],
      \ ['', ''],
      \ ['It keeps your addresses, invoice details and notes encrypted, and copies them with a keystroke.',
      \  '它加密保存您的地址、开票信息和笔记，一键即可复制。'],
      \ ['Your vault is one encrypted file on this machine: %s', '您的保险库是本机上的一个加密文件：%s'],
      \ ['Nothing leaves this machine unless you turn on synchronisation; :QuickVaultPrivacy says more.',
      \  '除非您开启同步，否则任何内容都不会离开本机；详见 :QuickVaultPrivacy。'],
      \ ['One master password protects everything. If you forget it, nobody can recover anything.',
      \  '所有内容都由一个主密码保护；一旦忘记，任何人都无法恢复。'],
      \ ['', ''],
      \ ['If you have a vault on another machine that synchronises it, leave (CTRL-C) and use :QuickVaultJoin, or'
      \  . ' :QuickVaultAccount if it is on a WebDAV server.',
      \  '如果其他电脑上已有同步的保险库，请先离开（CTRL-C），再执行 :QuickVaultJoin；如果保险库在 WebDAV 服务器上，请执行 :QuickVaultAccount。'],
      \ ['Press <CR> to start.', '按 <CR> 开始。'],
      \ ]

" Maps the keys of a page.
function! quickvault#keys#map(page) abort
  for [l:keys, l:function; l:help] in s:keys[a:page]
    for l:key in empty(l:function) ? [] : split(l:keys)
      " A key that others begin with waits for them.
      execute 'nnoremap <buffer>' (l:key =~# '^g' ? '' : '<nowait>') l:key '<Cmd>call quickvault#' . l:function . '<CR>'
      if l:key ==# 'g'
        call s:keep_g_commands()
      endif
    endfor
  endfor
endfunction

function! s:keep_g_commands() abort
  for l:command in filter(copy(s:g_commands), 'empty(maparg("g" . v:val, "n"))')
    execute 'nnoremap <buffer> g' . l:command 'g' . l:command
  endfor
endfunction

" Shows the help of a page.
function! quickvault#keys#help(page) abort
  let l:column = quickvault#text#language() ==# 'en' ? 2 : 3
  echo join(map(filter(copy(s:keys[a:page]), 'len(v:val) > 2'), {_, row -> printf('%-18s %s', row[0], row[l:column])}), "\n")
endfunction

" Returns the lines of the welcome text for a vault at a path.
function! quickvault#keys#welcome(path) abort
  let l:column = quickvault#text#language() ==# 'en' ? 0 : 1
  return map(copy(s:welcome), {_, line -> substitute(line[l:column], '%s', escape(a:path, '\&~'), '')})
endfunction
