" The list of devices bound to the vault.  b:quickvault.devices has the device of each line.

" Opens the list of devices.
function! quickvault#devices#open(modifiers) abort
  call quickvault#buffer#open('quickvault://devices', a:modifiers . ' split')
endfunction

function! quickvault#devices#read() abort
  call extend(b:quickvault, {'devices': []})
  call quickvault#buffer#setup_view()
  call quickvault#keys#devices()
  call quickvault#buffer#start_loading()
  call quickvault#devices#refresh()
endfunction

" Reloads the list.
function! quickvault#devices#refresh() abort
  call quickvault#buffer#request('device/list', {}, {result -> s:show(result.items)})
endfunction

function! s:show(devices) abort
  if has_key(b:quickvault, 'locked')
    return
  endif
  let b:quickvault.devices = a:devices
  let l:rows = [['device', 'device.bound', 'device.used']]
  call map(l:rows[0], 'quickvault#text#get(v:val)')
  for l:device in a:devices
    let l:name = quickvault#layout#one_line(l:device.name)
    call add(l:rows, [l:name . (l:device.thisDevice ? quickvault#text#get('brackets', quickvault#text#get('device.this')) : ''),
          \ quickvault#layout#time(l:device.createdAt),
          \ l:device.lastUsedAt is v:null ? '' : quickvault#layout#time(l:device.lastUsedAt)])
  endfor
  let l:width = max(map(copy(l:rows), 'strdisplaywidth(v:val[0])'))
  call quickvault#buffer#refill((empty(a:devices) ? [quickvault#text#get('device.none')]
        \ : map(l:rows, {_, row -> trim(join([quickvault#layout#pad(row[0], l:width),
        \   quickvault#layout#pad(row[1], 16), row[2]], '  '), ' ', 2)}))
        \ + ['', quickvault#text#get('hint.devices')] + quickvault#session#demo_lines(), [''] + map(copy(a:devices), 'v:val.id'))
endfunction

" Removes the binding of the device on the cursor's line, after confirmation.
function! quickvault#devices#revoke() abort
  if has_key(b:quickvault, 'locked')
    return quickvault#unlock()
  endif
  call quickvault#buffer#await_loading()
  let l:device = line('.') < 2 ? {} : get(b:quickvault.devices, line('.') - 2, {})
  if !quickvault#buffer#may_act()
    return
  elseif empty(l:device)
    return quickvault#message#warn(quickvault#text#get('device.missing'))
  endif
  let l:question = quickvault#text#get('device.revoke', quickvault#layout#one_line(l:device.name))
  if quickvault#prompt#confirm(l:question, quickvault#text#get('yesno'), 2) == 1
    let l:buffer = bufnr('%')
    call quickvault#session#request('device/revoke', {'id': l:device.id},
          \ {result -> quickvault#buffer#call_in(l:buffer, function('quickvault#devices#refresh'))})
  endif
endfunction
