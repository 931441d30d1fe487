" Chooses a card by its title: a popup window shows the titles that have the words which are typed at a prompt.
scriptencoding utf-8

" The most titles that are shown.
let s:most_rows = 15

" The picker that is open: the words, the cards of the last answer and how many there are, the selected one, the request, the
" numbers of the last request and the last answer, and the popup window.
let s:picker = {}

let s:moves = {'<C-n>': 1, '<Down>': 1, '<C-p>': -1, '<Up>': -1}

" Searches the titles as the user types, beginning with these words, and calls Then with the card that is chosen.
function! quickvault#picker#open(words, Then) abort
  if !empty(s:picker) || !quickvault#session#is_unlocked()
    return
  endif
  let s:picker = {'words': v:null, 'cards': [], 'total': 0, 'row': 0, 'request': 0, 'asked': 0, 'answered': 0, 'popup': {}}
  augroup quickvault_picker
    autocmd!
    autocmd CmdlineChanged @ call s:search(getcmdline())
    autocmd VimResized * call timer_start(0, {-> s:draw()})
    autocmd User QuickVaultLocked call s:close()
  augroup END
  for [l:key, l:step] in items(s:moves)
    execute 'cnoremap <buffer> <nowait>' l:key '<Cmd>call <SID>move(' . l:step . ')<CR>'
  endfor
  try
    let l:card = s:choose(a:words)
  finally
    autocmd! quickvault_picker
    for l:key in keys(s:moves)
      execute 'silent! cunmap <buffer>' l:key
    endfor
    call s:close()
  endtry
  if !empty(l:card)
    call a:Then(l:card)
  endif
endfunction

" Closes the popup, and forgets the titles.
function! s:close() abort
  if !empty(s:picker)
    call quickvault#popup#close(s:picker.popup)
    let s:picker = {}
    redraw
  endif
endfunction

" Returns the card that the user chooses, or an empty dictionary.  <CR> does nothing where no title has the words.
function! s:choose(words) abort
  let [l:words, l:card] = [a:words, {}]
  while empty(l:card) && !empty(s:picker)
    call s:search(l:words)
    let l:words = quickvault#prompt#line_or(v:null, quickvault#text#get('pick'), l:words)
    if l:words is v:null || empty(s:picker)
      return {}
    endif
    call s:search(l:words)
    let l:card = s:await_answer() ? get(s:picker.cards, s:picker.row, {}) : {}
  endwhile
  return l:card
endfunction

" Waits until the titles are those of the words, so that keys typed ahead choose among these; returns whether they are.
function! s:await_answer() abort
  try
    while !empty(s:picker) && s:picker.answered != s:picker.asked
      sleep 2m
    endwhile
  catch /^Vim:Interrupt$/
    call s:close()
  endtry
  return !empty(s:picker)
endfunction

function! s:move(step) abort
  if s:await_answer()
    let s:picker.row = max([0, min([s:picker.row + a:step, len(s:picker.cards) - 1, s:height() - 1])])
    call s:draw()
  endif
endfunction

function! s:search(words) abort
  if empty(s:picker) || s:picker.words is# a:words
    return
  endif
  call quickvault#server#cancel(s:picker.request)
  let [s:picker.words, s:picker.row, s:picker.asked] = [a:words, 0, s:picker.asked + 1]
  let [l:method, l:params] = s:query(a:words)
  let s:picker.request = quickvault#server#request(l:method, extend(l:params, {'limit': s:most_rows}),
        \ function('s:on_page', [s:picker, s:picker.asked]))
endfunction

" Returns the request for the cards whose titles have these words.
function! s:query(words) abort
  let l:query = join(map(split(a:words), 'quickvault#complete#query(v:val)'))
  return empty(l:query) ? ['card/list', {}] : ['card/search', {'query': l:query}]
endfunction

" Returns the id and the title of every card; shows an error and returns none if there is one.
function! quickvault#picker#titles() abort
  let [l:titles, l:params] = [[], {'limit': 1000}]
  while 1
    let [l:error, l:page] = quickvault#session#wait('card/list', l:params)
    if !empty(l:error)
      call quickvault#message#error(l:error)
      return []
    endif
    let l:titles += map(l:page.items, {_, card -> {'id': card.id, 'title': quickvault#layout#one_line(card.title)}})
    if !has_key(l:page, 'nextCursor')
      return l:titles
    endif
    let l:params.cursor = l:page.nextCursor
  endwhile
endfunction

function! s:on_page(picker, number, error, page) abort
  if s:picker is a:picker && a:picker.asked == a:number
    let a:picker.answered = a:number
    let a:picker.cards = empty(a:error) ? map(a:page.items, 'get(v:val, "card", v:val)') : []
    let a:picker.total = empty(a:error) ? a:page.total : 0
    call s:draw()
  endif
endfunction

" Returns how many titles there is room for.
function! s:height() abort
  return max([1, min([s:most_rows, &lines - 8])])
endfunction

function! s:draw() abort
  if empty(s:picker)
    return
  endif
  let [l:width, l:height] = [max([10, min([60, &columns - 4])]), s:height()]
  let l:rows = map(s:picker.cards[: l:height - 1], {row, card -> (row == s:picker.row ? '> ' : '  ')
        \ . quickvault#layout#pad(quickvault#layout#one_line(card.title), l:width - 2)})
  let l:state = s:picker.total == 0 ? quickvault#text#get('cards.none')
        \ : s:picker.total > len(l:rows) ? quickvault#text#get('copy.many', s:picker.total) : ''
  call quickvault#popup#show(s:picker.popup, l:rows + repeat([''], l:height - len(l:rows)) + [l:state], l:width)
  redraw
endfunction
