" Chooses a card by its title, in a popup window that searches as you type.
scriptencoding utf-8

" The most titles that are shown.
let s:most_rows = 15

" The picker that is open: the typed words, the cards of the last answer and how many there are, the selected one, the
" numbers of the last request and the last answer, the popup window, and the size of the screen it was drawn for.
let s:picker = {}

let s:moves = {"\<C-n>": 1, "\<Down>": 1, "\<C-p>": -1, "\<Up>": -1}

" Searches the titles as the user types, beginning with these words, and calls Then with the card that is chosen.
function! quickvault#picker#open(words, Then) abort
  if !has('nvim') && state('c') ==# 'c'
    " In a callback of a channel, Vim gets no key after the first one.
    call timer_start(0, {-> s:open(a:words, a:Then)})
  else
    call s:open(a:words, a:Then)
  endif
endfunction

function! s:open(words, Then) abort
  if !empty(s:picker) || !quickvault#session#is_unlocked()
    return
  endif
  call quickvault#privacy#note_recording()
  let s:picker = {'words': a:words, 'cards': [], 'total': 0, 'row': 0, 'request': 0, 'asked': 0, 'answered': 0,
        \ 'popup': {}, 'size': []}
  " While Vim waits for a key, it does not draw what an autocommand of VimResized changes.
  let l:timer = timer_start(100, {-> s:draw_for_size()}, {'repeat': -1})
  let l:Restore = s:take_pastes()
  try
    call s:search()
    let l:card = s:choose()
  finally
    call timer_stop(l:timer)
    call l:Restore()
    call s:close()
  endtry
  if !empty(l:card)
    call a:Then(l:card)
  endif
endfunction

" Closes the picker, for a lock.  What was typed until then goes nowhere.
function! quickvault#picker#on_lock() abort
  if !empty(s:picker)
    call s:close()
    call feedkeys("\<Esc>", 'n')
  endif
endfunction

function! s:close() abort
  if !empty(s:picker)
    call quickvault#popup#close(s:picker.popup)
    let s:picker = {}
    redraw
  endif
endfunction

" Returns the card that the user chooses, or an empty dictionary.
function! s:choose() abort
  let l:is_pasted = 0
  while !empty(s:picker)
    let l:key = s:key()
    if empty(s:picker)
      break
    elseif index(["\<PasteStart>", "\<PasteEnd>"], l:key) >= 0
      let l:is_pasted = l:key ==# "\<PasteStart>"
    elseif l:is_pasted
      call s:type(l:key =~# '^[[:cntrl:]]' ? ' ' : l:key)
    elseif index(["\<Esc>", "\<C-c>"], l:key) >= 0
      return {}
    elseif l:key !=# "\<CR>" && !has_key(s:moves, l:key)
      call s:type(l:key)
    elseif s:await_answer() && !empty(s:picker.cards)
      if l:key ==# "\<CR>"
        return s:picker.cards[s:picker.row]
      endif
      let s:picker.row = max([0, min([s:picker.row + s:moves[l:key], len(s:picker.cards) - 1, s:height() - 1])])
      call s:draw()
    endif
  endwhile
  while !empty(getcharstr(0))
  endwhile
  return {}
endfunction

function! s:key() abort
  try
    return getcharstr()
  catch /^Vim:Interrupt$/
    return "\<C-c>"
  endtry
endfunction

" Waits until the titles are those of the words, so that keys typed ahead choose among these; returns whether they are.
function! s:await_answer() abort
  try
    while !empty(s:picker) && s:picker.answered != s:picker.asked
      sleep 2m
    endwhile
    return !empty(s:picker)
  catch /^Vim:Interrupt$/
    call s:close()
    return 0
  endtry
endfunction

function! s:type(key) abort
  let l:words = s:picker.words
  if a:key ==# "\<C-u>"
    let l:words = ''
  elseif index(["\<BS>", "\<C-h>"], a:key) >= 0
    let l:words = strcharpart(l:words, 0, strchars(l:words) - 1)
  elseif a:key ==# "\<C-w>"
    let l:words = substitute(l:words, '\S*\s*$', '', '')
  elseif a:key[0] !=# "\x80" && a:key !~# '[[:cntrl:]]' && strchars(l:words) < 200
    let l:words .= a:key
  endif
  if l:words !=# s:picker.words
    let [s:picker.words, s:picker.row] = [l:words, 0]
    call s:search()
  endif
endfunction

function! s:search() abort
  call quickvault#server#cancel(s:picker.request)
  let s:picker.asked += 1
  let [l:method, l:params] = s:query(s:picker.words)
  let s:picker.request = quickvault#server#request(l:method, extend(l:params, {'limit': s:most_rows}),
        \ function('s:on_page', [s:picker, s:picker.asked]))
  call s:draw()
endfunction

" Returns the request for the cards whose titles have these words.
function! s:query(words) abort
  let l:query = join(map(split(a:words), 'quickvault#complete#query(v:val)'))
  return empty(l:query) ? ['card/list', {}] : ['card/search', {'query': l:query}]
endfunction

" Returns the id and the title of every card whose title has these words; shows an error and returns none if there is one.
function! quickvault#picker#titles(words) abort
  let [l:method, l:params] = s:query(a:words)
  let l:titles = []
  while 1
    let [l:error, l:page] = quickvault#session#wait(l:method, extend({'limit': 1000}, l:params))
    if !empty(l:error)
      call quickvault#message#error(l:error)
      return []
    endif
    let l:titles += map(l:page.items, {_, item -> s:title(get(item, 'card', item))})
    if !has_key(l:page, 'nextCursor')
      return l:titles
    endif
    let l:params.cursor = l:page.nextCursor
  endwhile
endfunction

function! s:title(card) abort
  return {'id': a:card.id, 'title': quickvault#layout#one_line(a:card.title)}
endfunction

function! s:on_page(picker, number, error, page) abort
  if s:picker isnot a:picker || a:picker.asked != a:number
    return
  endif
  let a:picker.answered = a:number
  let a:picker.cards = empty(a:error) ? map(a:page.items, 'get(v:val, "card", v:val)') : []
  let a:picker.total = empty(a:error) ? a:page.total : 0
  call s:draw()
endfunction

" Returns how many titles there is room for.
function! s:height() abort
  return max([1, min([s:most_rows, &lines - 8])])
endfunction

function! s:draw() abort
  let s:picker.size = [&columns, &lines]
  let [l:width, l:height] = [max([10, min([60, &columns - 4])]), s:height()]
  let l:rows = map(s:picker.cards[: l:height - 1], {row, card -> (row == s:picker.row ? '> ' : '  ')
        \ . quickvault#layout#pad(quickvault#layout#one_line(card.title), l:width - 2)})
  let l:state = s:picker.answered == 0 ? quickvault#text#get('loading')
        \ : s:picker.total == 0 ? quickvault#text#get('cards.none')
        \ : s:picker.total > len(l:rows) ? quickvault#text#get('copy.many', s:picker.total) : ''
  let l:prompt = quickvault#text#get('pick')
  let l:words = s:picker.words
  while strdisplaywidth(l:prompt . l:words) >= l:width
    let l:words = strcharpart(l:words, 1)
  endwhile
  let l:rows += repeat([''], l:height - len(l:rows)) + [l:state]
  call quickvault#popup#show(s:picker.popup, [l:prompt . l:words . '_'] + l:rows, l:width)
  redraw
endfunction

function! s:draw_for_size() abort
  if !empty(s:picker) && s:picker.size != [&columns, &lines]
    call s:draw()
  endif
endfunction

" Lets Neovim treat what is pasted as typed, instead of inserting it below; returns what ends that.
function! s:take_pastes() abort
  return !has('nvim') ? {-> 0} : luaeval('(function() local paste = vim.paste
        \ vim.paste = function(lines) vim.api.nvim_feedkeys(table.concat(lines, " "), "nt", false) return true end
        \ return function() vim.paste = paste end end)()')
endfunction
