" What needs attention in synchronisation, and what other processes changed.

" What needs attention, and the process of the server that has not answered yet, or 0.
let [s:attention, s:asked] = ['', 0]

" Takes over what the server tells of synchronisation: the result of sync/status.
function! quickvault#sync#set(status) abort
  let l:attention = get(get(a:status, 'needsAttention', {}), 'message', '')
  if l:attention !=# s:attention
    let s:attention = l:attention
    redrawstatus!
  endif
endfunction

" Returns what needs attention; an empty string while all is well.
function! quickvault#sync#attention() abort
  return s:attention
endfunction

" Asks for the state of synchronisation.  The answer also comes with a notification of what another process has changed.  It is
" no activity, and nothing is asked while the answer before is missing.
function! quickvault#sync#look() abort
  let l:process = quickvault#server#process_id()
  if s:asked != l:process && quickvault#session#is_unlocked()
    let s:asked = l:process
    call quickvault#server#request('sync/status', {}, function('s:looked'))
  endif
endfunction

function! s:looked(error, status) abort
  let s:asked = 0
  if empty(a:error)
    call quickvault#sync#set(a:status)
  endif
endfunction
