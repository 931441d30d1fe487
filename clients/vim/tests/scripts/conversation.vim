" Tests of the plugin with the real server, without a terminal.
scriptencoding utf-8
source <sfile>:h/harness.vim

let s:address = {'name': '王芳', 'phone': '138 0013 8000', 'province': '广东省', 'city': '深圳市', 'district': '南山区',
      \ 'address': '科技路88号3栋1202室'}

" The next page is loaded as one scrolls, G loads the rest, and a refresh keeps the rows and the cursor.
function! Test_pages() abort
  call FreshVault()
  call CreateCard('Card 0')
  let l:lines = map(range(1, 1429), {_, number -> 'Card ' . number . ',company,text,value'})
  let l:file = tempname()
  call writefile(['title,group,type,text'] + l:lines, l:file)
  call Call('vault/import', {'path': l:file, 'format': 'csv'})
  call delete(l:file)
  QuickVault
  call Check('the first page shows the total', Await({-> getline(1) =~# '200 of 1430'}), getline(1))
  call cursor(line('$') - 1, 1)
  let l:before = [line('.'), getline('.')]
  doautocmd CursorMoved
  call Check('the end of the list loads the next page', Await({-> getline(1) =~# '400 of 1430'}), getline(1))
  call Same('the cursor stays', [line('.'), getline('.')], l:before)
  call Same('one line tells that there are more', filter(getline(1, '$'), 'v:val =~# "^-- more"'), ['-- more: scroll on, or press G for all --'])
  normal G
  call Same('G loads all', [getline(1), line('.')], ['QuickVault  1430 cards', line('$')])
  call Same('no card is missing or repeated', len(uniq(sort(filter(getline(1, '$'), 'v:val =~# "Card"')))), 1430)
  call Same('the columns are aligned', len(uniq(sort(map(filter(getline(1, '$'), 'v:val =~# "Card"'),
        \ 'strdisplaywidth(matchstr(v:val, ".*\\ze  20"))')))), 1)
  call Check('the last line is a card', !empty(quickvault#list#card()))
  let l:id = quickvault#list#card().id
  call Call('card/update', {'id': l:id, 'title': 'Changed'})
  call quickvault#list#refresh()
  call Check('a refresh keeps all rows and the cursor', Await({-> getline('.') =~# 'Changed' && line('$') > 1430}), getline('.'))
  call quickvault#list#search_as_typed('card')
  call Check('a search that is being typed loads a screen', Await({-> getline(1) =~# &lines . ' of 1429'}), getline(1))
  bwipeout
endfunction

" Returns the lines of the list below its heading, whatever the widths of its columns are.
function! s:rows() abort
  return map(getline(search('^   Title', 'nw') + 1, '$'), 'substitute(v:val, "   *", "  ", "g")')
endfunction

" R16: in a long list, a change costs one line, and the list is the same as one that is loaded again.
function! Test_changes_in_a_long_list() abort
  call FreshVault()
  let l:rows = ['title,text'] + map(range(10000), 'printf("Shelf %05d,content %d", v:val, v:val)')
  call Call('vault/import', {'data': system('base64 -w 0', join(l:rows, "\n")), 'format': 'csv'})
  QuickVault
  normal G
  call Same('all cards are there', len(b:quickvault.items), 10000)
  let l:drawn = b:changedtick
  call search('Shelf 05000')
  normal p
  call Check('it is pinned', s:rows()[0] =~# '^\*  Shelf 05000', s:rows()[0])
  call Check('the cursor stays on its card', getline('.') =~# 'Shelf 05000', getline('.'))
  call Check('few lines were changed', b:changedtick - l:drawn < 20, b:changedtick - l:drawn)
  let l:id = b:quickvault.ids[search('Shelf 07000') - 1]
  call Call('card/update', {'id': l:id, 'title': 'Changed, and wider than the others'})
  call quickvault#buffers#refresh_changed({'changed': [l:id], 'deleted': []})
  call Check('a changed card is the first without a pin', s:rows()[1] =~# '^  Changed, and wider than the others  Text', s:rows()[1])
  let l:gone = b:quickvault.ids[search('Shelf 00123') - 1]
  call Call('card/delete', {'id': l:gone})
  let l:new = Call('card/create', {'title': 'New', 'group': 'personal', 'type': 'text', 'fields': {'text': 'x'}}).card.id
  call quickvault#buffers#refresh_changed({'changed': [l:new], 'deleted': [l:gone]})
  call Check('a key on a line whose card is gone does nothing', !quickvault#buffer#may_act())
  normal p
  let [l:rows, l:ids] = [s:rows(), copy(b:quickvault.ids)]
  call quickvault#list#refresh()
  call Same('the lines are those of a list that is loaded again', l:rows, s:rows())
  call Same('and so are the cards', l:ids, b:quickvault.ids)
  call Same('the count', getline(1), 'QuickVault  10000 cards')
  bwipeout
endfunction

" R12: a lock keeps the search and the order.
function! Test_search_over_a_lock() abort
  call FreshVault()
  call CreateCard('Alpha', {'tags': ['x']})
  call CreateCard('Beta')
  QuickVaultSearch alpha
  call Check('found', Await({-> Text() =~# 'Alpha' && Text() !~# 'Beta'}), Text())
  call Call('session/lock', {})
  call Check('locked', Await({-> Text() =~# '^Locked' && Text() !~? 'alpha'}), Text())
  call quickvault#session#did_unlock(Call('session/unlock', {'password': 'correct horse'}))
  call quickvault#buffers#restore()
  call Check('found again', Await({-> Text() =~# 'Search: alpha\_.*Alpha' && Text() !~# 'Beta'}), Text())
  bwipeout
endfunction

" The list shows what another process has changed.
function! Test_other_processes() abort
  call FreshVault()
  QuickVault
  call Check('the list is empty', Await({-> Text() =~# 'No cards yet'}), Text())
  let l:Request = {method, params -> json_encode({'jsonrpc': '2.0', 'id': 1, 'method': method, 'params': params})}
  call system(shellescape($QUICKVAULT_PROGRAM) . ' --vault ' . shellescape(g:quickvault_vault), join([
        \ l:Request('session/unlock', {'password': 'correct horse'}),
        \ l:Request('card/create', {'title': 'Elsewhere', 'group': 'personal', 'type': 'text', 'fields': {'text': 'x'}})], "\n") . "\n")
  call Check('the new card is shown', Await({-> Text() =~# 'Elsewhere'}), Text())
  call Same('options keep the buffer off the disk', [&swapfile, &undofile, &bufhidden, &buftype, &buflisted, &modeline, swapname('%')],
        \ [0, 0, 'wipe', 'nofile', 0, 0, ''])
  bwipeout
endfunction

" s sorts all cards by the column at the cursor.
function! Test_sort() abort
  call FreshVault()
  call CreateCard('beta')
  call CreateCard('安', {'tags': ['x']})
  call CreateCard('Alpha', {'group': 'company'})
  QuickVault
  call Check('the list is shown', Await({-> Text() =~# 'beta'}), Text())
  call search('beta')
  normal s
  call Check('by title', Await({-> Text() =~# 'Title↑.*Alpha.*安.*beta'}), Text())
  call Same('the cursor stays on its card', getline('.') =~# 'beta', 1)
  normal s
  call Check('in reverse', Await({-> Text() =~# 'Title↓.*beta.*安.*Alpha'}), Text())
  normal s
  call Check('in the usual order', Await({-> Text() =~# 'Title  .*Alpha.*安.*beta'}), Text())
  bwipeout
endfunction

" Returns the byte column and the length of the first match in a line.
function! s:highlighted(line) abort
  if has('nvim')
    let l:mark = get(nvim_buf_get_extmarks(0, nvim_create_namespace('quickvaultMatch'), [a:line - 1, 0], [a:line - 1, -1],
          \ {'details': v:true}), 0, [0, 0, 0, {'end_col': 0}])
    return [l:mark[2] + 1, l:mark[3].end_col - l:mark[2]]
  endif
  let l:property = get(prop_list(a:line), 0, {'col': 1, 'length': 0})
  return [l:property.col, l:property.length]
endfunction

" Returns what 'omnifunc' completes at the end of a line of the form.
function! s:completed(line) abort
  call setline('.', a:line)
  call cursor(line('.'), len(a:line) + 1)
  let l:start = quickvault#complete#omni(1, '')
  return l:start < 0 ? l:start : [l:start] + quickvault#complete#omni(0, strpart(a:line, l:start))
endfunction

" R15: 'omnifunc' completes labels, groups and tags in a form.
function! Test_omnifunc() abort
  call FreshVault()
  call CreateCard('家', {'type': 'address', 'fields': s:address, 'tags': ['home', '税务']})
  QuickVaultNew address
  call Check('an empty form', Await({-> Text() =~# 'Postal code: '}), Text())
  set virtualedit=onemore
  call search('^Postal')
  call Same('a label', s:completed('Post'), [0, 'Postal code: '])
  call Same('a label that the form has', s:completed('Titl'), [0])
  call Same('a value of another field', s:completed('Postal code: 5'), -3)
  call search('^Tags', 'b')
  call Same('tags', s:completed('Tags: x, h'), [9, 'home'])
  call Same('a tag after a Chinese comma', s:completed('Tags: x，'), [10] + quickvault#complete#tag('', '', 0))
  call search('^Group', 'b')
  call Same('a group', s:completed('Group: c'), [7, 'Company'])
  call Same('comments', &commentstring, '# %s')
  bwipeout!
  QuickVaultNew text
  call Check('an empty form', Await({-> Text() =~# '--- Text ---'}), Text())
  call search('^Tags')
  call Same('a label that a section has', s:completed('Te'), [0])
  set virtualedit=
  bwipeout!
endfunction

" 'statusline' and autocommands of the user follow the state of the vault.
function! Test_events() abort
  let s:events = []
  augroup test_events
    autocmd User QuickVaultUnlocked call add(s:events, quickvault#statusline())
    autocmd User QuickVaultLocked call add(s:events, quickvault#statusline())
  augroup END
  call FreshVault()
  QuickVaultLock
  call Check('the lock is told', Await({-> len(s:events) >= 2}), s:events)
  call Same('the states are told', s:events[-2:], ['QuickVault: unlocked', 'QuickVault: locked'])
  autocmd! test_events
endfunction

" R17: :checkhealth in Neovim has the findings of quickvault doctor, in the language in use.
function! Test_health() abort
  call FreshVault()
  if has('nvim')
    checkhealth quickvault
    call Check('checkhealth shows the findings', Text() =~# 'OK: Program: quickvault \d', Text())
    bwipeout!
    let [l:program, g:quickvault_program] = [g:quickvault_program, '/nowhere']
    checkhealth quickvault
    call Check('checkhealth says that the program is missing', Text() =~# 'ERROR: .*/nowhere', Text())
    bwipeout!
    let g:quickvault_program = l:program
  endif
  call Check('elsewhere, qv doctor says it', exists(':QuickVaultDoctor') == 2)
endfunction

" R7: matches and where they are.
function! Test_search() abort
  call FreshVault()
  call CreateCard('开票', {'type': 'invoice', 'group': 'company', 'tags': ['税务'], 'fields': {'companyName': '深圳Harbor信息有限公司',
        \ 'taxId': '91440300MA5FA6HQ2E', 'address': 'x', 'phone': '0755-26543210', 'bankName': '招商银行', 'bankAccount': '1'}})
  call CreateCard('Other', {'extraFields': [{'label': 'PIN', 'value': 'harbor', 'concealed': v:true}]})
  QuickVaultSearch harbor type:invoice
  call Check('R7 found', Await({-> Text() =~# 'Company name: 深圳Harbor信息'}), Text())
  call Check('R7 a concealed value is not found', Text() !~# 'Other', Text())
  let l:line = search('Company name')
  let [l:column, l:length] = s:highlighted(l:line)
  call Same('R7 the word is highlighted', strpart(getline(l:line), l:column - 1, l:length), 'Harbor')
  let l:match = hlID('quickvaultMatch')
  call Same('R7 not by the background alone', map(['bold', 'underline'], 'synIDattr(l:match, v:val, "cterm")'), ['1', '1'])
  call Same('a search is in no history', histget(':', -1) =~# 'harbor', 0)
  bwipeout
endfunction

" R1, R4, R21: create with a correction, and edit.
function! Test_form() abort
  call FreshVault()
  QuickVaultNew address
  call Check('an empty form', Await({-> Text() =~# 'Postal code: '}), Text())
  write
  call Check('R21 not saved', &modified)
  call Same('R21 every empty field at once', len(filter(getline(1, '$'), 'v:val =~# "^# ✗"')), 7)
  call Same('R21 also in the location list', len(getloclist(0)), 7)
  for [l:label, l:value] in items({'Title': '家', 'Tags': 'home，税务', 'Name': '王芳', 'Phone': '138 0013 8000',
        \ 'Province': '广东省', 'City': '深圳市', 'District': '南山区', 'Address': '科技路88号'})
    execute 'silent %substitute/^' . l:label . ': $/&' . l:value
  endfor
  call append('$', '*Door: code: 4711#')
  write
  call Check('saved', !&modified, Text())
  call Check('no issue is left', Text() !~# '✗', Text())
  call Check('the buffer is renamed', bufname('%') =~# '^quickvault://edit/[0-9a-f-]\{36}$', bufname('%'))
  call Same('the buffer of the empty form is wiped out', bufexists('quickvault://new/address'), 0)
  let l:card = Call('card/get', {'id': b:quickvault.id}).card
  call Same('tags', sort(l:card.tags), ['home', '税务'])
  call Same('own fields', map(copy(l:card.extraFields), '[v:val.label, v:val.value, v:val.concealed]'),
        \ [['Door', 'code: 4711#', v:true]])
  call Same('a form can be undone', len(undotree().entries) > 0, 1)
  call Check('the value is concealed', Text() =~# '\*Door: ••••$', Text())
  call search('Door')
  QuickVaultReveal
  call Same('it is shown', [getline('.'), &modified], ['*Door: code: 4711#', 0])
  QuickVaultReveal
  call Same('it is hidden', [getline('.'), &modified], ['*Door: ••••', 0])
  bwipeout
endfunction

" R18, R12: copied text is cleared, but not text copied later.
function! Test_copy() abort
  call FreshVault()
  call Call('settings/update', {'clipboardClearSeconds': 5})
  let l:card = CreateCard('Paste me', {'fields': {'text': 'copied text'}})
  let g:quickvault_register = 'c'
  let @" = 'mine'
  let @d = 'mine too'
  QuickVaultCopy Paste me
  call Check('R18 copied', Await({-> @c ==# 'copied text'}), @c)
  call Check('R18 cleared after the time', Await({-> @c ==# ''}), @c)
  call Same('R18 other registers stay', @d, 'mine too')
  QuickVaultCopy -json paste
  call Check('R18 a style', Await({-> @c =~# '^{'}), @c)
  let @c = 'something else'
  QuickVaultCopy -field=title Paste me
  call Check('R18 a field', Await({-> @c ==# 'Paste me'}), @c)
  let @c = 'newer'
  unlet g:quickvault_register
  let @c = 'newer'
  QuickVaultCopy Paste me
  call Check('R18 the unnamed register without a clipboard', has('clipboard') || Await({-> @" ==# 'copied text'}), @")
  call quickvault#copy#clear()
  call Same('R18 cleared on exit at the latest', [@", @0, @c], ['', '', 'newer'])
  call Same('completion of titles', quickvault#complete#copy('', 'QuickVaultCopy ', 15), ['Paste me'])
  call Same('completion after a blank', quickvault#complete#copy('m', 'QuickVaultCopy Paste m', 22), ['me'])
  call Same('completion of styles', quickvault#complete#copy('-m', 'QuickVaultCopy -m', 17), ['-markdown'])
endfunction

" R13
function! Test_settings() abort
  messages clear
  call FreshVault()
  QuickVaultSettings
  call Check('the settings', Await({-> Text() =~# 'Lock when idle for (seconds): 300'}), Text())
  silent %substitute/^Lock when idle for (seconds): 300/Lock when idle for (seconds): 3/
  silent %substitute/^Lock before sleep: yes/Lock before sleep: perhaps/
  write
  call Check('R21 an invalid word', Text() =~# 'perhaps\n# ✗ Enter "yes" or "no"', Text())
  silent %substitute/perhaps/no/
  write
  call Check('R21 out of range', Text() =~# 'Lock when idle for (seconds): 3\n# ✗ The vault locks when idle for 15 to 86,400 seconds'
        \ && &modified, Text())
  silent %substitute/(seconds): \zs3$/soon/
  write
  call Check('R21 no number', Text() =~# '# ✗ Enter a whole number of seconds, or "never"', Text())
  silent %substitute/(seconds): \zssoon$/3/
  silent %substitute/^When another program.*: \zs.*/maybe/
  write
  call Check('R21 an unknown choice', Text() =~# 'maybe\n# ✗ Other programs may use the unlocked vault always', Text())
  silent %substitute/^When another program.*: \zs.*/always/
  let l:said = Text() . execute('messages') . join(map(getloclist(0), 'v:val.text'), "\n")
  call Same('R13 no word of the protocol', matchstr(l:said, '\C[a-z]\+Seconds\|sharedUnlock\|Parameter\|null\|JSON-RPC'), '')
  silent %substitute/^Clear copies after (seconds): .*/Clear copies after (seconds): 30/
  silent %substitute/(seconds): 3$/(seconds): never/
  silent %substitute/^Unlock with a fingerprint: yes/Unlock with a fingerprint: no/
  silent %substitute/^Copy template, address: /&{name}: {phone}/
  write
  let l:settings = Call('settings/get', {}).settings
  call Same('R13 saved', [&modified, l:settings.autoLockSeconds, l:settings.lockOnSleep, l:settings.biometricUnlock,
        \ l:settings.copyTemplates, l:settings.sharedUnlock],
        \ [0, v:null, v:false, v:false, {'address': '{name}: {phone}'}, 'always'])
  silent %substitute/^Copy template, address: .*/Copy template, address: /
  write
  call Same('R18 a template is removed', Call('settings/get', {}).settings.copyTemplates, {})
  bwipeout!
endfunction

" S: the status line has a mark, and the status says why, if the server says that synchronisation needs attention.
function! Test_sync_in_the_status_line() abort
  call FreshVault()
  call quickvault#notification#handle('sync/didChange', {'enabled': v:true, 'state': 'failed', 'replicas': []}, '')
  call Same('S the server says nothing', quickvault#statusline(), 'QuickVault: unlocked')
  call quickvault#notification#handle('sync/didChange', {'enabled': v:true, 'needsAttention': {'message': 'The folder is full.'}}, '')
  call Same('S a mark', quickvault#statusline(), 'QuickVault: unlocked !')
  call Check('S the status', execute('QuickVaultStatus') =~# 'Synchronisation: The folder is full\. (:QuickVaultSync)')
  call quickvault#session#look()
  call Check('S what it asks for replaces that', Await({-> quickvault#statusline() ==# 'QuickVault: unlocked'}))
endfunction

call RunTests()
