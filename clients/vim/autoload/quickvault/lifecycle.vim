" Reacts to Vim going to the background, returning and exiting.

let s:focus_timer = 0
let s:look_timer = 0

" Milliseconds between two looks at what other processes changed.
let s:look_pause = 2000

" Starts watching; called when the server is running.
function! quickvault#lifecycle#watch() abort
  augroup quickvault_lifecycle
    autocmd!
    autocmd VimSuspend * call s:on_suspend()
    autocmd VimResume * call quickvault#server#notify('client/didBecomeActive', {}) | call quickvault#shared#look('')
    autocmd FocusLost * call s:on_focus_lost()
    autocmd FocusGained * call timer_stop(s:focus_timer) | call quickvault#session#look()
          \ | call quickvault#server#notify('client/didBecomeActive', {})
    autocmd VimResized * call quickvault#buffers#redraw_lists()
    if exists('##WinResized')
      autocmd WinResized * call quickvault#buffers#redraw_lists()
    endif
    autocmd VimLeavePre * call s:on_exit()
  augroup END
  call timer_stop(s:look_timer)
  let s:look_timer = timer_start(s:look_pause, {-> quickvault#session#look()}, {'repeat': -1})
  call quickvault#privacy#watch()
endfunction

" Tells the server and waits for the lock, so that the screen is blank when Vim resumes; also if other programs go on with the
" vault.
function! s:on_suspend() abort
  call quickvault#qv#blank()
  if quickvault#session#is_unlocked()
    call quickvault#draft#put_all()
    call quickvault#server#notify('client/didEnterBackground', {})
    call quickvault#server#wait('vault/status', {}, 2000)
  endif
  if quickvault#session#is_unlocked() && quickvault#session#is_shared()
    call quickvault#session#set_unlocked(0)
    call quickvault#buffers#blank(0, 1)
  endif
endfunction

" Tells the server after the time of the option, and then a moment more: a dialog of Vim takes the focus too, and when it
" closes, timers that are due run before the focus is back.  Does not if a lock would discard unsaved changes or remove a
" file from its viewer.
function! s:on_focus_lost() abort
  call quickvault#draft#put_all()
  if get(g:, 'quickvault_lock_on_focus_lost', 0) > 0
    call s:wait(1000 * get(g:, 'quickvault_lock_on_focus_lost', 0), {-> s:wait(150, {-> s:report_focus_lost()})})
  endif
endfunction

function! s:wait(milliseconds, Then) abort
  call timer_stop(s:focus_timer)
  let s:focus_timer = timer_start(a:milliseconds, {-> a:Then()})
endfunction

function! s:report_focus_lost() abort
  if quickvault#session#is_unlocked() && empty(quickvault#buffers#unsaved()) && !quickvault#viewer#is_open()
    call quickvault#server#notify('client/didEnterBackground', {})
  endif
endfunction

" Runs before viminfo is written.
function! s:on_exit() abort
  call quickvault#viewer#clear()
  call quickvault#privacy#track_remembered()
  call quickvault#buffers#wipe()
  call quickvault#copy#clear()
  call quickvault#privacy#on_exit()
  call quickvault#draft#finish()
  call quickvault#server#stop()
endfunction
