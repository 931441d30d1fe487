" The log of authentication events, newest first.
scriptencoding utf-8

let s:events = {
      \ 'created': ['Vault created', '创建保险库'],
      \ 'deviceBound': ['Device bound', '绑定设备'],
      \ 'deviceRevoked': ['Binding of a device taken away', '解除设备绑定'],
      \ 'deviceVoided': ['Binding ended: other fingerprints', '指纹已变，绑定失效'],
      \ 'fingerprintFailed': ['Finger did not match', '指纹不匹配'],
      \ 'locked': ['Locked', '锁定'],
      \ 'lockedOut': ['Wait after wrong passwords', '密码错误过多，进入等待'],
      \ 'memoryNotLocked': ['Memory could not be locked', '无法锁定内存'],
      \ 'passwordChanged': ['Password changed', '修改密码'],
      \ 'refused': ['Try refused during a wait', '等待期间拒绝尝试'],
      \ 'repaired': ['Damaged, and repaired', '曾损坏，已修复'],
      \ 'settingsForged': ['Settings in the file were forged', '文件中的设置被篡改'],
      \ 'unlocked': ['Unlocked', '解锁'],
      \ 'wrongPassword': ['Wrong password', '密码错误'],
      \ }

let s:reasons = {
      \ 'background': ['Vim in the background', '进入后台'],
      \ 'deviceLocked': ['desktop locked', '桌面锁定'],
      \ 'passwordChanged': ['password changed elsewhere', '密码在别处修改'],
      \ 'request': ['asked for', '手动'],
      \ 'shutdown': ['end of the program', '程序结束'],
      \ 'sleep': ['sleep', '睡眠'],
      \ 'timeout': ['no activity', '无操作'],
      \ }

" Opens the log.
function! quickvault#log#open(modifiers) abort
  call quickvault#buffer#open('quickvault://log', a:modifiers . ' split')
endfunction

function! quickvault#log#read() abort
  call quickvault#buffer#for_reading()
  call quickvault#keys#log()
  call quickvault#buffer#fill([quickvault#text#get('loading')])
  call quickvault#log#refresh()
endfunction

" Reads the log again.
function! quickvault#log#refresh() abort
  let l:buffer = bufnr('%')
  call quickvault#session#request('log/list', {'limit': 1000},
        \ {result -> quickvault#buffer#within(l:buffer, {-> s:take(result.items)})})
endfunction

function! s:take(items) abort
  if !has_key(b:quickvault, 'locked')
    call quickvault#buffer#fill(map(copy(a:items), {_, item -> s:line(item)}))
  endif
endfunction

" A line of the log; kinds that this version does not know stand as the server calls them.
function! s:line(item) abort
  let l:column = quickvault#text#language() ==# 'en' ? 0 : 1
  let l:reason = get(a:item, 'reason', '')
  return quickvault#layout#time(a:item.at) . '  ' . get(s:events, a:item.event, repeat([a:item.event], 2))[l:column]
        \ . (empty(l:reason) ? '' : ' (' . get(s:reasons, l:reason, repeat([l:reason], 2))[l:column] . ')')
endfunction
