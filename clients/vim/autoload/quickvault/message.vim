" Messages on the last line, cleared after two seconds.
scriptencoding utf-8

let [s:milliseconds, s:alert_seconds] = [2000, 15]
" The message that is shown, and the last state of an operation.
let [s:shown, s:state] = ['', '']
let s:timer = 0

" Shows a message.
function! quickvault#message#info(text) abort
  call s:show('None', a:text, 0)
endfunction

" Shows a warning.
function! quickvault#message#warn(text) abort
  call s:show('WarningMsg', a:text, 1)
endfunction

" Shows an error: a text, or an error of the server.  It is also in :messages.
function! quickvault#message#error(error) abort
  let l:text = type(a:error) == v:t_dict ? quickvault#message#error_text(a:error) : a:error
  if !empty(l:text)
    call s:show('ErrorMsg', l:text, 1)
  endif
endfunction

" Shows an error about a file; it names the file.
function! quickvault#message#file_error(path, error) abort
  let [l:text, l:name] = [quickvault#message#error_text(a:error), fnamemodify(substitute(a:path, '/*$', '', ''), ':t')]
  let l:is_named = empty(l:text) || a:error.kind =~# '^\%(rpc\|client\|auth\)\.' || stridx(l:text, l:name) >= 0
  call quickvault#message#error(l:is_named ? l:text : l:name . quickvault#text#get('colon') . l:text)
endfunction

" Shows the result of an operation, which stays until the next message.  It has nothing of the vault and is also in :messages.
function! quickvault#message#result(text) abort
  call s:show('None', a:text, 1)
  call timer_stop(s:timer)
endfunction

" Shows important lines for longer.  In a callback, uses a popup window, because Vim would redraw over several lines.
function! quickvault#message#alert(text) abort
  call timer_stop(s:timer)
  let s:shown = ''
  redraw
  let l:lines = split(a:text, "\n")
  echohl ErrorMsg
  for l:line in l:lines
    echomsg l:line
  endfor
  echohl None
  call quickvault#editor#notify(l:lines, 'ErrorMsg', get(g:, 'quickvault_alert_seconds', s:alert_seconds))
endfunction

" Shows the state of an operation until the next message.
function! quickvault#message#progress(text) abort
  call timer_stop(s:timer)
  redraw
  let [s:shown, s:state] = repeat([s:truncate(a:text)], 2)
  echo s:shown
endfunction

" Clears the state of an operation, or the message if a timer calls this, unless something else is shown by now.
function! quickvault#message#clear(...) abort
  if a:0 == 0 && s:shown !=# s:state
    return
  elseif !empty(s:shown) && mode() !~# '^[cr]' && s:last_line() ==# substitute(s:shown, ' ', '', 'g')
    " Otherwise a higher command line gets an empty line below the message.
    redraw
    echo ''
    redraw
  endif
  let s:shown = ''
endfunction

function! s:show(group, text, is_logged) abort
  call timer_stop(s:timer)
  let s:shown = s:truncate(a:text)
  if mode() =~# '^c'
    " A warning waits for the end of a prompt.
    let s:timer = a:is_logged && mode(1) ==# 'c' ? timer_start(100, {-> s:show(a:group, a:text, 1)}) : 0
    return
  endif
  call s:echo(a:group, s:shown, a:is_logged)
  let s:timer = timer_start(s:milliseconds, 'quickvault#message#clear')
endfunction

function! s:echo(group, text, is_logged) abort
  redraw
  execute 'echohl' a:group
  if a:is_logged
    echomsg a:text
  else
    echo a:text
  endif
  echohl None
endfunction

" Returns the text of an error of the server; empty if it needs none.
function! quickvault#message#error_text(error) abort
  let l:text = get(a:error, 'message', '')
  if get(a:error, 'kind', '') ==# 'client.timeout'
    return quickvault#text#get('no.response')
  elseif get(a:error, 'kind', '') =~# '^\%(client\.\|rpc\.cancelled\)'
    return l:text
  elseif get(a:error, 'code', 0) == -32601
    return quickvault#text#get('method.missing')
  endif
  return empty(l:text) ? quickvault#text#get('failed') : l:text
endfunction

" Truncates a text to avoid the hit-enter prompt.
function! s:truncate(text) abort
  let l:room = v:echospace
  let l:text = substitute(a:text, '[[:cntrl:]]', ' ', 'g')
  while strdisplaywidth(l:text) > l:room && l:room > 10
    let l:text = strcharpart(l:text, 0, strchars(l:text) - 2) . '…'
  endwhile
  return l:text
endfunction

" Returns the text on the last line, without spaces.
function! s:last_line() abort
  let l:row = &lines - &cmdheight + 1
  let l:cells = map(range(1, strdisplaywidth(s:shown)), 'screenstring(l:row, v:val)')
  return substitute(join(l:cells, ''), ' ', '', 'g')
endfunction
