" Prompts whose answers are not kept in any history.

" More <Esc> in a row than are typed ahead.
let s:most_escapes = 50

" Reads a line; returns an empty string if cancelled.  The optional arguments are those of input().
function! quickvault#prompt#line(prompt, ...) abort
  call quickvault#privacy#note_recording()
  let l:number = histnr('@')
  redraw
  try
    let l:line = call('input', [a:prompt] + a:000)
    call quickvault#privacy#track(l:line)
    return l:line
  catch /^Vim:Interrupt$/
    return ''
  finally
    " Vim also adds what was left with <Esc>.
    if histnr('@') > l:number
      call histdel('@', -1)
    endif
    redraw
  endtry
endfunction

" Reads a line as line() does, but returns the given value if cancelled.
function! quickvault#prompt#line_or(cancelled, ...) abort
  call quickvault#prompt#watch_enter()
  try
    let l:line = call('quickvault#prompt#line', a:000)
  finally
    let l:is_entered = quickvault#prompt#was_entered()
  endtry
  return l:is_entered || !empty(l:line) ? l:line : a:cancelled
endfunction

let [s:enter_keys, s:entered] = [['<CR>', '<NL>', '<kEnter>'], 0]

" Maps the keys that enter the line at the next prompt, because <Esc> returns an empty line too.  'paste' would turn the
" mappings off.
function! quickvault#prompt#watch_enter() abort
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
function! quickvault#prompt#was_entered() abort
  for l:key in s:enter_keys
    execute 'silent! cunmap <buffer>' l:key
  endfor
  let &paste = s:paste
  return s:entered
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

" Returns the path of a file to write: the given path, or one read from the user.  Appends the name if the path is a
" directory.  Returns an empty string if the user cancels or does not want to replace an existing file, or if the directory of
" the file is missing.
function! quickvault#prompt#target(path, name) abort
  let l:path = !empty(a:path) ? a:path : quickvault#prompt#line(quickvault#text#get('write.to'), a:name, 'file')
  if empty(l:path)
    return ''
  endif
  let l:path = quickvault#prompt#full_path(l:path)
  if isdirectory(l:path)
    let l:path = substitute(l:path, '/*$', '/', '') . a:name
  endif
  if !isdirectory(fnamemodify(l:path, ':h'))
    call quickvault#message#error(quickvault#text#get('directory.missing', fnamemodify(l:path, ':h')))
    return ''
  endif
  let l:exists = !empty(getftype(l:path))
  return l:exists && quickvault#prompt#confirm(quickvault#text#get('replace', l:path),
        \ quickvault#text#get('replace.choices'), 2) != 1 ? '' : l:path
endfunction

" Asks for one of several choices by key, which & is before; returns what confirm() does.  Unlike it, handles events while it
" waits, ignores what was typed before the question was shown, and returns 0 when the vault locks.
function! quickvault#prompt#confirm(question, choices, default) abort
  if mode(1) =~# '^c[ev]'
    return confirm(a:question, a:choices, a:default)
  endif
  let l:keys = map(split(a:choices, "\n"), {_, choice -> tolower(matchstr(choice, '&\zs.'))})
  let l:asked = {'text': a:question . "\n" . s:choice_line(a:choices, a:default) . ': ',
        \ 'is_unlocked': quickvault#session#is_unlocked(), 'rows': '', 'changes': []}
  let l:answer = -1
  if !s:discard_typed()
    return confirm(a:question, a:choices, a:default)
  endif
  call s:show(l:asked)
  let l:timer = timer_start(100, {-> s:watch(l:asked)}, {'repeat': -1})
  try
    while l:answer < 0
      let l:key = s:read()
      let l:answer = s:is_locked_since(l:asked) ? 0 : s:answer(l:key, l:keys, a:default)
    endwhile
  catch /^Vim:Interrupt$/
    let l:answer = 0
  finally
    call timer_stop(l:timer)
  endtry
  if !s:is_locked_since(l:asked)
    " This removes the question; after a lock, the page and its message are there already.
    echo ''
    redraw
  endif
  return l:answer
endfunction

" Shows the question again if something else was shown where it was, or if a page has changed, and ends it when the vault locks.
function! s:watch(asked) abort
  if s:is_locked_since(a:asked)
    call feedkeys("\<Esc>", 'n')
  elseif a:asked.rows !=# s:last_rows() || a:asked.changes != s:changes()
    call s:show(a:asked)
  endif
endfunction

function! s:is_locked_since(asked) abort
  return a:asked.is_unlocked && !quickvault#session#is_unlocked()
endfunction

" Returns the choices on a line as confirm() shows them: the default's key in other brackets.
function! s:choice_line(choices, default) abort
  return join(map(split(a:choices, "\n"), {index, choice ->
        \ substitute(choice, '&\(.\)', index + 1 == a:default ? '[\1]' : '(\1)', '')}), ', ')
endfunction

" Returns the number of the choice that a key takes: 0 if it leaves, -1 if it is none.
function! s:answer(code, keys, default) abort
  let l:key = type(a:code) == v:t_number ? (a:code == 0 ? '' : nr2char(a:code)) : a:code
  if l:key ==# "\<PasteStart>"
    call s:discard_typed()
  endif
  if l:key ==# "\<Esc>" || l:key ==# "\<C-c>"
    return 0
  elseif l:key ==# "\<CR>" || l:key ==# "\<NL>" || l:key ==# "\<kEnter>"
    return a:default
  endif
  let l:index = index(a:keys, tolower(l:key))
  return l:index < 0 ? -1 : l:index + 1
endfunction

" Waits for a key, while events are handled.  Vim reads keys in the callback of a timer, but not in that of a channel.
function! s:read() abort
  if has('nvim')
    return getchar()
  endif
  let l:keys = []
  call timer_start(0, {-> add(l:keys, s:typed())})
  while empty(l:keys)
    sleep 10m
  endwhile
  return l:keys[0]
endfunction

function! s:typed(...) abort
  try
    return call('getchar', a:000)
  catch /^Vim:Interrupt$/
    return char2nr("\<C-c>")
  endtry
endfunction

" Discards the keys that were typed so far, also those that the terminal has not passed on.  Returns 0 if Vim runs no timers:
" that is so while it exits, such as for :wq in the last window.
function! s:discard_typed() abort
  let [l:done, l:start] = [[], reltime()]
  let l:timer = timer_start(10, {-> add(l:done, s:discard_read())})
  while empty(l:done) && reltimefloat(reltime(l:start)) < 1
    sleep 10m
  endwhile
  call timer_stop(l:timer)
  return !empty(l:done)
endfunction

" When the keys of :normal have run out, Vim gives <Esc> without end: that then answers the question.
function! s:discard_read() abort
  let l:escapes = 0
  while l:escapes < s:most_escapes
    let l:key = s:typed(0)
    if l:key is 0
      return
    endif
    let l:escapes = l:key is 27 ? l:escapes + 1 : 0
  endwhile
endfunction

" Shows the question above the last row, without the more-prompt.
function! s:show(asked) abort
  let l:more = &more
  set nomore
  redraw
  echohl MoreMsg
  echo a:asked.text
  echohl None
  let &more = l:more
  let [a:asked.rows, a:asked.changes] = [s:last_rows(), s:changes()]
endfunction

" Returns how often each visible buffer was changed.
function! s:changes() abort
  return map(tabpagebuflist(), 'getbufvar(v:val, "changedtick")')
endfunction

" Returns the first columns of the rows for messages, which a redraw changes.
function! s:last_rows() abort
  return join(map(range(&lines - &cmdheight + 1, &lines),
        \ {_, row -> join(map(range(1, min([&columns, 40])), {_, column -> screenstring(row, column)}), '')}), "\n")
endfunction

" Asks for one of several choices, by number, until there is one with the number.  Returns its index, or -1 if
" cancelled.
function! quickvault#prompt#choice(question, choices) abort
  let l:lines = map(copy(a:choices), {index, choice -> printf('%2d. %s', index + 1, choice)})
  let l:number = len(l:lines) + 1
  while l:number > len(l:lines)
    redraw
    try
      let l:number = quickvault#editor#input_number([a:question] + l:lines)
    catch /^Vim:Interrupt$/
      let l:number = 0
    endtry
  endwhile
  redraw
  return max([l:number, 0]) - 1
endfunction
