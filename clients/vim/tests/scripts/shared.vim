" Tests of shared unlock: the editor and another program on one service.
scriptencoding utf-8
source <sfile>:h/harness.vim

let g:quickvault_shared = 1

function! s:text() abort
  return join(getline(1, '$'), "\n")
endfunction

" Starts another program on the vault, in its own session.
function! s:start_other() abort
  let s:lines = []
  let s:other = quickvault#editor#start(['setsid', '--wait', $QUICKVAULT_PROGRAM, '--shared', '--vault', g:quickvault_vault],
        \ {'OnLine': {line -> add(s:lines, line)}, 'OnErrorLine': {line -> 0}, 'OnExit': {status, signal -> 0}})
endfunction

function! s:send(id, method, params) abort
  call quickvault#editor#send(s:other, json_encode({'jsonrpc': '2.0', 'id': a:id, 'method': a:method, 'params': a:params}))
endfunction

function! s:received(pattern) abort
  return Await({-> match(s:lines, a:pattern) >= 0})
endfunction

function! s:finish() abort
  call quickvault#server#wait('session/lock', {}, 60000)
  call quickvault#editor#stop(s:other)
  bwipeout!
endfunction

" U: one unlock and one lock count for all; a question is answered by the command only.
function! Test_shared() abort
  call FreshVault()
  call Call('card/create', {'title': 'Alpha', 'group': 'personal', 'type': 'text', 'fields': {'text': 'x'}})
  QuickVault
  call Check('the list is shown', Await({-> s:text() =~# 'Alpha'}), s:text())
  call s:start_other()
  call s:send(1, 'client/requestConsent', {})
  call Check('U the question is shown', Await({-> execute('messages') =~# 'to use the unlocked vault?'}))
  " Without a terminal, confirm() gives the default.
  QuickVaultAnswer
  call Check('U the program is refused', s:received('auth.admissionRefused'), s:lines)
  call s:send(4, 'session/unlock', {'password': 'correct horse'})
  call Check('U the password admits it', s:received('"cardCount":1'), s:lines)
  call s:send(2, 'session/lock', {})
  call Check('U its lock blanks the buffers', Await({-> s:text() =~# '^Locked'}), s:text())
  call s:send(3, 'session/unlock', {'password': 'correct horse'})
  call Check('U its unlock restores them', Await({-> s:text() =~# 'Alpha'}), s:text())
  call s:finish()
endfunction

" U: an editor that is not admitted gives the password, or asks.
function! Test_not_admitted() abort
  call FreshVault()
  call s:start_other()
  call s:send(1, 'session/unlock', {'password': 'correct horse'})
  call Check('U admitted by the password', s:received('"cardCount":0'), s:lines)
  let l:own = filter(Call('client/list', {}).items, 'v:val.own')[0].id
  call s:send(2, 'client/revoke', {'id': l:own})
  call Check('U revoked', Await({-> !quickvault#session#is_unlocked()}))
  let l:status = Call('vault/status', {})
  call Check('U not admitted', quickvault#shared#is_not_admitted(l:status), l:status)
  call quickvault#session#did_unlock(Call('session/unlock', {'password': 'correct horse'}))
  call Check('U the password admits', !quickvault#shared#is_not_admitted(Call('vault/status', {})))
  call s:finish()
endfunction

call RunTests()
