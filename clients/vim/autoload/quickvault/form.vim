" Forms as text: formatting, parsing, and the buffer.
"
" A field is a line "label: value".  A value of several lines follows its label, each line indented by two spaces.
" User-defined fields follow "--- Further fields ---"; a * before the label conceals the value, and an ambiguous label is
" in quotation marks.  The raw section, the last one, holds everything below its heading unchanged.  Outside of it, lines
" that begin with # are comments.
scriptencoding utf-8

" Returns the lines of a field.
function! quickvault#form#field(label, value) abort
  let l:lines = split(a:value, "\n", 1)
  return len(l:lines) > 1 ? [a:label . ':'] + map(l:lines, '"  " . v:val') : [a:label . ': ' . a:value]
endfunction

" Returns the lines of a user-defined field, with the mask of a concealed value.
function! quickvault#form#extra_field(field, masks) abort
  let l:is_ambiguous = a:field.label =~# '\v^[*"#-]|[:：]|^\s|\s$|^$'
  let l:label = l:is_ambiguous ? json_encode(a:field.label) : a:field.label
  return quickvault#form#field((a:field.concealed ? '*' : '') . l:label,
        \ a:field.concealed ? quickvault#concealed#mask(a:field.value, a:masks) : a:field.value)
endfunction

" Returns the heading of a section.
function! quickvault#form#section(name) abort
  return '--- ' . a:name . ' ---'
endfunction

" Parses a form.  names maps field names in lower case to keys; raw is the key of the raw section.
"
" Returns a dictionary: values by key, extra (the user-defined fields in order, each with its first and last line), places (the
" line of each field, by the names in the server's issues), and issues (lines that cannot be parsed).
function! quickvault#form#parse(lines, names, raw) abort
  let l:form = {'values': {}, 'extra': [], 'places': {}, 'issues': [], 'names': a:names, 'inside': 0, 'open': {}}
  let l:end = s:raw_start(a:lines, a:names, a:raw)
  for l:index in range(l:end)
    call s:parse_line(l:form, a:lines[l:index], l:index + 1)
  endfor
  for l:field in values(l:form.values) + l:form.extra
    let l:field.value = join(empty(l:field.head) && !empty(l:field.rest) ? l:field.rest
          \ : [l:field.head] + l:field.rest, "\n")
  endfor
  call map(l:form.values, 'v:val.value')
  if l:end < len(a:lines)
    if has_key(l:form.values, a:raw)
      call s:add_twice_issue(l:form, l:form.places[a:raw], matchstr(a:lines[l:form.places[a:raw] - 1], '^[^:：]*'))
    endif
    let l:form.values[a:raw] = join(a:lines[l:end + 1 :], "\n")
    let l:form.places[a:raw] = l:end
  endif
  return l:form
endfunction

" Returns the index of the heading of the raw section, or the number of lines.
function! s:raw_start(lines, names, raw) abort
  for l:index in range(empty(a:raw) ? 0 : len(a:lines))
    if get(a:names, s:section_name(a:lines[l:index]), '') ==# a:raw
      return l:index
    endif
  endfor
  return len(a:lines)
endfunction

" Draws the raw section of the current form as the plain text that it is.
function! quickvault#form#mark_raw(names, raw) abort
  silent! syntax clear quickvaultRaw
  if !empty(a:raw)
    let l:words = map(keys(filter(copy(a:names), 'v:val ==# a:raw')), 'escape(v:val, ''\/.*$^~[]'')')
    execute 'syntax region quickvaultRaw matchgroup=quickvaultSection end=/\%$/ start=/\c^---\+\s*\%('
          \ . join(l:words, '\|') . '\)\s*-*$/'
  endif
endfunction

" Returns the name in a section heading, in lower case; empty for any other line.
function! s:section_name(line) abort
  return tolower(matchstr(a:line, '\v^---+\s*\zs.{-}\ze\s*-*$'))
endfunction

function! s:parse_line(form, line, number) abort
  if a:line =~# '^#'
    return
  elseif index(quickvault#text#translations('extra'), s:section_name(a:line), 0, 1) >= 0
    let [a:form.inside, a:form.open] = [1, {}]
  elseif empty(a:line)
    let a:form.blanks = get(a:form, 'blanks', 0) + 1
  elseif a:line =~# '^\s'
    call s:parse_continuation(a:form, a:line, a:number)
  else
    call s:parse_field(a:form, a:line, a:number)
  endif
endfunction

" Parses a continuation line.  Empty lines before it belong to the value too.
function! s:parse_continuation(form, line, number) abort
  if empty(a:form.open)
    if a:line =~# '\S'
      call s:add_syntax_issue(a:form, a:number)
    endif
    return
  endif
  call extend(a:form.open.rest, repeat([''], a:form.blanks) + [substitute(a:line, '\v^%(  |\t| )', '', '')])
  let [a:form.blanks, a:form.open.last] = [0, a:number]
endfunction

function! s:parse_field(form, line, number) abort
  let l:parts = matchlist(a:line, '\v^%(---)@!(\*?)("%([^"\\]|\\.)*"|[^:：]*)\s*%(:|：) ?(.*)$')
  let a:form.blanks = 0
  let a:form.open = {'head': get(l:parts, 3, ''), 'rest': [], 'first': a:number, 'last': a:number}
  let l:label = s:label(get(l:parts, 2, ''))
  let l:key = get(a:form.names, tolower(l:label), '')
  if empty(l:parts)
    call s:add_syntax_issue(a:form, a:number)
  elseif a:form.inside
    let l:place = 'extraFields[' . len(a:form.extra) . ']'
    for l:part in ['', '.label', '.value']
      let a:form.places[l:place . l:part] = a:number
    endfor
    call add(a:form.extra, extend(a:form.open, {'label': l:label, 'concealed': !empty(l:parts[1])}))
  elseif empty(l:key)
    call s:add_syntax_issue(a:form, a:number)
  elseif has_key(a:form.values, l:key)
    call s:add_twice_issue(a:form, a:number, l:label)
  else
    let a:form.places[l:key] = a:number
    let a:form.values[l:key] = a:form.open
  endif
endfunction

" Returns a label without its quotation marks.
function! s:label(text) abort
  let l:text = trim(a:text)
  if l:text =~# '^".*"$'
    try
      return json_decode(l:text)
    catch
      return l:text
    endtry
  endif
  return l:text
endfunction

function! s:add_twice_issue(form, number, label) abort
  call add(a:form.issues, {'line': a:number, 'text': quickvault#text#get('invalid.twice', a:label)})
endfunction

function! s:add_syntax_issue(form, number) abort
  call add(a:form.issues, {'line': a:number,
        \ 'text': quickvault#text#get('invalid.line', quickvault#text#get('extra'))})
endfunction

" Returns the tags in a line, separated by English or Chinese commas; a tag with a comma is in quotation marks.
function! quickvault#form#tags(text) abort
  let l:tags = []
  let l:rest = a:text
  while !empty(l:rest)
    let l:parts = matchlist(l:rest, '\v^\s*("%([^"\\]|\\.)*"\s*%([,，、]|$)@=|[^,，、]*)%(,|，|、)?(.*)$')
    call add(l:tags, s:label(l:parts[1]))
    let l:rest = l:parts[2]
  endwhile
  return filter(l:tags, '!empty(v:val)')
endfunction

" Returns tags as a line.
function! quickvault#form#join_tags(tags) abort
  return join(map(copy(a:tags), {_, tag -> tag =~# '\v[,，、]|^\s|\s$|^"' ? json_encode(tag) : tag}), ', ')
endfunction

" Shows issues in the current form: as comments below the fields and in the location list.  Moves to the first error, where
" typing goes on in Insert mode.
"
" An issue has a text and a line, 0 for none.  The mark is put before the text.
function! quickvault#form#show_issues(issues, mark) abort
  let l:items = []
  for l:issue in sort(copy(a:issues), {one, other -> one.line - other.line})
    let l:line = l:issue.line + len(l:items)
    call append(l:line, '# ' . a:mark . ' ' . l:issue.text)
    call add(l:items, {'bufnr': bufnr('%'), 'lnum': max([l:line, 1]), 'col': 1, 'text': l:issue.text,
          \ 'type': a:mark ==# '!' ? 'W' : 'E'})
  endfor
  call setloclist(0, [], 'r', {'title': 'QuickVault', 'items': l:items})
  if !empty(l:items) && l:items[0].type ==# 'E'
    call cursor(l:items[0].lnum, strlen(getline(l:items[0].lnum)) + 1)
  endif
endfunction

" Removes what show_issues() added.
function! quickvault#form#clear_issues(names, raw) abort
  for l:line in reverse(range(1, s:raw_start(getline(1, '$'), a:names, a:raw)))
    if getline(l:line) =~# '^# [✗!] '
      call deletebufline('%', l:line)
    endif
  endfor
  call setloclist(0, [], 'r')
endfunction

" Returns the server's issues with their lines in a form.
function! quickvault#form#locate_issues(form, issues) abort
  return map(copy(a:issues), {_, issue -> {'text': issue.message,
        \ 'line': get(a:form.places, issue.field, get(a:form.places, matchstr(issue.field, '^\w*'), 0))}})
endfunction

" Returns the indent of a new line: it continues a value that may have several lines.
function! quickvault#form#indent() abort
  let l:state = b:quickvault
  if v:lnum - 1 > s:raw_start(getline(1, '$'), get(l:state, 'names', {}), get(l:state, 'raw', ''))
    return -1
  endif
  let l:before = getline(v:lnum - 1)
  let l:key = get(get(l:state, 'names', {}), tolower(matchstr(l:before, '^[^:：]*')), '')
  return l:before =~# '^\s' || index(get(l:state, 'multiline', []), l:key) >= 0 ? &shiftwidth : 0
endfunction

" Sets the current buffer up as a form that :w saves.
function! quickvault#form#setup() abort
  call quickvault#buffer#set_private()
  setlocal buftype=acwrite modifiable filetype=quickvaultform
  setlocal expandtab shiftwidth=2 softtabstop=2 autoindent textwidth=0 wrapmargin=0 formatoptions-=t formatoptions-=a
  " A new line below a hint is a field, not another comment, which would not be saved.
  setlocal formatoptions-=r formatoptions-=o
  setlocal linebreak nofoldenable
  call quickvault#concealed#setup()
  silent! nunmap <buffer> <CR>
  call quickvault#keys#map('form')
  let b:quickvault.before = get(s:unloaded, bufnr('%'), [])
  let s:unloaded = {}
  augroup quickvault_form
    autocmd! BufUnload <buffer> call s:note_unloaded(str2nr(expand('<abuf>')))
    autocmd! BufWipeout <buffer> let s:unloaded = {}
  augroup END
endfunction

" The lines of the form that is being read again, such as by `:edit!`, by its buffer.
let s:unloaded = {}

function! s:note_unloaded(buffer) abort
  let s:unloaded = getbufvar(a:buffer, '&modified') ? {a:buffer :
        \ quickvault#concealed#show(getbufline(a:buffer, 1, '$'), getbufvar(a:buffer, 'quickvault', {}))} : {}
endfunction

" Shows the lines of a form.  Undo brings back what was typed there before, if it is read again or shows something already.
function! quickvault#form#fill(lines) abort
  let l:before = get(b:quickvault, 'before', [])
  setlocal modifiable
  if !b:quickvault.loading
    call quickvault#buffer#replace(a:lines)
  elseif empty(l:before)
    call quickvault#buffer#fill(a:lines)
  else
    call quickvault#buffer#fill(quickvault#concealed#hide(l:before, b:quickvault))
    " So it is after undo.
    setlocal modified
    call quickvault#buffer#replace(a:lines)
  endif
  setlocal nomodified
  let [b:quickvault.loading, b:quickvault.before] = [0, []]
endfunction

" Forgets the lines of a form that is being read again.
function! quickvault#form#on_lock() abort
  let s:unloaded = {}
endfunction
