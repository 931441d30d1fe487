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
  endif
  let l:line = join(map(range(1, strdisplaywidth(s:shown)), 'screenstring(&lines - &cmdheight + 1, v:val)'), '')
  if !empty(s:shown) && mode() !~# '^[cr]' && substitute(l:line, ' ', '', 'g') ==# substitute(s:shown, ' ', '', 'g')
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
  redraw
  execute 'echohl' a:group
  execute (a:is_logged ? 'echomsg' : 'echo') 's:shown'
  echohl None
  let s:timer = timer_start(s:milliseconds, 'quickvault#message#clear')
endfunction

" Returns the text of an error of the server; empty if it needs none.
function! quickvault#message#error_text(error) abort
  let [l:text, l:kind] = [get(a:error, 'message', ''), get(a:error, 'kind', '')]
  return l:kind ==# 'client.timeout' ? quickvault#text#get('no.response')
        \ : get(a:error, 'code', 0) == -32601 ? quickvault#text#get('method.missing')
        \ : empty(l:text) && l:kind !~# '^\%(client\.\|rpc\.cancelled\)' ? quickvault#text#get('failed') : l:text
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
