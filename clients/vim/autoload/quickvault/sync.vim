" The state of synchronisation, for the status line.

" What the server told last: the result of sync/status.
let s:status = {}

" Takes over the state that the server tells.
function! quickvault#sync#set(status) abort
  let s:status = a:status
  redrawstatus!
endfunction

" Returns what the status line says: nothing while all is well.
function! quickvault#sync#statusline() abort
  let l:is_wrong = get(s:status, 'needsAttention', v:false) isnot v:false || get(s:status, 'state', '') ==# 'failed'
        \ || has_key(s:status, 'needsPassword') || !empty(filter(copy(get(s:status, 'replicas', [])), 'has_key(v:val, "problem")'))
  return l:is_wrong ? quickvault#text#get('sync.attention') : ''
endfunction
