" Actions on the current card, for the keys of the list and the page.

" Returns the current card, or an empty dictionary; that of what was typed last.
function! quickvault#action#card() abort
  let l:state = get(b:, 'quickvault', {})
  if get(l:state, 'kind', '') !=# 'cards' || has_key(l:state, 'locked')
    return get(l:state, 'card', {})
  endif
  call quickvault#list#settle()
  return quickvault#list#card()
endfunction

" What the keys and commands do with the current card; without a function here, with an attachment of it.
let s:actions = {'show': {card -> quickvault#buffer#open_beside('quickvault://card/' . card.id)},
      \ 'edit': {card -> quickvault#buffer#open_beside('quickvault://edit/' . card.id)},
      \ 'copy': {card -> quickvault#copy#card(card.id, {})}, 'copy_field': {card -> s:copy_field(card)}, 'pin': {card ->
      \ s:change('card/setPinned', {'id': card.id, 'pinned': card.pinned ? v:false : v:true})},
      \ 'delete': {card -> s:delete(card)}, 'history': {card -> s:history(card)}, 'revert': {card -> s:revert(card)},
      \ 'attach': {card -> quickvault#attachment#attach()}, 'view': {card -> quickvault#attachment#view(0)},
      \ 'preview': {card -> quickvault#attachment#preview()}, 'export': {card -> quickvault#attachment#export('')},
      \ 'set_watermark': {card -> quickvault#attachment#set_watermark()}, 'delete_attachment': {card -> quickvault#attachment#delete()}}

" Runs an action on the current card; warns if there is none.
function! quickvault#action#do(name) abort
  let l:card = quickvault#action#card()
  if empty(l:card)
    call quickvault#message#warn(quickvault#text#get('card.none'))
  elseif quickvault#buffer#may_act()
    call s:actions[a:name](l:card)
  endif
endfunction

" Asks for an earlier version, and opens the form of the card with it beside.
function! s:history(card) abort
  let l:version = s:choose_version(a:card)
  if !empty(l:version)
    call quickvault#edit#compare(a:card.id, {'card': a:card.id, 'version': l:version})
  endif
endfunction

" Asks for an earlier version, and gives the card its contents.
function! s:revert(card) abort
  let l:version = s:choose_version(a:card)
  if empty(l:version)
    return
  endif
  let l:result = s:change('card/revert', {'id': a:card.id, 'version': l:version, 'revision': a:card.revision})
  if !empty(l:result)
    call quickvault#action#edited(l:result.card)
  endif
endfunction

" Returns the name of the version that is chosen, or an empty string.
function! s:choose_version(card) abort
  let l:answer = quickvault#session#fetch('card/history', {'id': a:card.id})
  let l:versions = get(l:answer, 'versions', [])
  if empty(l:versions)
    if !empty(l:answer)
      call quickvault#message#warn(quickvault#text#get('history.none'))
    endif
    return ''
  endif
  let l:choice = quickvault#prompt#choice(quickvault#text#get('history.choose'), map(copy(l:versions),
        \ {_, version -> quickvault#layout#time(version.modifiedAt) . '  ' . version.card.title}))
  return l:choice < 0 ? '' : l:versions[l:choice].version
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

function! s:delete(card) abort
  let l:question = quickvault#text#get('confirm.delete.card', trim(quickvault#layout#pad(a:card.title, 40)))
  if quickvault#prompt#confirm(l:question, quickvault#text#get('confirm.yesno'), 2) == 1
    call quickvault#action#delete(a:card)
  endif
endfunction

" Deletes a card without a question, and closes its page.
function! quickvault#action#delete(card) abort
  let [l:error, l:result] = quickvault#session#wait('card/delete', {'id': a:card.id, 'revision': a:card.revision})
  if !empty(l:error)
    call quickvault#buffers#refresh_changed({'changed': [a:card.id]})
    return quickvault#message#error(l:error)
  endif
  call add(s:undoable(), ['card/restore', {'id': a:card.id}])
  call quickvault#message#info(quickvault#text#get('deleted.undo'))
  for l:window in win_findbuf(bufnr('^quickvault://card/' . a:card.id . '$'))
    call win_execute(l:window, 'call quickvault#buffer#close()')
  endfor
  call quickvault#buffers#refresh_changed({'deleted': [a:card.id]})
endfunction

" Returns the changes since the unlock that can be undone: each the method and the parameters that do so.
function! s:undoable() abort
  return extend(g:quickvault#buffers#memory, {'undoable': []}, 'keep').undoable
endfunction

" Undoes the last deletion or edit, or the last of some methods that undo; after that, the one before.  A lock makes
" deletions final.
function! quickvault#action#undo(methods = ['card/restore', 'card/revert']) abort
  let l:found = filter(copy(s:undoable()), 'index(a:methods, v:val[0]) >= 0')
  if empty(l:found)
    return quickvault#message#warn(quickvault#text#get(len(a:methods) == 1 ? 'deleted.none' : 'undo.none'))
  endif
  let [l:method, l:params] = l:found[-1]
  call filter(s:undoable(), 'v:val isnot l:found[-1]')
  call s:change(l:method, l:params)
endfunction

" Notes that a card was edited.
function! quickvault#action#edited(card) abort
  call add(s:undoable(), ['card/revert', {'id': a:card.id, 'revision': a:card.revision}])
endfunction

" Returns whether a card was deleted since the unlock.
function! quickvault#action#has_deleted(id) abort
  return index(s:undoable(), ['card/restore', {'id': a:id}]) >= 0
endfunction

" Changes a card, and shows it as it is now.  Returns the result; after an error, which is shown, an empty dictionary.
function! s:change(method, params) abort
  let [l:error, l:result] = quickvault#session#wait(a:method, a:params)
  call quickvault#buffers#refresh_changed({'changed': [a:params.id]})
  if !empty(l:error)
    call quickvault#message#error(l:error)
  endif
  return empty(l:error) ? l:result : {}
endfunction
