" Vim's own life as far as the vault is concerned: going to the background, coming back, ending.

" Begins to watch, once the server runs.
function! quickvault#life#watch() abort
  augroup quickvault_life
    autocmd!
    autocmd VimSuspend * call s:hide()
    autocmd VimResume * call quickvault#server#notify('client/didBecomeActive', {})
    autocmd FocusLost * call s:lose_focus()
    autocmd FocusGained * call quickvault#server#notify('client/didBecomeActive', {})
    autocmd VimLeavePre * call s:leave()
  augroup END
  call quickvault#traces#watch()
endfunction

" Says so and waits for the lock, so that nothing of the vault is on the screen when Vim comes back.
function! s:hide() abort
  if quickvault#session#is_unlocked()
    call quickvault#server#notify('client/didEnterBackground', {})
    call quickvault#server#wait('vault/status', {}, 2000)
  endif
endfunction

function! s:lose_focus() abort
  if get(g:, 'quickvault_lock_on_focus_lost', 0)
    call quickvault#server#notify('client/didEnterBackground', {})
  endif
endfunction

" Before viminfo is written.
function! s:leave() abort
  call quickvault#viewer#clear()
  call quickvault#buffer#wipe()
  call quickvault#copy#clear()
  call quickvault#traces#clear()
  call quickvault#server#stop()
endfunction
