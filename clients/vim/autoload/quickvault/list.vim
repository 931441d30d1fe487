" The list of cards.
"
" b:quickvault also has the filters tag and query, items (with matches in a search), total, next (the cursor of the next
" page), rows (the item index of each line), and request_number.

function! quickvault#list#read() abort
  call extend(b:quickvault, {'tag': '', 'query': '', 'items': [], 'total': 0, 'next': '', 'rows': [], 'request_number': 0})
  call quickvault#buffer#setup_view()
  call quickvault#keys#list()
  setlocal cursorline
  augroup quickvault_list
    autocmd! CursorMoved <buffer> call quickvault#list#load_more()
  augroup END
  call quickvault#buffer#fill([quickvault#text#get('loading')])
  if quickvault#session#is_unlocked()
    call quickvault#list#refresh()
  else
    let l:buffer = bufnr('%')
    call quickvault#password#unlock({-> quickvault#buffer#call_in(l:buffer, function('s:unlocked'))},
          \ {-> quickvault#buffer#call_in(l:buffer, function('quickvault#buffer#show_locked'))})
  endif
endfunction

function! s:unlocked() abort
  if has_key(b:quickvault, 'locked')
    call quickvault#buffer#read(bufname('%'))
  else
    call quickvault#list#refresh()
  endif
endfunction

" Loads the first page.
function! quickvault#list#refresh() abort
  call s:load({}, function('quickvault#session#request'))
endfunction

" Loads the first page for a query that is being typed, without messages or prompts.
function! quickvault#list#search_as_typed(query) abort
  let b:quickvault.query = a:query
  call s:load({}, function('quickvault#session#request_silently'))
endfunction

" Loads the next page when the cursor is on the last line.
function! quickvault#list#load_more() abort
  if line('.') == line('$') && !empty(get(b:quickvault, 'next', ''))
    let l:cursor = remove(b:quickvault, 'next')
    call s:load({'cursor': l:cursor}, function('quickvault#session#request'))
  endif
endfunction

" Sends a request for a page.  Only the response to the last request is used.
function! s:load(page, Send) abort
  let b:quickvault.request_number += 1
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
  call a:Send(l:method, l:params, function('s:on_page', [bufnr('%'), b:quickvault.request_number, has_key(a:page, 'cursor')]))
endfunction

function! s:on_page(buffer, request_number, is_next_page, page) abort
  call quickvault#buffer#call_in(a:buffer, {-> s:add_page(a:request_number, a:is_next_page, a:page)})
endfunction

function! s:add_page(request_number, is_next_page, page) abort
  if has_key(b:quickvault, 'locked') || get(b:quickvault, 'request_number', 0) != a:request_number
    return
  endif
  let l:id = get(quickvault#list#card(), 'id', '')
  let l:items = map(copy(a:page.items), {_, item -> has_key(item, 'card') ? item : {'card': item, 'matches': []}})
  let b:quickvault.items = a:is_next_page ? b:quickvault.items + l:items : l:items
  let b:quickvault.total = a:page.total
  let b:quickvault.next = get(a:page, 'nextCursor', '')
  call s:show(l:id)
endfunction

" Shows the items and keeps the cursor on the same card.
function! s:show(id) abort
  let l:view = winsaveview()
  let l:drawn = quickvault#layout#list(b:quickvault, winwidth(0))
  call quickvault#buffer#fill(l:drawn.lines)
  let b:quickvault.rows = l:drawn.rows
  call quickvault#editor#highlight('quickvaultMatch', l:drawn.matches)
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

" Returns the card on the cursor's line, or an empty dictionary.
function! quickvault#list#card() abort
  let l:row = get(get(b:quickvault, 'rows', []), line('.') - 1, -1)
  return l:row < 0 ? {} : b:quickvault.items[l:row].card
endfunction

" Searches as you type.  <CR> keeps the results, <Esc> restores the list.
function! quickvault#list#search() abort
  if has_key(b:quickvault, 'locked')
    return quickvault#unlock()
  endif
  let [l:before, s:typed] = [b:quickvault.query, b:quickvault.query]
  augroup quickvault_search
    autocmd!
    autocmd CmdlineChanged @ call s:on_cmdline_changed()
  augroup END
  try
    let l:query = quickvault#prompt#line(quickvault#text#get('search'), l:before)
  finally
    autocmd! quickvault_search
  endtry
  if has_key(b:quickvault, 'locked')
    return
  endif
  let b:quickvault.query = empty(l:query) && !empty(s:typed) ? l:before : l:query
  call quickvault#list#refresh()
endfunction

function! s:on_cmdline_changed() abort
  let s:typed = getcmdline()
  call quickvault#privacy#track(s:typed)
  if !has_key(b:quickvault, 'locked')
    call quickvault#list#search_as_typed(s:typed)
  endif
endfunction

" Shows only the cards with one tag.
function! quickvault#list#filter() abort
  if has_key(b:quickvault, 'locked')
    return quickvault#unlock()
  endif
  let b:quickvault.tag = quickvault#prompt#line(quickvault#text#get('tag'), '', 'customlist,quickvault#complete#tag')
  call quickvault#list#refresh()
endfunction
