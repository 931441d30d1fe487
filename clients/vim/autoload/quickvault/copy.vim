" Copying into a register, and clearing it again while it still holds what was copied.

" Timers by the mark of what they clear.
let s:timers = {}

" The register to copy into: the option's, else the clipboard, else the unnamed one.
function! quickvault#copy#register() abort
  let l:chosen = get(g:, 'quickvault_register', '')
  return !empty(l:chosen) ? l:chosen[0] : has('clipboard') ? '+' : '"'
endfunction

" Copies a card or a part of it; options are those of card/copy.
function! quickvault#copy#card(id, options) abort
  call quickvault#session#request('card/copy', extend({'id': a:id}, a:options), {result -> s:put(result)})
endfunction

function! s:put(copied) abort
  let l:register = quickvault#copy#register()
  if empty(a:copied.text)
    return quickvault#notice#warn(quickvault#text#get('copied.empty'))
  endif
  call setreg(l:register, a:copied.text, 'c')
  call quickvault#traces#remember(a:copied.text)
  let l:seconds = a:copied.clearAfterSeconds
  if type(l:seconds) != v:t_number
    return quickvault#notice#info(quickvault#text#get('copied', l:register))
  endif
  let l:mark = quickvault#traces#mark(a:copied.text)
  call timer_stop(get(s:timers, l:mark, 0))
  let s:timers[l:mark] = timer_start(l:seconds * 1000, {-> s:expire(l:mark)})
  call quickvault#notice#info(quickvault#text#get('copied.clears', l:register, l:seconds))
endfunction

function! s:expire(mark) abort
  call quickvault#traces#empty(a:mark)
  silent! unlet s:timers[a:mark]
endfunction

" Clears what still waits to be cleared.
function! quickvault#copy#clear() abort
  for l:mark in keys(s:timers)
    call timer_stop(s:timers[l:mark])
    call s:expire(l:mark)
  endfor
endfunction

" Clears what waits when the vault locks, unless it is for another program.
function! quickvault#copy#lock(background) abort
  if !a:background
    call quickvault#copy#clear()
  endif
endfunction

" Lets a field be chosen and copies it.
function! quickvault#copy#field(id) abort
  call quickvault#session#request('card/get', {'id': a:id}, {result -> s:choose(result.card)})
endfunction

function! s:choose(card) abort
  let l:fields = map(copy(a:card.fields), {_, field -> [field.key, field.label]})
        \ + map(copy(a:card.extraFields), {_, field -> [field.label, field.label]})
  let l:choice = quickvault#ask#choice(quickvault#text#get('copy.field'), map(copy(l:fields), 'v:val[1]'))
  if l:choice >= 0
    call quickvault#copy#card(a:card.id, {'field': l:fields[l:choice][0]})
  endif
endfunction

" Copies the card with a title: the argument of :QuickVaultCopy is [-{style} | -field={name}] {title}.
function! quickvault#copy#titled(argument) abort
  let l:parts = matchlist(a:argument, '\v^%(-(field\=%("[^"]*"|\S*)|\S+)\s*)?(.*)$')
  let l:styles = quickvault#copy#styles()
  if l:parts[1] =~# '^field='
    let l:options = {'field': trim(l:parts[1][6:], '"')}
  elseif index(l:styles + [''], l:parts[1]) < 0
    return quickvault#notice#stay(quickvault#text#get('copy.style', l:parts[1], '-' . join(l:styles, ', -')))
  else
    let l:options = empty(l:parts[1]) ? {} : {'style': l:parts[1]}
  endif
  let l:title = trim(l:parts[2])
  if empty(l:title) && quickvault#buffer#is_ours(bufnr('%')) && !empty(quickvault#action#card())
    return quickvault#copy#card(quickvault#action#card().id, l:options)
  endif
  call quickvault#password#unlock({-> s:find(l:title, l:options)}, {-> 0})
endfunction

" The styles that a card can be copied in.
function! quickvault#copy#styles() abort
  return ['labelled', 'values', 'oneLine', 'markdown', 'json', 'template']
endfunction

function! s:find(title, options) abort
  let l:title = !empty(a:title) ? a:title
        \ : quickvault#ask#line(quickvault#text#get('copy.title'), '', 'customlist,quickvault#complete#title')
  if !empty(l:title)
    call s:search(l:title, {card -> quickvault#copy#card(card.id, a:options)})
  endif
endfunction

" Lets a card be chosen by its title and calls Then with it.
function! quickvault#copy#choose(Then) abort
  let l:title = quickvault#ask#line(quickvault#text#get('attachment.card'), '', 'customlist,quickvault#complete#title')
  if !empty(l:title)
    call s:search(l:title, a:Then)
  endif
endfunction

function! s:search(title, Then) abort
  call quickvault#session#request('card/search', {'query': quickvault#complete#query(a:title), 'limit': 1000},
        \ {page -> s:found(a:title, a:Then, map(page.items, 'v:val.card'))})
endfunction

" The card of this title; else the only one whose title has these words; else the person says which.
function! s:found(title, Then, cards) abort
  let l:exact = filter(copy(a:cards), 'v:val.title ==# a:title')
  let l:cards = empty(l:exact) ? a:cards : l:exact
  if empty(l:cards)
    return quickvault#notice#info(quickvault#text#get('copy.none', a:title))
  endif
  let l:names = map(copy(l:cards), {_, card -> join([card.title, quickvault#layout#type(card.type),
        \ quickvault#text#get(card.group)] + card.tags, ' · ')})
  let l:choice = len(l:cards) == 1 ? 0 : quickvault#ask#choice(quickvault#text#get('copy.which'), l:names)
  if l:choice >= 0
    call a:Then(l:cards[l:choice])
  endif
endfunction
