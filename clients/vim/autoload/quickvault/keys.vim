" The keys of the buffers, and the words that explain them.
scriptencoding utf-8

" Vim's own commands that begin with g and make sense in a list: they stay, and g alone waits for 'timeoutlen'.
let s:g_commands = split("g t T j k 0 ^ $ _ m M o v e E , ; a 8 f F x < & @ ' `") + ['<Tab>', '<Up>', '<Down>']

let s:list = [
      \ ['/', 'search while typing', '边输入边搜索'],
      \ ['g R', 'refresh', '刷新'],
      \ ['<CR>', 'show the card', '查看卡片'],
      \ ['w', 'copy the card', '复制卡片'],
      \ ['f', 'copy a field', '复制字段'],
      \ ['c', 'create a card', '新建卡片'],
      \ ['e', 'edit', '编辑'],
      \ ['d', 'delete', '删除'],
      \ ['p', 'pin or unpin', '置顶或取消置顶'],
      \ ['t', 'cards with one tag', '按标签筛选'],
      \ ['A', 'attach a file', '添加附件'],
      \ ['o', 'open an attachment with the viewer', '用查看程序打开附件'],
      \ ['X', 'write an attachment to a file', '把附件写入文件'],
      \ ['M', 'set the watermark of an attachment, or take it off', '设置或去除附件的水印'],
      \ ['D', 'delete an attachment', '删除附件'],
      \ ['L', 'lock', '锁定'],
      \ ['q', 'close', '关闭'],
      \ ['? g?', 'this help; more in :help quickvault', '本帮助；更多见 :help quickvault'],
      \ ]

let s:page = [
      \ ['x', 'show or hide concealed values', '显示或隐藏保密的值'],
      \ ['f <CR>', 'copy the field on this line, or open the attachment', '复制此行的字段，或打开附件'],
      \ ['g R', 'refresh', '刷新'],
      \ ['w', 'copy the card', '复制卡片'],
      \ ['e', 'edit', '编辑'],
      \ ['d', 'delete', '删除'],
      \ ['p', 'pin or unpin', '置顶或取消置顶'],
      \ ['A', 'attach a file', '添加附件'],
      \ ['o', 'open an attachment with the viewer', '用查看程序打开附件'],
      \ ['X', 'write an attachment to a file', '把附件写入文件'],
      \ ['M', 'set the watermark of an attachment, or take it off', '设置或去除附件的水印'],
      \ ['D', 'delete an attachment', '删除附件'],
      \ ['L', 'lock', '锁定'],
      \ ['q', 'close', '关闭'],
      \ ['? g?', 'this help; more in :help quickvault', '本帮助；更多见 :help quickvault'],
      \ ]

let s:form = [
      \ [':w', 'save', '保存'],
      \ [':q!', 'discard', '放弃'],
      \ [':lnext', 'go to the next thing to mend', '跳到下一处需修改的地方'],
      \ [':QuickVaultReveal', 'show or hide concealed values', '显示或隐藏保密的值'],
      \ ['label: value', 'a field; its further lines begin with two spaces', '字段；续行以两个空格开头'],
      \ ['*label: value', 'a field of your own whose value is concealed', '值保密的自定义字段'],
      \ ['# ...', 'a comment, which is not saved', '注释，不会保存'],
      \ ]

let s:welcome = [
      \ ['Welcome to QuickVault', '欢迎使用随取'],
      \ ['', ''],
      \ ['It keeps the facts that you paste all day, encrypted with a password of yours.',
      \  '它用您的密码加密保存您每天要粘贴的信息。'],
      \ ['Choose one of at least 8 characters. Without it nobody can open the vault: there is no way back.',
      \  '请选择至少 8 个字符的密码。没有密码，谁也无法打开保险库，也无法找回。'],
      \ ['', ''],
      \ ['<CR> begins.', '按 <CR> 开始。'],
      \ ]

" The keys of the list.
function! quickvault#keys#list() abort
  call s:common('quickvault#list#refresh()')
  nnoremap <buffer> <nowait> / <Cmd>call quickvault#list#search()<CR>
  nnoremap <buffer> <nowait> <CR> <Cmd>call quickvault#action#do('show')<CR>
  nnoremap <buffer> <nowait> c <Cmd>call quickvault#new('', '')<CR>
  nnoremap <buffer> <nowait> t <Cmd>call quickvault#list#filter()<CR>
  nnoremap <buffer> <nowait> ? <Cmd>call quickvault#keys#show('list')<CR>
  nnoremap <buffer> g? <Cmd>call quickvault#keys#show('list')<CR>
  call s:cards()
endfunction

" The keys of a card's page.
function! quickvault#keys#page() abort
  call s:common('quickvault#page#refresh()')
  nnoremap <buffer> <nowait> <CR> <Cmd>call quickvault#action#do('copy_field')<CR>
  nnoremap <buffer> <nowait> x <Cmd>call quickvault#page#reveal()<CR>
  nnoremap <buffer> <nowait> ? <Cmd>call quickvault#keys#show('page')<CR>
  nnoremap <buffer> g? <Cmd>call quickvault#keys#show('page')<CR>
  call s:cards()
endfunction

" The keys of the log.
function! quickvault#keys#log() abort
  call s:common('quickvault#log#refresh()')
endfunction

" The keys of the list of devices.
function! quickvault#keys#devices() abort
  call s:common('quickvault#devices#refresh()')
  nnoremap <buffer> <nowait> d <Cmd>call quickvault#devices#revoke()<CR>
endfunction

" The keys of the report of an import.
function! quickvault#keys#report() abort
  nnoremap <buffer> <nowait> L <Cmd>call quickvault#lock(0)<CR>
endfunction

function! s:common(refresh) abort
  execute 'nnoremap <buffer> <nowait> R <Cmd>call' a:refresh . '<CR>'
  execute 'nnoremap <buffer> g <Cmd>call' a:refresh . '<CR>'
  for l:command in s:g_commands
    execute 'nnoremap <buffer> g' . l:command 'g' . l:command
  endfor
  nnoremap <buffer> <nowait> L <Cmd>call quickvault#lock(0)<CR>
endfunction

function! s:cards() abort
  for [l:key, l:action] in items({'w': 'copy', 'f': 'copy_field', 'e': 'edit', 'd': 'delete', 'p': 'pin',
        \ 'A': 'attach', 'o': 'view', 'X': 'export', 'M': 'mark', 'D': 'delete_attachment'})
    execute 'nnoremap <buffer> <nowait>' l:key "<Cmd>call quickvault#action#do('" . l:action . "')<CR>"
  endfor
endfunction

" Explains the keys of a form.
function! quickvault#keys#form() abort
  call quickvault#keys#show('form')
endfunction

" Explains the keys of the list, the page or the form.
function! quickvault#keys#show(where) abort
  let l:column = quickvault#text#language() ==# 'en' ? 1 : 2
  let l:rows = {'list': s:list, 'page': s:page, 'form': s:form}[a:where]
  echo join(map(copy(l:rows), {_, row -> printf('%-18s %s', row[0], row[l:column])}), "\n")
endfunction

" What a new user reads first.
function! quickvault#keys#welcome() abort
  let l:column = quickvault#text#language() ==# 'en' ? 0 : 1
  return map(copy(s:welcome), 'v:val[l:column]')
endfunction
