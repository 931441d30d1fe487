" The server's process and the messages to and from it.  Nothing here knows of vaults.
"
" An error is a dictionary with kind, message and data; an empty one is none.

let s:process = {}

" Starts the server in place of one that ended.  OnNotice gets a method and its parameters, OnEnd how the process ended.
function! quickvault#server#start(command, OnNotice, OnEnd) abort
  let l:process = {'pending': {}, 'said': '', 'stopping': 0, 'OnNotice': a:OnNotice, 'OnEnd': a:OnEnd}
  let s:process = l:process
  let l:process.job = job_start(a:command, {
        \ 'in_mode': 'lsp', 'out_mode': 'lsp', 'err_mode': 'nl', 'noblock': 1, 'stoponexit': 'term',
        \ 'out_cb': function('s:on_notice', [l:process]),
        \ 'err_cb': function('s:on_words', [l:process]),
        \ 'close_cb': function('s:on_close', [l:process])})
endfunction

function! quickvault#server#running() abort
  return has_key(s:process, 'job') && job_status(s:process.job) ==# 'run'
        \ && ch_status(s:process.job) ==# 'open'
endfunction

" The process's id, and 0 for none.
function! quickvault#server#process_id() abort
  return quickvault#server#running() ? job_info(s:process.job).process : 0
endfunction

" The last line that the server wrote to standard error; nothing private is ever in it.
function! quickvault#server#said() abort
  return get(s:process, 'said', '')
endfunction

" Sends a request.  Callback gets an error and a result, once, whatever happens.  Gives the request's id, or 0.
function! quickvault#server#request(method, params, Callback) abort
  let l:process = s:process
  let l:message = {'method': a:method, 'params': a:params}
  try
    let l:sent = ch_sendexpr(l:process.job, l:message, {'callback': function('s:on_answer', [l:process])})
  catch /^Vim\%((\a\+)\)\=:E\%(630\|631\|906\|716\)/
    let l:sent = {}
  endtry
  if type(l:sent) != v:t_dict || !has_key(l:sent, 'id')
    call a:Callback(s:ended(), v:null)
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

" Asks the server to drop a request, which is answered all the same.
function! quickvault#server#cancel(id) abort
  if a:id && has_key(get(s:process, 'pending', {}), a:id)
    call quickvault#server#notify('$/cancelRequest', {'id': a:id})
  endif
endfunction

" Sends a request and waits for its answer: [error, result].
function! quickvault#server#wait(method, params, milliseconds) abort
  let l:answer = []
  let l:id = quickvault#server#request(a:method, a:params, {error, result -> extend(l:answer, [error, result])})
  let l:start = reltime()
  while empty(l:answer)
    if reltimefloat(reltime(l:start)) * 1000 > a:milliseconds
      return [quickvault#server#give_up(l:id), v:null]
    endif
    sleep 2m
  endwhile
  return l:answer
endfunction

" Waits no longer for the answer to a request.  Gives the error for it.
function! quickvault#server#give_up(id) abort
  if has_key(get(s:process, 'pending', {}), a:id)
    call remove(s:process.pending, a:id)
  endif
  return {'kind': 'client.silent', 'code': 0, 'message': '', 'data': {}}
endfunction

" Ends the server and waits for that, but not for long.
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

function! s:on_answer(process, channel, message) abort
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

function! s:on_notice(process, channel, message) abort
  if type(a:message) == v:t_dict && has_key(a:message, 'method')
    call a:process.OnNotice(a:message.method, get(a:message, 'params', {}))
  endif
endfunction

function! s:on_words(process, channel, line) abort
  let a:process.said = a:line
endfunction

function! s:on_close(process, channel) abort
  let l:pending = a:process.pending
  let a:process.pending = {}
  if a:process.stopping
    return
  endif
  " Asking for the status first lets Vim see how the process ended.
  call job_status(a:process.job)
  call a:process.OnEnd(get(job_info(a:process.job), 'termsig', ''))
  for l:Callback in values(l:pending)
    call l:Callback(s:ended(), v:null)
  endfor
endfunction

function! s:error(error) abort
  let l:data = get(a:error, 'data', {})
  let l:data = type(l:data) == v:t_dict ? l:data : {}
  return {'kind': get(l:data, 'kind', ''), 'code': get(a:error, 'code', 0),
        \ 'message': get(a:error, 'message', ''), 'data': l:data}
endfunction

" What happened is told once, by OnEnd; so the error carries no message.
function! s:ended() abort
  return {'kind': 'client.serverEnded', 'code': 0, 'message': '', 'data': {}}
endfunction
