" Concealed values in a form.  The server puts a mask in place of each, so that nothing that reads buffers has the value.
"
" b:quickvault.revealed has the lines of each value that is shown, and the line with its mask.
scriptencoding utf-8

let s:label = '^\*\zs\%("\%([^"\\]\|\\.\)*"\|[^:：]*\)\ze\s*[:：]'

" Sets up the current buffer, a form or another version beside it; the syntax hides what is typed.
function! quickvault#concealed#setup() abort
  setlocal conceallevel=2 concealcursor=nvc synmaxcol=0
  call quickvault#buffer#highlight('quickvaultform')
  command! -buffer -bar QuickVaultReveal call quickvault#concealed#reveal()
  command! -buffer -bar -count QuickVaultGenerate call quickvault#concealed#generate(<count> ? {'length': <count>} : {})
endfunction

" Puts a random password in place of the concealed value on the cursor's line, or inserts it after the cursor.
function! quickvault#concealed#generate(params) abort
  let l:generated = quickvault#session#fetch('password/generate', a:params)
  if empty(l:generated)
    return
  elseif getline('.') =~# s:label
    call setline('.', matchstr(getline('.'), '^[^:：]*[:：]\s*') . l:generated.password)
  else
    execute 'normal! a' . l:generated.password
  endif
  call quickvault#message#info(quickvault#text#get('generated', l:generated.bits))
endfunction

" Shows the concealed value on the cursor's line in place of its mask, or hides again all that is shown.
function! quickvault#concealed#reveal() abort
  let [l:state, l:line] = [b:quickvault, search('^[^#[:space:]]', 'bcnW')]
  let l:masked = getline(l:line)
  let l:is_concealed = l:masked =~# s:label && l:line <= quickvault#form#count_above_text(getline(1, '$'))
  let l:is_masked = l:is_concealed && l:masked =~# '[:：]\s*••••\s*$'
  if !l:is_masked && &l:conceallevel == 0
    call s:hide()
    setlocal conceallevel=2
    return
  endif
  let l:value = l:is_masked ? s:value(l:masked) : []
  if !l:is_concealed || l:is_masked && (empty(l:value) || b:quickvault isnot l:state || getline(l:line) !=# l:masked)
    return quickvault#message#warn(quickvault#text#get('reveal.none'))
  elseif l:is_masked
    call add(extend(l:state, {'revealed': []}, 'keep').revealed, [l:value, l:masked])
    call s:replace(l:line, 1, l:value)
  endif
  setlocal conceallevel=0
endfunction

" Returns the lines of the field with a mask on its line, or none.
function! s:value(masked) abort
  let l:label = trim(matchstr(a:masked, s:label))
  try
    let l:label = l:label =~# '^"' ? json_decode(l:label) : l:label
  catch
  endtry
  let l:lines = quickvault#form#lines(get(quickvault#session#fetch('form/open', {'client': 'vim',
        \ 'card': get(b:quickvault, 'card', b:quickvault.id), 'reveal': [l:label]}), 'text', ''))
  let l:lines = l:lines[: quickvault#form#count_above_text(l:lines) - 1]
  " Only the value of this field has no mask.
  let l:first = match(l:lines, '^\*\%(.*: ••••$\)\@!')
  let l:end = match(l:lines, '^\S', l:first + 1)
  let l:value = join(l:lines[l:first : l:end < 0 ? -1 : l:end - 1], "\n")
  return l:first < 0 ? [] : split(substitute(l:value, '\n\+$', '', ''), "\n", 1)
endfunction

" Puts the masks of all values that are shown, and that are as they were, in their places again.
function! s:hide() abort
  for [l:value, l:masked] in remove(extend(b:quickvault, {'revealed': []}, 'keep'), 'revealed')
    let l:line = index(getline(1, '$'), l:value[0]) + 1
    if l:line > 0 && getline(l:line, l:line + len(l:value) - 1) ==# l:value
      call s:replace(l:line, len(l:value), [l:masked])
    endif
  endfor
endfunction

" Replaces so many lines of the current buffer; that is no change of the card.
function! s:replace(line, count, lines) abort
  let [l:modified, l:modifiable] = [&l:modified, &l:modifiable]
  setlocal modifiable
  call quickvault#buffer#replace(getline(1, a:line - 1) + a:lines + getline(a:line + a:count, '$'))
  let [&l:modified, &l:modifiable] = [l:modified, l:modifiable]
endfunction
