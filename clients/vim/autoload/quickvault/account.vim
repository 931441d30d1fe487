" The page about the server that carries the folder of a synchronised vault.
scriptencoding utf-8

let s:texts = {
      \ 'account': ['Account', '账户'],
      \ 'ask.address': ['URL of the WebDAV folder: ', 'WebDAV 文件夹的网址：'],
      \ 'ask.caFile': [
      \   'The certificate is not trusted. File with that of your own authority (empty to give up): ',
      \   '证书不受信任。如使用自己的证书颁发机构，请给出其证书文件（留空则放弃）：'],
      \ 'ask.clientId': ['Client ID at the provider: ', '在登录服务中的客户端标识：'],
      \ 'ask.clientSecret': ['Client secret at the provider: ', '在登录服务中的客户端密钥：'],
      \ 'ask.folder': ['Folder for what is on the server: ', '本机上用于存放服务器内容的文件夹：'],
      \ 'ask.issuer': ['URL of the OpenID Connect provider: ', 'OpenID Connect 登录服务的网址：'],
      \ 'ask.method': ['How do you want to sign in?', '登录方式'],
      \ 'ask.password': ['App password of the server: ', '服务器的应用密码：'],
      \ 'ask.provider': ['Which server or provider?', '服务器或登录服务'],
      \ 'ask.scope': ['Scope, if the server needs a certain one: ', '授权范围（服务器要求时填写）：'],
      \ 'ask.server': ['URL of the Nextcloud server: ', 'Nextcloud 服务器的网址：'],
      \ 'ask.user': ['User name: ', '用户名：'],
      \ 'carried': ['Mirrored', '上次传送'],
      \ 'carried.never': ['not yet', '尚未传送'],
      \ 'carried.now': ['  (%d %% of what is new)', '  （新内容已传送 %d%%）'],
      \ 'tokens': ['Signs in with', '登录凭据'],
      \ 'tokens.keychain': ['tokens or a password in the desktop''s keychain', '令牌或密码，保存在桌面密钥环中'],
      \ 'tokens.vault': ['tokens or a password, encrypted in the vault''s file', '令牌或密码，加密保存在保险库文件中'],
      \ 'code': ['and type this code there', '并输入代码'],
      \ 'data.deleted': ['Deleted on the server, and signed out.', '已删除服务器上的内容，并已退出登录。'],
      \ 'data.none': [
      \   'Signed out. The server had nothing of this vault.', '已退出登录。服务器上没有这个保险库的内容。'],
      \ 'give.up': ['CTRL-C gives up.', '按 CTRL-C 放弃。'],
      \ 'hint.in': [
      \   'D signs out, X also deletes what is on the server, p shows what the server learns, R refreshes, L locks, q closes.',
      \   'D 退出登录，X 退出登录并删除服务器上的内容，p 查看服务器会知道什么，R 刷新，L 锁定，q 关闭。'],
      \ 'hint.out': [
      \   'e signs in, p shows what a server learns, R refreshes, L locks, q closes.',
      \   'e 登录，p 查看服务器会知道什么，R 刷新，L 锁定，q 关闭。'],
      \ 'method.code': ['OpenID Connect, in a browser on this machine', 'OpenID Connect，使用本机浏览器'],
      \ 'method.device': ['OpenID Connect, with a code in any browser', 'OpenID Connect，在任一浏览器中输入代码'],
      \ 'method.nextcloud': ['Nextcloud, in a browser', 'Nextcloud，使用浏览器'],
      \ 'method.password': ['User name and app password', '用户名和应用密码'],
      \ 'out': [
      \   'not signed in. A WebDAV server can carry the encrypted folder of :QuickVaultSync between your machines.',
      \   '未登录。WebDAV 服务器可在电脑之间传送 :QuickVaultSync 的加密文件夹。'],
      \ 'page': ['Open this page in your browser', '请在浏览器中打开'],
      \ 'scan': ['Or scan this with a telephone:', '或用手机扫描：'],
      \ 'server': ['Server', '服务器'],
      \ 'sign.out': ['Sign out? Your cards and the files on the server stay.', '要退出登录吗？卡片和服务器上的文件保持不变。'],
      \ 'signed.out': ['Signed out.', '已退出登录。'],
      \ 'still.valid': [
      \   'The app password or session may still be valid at the server: delete it there.',
      \   '应用密码或会话在服务器上可能仍然有效，请在服务器上删除。'],
      \ 'user': ['User', '用户'],
      \ 'waiting': ['Signing in...', '正在登录…'],
      \ }

" The account that the page shows; empty while it shows something else.
let s:status = {}

function! s:say(key) abort
  return s:texts[a:key][quickvault#text#language() ==# 'en' ? 0 : 1]
endfunction

" Opens the page.
function! quickvault#account#open(modifiers) abort
  call quickvault#buffer#open('quickvault://account', a:modifiers . ' split')
endfunction

function! quickvault#account#read() abort
  call quickvault#buffer#setup_view()
  call quickvault#keys#account()
  call quickvault#buffer#start_loading()
  call quickvault#account#refresh()
endfunction

" Reads the state again.
function! quickvault#account#refresh() abort
  call quickvault#session#request('account/status', {}, function('s:show'), {error -> quickvault#buffer#call_in(
        \ bufnr('^quickvault://account$'), {-> quickvault#buffer#fail_loading(error)})})
endfunction

function! s:show(status) abort
  call s:fill({-> s:lines(a:status)})
  let s:status = a:status
endfunction

" Takes over how the folder is carried, as the server tells it; it is empty before the first time, and once signed out.
function! quickvault#account#show_mirror(mirror) abort
  if !get(s:status, 'signedIn', v:false)
    return
  elseif empty(a:mirror)
    call quickvault#account#refresh()
  else
    call s:show(extend(filter(copy(s:status), 'v:key !~# "^\\%(lastMirrored\\|failure\\|percentage\\)$"'), a:mirror))
  endif
endfunction

" Returns lines that say when the folder was last mirrored, and why not since.
function! quickvault#account#mirror(mirror) abort
  let l:carried = has_key(a:mirror, 'lastMirrored') ? quickvault#layout#time(a:mirror.lastMirrored) : s:say('carried.never')
  let l:carried .= has_key(a:mirror, 'percentage') ? printf(s:say('carried.now'), a:mirror.percentage) : ''
  return [s:say('carried') . quickvault#text#get('colon') . l:carried] + quickvault#layout#failure(a:mirror)
endfunction

" Shows lines on the page, if it is open and not locked.
function! s:fill(Lines) abort
  let s:status = {}
  let l:buffer = bufnr('^quickvault://account$')
  if l:buffer > 0 && !has_key(getbufvar(l:buffer, 'quickvault', {'locked': 1}), 'locked')
    call quickvault#buffer#call_in(l:buffer, {-> quickvault#buffer#refill(a:Lines())})
  endif
endfunction

function! s:lines(status) abort
  let l:colon = quickvault#text#get('colon')
  if !a:status.signedIn
    return [s:say('account') . l:colon . s:say('out'), '', s:say('hint.out')] + quickvault#session#demo_lines()
  endif
  let l:lines = [s:say('account') . l:colon . s:say('method.' . a:status.method), s:say('server') . l:colon . a:status.address]
  let l:lines += has_key(a:status, 'user') ? [s:say('user') . l:colon . quickvault#layout#one_line(a:status.user)] : []
  let l:lines += has_key(a:status, 'tokensIn') ? [s:say('tokens') . l:colon . s:say('tokens.' . a:status.tokensIn)] : []
  return l:lines + quickvault#account#mirror(a:status) + ['', s:say('hint.in')] + quickvault#session#demo_lines()
endfunction

" Signs in as the user chooses.
function! quickvault#account#sign_in() abort
  if has_key(b:quickvault, 'locked')
    return quickvault#unlock()
  endif
  let [l:error, l:answer] = quickvault#session#wait('account/providers', {})
  if !empty(l:error)
    return quickvault#message#error(l:error)
  endif
  let l:provider = s:choose(s:say('ask.provider'), l:answer.providers, {provider -> quickvault#text#in_language(provider.name)})
  if empty(l:provider)
    return
  endif
  call s:fill({-> [quickvault#text#in_language(l:provider.name), '', quickvault#text#in_language(l:provider.note)]})
  let l:method = s:choose(s:say('ask.method'), l:provider.methods, {method -> s:say('method.' . method)})
  let l:params = empty(l:method) ? {} : s:ask(l:method, l:provider)
  if empty(l:params)
    return quickvault#account#refresh()
  endif
  let l:secret = filter(copy(l:provider.needs), 'v:val =~# "password\\|clientSecret"')
  if empty(l:secret)
    let [l:error, l:status] = s:send(l:params)
  else
    let [l:error, l:status] = quickvault#password#with(s:say('ask.' . l:secret[0]),
          \ {answer -> s:send(extend({l:secret[0]: answer}, l:params))})
  endif
  if empty(l:error)
    return s:signed_in(l:status)
  endif
  call quickvault#account#refresh()
  if l:error.kind !=# 'client.cancelled'
    call quickvault#message#error(l:error)
  endif
endfunction

" Returns what the user chooses, or 0.  Nobody is asked about a single choice.
function! s:choose(question, choices, Name) abort
  let l:choice = len(a:choices) == 1 ? 0 : quickvault#prompt#choice(a:question, map(copy(a:choices), {_, choice -> a:Name(choice)}))
  return l:choice < 0 ? 0 : a:choices[l:choice]
endfunction

" Asks for the parameters that are no secret; returns an empty dictionary if the user leaves.
function! s:ask(method, provider) abort
  let l:params = extend({'method': a:method}, filter(copy(a:provider), 'v:key =~# "^address$\\|^issuer$"'))
  for l:name in filter(copy(a:provider.needs), 'v:val !~# "password\\|clientSecret"')
    let l:question = l:name ==# 'address' && a:method ==# 'nextcloud' ? 'server' : l:name
    let l:answer = trim(quickvault#prompt#line(s:say('ask.' . l:question)))
    if empty(l:answer)
      call quickvault#message#info(quickvault#text#get('cancelled'))
      return {}
    endif
    let l:params[l:name] = l:answer
  endfor
  if has_key(l:params, 'clientId')
    let l:scope = trim(quickvault#prompt#line(s:say('ask.scope')))
    call extend(l:params, empty(l:scope) ? {} : {'scope': l:scope})
  endif
  return l:params
endfunction

" Shows the account, and has a machine without a vault join.
function! s:signed_in(status) abort
  call s:show(a:status)
  let l:vault = quickvault#session#status()
  if !empty(l:vault) && !l:vault.exists
    call quickvault#sync#join('', s:say('ask.folder'))
  endif
endfunction

" Sends the request, again with a file of certificates if that of the server is not trusted.
function! s:send(params) abort
  call quickvault#message#progress(s:say('waiting'))
  try
    let l:result = quickvault#session#wait('account/signIn', a:params)
  finally
    call quickvault#message#clear()
  endtry
  if get(l:result[0], 'kind', '') !=# 'carrier.certificate' || has_key(a:params, 'caFile')
    return l:result
  endif
  let l:file = quickvault#prompt#line(s:say('ask.caFile'), '', 'file')
  return empty(l:file) ? l:result : s:send(extend({'caFile': quickvault#prompt#full_path(l:file)}, a:params))
endfunction

" Shows the page on which the user signs in.
function! quickvault#account#prompt(page) abort
  let l:lines = [s:say('page') . quickvault#text#get('colon'), '', '  ' . a:page.url]
  let l:lines += has_key(a:page, 'code') ? ['', s:say('code') . quickvault#text#get('colon') . a:page.code] : []
  let l:lines += ['', s:say('give.up')]
  call s:fill({-> l:lines + s:qr_code(get(a:page, 'urlWithCode', ''), winheight(0) - len(l:lines) - 2, winwidth(0) - 2)})
  redraw
endfunction

" Returns the lines of a QR code, if qrencode(1) is installed and it fits: nobody can scroll while the sign-in waits.
function! s:qr_code(text, height, width) abort
  if empty(a:text) || &encoding !=# 'utf-8' || &ambiwidth ==# 'double' || !executable('qrencode')
    return []
  endif
  let [l:status, l:output] = quickvault#editor#run(['qrencode', '-t', 'UTF8'], a:text, 5000, 1)
  let l:lines = map(split(l:output, "\n"), '"  " . v:val')
  return l:status != 0 || len(l:lines) > a:height || strdisplaywidth(get(l:lines, 0, '')) > a:width ? []
        \ : ['', s:say('scan')] + l:lines
endfunction

" Signs out, after confirmation.
function! quickvault#account#sign_out() abort
  if has_key(b:quickvault, 'locked')
    return quickvault#unlock()
  elseif s:is_signed_out()
    return
  elseif quickvault#prompt#confirm(s:say('sign.out'), quickvault#text#get('yesno'), 2) == 1
    call quickvault#session#request('account/signOut', {}, function('s:signed_out'))
  endif
endfunction

" Returns whether there is no account, and says so then.
function! s:is_signed_out() abort
  let l:is_out = !get(s:status, 'signedIn', v:false)
  if l:is_out
    call quickvault#message#info(s:say('account') . quickvault#text#get('colon') . s:say('out'))
  endif
  return l:is_out
endfunction

" Deletes the vault's folder on the server, and signs out.
function! quickvault#account#delete_data() abort
  if has_key(b:quickvault, 'locked')
    return quickvault#unlock()
  elseif s:is_signed_out()
    return
  endif
  let l:status = quickvault#session#status()
  let l:params = empty(l:status) ? {} : quickvault#password#confirm_deletion('destroy.data', l:status)
  if !empty(l:params)
    call quickvault#session#request('account/deleteData', l:params, function('s:signed_out'))
  endif
endfunction

function! s:signed_out(answer) abort
  call s:show({'signedIn': v:false})
  let l:parts = [s:say(!has_key(a:answer, 'deleted') ? 'signed.out' : a:answer.deleted ? 'data.deleted' : 'data.none')]
  let l:parts += has_key(a:answer, 'failure') ? [quickvault#text#localized(a:answer.failure)] : []
  let l:parts += a:answer.revoked ? [] : [s:say('still.valid')]
  call quickvault#message#info(join(l:parts))
endfunction
