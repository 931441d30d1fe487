" Unlocking with a finger, and binding this device to the vault.

" What the reader says, while a finger is awaited.
let s:shown = ''
let s:remark = ''
let s:key = {'kind': 'client.key', 'message': '', 'data': {}}

" Takes note of biometric/didChangeState.
function! quickvault#finger#state(params) abort
  let s:shown = a:params.message
  " The reader is ready again at once, before anybody could read what was wrong.
  if a:params.state ==# 'scanning'
    let s:shown = empty(s:remark) ? s:shown : s:remark
  else
    let s:remark = s:shown
    if get(a:params, 'reason', '') ==# 'notMatched'
      let s:remark .= ' ' . quickvault#text#get('finger.left', a:params.attemptsLeft)
    endif
  endif
endfunction

" Sends a request that waits for a finger: [error, result].  Any key ends the wait, with the error client.key.
function! quickvault#finger#await(method, params) abort
  let l:answer = []
  let s:shown = quickvault#text#get('finger.waiting')
  let s:remark = ''
  let l:id = quickvault#server#request(a:method, a:params, {error, result -> extend(l:answer, [error, result])})
  let [l:told, l:ended, l:interrupts] = ['', 0, 0]
  while empty(l:answer)
    if !l:ended && l:told !=# s:shown
      let l:told = s:shown
      call quickvault#notice#busy(quickvault#text#get('finger.hint', l:told))
    endif
    try
      if s:pressed() && !l:ended
        let l:ended = 1
        call quickvault#server#cancel(l:id)
      endif
      sleep 5m
    catch /^Vim:Interrupt$/
      let [l:ended, l:interrupts] = [1, l:interrupts + 1]
      call quickvault#server#cancel(l:id)
      if l:interrupts > 1
        call quickvault#notice#clear()
        return [quickvault#server#give_up(l:id), v:null]
      endif
    endtry
  endwhile
  call quickvault#notice#clear()
  return !l:ended || empty(l:answer[0]) ? l:answer : [s:key, v:null]
endfunction

" Whether a key was pressed; events and the mouse are none.
function! s:pressed() abort
  let l:key = getchar(0)
  return type(l:key) == v:t_string ? l:key[: 1] !=# "\x80\xfd" : l:key != 0
endfunction

" Whether an error is about the finger, so that the password may do what it did not.
function! quickvault#finger#leads_to_password(error) abort
  return a:error.kind =~# '^\%(biometric\|device\|keychain\)\.\|^client\.key$\|^rpc\.cancelled$'
endfunction

" What to say of an error before the password is asked for; nothing where the person, or nobody, ended the wait.
function! quickvault#finger#reason(error) abort
  return a:error.kind =~# '^client\.\|^biometric\.userCancel$\|^rpc\.cancelled$' ? '' : a:error.message . ' '
endfunction

" :QuickVaultFingerprint [on|off]
function! quickvault#finger#command(argument) abort
  if a:argument ==# 'on'
    call quickvault#password#unlock(function('s:enable'), {-> 0})
  elseif a:argument ==# 'off'
    call s:disable()
  elseif empty(a:argument)
    call s:tell()
  else
    call quickvault#notice#error(quickvault#text#get('finger.usage'))
  endif
endfunction

function! s:enable() abort
  let [l:error, l:result] = quickvault#password#with(quickvault#text#get('password'),
        \ {password -> quickvault#finger#await('biometric/enable', {'password': password})})
  call s:enabled(l:error)
endfunction

" Offers to unlock with a finger from now on.
function! quickvault#finger#offer(password) abort
  let l:answers = '&' . quickvault#text#get('yes') . "\n&" . quickvault#text#get('no')
  if confirm(quickvault#text#get('fingerprint'), l:answers, 2) == 1
    call s:enabled(quickvault#finger#await('biometric/enable', {'password': a:password})[0])
  endif
endfunction

function! s:enabled(error) abort
  if empty(a:error)
    call quickvault#notice#info(quickvault#text#get('finger.on'))
  elseif empty(quickvault#finger#reason(a:error))
    call quickvault#notice#info(quickvault#text#get('unchanged'))
  else
    call quickvault#notice#error(a:error)
  endif
endfunction

function! s:disable() abort
  let l:answers = '&' . quickvault#text#get('yes') . "\n&" . quickvault#text#get('no')
  if confirm(quickvault#text#get('finger.disable'), l:answers, 2) == 1
    call quickvault#session#request('biometric/disable', {},
          \ {result -> quickvault#notice#info(quickvault#text#get('finger.off'))})
  endif
endfunction

" Says whether a finger can unlock the vault here, and what is missing.
function! s:tell() abort
  let [l:error, l:status] = quickvault#session#wait('biometric/status', {})
  if !empty(l:error)
    return quickvault#notice#error(l:error)
  endif
  let l:lines = [quickvault#text#get(!get(l:status, 'biometricUnlock', 1) ? 'finger.turnedOff'
        \ : l:status.enabled ? 'finger.bound' : l:status.available ? 'finger.possible'
        \ : 'finger.impossible')]
  for l:part in ['fingerprint', 'keychain', 'session']
    call add(l:lines, quickvault#text#get('part.' . l:part) . ': '
          \ . get(l:status[l:part], 'message', quickvault#text#get('ready')))
  endfor
  echo join(l:lines, "\n")
endfunction
