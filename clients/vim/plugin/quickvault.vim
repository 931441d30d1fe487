" QuickVault: an encrypted vault for text that you paste often.
" SPDX-License-Identifier: Apache-2.0
" Requires Neovim 0.7 or later, or Vim 8.2.4684 or later with +channel, +job and +timers.  See :help quickvault
scriptencoding utf-8

if exists('g:loaded_quickvault')
  finish
endif
let g:loaded_quickvault = 1

" Allow line continuation.
let s:cpoptions = &cpoptions
set cpoptions&vim

let s:problem = (has('nvim') ? !has('nvim-0.7') : !has('patch-8.2.4684') || !has('channel') || !has('job') || !has('timers'))
      \ ? 'requires.editor' : s:cpoptions =~# '[C<]' ? 'requires.cpoptions' : ''
if !empty(s:problem)
  execute 'command! -nargs=* QuickVault echohl ErrorMsg | echomsg' string(quickvault#text#get(s:problem)) '| echohl None'
  let &cpoptions = s:cpoptions
  unlet s:cpoptions s:problem
  finish
endif

command! -nargs=* -complete=customlist,quickvault#complete#qv Qv call quickvault#qv#command(<q-mods>, <q-args>)
command! -bar QuickVault call quickvault#open(<q-mods>)
command! -bang -nargs=? -complete=customlist,quickvault#complete#copy QuickVaultCopy call quickvault#copy(<q-args>, <bang>0)
command! -bang -nargs=? -complete=customlist,quickvault#complete#copy QuickVaultInsert
      \ call quickvault#insert(<q-args>, <bang>0)
command! -bang -nargs=? -complete=customlist,quickvault#complete#copy QuickVaultPick
      \ call quickvault#copy(<q-args>, <bang>0, 1)
command! -nargs=? QuickVaultSearch call quickvault#search(<q-mods>, <q-args>)
command! -bar -nargs=? -complete=customlist,quickvault#complete#type QuickVaultNew
      \ call quickvault#new(<q-mods>, <q-args>)
command! -bar -range -register QuickVaultPaste
      \ call quickvault#paste(<q-mods>, <range> ? getline(<line1>, <line2>) : [], <q-reg>)
command! -bar -bang QuickVaultLock call quickvault#lock(<bang>0)
command! -bar QuickVaultUnlock call quickvault#unlock()
command! -bar QuickVaultStatus call quickvault#status()
command! -bar QuickVaultAnswer call quickvault#shared#answer()
command! -bar QuickVaultDrafts call quickvault#draft#open(<q-mods>)
command! -bar QuickVaultUndelete call quickvault#action#undo(['card/restore'])
command! -bar QuickVaultHistory call quickvault#action#do('history')
command! -bar QuickVaultRevert call quickvault#action#do('revert')
command! -bar QuickVaultSettings call quickvault#buffer#open('quickvault://settings', <q-mods> . ' split')
command! -bar QuickVaultConflicts call quickvault#buffer#open('quickvault://conflicts', <q-mods> . ' split')
command! -bar QuickVaultDemo call quickvault#demo()
command! -nargs=* -complete=customlist,quickvault#complete#file QuickVaultAttach
      \ call quickvault#attachment#attach(<f-args>)
command! -bar -bang QuickVaultViewAttachment call quickvault#attachment#view(<bang>0)
command! -bar QuickVaultPreviewAttachment call quickvault#attachment#preview()
command! -nargs=? -complete=customlist,quickvault#complete#export QuickVaultExportAttachment
      \ call quickvault#attachment#export(<q-args>)
command! -nargs=? QuickVaultSetWatermark call quickvault#attachment#set_watermark(<f-args>)
command! -bar QuickVaultDeleteAttachment call quickvault#attachment#delete()

" Commands that stand for words of qv.
command! -bar QuickVaultSync call quickvault#qv#open(<q-mods>, 'sync')
command! -bar QuickVaultAccount call quickvault#qv#open(<q-mods>, 'account')
command! -bar QuickVaultLog call quickvault#qv#open(<q-mods>, 'log')
command! -bar QuickVaultDevices call quickvault#qv#open(<q-mods>, 'devices')
command! -bar QuickVaultRevoke call quickvault#qv#open(<q-mods>, 'clients')
command! -bar QuickVaultVerify call quickvault#qv#open(<q-mods>, 'verify')
command! -bar QuickVaultRepair call quickvault#qv#open(<q-mods>, 'repair')
command! -bar QuickVaultPassword call quickvault#qv#open(<q-mods>, 'password')
command! -bar QuickVaultDestroy call quickvault#qv#open(<q-mods>, 'delete-vault')
command! -bar QuickVaultDoctor call quickvault#qv#open(<q-mods>, 'doctor')
command! -bar QuickVaultReportBug call quickvault#qv#open(<q-mods>, 'doctor --report')
command! -bar QuickVaultPrivacy call quickvault#qv#open(<q-mods>, 'privacy')
command! -nargs=* -complete=customlist,quickvault#complete#qv QuickVaultFingerprint
      \ call quickvault#qv#open(<q-mods>, 'fingerprint', <q-args>)
command! -nargs=* -complete=customlist,quickvault#complete#qv QuickVaultFzf
      \ call quickvault#qv#open(<q-mods>, 'pick --copy', <q-args>)
command! -nargs=* -complete=customlist,quickvault#complete#qv QuickVaultJoin
      \ call quickvault#qv#open(<q-mods>, 'sync join', <q-args>, 'join.folder')
command! -nargs=* -complete=customlist,quickvault#complete#qv QuickVaultImport
      \ call quickvault#qv#open(<q-mods>, 'import', <q-args>, 'import.file')
command! -nargs=* -complete=customlist,quickvault#complete#qv QuickVaultExport
      \ call quickvault#qv#open(<q-mods>, 'export', <q-args>, 'write.to')
command! -nargs=* -complete=customlist,quickvault#complete#qv QuickVaultBackup
      \ call quickvault#qv#open(<q-mods>, 'backup', <q-args>, 'backup.to')
command! -nargs=* -complete=customlist,quickvault#complete#qv QuickVaultMerge
      \ call quickvault#qv#open(<q-mods>, 'merge', <q-args>, 'merge.file')
command! -range=% -nargs=* -complete=customlist,quickvault#complete#qv QuickVaultImportLines
      \ call quickvault#qv#import_lines(<q-mods>, <line1>, <line2>, <q-args>)

for s:name in ['Search', 'Copy', 'Pick', 'Fzf', 'Insert', 'New', 'Paste', 'Conflicts', 'Lock', 'Unlock']
  execute printf('nnoremap <Plug>(quickvault-%s) <Cmd>QuickVault%s<CR>', tolower(s:name), s:name)
endfor
nnoremap <Plug>(quickvault-list) <Cmd>QuickVault<CR>
xnoremap <Plug>(quickvault-paste) :QuickVaultPaste<CR>

augroup quickvault
  autocmd!
  autocmd BufReadCmd quickvault://* ++nested call quickvault#buffer#read(expand('<amatch>'))
  autocmd SessionLoadPost * ++nested call quickvault#buffers#load_session()
  autocmd BufWriteCmd quickvault://* ++nested call quickvault#buffer#write()
  autocmd BufFilePost * if exists('b:quickvault') | call quickvault#buffer#keep_name() | endif
augroup END

let &cpoptions = s:cpoptions
unlet s:cpoptions s:problem s:name
