" The list of cards.
"
" b:quickvault also has the filters tag and query, sort (a column or empty) and descending, items (with matches in a
" search), total, next (the cursor of the next page), rows and ids (the item index and the card's id of each line), widths
" (of the columns), shown (what the items are the result of), place (the card to go back to), and request_number.

" The number of rows that are loaded as one scrolls, of the largest page of the protocol, a number beyond all rows, and how
" many changed cards get their lines one by one.
let [s:page_size, s:largest_page, s:all, s:most_lines] = [200, 1000, 0x7fffffff, 20]

function! quickvault#list#read() abort
  call extend(b:quickvault, {'tag': '', 'query': '', 'sort': '', 'descending': 0, 'items': [], 'total': 0, 'next': '', 'rows': [],
        \ 'place': '', 'request_number': 0}, 'keep')
  call quickvault#buffer#setup_view()
  call quickvault#keys#map('cards')
  setlocal cursorline nowrap
  augroup quickvault_list
    autocmd! CursorMoved <buffer> call quickvault#list#load_more()
    if exists('##WinScrolled')
      " Another buffer may be the current one.
      autocmd! WinScrolled <buffer> call quickvault#buffer#call_in(str2nr(expand('<abuf>')), function('quickvault#list#load_more'))
    endif
  augroup END
  call quickvault#buffer#fill([quickvault#text#get('loading')])
  let l:buffer = bufnr('%')
  if quickvault#password#unlock()
    call quickvault#buffer#call_in(l:buffer, function('quickvault#list#settle'))
  endif
endfunction

" Loads the list again: as many rows as there are, unless it shows something else now.
function! quickvault#list#refresh() abort
  let l:count = get(b:quickvault, 'shown', []) ==# s:shown() ? len(b:quickvault.items) : 0
  call s:load(max([s:page_size, l:count]))
endfunction

" Loads the list if it does not show what was typed last, so that keys act on that.
function! quickvault#list#settle() abort
  if get(b:quickvault, 'shown', []) !=# s:shown()
    call quickvault#list#refresh()
  endif
endfunction

" Shows changed and deleted cards.  A long list in the usual order gets their lines only, any other one is loaded again.
function! quickvault#list#change(change) abort
  let l:ids = get(a:change, 'changed', []) + get(a:change, 'deleted', [])
  let l:is_usual = s:shown() ==# ['', '', '', 0] && get(b:quickvault, 'shown', []) ==# s:shown()
  if !l:is_usual || !has_key(b:quickvault, 'next') || len(b:quickvault.items) <= s:page_size
        \ || empty(l:ids) || len(l:ids) > s:most_lines
    return quickvault#list#refresh()
  endif
  let b:quickvault.request_number += 1
  call quickvault#change#show(l:ids)
endfunction

" Loads a screen of results for a query that is being typed, without waiting, messages or prompts.  More are loaded once it
" is kept.
function! quickvault#list#search_as_typed(query) abort
  let b:quickvault.query = a:query
  call s:begin()
  let [l:buffer, l:number, l:request] = [bufnr('%'), b:quickvault.request_number, s:request(min([s:page_size, &lines]), '')]
  call quickvault#session#request_silently(l:request[0], l:request[1], {page -> quickvault#buffer#call_in(l:buffer,
        \ {-> get(b:quickvault, 'request_number', 0) == l:number ? s:take(s:items(page), page, 0) : 0})})
endfunction

" Loads the next page when the window gets near the end of the list.
function! quickvault#list#load_more() abort
  if max([line('.'), line('w$')]) + 2 * winheight(0) > line('$') && !empty(get(b:quickvault, 'next', ''))
    call s:fetch(s:page_size, 1)
  endif
endfunction

" Goes to the last card, after loading the rest of the list; with a count, to that line.
function! quickvault#list#last() abort
  if v:count
    execute 'normal!' v:count . 'G'
    return
  elseif !empty(get(b:quickvault, 'next', ''))
    call s:fetch(s:all, 1)
  endif
  normal! G
endfunction

" Draws the list again for the width of its window.
function! quickvault#list#redraw() abort
  if !empty(get(b:quickvault, 'ids', []))
    call s:show()
  endif
endfunction

" What the list is made of; a list of something else begins at its first page.
function! s:shown() abort
  return [b:quickvault.query, b:quickvault.tag, b:quickvault.sort, b:quickvault.descending]
endfunction

" Loads so many rows in place of those of the list.
function! s:load(count) abort
  call s:begin()
  redraw
  call s:fetch(a:count, 0)
endfunction

" Begins a load in place of the list, which is not continued meanwhile.  Rows of another query are no cards any more.
function! s:begin() abort
  let [b:quickvault.next, b:quickvault.request_number] = ['', b:quickvault.request_number + 1]
  if get(b:quickvault, 'shown', []) !=# s:shown()
    let l:id = quickvault#list#id()
    let b:quickvault.place = empty(l:id) ? b:quickvault.place : l:id
    let [b:quickvault.rows, b:quickvault.ids] = [[], []]
  endif
endfunction

" Loads so many rows, in place of the others or in addition, and waits for them.  Only the last load is used.
function! s:fetch(count, is_more) abort
  let b:quickvault.request_number += 1
  let [l:number, l:items, l:cursor] = [b:quickvault.request_number, [], a:is_more ? remove(b:quickvault, 'next') : '']
  while 1
    let [l:error, l:page] = call('quickvault#session#wait', s:request(a:count - len(l:items), l:cursor))
    if get(b:quickvault, 'request_number', 0) != l:number
      return
    elseif !empty(l:error)
      return s:fail(l:error, a:is_more)
    endif
    let [l:items, l:cursor] = [l:items + s:items(l:page), get(l:page, 'nextCursor', '')]
    if empty(l:cursor) || len(l:items) >= a:count
      return s:take(l:items, l:page, a:is_more)
    endif
  endwhile
endfunction

" Returns the method and the parameters that get so many rows after a cursor.
function! s:request(count, cursor) abort
  let l:params = extend({'limit': min([s:largest_page, a:count])}, empty(a:cursor) ? {} : {'cursor': a:cursor})
  let [l:query, l:tag] = [trim(b:quickvault.query), b:quickvault.tag]
  if !empty(l:query)
    let l:tag = substitute(l:tag, '"', '', 'g')
    return ['card/search', extend(l:params, {'query': l:query . (empty(l:tag) ? '' : ' tag:"' . l:tag . '"')})]
  endif
  call extend(l:params, empty(l:tag) ? {} : {'tag': l:tag})
  return ['card/list', extend(l:params, empty(b:quickvault.sort) ? {}
        \ : {'sort': b:quickvault.sort, 'descending': b:quickvault.descending ? v:true : v:false})]
endfunction

function! s:items(page) abort
  return map(copy(a:page.items), {_, item -> has_key(item, 'card') ? item : {'card': item, 'matches': []}})
endfunction

" A sorted list begins anew after the card at a page's end was changed.
function! s:fail(error, is_more) abort
  if a:error.kind ==# 'list.invalidCursor'
    return quickvault#list#refresh()
  elseif !a:is_more && empty(b:quickvault.ids)
    let [b:quickvault.items, b:quickvault.shown] = [[], s:shown()]
    call quickvault#buffer#fill([quickvault#message#error_text(a:error)])
  endif
  call quickvault#message#error(a:error)
endfunction

function! s:take(items, page, is_more) abort
  let l:before = a:is_more ? len(b:quickvault.items) : 0
  let b:quickvault.items = a:is_more ? b:quickvault.items + a:items : a:items
  let [b:quickvault.total, b:quickvault.next, b:quickvault.shown] = [a:page.total, get(a:page, 'nextCursor', ''), s:shown()]
  if l:before > 0
    call s:show_more(l:before)
  else
    call s:show()
  endif
endfunction

" Appends the rows of the items from an index on.
function! s:show_more(index) abort
  let l:drawn = quickvault#layout#more(b:quickvault, a:index)
  let l:first = index(b:quickvault.rows, -1, 1 + index(b:quickvault.rows, a:index - 1)) + 1
  let l:first = l:first > 0 ? l:first : line('$') + 1
  setlocal modifiable
  silent call deletebufline('%', l:first, '$')
  call append(l:first - 1, l:drawn.lines)
  call setline(1, l:drawn.count)
  setlocal nomodifiable nomodified
  let l:rows = b:quickvault.rows[: l:first - 2] + l:drawn.rows
  let [b:quickvault.rows, b:quickvault.ids] = [l:rows, s:ids(l:rows)]
  call quickvault#buffer#note_unseen(line('.') >= l:first)
  call quickvault#editor#highlight('quickvaultMatch',
        \ map(l:drawn.matches, {_, match -> [match[0] + l:first - 1] + match[1:]}), l:first)
endfunction

" Sorts by the column at the cursor; again, in reverse; a third time, in the usual order.
function! quickvault#list#sort() abort
  if !empty(trim(b:quickvault.query))
    return quickvault#message#warn(quickvault#text#get('sort.search'))
  endif
  let l:column = quickvault#layout#column(b:quickvault, virtcol('.'))
  let [b:quickvault.sort, b:quickvault.descending] = b:quickvault.sort !=# l:column ? [l:column, 0]
        \ : b:quickvault.descending ? ['', 0] : [l:column, 1]
  call quickvault#list#refresh()
endfunction

" Shows the items and keeps the cursor on the same card; in the results of another search, on the first one.
function! s:show() abort
  let [l:is_new, l:id] = [match(get(b:quickvault, 'ids', []), '.') < 0, quickvault#list#id()]
  let l:drawn = quickvault#layout#list(b:quickvault, winwidth(0) - getwininfo(win_getid())[0].textoff)
  call quickvault#buffer#refill(l:drawn.lines, s:ids(l:drawn.rows))
  let [b:quickvault.rows, b:quickvault.widths] = [l:drawn.rows, l:drawn.widths]
  call quickvault#editor#highlight('quickvaultMatch', l:drawn.matches)
  if l:is_new
    let l:is_back = empty(trim(b:quickvault.query)) && index(b:quickvault.ids, b:quickvault.place) > 0
    let l:row = l:is_back ? index(b:quickvault.ids, b:quickvault.place) : match(b:quickvault.ids, '.')
    call cursor(l:row < 0 ? 1 : l:row + 1, l:is_back ? col('.') : 1)
  elseif quickvault#action#has_deleted(l:id)
    call quickvault#buffer#note_unseen(0)
  endif
  call quickvault#buffer#draw_in_prompt()
endfunction

" Returns the id of the card on the cursor's line, or an empty string.
function! quickvault#list#id() abort
  return get(get(b:quickvault, 'ids', []), line('.') - 1, '')
endfunction

" Returns the card's id of each line.
function! s:ids(rows) abort
  return map(copy(a:rows), {_, row -> row < 0 ? '' : b:quickvault.items[row].card.id})
endfunction

" Returns the card on the cursor's line, or an empty dictionary.
function! quickvault#list#card() abort
  let l:row = get(get(b:quickvault, 'rows', []), line('.') - 1, -1)
  return l:row < 0 ? {} : b:quickvault.items[l:row].card
endfunction

" Searches as you type.  <CR> keeps the results, <Esc> restores the list.
function! quickvault#list#search() abort
  let [l:before, l:view, l:count] = [b:quickvault.query, winsaveview(), len(b:quickvault.items)]
  augroup quickvault_search
    autocmd!
    autocmd CmdlineChanged @ call s:on_cmdline_changed()
  augroup END
  try
    let l:query = quickvault#prompt#line_or(v:null, quickvault#text#get('search'), l:before)
  finally
    autocmd! quickvault_search
  endtry
  if has_key(b:quickvault, 'locked') || l:query is v:null && b:quickvault.query ==# l:before
    return
  endif
  let b:quickvault.query = l:query is v:null ? l:before : l:query
  call s:load(max([s:page_size, l:query is v:null ? l:count : 0]))
  if l:query is v:null
    call winrestview(l:view)
  endif
endfunction

function! s:on_cmdline_changed() abort
  call quickvault#privacy#track(getcmdline())
  if !has_key(b:quickvault, 'locked')
    call quickvault#list#search_as_typed(getcmdline())
  endif
endfunction

" Shows only the cards with one tag.
function! quickvault#list#filter() abort
  let l:tag = quickvault#prompt#line_or(b:quickvault.tag, quickvault#text#get('tag'), '',
        \ 'customlist,quickvault#complete#tag')
  if !has_key(b:quickvault, 'locked')
    let b:quickvault.tag = l:tag
    call quickvault#list#refresh()
  endif
endfunction
