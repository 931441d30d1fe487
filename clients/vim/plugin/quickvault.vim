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

command! -bar QuickVault call quickvault#open(<q-mods>)
command! -bang -nargs=? -complete=customlist,quickvault#complete#copy QuickVaultCopy call quickvault#copy(<q-args>, <bang>0)
command! -bang -nargs=? -complete=customlist,quickvault#complete#copy QuickVaultInsert
      \ call quickvault#insert(<q-args>, <bang>0)
command! -bang -nargs=? -complete=customlist,quickvault#complete#copy QuickVaultPick
      \ call quickvault#pick('picker', <q-args>, <bang>0)
command! -bang -nargs=? -complete=customlist,quickvault#complete#copy QuickVaultFzf
      \ call quickvault#pick('fzf', <q-args>, <bang>0)
command! -nargs=? QuickVaultSearch call quickvault#search(<q-mods>, <q-args>)
command! -bar -nargs=? -complete=customlist,quickvault#complete#type QuickVaultNew
      \ call quickvault#new(<q-mods>, <q-args>)
command! -bar -bang QuickVaultLock call quickvault#lock(<bang>0)
command! -bar QuickVaultUnlock call quickvault#unlock()
command! -bar QuickVaultStatus call quickvault#status()
command! -bar QuickVaultAnswer call quickvault#shared#answer()
command! -bar QuickVaultRevoke call quickvault#shared#revoke()
command! -bar QuickVaultDrafts call quickvault#drafts#open(<q-mods>)
command! -bar QuickVaultUndelete call quickvault#action#undelete()
command! -bar QuickVaultSettings call quickvault#settings#open(<q-mods>)
command! -bar QuickVaultSync call quickvault#sync#open(<q-mods>)
command! -bar QuickVaultConflicts call quickvault#conflicts#open(<q-mods>)
command! -bar QuickVaultAccount call quickvault#account#open(<q-mods>)
command! -nargs=? -complete=dir QuickVaultJoin call quickvault#sync#join(<q-args>)
command! -bar QuickVaultLog call quickvault#log#open(<q-mods>)
command! -bar QuickVaultPassword call quickvault#password#change()
command! -bar QuickVaultVerify call quickvault#damage#verify(<q-mods>)
command! -bar QuickVaultDestroy call quickvault#password#destroy()
command! -nargs=? -complete=customlist,quickvault#complete#import QuickVaultImport
      \ call quickvault#transfer#import(<q-args>)
command! -nargs=? -complete=customlist,quickvault#complete#format QuickVaultExport
      \ call quickvault#transfer#export(<q-args>)
command! -nargs=? -complete=dir QuickVaultBackup call quickvault#transfer#backup(<q-args>)
command! -nargs=? -complete=file QuickVaultMerge call quickvault#transfer#merge(<q-args>)
command! -range=% -nargs=? QuickVaultImportLines call quickvault#transfer#import_lines(<line1>, <line2>, <q-args>)
command! -bar QuickVaultRepair call quickvault#damage#repair()
command! -bar QuickVaultDoctor call quickvault#doctor#open(<q-mods>)
command! -bar QuickVaultPrivacy call quickvault#doctor#privacy(<q-mods>)
command! -bar QuickVaultReportBug call quickvault#doctor#open(<q-mods>, '--report')
command! -bar QuickVaultDemo call quickvault#transfer#demo()
command! -bar -nargs=? -complete=customlist,quickvault#complete#fingerprint QuickVaultFingerprint
      \ call quickvault#fingerprint#command(<q-args>)
command! -bar QuickVaultDevices call quickvault#devices#open(<q-mods>)
command! -nargs=* -complete=customlist,quickvault#complete#file QuickVaultAttach
      \ call quickvault#attachment#attach(<f-args>)
command! -bar -bang QuickVaultViewAttachment call quickvault#attachment#view(<bang>0)
command! -bar QuickVaultPreviewAttachment call quickvault#attachment#preview()
command! -nargs=? -complete=customlist,quickvault#complete#export QuickVaultExportAttachment
      \ call quickvault#attachment#export(<q-args>)
command! -nargs=? QuickVaultSetWatermark call quickvault#attachment#set_watermark(<f-args>)
command! -bar QuickVaultDeleteAttachment call quickvault#attachment#delete()

nnoremap <Plug>(quickvault-list) <Cmd>QuickVault<CR>
nnoremap <Plug>(quickvault-search) <Cmd>QuickVaultSearch<CR>
nnoremap <Plug>(quickvault-copy) <Cmd>QuickVaultCopy<CR>
nnoremap <Plug>(quickvault-pick) <Cmd>QuickVaultPick<CR>
nnoremap <Plug>(quickvault-fzf) <Cmd>QuickVaultFzf<CR>
nnoremap <Plug>(quickvault-insert) <Cmd>QuickVaultInsert<CR>
nnoremap <Plug>(quickvault-new) <Cmd>QuickVaultNew<CR>
nnoremap <Plug>(quickvault-conflicts) <Cmd>QuickVaultConflicts<CR>
nnoremap <Plug>(quickvault-lock) <Cmd>QuickVaultLock<CR>
nnoremap <Plug>(quickvault-unlock) <Cmd>QuickVaultUnlock<CR>

augroup quickvault
  autocmd!
  autocmd BufReadCmd quickvault://* ++nested call quickvault#buffer#read(expand('<amatch>'))
  autocmd SessionLoadPost * ++nested call quickvault#buffer#load_session()
  autocmd BufWriteCmd quickvault://* ++nested call quickvault#buffer#write()
  autocmd BufFilePost * if exists('b:quickvault') | call quickvault#buffer#keep_name() | endif
augroup END

let &cpoptions = s:cpoptions
unlet s:cpoptions s:problem
