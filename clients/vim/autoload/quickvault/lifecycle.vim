" Reacts to Vim going to the background, returning and exiting.

" Starts watching; called when the server is running.
function! quickvault#lifecycle#watch() abort
  augroup quickvault_lifecycle
    autocmd!
    autocmd VimSuspend * call s:on_suspend()
    autocmd VimResume * call quickvault#server#notify('client/didBecomeActive', {})
    autocmd FocusLost * call s:on_focus_lost()
    autocmd FocusGained * call quickvault#server#notify('client/didBecomeActive', {})
    autocmd VimLeavePre * call s:on_exit()
  augroup END
  call quickvault#privacy#watch()
endfunction

" Tells the server and waits for the lock, so that the screen is blank when Vim resumes.
function! s:on_suspend() abort
  if quickvault#session#is_unlocked()
    call quickvault#server#notify('client/didEnterBackground', {})
    call quickvault#server#wait('vault/status', {}, 2000)
  endif
endfunction

function! s:on_focus_lost() abort
  if get(g:, 'quickvault_lock_on_focus_lost', 0)
    call quickvault#server#notify('client/didEnterBackground', {})
  endif
endfunction

" Runs before viminfo is written.
function! s:on_exit() abort
  call quickvault#viewer#clear()
  call quickvault#buffer#wipe()
  call quickvault#copy#clear()
  call quickvault#privacy#on_exit()
  call quickvault#server#stop()
endfunction
