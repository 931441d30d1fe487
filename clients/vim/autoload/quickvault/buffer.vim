" Vault buffers.  Their contents are never written to disk, and they are blanked when the vault locks.
"
" A buffer is named quickvault://kind/id.  Its state is in b:quickvault: always kind and id, and locked if it is blanked.

let s:modules = {'cards': 'list', 'card': 'page', 'conflicts': 'conflicts', 'current': 'edit', 'damage': 'damage', 'devices': 'devices', 'edit': 'edit',
      \ 'import': 'transfer', 'log': 'log', 'new': 'edit', 'settings': 'settings', 'sync': 'sync', 'account': 'account'}

" How many functions wait for a buffer to be loaded.
let s:waits = 0

" Opens a buffer with an Ex command such as "split", or goes to its window, and waits until it is loaded.
function! quickvault#buffer#open(name, command) abort
  let l:windows = bufexists(a:name) ? win_findbuf(bufnr('^' . a:name . '$')) : []
  if !empty(l:windows)
    call win_gotoid(l:windows[0])
  else
    let l:is_empty = empty(bufname('%')) && empty(&buftype) && !&modified && line('$') == 1 && empty(getline(1))
    execute 'noswapfile' l:is_empty ? 'edit' : a:command !~# 'split' || s:has_room() ? a:command : 'tabedit' fnameescape(a:name)
  endif
  call quickvault#buffer#await_loading()
endfunction

" Returns whether there is room for one more window above or below the others; Vim would fail to split one.
function! s:has_room() abort
  let l:rows = &lines - &cmdheight - (&showtabline == 2 || &showtabline == 1 && tabpagenr('$') > 1)
  " Each window has a status line, and the current one has a line at least.
  let [l:smallest, l:more] = [&winminheight + 1, &winminheight == 0]
  return (winnr('$') + 1) * l:smallest + l:more <= l:rows
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
  for l:window in range(1, winnr('$'))
    let l:state = getbufvar(winbufnr(l:window), 'quickvault', {})
    if index(['card', 'log'], get(l:state, 'kind', '')) >= 0
      execute l:window . 'wincmd w'
      return quickvault#buffer#open(a:name, 'edit')
    endif
  endfor
  call quickvault#buffer#open(a:name, 'belowright split')
endfunction

" Loads or reloads the current buffer, for BufReadCmd.
function! quickvault#buffer#read(name) abort
  let l:parts = s:parse(a:name)
  if empty(l:parts)
    call s:set_private()
    setlocal buftype=nofile nomodifiable
    return quickvault#message#error(quickvault#text#get('failed'))
  endif
  let b:quickvault = {'kind': l:parts[1], 'id': l:parts[2]}
  call call('quickvault#' . s:modules[l:parts[1]] . '#read', [])
endfunction

" Sets up the vault buffers that a session file has opened with their names only.
function! quickvault#buffer#load_session() abort
  for l:buffer in filter(s:named_buffers(), 'empty(getbufvar(v:val, "quickvault", {}))')
    call quickvault#buffer#call_in(l:buffer, function('s:load_named'))
  endfor
endfunction

function! s:load_named() abort
  if quickvault#session#is_unlocked()
    return quickvault#buffer#read(bufname('%'))
  endif
  let l:parts = s:parse(bufname('%'))
  if !empty(l:parts)
    let b:quickvault = {'kind': l:parts[1], 'id': l:parts[2]}
    call s:set_private()
    setlocal buftype=nofile
    call quickvault#buffer#show_locked()
  endif
endfunction

" Returns a match with the kind and the id in a buffer's name, or an empty list.
function! s:parse(name) abort
  let l:parts = matchlist(a:name, '^quickvault://\([a-z]\+\)\%(/\(.*\)\)\?$')
  return has_key(s:modules, get(l:parts, 1, '')) ? l:parts : []
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
  call s:set_private()
  setlocal buftype=nofile nomodifiable undolevels=-1 filetype=quickvault nolist wrap linebreak nofoldenable nospell
  call quickvault#buffer#highlight('quickvault')
  nnoremap <buffer> <nowait> <expr> q empty(reg_recording()) ? "\<lt>Cmd>call quickvault#buffer#close()\<lt>CR>" : 'q'
endfunction

" Sets the current buffer up as a form that :w saves.
function! quickvault#buffer#setup_form() abort
  call s:set_private()
  setlocal buftype=acwrite modifiable filetype=quickvaultform
  setlocal expandtab shiftwidth=2 softtabstop=2 autoindent textwidth=0 wrapmargin=0 formatoptions-=t formatoptions-=a
  " A new line below a hint is a field, not another comment, which would not be saved.
  setlocal formatoptions-=r formatoptions-=o
  setlocal linebreak nofoldenable
  call quickvault#buffer#conceal()
  silent! nunmap <buffer> <CR>
  nnoremap <buffer> g? <Cmd>call quickvault#keys#form()<CR>
  let b:quickvault.before = get(s:unloaded, bufnr('%'), [])
  let s:unloaded = {}
  augroup quickvault_form
    autocmd! BufUnload <buffer> call s:note_unloaded(str2nr(expand('<abuf>')))
    autocmd! BufWipeout <buffer> let s:unloaded = {}
  augroup END
endfunction

" The lines of the form that is being read again, such as by `:edit!`, by its buffer.
let s:unloaded = {}

function! s:note_unloaded(buffer) abort
  let s:unloaded = getbufvar(a:buffer, '&modified') ? {a:buffer : getbufline(a:buffer, 1, '$')} : {}
endfunction

" Shows the lines of a form.  Undo brings back what was typed there before, if it is read again or shows something already.
function! quickvault#buffer#fill_form(lines) abort
  let l:before = get(b:quickvault, 'before', [])
  setlocal modifiable
  if !b:quickvault.loading
    call quickvault#buffer#replace(a:lines)
  elseif empty(l:before)
    call quickvault#buffer#fill(a:lines)
  else
    call quickvault#buffer#fill(l:before)
    " So it is after undo.
    setlocal modified
    call quickvault#buffer#replace(a:lines)
  endif
  setlocal nomodified
  let [b:quickvault.loading, b:quickvault.before] = [0, []]
endfunction

" Hides the concealed values of a form, or of one that is only shown, until :QuickVaultReveal.
function! quickvault#buffer#conceal() abort
  setlocal conceallevel=2 concealcursor=nvc synmaxcol=0
  call quickvault#buffer#highlight('quickvaultform')
  command! -buffer -bar QuickVaultReveal call quickvault#buffer#reveal()
endfunction

function! s:set_private() abort
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

" Sends a request for what the current buffer is to show, and calls Show there with the result.
function! quickvault#buffer#request(method, params, Show) abort
  let l:buffer = bufnr('%')
  return quickvault#session#request(a:method, a:params,
        \ {result -> quickvault#buffer#call_in(l:buffer, {-> a:Show(result)})},
        \ {error -> quickvault#buffer#call_in(l:buffer, {-> quickvault#buffer#fail_loading(error)})})
endfunction

" Stops loading the current buffer, and shows the error.
function! quickvault#buffer#fail_loading(error) abort
  let l:is_loading = get(b:quickvault, 'loading', 0)
  let b:quickvault.loading = 0
  call quickvault#buffer#show_error(a:error, l:is_loading)
endfunction

" Shows an error, also in the current buffer if that was to show what could not be loaded.
function! quickvault#buffer#show_error(error, is_loading) abort
  let l:text = quickvault#message#error_text(a:error)
  if a:is_loading && !empty(l:text) && !has_key(b:quickvault, 'locked')
    call quickvault#buffer#fill([l:text])
  endif
  call quickvault#message#error(a:error)
endfunction

" Waits until the current buffer is loaded, so that what is typed meanwhile is about what it shows then.  CTRL-C stops
" waiting.  Returns whether it is loaded.
function! quickvault#buffer#await_loading() abort
  let l:buffer = bufnr('%')
  if !s:is_loading(l:buffer)
    return 1
  endif
  redraw
  let s:waits += 1
  try
    while bufnr('%') == l:buffer && s:is_loading(l:buffer)
      sleep 2m
    endwhile
  catch /^Vim:Interrupt$/
    if s:is_loading(l:buffer) && empty(get(b:quickvault, 'ids', []))
      call quickvault#buffer#start_loading()
    endif
  finally
    let s:waits -= 1
  endtry
  return !s:is_loading(l:buffer)
endfunction

" Returns whether something waits for a buffer to be loaded.
function! quickvault#buffer#is_waiting() abort
  return s:waits > 0
endfunction

function! s:is_loading(buffer) abort
  return get(getbufvar(a:buffer, 'quickvault', {}), 'loading', 0)
endfunction

" Shows or hides the concealed values of a form.
function! quickvault#buffer#reveal() abort
  let &l:conceallevel = &l:conceallevel == 0 ? 2 : 0
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

" Replaces the lines of the current view from a line on.
function! quickvault#buffer#append(first, lines) abort
  setlocal modifiable
  silent call deletebufline('%', a:first, '$')
  call append(a:first - 1, a:lines)
  setlocal nomodifiable nomodified
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

" Replaces the first line of the current view.
function! quickvault#buffer#set_first_line(line) abort
  setlocal modifiable
  call setline(1, a:line)
  setlocal nomodifiable nomodified
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

" Returns the vault buffers; not those of an unknown name, which show nothing.
function! s:vault_buffers() abort
  return filter(s:named_buffers(), '!empty(getbufvar(v:val, "quickvault", {}))')
endfunction

" Returns whether there is a vault buffer.
function! quickvault#buffer#is_any_open() abort
  return !empty(s:vault_buffers())
endfunction

function! s:named_buffers() abort
  return filter(map(getbufinfo({'bufloaded': 1}), 'v:val.bufnr'), 'quickvault#buffer#is_vault_buffer(v:val)')
endfunction

" Blanks every vault buffer, except those with unsaved changes if these are to be kept.  Also removes files opened in
" a viewer, closes a picture and clears registers; keeps the clipboard if Vim went to the background.  Returns the number of buffers whose
" changes were lost, and of those whose changes the server keeps.
function! quickvault#buffer#blank(keep_changes, background = 0) abort
  let s:unloaded = {}
  call quickvault#viewer#clear()
  call quickvault#cells#close()
  call quickvault#picker#on_lock()
  call quickvault#fzf#on_lock()
  call quickvault#attach#on_lock()
  let [l:lost, l:kept] = [0, 0]
  if quickvault#buffer#is_vault_buffer(bufnr('%')) && !(a:keep_changes && &modified)
    stopinsert
  endif
  for l:buffer in s:vault_buffers()
    let l:changed = getbufvar(l:buffer, '&modified')
    if !a:keep_changes || !l:changed
      let l:lost += l:changed && !quickvault#draft#is_kept(l:buffer)
      let l:kept += l:changed && quickvault#draft#is_kept(l:buffer)
      call quickvault#buffer#call_in(l:buffer, function('quickvault#buffer#show_locked'))
      if empty(win_findbuf(l:buffer))
        execute 'silent! bwipeout!' l:buffer
      endif
    endif
  endfor
  if !a:keep_changes
    call quickvault#action#on_lock()
    call quickvault#shared#on_lock()
    call quickvault#copy#on_lock(a:background)
    call quickvault#privacy#on_lock(a:background)
  endif
  " Vim does not redraw by itself during a prompt.
  redraw
  return [l:lost, l:kept]
endfunction

" Blanks the current buffer.
function! quickvault#buffer#show_locked() abort
  call quickvault#draft#note_blanked()
  call quickvault#buffer#fill(quickvault#session#blank_lines())
  call setloclist(0, [], 'r')
  " Fails while a command-line window is open.
  silent! diffoff
  setlocal nomodifiable wrap linebreak
  let b:quickvault = extend({'locked': 1}, filter(copy(b:quickvault), 'index(["kind", "id", "form"], v:key) >= 0'))
  nnoremap <buffer> <nowait> <CR> <Cmd>call quickvault#unlock()<CR>
endfunction

" Shows in the vault buffers without unsaved changes that the vault is locked, or that there is none yet.
function! quickvault#buffer#show_all_locked() abort
  for l:buffer in filter(s:vault_buffers(), '!getbufvar(v:val, "&modified")')
    call quickvault#buffer#call_in(l:buffer, function('quickvault#buffer#show_locked'))
  endfor
endfunction

" Reloads the blanked buffers.
function! quickvault#buffer#restore() abort
  for l:buffer in s:vault_buffers()
    if has_key(getbufvar(l:buffer, 'quickvault', {}), 'locked')
      call quickvault#buffer#call_in(l:buffer, {-> quickvault#buffer#read(bufname('%'))})
    endif
  endfor
endfunction

" Reloads the buffers that show changed cards.
function! quickvault#buffer#refresh_changed(change) abort
  let l:ids = get(a:change, 'changed', []) + get(a:change, 'deleted', [])
  for l:buffer in s:vault_buffers()
    let l:state = getbufvar(l:buffer, 'quickvault', {})
    let l:is_affected = get(a:change, 'all', 0) is v:true || index(l:ids, get(l:state, 'id', '')) >= 0
    if has_key(l:state, 'locked') || getbufvar(l:buffer, '&modified')
      continue
    elseif index(['cards', 'conflicts'], l:state.kind) >= 0
      call quickvault#buffer#call_in(l:buffer, function('quickvault#' . s:modules[l:state.kind] . '#refresh'))
    elseif l:is_affected && index(['card', 'edit'], l:state.kind) >= 0
      call quickvault#buffer#call_in(l:buffer, function('quickvault#' . s:modules[l:state.kind] . '#refresh'))
    endif
  endfor
endfunction

" Draws the lists again for the widths of their windows.
function! quickvault#buffer#redraw_lists() abort
  for l:buffer in filter(s:vault_buffers(), 'getbufvar(v:val, "quickvault", {}).kind ==# "cards"')
    call quickvault#buffer#call_in(l:buffer, function('quickvault#list#redraw'))
  endfor
endfunction

" Returns whether any vault buffer has unsaved changes.
function! quickvault#buffer#has_unsaved_changes() abort
  return !empty(filter(s:vault_buffers(), 'getbufvar(v:val, "&modified")'))
endfunction

" Returns whether a lock would lose changes, which the server does not keep.
function! quickvault#buffer#would_lose_changes() abort
  return !empty(filter(s:vault_buffers(), 'getbufvar(v:val, "&modified") && !quickvault#draft#is_kept(v:val)'))
endfunction

" Wipes out every vault buffer.
function! quickvault#buffer#wipe() abort
  for l:buffer in filter(map(getbufinfo(), 'v:val.bufnr'), 'quickvault#buffer#is_vault_buffer(v:val)')
    execute 'silent! noautocmd bwipeout!' l:buffer
  endfor
endfunction
