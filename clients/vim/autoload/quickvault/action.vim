" Actions on the current card, for the keys of the list and the page.

" Returns the current card, or an empty dictionary.  Waits until it is that of what was typed last.
function! quickvault#action#card() abort
  return !quickvault#buffer#await_loading() ? {}
        \ : get(get(b:, 'quickvault', {}), 'kind', '') ==# 'cards' ? quickvault#list#card()
        \ : get(get(b:, 'quickvault', {}), 'card', {})
endfunction

" The actions on attachments, with their arguments.
let s:on_attachments = {'attach': [], 'view': [0], 'preview': [], 'export': [''], 'set_watermark': [], 'delete_attachment': []}

" Runs an action on the current card; warns if there is none.
function! quickvault#action#do(name) abort
  let l:card = quickvault#action#card()
  if empty(l:card)
    call quickvault#message#warn(quickvault#text#get('card.none'))
  elseif quickvault#buffer#may_act()
    call call(has_key(s:on_attachments, a:name) ? 'quickvault#attachment#' . substitute(a:name, '_attachment', '', '') : 's:' . a:name,
          \ get(s:on_attachments, a:name, [l:card]))
  endif
endfunction

function! s:show(card) abort
  call quickvault#buffer#open_beside('quickvault://card/' . a:card.id)
endfunction

function! s:edit(card) abort
  call quickvault#buffer#open_beside('quickvault://edit/' . a:card.id)
endfunction

" Asks for an earlier version, and opens the form of the card with it beside.
function! s:history(card) abort
  let l:version = s:choose_version(a:card)
  if !empty(l:version)
    call quickvault#edit#history(a:card, l:version)
  endif
endfunction

" Asks for an earlier version, and gives the card its contents.
function! s:revert(card) abort
  let l:version = s:choose_version(a:card)
  if empty(l:version)
    return
  endif
  let [l:error, l:result] = quickvault#session#wait('card/revert',
        \ {'id': a:card.id, 'version': l:version, 'revision': a:card.revision})
  if empty(l:error)
    call quickvault#action#edited(l:result.card)
  endif
  call s:finish(a:card.id, l:error)
endfunction

" Returns the name of the version that is chosen, or an empty string.
function! s:choose_version(card) abort
  let [l:error, l:answer] = quickvault#session#wait('card/history', {'id': a:card.id})
  if !empty(l:error)
    call quickvault#message#error(l:error)
  elseif empty(l:answer.versions)
    call quickvault#message#warn(quickvault#text#get('history.none'))
  else
    let l:choice = quickvault#prompt#choice(quickvault#text#get('history.choose'), map(copy(l:answer.versions),
          \ {_, version -> quickvault#layout#time(version.modifiedAt) . '  ' . version.card.title}))
    return l:choice >= 0 ? l:answer.versions[l:choice].version : ''
  endif
  return ''
endfunction

function! s:copy(card) abort
  call quickvault#copy#card(a:card.id, {})
endfunction

" On the page, copies the field or opens the attachment on the cursor's line; elsewhere, asks for a field.
function! s:copy_field(card) abort
  let l:is_page = b:quickvault.kind ==# 'card'
  if l:is_page && !empty(quickvault#page#attachment())
    return quickvault#attachment#view(0)
  endif
  let l:field = l:is_page ? quickvault#page#field() : ''
  if empty(l:field)
    call quickvault#copy#field(a:card.id)
  else
    call quickvault#copy#card(a:card.id, {'field': l:field})
  endif
endfunction

function! s:pin(card) abort
  let [l:error, l:result] = quickvault#session#wait('card/setPinned',
        \ {'id': a:card.id, 'pinned': a:card.pinned ? v:false : v:true})
  call s:finish(a:card.id, l:error)
endfunction

function! s:delete(card) abort
  let l:question = quickvault#text#get('confirm.delete.card', trim(quickvault#layout#pad(a:card.title, 40)))
  if quickvault#prompt#confirm(l:question, quickvault#text#get('confirm.yesno'), 2) == 1
    call quickvault#action#delete(a:card)
  endif
endfunction

" Deletes a card without a question.
function! quickvault#action#delete(card) abort
  let [l:error, l:result] = quickvault#session#wait('card/delete', {'id': a:card.id, 'revision': a:card.revision})
  if empty(l:error)
    return s:deleted(a:card.id)
  endif
  call s:finish(a:card.id, l:error)
endfunction

" The changes since the unlock that can be undone: each the method and the parameters that do so.
let s:undoable = []

" Undoes the last deletion or edit; after that, the one before.
function! quickvault#action#undo(methods = ['card/restore', 'card/revert']) abort
  let l:found = filter(copy(s:undoable), 'index(a:methods, v:val[0]) >= 0')
  if empty(l:found)
    return quickvault#message#warn(quickvault#text#get(len(a:methods) == 1 ? 'deleted.none' : 'undo.none'))
  endif
  let [l:method, l:params] = l:found[-1]
  call filter(s:undoable, 'v:val isnot l:found[-1]')
  let [l:error, l:result] = quickvault#session#wait(l:method, l:params)
  call s:finish(l:params.id, l:error)
endfunction

" Restores the card that was deleted last.  That is possible until the vault is locked.
function! quickvault#action#undelete() abort
  call quickvault#action#undo(['card/restore'])
endfunction

" Notes that a card was edited.
function! quickvault#action#edited(card) abort
  call add(s:undoable, ['card/revert', {'id': a:card.id, 'revision': a:card.revision}])
endfunction

" Returns whether a card was deleted since the unlock.
function! quickvault#action#has_deleted(id) abort
  return index(s:undoable, ['card/restore', {'id': a:id}]) >= 0
endfunction

" Forgets the changes: a lock makes them final.
function! quickvault#action#on_lock() abort
  let s:undoable = []
endfunction

function! s:deleted(id) abort
  call add(s:undoable, ['card/restore', {'id': a:id}])
  call quickvault#message#info(quickvault#text#get('deleted.undo'))
  for l:window in win_findbuf(bufnr('^quickvault://card/' . a:id . '$'))
    call win_execute(l:window, 'call quickvault#buffer#close()')
  endfor
  call quickvault#buffers#refresh_changed({'deleted': [a:id]})
endfunction

" Shows a card as it is now, and an error.
function! s:finish(id, error) abort
  call quickvault#buffers#refresh_changed({'changed': [a:id]})
  if !empty(a:error)
    call quickvault#message#error(a:error)
  endif
endfunction
