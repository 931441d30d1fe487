" What the keys of the list and the page do with the card at hand.

" The card at hand; empty where there is none.
function! quickvault#action#card() abort
  return get(get(b:, 'quickvault', {}), 'kind', '') ==# 'cards' ? quickvault#list#card()
        \ : get(get(b:, 'quickvault', {}), 'card', {})
endfunction

" Does something with the card at hand, or says that there is none.
function! quickvault#action#do(name) abort
  let l:card = quickvault#action#card()
  if has_key(b:quickvault, 'locked')
    call quickvault#unlock()
  elseif empty(l:card)
    call quickvault#notice#warn(quickvault#text#get('card.none'))
  else
    call call('s:' . a:name, [l:card])
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

" On a field's line of the page that field, on an attachment's the attachment is shown; else a field is chosen.
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

function! s:attach(card) abort
  call quickvault#attachment#attach()
endfunction

function! s:view(card) abort
  call quickvault#attachment#view(0)
endfunction

function! s:export(card) abort
  call quickvault#attachment#export('')
endfunction

function! s:mark(card) abort
  call quickvault#attachment#mark()
endfunction

function! s:delete_attachment(card) abort
  call quickvault#attachment#delete()
endfunction

function! s:pin(card) abort
  call quickvault#session#request('card/setPinned',
        \ {'id': a:card.id, 'pinned': a:card.pinned ? v:false : v:true},
        \ {result -> quickvault#buffer#changed({'changed': [a:card.id]})})
endfunction

function! s:delete(card) abort
  let l:question = quickvault#text#get('confirm.delete', trim(quickvault#layout#pad(a:card.title, 40)))
  if confirm(l:question, quickvault#text#get('confirm.yesno'), 2, 'Warning') == 1
    call quickvault#session#request('card/delete', {'id': a:card.id, 'revision': a:card.revision},
          \ {result -> s:deleted(a:card.id)}, {error -> s:kept(a:card.id, error)})
  endif
endfunction

function! s:deleted(id) abort
  for l:window in win_findbuf(bufnr('^quickvault://card/' . a:id . '$'))
    call win_execute(l:window, 'call quickvault#buffer#close()')
  endfor
  call quickvault#buffer#changed({'deleted': [a:id]})
endfunction

function! s:kept(id, error) abort
  call quickvault#buffer#changed({'changed': [a:id]})
  call quickvault#notice#error(a:error)
endfunction
