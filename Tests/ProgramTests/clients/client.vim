" Talks to QuickVault with a Vim channel in LSP mode.
"
" $QUICKVAULT_PROGRAM and $QUICKVAULT_VAULT name the program and the vault.  Writes "done" to the file $QUICKVAULT_RESULT
" on success, else a description of the error.

set nocompatible encoding=utf-8
scriptencoding utf-8

let s:password = '三月的雨 and 42 umbrellas'
let s:notices = {}

function s:Notice(channel, message) abort
  if has_key(a:message, 'method')
    let s:notices[a:message.method] = a:message.params
  endif
endfunction

function s:Expect(condition, text) abort
  if !a:condition
    throw 'not so: ' . a:text
  endif
endfunction

function s:Ask(method, parameters) abort
  let l:answer = ch_evalexpr(s:channel, {'method': a:method, 'params': a:parameters}, {'timeout': 30000})
  call s:Expect(type(l:answer) == v:t_dict, a:method . ' is answered')
  return l:answer
endfunction

function s:Result(method, parameters) abort
  let l:answer = s:Ask(a:method, a:parameters)
  call s:Expect(has_key(l:answer, 'result'), a:method . ' has a result: ' . string(l:answer))
  return l:answer.result
endfunction

" Waits for a notification; Vim calls the callbacks of channels while it sleeps.
function s:Await(method) abort
  let l:start = reltime()
  while !has_key(s:notices, a:method) && reltimefloat(reltime(l:start)) < 30
    sleep 10m
  endwhile
  call s:Expect(has_key(s:notices, a:method), 'the notice ' . a:method . ' comes')
  return s:notices[a:method]
endfunction

function s:Converse() abort
  let l:job = job_start([$QUICKVAULT_PROGRAM], {
        \ 'in_mode': 'lsp', 'out_mode': 'lsp', 'err_mode': 'nl', 'out_cb': function('s:Notice')})
  let s:channel = job_getchannel(l:job)
  let l:hello = s:Result('initialize', {'processId': getpid(), 'clientInfo': {'name': 'Vim'}, 'locale': 'zh_CN.UTF-8'})
  call s:Expect(l:hello.locale ==# 'zh-Hans', 'the locale is taken')
  call s:Expect(l:hello.capabilities == {}, 'the capabilities are an object')
  call ch_sendexpr(s:channel, {'method': 'initialized', 'params': []})

  call s:Result('vault/create', {'password': s:password,
        \ 'kdf': {'algorithm': 'pbkdf2-hmac-sha256', 'iterations': 100000}})
  let l:card = s:Result('card/create', {'title': '家', 'group': 'personal', 'type': 'text',
        \ 'fields': {'text': "灯笼 lantern\n𠮷"}}).card
  call s:Expect(s:Await('window/showMessage').message ==# '卡片已保存。', 'saving is told')
  call s:Expect(s:Result('card/search', {'query': '灯笼'}).total == 1, 'the card is found')
  call s:Expect(s:Result('card/copy', {'id': l:card.id}).text ==# "灯笼 lantern\n𠮷", 'the text comes back')

  call s:Expect(s:Result('session/lock', {}) is v:null, 'locking answers null')
  call s:Expect(s:Await('session/didLock').reason ==# 'request', 'locking is told')
  let l:refused = s:Ask('card/get', {'id': l:card.id})
  call s:Expect(l:refused.error.code == 1003 && l:refused.error.data.kind ==# 'vault.locked', 'a locked vault refuses')
  call s:Result('session/unlock', {'password': s:password})
  call s:Expect(s:Result('card/list', {}).total == 1, 'the card is there after the process replaced itself')

  call s:Result('shutdown', {})
  call ch_sendexpr(s:channel, {'method': 'exit', 'params': {}})
  let l:start = reltime()
  while job_status(l:job) ==# 'run' && reltimefloat(reltime(l:start)) < 30
    sleep 10m
  endwhile
  call s:Expect(job_info(l:job).exitval == 0, 'it ends cleanly')
endfunction

try
  call s:Converse()
  call writefile(['done'], $QUICKVAULT_RESULT)
catch
  call writefile([v:exception . ' at ' . v:throwpoint], $QUICKVAULT_RESULT)
endtry
qall!
