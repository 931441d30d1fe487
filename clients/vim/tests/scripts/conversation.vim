" Tests of the plugin with the real server, without a terminal.
scriptencoding utf-8
source <sfile>:h/harness.vim

let s:address = {'name': '王芳', 'phone': '138 0013 8000', 'province': '广东省', 'city': '深圳市', 'district': '南山区',
      \ 'address': '科技路88号3栋1202室'}

function! s:create(title, ...) abort
  return Call('card/create', extend({'title': a:title, 'group': 'personal', 'type': 'text',
        \ 'fields': {'text': "First line\n\n  second line\n"}}, a:0 ? a:1 : {})).card
endfunction

function! s:text() abort
  return join(getline(1, '$'), "\n")
endfunction

" The next page is loaded as one scrolls, G loads the rest, and a refresh keeps the rows and the cursor.
function! Test_pages() abort
  call FreshVault()
  call s:create('Card 0')
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
  let b:quickvault.query = ''
  call quickvault#list#refresh()
  call cursor(line('$'), 1)
  doautocmd CursorMoved
  call Check('a list that is loaded again is not continued', Await({-> getline(1) =~# '200 of 1430'}), getline(1))
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
  call quickvault#buffer#await_loading()
  normal G
  call Same('all cards are there', len(b:quickvault.items), 10000)
  let l:drawn = b:changedtick
  call search('Shelf 05000')
  normal p
  call quickvault#buffer#await_loading()
  call Check('it is pinned', s:rows()[0] =~# '^\*  Shelf 05000', s:rows()[0])
  call Check('the cursor stays on its card', getline('.') =~# 'Shelf 05000', getline('.'))
  call Check('few lines were changed', b:changedtick - l:drawn < 20, b:changedtick - l:drawn)
  let l:id = b:quickvault.ids[search('Shelf 07000') - 1]
  call Call('card/update', {'id': l:id, 'title': 'Changed, and wider than the others'})
  call quickvault#buffers#refresh_changed({'changed': [l:id], 'deleted': []})
  call quickvault#buffer#await_loading()
  call Check('a changed card is the first without a pin', s:rows()[1] =~# '^  Changed, and wider than the others  Text', s:rows()[1])
  let l:gone = b:quickvault.ids[search('Shelf 00123') - 1]
  call Call('card/delete', {'id': l:gone})
  let l:new = Call('card/create', {'title': 'New', 'group': 'personal', 'type': 'text', 'fields': {'text': 'x'}}).card.id
  call quickvault#buffers#refresh_changed({'changed': [l:new], 'deleted': [l:gone]})
  call quickvault#buffer#await_loading()
  call Check('a key on a line whose card is gone does nothing', !quickvault#buffer#may_act())
  normal p
  call quickvault#buffer#await_loading()
  let [l:rows, l:ids] = [s:rows(), copy(b:quickvault.ids)]
  call quickvault#list#refresh()
  call quickvault#buffer#await_loading()
  call Same('the lines are those of a list that is loaded again', l:rows, s:rows())
  call Same('and so are the cards', l:ids, b:quickvault.ids)
  call Same('the count', getline(1), 'QuickVault  10000 cards')
  bwipeout
endfunction

" R12: a lock keeps the search and the order.
function! Test_search_over_a_lock() abort
  call FreshVault()
  call s:create('Alpha', {'tags': ['x']})
  call s:create('Beta')
  QuickVaultSearch alpha
  call Check('found', Await({-> s:text() =~# 'Alpha' && s:text() !~# 'Beta'}), s:text())
  call Call('session/lock', {})
  call Check('locked', Await({-> s:text() =~# '^Locked' && s:text() !~? 'alpha'}), s:text())
  call quickvault#session#did_unlock(Call('session/unlock', {'password': 'correct horse'}))
  call quickvault#buffers#restore()
  call Check('found again', Await({-> s:text() =~# 'Search: alpha\_.*Alpha' && s:text() !~# 'Beta'}), s:text())
  bwipeout
endfunction

" The list shows what another process has changed.
function! Test_other_processes() abort
  call FreshVault()
  QuickVault
  call Check('the list is empty', Await({-> s:text() =~# 'No cards yet'}), s:text())
  let l:Request = {method, params -> json_encode({'jsonrpc': '2.0', 'id': 1, 'method': method, 'params': params})}
  call system(shellescape($QUICKVAULT_PROGRAM) . ' --vault ' . shellescape(g:quickvault_vault), join([
        \ l:Request('session/unlock', {'password': 'correct horse'}),
        \ l:Request('card/create', {'title': 'Elsewhere', 'group': 'personal', 'type': 'text', 'fields': {'text': 'x'}})], "\n") . "\n")
  call Check('the new card is shown', Await({-> s:text() =~# 'Elsewhere'}), s:text())
  call Same('options keep the buffer off the disk', [&swapfile, &undofile, &bufhidden, &buftype, &buflisted, &modeline, swapname('%')],
        \ [0, 0, 'wipe', 'nofile', 0, 0, ''])
  bwipeout
endfunction

" s sorts all cards by the column at the cursor.
function! Test_sort() abort
  call FreshVault()
  call s:create('beta')
  call s:create('安', {'tags': ['x']})
  call s:create('Alpha', {'group': 'company'})
  QuickVault
  call Check('the list is shown', Await({-> s:text() =~# 'beta'}), s:text())
  call search('beta')
  normal s
  call Check('by title', Await({-> s:text() =~# 'Title↑.*Alpha.*安.*beta'}), s:text())
  call Same('the cursor stays on its card', getline('.') =~# 'beta', 1)
  normal s
  call Check('in reverse', Await({-> s:text() =~# 'Title↓.*beta.*安.*Alpha'}), s:text())
  call search('Company')
  normal s
  call Check('by group', Await({-> s:text() =~# 'Group↑.*安.*beta.*Alpha'}), s:text())
  normal ss
  call Check('in the usual order', Await({-> s:text() =~# 'Group  .*Alpha.*安.*beta'}), s:text())
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

" :QuickVaultInsert puts a card or a field at the cursor, as one change.
function! Test_insert() abort
  call FreshVault()
  call s:create('家', {'type': 'address', 'fields': s:address})
  new
  call setline(1, '前后')
  QuickVaultInsert -field=phone 家
  call Check('a field is inserted after the cursor', Await({-> getline(1, '$') ==# ['前138 0013 8000后']}), getline(1, '$'))
  call Same('the cursor is at its end', strpart(getline(1), 0, col('.')), '前138 0013 8000')
  normal! u
  call setline(1, '')
  QuickVaultInsert 家
  call Check('a card is inserted', Await({-> getline(1) =~# '王芳' && line('$') > 1}), getline(1, '$'))
  call Same('nothing is copied', @", '')
  call Same('the title is in no history', histget(':', -1) =~# '家', 0)
  setlocal nomodifiable
  let l:before = getline(1, '$')
  QuickVaultInsert 家
  call Check('a buffer that cannot be changed is named', Await({-> execute('messages') =~# 'cannot be changed'}))
  call Same('a buffer that cannot be changed stays', getline(1, '$'), l:before)
  bwipeout!
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
  call s:create('家', {'type': 'address', 'fields': s:address, 'tags': ['home', '税务']})
  QuickVaultNew address
  call Check('an empty form', Await({-> s:text() =~# 'Postal code: '}), s:text())
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
  call Check('an empty form', Await({-> s:text() =~# '--- Text ---'}), s:text())
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
    call Check('checkhealth shows the findings', s:text() =~# 'OK: Program: quickvault \d', s:text())
    bwipeout!
    let [l:program, g:quickvault_program] = [g:quickvault_program, '/nowhere']
    checkhealth quickvault
    call Check('checkhealth says that the program is missing', s:text() =~# 'ERROR: .*/nowhere', s:text())
    bwipeout!
    let g:quickvault_program = l:program
  endif
  call Check('elsewhere, qv doctor says it', exists(':QuickVaultDoctor') == 2)
endfunction

" R7: matches and where they are.
function! Test_search() abort
  call FreshVault()
  call s:create('开票', {'type': 'invoice', 'group': 'company', 'tags': ['税务'], 'fields': {'companyName': '深圳Harbor信息有限公司',
        \ 'taxId': '91440300MA5FA6HQ2E', 'address': 'x', 'phone': '0755-26543210', 'bankName': '招商银行', 'bankAccount': '1'}})
  call s:create('Other', {'extraFields': [{'label': 'PIN', 'value': 'harbor', 'concealed': v:true}]})
  QuickVaultSearch harbor type:invoice
  call Check('R7 found', Await({-> s:text() =~# 'Company name: 深圳Harbor信息'}), s:text())
  call Check('R7 a concealed value is not found', s:text() !~# 'Other', s:text())
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
  call Check('an empty form', Await({-> s:text() =~# 'Postal code: '}), s:text())
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
  call Check('saved', !&modified, s:text())
  call Check('no issue is left', s:text() !~# '✗', s:text())
  call Check('the buffer is renamed', bufname('%') =~# '^quickvault://edit/[0-9a-f-]\{36}$', bufname('%'))
  call Same('the buffer of the empty form is wiped out', bufexists('quickvault://new/address'), 0)
  let l:card = Call('card/get', {'id': b:quickvault.id}).card
  call Same('tags', sort(l:card.tags), ['home', '税务'])
  call Same('own fields', map(copy(l:card.extraFields), '[v:val.label, v:val.value, v:val.concealed]'),
        \ [['Door', 'code: 4711#', v:true]])
  call Same('a form can be undone', len(undotree().entries) > 0, 1)
  call Check('the value is concealed', s:text() =~# '\*Door: ••••$', s:text())
  call search('Door')
  QuickVaultReveal
  call Same('it is shown', [getline('.'), &modified], ['*Door: code: 4711#', 0])
  QuickVaultReveal
  call Same('it is hidden', [getline('.'), &modified], ['*Door: ••••', 0])
  bwipeout
endfunction

" R4: a text survives its form unchanged.
function! Test_text_is_exact() abort
  call FreshVault()
  for l:text in ["# a\n--- b ---\n*PIN: 987654\n  c: d\n\n", "x\r\ny", " lead", "\n\nz"]
    let l:card = s:create('Exact', {'fields': {'text': l:text}})
    execute 'edit quickvault://edit/' . l:card.id
    call Check('form of ' . string(l:text), Await({-> s:text() =~# '--- Text ---'}), s:text())
    silent %substitute/^Title: Exact/Title: Changed
    write
    let l:after = Call('card/get', {'id': l:card.id}).card
    call Same('R4 ' . string(l:text), [l:after.title, l:after.fields[0].value], ['Changed', l:text])
    bwipeout!
  endfor
endfunction

" R3: the card is saved and a warning shown.
function! Test_warning() abort
  call FreshVault()
  let l:card = s:create('开票', {'type': 'invoice', 'fields': {'companyName': 'c', 'taxId': '91440300MA5FA6HQ2E',
        \ 'address': 'x', 'phone': '0755-26543210', 'bankName': 'b', 'bankAccount': '1'}})
  execute 'edit quickvault://edit/' . l:card.id
  call Check('the form', Await({-> s:text() =~# 'Tax ID: 9144'}), s:text())
  silent %substitute/MA5FA6HQ2E/ma5fa6hq2e
  write
  call Check('R3 stored in capitals, with a warning below the field', s:text() =~# 'Tax ID: 91440300MA5FA6HQ2E\n# ! ', s:text())
  call Same('R3 saved', &modified, 0)
  bwipeout!
endfunction

" A form of an unknown type says so.
function! Test_unknown_type() abort
  call FreshVault()
  edit quickvault://new/nonsense
  call Check('there is no such type', Await({-> s:text() ==# 'There is no card type "nonsense".'}), s:text())
  call Same('nothing in it can be changed', &modifiable, 0)
  bwipeout!
endfunction

" After a conflict, the user merges the card.
function! Test_conflict() abort
  call FreshVault()
  let l:card = s:create('Before')
  execute 'edit quickvault://edit/' . l:card.id
  call Await({-> s:text() =~# 'Before'})
  call Call('card/update', {'id': l:card.id, 'title': 'Theirs'})
  silent %substitute/Before/Mine
  write
  call Check('not saved', &modified)
  call Check('the input is kept', s:text() =~# 'Title: Mine', s:text())
  call Same('the other version is shown', getbufline('quickvault://current/' . l:card.id, 2), ['Title: Theirs'])
  call Same('as a diff', &diff, 1)
  %substitute/Mine/Merged
  write
  call Same('saved after the merge', [&modified, Call('card/get', {'id': l:card.id}).card.title], [0, 'Merged'])
  call Same('the other version is closed', [bufexists('quickvault://current/' . l:card.id), &diff], [0, 0])
  bwipeout!
endfunction

" R18, R12: copied text is cleared, but not text copied later.
function! Test_copy() abort
  call FreshVault()
  call Call('settings/update', {'clipboardClearSeconds': 5})
  let l:card = s:create('Paste me', {'fields': {'text': 'copied text'}})
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
  call Call('settings/update', {'clipboardClearSeconds': 5})
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

" Checks that what a page says about a setting is in its own words, not in those of the protocol.
function! s:check_words(place) abort
  let l:said = s:text() . execute('messages') . join(map(getloclist(0), 'v:val.text'), "\n")
  call Same('R13 no word of the protocol: ' . a:place, matchstr(l:said, '\C[a-z]\+Seconds\|sharedUnlock\|Parameter\|null\|JSON-RPC'), '')
endfunction

" R13
function! Test_settings() abort
  messages clear
  call FreshVault()
  QuickVaultSettings
  call Check('the settings', Await({-> s:text() =~# 'Lock when idle for (seconds): 300'}), s:text())
  silent %substitute/^Lock when idle for (seconds): 300/Lock when idle for (seconds): 3/
  silent %substitute/^Lock before sleep: yes/Lock before sleep: perhaps/
  write
  call Check('R21 an invalid word', s:text() =~# 'perhaps\n# ✗ Enter "yes" or "no"', s:text())
  silent %substitute/perhaps/no/
  write
  call Check('R21 out of range', s:text() =~# 'Lock when idle for (seconds): 3\n# ✗ The vault locks when idle for 15 to 86,400 seconds'
        \ && &modified, s:text())
  call s:check_words('out of range')
  for l:word in ['soon', 'null', '-1', '1.5', '']
    execute 'silent %substitute/(seconds): \zs3$/' . l:word . '/e'
    write
    call Check('R21 no number: ' . l:word, s:text() =~# '# ✗ Enter a whole number of seconds, or "never"', s:text())
    execute 'silent %substitute/^Lock when idle for (seconds): \zs.*/3/'
  endfor
  silent %substitute/^Clear copies after (seconds): .*/Clear copies after (seconds): 99999999/
  silent %substitute/^When another program.*: \zs.*/maybe/
  write
  call Check('R21 an unknown choice', s:text() =~# 'maybe\n# ✗ Other programs may use the unlocked vault always', s:text())
  call s:check_words('an unknown choice')
  silent %substitute/^When another program.*: \zs.*/always/
  write
  call Check('R21 too long a time', s:text() =~# '99999999\n# ✗ The clipboard is cleared after 5 to 3,600 seconds', s:text())
  call s:check_words('too long a time')
  silent %substitute/^Clear copies after (seconds): .*/Clear copies after (seconds): 30/
  silent %substitute/(seconds): 3$/(seconds): never/
  silent %substitute/^Unlock with a fingerprint: yes/Unlock with a fingerprint: no/
  silent %substitute/^Copy template, address: /&{name}: {phone}/
  write
  let l:settings = Call('settings/get', {}).settings
  call Same('R13 saved', [&modified, l:settings.autoLockSeconds, l:settings.lockOnSleep, l:settings.biometricUnlock,
        \ l:settings.copyTemplates, l:settings.sharedUnlock],
        \ [0, v:null, v:false, v:false, {'address': '{name}: {phone}'}, 'always'])
  call s:check_words('saved')
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
