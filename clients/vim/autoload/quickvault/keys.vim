" Key mappings of the vault buffers, and their help texts.
scriptencoding utf-8

" Vim's g commands, which stay available in a view; g alone waits for 'timeoutlen'.  The user may have mapped one, such as gx.
let s:g_commands = split("# $ & ' ` * + , - 0 8 ; < @ D E F H I J M N P Q R T U V ] ^ _ a d e f g h i j k m n o p q r s t u v w x ~")
      \ + ['<C-A>', '<C-G>', '<C-H>', '<C-]>', '<Tab>', '<Up>', '<Down>', '<Home>', '<End>']

let s:list = [
      \ ['/', 'search as you type', '边输入边搜索'],
      \ ['g R', 'refresh', '刷新'],
      \ ['<CR>', 'show the card', '查看卡片'],
      \ ['w', 'copy the card', '复制卡片'],
      \ ['f', 'copy a field', '复制字段'],
      \ ['c', 'create a card', '新建卡片'],
      \ ['e', 'edit', '编辑'],
      \ ['d', 'delete', '删除'],
      \ ['u', 'restore the card that was deleted last', '恢复最近删除的卡片'],
      \ ['p', 'pin or unpin', '置顶或取消置顶'],
      \ ['t', 'show only one tag', '按标签筛选'],
      \ ['s', 'sort by the column at the cursor; again: in reverse; a third time: as usual', '按光标所在列排序；再按：倒序、恢复'],
      \ ['S', 'open the settings', '打开设置'],
      \ ['G', 'load all cards and go to the last one', '加载全部卡片并跳到最后一张'],
      \ ['A', 'attach a file', '添加附件'],
      \ ['o', 'open an attachment', '打开附件'],
      \ ['P', 'show a picture of an attachment here', '在此显示附件的图片'],
      \ ['X', 'export an attachment', '导出附件'],
      \ ['M', 'set or remove the watermark of an attachment', '设置或移除附件的水印'],
      \ ['D', 'delete an attachment', '删除附件'],
      \ ['L', 'lock', '锁定'],
      \ ['q', 'close', '关闭'],
      \ ['? g?', 'show this help; see also :help quickvault', '显示本帮助；另见 :help quickvault'],
      \ ]

let s:page = [
      \ ['x', 'show or hide concealed values', '显示或隐藏保密内容'],
      \ ['f <CR>', 'copy the field or open the attachment on this line', '复制此行的字段，或打开此行的附件'],
      \ ['g R', 'refresh', '刷新'],
      \ ['w', 'copy the card', '复制卡片'],
      \ ['e', 'edit', '编辑'],
      \ ['d', 'delete', '删除'],
      \ ['u', 'restore the card that was deleted last', '恢复最近删除的卡片'],
      \ ['p', 'pin or unpin', '置顶或取消置顶'],
      \ ['A', 'attach a file', '添加附件'],
      \ ['o', 'open an attachment', '打开附件'],
      \ ['P', 'show a picture of an attachment here', '在此显示附件的图片'],
      \ ['X', 'export an attachment', '导出附件'],
      \ ['M', 'set or remove the watermark of an attachment', '设置或移除附件的水印'],
      \ ['D', 'delete an attachment', '删除附件'],
      \ ['L', 'lock', '锁定'],
      \ ['q', 'close', '关闭'],
      \ ['? g?', 'show this help; see also :help quickvault', '显示本帮助；另见 :help quickvault'],
      \ ]

let s:conflicts = [
      \ ['K', 'keep the card, and delete the conflict copy', '保留卡片，删除冲突副本'],
      \ ['C', 'keep the conflict copy, and delete the card', '保留冲突副本，删除卡片'],
      \ ['B', 'keep both as two cards', '两者都保留，成为两张卡片'],
      \ ['e', 'edit the card beside its conflict copy: do takes a part over, :w saves; then K',
      \  '对照冲突副本编辑卡片：do 取用一处，:w 保存，然后按 K'],
      \ ['u', 'restore the card that was deleted last', '恢复最近删除的卡片'],
      \ ['x', 'show or hide concealed values', '显示或隐藏保密内容'],
      \ ['<Tab> <S-Tab>', 'show the next or the previous conflict', '查看下一处或上一处冲突'],
      \ ['<CR>', 'show the conflict on this line', '查看此行的冲突'],
      \ ['g R', 'look for conflicts again', '重新查找冲突'],
      \ ['L', 'lock', '锁定'],
      \ ['q', 'close', '关闭'],
      \ ['? g?', 'show this help; see also :help quickvault', '显示本帮助；另见 :help quickvault'],
      \ ]

let s:form = [
      \ [':w', 'save', '保存'],
      \ [':q!', 'discard changes', '放弃修改'],
      \ [':lnext', 'go to the next problem', '跳到下一处问题'],
      \ [':QuickVaultReveal', 'show or hide concealed values', '显示或隐藏保密内容'],
      \ ['label: value', 'a field; further lines of its value begin with two spaces', '字段；内容的续行以两个空格开头'],
      \ ['*label: value', 'your own field with a concealed value', '内容保密的自定义字段'],
      \ ['# ...', 'a comment; it is not saved', '注释，不会保存'],
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

" Maps the keys of the list.
function! quickvault#keys#list() abort
  call s:map_common_keys('quickvault#list#refresh()')
  nnoremap <buffer> <nowait> / <Cmd>call quickvault#list#search()<CR>
  nnoremap <buffer> <nowait> <CR> <Cmd>call quickvault#action#do('show')<CR>
  nnoremap <buffer> <nowait> c <Cmd>call quickvault#new('', '')<CR>
  nnoremap <buffer> <nowait> s <Cmd>call quickvault#list#sort()<CR>
  nnoremap <buffer> <nowait> <expr> G v:count ? 'G' : '<Cmd>call quickvault#list#last()<CR>'
  nnoremap <buffer> <nowait> t <Cmd>call quickvault#list#filter()<CR>
  nnoremap <buffer> <nowait> S <Cmd>QuickVaultSettings<CR>
  nnoremap <buffer> <nowait> ? <Cmd>call quickvault#keys#help('list')<CR>
  nnoremap <buffer> g? <Cmd>call quickvault#keys#help('list')<CR>
  call s:map_card_keys()
endfunction

" Maps the keys of a card's page.
function! quickvault#keys#page() abort
  call s:map_common_keys('quickvault#page#refresh()')
  nnoremap <buffer> <nowait> <CR> <Cmd>call quickvault#action#do('copy_field')<CR>
  nnoremap <buffer> <nowait> x <Cmd>call quickvault#page#reveal()<CR>
  nnoremap <buffer> <nowait> ? <Cmd>call quickvault#keys#help('page')<CR>
  nnoremap <buffer> g? <Cmd>call quickvault#keys#help('page')<CR>
  call s:map_card_keys()
endfunction

" Maps the keys of the log.
function! quickvault#keys#log() abort
  call s:map_common_keys('quickvault#log#refresh()')
endfunction

" Maps the keys of the page about damage.
function! quickvault#keys#damage() abort
  call s:map_common_keys('quickvault#damage#refresh()')
endfunction

" Maps the keys of the page about synchronisation.
function! quickvault#keys#sync() abort
  call s:map_common_keys('quickvault#sync#refresh()')
  for [l:key, l:action] in items({'e': 'enable', 's': 'now', 'd': 'forget', 'D': 'disable', 'p': 'rejoin',
        \ 'K': 'rekey'})
    execute 'nnoremap <buffer> <nowait>' l:key '<Cmd>call quickvault#sync#' . l:action . '()<CR>'
  endfor
  nnoremap <buffer> <nowait> c <Cmd>QuickVaultConflicts<CR>
endfunction

" Maps the keys of the page that settles conflicts.
function! quickvault#keys#conflicts() abort
  call s:map_common_keys('quickvault#conflicts#refresh()')
  for [l:key, l:action] in items({'K': 'keep_card()', 'C': 'keep_copy()', 'B': 'keep_both()', 'e': 'merge()', 'x': 'reveal()',
        \ '<CR>': 'show()', '<Tab>': 'go(1)', '<S-Tab>': 'go(-1)'})
    execute 'nnoremap <buffer> <nowait>' l:key '<Cmd>call quickvault#conflicts#' . l:action . '<CR>'
  endfor
  nnoremap <buffer> <nowait> u <Cmd>call quickvault#action#undelete()<CR>
  nnoremap <buffer> <nowait> ? <Cmd>call quickvault#keys#help('conflicts')<CR>
  nnoremap <buffer> g? <Cmd>call quickvault#keys#help('conflicts')<CR>
endfunction

" Maps the keys of the page about the account.
function! quickvault#keys#account() abort
  call s:map_common_keys('quickvault#account#refresh()')
  nnoremap <buffer> <nowait> e <Cmd>call quickvault#account#sign_in()<CR>
  nnoremap <buffer> <nowait> D <Cmd>call quickvault#account#sign_out()<CR>
  nnoremap <buffer> <nowait> X <Cmd>call quickvault#account#delete_data()<CR>
  nnoremap <buffer> <nowait> p <Cmd>QuickVaultPrivacy<CR>
endfunction

" Maps the keys of the list of devices.
function! quickvault#keys#devices() abort
  call s:map_common_keys('quickvault#devices#refresh()')
  nnoremap <buffer> <nowait> d <Cmd>call quickvault#devices#revoke()<CR>
endfunction

" Maps the keys of an import report.
function! quickvault#keys#report() abort
  nnoremap <buffer> <nowait> L <Cmd>call quickvault#lock(0)<CR>
endfunction

function! s:map_common_keys(refresh) abort
  execute 'nnoremap <buffer> <nowait> R <Cmd>call' a:refresh . '<CR>'
  execute 'nnoremap <buffer> g <Cmd>call' a:refresh . '<CR>'
  for l:command in filter(copy(s:g_commands), 'empty(maparg("g" . v:val, "n"))')
    execute 'nnoremap <buffer> g' . l:command 'g' . l:command
  endfor
  nnoremap <buffer> <nowait> L <Cmd>call quickvault#lock(0)<CR>
endfunction

function! s:map_card_keys() abort
  nnoremap <buffer> <nowait> u <Cmd>call quickvault#action#undelete()<CR>
  for [l:key, l:action] in items({'w': 'copy', 'f': 'copy_field', 'e': 'edit', 'd': 'delete', 'p': 'pin',
        \ 'A': 'attach', 'o': 'view', 'P': 'preview', 'X': 'export', 'M': 'set_watermark', 'D': 'delete_attachment'})
    execute 'nnoremap <buffer> <nowait>' l:key "<Cmd>call quickvault#action#do('" . l:action . "')<CR>"
  endfor
endfunction

" Shows the help for forms.
function! quickvault#keys#form() abort
  call quickvault#keys#help('form')
endfunction

" Shows the help for the list, the page, the conflicts or the form.
function! quickvault#keys#help(where) abort
  let l:column = quickvault#text#language() ==# 'en' ? 1 : 2
  let l:rows = {'list': s:list, 'page': s:page, 'conflicts': s:conflicts, 'form': s:form}[a:where]
  echo join(map(copy(l:rows), {_, row -> printf('%-18s %s', row[0], row[l:column])}), "\n")
endfunction

" Returns the lines of the welcome text for a vault at a path.
function! quickvault#keys#welcome(path) abort
  let l:column = quickvault#text#language() ==# 'en' ? 0 : 1
  return map(copy(s:welcome), {_, line -> substitute(line[l:column], '%s', escape(a:path, '\&~'), '')})
endfunction
