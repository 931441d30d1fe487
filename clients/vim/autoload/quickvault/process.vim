" Names of processes.

" Returns a name that no later process gets: the id, and when it started in ticks since the start of the machine, or 0 if it
" has ended.
function! quickvault#process#name(id) abort
  try
    " The name of the program in parentheses may have spaces and lines.
    let l:fields = split(matchstr(join(readfile('/proc/' . a:id . '/stat')), '.*) \zs.*'))
  catch
    let l:fields = ['X']
  endtry
  return a:id . '-' . (l:fields[0] =~# '[ZX]' ? 0 : l:fields[19])
endfunction

" Returns whether the process with a name still runs.
function! quickvault#process#is_running(name) abort
  return !empty(a:name) && quickvault#process#name(str2nr(a:name)) ==# a:name
endfunction
