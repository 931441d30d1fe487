" The page that settles conflicts.  A merge or synchronisation makes a conflict copy of a card that was changed in two places.
"
" b:quickvault also has index (that of the conflict shown), shown (whether concealed values are shown), is_old (whether
" another one is loading) and, once it is loaded, conflicts (all of them), pair (the card, empty if it is gone, the copy, and its title without the note; empty if there is
" none) and rows (the index of the conflict on each line, -1 for none).
scriptencoding utf-8

" Only the answers of the last load are used.
let s:load_number = 0

" Opens the page.
function! quickvault#conflicts#open(modifiers) abort
  call quickvault#buffer#open('quickvault://conflicts', a:modifiers . ' split')
endfunction

function! quickvault#conflicts#read() abort
  call extend(b:quickvault, {'index': 0, 'shown': 0})
  call quickvault#buffer#setup_view()
  call quickvault#keys#map('conflicts')
  call quickvault#buffer#fill([quickvault#text#get('loading')])
  call s:load('')
endfunction

" Looks for the conflicts again, and shows the same one if it is still there.
function! quickvault#conflicts#refresh() abort
  call s:load(empty(get(b:quickvault, 'pair', {})) ? '' : b:quickvault.pair.copy.id)
endfunction

" Loading

" Loads the conflicts, and shows that with a copy's id, or else the one that is next in the list.
function! s:load(id) abort
  let s:load_number += 1
  let [b:quickvault.load_number, b:quickvault.is_old] = [s:load_number, 1]
  let l:load = {'buffer': bufnr('%'), 'number': s:load_number, 'id': a:id}
  call s:request(l:load, 'card/conflicts', {}, {result -> s:choose(l:load, result.conflicts)})
endfunction

" Calls Then in the page with the result, unless the page was loaded again, or locked.
function! s:request(load, method, params, Then) abort
  let l:IsCurrent = {-> get(b:quickvault, 'load_number', 0) == a:load.number}
  call quickvault#session#request(a:method, a:params,
        \ {result -> quickvault#buffer#call_in(a:load.buffer, {-> l:IsCurrent() ? a:Then(result) : 0})},
        \ {error -> quickvault#buffer#call_in(a:load.buffer, {-> l:IsCurrent() ? s:fail(error) : 0})})
endfunction

function! s:fail(error) abort
  if !quickvault#session#is_unlocked()
    call quickvault#buffer#show_locked()
  endif
  let b:quickvault.is_old = 0
  call quickvault#message#error(a:error)
endfunction

function! s:choose(load, conflicts) abort
  let a:load.conflicts = a:conflicts
  if empty(a:conflicts)
    return s:set(a:load, {})
  endif
  let l:index = index(map(copy(a:conflicts), 'v:val.copyId'), a:load.id)
  let a:load.index = l:index >= 0 ? l:index : min([b:quickvault.index, len(a:conflicts) - 1])
  let l:conflict = a:conflicts[a:load.index]
  call s:request(a:load, 'card/get', {'id': l:conflict.copyId}, {result -> s:get_card(a:load, l:conflict, result.card)})
endfunction

function! s:get_card(load, conflict, copy) abort
  if !has_key(a:conflict, 'id')
    return s:set(a:load, {'card': {}, 'copy': a:copy, 'title': a:conflict.title})
  endif
  call s:request(a:load, 'card/get', {'id': a:conflict.id},
        \ {result -> s:set(a:load, {'card': result.card, 'copy': a:copy, 'title': a:conflict.title})})
endfunction

function! s:set(load, pair) abort
  let l:is_same = !empty(a:pair) && get(get(get(b:quickvault, 'pair', {}), 'copy', {}), 'id', '') ==# a:pair.copy.id
  call extend(b:quickvault, {'conflicts': a:load.conflicts, 'pair': a:pair, 'index': get(a:load, 'index', 0), 'is_old': 0,
        \ 'shown': l:is_same && b:quickvault.shown})
  call s:show()
  if !l:is_same
    call cursor(1, 1)
  endif
endfunction

" Showing

function! s:show() abort
  let l:lines = empty(b:quickvault.pair) ? [quickvault#text#get('conflicts.none'), '', quickvault#text#get('conflicts.hint.none')] : s:draw(b:quickvault.pair)
  let l:all = len(b:quickvault.conflicts) < 2 ? [] : ['', quickvault#text#get('conflicts.all')]
  let b:quickvault.rows = repeat([-1], len(l:lines) + len(l:all)) + (empty(l:all) ? [] : range(len(b:quickvault.conflicts)))
  if !empty(l:all)
    let l:all += map(copy(b:quickvault.conflicts), {index, conflict ->
          \ (index == b:quickvault.index ? '> ' : '  ') . quickvault#layout#one_line(conflict.title)})
  endif
  call quickvault#buffer#refill(l:lines + l:all + quickvault#session#demo_lines())
  call quickvault#buffer#draw_in_prompt()
endfunction

" Returns the lines about a conflict: when both sides were modified, and where they differ.
function! s:draw(pair) abort
  let [l:card, l:copy] = [a:pair.card, a:pair.copy]
  let l:differing = quickvault#comparison#lines(l:card, extend(copy(l:copy), {'title': a:pair.title}), b:quickvault.shown)
  return [printf('%s  %d/%d', quickvault#layout#one_line(a:pair.title), b:quickvault.index + 1, len(b:quickvault.conflicts)),
        \ quickvault#text#get(empty(l:card) ? 'conflicts.gone' : 'conflicts.two'), quickvault#text#get('conflicts.hint'), '']
        \ + (empty(l:card) ? [] : [quickvault#text#get('conflicts.side.card', quickvault#layout#time(l:card.modifiedAt))])
        \ + [quickvault#text#get('conflicts.side.copy', quickvault#layout#time(l:copy.modifiedAt)), '']
        \ + (empty(l:differing) ? [quickvault#text#get('conflicts.same')] : l:differing)
endfunction

" Shows or hides the concealed values.  Hidden values are not in the buffer.
function! quickvault#conflicts#reveal() abort
  if !empty(s:pair())
    let b:quickvault.shown = !b:quickvault.shown
    call s:show()
  endif
endfunction

" Shows another conflict: so many further in the list.
function! quickvault#conflicts#go(distance) abort
  if !empty(s:pair())
    let l:count = len(b:quickvault.conflicts)
    call s:go((b:quickvault.index + a:distance + l:count) % l:count)
  endif
endfunction

" Shows the conflict that is listed on the cursor's line.
function! quickvault#conflicts#show() abort
  if empty(s:pair())
    return
  endif
  let l:index = get(b:quickvault.rows, line('.') - 1, -1)
  if l:index < 0
    return quickvault#message#warn(quickvault#text#get('card.none'))
  endif
  call s:go(l:index)
endfunction

" Shows a conflict from its top.
function! s:go(index) abort
  call cursor(1, 1)
  call s:load(b:quickvault.conflicts[a:index].copyId)
endfunction

" Settling

" Returns the conflict on this page.  Without one, or while another one is loading, says so and returns an empty dictionary.
function! s:pair() abort
  if b:quickvault.is_old || empty(b:quickvault.pair)
    call quickvault#message#warn(b:quickvault.is_old ? quickvault#text#get('loading') : quickvault#text#get('conflicts.none'))
    return {}
  endif
  return b:quickvault.pair
endfunction

" Asks, and returns whether the conflict is still the one that was asked about.
function! s:confirm(question, pair) abort
  let l:buffer = bufnr('%')
  let l:title = trim(quickvault#layout#pad(quickvault#layout#one_line(a:pair.card.title), 40))
  if quickvault#prompt#confirm(quickvault#text#get(a:question, l:title), quickvault#text#get('yesno'), 2) != 1
    return 0
  elseif get(getbufvar(l:buffer, 'quickvault', {}), 'pair', {}) !=# a:pair
    call quickvault#message#warn(quickvault#text#get('conflicts.changed'))
    return 0
  endif
  return 1
endfunction

" Gives the copy the title without the note, which makes it a card of its own, and calls Then.
function! s:rename(pair, Then) abort
  let l:copy = a:pair.copy
  call quickvault#session#request('card/update', {'id': l:copy.id, 'revision': l:copy.revision, 'title': a:pair.title},
        \ {result -> s:renamed(l:copy, a:Then)})
endfunction

function! s:renamed(copy, Then) abort
  call quickvault#buffers#refresh_changed({'changed': [a:copy.id]})
  call a:Then()
endfunction

" Keeps the card, and deletes its conflict copy after confirmation.
function! quickvault#conflicts#keep_card() abort
  let l:pair = s:pair()
  if empty(l:pair)
    return
  elseif empty(l:pair.card)
    return quickvault#message#warn(quickvault#text#get('conflicts.gone'))
  elseif s:confirm('conflicts.ask.card', l:pair)
    call quickvault#action#delete(l:pair.copy)
  endif
endfunction

" Keeps the conflict copy without the note in its title, and deletes the card after confirmation.
function! quickvault#conflicts#keep_copy() abort
  let l:pair = s:pair()
  if empty(l:pair)
    return
  elseif empty(l:pair.card)
    return s:rename(l:pair, {-> 0})
  elseif s:confirm(s:loses_attachments(l:pair) ? 'conflicts.ask.copy.attachments' : 'conflicts.ask.copy', l:pair)
    call s:rename(l:pair, {-> quickvault#action#delete(l:pair.card)})
  endif
endfunction

" An attachment belongs to one card: the copy rarely has those of the card.
function! s:loses_attachments(pair) abort
  let l:names = map(copy(get(a:pair.copy, 'attachments', [])), 'v:val.name')
  return !empty(filter(copy(get(a:pair.card, 'attachments', [])), 'index(l:names, v:val.name) < 0'))
endfunction

" Keeps the card and its conflict copy as two cards.
function! quickvault#conflicts#keep_both() abort
  let l:pair = s:pair()
  if !empty(l:pair)
    call s:rename(l:pair, {-> 0})
  endif
endfunction

" Opens the form of the card, with the conflict copy beside it as a diff.
function! quickvault#conflicts#merge() abort
  let l:pair = s:pair()
  if !empty(l:pair)
    call quickvault#edit#merge(empty(l:pair.card) ? l:pair.copy : l:pair.card, empty(l:pair.card) ? {} : l:pair.copy)
  endif
endfunction
