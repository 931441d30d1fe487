" Concealed values in a form.  A mask stands for each in the buffer, so that nothing that reads buffers has the value.  It is
" saved as it was unless something is typed over its mask.
"
" b:quickvault.masks has the values by their masks.
scriptencoding utf-8

let s:mask = '••••'

" Sets up the current buffer, a form or another version beside it; the syntax hides what is typed.
function! quickvault#concealed#setup() abort
  setlocal conceallevel=2 concealcursor=nvc synmaxcol=0
  call quickvault#buffer#highlight('quickvaultform')
  command! -buffer -bar QuickVaultReveal call quickvault#concealed#reveal()
endfunction

" Notes the values of a card that look like masks: they stand for themselves.
function! quickvault#concealed#note(card, masks) abort
  for l:field in filter(a:card.fields + a:card.extraFields, 'stridx(v:val.value, s:mask) == 0')
    let a:masks[l:field.value] = l:field.value
  endfor
endfunction

" Returns the mask of a value, the same for equal values.
function! quickvault#concealed#mask(value, masks) abort
  let l:same = keys(filter(copy(a:masks), 'v:val ==# a:value'))
  if empty(a:value) || !empty(l:same)
    return get(l:same, 0, '')
  endif
  let [l:mask, l:number] = [s:mask, 1]
  while has_key(a:masks, l:mask)
    let l:number += 1
    let l:mask = printf('%s (%d)', s:mask, l:number)
  endwhile
  let a:masks[l:mask] = a:value
  return l:mask
endfunction

" Returns the lines of a form with masks in place of the concealed values.
function! quickvault#concealed#hide(lines, state) abort
  return s:replace(a:lines, a:state, {field -> field.concealed && stridx(field.value, s:mask) < 0
        \ ? quickvault#concealed#mask(field.value, a:state.masks) : field.value})
endfunction

" Returns the lines of a form with the values in place of their masks.
function! quickvault#concealed#show(lines, state) abort
  return s:replace(a:lines, a:state, {field -> get(a:state.masks, field.value, field.value)})
endfunction

" Returns the lines of a form with other values of its own fields.
function! s:replace(lines, state, Value) abort
  let l:lines = copy(a:lines)
  let l:fields = has_key(a:state, 'masks') ? quickvault#form#parse(a:lines, a:state.names, a:state.raw).extra : []
  for [l:field, l:value] in reverse(map(l:fields, '[v:val, a:Value(v:val)]'))
    if l:value !=# l:field.value
      let l:label = matchstr(l:lines[l:field.first - 1], '\v^\*?%("%([^"\\]|\\.)*"|[^:：]*)')
      call remove(l:lines, l:field.first - 1, l:field.last - 1)
      call extend(l:lines, quickvault#form#field(l:label, l:value), l:field.first - 1)
    endif
  endfor
  return l:lines
endfunction

" Puts the values in place of their masks in a parsed form.  A mask with more typed beside it, or in a field of the template, is
" an issue.
function! quickvault#concealed#resolve(form, state) abort
  for l:field in a:form.extra
    if l:field.concealed && !has_key(a:state.masks, l:field.value) && stridx(l:field.value, s:mask) >= 0
      call s:add_issue(a:form, l:field.first)
    endif
    let l:field.value = get(a:state.masks, l:field.value, l:field.value)
  endfor
  for [l:key, l:value] in items(a:form.values)
    if l:key !=# a:state.raw && get(a:state.masks, l:value, l:value) !=# l:value
      call s:add_issue(a:form, a:form.places[l:key])
    endif
  endfor
endfunction

function! s:add_issue(form, line) abort
  call add(a:form.issues, {'line': a:line, 'text': quickvault#text#get('invalid.mask', s:mask)})
endfunction

" Shows the concealed value on the cursor's line in place of its mask, or hides again all that is shown.
function! quickvault#concealed#reveal() abort
  let [l:state, l:line] = [b:quickvault, line('.')]
  if !has_key(l:state, 'masks')
    return
  endif
  let l:fields = filter(quickvault#form#parse(getline(1, '$'), l:state.names, l:state.raw).extra,
        \ 'v:val.concealed && v:val.first <= l:line && l:line <= v:val.last')
  let l:is_masked = !empty(l:fields) && has_key(l:state.masks, l:fields[0].value)
  if l:is_masked
    call s:set_lines(s:replace(getline(1, '$'), l:state, {field -> field.first == l:fields[0].first
          \ ? l:state.masks[field.value] : field.value}))
  elseif &l:conceallevel == 0
    call s:set_lines(quickvault#concealed#hide(getline(1, '$'), l:state))
  elseif empty(l:fields)
    return quickvault#message#warn(quickvault#text#get('reveal.none'))
  endif
  let &l:conceallevel = l:is_masked || &l:conceallevel == 2 ? 0 : 2
endfunction

" Replaces the lines of the current buffer; that is no change of the card.
function! s:set_lines(lines) abort
  let [l:modified, l:modifiable] = [&l:modified, &l:modifiable]
  setlocal modifiable
  call quickvault#buffer#replace(a:lines)
  let [&l:modified, &l:modifiable] = [l:modified, l:modifiable]
endfunction
