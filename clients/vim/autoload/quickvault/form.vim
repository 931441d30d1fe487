" Forms as text, and their buffers.  The server writes and reads the text of a card.  Outside of its text section, lines that
" begin with # are remarks.
scriptencoding utf-8

" The heading of the text section, below which all is text.
let s:text_heading = '\c^---\+\s*\%(text\|正文\)\s*-*$'

" Returns the text of a form.
function! quickvault#form#text(buffer) abort
  return join(getbufline(a:buffer, 1, '$'), "\n") . "\n"
endfunction

" Returns the lines of a text, whose last one has an end too.
function! quickvault#form#lines(text) abort
  return split(a:text =~# '\n$' ? strpart(a:text, 0, strlen(a:text) - 1) : a:text, "\n", 1)
endfunction

" Returns the number of lines above the text section.
function! quickvault#form#count_above_text(lines) abort
  let l:index = match(a:lines, s:text_heading)
  return l:index < 0 ? len(a:lines) : l:index
endfunction

" Shows issues in the current form: as remarks below the fields and in the location list.  Moves to the first error, where
" typing goes on in Insert mode.
"
" An issue has a message and perhaps a line.  The mark is put before the message.
function! quickvault#form#show_issues(issues, mark) abort
  let l:items = []
  let l:last = quickvault#form#count_above_text(getline(1, '$'))
  for l:issue in sort(copy(a:issues), {one, other -> get(one, 'line', 0) - get(other, 'line', 0)})
    let l:line = min([get(l:issue, 'line', 0), l:last]) + len(l:items)
    call append(l:line, '# ' . a:mark . ' ' . l:issue.message)
    call add(l:items, {'bufnr': bufnr('%'), 'lnum': max([l:line, 1]), 'col': 1, 'text': l:issue.message,
          \ 'type': a:mark ==# '!' ? 'W' : 'E'})
  endfor
  call setloclist(0, [], 'r', {'title': 'QuickVault', 'items': l:items})
  if !empty(l:items) && l:items[0].type ==# 'E'
    call cursor(l:items[0].lnum, strlen(getline(l:items[0].lnum)) + 1)
  endif
endfunction

" Shows why the current form was not saved.
function! quickvault#form#show_errors(issues) abort
  setlocal modified
  call quickvault#form#show_issues(a:issues, '✗')
  call quickvault#message#error(quickvault#text#get('not.saved', len(a:issues)))
endfunction

" Removes what show_issues() added.
function! quickvault#form#clear_issues() abort
  for l:line in reverse(range(1, quickvault#form#count_above_text(getline(1, '$'))))
    if getline(l:line) =~# '^# [✗!] '
      call deletebufline('%', l:line)
    endif
  endfor
  call setloclist(0, [], 'r')
endfunction

" Returns the indent of a new line: it continues a value that may have several lines.
function! quickvault#form#indent() abort
  let l:before = getline(v:lnum - 1)
  return v:lnum - 1 > quickvault#form#count_above_text(getline(1, '$')) ? -1
        \ : l:before =~# '^\s' || index(get(b:quickvault, 'multiline', []), matchstr(l:before, '^[^:：]*'), 0, 1) >= 0 ? &shiftwidth : 0
endfunction

" Sets the current buffer up as a form that :w saves.
function! quickvault#form#setup() abort
  call quickvault#buffer#set_private()
  setlocal buftype=acwrite modifiable filetype=quickvaultform
  setlocal expandtab shiftwidth=2 softtabstop=2 autoindent textwidth=0 wrapmargin=0 formatoptions-=t formatoptions-=a
  " A new line below a hint is a field, not another remark, which would not be saved.
  setlocal formatoptions-=r formatoptions-=o
  setlocal linebreak nofoldenable
  call quickvault#concealed#setup()
  silent! nunmap <buffer> <CR>
  call quickvault#keys#map('form')
  " The lines of a form that is read again, such as by `:edit!`.
  let l:unloaded = get(g:quickvault#buffers#memory, 'unloaded', [0, []])
  let b:quickvault.before = l:unloaded[0] == bufnr('%') ? l:unloaded[1] : []
  let g:quickvault#buffers#memory.unloaded = [0, []]
  augroup quickvault_form
    autocmd! BufUnload <buffer> let g:quickvault#buffers#memory.unloaded = [str2nr(expand('<abuf>')),
          \ getbufvar(str2nr(expand('<abuf>')), '&modified') ? getbufline(str2nr(expand('<abuf>')), 1, '$') : []]
    autocmd! BufWipeout <buffer> let g:quickvault#buffers#memory.unloaded = [0, []]
  augroup END
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
    call quickvault#buffer#fill(l:before)
    " So it is after undo.
    setlocal modified
    call quickvault#buffer#replace(a:lines)
  endif
  setlocal nomodified
  let [b:quickvault.loading, b:quickvault.before] = [0, []]
endfunction

" Moves to the end of the first line that is no remark.
function! quickvault#form#go_to_first() abort
  call search('\m^[^#]', 'cw')
  normal! $
endfunction
