" What the server tells or asks without a request.

" The kinds of messages of which the client says more itself.
let s:told_here = ['card.copied', 'card.deleted']

let s:reasons = ['background', 'deviceLocked', 'passwordChanged', 'revoked', 'shutdown', 'sleep', 'timeout']

" Handles a notification, or a request with an id.
function! quickvault#notification#handle(method, params, id) abort
  if a:method ==# 'session/didLock'
    call quickvault#session#set_unlocked(0)
    let l:reason = get(a:params, 'reason', '')
    let [l:lost, l:kept] = quickvault#buffers#blank(0, l:reason ==# 'background')
    let l:text = quickvault#text#get('lock.' . (index(s:reasons, l:reason) < 0 ? 'request' : l:reason))
    call quickvault#message#warn(l:text . (l:lost ? ' ' . quickvault#text#get('discarded')
          \ : l:kept ? ' ' . quickvault#text#get('draft.kept') : ''))
  elseif a:method ==# 'session/didUnlock'
    call quickvault#shared#look('unlocked.elsewhere')
  elseif a:method ==# 'session/admit'
    call quickvault#shared#ask(a:id, a:params.message, get(a:params, 'use', v:false) is v:true)
  elseif a:method ==# '$/cancelRequest'
    call quickvault#shared#withdraw(a:params.id)
  elseif a:method ==# 'sync/didChange'
    call quickvault#session#set_sync(a:params)
  elseif a:method ==# 'card/didChange'
    call quickvault#buffers#refresh_changed(a:params)
  elseif a:method ==# 'window/showMessage' && a:params.type == 3 && a:params.kind ==# 'sync.conflict'
    call quickvault#message#result(quickvault#text#get('conflict.made'))
  elseif a:method ==# 'window/showMessage' && a:params.type == 3 && index(s:told_here, a:params.kind) < 0
    call quickvault#message#info(a:params.message)
  elseif a:method ==# 'biometric/didChangeState'
    call quickvault#password#on_reader(a:params)
  elseif a:method ==# '$/progress' && has_key(a:params.value, 'percentage')
    call quickvault#message#progress(quickvault#session#get('progress') . ' ' . a:params.value.percentage . '%')
  endif
endfunction
