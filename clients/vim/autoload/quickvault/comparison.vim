" Where two versions of a card differ, as lines.
scriptencoding utf-8

" Returns, for each part that differs, a line with its label, lines with - for the card, and lines with + for the copy.  The
" card may be empty.  Concealed values are in the lines only if they are to be shown.
function! quickvault#comparison#lines(card, copy, shown) abort
  let [l:ours, l:theirs] = [s:parts(a:card), s:parts(a:copy)]
  let l:keys = map(copy(l:ours), 'v:val.key')
  let l:lines = []
  for l:part in l:ours + filter(copy(l:theirs), {_, part -> index(l:keys, part.key) < 0})
    let [l:one, l:other] = [s:find(l:ours, l:part.key), s:find(l:theirs, l:part.key)]
    if l:one !=# l:other
      let l:lines += [l:part.label . trim(quickvault#text#get('colon'), ' ', 2)]
            \ + (empty(a:card) ? [] : s:side('-  ', l:one, a:shown)) + s:side('+  ', l:other, a:shown)
    endif
  endfor
  return l:lines
endfunction

function! s:find(parts, key) abort
  return get(filter(copy(a:parts), 'v:val.key ==# a:key'), 0, {})
endfunction

" Returns the lines of a value, each after a mark.
function! s:side(mark, part, shown) abort
  let l:value = get(a:part, 'concealed', 0) && !a:shown
        \ ? '••••••••' . quickvault#text#get('brackets', quickvault#text#get('comparison.concealed')) : get(a:part, 'value', '')
  return map(split(empty(l:value) ? quickvault#text#get('comparison.nothing') : l:value, "\n", 1), {_, line -> a:mark . line})
endfunction

" Returns what can differ in a card, in the order of its page: key, label, value, and whether that is concealed.
function! s:parts(card) abort
  if empty(a:card)
    return []
  endif
  let l:parts = [s:part('title', quickvault#text#get('title'), a:card.title),
        \ s:part('group', quickvault#text#get('group'), quickvault#text#get(a:card.group)),
        \ s:part('pinned', quickvault#text#get('comparison.pinned'), quickvault#text#get(a:card.pinned ? 'yes' : 'no')),
        \ s:part('tags', quickvault#text#get('tags'), join(a:card.tags, ', '))]
  for [l:kind, l:fields] in [['field ', a:card.fields], ['extra ', a:card.extraFields]]
    let l:parts += map(copy(l:fields), {_, field ->
          \ extend(s:part(l:kind . get(field, 'key', field.label), field.label, field.value), {'concealed': field.concealed})})
  endfor
  let l:attachments = map(quickvault#attachment#lines(get(a:card, 'attachments', [])), 'trim(v:val)')
  return l:parts + [s:part('attachments', quickvault#text#get('attachments'), join(l:attachments, "\n"))]
endfunction

function! s:part(key, label, value) abort
  return {'key': a:key, 'label': a:label, 'value': a:value, 'concealed': v:false}
endfunction
