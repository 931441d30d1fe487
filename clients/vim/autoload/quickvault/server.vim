" The server process and the JSON-RPC messages; independent of vaults.
"
" An error is a dictionary with kind, code, message and data; an empty dictionary means no error.

" The server: its process, the callbacks of pending requests by their ids, the last line of its errors, and handlers.
let s:server = {}
let s:last_id = 0

" Starts the server.  OnNotification gets a method, its parameters, and the id of a request; OnExit gets the signal that
" ended the process.
function! quickvault#server#start(command, OnNotification, OnExit) abort
  let l:server = {'pending': {}, 'stderr': '', 'stopping': 0, 'OnNotification': a:OnNotification, 'OnExit': a:OnExit}
  let s:server = l:server
  let l:server.process = quickvault#editor#start(a:command, {
        \ 'OnLine': {line -> s:on_line(l:server, line)},
        \ 'OnErrorLine': {line -> extend(l:server, {'stderr': line})},
        \ 'OnExit': {status, signal -> s:on_exit(l:server, signal)}})
endfunction

function! quickvault#server#running() abort
  return has_key(s:server, 'process') && quickvault#editor#is_running(s:server.process)
endfunction

" Returns the process id, or 0 if the server is not running.
function! quickvault#server#process_id() abort
  return quickvault#server#running() ? quickvault#editor#process_id(s:server.process) : 0
endfunction

" Returns the last line that the server wrote to standard error, also one that a server which has ended wrote before; it has no
" vault contents.
function! quickvault#server#last_stderr() abort
  let l:start = reltime()
  while has_key(s:server, 'process') && s:server.process.is_open && !quickvault#server#running()
        \ && reltimefloat(reltime(l:start)) < 1
    sleep 2m
  endwhile
  return get(s:server, 'stderr', '')
endfunction

" Sends a request and returns its id, or 0.  Callback is called exactly once, with an error and a result.
function! quickvault#server#request(method, params, Callback) abort
  let s:last_id += 1
  let l:id = s:last_id
  if !s:send({'id': l:id, 'method': a:method, 'params': a:params})
    call a:Callback(quickvault#server#error('client.serverEnded'), v:null)
    return 0
  endif
  let s:server.pending[l:id] = a:Callback
  return l:id
endfunction

function! quickvault#server#notify(method, params) abort
  call s:send({'method': a:method, 'params': a:params})
endfunction

" Sends a message; returns whether it could.
function! s:send(message) abort
  return quickvault#server#running()
        \ && quickvault#editor#send(s:server.process, json_encode(extend({'jsonrpc': '2.0'}, a:message)))
endfunction

" Answers a request of the server.
function! quickvault#server#respond(id, result) abort
  call s:send({'id': a:id, 'result': a:result})
endfunction

" Cancels a request.  The server still responds to it.
function! quickvault#server#cancel(id) abort
  if a:id && has_key(get(s:server, 'pending', {}), a:id)
    call quickvault#server#notify('$/cancelRequest', {'id': a:id})
  endif
endfunction

" Sends a request, waits for the response for some milliseconds, 0 for any time, and returns [error, result].
function! quickvault#server#wait(method, params, milliseconds) abort
  let l:answer = []
  let l:id = quickvault#server#request(a:method, a:params, {error, result -> extend(l:answer, [error, result])})
  return quickvault#server#await(l:answer, {'id': l:id}, a:milliseconds)
endfunction

" Waits until there is an answer, [error, result], to a request, a dictionary with its id; no longer than some milliseconds,
" if they are given.  CTRL-C cancels the request; a second CTRL-C stops waiting.  OnTurn gets the request now and then.
function! quickvault#server#await(answer, request, milliseconds = 0, OnTurn = {request -> 0}) abort
  let [l:interrupts, l:start] = [0, reltime()]
  while empty(a:answer)
    try
      if a:milliseconds > 0 && reltimefloat(reltime(l:start)) * 1000 > a:milliseconds
        return [quickvault#server#abandon(a:request.id), v:null]
      endif
      call a:OnTurn(a:request)
      sleep 2m
    catch /^Vim:Interrupt$/
      let l:interrupts += 1
      if l:interrupts > 1
        return [quickvault#server#abandon(a:request.id), v:null]
      endif
      call quickvault#server#cancel(a:request.id)
    endtry
  endwhile
  return a:answer
endfunction

" Stops waiting for the response to a request, and returns an error for it.
function! quickvault#server#abandon(id) abort
  if has_key(get(s:server, 'pending', {}), a:id)
    call remove(s:server.pending, a:id)
  endif
  return quickvault#server#error('client.timeout')
endfunction

" Stops the server and waits up to half a second for it to exit.
function! quickvault#server#stop() abort
  if !has_key(s:server, 'process')
    return
  endif
  let s:server.stopping = 1
  call quickvault#editor#stop(s:server.process)
  for l:turn in range(100)
    if !quickvault#editor#is_running(s:server.process)
      return
    endif
    sleep 5m
  endfor
endfunction

" Handles a message of the server.
function! s:on_line(server, line) abort
  try
    let l:message = json_decode(a:line)
  catch /^Vim\%((\a\+)\)\=:E\%(474\|491\|15\)/
    return
  endtry
  if type(l:message) != v:t_dict || a:server.stopping
    return
  elseif has_key(l:message, 'method')
    call a:server.OnNotification(l:message.method, get(l:message, 'params', {}), get(l:message, 'id', ''))
  elseif has_key(l:message, 'id') && has_key(a:server.pending, l:message.id)
    call call(remove(a:server.pending, l:message.id), has_key(l:message, 'error') ? [s:error(l:message.error), v:null]
          \ : [{}, get(l:message, 'result', v:null)])
  endif
endfunction

function! s:on_exit(server, signal) abort
  let l:pending = a:server.pending
  let a:server.pending = {}
  if a:server.stopping
    return
  endif
  call a:server.OnExit(a:signal)
  for l:Callback in values(l:pending)
    call l:Callback(quickvault#server#error('client.serverEnded'), v:null)
  endfor
endfunction

function! s:error(error) abort
  let l:data = type(get(a:error, 'data', 0)) == v:t_dict ? a:error.data : {}
  return {'kind': get(l:data, 'kind', ''), 'code': get(a:error, 'code', 0), 'message': get(a:error, 'message', ''), 'data': l:data}
endfunction

" Returns an error of this client.  Without a message nothing is shown, such as where the end of the server is told once.
function! quickvault#server#error(kind, message = '') abort
  return {'kind': a:kind, 'code': 0, 'message': a:message, 'data': {}}
endfunction
