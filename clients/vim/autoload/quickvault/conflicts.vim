" The page with the cards that exist in two versions.  A merge or synchronisation makes a conflict copy of a card that was
" changed in two places.  The form of the card opens with its copy beside it as a diff; keys keep one, or both.
"
" b:quickvault also has conflicts, and ids (the id of the conflict copy on each line).
scriptencoding utf-8

function! quickvault#conflicts#read() abort
  call quickvault#buffer#setup_view()
  call quickvault#keys#map('conflicts')
  setlocal cursorline
  call quickvault#buffer#start_loading()
  call quickvault#conflicts#refresh()
endfunction

" Looks for the conflicts again.
function! quickvault#conflicts#refresh() abort
  call quickvault#buffer#request('card/conflicts', {}, {result -> s:show(result.conflicts)})
endfunction

function! s:show(conflicts) abort
  let l:is_first = !has_key(b:quickvault, 'conflicts')
  let b:quickvault.conflicts = a:conflicts
  let l:lines = (empty(a:conflicts) ? [quickvault#text#get('conflicts.none'), quickvault#text#get('conflicts.hint.none')]
        \ : [quickvault#text#get('conflicts.two', len(a:conflicts)), quickvault#text#get('conflicts.hint')])
        \ + quickvault#session#demo_lines() + ['']
  let l:ids = repeat([''], len(l:lines)) + map(copy(a:conflicts), 'v:val.copyId')
  call quickvault#buffer#refill(l:lines + map(copy(a:conflicts), 'quickvault#layout#one_line(v:val.title)'), l:ids)
  if l:is_first && !empty(a:conflicts)
    call cursor(match(l:ids, '.') + 1, 1)
  endif
  call quickvault#buffer#draw_in_prompt()
endfunction

" Returns the conflict on the cursor's line as it is now: the card, empty if it is gone, its copy, and the title without the
" note. Returns an empty dictionary without one, and says why.
function! s:pair() abort
  let l:id = get(b:quickvault.ids, line('.') - 1, '')
  let l:conflict = get(filter(copy(get(b:quickvault, 'conflicts', [])), 'v:val.copyId ==# l:id'), 0, {})
  if empty(l:conflict)
    call quickvault#message#warn(quickvault#text#get('card.none'))
    return {}
  endif
  let l:pair = {'card': {}, 'title': l:conflict.title}
  for [l:side, l:key] in filter([['copy', 'copyId'], ['card', 'id']], 'has_key(l:conflict, v:val[1])')
    let l:pair[l:side] = get(quickvault#session#fetch('card/get', {'id': l:conflict[l:key]}), 'card', {})
    if empty(l:pair[l:side])
      return {}
    endif
  endfor
  return l:pair
endfunction

" Opens the form of the card, with the conflict copy beside it as a diff.
function! quickvault#conflicts#merge() abort
  let l:pair = s:pair()
  if empty(l:pair)
    return
  elseif empty(l:pair.card)
    return quickvault#buffer#open_beside('quickvault://edit/' . l:pair.copy.id)
  endif
  let l:hidden = s:hidden_differences(l:pair)
  call quickvault#edit#compare(l:pair.card.id, {'card': l:pair.copy.id}, l:pair.title, empty(l:hidden) ? []
        \ : [quickvault#text#get('conflicts.hidden', join(l:hidden, quickvault#text#get('list')))])
endfunction

" Returns the names of what differs, and is not in a form or is concealed there.
function! s:hidden_differences(pair) abort
  let l:names = a:pair.card.pinned == a:pair.copy.pinned ? [] : [quickvault#text#get('pinned')]
  let l:names += s:attachments(a:pair.card) ==# s:attachments(a:pair.copy) ? [] : [quickvault#text#get('attachments')]
  let l:Concealed = {card -> map(filter(card.fields + card.extraFields, 'v:val.concealed'), '[v:val.label, v:val.value]')}
  let l:mine = l:Concealed(a:pair.card)
  return l:names + map(filter(l:Concealed(a:pair.copy), 'index(l:mine, v:val) < 0'), 'v:val[0]')
endfunction

function! s:attachments(card) abort
  return sort(map(copy(get(a:card, 'attachments', [])), 'v:val.name'))
endfunction

" Keeps the card, and deletes its conflict copy after confirmation.
function! quickvault#conflicts#keep_card() abort
  let l:pair = s:pair()
  if !empty(l:pair) && empty(l:pair.card)
    return quickvault#message#warn(quickvault#text#get('conflicts.gone'))
  elseif !empty(l:pair) && s:confirm('conflicts.ask.card', l:pair)
    call quickvault#edit#close(l:pair.card.id)
    call quickvault#action#delete(l:pair.copy)
  endif
endfunction

" Keeps the conflict copy without the note in its title, and deletes the card after confirmation.  An attachment belongs to
" one card: the copy rarely has those of the card.
function! quickvault#conflicts#keep_copy() abort
  let l:pair = s:pair()
  if empty(l:pair) || empty(l:pair.card)
    return s:rename(l:pair, {-> 0})
  endif
  let l:names = s:attachments(l:pair.copy)
  let l:is_losing = !empty(filter(s:attachments(l:pair.card), 'index(l:names, v:val) < 0'))
  if s:confirm(l:is_losing ? 'conflicts.ask.copy.attachments' : 'conflicts.ask.copy', l:pair)
    call quickvault#edit#close(l:pair.card.id)
    call s:rename(l:pair, {-> quickvault#action#delete(l:pair.card)})
  endif
endfunction

" Keeps the card and its conflict copy as two cards.
function! quickvault#conflicts#keep_both() abort
  call s:rename(s:pair(), {-> 0})
endfunction

" Returns whether the user confirms a deletion, and neither version has changed meanwhile.
function! s:confirm(question, pair) abort
  let l:title = trim(quickvault#layout#pad(quickvault#layout#one_line(a:pair.card.title), 40))
  if quickvault#prompt#confirm(quickvault#text#get(a:question, l:title), quickvault#text#get('yesno'), 2) != 1
    return 0
  elseif !quickvault#session#is_unlocked() || s:pair() !=# a:pair
    call quickvault#message#warn(quickvault#text#get('conflicts.changed'))
    return 0
  endif
  return 1
endfunction

" Gives the copy the title without the note, which makes it a card of its own, and calls Then.
function! s:rename(pair, Then) abort
  if empty(a:pair)
    return
  endif
  if empty(quickvault#session#fetch('card/update',
        \ {'id': a:pair.copy.id, 'revision': a:pair.copy.revision, 'title': a:pair.title}))
    return
  endif
  call quickvault#buffers#refresh_changed({'changed': [a:pair.copy.id]})
  call a:Then()
endfunction
