" The page about synchronisation with other machines.  b:quickvault.rows has the machine of each line.
scriptencoding utf-8

" What the server told last: the result of sync/status.
let s:status = {'enabled': v:false}

let s:texts = {
      \ 'ask.folder': ['Synchronise over the folder: ', '用于同步的文件夹：'],
      \ 'ask.join': ['Folder that another machine synchronises over: ', '另一台电脑用于同步的文件夹：'],
      \ 'ask.new': ['Master password that was set on the other machine: ', '另一台电脑上设置的新主密码：'],
      \ 'ask.password': ['Master password of that vault: ', '该保险库的主密码：'],
      \ 'behind': ['%d files behind', '落后 %d 个文件'],
      \ 'current': ['up to date', '已是最新'],
      \ 'disable': ['Stop synchronising? The cards stay here and on the other machines.', '要关闭同步吗？卡片会保留在本机和其他电脑上。'],
      \ 'folder': ['Folder', '文件夹'],
      \ 'forget': ['Forget "%s"? Do this only for a machine that is gone.', '要移除“%s”吗？仅用于不再使用的电脑。'],
      \ 'hint.off': ['e synchronises over a folder, R refreshes, L locks, q closes.', 'e 开启同步，R 刷新，L 锁定，q 关闭。'],
      \ 'hint.on': [
      \   's synchronises now, c shows conflicts, d forgets the machine on this line, K makes a new key, D turns it off, R refreshes, '
      \   . 'L locks, q closes.',
      \   's 立即同步，c 查看冲突，d 移除此行的电脑，K 更换密钥，D 关闭同步，R 刷新，L 锁定，q 关闭。'],
      \ 'joined': ['This machine now has the vault, and synchronises it.', '本机已加入该保险库，并已开启同步。'],
      \ 'last': ['Last synchronised', '上次同步'],
      \ 'machine': ['This machine', '本机'],
      \ 'machine.none': ['There is no machine on this line.', '此行没有电脑。'],
      \ 'machines': ['Other machines', '其他电脑'],
      \ 'machines.none': [
      \   'No other machine yet. On another one, start with :QuickVaultJoin and the same folder.',
      \   '还没有其他电脑。在另一台电脑上，用 :QuickVaultJoin 加入同一文件夹。'],
      \ 'needsPassword': [
      \   'Another machine has given the vault a new key. Nothing is synchronised until this one has the new password: p asks for it.',
      \   '另一台电脑已更换密钥；在本机输入新密码之前不会同步：按 p 输入。'],
      \ 'off': [
      \   'off. A folder that Syncthing, Nextcloud or a USB stick carries brings your cards to other machines, encrypted.',
      \   '未开启。通过 Syncthing、Nextcloud 或 U 盘传送的文件夹，可将卡片加密同步到其他电脑。'],
      \ 'state.failed': ['failed', '失败'],
      \ 'state.idle': ['on', '已开启'],
      \ 'state.syncing': ['synchronising', '正在同步'],
      \ 'statusline': [' (sync: see :QuickVaultSync)', '（同步有问题，见 :QuickVaultSync）'],
      \ 'sync': ['Synchronisation', '同步'],
      \ 'rekey': [
      \   'Give the vault a new key, because a machine was lost? Every other machine has to give the new password once.',
      \   '有电脑丢失时应更换密钥，此后其他每台电脑都要输入一次新密码。要更换密钥吗？'],
      \ 'working': ['Synchronising...', '正在同步…'],
      \ }

function! s:say(key, ...) abort
  let l:text = s:texts[a:key][quickvault#text#language() ==# 'en' ? 0 : 1]
  return a:0 == 0 ? l:text : call('printf', [l:text] + a:000)
endfunction

" Opens the page.
function! quickvault#sync#open(modifiers) abort
  call quickvault#buffer#open('quickvault://sync', a:modifiers . ' split')
endfunction

function! quickvault#sync#read() abort
  call extend(b:quickvault, {'rows': []})
  call quickvault#buffer#setup_view()
  call quickvault#keys#sync()
  call quickvault#buffer#start_loading()
  call quickvault#sync#refresh()
endfunction

" Reads the state again.
function! quickvault#sync#refresh() abort
  call quickvault#session#request('sync/status', {}, function('quickvault#sync#show'), {error ->
        \ quickvault#buffer#call_in(bufnr('^quickvault://sync$'), {-> quickvault#buffer#fail_loading(error)})})
endfunction

" Takes over the state that the server tells, and shows it if the page is open.
function! quickvault#sync#show(status) abort
  let s:status = a:status
  if mode() =~# '^r'
    " Drawing would hide the question that the user is asked.
    return timer_start(200, {-> quickvault#sync#show(s:status)})
  endif
  let l:buffer = bufnr('^quickvault://sync$')
  if l:buffer > 0 && !has_key(getbufvar(l:buffer, 'quickvault', {'locked': 1}), 'locked')
    call quickvault#buffer#call_in(l:buffer, function('s:draw'))
  endif
  if a:status.enabled
    call quickvault#account#show_mirror(get(a:status, 'mirror', {}))
  endif
  if quickvault#server#running()
    redrawstatus!
  endif
endfunction

" Returns what the status line says: nothing while all is well.
function! quickvault#sync#statusline() abort
  let l:is_wrong = get(s:status, 'state', '') ==# 'failed' || has_key(s:status, 'needsPassword')
        \ || !empty(filter(copy(get(s:status, 'replicas', [])), 'has_key(v:val, "problem")'))
  return l:is_wrong ? s:say('statusline') : ''
endfunction

" Forgets the state, that of another vault.
function! quickvault#sync#reset() abort
  let s:status = {'enabled': v:false}
endfunction

function! s:draw() abort
  let [l:colon, l:on] = [quickvault#text#get('colon'), s:status.enabled]
  let l:lines = [s:say('sync') . l:colon . s:say(l:on ? 'state.' . s:status.state : 'off')]
  if l:on
    let l:lines += [s:say('folder') . l:colon . s:status.folder, s:say('machine') . l:colon . s:status.machine]
    let l:lines += has_key(s:status, 'lastSynced') ? [s:say('last') . l:colon . quickvault#layout#time(s:status.lastSynced)] : []
    let l:lines += has_key(s:status, 'needsPassword') ? ['! ' . s:say('needsPassword')] : []
    let l:lines += quickvault#layout#failure(s:status)
    let l:lines += has_key(s:status, 'mirror') ? quickvault#account#mirror(s:status.mirror) : []
    let l:lines += ['', empty(s:status.replicas) ? s:say('machines.none') : s:say('machines')]
  endif
  let l:rows = repeat([{}], len(l:lines)) + (l:on ? s:status.replicas : [])
  let l:lines += l:on ? map(copy(s:status.replicas), {_, machine -> s:machine(machine)}) : []
  let l:lines += ['', s:say(l:on ? 'hint.on' : 'hint.off')] + quickvault#session#demo_lines()
  let b:quickvault.rows = l:rows
  call quickvault#buffer#refill(l:lines, map(copy(l:rows), 'get(v:val, "replica", "")'))
endfunction

" Returns the line of a machine.
function! s:machine(machine) abort
  let l:seen = has_key(a:machine, 'lastSeen') ? quickvault#layout#time(a:machine.lastSeen) : ''
  let l:state = has_key(a:machine, 'problem') ? '! ' . quickvault#text#localized(a:machine.problem)
        \ : a:machine.behind > 0 ? s:say('behind', a:machine.behind) : s:say('current')
  return '  ' . join([quickvault#layout#pad(s:name(a:machine), 20), quickvault#layout#pad(l:seen, 16), l:state], '  ')
endfunction

" Returns the name of a machine, or its identifier before something of it was read.
function! s:name(machine) abort
  return quickvault#layout#one_line(empty(a:machine.machine) ? a:machine.replica : a:machine.machine)
endfunction

" Begins to synchronise over a folder that the user names.
function! quickvault#sync#enable() abort
  if s:status.enabled
    return
  endif
  let l:folder = quickvault#prompt#line(s:say('ask.folder'), '', 'dir')
  if !empty(l:folder)
    call s:change('sync/enable', {'folder': quickvault#prompt#full_path(l:folder)})
  endif
endfunction

" Synchronises at once.
function! quickvault#sync#now() abort
  call s:change('sync/now', {})
endfunction

" Stops to synchronise, after confirmation.
function! quickvault#sync#disable() abort
  if s:status.enabled && quickvault#prompt#confirm(s:say('disable'), quickvault#text#get('yesno'), 2) == 1
    call s:change('sync/disable', {})
  endif
endfunction

" Forgets the machine on the cursor's line, after confirmation.
function! quickvault#sync#forget() abort
  call quickvault#buffer#await_loading()
  let l:machine = get(get(b:quickvault, 'rows', []), line('.') - 1, {})
  if !quickvault#buffer#may_act()
    return
  elseif empty(l:machine)
    call quickvault#message#warn(s:say('machine.none'))
  elseif quickvault#prompt#confirm(s:say('forget', s:name(l:machine)), quickvault#text#get('yesno'), 2) == 1
    call s:change('sync/forget', {'replica': l:machine.replica})
  endif
endfunction

" Follows another machine that has given the vault a new key.
function! quickvault#sync#rejoin() abort
  if has_key(b:quickvault, 'locked')
    return quickvault#unlock()
  endif
  let [l:error, l:status] = quickvault#password#with(s:say('ask.new'), {password ->
        \ quickvault#session#wait_with_progress(s:say('working'), 'sync/rejoin', {'password': password})})
  call s:shown(l:error, l:status)
endfunction

" Gives the vault a new key and a new password, after confirmation.
function! quickvault#sync#rekey() abort
  if has_key(b:quickvault, 'locked')
    call quickvault#unlock()
  elseif quickvault#prompt#confirm(s:say('rekey'), quickvault#text#get('yesno'), 2) == 1
    call quickvault#password#rekey()
    call quickvault#sync#refresh()
  endif
endfunction

" Sends a request that answers with the state.
function! s:change(method, params) abort
  if has_key(b:quickvault, 'locked')
    return quickvault#unlock()
  endif
  let [l:error, l:status] = index(['sync/enable', 'sync/now'], a:method) >= 0
        \ ? quickvault#session#wait_with_progress(s:say('working'), a:method, a:params)
        \ : quickvault#session#wait(a:method, a:params)
  call s:shown(l:error, l:status)
endfunction

" Shows the state in an answer, or its error.
function! s:shown(error, status) abort
  if empty(a:error)
    call quickvault#sync#show(a:status)
  else
    call quickvault#message#error(a:error)
  endif
endfunction

" Makes the vault from the folder that another machine synchronises over; asks for what is not given, with another question
" for the folder if there is one.
function! quickvault#sync#join(folder, ...) abort
  let l:status = quickvault#session#status()
  if empty(l:status)
    return
  elseif l:status.exists
    return quickvault#message#warn(quickvault#text#get('vault.exists', l:status.path))
  endif
  let l:folder = empty(a:folder) ? quickvault#prompt#line(a:0 ? a:1 : s:say('ask.join'), '', 'dir') : expand(a:folder, 1)
  if empty(l:folder)
    return quickvault#message#info(quickvault#text#get('cancelled'))
  endif
  let [l:error, l:status] = quickvault#password#with(s:say('ask.password'), {password -> quickvault#session#wait_with_progress(
        \ s:say('working'), 'sync/join', {'folder': quickvault#prompt#full_path(l:folder), 'password': password})})
  if !empty(l:error)
    return quickvault#message#error(l:error)
  endif
  call quickvault#session#status()
  call quickvault#buffer#restore()
  call quickvault#sync#show(l:status)
  call quickvault#open('')
  call quickvault#message#info(s:say('joined'))
endfunction
