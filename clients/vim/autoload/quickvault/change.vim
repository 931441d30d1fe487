" A change of a few cards in a long list: their lines are replaced, and the others stay.

" Shows the cards with these ids as they are now in the list in the current buffer, which is in the usual order.
function! quickvault#change#show(ids) abort
  let [l:number, l:cards] = [b:quickvault.request_number, []]
  for [l:method, l:params] in map(copy(a:ids), {_, id -> ['card/get', {'id': id}]}) + [['card/list', {'limit': 1}]]
    let [l:error, l:result] = quickvault#server#wait(l:method, l:params, 5000)
    if has_key(b:quickvault, 'locked') || b:quickvault.request_number != l:number
      return
    elseif !empty(l:error) && l:error.kind !=# 'card.notFound'
      return quickvault#message#error(l:error)
    elseif empty(l:error) && has_key(l:result, 'card')
      call add(l:cards, filter(l:result.card, 'v:key !=# "fields" && v:key !=# "extraFields"'))
    endif
  endfor
  let b:quickvault.total = l:result.total
  call s:show(a:ids, l:cards)
endfunction

" Removes the lines of the changed cards, and adds those of the cards that are still there.  If a column gets wider, all
" lines are drawn again.
function! s:show(ids, cards) abort
  let [l:here, l:view, l:first] = [quickvault#list#id(), winsaveview(), index(b:quickvault.rows, 0)]
  let l:is_wide = 0
  setlocal modifiable
  for l:id in a:ids
    let l:line = index(b:quickvault.ids, l:id)
    if l:line >= 0
      silent call deletebufline('%', l:line + 1)
      call remove(b:quickvault.items, l:line - l:first)
      call remove(b:quickvault.ids, l:line)
    endif
  endfor
  for l:card in a:cards
    " The usual order, that of card/list: pinned cards first, then the last modified, then by id.
    let l:index = len(filter(copy(b:quickvault.items), {_, item -> item.card.pinned != l:card.pinned ? item.card.pinned
          \ : item.card.modifiedAt !=# l:card.modifiedAt ? item.card.modifiedAt ># l:card.modifiedAt : item.card.id <# l:card.id}))
    if l:index < len(b:quickvault.items) || empty(b:quickvault.next)
      call insert(b:quickvault.items, {'card': l:card, 'matches': []}, l:index)
      call insert(b:quickvault.ids, l:card.id, l:index + l:first)
      let l:text = quickvault#layout#line(l:card, b:quickvault.widths)
      let l:is_wide = l:is_wide || empty(l:text)
      call append(l:index + l:first, l:text)
    endif
  endfor
  let b:quickvault.rows = repeat([-1], l:first) + range(len(b:quickvault.items)) + (empty(b:quickvault.next) ? [] : [-1])
  call setline(1, quickvault#layout#count(b:quickvault))
  setlocal nomodifiable nomodified
  let l:line = index(b:quickvault.ids, l:here)
  let l:view.lnum = !empty(l:here) && l:line >= 0 ? l:line + 1 : min([l:view.lnum, line('$')])
  call winrestview(l:view)
  if l:is_wide
    call quickvault#list#redraw()
  endif
  call quickvault#buffer#note_unseen(!empty(l:here) && l:line < 0 && !quickvault#action#has_deleted(l:here))
endfunction
