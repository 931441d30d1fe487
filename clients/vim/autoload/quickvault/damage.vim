" Checking and repairing the vault.  The page of a damaged vault says in words what is damaged, and has nothing of the
" vault's contents.
scriptencoding utf-8

let s:findings = {
      \ 'records': [
      \   'Records were changed, removed, added or put back, or cannot be decrypted. A repair keeps the readable ones.',
      \   '有记录被更改、删除、添加或换回旧版，或无法解密。修复会保留可读取的记录。'],
      \ 'structure': [
      \   'The structure of the file is damaged. A repair writes a new file.',
      \   '文件的结构已损坏。修复会写入一个新文件。'],
      \ 'keySlots': [
      \   'The key slots are not those that QuickVault wrote. Somebody may have put back an earlier password. '
      \     . 'A repair keeps only the slot of your password; then change the password (:QuickVaultPassword).',
      \   '密钥槽与随取写入的不符，可能有人换回了以前的密码。'
      \     . '修复时只保留您当前密码的密钥槽；修复后请更改密码（:QuickVaultPassword）。'],
      \ 'plainSettings': [
      \   'The settings that are not encrypted were changed. A repair writes them again.',
      \   '未加密的设置被更改。修复会重新写入这些设置。'],
      \ 'attempts': [
      \   'The count of wrong passwords was removed. A repair writes it again.',
      \   '密码错误次数的记录被删除。修复会重新写入。'],
      \ }

" Checks the whole vault; if it is damaged, shows how on a page.
function! quickvault#damage#verify(modifiers) abort
  call quickvault#session#request('vault/verify', {'progressToken': 'verify'}, {result -> quickvault#damage#show(a:modifiers, result)})
endfunction

" Shows the result of vault/verify: that of an intact vault on the last line, and on the page if that is open.
function! quickvault#damage#show(modifiers, result) abort
  let s:result = a:result
  if a:result.integrity ==# 'damaged'
    call quickvault#buffer#open('quickvault://damage', a:modifiers . ' split')
  endif
  call s:fill_page(s:draw(a:result))
  if a:result.integrity !=# 'damaged'
    call quickvault#message#info(quickvault#text#get('verified', a:result.cards))
  endif
endfunction

function! s:fill_page(lines) abort
  let l:buffer = bufnr('^quickvault://damage$')
  if l:buffer > 0
    call quickvault#buffer#call_in(l:buffer, {-> quickvault#buffer#fill(a:lines)})
  endif
endfunction

function! quickvault#damage#read() abort
  call quickvault#buffer#setup_view()
  call quickvault#keys#damage()
  if exists('s:result')
    call quickvault#buffer#fill(s:draw(s:result))
  else
    call quickvault#damage#refresh()
  endif
endfunction

" Checks the vault again.
function! quickvault#damage#refresh() abort
  call quickvault#damage#verify('')
endfunction

function! s:draw(result) abort
  let l:lines = [a:result.integrity !=# 'damaged' ? quickvault#text#get('verified', a:result.cards)
        \ : quickvault#text#get('verify.damaged', len(a:result.damaged), a:result.cards), '']
  for l:finding in a:result.findings
    call add(l:lines, '- ' . s:explain(l:finding))
  endfor
  if !empty(a:result.damaged)
    call extend(l:lines, ['', quickvault#text#get('verify.records')] + map(copy(a:result.damaged), '"  " . v:val'))
  endif
  return l:lines + ['', quickvault#text#get('verify.backup'), quickvault#text#get('hint.damage')]
        \ + quickvault#session#demo_lines()
endfunction

" Returns what a kind of damage means and what a repair does.
function! s:explain(finding) abort
  let l:column = quickvault#text#language() ==# 'en' ? 0 : 1
  return has_key(s:findings, a:finding) ? s:findings[a:finding][l:column] : quickvault#text#get('verify.other', a:finding)
endfunction

" Repairs a damaged vault, after confirmation.
function! quickvault#damage#repair() abort
  if quickvault#session#is_unlocked()
    let [l:error, l:result] = quickvault#session#wait_with_progress(quickvault#text#get('verifying'), 'vault/verify', {})
    if empty(l:error) && l:result.integrity !=# 'damaged'
      return quickvault#message#result(quickvault#text#get('repair.intact'))
    endif
  endif
  if quickvault#prompt#confirm(quickvault#text#get('repair'), quickvault#text#get('repair.choices'), 2) != 1
    return
  endif
  let [l:error, l:answer] = quickvault#password#with(quickvault#text#get('password'), function('s:repair'))
  if !empty(l:error)
    return quickvault#message#error(l:error)
  endif
  call quickvault#buffer#refresh_changed({'all': v:true})
  if l:answer.backup is v:null
    call quickvault#message#info(quickvault#text#get('repair.intact'))
  else
    " The number is null if the repair found no count of the cards.
    let l:missing = l:answer.missingCards is v:null ? quickvault#text#get('repaired.unknown') : l:answer.missingCards
    let l:text = quickvault#text#get('repaired', l:answer.kept.cards, len(l:answer.dropped), l:missing, l:answer.backup)
    unlet! s:result
    call s:fill_page([l:text] + quickvault#session#demo_lines())
    redraw
    echo l:text
  endif
endfunction

" vault/repair takes no progress token.
function! s:repair(password) abort
  call quickvault#message#progress(quickvault#text#get('repairing'))
  try
    return quickvault#session#wait('vault/repair', {'password': a:password})
  finally
    call quickvault#message#clear()
  endtry
endfunction
