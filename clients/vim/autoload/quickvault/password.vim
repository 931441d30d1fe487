" Everything that asks for a password or a fingerprint: unlocking, creating the vault, confirming.

" Whether the user is asked to unlock the vault: what needs it meanwhile fails.
let s:is_asking = 0

" The fingerprint reader's current message, and the last one about a failed attempt.
let [s:shown, s:remark] = ['', '']

" Unlocks or creates the vault if necessary; returns whether it is unlocked.
function! quickvault#password#unlock() abort
  if quickvault#session#is_unlocked() || s:is_asking
    return !s:is_asking
  endif
  let s:is_asking = 1
  try
    let l:is_unlocked = s:unlock()
  finally
    let s:is_asking = 0
  endtry
  if l:is_unlocked
    call quickvault#buffers#restore()
    call quickvault#draft#announce()
  endif
  return l:is_unlocked
endfunction

function! s:unlock() abort
  let l:status = quickvault#session#status()
  if empty(l:status)
    return s:fail({})
  elseif !l:status.exists || l:status.setupStep ==# 'welcome'
    " The pages show the welcome text.
    call quickvault#buffers#show_all_locked()
    let l:password = s:read_new_password()
    return empty(l:password) ? s:fail({}) : s:send('vault/create', l:password)
  elseif !l:status.locked && !quickvault#shared#is_not_admitted(l:status)
    return 1
  endif
  let [l:answer, l:reason] = l:status.locked ? s:try_fingerprint(l:status, 'session/unlock', {})
        \ : quickvault#shared#be_admitted(l:status)
  if !empty(l:answer)
    return s:take('', l:answer[0], l:answer[1])
  endif
  let l:demo = get(get(l:status, 'demo', {}), 'password', '')
  return s:ask(l:status.lockout.retryAfterSeconds,
        \ l:reason . (empty(l:demo) ? '' : quickvault#text#get('demo.password', l:demo)))
endfunction

" Shows why the vault stays locked, on blanked pages.
function! s:fail(error) abort
  call quickvault#buffers#show_all_locked()
  call quickvault#message#error(empty(a:error) ? '' : a:error)
  return 0
endfunction

" Reads a new password twice; returns an empty string if cancelled.
function! s:read_new_password() abort
  let l:reason = ''
  while 1
    let l:first = quickvault#prompt#secret(l:reason . quickvault#text#get('password.new'))
    if empty(l:first)
      return ''
    endif
    let [l:is_accepted, l:reason] = s:check_new_password(l:first)
    if !l:is_accepted
      continue
    endif
    let l:second = quickvault#prompt#secret(quickvault#text#get('password.repeat'))
    if l:first ==# l:second || empty(l:second)
      return l:second
    endif
    let l:reason = quickvault#text#get('password.differ') . ' '
  endwhile
endfunction

" Returns whether a new password is good, or wanted although it is easy to guess; and why it is not.  After any other
" error, the next request fails as well.
function! s:check_new_password(password) abort
  let [l:error, l:result] = quickvault#session#wait('password/check', {'password': a:password})
  if !empty(l:error)
    return [l:error.kind !~# '^auth\.passwordToo', l:error.message . ' ']
  elseif empty(l:result.warnings)
    return [1, '']
  endif
  let l:question = l:result.warnings[0].message . ' ' . quickvault#text#get('password.anyway')
  return [quickvault#prompt#confirm(l:question, quickvault#text#get('yesno'), 2) == 1, '']
endfunction

" Asks for the password, after a lockout if there is one; returns whether it unlocks the vault.
function! s:ask(seconds, reason) abort
  let l:left = s:await_lockout(a:seconds)
  if l:left > 0
    return s:fail(quickvault#text#get('lockout', l:left))
  endif
  let l:password = quickvault#prompt#secret(a:reason . quickvault#text#get('password'))
  return empty(l:password) ? s:fail({}) : s:send('session/unlock', l:password)
endfunction

" Sends a password, and waits: what is typed meanwhile may be the next password, and not Normal mode commands.
function! s:send(method, password) abort
  call quickvault#message#progress(quickvault#text#get('unlocking'))
  let [l:error, l:result] = quickvault#server#wait(a:method, {'password': a:password}, 0)
  call quickvault#message#clear()
  return s:take(a:password, l:error, l:result)
endfunction

" Takes the answer to an unlock; returns whether the vault is unlocked.
function! s:take(password, error, result) abort
  let l:seconds = s:lockout_seconds(a:error)
  if empty(a:error)
    call quickvault#session#did_unlock(a:result)
    if !empty(a:password) && get(a:result, 'offerBiometric', v:false)
      call s:offer_fingerprint(a:password)
    endif
    return 1
  elseif l:seconds > 0 || a:error.kind ==# 'auth.wrongPassword' && a:error.data.attemptsLeft > 0
    return s:ask(l:seconds, l:seconds > 0 ? '' : a:error.message . ' ')
  endif
  return s:fail(a:error)
endfunction

" Returns the seconds until another password is accepted after an error; 0 if it is now, or if the error is another one.
function! s:lockout_seconds(error) abort
  let l:kind = get(a:error, 'kind', '')
  if l:kind ==# 'auth.lockedOut'
    return a:error.data.retryAfterSeconds
  elseif l:kind ==# 'auth.wrongPassword' && get(a:error.data, 'attemptsLeft', 0) == 0
    return get(get(quickvault#session#status(), 'lockout', {}), 'retryAfterSeconds', 0)
  endif
  return 0
endfunction

" Counts a lockout down and discards what is typed, which may be the next password.  Returns the seconds that are left: 0,
" or more if CTRL-C ended it.
function! s:await_lockout(seconds) abort
  if a:seconds == 0
    return 0
  endif
  let [l:start, l:left, l:shown] = [reltime(), a:seconds, 0]
  try
    while l:left > 0
      if l:shown != l:left
        let l:shown = l:left
        call quickvault#message#progress(quickvault#text#get('lockout.wait', l:shown))
      endif
      call getchar(0)
      sleep 5m
      let l:left = float2nr(ceil(a:seconds - reltimefloat(reltime(l:start))))
    endwhile
  catch /^Vim:Interrupt$/
  endtry
  call quickvault#message#clear()
  return l:left
endfunction

" Sends a request with a fingerprint if this device is bound, else with the password, which a text asks for, also after a
" wrong one while attempts are left; Send gets the method and the parameters.  Returns [error, result].
function! quickvault#password#prove(text, method, params, Send) abort
  let [l:answer, l:reason] = s:try_fingerprint(quickvault#session#status(), a:method, a:params)
  while empty(l:answer)
    let l:password = quickvault#prompt#secret(l:reason . quickvault#text#get(a:text))
    if empty(l:password)
      return [quickvault#server#error('client.cancelled', quickvault#text#get('cancelled')), v:null]
    endif
    let [l:error, l:result] = a:Send(a:method, extend({'password': l:password}, a:params))
    let l:seconds = s:lockout_seconds(l:error)
    if l:seconds == 0 && get(l:error, 'kind', '') !=# 'auth.wrongPassword' || s:await_lockout(l:seconds) > 0
      let l:answer = [l:error, l:result]
    else
      let l:reason = l:seconds > 0 ? '' : l:error.message . ' '
    endif
  endwhile
  return l:answer
endfunction

" Fingerprints

" Sends a request with a fingerprint first if this device is bound.  Returns its answer, [error, result], and an empty list
" if the password may help instead; and why it has to.
function! s:try_fingerprint(status, method, params) abort
  if !get(get(a:status, 'biometric', {}), 'enabled', v:false)
    return [[], '']
  endif
  let [l:error, l:result] = s:await_finger(a:method, extend({'method': 'biometric'}, a:params), 0)
  let l:is_done = empty(l:error) || l:error.kind !~# '^\%(biometric\|device\|keychain\)\.\|^rpc\.cancelled$'
  return l:is_done ? [[l:error, l:result], ''] : [[], s:is_cancelled(l:error) ? '' : l:error.message . ' ']
endfunction

function! s:is_cancelled(error) abort
  return a:error.kind =~# '^client\.\|^biometric\.userCancel$\|^rpc\.cancelled$'
endfunction

" Offers to turn on fingerprint unlock.
function! s:offer_fingerprint(password) abort
  if quickvault#prompt#confirm(quickvault#text#get('fingerprint.offer'), quickvault#text#get('yesno'), 2) != 1
    return
  endif
  let l:error = s:await_finger('biometric/enable', {'password': a:password}, 1)[0]
  if empty(l:error) || s:is_cancelled(l:error)
    call quickvault#message#info(quickvault#text#get(empty(l:error) ? 'fingerprint.on' : 'unchanged'))
  else
    call quickvault#message#error(l:error)
  endif
endfunction

" Sends a request that waits for a fingerprint, and returns [error, result].  Any key cancels it; if the password is known,
" only CTRL-C does, and what is typed is discarded.
function! s:await_finger(method, params, is_password_known) abort
  let [l:answer, s:shown, s:remark] = [[], quickvault#text#get('fingerprint.waiting'), '']
  let l:request = {'shown': '', 'hint': a:is_password_known ? 'fingerprint.wait' : 'fingerprint.hint'}
  let l:request.id = quickvault#server#request(a:method, a:params, {error, result -> extend(l:answer, [error, result])})
  let l:answer = quickvault#server#await(l:answer, l:request, 0, function('s:look_at_reader'))
  call quickvault#message#clear()
  return l:answer
endfunction

" Shows what the reader says, and cancels the request when a key is pressed; events and the mouse are none.
function! s:look_at_reader(request) abort
  if a:request.shown !=# s:shown
    let a:request.shown = s:shown
    call quickvault#message#progress(quickvault#text#get(a:request.hint, s:shown))
  endif
  let l:key = getchar(0)
  if (type(l:key) == v:t_string ? l:key[: 1] !=# "\x80\xfd" : l:key != 0) && a:request.hint ==# 'fingerprint.hint'
    call quickvault#server#cancel(a:request.id)
  endif
endfunction

" Handles biometric/didChangeState.
function! quickvault#password#on_reader(params) abort
  let s:shown = a:params.message
  " The reader is ready again before the user can read the last error.
  if a:params.state ==# 'scanning'
    let s:shown = empty(s:remark) ? s:shown : s:remark
  else
    let s:remark = s:shown
    if get(a:params, 'reason', '') ==# 'notMatched'
      let s:remark .= ' ' . quickvault#text#get('fingerprint.attempts', a:params.attemptsLeft)
    endif
  endif
endfunction
