" Fingerprint unlock.

" The reader's current message, and the last one about a failed attempt.
let s:shown = ''
let s:remark = ''
let s:key_error = {'kind': 'client.key', 'message': '', 'data': {}}

" Handles biometric/didChangeState.
function! quickvault#fingerprint#on_state(params) abort
  let s:shown = a:params.message
  " The reader is ready again before the user can read the last error.
  if a:params.state ==# 'scanning'
    let s:shown = empty(s:remark) ? s:shown : s:remark
  else
    let s:remark = s:shown
    if get(a:params, 'reason', '') ==# 'notMatched'
      let s:remark .= ' ' . quickvault#text#get('fingerprint.attempts', a:params.attemptsLeft)
    endif
  endif
endfunction

" Sends a request that waits for a fingerprint, and returns [error, result].  Any key cancels it, with the error kind
" client.key; if the password is known, only CTRL-C does, and what is typed is discarded.
function! s:await(method, params, password_known = 0) abort
  let l:answer = []
  let s:shown = quickvault#text#get('fingerprint.waiting')
  let s:remark = ''
  let l:id = quickvault#server#request(a:method, a:params, {error, result -> extend(l:answer, [error, result])})
  let [l:displayed, l:is_cancelled, l:interrupts] = ['', 0, 0]
  while empty(l:answer)
    if !l:is_cancelled && l:displayed !=# s:shown
      let l:displayed = s:shown
      call quickvault#message#progress(
            \ quickvault#text#get(a:password_known ? 'fingerprint.wait' : 'fingerprint.hint', l:displayed))
    endif
    try
      if s:key_pressed() && !l:is_cancelled && !a:password_known
        let l:is_cancelled = 1
        call quickvault#server#cancel(l:id)
      endif
      sleep 5m
    catch /^Vim:Interrupt$/
      let [l:is_cancelled, l:interrupts] = [1, l:interrupts + 1]
      call quickvault#server#cancel(l:id)
      if l:interrupts > 1
        call quickvault#message#clear()
        return [quickvault#server#abandon(l:id), v:null]
      endif
    endtry
  endwhile
  call quickvault#message#clear()
  return !l:is_cancelled || empty(l:answer[0]) ? l:answer : [s:key_error, v:null]
endfunction

" Returns whether a key was pressed; ignores events and the mouse.
function! s:key_pressed() abort
  let l:key = getchar(0)
  return type(l:key) == v:t_string ? l:key[: 1] !=# "\x80\xfd" : l:key != 0
endfunction

" Sends a request with a fingerprint first if this device is bound.  Returns its answer, [error, result], and an empty list if the
" password may help instead; and why it has to.
function! quickvault#fingerprint#try(status, method, params) abort
  if !get(get(a:status, 'biometric', {}), 'enabled', v:false)
    return [[], '']
  endif
  let [l:error, l:result] = s:await(a:method, extend({'method': 'biometric'}, a:params))
  let l:is_done = empty(l:error) || l:error.kind !~# '^\%(biometric\|device\|keychain\)\.\|^client\.key$\|^rpc\.cancelled$'
  return l:is_done ? [[l:error, l:result], ''] : [[], s:error_text(l:error)]
endfunction

" Returns the message of an error for the password prompt; empty if the user cancelled.
function! s:error_text(error) abort
  return a:error.kind =~# '^client\.\|^biometric\.userCancel$\|^rpc\.cancelled$' ? '' : a:error.message . ' '
endfunction

" Offers to turn on fingerprint unlock.
function! quickvault#fingerprint#offer(password) abort
  if quickvault#prompt#confirm(quickvault#text#get('fingerprint.offer'), quickvault#text#get('yesno'), 2) == 1
    call s:enabled(s:await('biometric/enable', {'password': a:password}, 1)[0])
  endif
endfunction

function! s:enabled(error) abort
  if empty(a:error)
    call quickvault#message#info(quickvault#text#get('fingerprint.on'))
  elseif empty(s:error_text(a:error))
    call quickvault#message#info(quickvault#text#get('unchanged'))
  else
    call quickvault#message#error(a:error)
  endif
endfunction
