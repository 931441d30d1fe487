" The list of cards.
"
" b:quickvault has also tag and query, the filters; items, with their matches in a search; total; next, the cursor of
" the page to come; and rows, the item of each line.

function! quickvault#list#read() abort
  call extend(b:quickvault, {'tag': '', 'query': '', 'items': [], 'total': 0, 'next': '', 'rows': [], 'turn': 0})
  call quickvault#buffer#for_reading()
  call quickvault#keys#list()
  setlocal cursorline
  augroup quickvault_list
    autocmd! CursorMoved <buffer> call quickvault#list#more()
  augroup END
  let l:unlocked = quickvault#session#is_unlocked()
  call quickvault#buffer#fill([quickvault#text#get(l:unlocked ? 'loading' : 'blank')])
  if l:unlocked
    call quickvault#list#refresh()
  else
    let l:buffer = bufnr('%')
    call quickvault#password#unlock({-> quickvault#buffer#within(l:buffer, function('s:unlocked'))},
          \ {-> quickvault#buffer#blank(1)})
  endif
endfunction

function! s:unlocked() abort
  if has_key(b:quickvault, 'locked')
    call quickvault#buffer#read(bufname('%'))
  else
    call quickvault#list#refresh()
  endif
endfunction

" Asks for the first page anew.
function! quickvault#list#refresh() abort
  call s:ask({}, function('quickvault#session#request'))
endfunction

" Asks for the first page anew, for a query that is being typed: says and asks nothing.
function! quickvault#list#follow(query) abort
  let b:quickvault.query = a:query
  call s:ask({}, function('quickvault#session#quietly'))
endfunction

" Asks for the next page when the cursor comes to the end.
function! quickvault#list#more() abort
  if line('.') == line('$') && !empty(get(b:quickvault, 'next', ''))
    let l:cursor = remove(b:quickvault, 'next')
    call s:ask({'cursor': l:cursor}, function('quickvault#session#request'))
  endif
endfunction

" Answers come in their order, but the one that was asked for last counts.
function! s:ask(page, Send) abort
  let b:quickvault.turn += 1
  let l:params = extend({'limit': 200}, a:page)
  let l:query = trim(b:quickvault.query)
  if empty(l:query)
    let l:method = 'card/list'
    call extend(l:params, empty(b:quickvault.tag) ? {} : {'tag': b:quickvault.tag})
  else
    let l:method = 'card/search'
    let l:tag = substitute(b:quickvault.tag, '"', '', 'g')
    let l:params.query = l:query . (empty(l:tag) ? '' : ' tag:"' . l:tag . '"')
  endif
  call a:Send(l:method, l:params, function('s:arrived', [bufnr('%'), b:quickvault.turn, has_key(a:page, 'cursor')]))
endfunction

function! s:arrived(buffer, turn, adds, page) abort
  call quickvault#buffer#within(a:buffer, {-> s:take(a:turn, a:adds, a:page)})
endfunction

function! s:take(turn, adds, page) abort
  if has_key(b:quickvault, 'locked') || get(b:quickvault, 'turn', 0) != a:turn
    return
  endif
  let l:id = get(quickvault#list#card(), 'id', '')
  let l:items = map(copy(a:page.items), {_, item -> has_key(item, 'card') ? item : {'card': item, 'matches': []}})
  let b:quickvault.items = a:adds ? b:quickvault.items + l:items : l:items
  let b:quickvault.total = a:page.total
  let b:quickvault.next = get(a:page, 'nextCursor', '')
  call s:show(l:id)
endfunction

" Shows the items, with the cursor on the card on which it was.
function! s:show(id) abort
  let l:view = winsaveview()
  let l:drawn = quickvault#layout#list(b:quickvault, winwidth(0))
  call quickvault#buffer#fill(l:drawn.lines)
  let b:quickvault.rows = l:drawn.rows
  call quickvault#layout#highlight(l:drawn.matches)
  let l:rows = map(copy(l:drawn.rows), {_, row -> row < 0 ? '' : b:quickvault.items[row].card.id})
  let l:row = empty(a:id) ? -1 : index(l:rows, a:id)
  if l:row < 0
    let l:row = match(l:rows, '.')
    call cursor(l:row < 0 ? 1 : l:row + 1, 1)
  else
    call winrestview(extend(l:view, {'lnum': l:row + 1}))
  endif
  if mode() =~# '^c'
    redraw
  endif
endfunction

" The card on the cursor's line; empty where there is none.
function! quickvault#list#card() abort
  let l:row = get(get(b:quickvault, 'rows', []), line('.') - 1, -1)
  return l:row < 0 ? {} : b:quickvault.items[l:row].card
endfunction

" Searches while a query is typed.  <CR> keeps what was found, <Esc> goes back.
function! quickvault#list#search() abort
  if has_key(b:quickvault, 'locked')
    return quickvault#unlock()
  endif
  let [l:before, s:typed] = [b:quickvault.query, b:quickvault.query]
  augroup quickvault_search
    autocmd!
    autocmd CmdlineChanged @ call s:follow()
  augroup END
  try
    let l:query = quickvault#ask#line(quickvault#text#get('search'), l:before)
  finally
    autocmd! quickvault_search
  endtry
  if has_key(b:quickvault, 'locked')
    return
  endif
  let b:quickvault.query = empty(l:query) && !empty(s:typed) ? l:before : l:query
  call quickvault#list#refresh()
endfunction

function! s:follow() abort
  let s:typed = getcmdline()
  call quickvault#traces#remember(s:typed)
  if !has_key(b:quickvault, 'locked')
    call quickvault#list#follow(s:typed)
  endif
endfunction

" Shows the cards with one tag only.
function! quickvault#list#filter() abort
  if has_key(b:quickvault, 'locked')
    return quickvault#unlock()
  endif
  let b:quickvault.tag = quickvault#ask#line(quickvault#text#get('tag'), '', 'customlist,quickvault#complete#tag')
  call quickvault#list#refresh()
endfunction
