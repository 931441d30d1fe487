" Tests of drafts, with the real server.
scriptencoding utf-8
source <sfile>:h/harness.vim

function! s:drafts() abort
  return Call('draft/get', {'client': 'vim'}).items
endfunction

function! s:lock_and_unlock() abort
  QuickVaultLock
  call Check('locked', Await({-> Text() =~# '^Locked'}), Text())
  call quickvault#session#did_unlock(Call('session/unlock', {'password': 'correct horse'}))
  call quickvault#buffers#restore()
endfunction

" R1: u in the list takes an edit back; an earlier version opens beside the form.
function! Test_an_edit_is_taken_back() abort
  call FreshVault()
  let l:card = Call('card/create', {'title': 'Room', 'group': 'company', 'type': 'text', 'fields': {'text': 'x'}}).card
  execute 'split quickvault://edit/' . l:card.id
  call Check('loaded', Await({-> Text() =~# 'Title: Room'}), Text())
  call setline(search('^Title:'), 'Title: Hall')
  write
  call Same('R1 saved', Call('card/get', {'id': l:card.id}).card.title, 'Hall')
  call quickvault#action#undo()
  call Same('R1 taken back', Call('card/get', {'id': l:card.id}).card.title, 'Room')
  call quickvault#edit#compare(l:card.id, {'card': l:card.id, 'version': Call('card/history', {'id': l:card.id}).versions[0].version})
  call Check('R1 beside', Await({-> len(filter(range(1, winnr('$')), 'join(getbufline(winbufnr(v:val), 1, "$")) =~# "Title: Hall"')) == 1}))
  only!
  bwipeout!
endfunction

" O: a code is copied in place of its key, and a password is generated in a form.
function! Test_codes_and_passwords() abort
  call FreshVault()
  let l:card = Call('card/create', {'title': 'Mail', 'group': 'personal', 'type': 'text', 'fields': {'text': 'x'}, 'extraFields': [
        \ {'label': 'totp', 'concealed': v:true, 'value': 'otpauth://totp/a?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'}]}).card
  QuickVaultCopy -field=totp Mail
  call Check('O a code', getreg(quickvault#copy#register()) =~# '^\d\{6}$')
  execute 'split quickvault://card/' . l:card.id
  call Check('O masked', Await({-> Text() =~# 'totp  ••••••  (one-time code)'}), Text())
  bwipeout!
  execute 'split quickvault://edit/' . l:card.id
  call Check('loaded', Await({-> Text() =~# '\*totp: ••••'}), Text())
  call search('^\*totp')
  30QuickVaultGenerate
  call Check('O generated', getline('.') =~# '^\*totp: [!-~]\{30}$', getline('.'))
  bwipeout!
endfunction

" P: a text fills in a form, whose changes are unsaved; :w makes the card.
function! Test_paste_fills_in_a_form() abort
  call FreshVault()
  call setreg('a', '收件人：韩梅 13800138001 广东深圳南山科技路88号')
  QuickVaultPaste a
  call Check('P filled in', Text() =~# 'Name: 韩梅\nPhone: 13800138001\nProvince: 广东省\nCity: 深圳市\n', Text())
  call Check('P unsaved', &modified)
  call Check('P kept', Await({-> len(s:drafts()) == 1}), s:drafts())
  write
  call Same('P saved', Call('card/list', {}).items[0].title, '韩梅')
  bwipeout!
  enew!
  call setline(1, ['Ring twice.', 'Or three times.'])
  1,2QuickVaultPaste
  call Check('P lines', Text() =~# 'Ring twice.\nOr three times.', Text())
  bwipeout!
endfunction

" R12: text that changes all the time is sent too, and losing the focus sends it at once.
function! Test_draft_while_typing() abort
  call FreshVault()
  let g:quickvault_draft_delay = 50
  QuickVaultNew address
  call Check('an empty form', Await({-> Text() =~# 'Postal code: '}), Text())
  let s:typed = 0
  call Check('R12 the draft is stored', Await({-> s:type_more() || !empty(s:drafts())}))
  call append('$', 'Note: the end')
  doautocmd FocusLost
  call Check('R12 the focus sends the rest', s:drafts()[0].text =~# 'the end', s:drafts())
  bwipeout!
  unlet g:quickvault_draft_delay
endfunction

function! s:type_more() abort
  let s:typed += 1
  call setline('$', 'Note: ' . s:typed)
  doautocmd TextChangedI
endfunction

" R12: a command and the end of Insert mode send the changes before anything else waits.  They are kept once the server has
" said so.
function! Test_draft_at_once() abort
  call FreshVault()
  let g:quickvault_draft_delay = 3600000
  QuickVaultNew address
  call Check('an empty form', Await({-> Text() =~# 'Postal code: '}), Text())
  for l:event in ['InsertLeave', 'TextChanged']
    call append('$', 'Note: before ' . l:event)
    call system('kill -STOP ' . quickvault#server#process_id())
    execute 'doautocmd' l:event
    call Check('R12 a lock might lose the text before ' . l:event, quickvault#buffers#would_lose_changes())
    call system('kill -CONT ' . quickvault#server#process_id())
    call Check('R12 the draft is kept', Await({-> !quickvault#buffers#would_lose_changes()}))
    call Check('R12 it is the text', s:drafts()[0].text =~# l:event, s:drafts())
    undo
    doautocmd TextChanged
    call Check('R12 what was undone is not kept', Await({-> empty(s:drafts())}), s:drafts())
  endfor
  bwipeout!
  unlet g:quickvault_draft_delay
endfunction

" R12: a text that the server does not keep, here a too long one, counts as one that a lock would lose.
function! Test_refused_draft() abort
  call FreshVault()
  let g:quickvault_draft_delay = 0
  QuickVaultNew text
  call Check('an empty form', Await({-> Text() =~# '--- Text ---'}), Text())
  call append('$', repeat('x', 200001))
  doautocmd TextChanged
  call Check('the draft is sent', Await({-> get(b:quickvault, 'timer', 1) is 0}))
  call Call('vault/status', {})
  call Check('R12 a lock would lose the text', quickvault#buffers#would_lose_changes())
  call Same('R12 no draft', s:drafts(), [])
  bwipeout!
  unlet g:quickvault_draft_delay
endfunction

" R12: the draft of a card that was deleted meanwhile can be saved as a new card.
function! Test_deleted_card() abort
  call FreshVault()
  let l:card = CreateCard('Door')
  execute 'split quickvault://edit/' . l:card.id
  call Check('loaded', Await({-> Text() =~# 'First line'}), Text())
  call append('$', 'typed')
  QuickVaultLock
  call Check('locked', Await({-> Text() =~# '^Locked'}), Text())
  call quickvault#session#did_unlock(Call('session/unlock', {'password': 'correct horse'}))
  call Call('card/delete', {'id': l:card.id})
  call quickvault#buffers#restore()
  call Check('R12 the changes are back', Await({-> Text() =~# 'First line\ntyped'}), Text())
  call Check('R12 they are unsaved', &modified)
  bwipeout!
endfunction

call RunTests()
