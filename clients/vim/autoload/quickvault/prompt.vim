" Prompts whose answers are not kept in any history.  A lock ends them.

" More <Esc> in a row than are typed ahead.
let s:most_escapes = 50

" Reads a line; returns an empty string if cancelled.  The optional arguments are those of input().
function! quickvault#prompt#line(prompt, ...) abort
  return s:line({}, [a:prompt] + a:000)[0]
endfunction

" Reads a line as line() does, but returns the given value if cancelled.
function! quickvault#prompt#line_or(cancelled, ...) abort
  let [l:line, l:is_entered] = s:line({}, a:000)
  return l:is_entered || !empty(l:line) ? l:line : a:cancelled
endfunction

function! s:line(maps, arguments) abort
  let l:number = histnr('@')
  let [l:line, l:is_entered] = s:ask(a:maps, {-> call('input', a:arguments)})
  " Vim also adds what was left with <Esc>.
  if histnr('@') > l:number
    call histdel('@', -1)
  endif
  " A single key is an answer.
  call quickvault#privacy#track(strchars(l:line) > 1 ? l:line : '')
  return [l:line, l:is_entered]
endfunction

" Reads a password; returns an empty string if cancelled.  <CR> alone asks again, because a password that follows it would
" run as Normal mode commands.  The user's mappings and abbreviations are off: each character is mapped to itself, and so
" are the mappings that begin with one.
function! quickvault#prompt#secret(prompt) abort
  let l:mapped = map(split(execute('cmap'), "\n"), 'matchstr(v:val[3:], "^\\S\\+")')
  let l:plain = map(range(32, 126), 'printf("<Char-%d>", v:val)')
        \ + filter(l:mapped, 'v:val =~? "^\\%(<lt>\\|<bar>\\|<space>\\|[^<]\\)."')
  let l:maps = {}
  call map(l:plain, {_, keys -> extend(l:maps, {keys : keys})})
  let [l:password, l:is_entered] = ['', 1]
  while empty(l:password) && l:is_entered
    let [l:password, l:is_entered] = s:ask(l:maps, {-> inputsecret(a:prompt)})
  endwhile
  return l:password
endfunction

" Calls a function that reads a line, with mappings; returns the line, empty if cancelled, and whether it was entered: <Esc>
" returns an empty line too.
function! s:ask(maps, Read) abort
  let l:enter = '<Cmd>call <SID>note_entered()<CR><CR>'
  let l:maps = extend({'<CR>': l:enter, '<NL>': l:enter, '<kEnter>': l:enter}, a:maps)
  " 'paste' would turn the mappings off.
  let [s:entered, l:paste] = [0, &paste]
  set nopaste
  for [l:keys, l:result] in items(l:maps)
    execute 'cnoremap <buffer> <nowait>' l:keys l:result
  endfor
  augroup quickvault_prompt
    autocmd! User QuickVaultLocked call feedkeys("\<Esc>", 'n')
  augroup END
  call quickvault#privacy#note_recording()
  redraw
  try
    let l:line = a:Read()
  catch /^Vim:Interrupt$/
    let l:line = ''
  finally
    autocmd! quickvault_prompt
    for l:keys in keys(l:maps)
      execute 'silent! cunmap <buffer>' l:keys
    endfor
    let &paste = l:paste
    " This removes the prompt.
    redraw
    echo ''
    redraw
  endtry
  return [l:line, s:entered]
endfunction

function! s:note_entered() abort
  let s:entered = 1
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
  let [l:keys, l:maps, l:answer] = [map(split(a:choices, "\n"), {_, choice -> tolower(matchstr(choice, '&\zs.'))}), {}, -1]
  for l:key in l:keys
    call extend(l:maps, {l:key : '<C-u>' . l:key . '<CR>', toupper(l:key): '<C-u>' . l:key . '<CR>'})
  endfor
  " As confirm() shows them: the default's key in other brackets.
  let l:shown = join(map(split(a:choices, "\n"), {index, choice ->
        \ substitute(choice, '&\(.\)', index + 1 == a:default ? '[\1]' : '(\1)', '')}), ', ')
  echohl MoreMsg
  while l:answer < 0
    let [l:line, l:is_entered] = s:line(l:maps, [a:question . ' ' . l:shown . ': '])
    let l:number = index(l:keys, tolower(l:line)) + 1
    let l:answer = !empty(l:line) ? (l:number > 0 ? l:number : -1) : l:is_entered ? a:default : 0
  endwhile
  echohl None
  return l:answer
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
  while l:number >= len(l:lines)
    let l:number = str2nr(s:line({'q': '<C-c>'}, [join(l:lines + [quickvault#text#get('choice')], "\n")])[0])
  endwhile
  return max([l:number, 0]) - 1
endfunction
