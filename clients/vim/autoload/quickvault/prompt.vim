" Prompts whose answers are not kept in any history.  A lock ends them.

" More <Esc> in a row than are typed ahead.
let s:most_escapes = 50

" Reads a line; returns an empty string if cancelled.  The optional arguments are those of input().
function! quickvault#prompt#line(prompt, ...) abort
  call quickvault#privacy#note_recording()
  let l:number = histnr('@')
  augroup quickvault_prompt
    autocmd! User QuickVaultLocked call feedkeys("\<Esc>", 'n')
  augroup END
  redraw
  try
    let l:line = call('input', [a:prompt] + a:000)
    " A single key is an answer.
    call quickvault#privacy#track(strchars(l:line) > 1 ? l:line : '')
    return l:line
  catch /^Vim:Interrupt$/
    return ''
  finally
    autocmd! quickvault_prompt
    " Vim also adds what was left with <Esc>.
    if histnr('@') > l:number
      call histdel('@', -1)
    endif
    " This removes the prompt.
    redraw
    echo ''
    redraw
  endtry
endfunction

" Reads a line as line() does, but returns the given value if cancelled.
function! quickvault#prompt#line_or(cancelled, ...) abort
  call s:watch_enter()
  try
    let l:line = call('quickvault#prompt#line', a:000)
  finally
    let l:is_entered = s:was_entered()
  endtry
  return l:is_entered || !empty(l:line) ? l:line : a:cancelled
endfunction

let [s:enter_keys, s:entered] = [['<CR>', '<NL>', '<kEnter>'], 0]

" Maps the keys that enter the line at the next prompt, because <Esc> returns an empty line too.  'paste' would turn the
" mappings off.
function! s:watch_enter() abort
  let [s:entered, s:paste] = [0, &paste]
  set nopaste
  for l:key in s:enter_keys
    execute 'cnoremap <buffer> <expr>' l:key '<SID>enter()'
  endfor
endfunction

function! s:enter() abort
  let s:entered = 1
  return "\<CR>"
endfunction

" Removes these mappings after the prompt, and returns whether the line was entered.
function! s:was_entered() abort
  for l:key in s:enter_keys
    execute 'silent! cunmap <buffer>' l:key
  endfor
  let &paste = s:paste
  return s:entered
endfunction

" Reads a password; returns an empty string if cancelled.  <CR> alone asks again, because a password that follows it would
" run as Normal mode commands.  The user's mappings and abbreviations are off.
function! quickvault#prompt#secret(prompt) abort
  call quickvault#privacy#note_recording()
  while 1
    let l:plain = s:plain_keys()
    for l:keys in l:plain
      execute 'cnoremap <buffer> <nowait>' l:keys l:keys
    endfor
    call s:watch_enter()
    redraw
    try
      let l:password = inputsecret(a:prompt)
    catch /^Vim:Interrupt$/
      let l:password = ''
    finally
      for l:keys in l:plain
        execute 'silent! cunmap <buffer>' l:keys
      endfor
      let l:is_entered = s:was_entered()
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

" Reads a password; returns an empty string if cancelled.  <CR> alone asks again, because a password that follows it would
" run as Normal mode commands.  The user's mappings and abbreviations are off.
function! quickvault#prompt#secret(prompt) abort
  call quickvault#privacy#note_recording()
  while 1
    let l:plain = s:plain_keys()
    for l:keys in l:plain
      execute 'cnoremap <buffer> <nowait>' l:keys l:keys
    endfor
    call s:watch_enter()
    redraw
    try
      let l:password = inputsecret(a:prompt)
    catch /^Vim:Interrupt$/
      let l:password = ''
    finally
      for l:keys in l:plain
        execute 'silent! cunmap <buffer>' l:keys
      endfor
      let l:is_entered = s:was_entered()
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

" Returns whether the rest of a command begins with an option that the command does not have, and says so.
function! quickvault#prompt#is_unknown_option(rest) abort
  let l:option = matchstr(a:rest, '^-\S*')
  if !empty(l:option)
    call quickvault#message#error(quickvault#text#get('option.unknown', l:option))
  endif
  return !empty(l:option)
endfunction

" Returns a path that the user has typed as an absolute path.  As in Vim's own commands, ~ and a variable at the beginning
" stand for what they are, and % and # for the names of files; other characters are never special.
function! quickvault#prompt#full_path(path) abort
  let l:path = a:path =~# '^[%#]\%(:[^/]*\)\?$' ? expand(a:path, 1) : a:path
  let l:variable = matchstr(l:path, '^\$\zs\h\w*')
  let l:value = empty(l:variable) ? v:null : getenv(l:variable)
  return fnamemodify(l:value is v:null ? l:path : l:value . strpart(l:path, 1 + len(l:variable)), ':p')
endfunction

" Asks for one of several choices by key, which & is before; returns what confirm() does.  Unlike it, handles events while it
" waits, ignores what was typed before the question was shown, and returns 0 when the vault locks.
function! quickvault#prompt#confirm(question, choices, default) abort
  if mode(1) =~# '^c[ev]'
    return confirm(a:question, a:choices, a:default)
  endif
  call s:discard_typed()
  let l:keys = map(split(a:choices, "\n"), {_, choice -> tolower(matchstr(choice, '&\zs.'))})
  for l:key in l:keys
    execute printf('cnoremap <buffer> <nowait> %s <C-u>%s<CR>| cnoremap <buffer> <nowait> %s <C-u>%s<CR>', l:key, l:key,
          \ toupper(l:key), l:key)
  endfor
  let l:answer = -1
  try
    while l:answer < 0
      echohl MoreMsg
      let l:line = quickvault#prompt#line_or(v:null, a:question . ' ' . s:choice_line(a:choices, a:default) . ': ')
      let l:answer = l:line is v:null ? 0 : empty(l:line) ? a:default : s:number(l:keys, l:line)
    endwhile
  finally
    echohl None
    for l:key in l:keys
      execute printf('silent! cunmap <buffer> %s| silent! cunmap <buffer> %s', l:key, toupper(l:key))
    endfor
  endtry
  return l:answer
endfunction

" Returns the number of the choice with a key, or -1.
function! s:number(keys, line) abort
  let l:index = index(a:keys, tolower(a:line))
  return l:index < 0 ? -1 : l:index + 1
endfunction

" Returns the choices on a line as confirm() shows them: the default's key in other brackets.
function! s:choice_line(choices, default) abort
  return join(map(split(a:choices, "\n"), {index, choice ->
        \ substitute(choice, '&\(.\)', index + 1 == a:default ? '[\1]' : '(\1)', '')}), ', ')
endfunction

" Discards the keys that were typed so far, also those that the terminal has not passed on: in a timer, because Vim reads no
" keys in the callback of a channel.  While Vim exits, such as for :wq in the last window, it runs no timers.
function! s:discard_typed() abort
  let [l:done, l:start] = [[], reltime()]
  let l:timer = timer_start(10, {-> add(l:done, s:discard_read())})
  while empty(l:done) && reltimefloat(reltime(l:start)) < 1
    sleep 10m
  endwhile
  call timer_stop(l:timer)
endfunction

" When the keys of :normal have run out, Vim gives <Esc> without end: that then answers the question.
function! s:discard_read() abort
  let l:escapes = 0
  while l:escapes < s:most_escapes
    try
      let l:key = getchar(0)
    catch /^Vim:Interrupt$/
      continue
    endtry
    if l:key is 0
      return
    endif
    let l:escapes = l:key is 27 ? l:escapes + 1 : 0
  endwhile
endfunction

" Asks for one of several choices, by number, until there is one with the number.  Returns its index, or -1 if
" cancelled.
function! quickvault#prompt#choice(question, choices) abort
  let l:lines = [a:question] + map(copy(a:choices), {index, choice -> printf('%2d. %s', index + 1, choice)})
  let l:number = len(l:lines)
  cnoremap <buffer> <nowait> q <C-c>
  try
    while l:number >= len(l:lines)
      let l:number = str2nr(quickvault#prompt#line(join(l:lines + [quickvault#text#get('choice')], "\n")))
    endwhile
  finally
    silent! cunmap <buffer> q
  endtry
  return max([l:number, 0]) - 1
endfunction
