" The session with the server: started when it is needed, unlocked when a request asks for it, heard when it locks.

let s:session = {'templates': [], 'server': {}, 'unlocked': 0, 'lock_after': 300, 'starting': 0,
      \ 'progress': '', 'demo': 0}

" The client's protocol version.
let s:protocol = 1

" Sees to it that the server runs and speaks the same protocol.  Says what to do where it does not.
function! quickvault#session#ensure() abort
  if quickvault#server#running()
    return 1
  elseif &encoding !=# 'utf-8'
    call quickvault#notice#stay(quickvault#text#get('encoding'))
    return 0
  endif
  let l:program = expand(get(g:, 'quickvault_program', 'quickvault'))
  if !executable(l:program)
    call quickvault#notice#stay(quickvault#text#get('program.missing', l:program))
    return 0
  endif
  let s:session.starting = 1
  try
    return s:start(l:program)
  finally
    let s:session.starting = 0
  endtry
endfunction

function! s:start(program) abort
  let l:vault = get(g:, 'quickvault_vault', '')
  let l:command = [a:program] + (s:session.demo ? ['demo']
        \ : empty(l:vault) ? [] : ['--vault', fnamemodify(expand(l:vault), ':p')])
  call quickvault#server#start(l:command, function('s:on_notice'), function('s:on_end'))
  let [l:error, l:answer] = quickvault#server#wait('initialize', {
        \ 'processId': getpid(), 'locale': quickvault#text#locale(),
        \ 'clientInfo': {'name': 'Vim', 'version': v:version / 100 . '.' . v:version % 100}}, 10000)
  let l:problem = s:problem(a:program, l:error, l:answer)
  if empty(l:problem)
    let s:session.server = l:answer.serverInfo
    call quickvault#text#choose(get(l:answer, 'locale', ''))
    call quickvault#server#notify('initialized', {})
    let [l:error, l:answer] = quickvault#server#wait('template/list', {}, 10000)
    let l:problem = s:problem(a:program, l:error, {'protocolVersion': s:protocol})
  endif
  if !empty(l:problem)
    call quickvault#server#stop()
    call quickvault#notice#stay(l:problem)
    return 0
  endif
  let s:session.templates = l:answer.templates
  call quickvault#life#watch()
  return 1
endfunction

" What to tell where the server cannot be talked to; empty where it can.
function! s:problem(program, error, answer) abort
  if get(a:error, 'kind', '') =~# '^client\.'
    let l:said = quickvault#server#said()
    return quickvault#text#get('program.silent', a:program, empty(l:said) ? '' : ' (' . l:said . ')')
  endif
  let l:version = empty(a:error) && type(a:answer) == v:t_dict ? get(a:answer, 'protocolVersion', 0) : 0
  let l:version = type(l:version) == v:t_number ? l:version : 0
  return l:version == s:protocol ? ''
        \ : quickvault#text#get(l:version < s:protocol ? 'old.server' : 'new.server', a:program)
endfunction

" Sends a request.  Where the vault is locked, the password is asked for and the request repeated.
"
" OnResult gets the result.  The optional OnError gets what went wrong; without it, that is said.
" Gives the request, for cancelling.
function! quickvault#session#request(method, params, OnResult, ...) abort
  let l:request = {'method': a:method, 'params': a:params, 'OnResult': a:OnResult, 'id': 0,
        \ 'OnError': a:0 ? a:1 : function('quickvault#notice#error')}
  call s:send(l:request)
  return l:request
endfunction

" Sends a request that nobody asked for: where it fails, nothing is said or asked.  Gives its id.
function! quickvault#session#quietly(method, params, OnResult) abort
  if !quickvault#server#running() || !s:session.unlocked
    return 0
  endif
  return quickvault#server#request(a:method, a:params,
        \ {error, result -> empty(error) ? a:OnResult(result) : 0})
endfunction

" Sends a request and waits for its end: [error, result].  CTRL-C cancels it; once more, and nobody waits any longer for a
" program that does not answer.
function! quickvault#session#wait(method, params) abort
  let l:answer = []
  let l:request = quickvault#session#request(a:method, a:params,
        \ {result -> extend(l:answer, [{}, result])}, {error -> extend(l:answer, [error, v:null])})
  let l:interrupts = 0
  while empty(l:answer)
    try
      sleep 2m
    catch /^Vim:Interrupt$/
      let l:interrupts += 1
      if l:interrupts > 1
        return [quickvault#server#give_up(l:request.id), v:null]
      endif
      call quickvault#server#cancel(l:request.id)
    endtry
  endwhile
  return l:answer
endfunction

" The same, while a text and how far it is stand on the last line.
function! quickvault#session#long(text, method, params) abort
  let s:session.progress = a:text
  call quickvault#notice#busy(a:text)
  try
    return quickvault#session#wait(a:method, extend({'progressToken': a:method}, a:params))
  finally
    let s:session.progress = ''
    call quickvault#notice#clear()
  endtry
endfunction

function! s:send(request) abort
  if !quickvault#session#ensure()
    return a:request.OnError({'kind': 'client.notStarted', 'message': '', 'data': {}})
  endif
  let a:request.id = quickvault#server#request(a:request.method, a:request.params, function('s:answered', [a:request]))
endfunction

function! s:answered(request, error, result) abort
  let l:kind = get(a:error, 'kind', '')
  if empty(a:error)
    return a:request.OnResult(a:result)
  elseif index(['vault.locked', 'vault.notFound', 'vault.changed'], l:kind) < 0
    return a:request.OnError(a:error)
  elseif l:kind ==# 'vault.changed'
    call quickvault#buffer#blank(0)
  endif
  let s:session.unlocked = 0
  call quickvault#password#unlock(function('s:send', [a:request]), function(a:request.OnError, [a:error]))
endfunction

" The vault's status; empty after having said why there is none.
function! quickvault#session#status() abort
  if !quickvault#session#ensure()
    return {}
  endif
  let [l:error, l:status] = quickvault#server#wait('vault/status', {}, 10000)
  if !empty(l:error)
    call quickvault#notice#error(l:error)
    return {}
  endif
  let s:session.unlocked = !l:status.locked
  return l:status
endfunction

" Takes note of an answer to session/unlock or vault/create.
function! quickvault#session#unlocked(answer) abort
  let s:session.unlocked = 1
  let s:session.lock_after = a:answer.autoLockSeconds
  if a:answer.integrity ==# 'damaged'
    call quickvault#notice#stay(quickvault#text#get('damaged'))
  endif
endfunction

" Takes note of settings that concern the client.
function! quickvault#session#configured(settings) abort
  let s:session.lock_after = a:settings.autoLockSeconds
  call quickvault#text#choose(a:settings.language)
endfunction

" Ends the server; the next is one with sample cards, or again the person's own.  Gives whether it has sample cards.
function! quickvault#session#switch() abort
  call quickvault#server#stop()
  let s:session.unlocked = 0
  let s:session.demo = !s:session.demo
  return s:session.demo
endfunction

function! quickvault#session#is_unlocked() abort
  return quickvault#server#running() && s:session.unlocked
endfunction

" The template of a card type: its label and fields.
function! quickvault#session#template(type) abort
  return filter(copy(s:session.templates), 'v:val.type ==# a:type')[0]
endfunction

" The card types that there are.
function! quickvault#session#types() abort
  return map(copy(s:session.templates), 'v:val.type')
endfunction

" The server's name and version.
function! quickvault#session#server() abort
  return s:session.server
endfunction

function! s:on_notice(method, params) abort
  if a:method ==# 'session/didLock'
    let s:session.unlocked = 0
    let l:lost = quickvault#buffer#blank(0, get(a:params, 'reason', '') ==# 'background')
    call quickvault#notice#warn(s:reason(a:params) . (l:lost ? ' ' . quickvault#text#get('discarded') : ''))
  elseif a:method ==# 'card/didChange'
    call quickvault#buffer#changed(a:params)
  elseif a:method ==# 'window/showMessage' && a:params.type == 3 && a:params.kind !=# 'card.copied'
    call quickvault#notice#info(a:params.message)
  elseif a:method ==# 'biometric/didChangeState'
    call quickvault#finger#state(a:params)
  elseif a:method ==# '$/progress' && has_key(a:params.value, 'percentage')
    let l:text = empty(s:session.progress) ? quickvault#text#get('verifying') : s:session.progress
    call quickvault#notice#busy(l:text . ' ' . a:params.value.percentage . '%')
  endif
endfunction

function! s:reason(params) abort
  let l:known = ['background', 'deviceLocked', 'passwordChanged', 'request', 'shutdown', 'sleep', 'timeout']
  let l:reason = get(a:params, 'reason', 'request')
  return quickvault#text#get('lock.' . (index(l:known, l:reason) < 0 ? 'request' : l:reason))
endfunction

" The server is gone, and with it the key.  Changes not yet saved stay for as long as they would have unlocked.
function! s:on_end(signal) abort
  let s:session.unlocked = 0
  if s:session.starting
    return
  endif
  call quickvault#buffer#blank(1)
  let l:seconds = type(s:session.lock_after) == v:t_number ? s:session.lock_after : 300
  call timer_start(l:seconds * 1000, {-> quickvault#session#is_unlocked() ? 0 : quickvault#buffer#blank(0)})
  let l:signal = empty(a:signal) ? '' : quickvault#text#get('server.signal', a:signal)
  call quickvault#notice#stay(quickvault#text#get('server.ended', l:signal))
endfunction
