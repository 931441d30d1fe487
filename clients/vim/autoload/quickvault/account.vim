" The page about the server that carries the folder of a synchronised vault.
scriptencoding utf-8

let s:methods = ['nextcloud', 'password', 'device', 'code']

let s:texts = {
      \ 'account': ['Account', '账户'],
      \ 'ask.address': ['URL of the WebDAV folder: ', 'WebDAV 文件夹的网址：'],
      \ 'ask.client': ['Client ID at the provider: ', '在登录服务中的客户端标识：'],
      \ 'ask.issuer': ['URL of the OpenID Connect provider: ', 'OpenID Connect 登录服务的网址：'],
      \ 'ask.method': ['Sign in', '登录方式'],
      \ 'ask.password': ['App password of the server: ', '服务器的应用密码：'],
      \ 'ask.server': ['URL of the Nextcloud server: ', 'Nextcloud 服务器的网址：'],
      \ 'ask.user': ['User name: ', '用户名：'],
      \ 'carried': ['Carried', '传送'],
      \ 'carried.never': ['not yet', '尚未传送'],
      \ 'code': ['and type this code there', '并输入代码'],
      \ 'give.up': ['CTRL-C gives up.', '按 CTRL-C 放弃。'],
      \ 'hint.in': ['D signs out, R refreshes, L locks, q closes.', 'D 退出登录，R 刷新，L 锁定，q 关闭。'],
      \ 'hint.out': ['e signs in, R refreshes, L locks, q closes.', 'e 登录，R 刷新，L 锁定，q 关闭。'],
      \ 'method.code': ['OpenID Connect, in a browser on this machine', 'OpenID Connect，使用本机浏览器'],
      \ 'method.device': ['OpenID Connect, with a code in any browser', 'OpenID Connect，在任一浏览器中输入代码'],
      \ 'method.nextcloud': ['Nextcloud, in a browser', 'Nextcloud，使用浏览器'],
      \ 'method.password': ['User name and app password', '用户名和应用密码'],
      \ 'out': [
      \   'not signed in. A WebDAV server can carry the encrypted folder of :QuickVaultSync between your machines.',
      \   '未登录。WebDAV 服务器可在电脑之间传送 :QuickVaultSync 的加密文件夹。'],
      \ 'page': ['Open this page in your browser', '请在浏览器中打开'],
      \ 'server': ['Server', '服务器'],
      \ 'sign.out': ['Sign out? Your cards and what was carried stay.', '要退出登录吗？卡片和已传送的内容保持不变。'],
      \ 'signed.out': ['Signed out.', '已退出登录。'],
      \ 'since': ['since', '开始于'],
      \ 'user': ['User', '用户'],
      \ 'waiting': ['Signing in...', '正在登录…'],
      \ }

function! s:say(key) abort
  return s:texts[a:key][quickvault#text#language() ==# 'en' ? 0 : 1]
endfunction

" Opens the page.
function! quickvault#account#open(modifiers) abort
  call quickvault#buffer#open('quickvault://account', a:modifiers . ' split')
endfunction

function! quickvault#account#read() abort
  call quickvault#buffer#setup_view()
  setlocal wrap linebreak
  call quickvault#keys#account()
  call quickvault#buffer#fill([quickvault#text#get('loading')])
  call quickvault#account#refresh()
endfunction

" Reads the state again.
function! quickvault#account#refresh() abort
  call quickvault#session#request('account/status', {}, function('s:show'))
endfunction

function! s:show(status) abort
  call s:fill({-> s:lines(a:status)})
endfunction

" Shows lines on the page, if it is open and not locked.
function! s:fill(Lines) abort
  let l:buffer = bufnr('^quickvault://account$')
  if l:buffer > 0 && !has_key(getbufvar(l:buffer, 'quickvault', {'locked': 1}), 'locked')
    call quickvault#buffer#call_in(l:buffer, {-> quickvault#buffer#fill(a:Lines())})
  endif
endfunction

function! s:lines(status) abort
  let l:colon = quickvault#text#get('colon')
  if !a:status.signedIn
    return [s:say('account') . l:colon . s:say('out'), '', s:say('hint.out')] + quickvault#session#demo_lines()
  endif
  let l:lines = [s:say('account') . l:colon . s:say('method.' . a:status.method), s:say('server') . l:colon . a:status.address]
  let l:lines += has_key(a:status, 'user') ? [s:say('user') . l:colon . quickvault#layout#one_line(a:status.user)] : []
  let l:lines += [s:say('carried') . l:colon . (has_key(a:status, 'lastCarried')
        \ ? quickvault#layout#time(a:status.lastCarried) : s:say('carried.never'))]
  if has_key(a:status, 'failure')
    let l:since = s:say('since') . ' ' . quickvault#layout#time(a:status.failure.since)
    let l:lines += ['! ' . get(a:status.failure.messages, quickvault#text#language(), a:status.failure.message)
          \ . quickvault#text#get('brackets', l:since)]
  endif
  return l:lines + ['', s:say('hint.in')] + quickvault#session#demo_lines()
endfunction

" Signs in as the user chooses.
function! quickvault#account#sign_in() abort
  if has_key(b:quickvault, 'locked')
    return quickvault#unlock()
  endif
  let l:choice = quickvault#prompt#choice(s:say('ask.method'), map(copy(s:methods), {_, method -> s:say('method.' . method)}))
  if l:choice < 0
    return
  endif
  let l:method = s:methods[l:choice]
  let l:params = s:ask({'method': l:method}, l:method ==# 'nextcloud' ? [['address', 'ask.server']]
        \ : [['address', 'ask.address']] + (l:method ==# 'password' ? [['user', 'ask.user']]
        \   : [['issuer', 'ask.issuer'], ['clientId', 'ask.client']]))
  if empty(l:params)
    return
  elseif l:method ==# 'password'
    let [l:error, l:status] = quickvault#password#with(s:say('ask.password'),
          \ {password -> s:send(extend({'password': password}, l:params))})
  else
    let [l:error, l:status] = s:send(l:params)
  endif
  if empty(l:error)
    return s:show(l:status)
  endif
  call quickvault#account#refresh()
  if l:error.kind !=# 'client.cancelled'
    call quickvault#message#error(l:error)
  endif
endfunction

" Asks for parameters; returns an empty dictionary if the user leaves.
function! s:ask(params, questions) abort
  for [l:name, l:question] in a:questions
    let l:answer = trim(quickvault#prompt#line(s:say(l:question)))
    if empty(l:answer)
      call quickvault#message#info(quickvault#text#get('cancelled'))
      return {}
    endif
    let a:params[l:name] = l:answer
  endfor
  return a:params
endfunction

function! s:send(params) abort
  call quickvault#message#progress(s:say('waiting'))
  try
    return quickvault#session#wait('account/signIn', a:params)
  finally
    call quickvault#message#clear()
  endtry
endfunction

" Shows the page on which the user signs in.
function! quickvault#account#prompt(page) abort
  let l:lines = [s:say('page') . quickvault#text#get('colon'), '', '  ' . a:page.url]
  let l:lines += has_key(a:page, 'code') ? ['', s:say('code') . quickvault#text#get('colon') . a:page.code] : []
  call s:fill({-> l:lines + ['', s:say('give.up')]})
  redraw
endfunction

" Signs out, after confirmation.
function! quickvault#account#sign_out() abort
  if has_key(b:quickvault, 'locked')
    return quickvault#unlock()
  elseif confirm(s:say('sign.out'), quickvault#text#get('yesno'), 2, 'Question') == 1
    call quickvault#session#request('account/signOut', {}, function('s:signed_out'))
  endif
endfunction

function! s:signed_out(answer) abort
  call s:show({'signedIn': v:false})
  let l:failure = get(a:answer, 'failure', {})
  call quickvault#message#info(join([s:say('signed.out')] + (empty(l:failure) ? []
        \ : [get(l:failure, quickvault#text#language(), get(l:failure, 'en', ''))])))
endfunction
