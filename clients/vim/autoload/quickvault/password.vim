" Everything that asks for a password: unlocking, the first run, changing it, and deleting the vault.

" Who waits for the vault to be unlocked: pairs of what to do then, and what else.
let s:waiting = []
let s:countdown = {'timer': 0, 'seconds': 0}

" Unlocks the vault, or makes one, where that has to be done; then calls Then, or Else where it was not done.
function! quickvault#password#unlock(Then, Else) abort
  call add(s:waiting, [a:Then, a:Else])
  if len(s:waiting) > 1
    return
  endif
  let l:status = quickvault#session#status()
  if empty(l:status)
    call s:end(0)
  elseif !l:status.exists || l:status.setupStep ==# 'welcome'
    call s:welcome('')
  elseif !l:status.locked
    call s:end(1)
  else
    call s:scan(l:status)
  endif
endfunction

" A finger first, where this device is bound; then the password.
function! s:scan(status) abort
  let l:reason = ''
  if get(get(a:status, 'biometric', {}), 'enabled', v:false)
    let [l:error, l:result] = quickvault#finger#await('session/unlock', {'method': 'biometric'})
    if empty(l:error)
      call quickvault#session#unlocked(l:result)
      return s:end(1)
    endif
    let l:reason = quickvault#finger#reason(l:error)
  endif
  if a:status.lockout.retryAfterSeconds > 0
    call s:refuse(a:status.lockout.retryAfterSeconds)
  else
    let l:demo = get(get(a:status, 'demo', {}), 'password', '')
    call s:ask(l:reason . (empty(l:demo) ? '' : quickvault#text#get('demo.password', l:demo)))
  endif
endfunction

function! s:end(unlocked) abort
  let l:waiting = s:waiting
  let s:waiting = []
  for [l:Then, l:Else] in l:waiting
    call call(a:unlocked ? l:Then : l:Else, [])
  endfor
  if a:unlocked
    call quickvault#buffer#revive()
  endif
endfunction

" Reads a secret; empty where the person gave up.
function! s:secret(prompt) abort
  redraw
  try
    return inputsecret(a:prompt)
  catch /^Vim:Interrupt$/
    return ''
  finally
    redraw
  endtry
endfunction

" Reads a new password twice; empty where the person gave up.
function! s:new_secret(reason) abort
  let l:reason = a:reason
  while 1
    let l:first = s:secret(l:reason . quickvault#text#get('password.new'))
    if empty(l:first)
      return ''
    endif
    let l:second = s:secret(quickvault#text#get('again'))
    if l:first ==# l:second || empty(l:second)
      return l:second
    endif
    let l:reason = quickvault#text#get('password.differ') . ' '
  endwhile
endfunction

function! s:ask(reason) abort
  let l:password = s:secret(a:reason . quickvault#text#get('password'))
  if empty(l:password)
    return s:end(0)
  endif
  call quickvault#notice#busy(quickvault#text#get('unlocking'))
  call quickvault#server#request('session/unlock', {'password': l:password}, function('s:unlocked', [l:password]))
endfunction

function! s:unlocked(password, error, result) abort
  call quickvault#notice#clear()
  let l:kind = get(a:error, 'kind', '')
  if empty(a:error)
    call quickvault#session#unlocked(a:result)
    call s:offer(a:password, a:result)
    call s:end(1)
  elseif l:kind ==# 'auth.wrongPassword' && a:error.data.attemptsLeft > 0 && mode() =~# '^[nc]'
    call s:ask(a:error.message . ' ')
  elseif l:kind ==# 'auth.lockedOut'
    call s:refuse(a:error.data.retryAfterSeconds)
  elseif l:kind ==# 'auth.wrongPassword' && a:error.data.attemptsLeft == 0
    call s:refuse(get(get(quickvault#session#status(), 'lockout', {}), 'retryAfterSeconds', 0))
  else
    call s:end(0)
    call quickvault#notice#error(a:error)
  endif
endfunction

" Counts down where the vault can be seen, and offers nothing until the end.
function! s:refuse(seconds) abort
  call timer_stop(s:countdown.timer)
  let s:countdown = {'seconds': a:seconds, 'timer': timer_start(1000, function('s:tick'), {'repeat': a:seconds})}
  call s:end(0)
  call quickvault#notice#warn(quickvault#text#get('lockout', a:seconds))
endfunction

function! s:tick(timer) abort
  let s:countdown.seconds -= 1
  if mode() !=# 'n' || !quickvault#buffer#is_ours(bufnr('%'))
    return
  elseif s:countdown.seconds > 0
    call quickvault#notice#busy(quickvault#text#get('lockout', s:countdown.seconds))
  else
    call quickvault#notice#info(quickvault#text#get('lockout.over'))
  endif
endfunction

" The first run: a word of welcome, and a password.
function! s:welcome(reason) abort
  call quickvault#buffer#welcome()
  let l:password = s:new_secret(a:reason)
  if empty(l:password)
    return s:end(0)
  endif
  call quickvault#notice#busy(quickvault#text#get('unlocking'))
  call quickvault#server#request('vault/create', {'password': l:password}, function('s:created', [l:password]))
endfunction

function! s:created(password, error, result) abort
  call quickvault#notice#clear()
  if get(a:error, 'kind', '') =~# '^auth\.passwordToo'
    return s:welcome(a:error.message . ' ')
  elseif !empty(a:error)
    call s:end(0)
    return quickvault#notice#error(a:error)
  endif
  call quickvault#session#unlocked(a:result)
  call s:offer(a:password, a:result)
  call s:end(1)
endfunction

" Offers a finger once, when the server says so.
function! s:offer(password, answer) abort
  if get(a:answer, 'offerBiometric', v:false)
    call quickvault#finger#offer(a:password)
  endif
endfunction

" Asks for the password and calls Send with it, again after a wrong one while there are tries.  Send gives [error, result],
" and so does this.
function! quickvault#password#with(prompt, Send) abort
  let l:reason = ''
  while 1
    let l:password = s:secret(l:reason . a:prompt)
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
    return quickvault#notice#warn(quickvault#text#get('not.there'))
  endif
  let [l:error, l:result] = quickvault#password#with(quickvault#text#get('password.old'), function('s:change'))
  if empty(l:error)
    call quickvault#notice#info(quickvault#text#get('password.changed'))
  else
    call quickvault#notice#error(l:error)
  endif
endfunction

" The old password is checked before the new one is typed twice for nothing.
function! s:change(old) abort
  let l:answer = quickvault#session#wait('session/unlock', {'password': a:old})
  if !empty(l:answer[0])
    return l:answer
  endif
  call quickvault#session#unlocked(l:answer[1])
  call quickvault#buffer#revive()
  let l:reason = ''
  while 1
    let l:new = s:new_secret(l:reason)
    if empty(l:new)
      return [{'kind': 'client.cancelled', 'message': quickvault#text#get('cancelled'), 'data': {}}, v:null]
    endif
    call quickvault#notice#busy(quickvault#text#get('unlocking'))
    let l:answer = quickvault#session#wait('vault/changePassword', {'oldPassword': a:old, 'newPassword': l:new})
    call quickvault#notice#clear()
    if get(l:answer[0], 'kind', '') !~# '^auth\.passwordToo'
      return l:answer
    endif
    let l:reason = l:answer[0].message . ' '
  endwhile
endfunction

" Deletes the vault for good, after its name and the password.
function! quickvault#password#destroy() abort
  let l:status = quickvault#session#status()
  if empty(l:status)
    return
  elseif !l:status.exists
    return quickvault#notice#warn(quickvault#text#get('not.there'))
  endif
  let l:name = quickvault#ask#line(quickvault#text#get('destroy.confirm', fnamemodify(l:status.path, ':t')))
  let l:password = empty(l:name) ? '' : s:secret(quickvault#text#get('password'))
  if empty(l:password)
    return quickvault#notice#info(quickvault#text#get('cancelled'))
  endif
  call quickvault#session#request('vault/delete', {'password': l:password, 'confirm': l:name}, function('s:destroyed'))
endfunction

function! s:destroyed(result) abort
  call quickvault#session#status()
  call quickvault#buffer#blank(0)
  call quickvault#notice#info(quickvault#text#get('destroyed'))
endfunction
