" The server process and the JSON-RPC messages; independent of vaults.
"
" An error is a dictionary with kind, code, message and data; an empty dictionary means no error.

let s:process = {}

" Starts the server.  OnNotification gets a method and its parameters; OnExit gets the signal that ended the process.
function! quickvault#server#start(command, OnNotification, OnExit) abort
  let l:process = {'pending': {}, 'stderr': '', 'stopping': 0, 'OnNotification': a:OnNotification, 'OnExit': a:OnExit}
  let s:process = l:process
  let l:process.job = job_start(a:command, {
        \ 'in_mode': 'lsp', 'out_mode': 'lsp', 'err_mode': 'nl', 'noblock': 1, 'stoponexit': 'term',
        \ 'out_cb': function('s:on_notification', [l:process]),
        \ 'err_cb': function('s:on_stderr', [l:process]),
        \ 'close_cb': function('s:on_close', [l:process])})
endfunction

function! quickvault#server#running() abort
  return has_key(s:process, 'job') && job_status(s:process.job) ==# 'run'
        \ && ch_status(s:process.job) ==# 'open'
endfunction

" Returns the process id, or 0 if the server is not running.
function! quickvault#server#process_id() abort
  return quickvault#server#running() ? job_info(s:process.job).process : 0
endfunction

" Returns the last line that the server wrote to standard error; it has no vault contents.
function! quickvault#server#last_stderr() abort
  return get(s:process, 'stderr', '')
endfunction

" Sends a request and returns its id, or 0.  Callback is called exactly once, with an error and a result.
function! quickvault#server#request(method, params, Callback) abort
  let l:process = s:process
  let l:message = {'method': a:method, 'params': a:params}
  try
    let l:sent = ch_sendexpr(l:process.job, l:message, {'callback': function('s:on_response', [l:process])})
  catch /^Vim\%((\a\+)\)\=:E\%(630\|631\|906\|716\)/
    let l:sent = {}
  endtry
  if type(l:sent) != v:t_dict || !has_key(l:sent, 'id')
    call a:Callback(s:exit_error(), v:null)
    return 0
  endif
  let l:process.pending[l:sent.id] = a:Callback
  return l:sent.id
endfunction

function! quickvault#server#notify(method, params) abort
  if quickvault#server#running()
    call ch_sendexpr(s:process.job, {'method': a:method, 'params': a:params})
  endif
endfunction

" Cancels a request.  The server still responds to it.
function! quickvault#server#cancel(id) abort
  if a:id && has_key(get(s:process, 'pending', {}), a:id)
    call quickvault#server#notify('$/cancelRequest', {'id': a:id})
  endif
endfunction

" Sends a request, waits for the response, and returns [error, result].
function! quickvault#server#wait(method, params, milliseconds) abort
  let l:answer = []
  let l:id = quickvault#server#request(a:method, a:params, {error, result -> extend(l:answer, [error, result])})
  let l:start = reltime()
  while empty(l:answer)
    if reltimefloat(reltime(l:start)) * 1000 > a:milliseconds
      return [quickvault#server#abandon(l:id), v:null]
    endif
    sleep 2m
  endwhile
  return l:answer
endfunction

" Stops waiting for the response to a request, and returns an error for it.
function! quickvault#server#abandon(id) abort
  if has_key(get(s:process, 'pending', {}), a:id)
    call remove(s:process.pending, a:id)
  endif
  return {'kind': 'client.timeout', 'code': 0, 'message': '', 'data': {}}
endfunction

" Stops the server and waits up to half a second for it to exit.
function! quickvault#server#stop() abort
  if !has_key(s:process, 'job')
    return
  endif
  let s:process.stopping = 1
  call job_stop(s:process.job, 'term')
  for l:turn in range(100)
    if job_status(s:process.job) !=# 'run'
      return
    endif
    sleep 5m
  endfor
endfunction

function! s:on_response(process, channel, message) abort
  let l:Callback = get(a:process.pending, a:message.id, 0)
  if type(l:Callback) != v:t_func
    return
  endif
  call remove(a:process.pending, a:message.id)
  if has_key(a:message, 'error')
    call l:Callback(s:error(a:message.error), v:null)
  else
    call l:Callback({}, get(a:message, 'result', v:null))
  endif
endfunction

function! s:on_notification(process, channel, message) abort
  if type(a:message) == v:t_dict && has_key(a:message, 'method')
    call a:process.OnNotification(a:message.method, get(a:message, 'params', {}))
  endif
endfunction

function! s:on_stderr(process, channel, line) abort
  let a:process.stderr = a:line
endfunction

function! s:on_close(process, channel) abort
  let l:pending = a:process.pending
  let a:process.pending = {}
  if a:process.stopping
    return
  endif
  " job_status() lets Vim notice how the process ended.
  call job_status(a:process.job)
  call a:process.OnExit(get(job_info(a:process.job), 'termsig', ''))
  for l:Callback in values(l:pending)
    call l:Callback(s:exit_error(), v:null)
  endfor
endfunction

function! s:error(error) abort
  let l:data = get(a:error, 'data', {})
  let l:data = type(l:data) == v:t_dict ? l:data : {}
  return {'kind': get(l:data, 'kind', ''), 'code': get(a:error, 'code', 0),
        \ 'message': get(a:error, 'message', ''), 'data': l:data}
endfunction

" Returns an error without a message, because OnExit reports the exit once.
function! s:exit_error() abort
  return {'kind': 'client.serverEnded', 'code': 0, 'message': '', 'data': {}}
endfunction
