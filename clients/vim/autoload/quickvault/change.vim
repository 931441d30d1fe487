" A change of a few cards in a long list: their lines are replaced, and the others stay.

" Shows the cards with these ids as they are now in the list in the current buffer, which is in the usual order.
function! quickvault#change#show(ids) abort
  let b:quickvault.loading = 1
  call s:get_changed({'buffer': bufnr('%'), 'number': b:quickvault.request_number, 'ids': a:ids, 'cards': [], 'left': copy(a:ids)})
endfunction

" Gets the changed cards one after the other, and at last how many there are.
function! s:get_changed(change) abort
  let l:id = empty(a:change.left) ? '' : remove(a:change.left, 0)
  let [l:method, l:params] = empty(l:id) ? ['card/list', {'limit': 1}] : ['card/get', {'id': l:id}]
  call quickvault#session#request(l:method, l:params,
        \ {result -> quickvault#buffer#call_in(a:change.buffer, {-> s:on_changed(a:change, l:id, result)})},
        \ {error -> quickvault#buffer#call_in(a:change.buffer, {-> s:on_changed(a:change, l:id, {}, error)})})
endfunction

function! s:on_changed(change, id, result, error = {}) abort
  if has_key(b:quickvault, 'locked') || get(b:quickvault, 'request_number', 0) != a:change.number
    return
  elseif !empty(a:error) && a:error.kind !=# 'card.notFound'
    return quickvault#buffer#fail_loading(a:error)
  elseif empty(a:id)
    let b:quickvault.total = a:result.total
    return s:show_changed(a:change)
  elseif has_key(a:result, 'card')
    call add(a:change.cards, filter(a:result.card, 'v:key !=# "fields" && v:key !=# "extraFields"'))
  endif
  call s:get_changed(a:change)
endfunction

" Removes the lines of the changed cards, and adds those of the cards that are still there.  If a column gets wider, all lines are
" drawn again.
function! s:show_changed(change) abort
  let [l:here, l:view, l:first] = [quickvault#list#id(), winsaveview(), index(b:quickvault.rows, 0)]
  let [b:quickvault.loading, l:is_wide] = [0, 0]
  setlocal modifiable
  for l:id in a:change.ids
    let l:line = index(b:quickvault.ids, l:id)
    if l:line >= 0
      silent call deletebufline('%', l:line + 1)
      call remove(b:quickvault.items, l:line - l:first)
      call remove(b:quickvault.ids, l:line)
    endif
  endfor
  for l:card in a:change.cards
    let l:index = s:place(l:card)
    if l:index < len(b:quickvault.items) || empty(b:quickvault.next)
      call insert(b:quickvault.items, {'card': l:card, 'matches': []}, l:index)
      call insert(b:quickvault.ids, l:card.id, l:index + l:first)
      let l:text = quickvault#layout#line(l:card, b:quickvault.widths)
      let l:is_wide = l:is_wide || empty(l:text)
      call append(l:index + l:first, l:text)
    endif
  endfor
  let b:quickvault.rows = repeat([-1], l:first) + range(len(b:quickvault.items)) + (empty(b:quickvault.next) ? [] : [-1])
  call quickvault#buffer#set_first_line(quickvault#layout#count(b:quickvault))
  let l:line = index(b:quickvault.ids, l:here)
  let l:view.lnum = !empty(l:here) && l:line >= 0 ? l:line + 1 : min([l:view.lnum, line('$')])
  call winrestview(l:view)
  if l:is_wide
    call quickvault#list#redraw()
  endif
  call quickvault#buffer#note_unseen(!empty(l:here) && l:line < 0 && !quickvault#action#has_deleted(l:here))
endfunction

" Returns the index of a card in the usual order, that of card/list: pinned cards first, then the last modified, then by id.
function! s:place(card) abort
  let [l:low, l:high] = [0, len(b:quickvault.items)]
  while l:low < l:high
    let l:middle = (l:low + l:high) / 2
    if s:is_before(b:quickvault.items[l:middle].card, a:card)
      let l:low = l:middle + 1
    else
      let l:high = l:middle
    endif
  endwhile
  return l:low
endfunction

function! s:is_before(one, other) abort
  return a:one.pinned != a:other.pinned ? a:one.pinned : a:one.modifiedAt !=# a:other.modifiedAt ? a:one.modifiedAt ># a:other.modifiedAt
        \ : a:one.id <# a:other.id
endfunction
