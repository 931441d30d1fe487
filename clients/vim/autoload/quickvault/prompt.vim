" Prompts whose answers are not kept in any history.

" Reads a line; returns an empty string if cancelled.  The optional arguments are those of input().
function! quickvault#prompt#line(prompt, ...) abort
  redraw
  try
    let l:line = call('input', [a:prompt] + a:000)
    call quickvault#privacy#track(l:line)
    return l:line
  catch /^Vim:Interrupt$/
    return ''
  finally
    call quickvault#privacy#forget_last_entry('@')
    redraw
  endtry
endfunction

" Returns the path of a file to write: the given path, or one read from the user.  Appends the name if the path is a
" directory.  Returns an empty string if the user cancels or does not want to replace an existing file.
function! quickvault#prompt#target(path, name) abort
  let l:path = !empty(a:path) ? a:path : quickvault#prompt#line(quickvault#text#get('write.to'), a:name, 'file')
  if empty(l:path)
    return ''
  endif
  let l:path = fnamemodify(l:path, ':p')
  if isdirectory(l:path)
    let l:path = substitute(l:path, '/*$', '/', '') . a:name
  endif
  let l:exists = !empty(getftype(l:path))
  return l:exists && confirm(quickvault#text#get('replace', l:path), quickvault#text#get('replace.choices'), 2,
        \ 'Warning') != 1 ? '' : l:path
endfunction

" Asks for one of several choices, by number or mouse.  Returns its index, or -1 if cancelled.
function! quickvault#prompt#choice(question, choices) abort
  redraw
  let l:lines = map(copy(a:choices), {index, choice -> printf('%2d. %s', index + 1, choice)})
  try
    let l:number = inputlist([a:question] + l:lines)
  catch /^Vim:Interrupt$/
    let l:number = 0
  endtry
  redraw
  return l:number >= 1 && l:number <= len(a:choices) ? l:number - 1 : -1
endfunction
