" The page of a card.  b:quickvault also has card, shown (whether concealed values are shown) and ids (the field, or the id
" of the attachment, of each line).
scriptencoding utf-8

" What is before the id of an attachment in the name of a line; no label of a field has a control character.
let s:attachment = "\x01"

function! quickvault#page#read() abort
  call extend(b:quickvault, {'card': {}, 'shown': 0})
  call quickvault#buffer#setup_view()
  call quickvault#keys#map('card')
  call quickvault#buffer#start_loading()
  call quickvault#page#refresh()
endfunction

" Reloads the card.
function! quickvault#page#refresh() abort
  call quickvault#buffer#request('card/get', {'id': b:quickvault.id}, {result -> s:show(result.card)}, function('s:fail'))
endfunction

function! s:fail(error) abort
  if get(a:error, 'kind', '') ==# 'card.notFound'
    let b:quickvault.card = {}
    call quickvault#buffer#fill([quickvault#text#get('card.deleted')])
  else
    let b:quickvault.loading = empty(get(b:quickvault, 'card', {}))
    call quickvault#buffer#fail_loading(a:error)
  endif
endfunction

" Shows or hides the concealed values.  Hidden values are not in the buffer.
function! quickvault#page#reveal() abort
  let b:quickvault.shown = !b:quickvault.shown
  call s:show(get(b:quickvault, 'card', {}))
endfunction

function! s:show(card) abort
  let b:quickvault.card = a:card
  if !empty(a:card)
    call call('quickvault#buffer#refill', s:draw(a:card, b:quickvault.shown))
    call quickvault#buffer#draw_in_prompt()
  endif
endfunction

" Returns the lines of the page and the field of each line.
function! s:draw(card, shown) abort
  let l:details = [quickvault#layout#type(a:card.type), quickvault#text#get(a:card.group)]
        \ + (a:card.pinned ? [quickvault#text#get('pinned')] : [])
  let l:tags = empty(a:card.tags) ? [] : [quickvault#text#get('tags') . quickvault#text#get('colon') . join(a:card.tags, ', ')]
  let l:times = quickvault#text#get('modified') . ' ' . quickvault#layout#time(a:card.modifiedAt) . quickvault#text#get('comma')
        \ . tolower(quickvault#text#get('created')) . ' ' . quickvault#layout#time(a:card.createdAt)
  let l:mark = quickvault#session#demo_lines()
  let l:lines = l:mark + [a:card.title, join(l:details + l:tags, ' · '), l:times, quickvault#text#get('hint.page'), '']
  let l:rows = map(copy(l:mark), '""') + ['title', '', '', '', '']
  let l:fields = a:card.fields + map(copy(a:card.extraFields), {_, extra -> extend({'key': extra.label}, extra)})
  let l:width = max(map(copy(l:fields), {_, field -> strdisplaywidth(field.label)}) + [0])
  for l:field in l:fields
    let l:is_key = index(get(a:card, 'oneTimeCodes', []), l:field.label) >= 0
    let l:drawn = s:field(l:field, l:width, a:shown, l:is_key)
    call extend(l:lines, l:drawn)
    call extend(l:rows, repeat([l:field.key], len(l:drawn)))
  endfor
  let l:attachments = get(a:card, 'attachments', [])
  if !empty(l:attachments)
    call extend(l:lines, ['', quickvault#text#get('attachments')] + quickvault#attachment#lines(l:attachments))
    call extend(l:rows, ['', ''] + map(copy(l:attachments), 's:attachment . v:val.id'))
  endif
  return [l:lines, l:rows]
endfunction

" Returns the lines of a field, with its value aligned.
function! s:field(field, width, shown, is_key) abort
  let l:mask = a:is_key ? '••••••  ' . quickvault#text#get('code') : '••••••••'
  let l:value = a:field.concealed && !a:shown ? l:mask : a:field.value
  let l:lead = quickvault#layout#pad(a:field.label, a:width) . '  '
  let l:lines = split(l:value, "\n", 1)
  return [l:lead . l:lines[0]] + map(l:lines[1:], {_, line -> repeat(' ', a:width + 2) . line})
endfunction

" Returns the field on the cursor's line, or an empty string.
function! quickvault#page#field() abort
  return get(get(b:quickvault, 'ids', []), line('.') - 1, '')
endfunction

" Returns the attachment on the cursor's line, or an empty dictionary.
function! quickvault#page#attachment() abort
  let l:attachments = copy(get(get(b:quickvault, 'card', {}), 'attachments', []))
  return get(filter(l:attachments, 's:attachment . v:val.id ==# quickvault#page#field()'), 0, {})
endfunction
