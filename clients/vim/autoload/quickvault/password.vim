" Everything that asks for a password: unlocking, creating the vault, confirming.

" Callbacks that wait for an unlock: pairs of one for success and one for failure.
let s:waiting = []

" Unlocks or creates the vault if necessary; then calls Then on success, or Else on failure.
function! quickvault#password#unlock(Then, Else) abort
  call add(s:waiting, [a:Then, a:Else])
  if len(s:waiting) > 1
    return
  endif
  let l:status = quickvault#session#status()
  if empty(l:status)
    call s:finish(0)
  elseif !l:status.exists || l:status.setupStep ==# 'welcome'
    call s:create_vault()
  elseif quickvault#shared#is_not_admitted(l:status)
    call quickvault#shared#be_admitted(l:status, function('s:admitted'), {reason -> s:ask_later(l:status.lockout.retryAfterSeconds, reason)})
  elseif !l:status.locked
    call s:finish(1)
  else
    call s:try_fingerprint(l:status)
  endif
endfunction

" Asks for a fingerprint if this device is bound, then for the password.
function! s:try_fingerprint(status) abort
  let [l:answer, l:reason] = quickvault#fingerprint#try(a:status, 'session/unlock', {})
  if !empty(l:answer)
    return s:unlocked('', l:answer[0], l:answer[1])
  endif
  let l:demo = get(get(a:status, 'demo', {}), 'password', '')
  call s:ask_later(a:status.lockout.retryAfterSeconds,
        \ l:reason . (empty(l:demo) ? '' : quickvault#text#get('demo.password', l:demo)))
endfunction

function! s:admitted(result) abort
  call quickvault#session#did_unlock(a:result)
  call s:finish(1)
endfunction

function! s:finish(unlocked) abort
  let l:waiting = s:waiting
  let s:waiting = []
  if a:unlocked
    " A callback may ask something, and the vault may lock meanwhile.
    call quickvault#buffers#restore()
  elseif !quickvault#session#is_unlocked()
    call quickvault#buffers#show_all_locked()
  endif
  for [l:Then, l:Else] in l:waiting
    call call(a:unlocked ? l:Then : l:Else, [])
  endfor
  if a:unlocked
    call quickvault#drafts#announce()
  endif
endfunction

" Reads a new password twice; returns an empty string if cancelled.
function! s:read_new_password() abort
  let l:reason = ''
  while 1
    let l:first = quickvault#secret#read(l:reason . quickvault#text#get('password.new'))
    if empty(l:first)
      return ''
    endif
    let [l:is_accepted, l:reason] = s:check_new_password(l:first)
    if !l:is_accepted
      continue
    endif
    let l:second = quickvault#secret#read(quickvault#text#get('password.repeat'))
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

function! s:ask_password(reason) abort
  let l:password = quickvault#secret#read(a:reason . quickvault#text#get('password'))
  if empty(l:password)
    return s:finish(0)
  endif
  let [l:error, l:result] = s:derive_key('session/unlock', l:password)
  call s:unlocked(l:password, l:error, l:result)
endfunction

" Sends a password, and waits: what is typed meanwhile may be the next password, and not Normal mode commands.
function! s:derive_key(method, password) abort
  call quickvault#message#progress(quickvault#text#get('unlocking'))
  let l:answer = quickvault#server#wait(a:method, {'password': a:password}, 0)
  call quickvault#message#clear()
  return l:answer
endfunction

function! s:unlocked(password, error, result) abort
  let l:kind = get(a:error, 'kind', '')
  if empty(a:error)
    call quickvault#session#did_unlock(a:result)
    call s:offer(a:password, a:result)
    call s:finish(1)
  elseif l:kind ==# 'auth.wrongPassword' && a:error.data.attemptsLeft > 0
    call s:ask_password(a:error.message . ' ')
  elseif s:lockout_seconds(a:error) > 0
    call s:ask_later(s:lockout_seconds(a:error), '')
  else
    call s:finish(0)
    call quickvault#message#error(a:error)
  endif
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

" Asks for the password, after a lockout if there is one.
function! s:ask_later(seconds, reason) abort
  if a:seconds == 0
    return s:ask_password(a:reason)
  endif
  " In a channel's callback, CTRL-C would also get into Normal mode.
  call timer_start(0, {-> s:ask_after_lockout(a:seconds, a:reason)})
endfunction

function! s:ask_after_lockout(seconds, reason) abort
  let l:left = s:await_lockout(a:seconds)
  if l:left == 0
    return s:ask_password(a:reason)
  endif
  call s:finish(0)
  call quickvault#message#warn(quickvault#text#get('lockout', l:left))
endfunction

" Counts a lockout down and discards what is typed, which may be the next password.  Returns the seconds that are left: 0,
" or more if CTRL-C ended it.
function! s:await_lockout(seconds) abort
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

" Shows the welcome text and creates the vault with a new password.
function! s:create_vault() abort
  call quickvault#buffers#show_all_locked()
  let l:password = s:read_new_password()
  if empty(l:password)
    return s:finish(0)
  endif
  let [l:error, l:result] = s:derive_key('vault/create', l:password)
  if !empty(l:error)
    call s:finish(0)
    return quickvault#message#error(l:error)
  endif
  call quickvault#session#did_unlock(l:result)
  call s:offer(l:password, l:result)
  call s:finish(1)
endfunction

" Offers fingerprint unlock if the server says so.
function! s:offer(password, answer) abort
  if get(a:answer, 'offerBiometric', v:false)
    call quickvault#fingerprint#offer(a:password)
  endif
endfunction

" Asks for the password and calls Send with it; repeats after a wrong password while attempts are left.  Send returns
" [error, result], and so does this function.
function! s:with(prompt, Send) abort
  let l:reason = ''
  while 1
    let l:password = quickvault#secret#read(l:reason . a:prompt)
    if empty(l:password)
      return [{'kind': 'client.cancelled', 'message': quickvault#text#get('cancelled'), 'data': {}}, v:null]
    endif
    let [l:error, l:result] = a:Send(l:password)
    let l:seconds = s:lockout_seconds(l:error)
    if l:seconds == 0 && get(l:error, 'kind', '') !~# '^\%(auth\|sync\)\.wrongPassword$' || s:await_lockout(l:seconds) > 0
      return [l:error, l:result]
    endif
    let l:reason = l:seconds > 0 ? '' : l:error.message . ' '
  endwhile
endfunction

" Has the user give a fingerprint or the password again, which counts for a minute.  Then calls Then; calls Else with the
" error if neither was right.
function! quickvault#password#confirm(Then, Else) abort
  let [l:error, l:result] = quickvault#password#prove('password.confirm', 'session/unlock', {}, function('quickvault#session#wait'))
  return empty(l:error) ? a:Then() : a:Else(l:error)
endfunction

" Sends a request with a fingerprint if this device is bound, else with the password, which a text asks for; Send gets the method and
" the parameters.  Returns [error, result].
function! quickvault#password#prove(text, method, params, Send) abort
  let [l:answer, l:reason] = quickvault#fingerprint#try(quickvault#session#status(), a:method, a:params)
  return !empty(l:answer) ? l:answer : s:with(l:reason . quickvault#text#get(a:text),
        \ {password -> a:Send(a:method, extend({'password': password}, a:params))})
endfunction
