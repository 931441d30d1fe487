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

" The ids of the cards that were deleted since the unlock.
let s:deleted_ids = []

" Restores the card that was deleted last.  That is possible until the vault is locked.
function! quickvault#action#undelete() abort
  if empty(s:deleted_ids)
    return quickvault#message#warn(quickvault#text#get('deleted.none'))
  endif
  let l:id = remove(s:deleted_ids, -1)
  let [l:error, l:result] = quickvault#session#wait('card/restore', {'id': l:id})
  call s:finish(l:id, l:error)
endfunction

" Returns whether a card was deleted since the unlock.
function! quickvault#action#has_deleted(id) abort
  return index(s:deleted_ids, a:id) >= 0
endfunction

" Forgets the deleted cards: a lock makes their deletion final.
function! quickvault#action#on_lock() abort
  let s:deleted_ids = []
endfunction

function! s:deleted(id) abort
  call add(s:deleted_ids, a:id)
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
