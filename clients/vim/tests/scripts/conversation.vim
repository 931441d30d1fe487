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

" R8, R16: the list shows all cards, pinned first, and no values.
function! Test_list() abort
  call FreshVault()
  call s:create('Alpha')
  call s:create('家', {'type': 'address', 'fields': s:address, 'tags': ['home'], 'pinned': v:true})
  QuickVault
  call Check('R8 the list is shown', Await({-> s:text() =~# 'Alpha'}), s:text())
  call Check('R16 pinned before unpinned', s:text() =~# '\*  家.*\n   Alpha', s:text())
  call Check('R8 the list shows no values', s:text() !~# '王芳')
  call Same('options keep the buffer off the disk', [&swapfile, &undofile, &bufhidden, &buftype, &buflisted, &modeline, swapname('%')],
        \ [0, 0, 'wipe', 'nofile', 0, 0, ''])
  call Same('the list has no undo history', undotree().entries, [])
  call search('Alpha')
  let l:column = col('.')
  call Call('card/create', {'title': 'Beta', 'group': 'company', 'type': 'text', 'fields': {'text': 'x'}})
  normal R
  call Check('R refreshes', Await({-> s:text() =~# 'Beta'}), s:text())
  call Check('the cursor stays on its card', getline('.') =~# 'Alpha', getline('.'))
  bwipeout
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

" A list is drawn again for the new width of its window.
function! Test_width() abort
  call FreshVault()
  call s:create(repeat('long ', 5) . 'end', {'tags': ['tag']})
  QuickVault
  call Check('the list is shown', Await({-> s:text() =~# 'long end'}), s:text())
  50vnew
  wincmd p
  doautocmd VimResized
  call Check('the title is cut', s:text() =~# 'long.*…', s:text())
  only
  doautocmd VimResized
  call Check('the whole title has room', s:text() =~# 'long end', s:text())
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

" <Plug> maps are the commands.
function! Test_plug_maps() abort
  call FreshVault()
  call s:create('Alpha')
  nmap ,q <Plug>(quickvault-list)
  execute "normal ,q"
  call Check('the list is shown', Await({-> s:text() =~# 'Alpha'}), s:text())
  nunmap ,q
  bwipeout
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

" So are an unlock that only the status tells, and a lock by the start of the demo.
function! Test_events_without_notification() abort
  call FreshVault()
  QuickVaultLock
  call Check('the vault is locked', Await({-> !quickvault#session#is_unlocked()}))
  let s:events = []
  augroup test_events
    autocmd User QuickVaultUnlocked,QuickVaultLocked call add(s:events, expand('<amatch>'))
  augroup END
  call Call('session/unlock', {'password': 'correct horse'})
  call quickvault#session#status()
  call Same('the unlock is told', s:events, ['QuickVaultUnlocked'])
  call quickvault#session#toggle_demo()
  call quickvault#session#toggle_demo()
  call Same('the demo is told once', s:events, ['QuickVaultUnlocked', 'QuickVaultLocked'])
  autocmd! test_events
endfunction

" R17: :checkhealth in Neovim has the findings of quickvault doctor, in the language in use.
function! Test_health() abort
  call FreshVault()
  let l:findings = quickvault#doctor#findings()
  call Same('doctor has no problem', l:findings.problem, '')
  call Check('doctor finds the program', l:findings.findings[0].text =~# '^Program: quickvault \d', l:findings.findings[0])
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
    execute 'silent %substitute/^' . l:label . ': \?$/' . l:label . ': ' . l:value
  endfor
  call append(search('^Notes'), ['  one', '  # two'])
  call append('$', ['*Door: code: 4711#', '"a: b": c'])
  write
  call Check('saved', !&modified, s:text())
  call Check('no issue is left', s:text() !~# '✗', s:text())
  call Check('the buffer is renamed', bufname('%') =~# '^quickvault://edit/[0-9a-f-]\{36}$', bufname('%'))
  call Same('the buffer of the empty form is wiped out', bufexists('quickvault://new/address'), 0)
  let l:card = Call('card/get', {'id': b:quickvault.id}).card
  call Same('tags', sort(l:card.tags), ['home', '税务'])
  call Same('R4 several lines', filter(copy(l:card.fields), 'v:val.key ==# "notes"')[0].value, "one\n# two")
  call Same('own fields', map(copy(l:card.extraFields), '[v:val.label, v:val.value, v:val.concealed]'),
        \ [['Door', 'code: 4711#', v:true], ['a: b', 'c', v:false]])
  call Same('a form can be undone', len(undotree().entries) > 0, 1)
  silent %substitute/^Notes:\_.\{-}\n\n/Notes: \r\r/
  write
  let l:card = Call('card/get', {'id': b:quickvault.id}).card
  call Same('an emptied value is removed', filter(copy(l:card.fields), 'v:val.key ==# "notes"'), [])
  bwipeout
endfunction

" R4: a text survives its form unchanged.
function! Test_text_is_exact() abort
  call FreshVault()
  for l:text in ["# a\n--- b ---\n  c: d\n\n", "x\r\ny", " lead", "\n\nz"]
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

" R12: every buffer is blanked without undo history.
function! Test_lock() abort
  call FreshVault()
  let l:card = s:create('Secret title')
  QuickVault
  call Await({-> s:text() =~# 'Secret title'})
  execute 'split quickvault://card/' . l:card.id
  call Await({-> s:text() =~# 'second line'})
  execute 'split quickvault://edit/' . l:card.id
  call Await({-> s:text() =~# 'second line'})
  call append('$', 'typed')
  let l:ours = filter(map(getbufinfo({'bufloaded': 1}), 'v:val.bufnr'), 'quickvault#buffer#is_vault_buffer(v:val)')
  call Same('three buffers', len(l:ours), 3)
  QuickVaultLock!
  call Check('R12 locked', Await({-> !quickvault#session#is_unlocked()}))
  for l:buffer in l:ours
    call Check('R12 blanked ' . bufname(l:buffer), join(getbufline(l:buffer, 1, '$')) =~# '^Locked\. Press \S\+ or type :QuickVault to unlock\.$',
          \ getbufline(l:buffer, 1, '$'))
    call win_execute(win_findbuf(l:buffer)[0], 'let g:tree = undotree() | setlocal modifiable | silent! undo')
    call Same('R12 no undo in ' . bufname(l:buffer), [g:tree.entries, len(getbufline(l:buffer, 1, '$'))], [[], 1])
    call Check('R12 state forgotten', string(getbufvar(l:buffer, 'quickvault')) !~# 'Secret')
  endfor
  call Same('no completion while locked', quickvault#complete#title('', '', 0), [])
  only!
  bwipeout!
endfunction

" Checks that what a page says about a setting is in its own words, not in those of the protocol.
function! s:check_words(place) abort
  let l:said = s:text() . execute('messages') . join(map(getloclist(0), 'v:val.text'), "\n")
  call Same('R13 no word of the protocol: ' . a:place, matchstr(l:said, '\C[a-z]\+Seconds\|sharedUnlock\|Parameter\|null\|JSON'), '')
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

" S: the status line speaks up only if something is wrong.
function! Test_sync_in_the_status_line() abort
  call FreshVault()
  call Same('S nothing is wrong', quickvault#statusline(), 'QuickVault: unlocked')
  let l:problem = {'replica': 'c', 'machine': '', 'behind': 0, 'problem': {'kind': 'missing', 'segment': 3}}
  for l:wrong in [{'state': 'failed'}, {'needsPassword': v:true}, {'replicas': [l:problem]}, {'needsAttention': {'message': ''}}]
    call quickvault#sync#set(extend({'enabled': v:true, 'state': 'idle', 'replicas': []}, l:wrong))
    call Check('S ' . string(keys(l:wrong)), quickvault#statusline() =~# ':QuickVaultSync', quickvault#statusline())
  endfor
  call quickvault#sync#set({})
endfunction

" A cancelled request gets a response, and its id is in the parameters.
function! Test_cancel() abort
  call FreshVault()
  let l:answers = []
  let l:Note = {error, result -> add(l:answers, get(error, 'kind', 'done'))}
  call quickvault#server#request('vault/verify', {}, l:Note)
  call quickvault#server#cancel(quickvault#server#request('vault/changePassword',
        \ {'oldPassword': 'correct horse', 'newPassword': 'battery staple'}, l:Note))
  call Check('both get a response', Await({-> len(l:answers) == 2}), l:answers)
  call Check('the second was cancelled, or done before', index(['rpc.cancelled', 'done'], l:answers[1]) >= 0, l:answers)
endfunction

call RunTests()
