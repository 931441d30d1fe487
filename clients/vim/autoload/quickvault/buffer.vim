" Buffers that show the vault.  Nothing of them reaches the disk, and all are blanked when the vault locks.
"
" Each is named quickvault://kind/id and has its state in b:quickvault: always kind and id, and locked where it was
" blanked.

let s:rooms = {'cards': 'list', 'card': 'page', 'current': 'edit', 'devices': 'devices', 'edit': 'edit',
      \ 'import': 'moving', 'log': 'log', 'new': 'edit', 'settings': 'settings'}

" Shows a buffer by an Ex command such as "split", or goes to where it is shown.
function! quickvault#buffer#open(name, command) abort
  let l:windows = bufexists(a:name) ? win_findbuf(bufnr('^' . a:name . '$')) : []
  if !empty(l:windows)
    call win_gotoid(l:windows[0])
  else
    let l:vacant = empty(bufname('%')) && empty(&buftype) && !&modified && line('$') == 1 && empty(getline(1))
    execute 'noswapfile' l:vacant ? 'edit' : a:command fnameescape(a:name)
  endif
endfunction

" Closes the current window, and the buffer with it.
function! quickvault#buffer#close() abort
  if winnr('$') == 1 && tabpagenr('$') == 1
    enew
  else
    close
  endif
endfunction

" Shows a buffer of one card: in place of another card's page, else in a new window.
function! quickvault#buffer#open_beside(name) abort
  for l:window in range(1, winnr('$'))
    let l:state = getbufvar(winbufnr(l:window), 'quickvault', {})
    if index(['card', 'log'], get(l:state, 'kind', '')) >= 0
      execute l:window . 'wincmd w'
      return quickvault#buffer#open(a:name, 'edit')
    endif
  endfor
  call quickvault#buffer#open(a:name, 'belowright split')
endfunction

" Fills the current buffer, new or to be read again: BufReadCmd.
function! quickvault#buffer#read(name) abort
  let l:parts = matchlist(a:name, '^quickvault://\([a-z]\+\)\%(/\(.*\)\)\?$')
  if empty(l:parts) || !has_key(s:rooms, l:parts[1])
    return quickvault#notice#error(quickvault#text#get('failed'))
  endif
  let b:quickvault = {'kind': l:parts[1], 'id': l:parts[2]}
  call call('quickvault#' . s:rooms[l:parts[1]] . '#read', [])
endfunction

" Saves the current buffer: BufWriteCmd.
function! quickvault#buffer#write() abort
  if has_key(b:quickvault, 'locked')
    return quickvault#notice#warn(quickvault#text#get('blank'))
  endif
  call call('quickvault#' . s:rooms[b:quickvault.kind] . '#write', [])
endfunction

" Makes the current buffer one that is only read.
function! quickvault#buffer#for_reading() abort
  call s:private()
  setlocal buftype=nofile nomodifiable undolevels=-1 filetype=quickvault nolist nowrap
  call s:highlight('quickvault')
  nnoremap <buffer> <nowait> q <Cmd>call quickvault#buffer#close()<CR>
endfunction

" Makes the current buffer a form, saved with :w.
function! quickvault#buffer#for_writing() abort
  call s:private()
  setlocal buftype=acwrite modifiable filetype=quickvaultform
  setlocal expandtab shiftwidth=2 softtabstop=2 autoindent textwidth=0 wrapmargin=0 formatoptions-=t formatoptions-=a
  setlocal conceallevel=2 concealcursor=nvc
  call s:highlight('quickvaultform')
  silent! nunmap <buffer> <CR>
  nnoremap <buffer> g? <Cmd>call quickvault#keys#form()<CR>
  command! -buffer -bar QuickVaultReveal call quickvault#buffer#reveal()
endfunction

function! s:private() abort
  setlocal bufhidden=wipe noswapfile noundofile nobuflisted nomodeline
endfunction

" Syntax items work without ":syntax on", and concealing needs them.
function! s:highlight(name) abort
  if !exists('g:syntax_on')
    unlet! b:current_syntax
    execute 'runtime! syntax/' . a:name . '.vim'
  endif
endfunction

" Shows or hides the concealed values of a form.
function! quickvault#buffer#reveal() abort
  let &l:conceallevel = &l:conceallevel == 0 ? 2 : 0
endfunction

" Puts lines into the current buffer, and drops its undo history.
function! quickvault#buffer#fill(lines) abort
  let [l:modifiable, l:levels] = [&l:modifiable, &l:undolevels]
  setlocal modifiable noreadonly undolevels=-1
  silent keepjumps %delete _
  call setline(1, a:lines)
  let &l:undolevels = l:levels
  let &l:modifiable = l:modifiable
  setlocal nomodified
endfunction

" Puts lines into the current buffer where they differ; that can be undone.
function! quickvault#buffer#replace(lines) abort
  let l:view = winsaveview()
  for l:index in range(len(a:lines))
    if l:index >= line('$') || getline(l:index + 1) !=# a:lines[l:index]
      call setline(l:index + 1, a:lines[l:index])
    endif
  endfor
  if line('$') > len(a:lines)
    call deletebufline('%', len(a:lines) + 1, '$')
  endif
  call winrestview(l:view)
endfunction

" Calls a function in a window of the buffer, if there is one.
function! quickvault#buffer#within(buffer, Function) abort
  if bufnr('%') == a:buffer
    return a:Function()
  endif
  for l:window in win_findbuf(a:buffer)[:0]
    let s:Function = a:Function
    call win_execute(l:window, 'call s:Function()')
  endfor
endfunction

function! quickvault#buffer#is_ours(buffer) abort
  return bufname(a:buffer) =~# '^quickvault://'
endfunction

function! s:ours() abort
  return filter(map(getbufinfo({'bufloaded': 1}), 'v:val.bufnr'), 'quickvault#buffer#is_ours(v:val)')
endfunction

" Blanks every vault buffer, but for unsaved changes if they are to be kept, and removes what a viewer shows and what
" registers hold; less of that if Vim went to the background.  Gives how many of those changes were lost.
function! quickvault#buffer#blank(keep_changes, background = 0) abort
  call quickvault#viewer#clear()
  let l:lost = 0
  if quickvault#buffer#is_ours(bufnr('%'))
    stopinsert
  endif
  for l:buffer in s:ours()
    let l:changed = getbufvar(l:buffer, '&modified')
    if !a:keep_changes || !l:changed
      let l:lost += l:changed
      call quickvault#buffer#within(l:buffer, {-> s:blank([quickvault#text#get('blank')])})
    endif
  endfor
  if !a:keep_changes
    call quickvault#copy#lock(a:background)
    call quickvault#traces#lock(a:background)
  endif
  " While something is being asked Vim would not do so by itself.
  redraw
  return l:lost
endfunction

function! s:blank(lines) abort
  call quickvault#buffer#fill(a:lines)
  call setloclist(0, [], 'r')
  " The command-line window, if one is open, refuses this.
  silent! diffoff
  setlocal nomodifiable
  let b:quickvault = {'kind': b:quickvault.kind, 'id': b:quickvault.id, 'locked': 1}
  nnoremap <buffer> <nowait> <CR> <Cmd>call quickvault#unlock()<CR>
endfunction

" Welcomes a new user in the buffers that wait for a vault.
function! quickvault#buffer#welcome() abort
  for l:buffer in s:ours()
    call quickvault#buffer#within(l:buffer, {-> s:blank(quickvault#keys#welcome())})
  endfor
endfunction

" Reads the blanked buffers again.
function! quickvault#buffer#revive() abort
  for l:buffer in s:ours()
    if has_key(getbufvar(l:buffer, 'quickvault', {}), 'locked')
      call quickvault#buffer#within(l:buffer, {-> quickvault#buffer#read(bufname('%'))})
    endif
  endfor
endfunction

" Reads again what shows changed cards.
function! quickvault#buffer#changed(change) abort
  let l:ids = get(a:change, 'changed', []) + get(a:change, 'deleted', [])
  for l:buffer in s:ours()
    let l:state = getbufvar(l:buffer, 'quickvault', {})
    let l:concerned = get(a:change, 'all', 0) is v:true || index(l:ids, get(l:state, 'id', '')) >= 0
    if has_key(l:state, 'locked') || getbufvar(l:buffer, '&modified')
      continue
    elseif l:state.kind ==# 'cards'
      call quickvault#buffer#within(l:buffer, function('quickvault#list#refresh'))
    elseif l:concerned && index(['card', 'edit'], l:state.kind) >= 0
      call quickvault#buffer#within(l:buffer, function('quickvault#' . s:rooms[l:state.kind] . '#refresh'))
    endif
  endfor
endfunction

" Whether there are changes that are not saved.
function! quickvault#buffer#changes() abort
  return !empty(filter(s:ours(), 'getbufvar(v:val, "&modified")'))
endfunction

" Wipes out every vault buffer.
function! quickvault#buffer#wipe() abort
  for l:buffer in filter(map(getbufinfo(), 'v:val.bufnr'), 'quickvault#buffer#is_ours(v:val)')
    execute 'silent! noautocmd bwipeout!' l:buffer
  endfor
endfunction
