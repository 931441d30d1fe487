" Short messages on the last line, gone after two seconds.
scriptencoding utf-8

let s:milliseconds = 2000
let s:shown = ''
let s:timer = 0

" Says that something was done.
function! quickvault#notice#info(text) abort
  call s:show('None', a:text, 0)
endfunction

" Says something to heed.
function! quickvault#notice#warn(text) abort
  call s:show('WarningMsg', a:text, 1)
endfunction

" Says what went wrong: a text, or an error as the server gives it.  It can be read again with :messages.
function! quickvault#notice#error(error) abort
  let l:text = type(a:error) == v:t_dict ? s:words(a:error) : a:error
  if !empty(l:text)
    call s:show('ErrorMsg', l:text, 1)
  endif
endfunction

" Says what must be read and done, and stays for a while: from a callback in a popup window, as Vim would draw over lines
" of a message.
function! quickvault#notice#stay(text) abort
  call timer_stop(s:timer)
  let s:shown = ''
  redraw
  let l:lines = split(a:text, "\n")
  echohl ErrorMsg
  for l:line in l:lines
    echomsg l:line
  endfor
  echohl None
  if state('c') ==# 'c'
    call popup_notification(l:lines, {'time': 15000, 'highlight': 'ErrorMsg', 'close': 'click'})
  endif
endfunction

" Says what is going on, until something else is said.
function! quickvault#notice#busy(text) abort
  redraw
  let s:shown = s:fitting(a:text)
  echo s:shown
endfunction

" Takes away what is shown, unless something else was shown since.
function! quickvault#notice#clear(...) abort
  if !empty(s:shown) && mode() !~# '^[cr]' && s:last_line() ==# substitute(s:shown, ' ', '', 'g')
    echo ''
    redraw
  endif
  let s:shown = ''
endfunction

function! s:show(group, text, keep) abort
  call timer_stop(s:timer)
  let s:shown = s:fitting(a:text)
  if mode() =~# '^c'
    return
  endif
  call s:echo(a:group, s:shown, a:keep)
  let s:timer = timer_start(s:milliseconds, 'quickvault#notice#clear')
endfunction

function! s:echo(group, text, keep) abort
  redraw
  execute 'echohl' a:group
  if a:keep
    echomsg a:text
  else
    echo a:text
  endif
  echohl None
endfunction

function! s:words(error) abort
  let l:text = get(a:error, 'message', '')
  if get(a:error, 'kind', '') ==# 'client.silent'
    return quickvault#text#get('silent')
  elseif get(a:error, 'kind', '') =~# '^\%(client\.\|rpc\.cancelled\)'
    return l:text
  elseif get(a:error, 'code', 0) == -32601
    return quickvault#text#get('method.missing')
  endif
  return empty(l:text) ? quickvault#text#get('failed') : l:text
endfunction

" The text shortened so that it leaves no "Press ENTER" behind.
function! s:fitting(text) abort
  let l:room = &columns - 14
  let l:text = substitute(a:text, '[[:cntrl:]]', ' ', 'g')
  while strdisplaywidth(l:text) > l:room && l:room > 10
    let l:text = strcharpart(l:text, 0, strchars(l:text) - 2) . '…'
  endwhile
  return l:text
endfunction

" What stands on the last line, without its blanks.
function! s:last_line() abort
  let l:row = &lines - &cmdheight + 1
  let l:cells = map(range(1, strdisplaywidth(s:shown)), 'screenstring(l:row, v:val)')
  return substitute(join(l:cells, ''), ' ', '', 'g')
endfunction
