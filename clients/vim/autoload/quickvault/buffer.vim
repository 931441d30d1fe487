" Vault buffers.  Their contents are never written to disk, and they are blanked when the vault locks.
"
" A buffer is named quickvault://kind/id.  Its state is in b:quickvault: always kind and id, and locked if it is blanked.

let s:modules = {'cards': 'list', 'card': 'page', 'conflicts': 'conflicts', 'current': 'edit', 'edit': 'edit', 'new': 'edit',
      \ 'qv': 'qv', 'settings': 'settings'}

" What a lock keeps of a buffer: the search of the list, the name and the view of a form's draft.
let s:kept_at_lock = ['query', 'tag', 'sort', 'descending', 'form', 'view']

" Opens a buffer with an Ex command such as "split", or goes to its window.  Replaces an empty buffer, unless
" the command gives a height.
function! quickvault#buffer#open(name, command) abort
  let l:windows = bufexists(a:name) ? win_findbuf(bufnr('^' . a:name . '$')) : []
  if !empty(l:windows)
    call win_gotoid(l:windows[0])
  else
    let l:is_empty = empty(bufname('%')) && empty(&buftype) && !&modified && line('$') == 1 && empty(getline(1))
    execute 'noswapfile' l:is_empty && a:command !~# '\d' ? 'edit'
          \ : a:command !~# 'split' || s:has_room() ? a:command : 'tabedit' fnameescape(a:name)
  endif
endfunction

" Returns whether there is room for one more window above or below the others; Vim would fail to split one.
function! s:has_room() abort
  " Each window has a status line, and the current one has a line at least; a tab page may need its line later.
  let [l:smallest, l:more] = [&winminheight + 1, &winminheight == 0]
  return (winnr('$') + 1) * l:smallest + l:more <= &lines - &cmdheight - (&showtabline > 0)
        \ && (&equalalways || 2 * l:smallest + l:more <= winheight(0) + 1)
endfunction

" Closes the current window and its buffer.
function! quickvault#buffer#close() abort
  try
    close
  catch /^Vim\%((\a\+)\)\=:E\%(444\|5601\)/
    " It is the last window, except for those that float in Neovim.
    enew
  endtry
endfunction

" Opens the buffer of a card, in place of another card's page if there is one, else in a new window.
function! quickvault#buffer#open_beside(name) abort
  let l:page = filter(range(1, winnr('$')), 'get(getbufvar(winbufnr(v:val), "quickvault", {}), "kind", "") ==# "card"')
  if !empty(l:page)
    execute l:page[0] . 'wincmd w'
  endif
  call quickvault#buffer#open(a:name, empty(l:page) ? 'belowright split' : 'edit')
endfunction

" Loads or reloads the current buffer, for BufReadCmd.  One that a session file has opened is blank while the vault is locked.
function! quickvault#buffer#read(name, may_unlock = 1) abort
  let l:is_known = s:note_name(a:name)
  if l:is_known && (a:may_unlock || quickvault#session#is_unlocked())
    return call('quickvault#' . s:modules[b:quickvault.kind] . '#read', [])
  endif
  call quickvault#buffer#set_private()
  setlocal buftype=nofile nomodifiable
  return l:is_known ? quickvault#buffer#show_locked() : quickvault#message#error(quickvault#text#get('failed'))
endfunction

" Notes the kind and the id in the name of the current buffer, beside what a lock has kept; returns whether there is such a
" kind.
function! s:note_name(name) abort
  let l:parts = matchlist(a:name, '^quickvault://\([a-z]\+\)\%(/\(.*\)\)\?$')
  if !has_key(s:modules, get(l:parts, 1, ''))
    return 0
  endif
  let l:kept = has_key(get(b:, 'quickvault', {}), 'locked') ? filter(copy(b:quickvault), 'index(s:kept_at_lock, v:key) >= 0') : {}
  let b:quickvault = extend(l:kept, {'kind': l:parts[1], 'id': l:parts[2]})
  return 1
endfunction

" Reloads the current buffer.
function! quickvault#buffer#refresh() abort
  call call('quickvault#' . s:modules[b:quickvault.kind] . '#refresh', [])
endfunction

" Saves the current buffer, for BufWriteCmd.
function! quickvault#buffer#write() abort
  let l:state = get(b:, 'quickvault', {})
  if has_key(l:state, 'locked')
    call quickvault#message#warn(quickvault#text#get('blank'))
  elseif &buftype !=# 'acwrite' || !has_key(l:state, 'kind')
    call quickvault#message#error(quickvault#text#get('not.a.form'))
  else
    call call('quickvault#' . s:modules[l:state.kind] . '#write', [])
  endif
endfunction

" Gives the current buffer its name back, such as after :saveas: a lock blanks buffers by their names.
function! quickvault#buffer#keep_name() abort
  if !quickvault#buffer#is_vault_buffer(bufnr('%'))
    let l:name = 'quickvault://' . b:quickvault.kind . (empty(b:quickvault.id) ? '' : '/' . b:quickvault.id)
    execute 'silent noautocmd keepalt file' fnameescape(l:name)
  endif
endfunction

" Sets the current buffer up as a read-only view.
function! quickvault#buffer#setup_view() abort
  call quickvault#buffer#set_private()
  setlocal buftype=nofile nomodifiable undolevels=-1 filetype=quickvault nolist wrap linebreak nofoldenable nospell
  call quickvault#buffer#highlight('quickvault')
  nnoremap <buffer> <nowait> <expr> q empty(reg_recording()) ? "\<lt>Cmd>call quickvault#buffer#close()\<lt>CR>" : 'q'
endfunction

" Keeps the current buffer off the disk and out of lists.
function! quickvault#buffer#set_private() abort
  setlocal bufhidden=wipe noswapfile noundofile nobuflisted nomodeline
endfunction

" Loads the syntax file even without ":syntax on" or with ":syntax manual", because concealing needs it.
function! quickvault#buffer#highlight(name) abort
  if get(b:, 'current_syntax', '') !=# a:name
    syntax clear
    execute 'runtime! syntax/' . a:name . '.vim'
  endif
endfunction

" Shows that the current buffer is loading; until something else is shown, nothing in it can be changed.
function! quickvault#buffer#start_loading() abort
  call quickvault#buffer#fill([quickvault#text#get('loading')])
  setlocal nomodifiable
  let [b:quickvault.loading, b:quickvault.ids] = [1, []]
endfunction

" Gets what the current buffer is to show, and calls Show there with the result, or OnError with the error; not if it was
" locked or loaded again meanwhile.
function! quickvault#buffer#request(method, params, Show, OnError = function('quickvault#buffer#fail_loading')) abort
  let [l:buffer, l:state] = [bufnr('%'), b:quickvault]
  redraw
  let [l:error, l:result] = quickvault#session#wait(a:method, a:params)
  call quickvault#buffer#call_in(l:buffer, {-> b:quickvault isnot l:state ? 0
        \ : empty(l:error) ? a:Show(l:result) : a:OnError(l:error)})
endfunction

" Stops loading the current buffer, and shows the error, also there if it was to show what could not be loaded.
function! quickvault#buffer#fail_loading(error) abort
  let [l:is_loading, l:text] = [get(b:quickvault, 'loading', 0), quickvault#message#error_text(a:error)]
  let b:quickvault.loading = 0
  if l:is_loading && !empty(l:text) && !has_key(b:quickvault, 'locked')
    call quickvault#buffer#fill([l:text])
  endif
  call quickvault#message#error(a:error)
endfunction

" Replaces the lines of the current buffer and clears its undo history.
function! quickvault#buffer#fill(lines) abort
  let [l:modifiable, l:levels] = [&l:modifiable, &l:undolevels]
  setlocal modifiable noreadonly undolevels=-1
  silent keepjumps %delete _
  call setline(1, a:lines)
  let &l:undolevels = l:levels
  let &l:modifiable = l:modifiable
  setlocal nomodified
  if exists('b:quickvault')
    let b:quickvault.loading = 0
  endif
endfunction

" Replaces the lines of the current view, and keeps the scroll position.  Each line has the id of what it shows, or an empty
" string.  The cursor stays on what it was on; if that is gone, no key acts on what has taken its place unseen.
function! quickvault#buffer#refill(lines, ids = []) abort
  let l:before = get(b:quickvault, 'ids', [])
  let l:id = get(l:before, line('.') - 1, '')
  let [l:view, l:row] = [winsaveview(), empty(l:id) ? -1 : index(a:ids, l:id)]
  call quickvault#buffer#fill(a:lines)
  let b:quickvault.ids = a:ids
  if l:row >= 0
    let l:row += min([l:view.lnum - 1 - index(l:before, l:id), count(a:ids, l:id) - 1])
    let l:view.lnum = l:row + 1
  endif
  call winrestview(l:view)
  call quickvault#buffer#note_unseen(!empty(l:id) && l:row < 0)
endfunction

" Draws the screen during a prompt, when nothing is drawn by itself.
function! quickvault#buffer#draw_in_prompt() abort
  if mode() =~# '^c'
    redraw
  endif
endfunction

" Notes whether what the cursor is on has come there unseen.
function! quickvault#buffer#note_unseen(is_unseen) abort
  let b:quickvault.unseen = a:is_unseen ? line('.') : 0
endfunction

" Returns whether a key may act on what is on the cursor's line; if that has come there unseen, says so once.
function! quickvault#buffer#may_act() abort
  let l:is_unseen = get(b:quickvault, 'unseen', 0) == line('.')
  let b:quickvault.unseen = 0
  if l:is_unseen
    call quickvault#message#warn(quickvault#text#get('line.changed'))
  endif
  return !l:is_unseen
endfunction

" Replaces the lines of the current buffer that differ, as an undoable change.
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

" Calls a function in a window of the buffer, if it has one.
function! quickvault#buffer#call_in(buffer, Function) abort
  if bufnr('%') == a:buffer
    return a:Function()
  endif
  for l:window in win_findbuf(a:buffer)[:0]
    let s:Function = a:Function
    call win_execute(l:window, 'call s:Function()')
  endfor
endfunction

function! quickvault#buffer#is_vault_buffer(buffer) abort
  return bufname(a:buffer) =~# '^quickvault://'
endfunction

" Blanks the current buffer.
function! quickvault#buffer#show_locked() abort
  let b:quickvault.view = winsaveview()
  call quickvault#buffer#fill(quickvault#session#blank_lines())
  call setloclist(0, [], 'r')
  " Fails while a command-line window is open.
  silent! diffoff
  setlocal nomodifiable wrap linebreak
  let b:quickvault = extend({'locked': 1}, filter(copy(b:quickvault),
        \ 'index(["kind", "id"] + s:kept_at_lock, v:key) >= 0'))
  nnoremap <buffer> <nowait> <CR> <Cmd>call quickvault#unlock()<CR>
endfunction
