" Everything that asks for a password: unlocking, creating, changing the password, deleting the vault.

" Callbacks that wait for an unlock: pairs of one for success and one for failure.
let s:waiting = []
let s:countdown = {'timer': 0, 'seconds': 0}

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
    call s:create_vault('')
  elseif !l:status.locked
    call s:finish(1)
  else
    call s:try_fingerprint(l:status)
  endif
endfunction

" Asks for a fingerprint if this device is bound, then for the password.
function! s:try_fingerprint(status) abort
  let l:reason = ''
  if get(get(a:status, 'biometric', {}), 'enabled', v:false)
    let [l:error, l:result] = quickvault#fingerprint#await('session/unlock', {'method': 'biometric'})
    if empty(l:error)
      call quickvault#session#did_unlock(l:result)
      return s:finish(1)
    endif
    let l:reason = quickvault#fingerprint#error_text(l:error)
  endif
  if a:status.lockout.retryAfterSeconds > 0
    call s:start_countdown(a:status.lockout.retryAfterSeconds)
  else
    let l:demo = get(get(a:status, 'demo', {}), 'password', '')
    call s:ask_password(l:reason . (empty(l:demo) ? '' : quickvault#text#get('demo.password', l:demo)))
  endif
endfunction

function! s:finish(unlocked) abort
  let l:waiting = s:waiting
  let s:waiting = []
  for [l:Then, l:Else] in l:waiting
    call call(a:unlocked ? l:Then : l:Else, [])
  endfor
  if a:unlocked
    call quickvault#buffer#restore()
  endif
endfunction

" Reads a password; returns an empty string if cancelled.
function! s:read_password(prompt) abort
  redraw
  try
    return inputsecret(a:prompt)
  catch /^Vim:Interrupt$/
    return ''
  finally
    redraw
  endtry
endfunction

" Reads a new password twice; returns an empty string if cancelled.
function! s:read_new_password(reason) abort
  let l:reason = a:reason
  while 1
    let l:first = s:read_password(l:reason . quickvault#text#get('password.new'))
    if empty(l:first)
      return ''
    endif
    let l:second = s:read_password(quickvault#text#get('password.repeat'))
    if l:first ==# l:second || empty(l:second)
      return l:second
    endif
    let l:reason = quickvault#text#get('password.differ') . ' '
  endwhile
endfunction

function! s:ask_password(reason) abort
  let l:password = s:read_password(a:reason . quickvault#text#get('password'))
  if empty(l:password)
    return s:finish(0)
  endif
  call quickvault#message#progress(quickvault#text#get('unlocking'))
  call quickvault#server#request('session/unlock', {'password': l:password}, function('s:unlocked', [l:password]))
endfunction

function! s:unlocked(password, error, result) abort
  call quickvault#message#clear()
  let l:kind = get(a:error, 'kind', '')
  if empty(a:error)
    call quickvault#session#did_unlock(a:result)
    call s:offer(a:password, a:result)
    call s:finish(1)
  elseif l:kind ==# 'auth.wrongPassword' && a:error.data.attemptsLeft > 0 && mode() =~# '^[nc]'
    call s:ask_password(a:error.message . ' ')
  elseif l:kind ==# 'auth.lockedOut'
    call s:start_countdown(a:error.data.retryAfterSeconds)
  elseif l:kind ==# 'auth.wrongPassword' && a:error.data.attemptsLeft == 0
    call s:start_countdown(get(get(quickvault#session#status(), 'lockout', {}), 'retryAfterSeconds', 0))
  else
    call s:finish(0)
    call quickvault#message#error(a:error)
  endif
endfunction

" Counts the lockout down while a vault buffer is current.
function! s:start_countdown(seconds) abort
  call timer_stop(s:countdown.timer)
  let s:countdown = {'seconds': a:seconds, 'timer': timer_start(1000, function('s:tick'), {'repeat': a:seconds})}
  call s:finish(0)
  call quickvault#message#warn(quickvault#text#get('lockout', a:seconds))
endfunction

function! s:tick(timer) abort
  let s:countdown.seconds -= 1
  if mode() !=# 'n' || !quickvault#buffer#is_vault_buffer(bufnr('%'))
    return
  elseif s:countdown.seconds > 0
    call quickvault#message#progress(quickvault#text#get('lockout', s:countdown.seconds))
  else
    call quickvault#message#info(quickvault#text#get('lockout.over'))
  endif
endfunction

" Shows the welcome text and creates the vault with a new password.
function! s:create_vault(reason) abort
  call quickvault#buffer#welcome()
  let l:password = s:read_new_password(a:reason)
  if empty(l:password)
    return s:finish(0)
  endif
  call quickvault#message#progress(quickvault#text#get('unlocking'))
  call quickvault#server#request('vault/create', {'password': l:password}, function('s:created', [l:password]))
endfunction

function! s:created(password, error, result) abort
  call quickvault#message#clear()
  if get(a:error, 'kind', '') =~# '^auth\.passwordToo'
    return s:create_vault(a:error.message . ' ')
  elseif !empty(a:error)
    call s:finish(0)
    return quickvault#message#error(a:error)
  endif
  call quickvault#session#did_unlock(a:result)
  call s:offer(a:password, a:result)
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
function! quickvault#password#with(prompt, Send) abort
  let l:reason = ''
  while 1
    let l:password = s:read_password(l:reason . a:prompt)
    if empty(l:password)
      return [{'kind': 'client.cancelled', 'message': quickvault#text#get('cancelled'), 'data': {}}, v:null]
    endif
    let [l:error, l:result] = a:Send(l:password)
    if get(l:error, 'kind', '') !=# 'auth.wrongPassword' || get(l:error.data, 'attemptsLeft', 0) == 0
      return [l:error, l:result]
    endif
    let l:reason = l:error.message . ' '
  endwhile
endfunction

" Changes the master password.
function! quickvault#password#change() abort
  let l:status = quickvault#session#status()
  if empty(l:status)
    return
  elseif !l:status.exists
    return quickvault#message#warn(quickvault#text#get('vault.missing'))
  endif
  let [l:error, l:result] = quickvault#password#with(quickvault#text#get('password.current'), function('s:change'))
  if empty(l:error)
    call quickvault#message#info(quickvault#text#get('password.changed'))
  else
    call quickvault#message#error(l:error)
  endif
endfunction

" Checks the old password before the user types the new one twice.
function! s:change(old) abort
  let l:answer = quickvault#session#wait('session/unlock', {'password': a:old})
  if !empty(l:answer[0])
    return l:answer
  endif
  call quickvault#session#did_unlock(l:answer[1])
  call quickvault#buffer#restore()
  let l:reason = ''
  while 1
    let l:new = s:read_new_password(l:reason)
    if empty(l:new)
      return [{'kind': 'client.cancelled', 'message': quickvault#text#get('cancelled'), 'data': {}}, v:null]
    endif
    call quickvault#message#progress(quickvault#text#get('unlocking'))
    let l:answer = quickvault#session#wait('vault/changePassword', {'oldPassword': a:old, 'newPassword': l:new})
    call quickvault#message#clear()
    if get(l:answer[0], 'kind', '') !~# '^auth\.passwordToo'
      return l:answer
    endif
    let l:reason = l:answer[0].message . ' '
  endwhile
endfunction

" Deletes the vault permanently, after asking for its file name and the password.
function! quickvault#password#destroy() abort
  let l:status = quickvault#session#status()
  if empty(l:status)
    return
  elseif !l:status.exists
    return quickvault#message#warn(quickvault#text#get('vault.missing'))
  endif
  let l:name = quickvault#prompt#line(quickvault#text#get('destroy.confirm', fnamemodify(l:status.path, ':t')))
  let l:password = empty(l:name) ? '' : s:read_password(quickvault#text#get('password'))
  if empty(l:password)
    return quickvault#message#info(quickvault#text#get('cancelled'))
  endif
  call quickvault#session#request('vault/delete', {'password': l:password, 'confirm': l:name}, function('s:destroyed'))
endfunction

function! s:destroyed(result) abort
  call quickvault#session#status()
  call quickvault#buffer#blank(0)
  call quickvault#message#info(quickvault#text#get('destroyed'))
endfunction
