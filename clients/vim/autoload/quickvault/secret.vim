" The prompt for a password.

" Whether the prompt was left with <CR>.
let s:entered = 0

" Reads a password; returns an empty string if cancelled.  <CR> alone asks again, because a password that follows it would
" run as Normal mode commands.  With 'paste', it could not be told from <Esc>.  The user's mappings and abbreviations are off.
function! quickvault#secret#read(prompt) abort
  let l:paste = &paste
  set nopaste
  call quickvault#privacy#note_recording()
  try
    return s:read_until_entered(a:prompt)
  finally
    let &paste = l:paste
  endtry
endfunction

function! s:read_until_entered(prompt) abort
  while 1
    let s:entered = 0
    let l:plain = s:plain_keys()
    for l:keys in l:plain
      execute 'cnoremap <buffer> <nowait>' l:keys l:keys
    endfor
    for l:key in s:enter_keys
      execute 'cnoremap <buffer> <expr>' l:key '<SID>enter()'
    endfor
    redraw
    try
      let l:password = inputsecret(a:prompt)
    catch /^Vim:Interrupt$/
      let l:password = ''
    finally
      for l:key in s:enter_keys + l:plain
        execute 'silent! cunmap <buffer>' l:key
      endfor
      " This removes the prompt from the screen.
      echo ''
      redraw
    endtry
    if !empty(l:password) || !s:entered
      return l:password
    endif
  endwhile
endfunction

" Returns the characters, mapped so that there are no abbreviations, and the mappings of the user that begin with one.
function! s:plain_keys() abort
  let l:mapped = map(split(execute('cmap'), "\n"), 'matchstr(v:val[3:], "^\\S\\+")')
  return map(range(32, 126), 'printf("<Char-%d>", v:val)') + filter(l:mapped, 'v:val =~? "^\\%(<lt>\\|<bar>\\|<space>\\|[^<]\\)."')
endfunction

let s:enter_keys = ['<CR>', '<NL>', '<kEnter>']

function! s:enter() abort
  let s:entered = 1
  return "\<CR>"
endfunction
