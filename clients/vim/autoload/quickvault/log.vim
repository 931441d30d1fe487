" The log of lock and unlock events, newest first.
scriptencoding utf-8

let s:events = {
      \ 'created': ['Vault created', '已创建保险库'],
      \ 'deviceBound': ['Device bound', '已绑定设备'],
      \ 'deviceRevoked': ['Device binding removed', '已解除设备绑定'],
      \ 'clientAdmitted': ['Program admitted', '已允许程序使用'],
      \ 'inserted': ['Inserted by an editor', '由编辑器插入'],
      \ 'deviceVoided': ['Device binding invalid: fingerprints changed', '指纹已变更，设备绑定已失效'],
      \ 'fingerprintFailed': ['Fingerprint not recognised', '未能识别指纹'],
      \ 'locked': ['Locked', '已锁定'],
      \ 'lockedOut': ['Too many wrong passwords', '密码错误次数过多'],
      \ 'memoryNotLocked': ['Memory could not be locked', '无法锁定内存'],
      \ 'passwordChanged': ['Password changed', '密码已更改'],
      \ 'refused': ['Attempt during the delay', '等待期间尝试'],
      \ 'repaired': ['Repaired after damage', '损坏后已修复'],
      \ 'settingsForged': ['Settings were tampered with', '设置被篡改'],
      \ 'unlocked': ['Unlocked', '已解锁'],
      \ 'wrongPassword': ['Wrong password', '密码错误'],
      \ }

let s:reasons = {
      \ 'background': ['Vim in the background', '转入后台'],
      \ 'deviceLocked': ['desktop locked', '桌面已锁定'],
      \ 'passwordChanged': ['password changed elsewhere, or file replaced', '密码已在别处更改，或文件被替换'],
      \ 'request': ['on request', '手动'],
      \ 'shutdown': ['program exited', '程序退出'],
      \ 'sleep': ['sleep', '睡眠前'],
      \ 'timeout': ['idle', '闲置超时'],
      \ }

" Opens the log.
function! quickvault#log#open(modifiers) abort
  call quickvault#buffer#open('quickvault://log', a:modifiers . ' split')
endfunction

function! quickvault#log#read() abort
  call quickvault#buffer#setup_view()
  call quickvault#keys#log()
  call quickvault#buffer#start_loading()
  call quickvault#log#refresh()
endfunction

" Reloads the log.
function! quickvault#log#refresh() abort
  call quickvault#buffer#request('log/list', {'limit': 1000}, {result -> s:show(result.items)})
endfunction

function! s:show(items) abort
  if !has_key(b:quickvault, 'locked')
    call quickvault#buffer#fill(map(copy(a:items), {_, item -> s:line(item)})
          \ + ['', quickvault#text#get('hint.log')] + quickvault#session#demo_lines())
  endif
endfunction

" Returns a line of the log; unknown events are shown by the server's name.
function! s:line(item) abort
  let l:column = quickvault#text#language() ==# 'en' ? 0 : 1
  let l:reason = get(a:item, 'reason', '')
  return quickvault#layout#time(a:item.at) . '  ' . get(s:events, a:item.event, repeat([a:item.event], 2))[l:column]
        \ . (empty(l:reason) ? '' : quickvault#text#get('brackets', get(s:reasons, l:reason, repeat([l:reason], 2))[l:column]))
endfunction
