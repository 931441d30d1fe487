" The prompt for a password.

" Reads a password; returns an empty string if cancelled.  <CR> alone asks again, because a password that follows it would
" run as Normal mode commands.  The user's mappings and abbreviations are off.
function! quickvault#secret#read(prompt) abort
  call quickvault#privacy#note_recording()
  while 1
    let l:plain = s:plain_keys()
    for l:keys in l:plain
      execute 'cnoremap <buffer> <nowait>' l:keys l:keys
    endfor
    call quickvault#prompt#watch_enter()
    redraw
    try
      let l:password = inputsecret(a:prompt)
    catch /^Vim:Interrupt$/
      let l:password = ''
    finally
      for l:keys in l:plain
        execute 'silent! cunmap <buffer>' l:keys
      endfor
      let l:is_entered = quickvault#prompt#was_entered()
      " This removes the prompt from the screen.
      echo ''
      redraw
    endtry
    if !empty(l:password) || !l:is_entered
      return l:password
    endif
  endwhile
endfunction

" Returns the characters, mapped so that there are no abbreviations, and the mappings of the user that begin with one.
function! s:plain_keys() abort
  let l:mapped = map(split(execute('cmap'), "\n"), 'matchstr(v:val[3:], "^\\S\\+")')
  return map(range(32, 126), 'printf("<Char-%d>", v:val)') + filter(l:mapped, 'v:val =~? "^\\%(<lt>\\|<bar>\\|<space>\\|[^<]\\)."')
endfunction
