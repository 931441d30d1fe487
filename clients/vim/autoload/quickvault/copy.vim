" Copies to a register, and clears it later if it still holds the copied text.

" The styles of copies.
let quickvault#copy#styles = ['labelled', 'values', 'oneLine', 'markdown', 'json', 'template']

" Timers by the digest of the text that they clear.
let s:timers = {}

" Returns the register to copy to: from the option, else the clipboard unless a program is better, else the unnamed register.
function! quickvault#copy#register() abort
  let l:chosen = get(g:, 'quickvault_register', '')
  return !empty(l:chosen) ? l:chosen[0] : quickvault#editor#has_clipboard() && !quickvault#clipboard#can_hint() ? '+' : '"'
endfunction

" Copies a card or a part of it; the options are those of card/copy.  Waits for the text: what is typed next may paste it.
function! quickvault#copy#card(id, options) abort
  let l:copied = quickvault#session#fetch('card/copy', extend({'id': a:id}, a:options))
  if !empty(l:copied)
    call s:store(l:copied)
  endif
endfunction

" Inserts a card or a part of it after the character at the cursor of the current buffer, in Insert mode before it, and moves
" the cursor to the end.
function! quickvault#copy#insert(id, options) abort
  if !&modifiable
    return quickvault#message#alert(quickvault#text#get('insert.readonly'))
  endif
  let l:copied = quickvault#session#fetch('card/copy', extend({'id': a:id}, a:options))
  if empty(l:copied)
    return
  endif
  let l:line = getline('.')
  let l:is_inserting = mode(1) =~# '^\%(i\|niI\)'
  let l:column = col('.') - 1 + (l:is_inserting ? 0 : len(matchstr(l:line, '.', col('.') - 1)))
  let l:lines = split(l:copied.text, "\n", 1)
  let l:end = [line('.') + len(l:lines) - 1, len(l:lines[-1]) + (len(l:lines) == 1 ? l:column : 0) + l:is_inserting]
  let l:lines[0] = strpart(l:line, 0, l:column) . l:lines[0]
  let l:lines[-1] .= strpart(l:line, l:column)
  call setline('.', l:lines[0])
  call append('.', l:lines[1:])
  call cursor(l:end)
endfunction

function! s:store(copied) abort
  let l:register = quickvault#copy#register()
  if empty(a:copied.text)
    return quickvault#message#warn(quickvault#text#get('copied.empty'))
  endif
  call setreg(l:register, a:copied.text, 'c')
  call quickvault#privacy#track(a:copied.text)
  let l:is_elsewhere = l:register ==# '"' && empty(get(g:, 'quickvault_register', ''))
  let l:place = l:is_elsewhere ? quickvault#clipboard#put(a:copied.text) : ''
  let l:key = !l:is_elsewhere ? 'copied' : 'copied.' . (empty(l:place) ? 'nowhere' : l:place)
  let l:arguments = l:is_elsewhere ? [] : [l:register]
  let l:seconds = a:copied.clearAfterSeconds
  if type(l:seconds) == v:t_number
    let l:digest = quickvault#privacy#digest(a:copied.text)
    call timer_stop(get(s:timers, l:digest, 0))
    let s:timers[l:digest] = timer_start(l:seconds * 1000, {-> s:expire(l:digest)})
    let [l:key, l:arguments] = [l:key . '.clears', l:arguments + [l:seconds]]
  endif
  let l:left_out = has_key(a:copied, 'secondsLeft') ? quickvault#text#get('copied.code', a:copied.secondsLeft)
        \ : s:left_out(get(a:copied, 'leftOut', []))
  let l:text = l:left_out . call('quickvault#text#get', [l:key] + l:arguments)
  call call(l:key =~# 'nowhere' ? 'quickvault#message#warn' : 'quickvault#message#info', [l:text])
endfunction

" Returns a text that names fields which the copied text does not have; empty if there are none.
function! s:left_out(fields) abort
  if empty(a:fields)
    return ''
  endif
  let l:names = join(map(copy(a:fields), 'v:val.label'), quickvault#text#get('list'))
  let l:is_concealed = !empty(filter(copy(a:fields), 'v:val.concealed'))
  return quickvault#text#get(l:is_concealed ? 'copied.without.concealed' : 'copied.without', l:names)
endfunction

function! s:expire(digest) abort
  call quickvault#privacy#clear_registers({a:digest : 1}, quickvault#editor#has_clipboard())
  call quickvault#clipboard#clear(a:digest)
  silent! unlet s:timers[a:digest]
endfunction

" Clears all copied texts now.
function! quickvault#copy#clear() abort
  for l:digest in keys(s:timers)
    call timer_stop(s:timers[l:digest])
    call s:expire(l:digest)
  endfor
endfunction

" Asks for a field and copies it.
function! quickvault#copy#field(id) abort
  let l:card = get(quickvault#session#fetch('card/get', {'id': a:id}), 'card', {})
  if empty(l:card)
    return
  endif
  let l:fields = map(l:card.fields + l:card.extraFields, {_, field -> [get(field, 'key', field.label), field.label]})
  let l:choice = quickvault#prompt#choice(quickvault#text#get('copy.field'), map(copy(l:fields), 'v:val[1]'))
  if l:choice >= 0
    call quickvault#copy#card(a:id, {'field': l:fields[l:choice][0]})
  endif
endfunction

" Implements :QuickVaultCopy[!] and :QuickVaultInsert[!] [-{style} | -field={name}] {title}; [!] includes concealed fields.
" Use gets the id of the card and the options of card/copy.  The picker, if wanted, asks for the card in any case.
function! quickvault#copy#by_title(argument, concealed, Use, picks = 0) abort
  let l:parts = matchlist(a:argument, '\v^%(-(field\=%("[^"]*"|\S*)|\S+)\s*)?(.*)$')
  if l:parts[1] =~# '^field='
    let l:options = {'field': trim(l:parts[1][6:], '"')}
  elseif index(g:quickvault#copy#styles + [''], l:parts[1]) < 0
    return quickvault#message#alert(quickvault#text#get('copy.style', l:parts[1], '-' . join(g:quickvault#copy#styles, ', -')))
  else
    let l:options = empty(l:parts[1]) ? {} : {'style': l:parts[1]}
    if a:concealed
      let l:options.concealed = v:true
    endif
  endif
  let l:title = trim(l:parts[2])
  if empty(l:title) && !a:picks && quickvault#buffer#is_vault_buffer(bufnr('%')) && !empty(quickvault#action#card())
    return a:Use(quickvault#action#card().id, l:options)
  endif
  let l:Then = {card -> a:Use(card.id, l:options)}
  let l:Find = a:picks ? function('quickvault#picker#open') : function('quickvault#copy#find')
  if quickvault#password#unlock()
    call call(l:Find, [l:title, l:Then])
  endif
endfunction

" Asks for a card by its title, unless one is given, and calls Then with it; a guess is confirmed if the card is to be
" changed.
function! quickvault#copy#find(title, Then, question = 'copy.title', confirms = 0) abort
  call s:resolve(!empty(a:title) ? a:title : quickvault#prompt#line(quickvault#text#get(a:question), '',
        \ 'customlist,quickvault#complete#title'), a:Then, a:confirms)
endfunction

" Calls Then with the card that a name stands for, or with the one that is chosen if there are several, or if one that is
" not its id or whole title is to be confirmed.  Waits for the answer, so that what is typed meanwhile answers the question
" that may follow.
function! s:resolve(name, Then, confirms) abort
  if empty(a:name)
    return
  endif
  let [l:error, l:answer] = quickvault#session#wait('card/resolve', {'name': a:name, 'guess': v:true})
  let l:kind = get(l:error, 'kind', '')
  if l:kind ==# 'card.notFound'
    return quickvault#message#info(quickvault#text#get('copy.none', a:name))
  elseif !empty(l:error) && l:kind !=# 'card.ambiguous'
    return quickvault#message#error(l:error)
  elseif !empty(l:error) && l:error.data.total > len(l:error.data.cards)
    return quickvault#picker#open(a:name, a:Then)
  elseif empty(l:error) && (l:answer.exact || !a:confirms)
    return a:Then(l:answer.card)
  endif
  let l:cards = empty(l:error) ? [l:answer.card] : l:error.data.cards
  let l:names = map(copy(l:cards), {_, card -> join([card.title, quickvault#layout#type(card.type),
        \ quickvault#text#get(card.group)] + card.tags, ' · ')})
  let l:choice = quickvault#prompt#choice(quickvault#text#get('copy.which'), l:names)
  if l:choice >= 0
    call a:Then(l:cards[l:choice])
  endif
endfunction
