" All vault buffers: a lock blanks them, an unlock brings them back, and a change of a card reloads those that show it.

" What a lock forgets: the changes that can be undone, the last watermark, questions of other programs, and the lines of a
" form that is read again.
let quickvault#buffers#memory = {}

function! s:named_buffers() abort
  return filter(map(getbufinfo({'bufloaded': 1}), 'v:val.bufnr'), 'quickvault#buffer#is_vault_buffer(v:val)')
endfunction

" Returns the vault buffers; not those of an unknown name, which show nothing.
function! s:vault_buffers() abort
  return filter(s:named_buffers(), '!empty(getbufvar(v:val, "quickvault", {}))')
endfunction

" Calls a function in each vault buffer whose number and state meet a condition.
function! s:in_each(Condition, Function) abort
  for l:buffer in filter(s:vault_buffers(), 'a:Condition(v:val, getbufvar(v:val, "quickvault"))')
    call quickvault#buffer#call_in(l:buffer, a:Function)
  endfor
endfunction

" Returns whether there is a vault buffer.
function! quickvault#buffers#is_any_open() abort
  return !empty(s:vault_buffers())
endfunction

" Sets up the vault buffers that a session file has opened with their names only.
function! quickvault#buffers#load_session() abort
  for l:buffer in filter(s:named_buffers(), 'empty(getbufvar(v:val, "quickvault", {}))')
    call quickvault#buffer#call_in(l:buffer, {-> quickvault#buffer#read(bufname('%'), 0)})
  endfor
endfunction

" Blanks every vault buffer, except those with unsaved changes if these are to be kept.  Also removes files opened in
" a viewer and clears registers; keeps the clipboard if Vim went to the background.  Returns the number of buffers whose
" changes were lost, and of those whose changes the server keeps.
function! quickvault#buffers#blank(keep_changes, background = 0) abort
  call filter(g:quickvault#buffers#memory, 0)
  call quickvault#viewer#clear()
  call quickvault#qv#on_lock()
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
    if !a:background
      call quickvault#copy#clear()
    endif
    call quickvault#privacy#on_lock(a:background)
  endif
  " Vim does not redraw by itself during a prompt.
  redraw
  return [l:lost, l:kept]
endfunction

" Shows in the vault buffers without unsaved changes that the vault is locked, or that there is none yet.
function! quickvault#buffers#show_all_locked() abort
  call s:in_each({buffer, state -> !getbufvar(buffer, '&modified')}, function('quickvault#buffer#show_locked'))
endfunction

" Blanks the vault buffers of a kind.
function! quickvault#buffers#blank_kind(kind) abort
  call s:in_each({buffer, state -> state.kind ==# a:kind}, function('quickvault#buffer#show_locked'))
endfunction

" Reloads the blanked buffers.
function! quickvault#buffers#restore() abort
  call s:in_each({buffer, state -> has_key(state, 'locked')}, {-> quickvault#buffer#read(bufname('%'))})
endfunction

" Reloads the buffers that show changed cards.
function! quickvault#buffers#refresh_changed(change) abort
  let l:ids = get(a:change, 'changed', []) + get(a:change, 'deleted', [])
  for l:buffer in s:vault_buffers()
    let l:state = getbufvar(l:buffer, 'quickvault', {})
    let l:is_affected = get(a:change, 'all', 0) is v:true || index(l:ids, get(l:state, 'id', '')) >= 0
    let l:kinds = ['cards', 'conflicts'] + (l:is_affected ? ['card', 'edit'] : [])
    if !has_key(l:state, 'locked') && !getbufvar(l:buffer, '&modified') && index(l:kinds, l:state.kind) >= 0
      call quickvault#buffer#call_in(l:buffer, l:state.kind ==# 'cards' ? {-> quickvault#list#change(a:change)}
            \ : function('quickvault#buffer#refresh'))
    endif
  endfor
endfunction

" Draws the lists again for the widths of their windows.
function! quickvault#buffers#redraw_lists() abort
  call s:in_each({buffer, state -> state.kind ==# 'cards'}, function('quickvault#list#redraw'))
endfunction

" Returns the vault buffers with unsaved changes.
function! quickvault#buffers#unsaved() abort
  return filter(s:vault_buffers(), 'getbufvar(v:val, "&modified")')
endfunction

" Returns whether a lock would lose changes, which the server does not keep.
function! quickvault#buffers#would_lose_changes() abort
  return !empty(filter(quickvault#buffers#unsaved(), '!quickvault#draft#is_kept(v:val)'))
endfunction

" Wipes out every vault buffer.
function! quickvault#buffers#wipe() abort
  for l:buffer in filter(map(getbufinfo(), 'v:val.bufnr'), 'quickvault#buffer#is_vault_buffer(v:val)')
    execute 'silent! noautocmd bwipeout!' l:buffer
  endfor
endfunction
