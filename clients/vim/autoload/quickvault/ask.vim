" Questions to the person, whose answers stay in no history.

" Reads a line; empty where the person gave up.  The optional arguments are input()'s.
function! quickvault#ask#line(prompt, ...) abort
  redraw
  try
    let l:line = call('input', [a:prompt] + a:000)
    call quickvault#traces#remember(l:line)
    return l:line
  catch /^Vim:Interrupt$/
    return ''
  finally
    call quickvault#traces#forget_last('@')
    redraw
  endtry
endfunction

" Where to write a file: the path that was given, else one that is asked for, with a name if it is a directory.  Empty
" where the person gave up, or wants to keep what is there.
function! quickvault#ask#target(path, name) abort
  let l:path = !empty(a:path) ? a:path : quickvault#ask#line(quickvault#text#get('write.to'), a:name, 'file')
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

" Lets one of some choices be taken by number or mouse.  Gives its index, or -1.
function! quickvault#ask#choice(question, choices) abort
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
