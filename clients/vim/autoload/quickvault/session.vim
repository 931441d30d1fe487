" The session: starts the server on demand, unlocks the vault when a request needs it, and knows the state of the vault.

" alone is why no service shares the vault, and attention what needs some in synchronisation; asked is the process of the
" server that was asked for that and has not answered.
let s:session = {'templates': [], 'server': {}, 'unlocked': 0, 'auto_lock_seconds': 300, 'starting': 0, 'progress': '',
      \ 'demo': 0, 'alone': '', 'exists': 1, 'path': '', 'read_only': 0, 'attention': '', 'asked': 0, 'waits': 0}

" The client's protocol version.
let s:protocol = 1

" Returns a part of the state: server (its name and version), read_only (whether the vault could only be read when it was
" unlocked), attention, or progress (the text of an operation).
function! quickvault#session#get(name) abort
  return s:session[a:name]
endfunction

" Starts the server if it is not running, and checks its protocol version.  Shows a message and returns 0 on failure.
function! quickvault#session#ensure_started() abort
  let l:program = quickvault#session#program()
  if quickvault#server#running()
    return 1
  elseif &encoding !=# 'utf-8' || !executable(l:program)
    call quickvault#message#alert(&encoding !=# 'utf-8' ? quickvault#text#get('encoding')
          \ : quickvault#text#get('program.missing', l:program))
    return 0
  endif
  let [s:session.starting, s:session.alone] = [1, '']
  try
    return s:start(l:program)
  catch /^Vim\%((\a\+)\)\=:E145:/
    call quickvault#message#alert(quickvault#text#get('restricted'))
    return 0
  finally
    let s:session.starting = 0
  endtry
endfunction

" Starts the program.  Where no service can share the vault, starts a process for this editor.
function! s:start(program) abort
  let l:problem = s:greet(a:program)
  if !empty(l:problem) && !empty(quickvault#server#last_stderr()) && quickvault#session#is_shared()
    let s:session.alone = quickvault#server#last_stderr()
    let l:problem = s:greet(a:program)
  endif
  if !empty(l:problem)
    call quickvault#server#stop()
    call quickvault#message#alert(l:problem)
    return 0
  endif
  call quickvault#lifecycle#watch()
  return 1
endfunction

" Starts the program once.  Returns a message if it cannot be used, else an empty string.
function! s:greet(program) abort
  let l:vault = quickvault#session#vault()
  let l:command = [a:program] + (s:session.demo ? ['demo'] : (quickvault#session#is_shared() ? ['--shared'] : [])
        \ + (empty(l:vault) ? [] : ['--vault', l:vault]))
  call quickvault#server#start(l:command, function('quickvault#notification#handle'), function('s:on_exit'))
  let [l:error, l:answer] = quickvault#server#wait('initialize', {
        \ 'processId': getpid(), 'locale': quickvault#text#locale(),
        \ 'clientInfo': quickvault#editor#name(), 'capabilities': {'sessionAdmit': v:true}}, 10000)
  let l:problem = s:problem(a:program, l:error, l:answer)
  if empty(l:problem)
    let s:session.server = l:answer.serverInfo
    call quickvault#text#set_language(get(l:answer, 'locale', ''))
    call quickvault#server#notify('initialized', {})
    let [l:error, l:answer] = quickvault#server#wait('template/list', {}, 10000)
    let l:problem = s:problem(a:program, l:error, {'protocolVersion': s:protocol})
  endif
  let s:session.templates = empty(l:problem) ? l:answer.templates : []
  return l:problem
endfunction

" Returns a message if the server cannot be used, else an empty string.
function! s:problem(program, error, answer) abort
  if get(a:error, 'kind', '') =~# '^client\.'
    let l:stderr = quickvault#server#last_stderr()
    return quickvault#text#get('program.wrong', a:program, empty(l:stderr) ? '' : ' (' . l:stderr . ')')
  endif
  let l:version = empty(a:error) && type(a:answer) == v:t_dict ? get(a:answer, 'protocolVersion', 0) : 0
  let l:version = type(l:version) == v:t_number ? l:version : 0
  return l:version == s:protocol ? ''
        \ : quickvault#text#get(l:version < s:protocol ? 'server.too_old' : 'server.too_new', a:program)
endfunction

" Sends a request without messages or prompts on failure.  Returns its id.
function! quickvault#session#request_silently(method, params, OnResult) abort
  return !quickvault#session#is_unlocked() ? 0 : quickvault#server#request(a:method, a:params,
        \ {error, result -> empty(error) ? a:OnResult(result) : 0})
endfunction

" Sends a request, waits for the response, and returns [error, result].  If the vault is locked, or the password is required
" again, asks for it and repeats the request.  CTRL-C cancels the request; a second CTRL-C stops waiting.
function! quickvault#session#wait(method, params) abort
  let s:session.waits += 1
  try
    return s:wait(a:method, a:params)
  finally
    let s:session.waits -= 1
  endtry
endfunction

function! s:wait(method, params) abort
  let [l:is_repeated, l:is_confirmed] = [1, 0]
  while l:is_repeated
    let [l:error, l:result] = quickvault#session#ensure_started() ? quickvault#server#wait(a:method, a:params, 0)
          \ : [quickvault#server#error('client.notStarted'), v:null]
    let l:kind = get(l:error, 'kind', '')
    if l:kind ==# 'auth.required' && !l:is_confirmed
      " A fingerprint or the password counts for a minute.
      let l:error = quickvault#password#prove('password.confirm', 'session/unlock', {}, function('quickvault#session#wait'))[0]
      let [l:is_repeated, l:is_confirmed] = [empty(l:error), 1]
    elseif l:kind ==# 'vault.older'
      let l:is_wanted = quickvault#prompt#confirm(quickvault#text#get('older.question'), quickvault#text#get('older.choices'), 2) == 1
      let l:is_repeated = l:is_wanted && empty(quickvault#server#wait('vault/acceptOlder', {}, 0)[0])
    elseif index(['vault.locked', 'vault.notFound', 'vault.changed', 'auth.notAdmitted'], l:kind) >= 0
      if l:kind ==# 'vault.changed'
        call quickvault#buffers#blank(0)
      endif
      call quickvault#session#set_unlocked(0)
      let l:is_repeated = quickvault#password#unlock()
    else
      let l:is_repeated = 0
    endif
  endwhile
  return [l:error, l:result]
endfunction

" Does the same, and returns the result; shows an error, and returns an empty dictionary then.
function! quickvault#session#fetch(method, params) abort
  let [l:error, l:result] = quickvault#session#wait(a:method, a:params)
  if !empty(l:error)
    call quickvault#message#error(l:error)
  endif
  return empty(l:error) ? l:result : {}
endfunction

" Waits for a response with a text and the progress on the last line.
function! quickvault#session#wait_with_progress(text, method, params) abort
  let s:session.progress = a:text
  call quickvault#message#progress(a:text)
  try
    return quickvault#session#wait(a:method, extend({'progressToken': a:method}, a:params))
  finally
    call quickvault#message#clear()
  endtry
endfunction

" Returns the vault's status.  On failure, shows a message and returns an empty dictionary.
function! quickvault#session#status() abort
  if !quickvault#session#ensure_started()
    return {}
  endif
  let [l:error, l:status] = quickvault#server#wait('vault/status', {}, 10000)
  if !empty(l:error)
    call quickvault#message#error(l:error)
    return {}
  endif
  let [s:session.exists, s:session.path] = [l:status.exists, l:status.path]
  call quickvault#session#set_unlocked(!l:status.locked && !quickvault#shared#is_not_admitted(l:status))
  return l:status
endfunction

" Handles the result of session/unlock or vault/create.
function! quickvault#session#did_unlock(answer) abort
  call quickvault#session#set_unlocked(1)
  let [s:session.exists, s:session.auto_lock_seconds] = [1, a:answer.autoLockSeconds]
  let s:session.read_only = get(a:answer, 'readOnly', v:false) is v:true
  let l:alerts = (empty(s:session.alone) ? [] : [quickvault#text#get('alone', s:session.alone)])
        \ + (s:session.read_only ? [quickvault#text#get('readonly')] : [])
        \ + (a:answer.integrity ==# 'damaged' ? [quickvault#text#get('damaged')] : [])
        \ + (a:answer.integrity ==# 'older'
        \ ? [quickvault#text#get('older', strpart(get(a:answer.older, 'modifiedAt', '-'), 0, 10))] : [])
  call timer_start(0, {-> s:alert(l:alerts)})
endfunction

" Shows alerts once the page is loaded, so that they do not make the user press <CR> before.
function! s:alert(texts) abort
  if s:session.waits > 0
    return timer_start(20, {-> s:alert(a:texts)})
  endif
  call map(a:texts, 'quickvault#message#alert(v:val)')
endfunction

" Remembers whether the vault is unlocked, and tells the user's autocommands of a change.
function! quickvault#session#set_unlocked(is_unlocked) abort
  let l:is_changed = s:session.unlocked != a:is_unlocked
  let s:session.unlocked = a:is_unlocked
  if !a:is_unlocked
    call quickvault#session#set_sync({})
  endif
  let l:event = a:is_unlocked ? 'QuickVaultUnlocked' : 'QuickVaultLocked'
  if l:is_changed && exists('#User#' . l:event)
    execute 'doautocmd <nomodeline> User' l:event
  endif
endfunction

" Takes over what the server tells of synchronisation: the result of sync/status.
function! quickvault#session#set_sync(status) abort
  let l:attention = get(get(a:status, 'needsAttention', {}), 'message', '')
  if l:attention !=# s:session.attention
    let s:session.attention = l:attention
    redrawstatus!
  endif
endfunction

" Asks for the state of synchronisation.  The answer also comes with a notification of what another process has changed.  It
" is no activity, and nothing is asked while the answer before is missing.
function! quickvault#session#look() abort
  let l:process = quickvault#server#process_id()
  if s:session.asked != l:process && quickvault#session#is_unlocked()
    let s:session.asked = l:process
    call quickvault#server#request('sync/status', {}, function('s:looked'))
  endif
endfunction

function! s:looked(error, status) abort
  let s:session.asked = 0
  if empty(a:error)
    call quickvault#session#set_sync(a:status)
  endif
endfunction

" Applies the settings that concern the client.
function! quickvault#session#apply_settings(settings) abort
  let s:session.auto_lock_seconds = a:settings.autoLockSeconds
  call quickvault#text#set_language(a:settings.language)
endfunction

" Stops the server and switches between the demo vault and the user's vault.  Returns whether the demo vault is next.
function! quickvault#session#toggle_demo() abort
  call quickvault#server#stop()
  call quickvault#session#set_unlocked(0)
  let s:session.demo = !s:session.demo
  return s:session.demo
endfunction

" Returns the line that tells the demo from the user's vault, as a list; an empty list if it is the user's vault.
function! quickvault#session#demo_lines() abort
  return s:session.demo ? [quickvault#text#get('demo.mark')] : []
endfunction

" Returns what a buffer shows while the vault is locked, or does not exist yet.
function! quickvault#session#blank_lines() abort
  return s:session.exists ? [quickvault#text#get('blank')] + quickvault#session#demo_lines()
        \ : split(quickvault#text#get('welcome', s:session.path), "\n", 1)
endfunction

function! quickvault#session#is_unlocked() abort
  return quickvault#server#running() && s:session.unlocked
endfunction

" Returns the template of a card type: its label and fields.
function! quickvault#session#template(type) abort
  return filter(copy(s:session.templates), 'v:val.type ==# a:type')[0]
endfunction

" Returns the card types.
function! quickvault#session#types() abort
  return map(copy(s:session.templates), 'v:val.type')
endfunction

" Returns the program.
function! quickvault#session#program() abort
  return expand(get(g:, 'quickvault_program', 'quickvault'), 1)
endfunction

" Returns the path of the vault; empty for the program's own choice.
function! quickvault#session#vault() abort
  let l:vault = get(g:, 'quickvault_vault', '')
  return s:session.demo ? s:session.path : empty(l:vault) ? '' : fnamemodify(expand(l:vault, 1), ':p')
endfunction

" Returns whether other programs use the same unlocked vault.
function! quickvault#session#is_shared() abort
  return !s:session.demo && empty(s:session.alone) && get(g:, 'quickvault_shared', 1)
endfunction

" Returns after how many seconds what is shown goes where no server locks.
function! quickvault#session#auto_lock_seconds() abort
  return type(s:session.auto_lock_seconds) == v:t_number ? s:session.auto_lock_seconds : 300
endfunction

" Blanks the buffers after the server exited.  Unsaved changes stay for the auto-lock time.
function! s:on_exit(signal) abort
  call quickvault#session#set_unlocked(0)
  if s:session.starting
    return
  endif
  call quickvault#buffers#blank(1)
  call timer_start(quickvault#session#auto_lock_seconds() * 1000, {-> quickvault#session#is_unlocked() ? 0 : quickvault#buffers#blank(0)})
  let l:signal = empty(a:signal) ? '' : quickvault#text#get('brackets', a:signal)
  call quickvault#message#alert(quickvault#text#get('server.ended', l:signal))
endfunction
