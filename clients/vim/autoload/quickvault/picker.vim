" Chooses a card by its title: a list in a window below shows the titles that have the words which are typed at a prompt.
scriptencoding utf-8

let [s:name, s:most_rows] = ['quickvault://cards/pick', 15]

" Searches the titles as the user types, beginning with these words, and calls Then with the card that is chosen.
function! quickvault#picker#open(words, Then) abort
  if bufexists(s:name) || !quickvault#session#is_unlocked()
    return
  endif
  let [l:window, l:sizes] = [win_getid(), winrestcmd()]
  call quickvault#buffer#open(s:name, 'botright ' . max([1, min([s:most_rows, &lines / 2])]) . 'split')
  for [l:key, l:step] in items({'<C-n>': 1, '<Down>': 1, '<C-p>': -1, '<Up>': -1})
    execute 'cnoremap <buffer> <nowait>' l:key '<Cmd>call <SID>move(' . l:step . ')<CR>'
  endfor
  augroup quickvault_picker
    autocmd!
    autocmd CmdlineChanged @ call s:search(getcmdline())
    autocmd VimResized * call timer_start(0, {-> execute('redraw!')})
  augroup END
  try
    let l:card = s:choose(a:words)
  finally
    autocmd! quickvault_picker
    call win_execute(win_findbuf(bufnr('^' . s:name . '$'))[0], 'call quickvault#buffer#close()')
    call win_gotoid(l:window)
    execute l:sizes
  endtry
  if !empty(l:card)
    call a:Then(l:card)
  endif
endfunction

" Returns the card that the user chooses, or an empty dictionary.  <CR> does nothing where no title has the words.
function! s:choose(words) abort
  let [l:words, l:card] = [a:words, {}]
  while empty(l:card) && !has_key(b:quickvault, 'locked')
    call s:search(l:words)
    let l:words = quickvault#prompt#line_or(v:null, quickvault#text#get('pick'), l:words)
    if l:words is v:null
      return {}
    endif
    call s:search(l:words)
    let l:card = quickvault#action#card()
  endwhile
  return l:card
endfunction

function! s:search(words) abort
  let l:query = join(map(split(a:words), 'quickvault#complete#query(v:val)'))
  if !has_key(b:quickvault, 'locked') && get(b:quickvault, 'query', v:null) isnot# l:query
    call quickvault#list#search_as_typed(l:query)
  endif
endfunction

" Selects another card, among those that have what was typed last.
function! s:move(step) abort
  call quickvault#list#settle()
  if !empty(get(b:quickvault.ids, line('.') + a:step - 1, ''))
    call cursor(line('.') + a:step, 1)
  endif
  redraw
endfunction

" Returns the id and the title of every card; shows an error and returns none if there is one.
function! quickvault#picker#titles() abort
  let [l:titles, l:page] = [[], quickvault#session#fetch('card/list', {'limit': 1000})]
  while !empty(l:page)
    let l:titles += map(l:page.items, {_, card -> {'id': card.id, 'title': quickvault#layout#one_line(card.title)}})
    if !has_key(l:page, 'nextCursor')
      return l:titles
    endif
    let l:page = quickvault#session#fetch('card/list', {'limit': 1000, 'cursor': l:page.nextCursor})
  endwhile
  return []
endfunction
