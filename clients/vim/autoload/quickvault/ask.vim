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
