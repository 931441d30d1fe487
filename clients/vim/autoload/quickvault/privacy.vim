" Keeps text from vault buffers out of viminfo: registers, histories, the last search pattern.
"
" It tracks digests of such texts, and removes every text with one of these digests before viminfo is written.

let s:digests = {}
let s:recorded = {}
let s:substituted = 0

function! quickvault#privacy#watch() abort
  augroup quickvault_privacy
    autocmd!
    autocmd TextYankPost quickvault://* call s:on_yank()
    autocmd CmdlineLeave * call s:on_cmdline_leave()
    autocmd OptionSet swapfile,undofile call s:keep_off_disk()
    autocmd InsertLeave,TextChanged quickvault://* call quickvault#privacy#note_recording()
    autocmd InsertLeave quickvault://* call quickvault#privacy#track(getreg('.'))
  augroup END
endfunction

" Turns off in a vault buffer what somebody turned on, such as by `:set swapfile` or the options of a session file.
function! s:keep_off_disk() abort
  if quickvault#buffer#is_vault_buffer(bufnr('%'))
    setlocal noswapfile noundofile
  endif
endfunction

" Tracks a text.
function! quickvault#privacy#track(text) abort
  if !empty(a:text)
    let s:digests[quickvault#privacy#digest(a:text)] = 1
  endif
endfunction

" Returns the SHA-256 hash of a text, or the text itself if Vim lacks sha256().
function! quickvault#privacy#digest(text) abort
  return exists('*sha256') ? sha256(a:text) : a:text
endfunction

function! s:on_yank() abort
  call quickvault#privacy#track(join(v:event.regcontents, "\n") . (v:event.regtype ==# 'V' ? "\n" : ''))
  if v:event.regname =~# '\u'
    call quickvault#privacy#track(getreg(tolower(v:event.regname), 1))
  endif
endfunction

" Tracks command lines, except commands without arguments.  A pattern in one is only known after it has run.
function! s:on_cmdline_leave() abort
  if quickvault#buffer#is_vault_buffer(bufnr('%')) && getcmdline() !~# '^\a*!\?$'
    call quickvault#privacy#track(getcmdline())
    if expand('<afile>') ==# ':'
      let s:substituted = 1
      call timer_start(0, function('s:track_patterns', [histget('/', -1), @/]))
    endif
  endif
endfunction

function! s:track_patterns(history, pattern, timer) abort
  if histget('/', -1) !=# a:history
    call quickvault#privacy#track(histget('/', -1))
  endif
  if @/ !=# a:pattern
    call quickvault#privacy#track(@/)
  endif
endfunction

" Notes that the register that is being recorded, if any, has to be cleared at the next lock.
function! quickvault#privacy#note_recording() abort
  if !empty(reg_recording())
    let s:recorded[tolower(reg_recording())] = 1
  endif
endfunction

" Removes the last entry of a history if it is tracked.
function! quickvault#privacy#forget_last_entry(history) abort
  if has_key(s:digests, quickvault#privacy#digest(histget(a:history, -1)))
    call histdel(a:history, -1)
  endif
endfunction

" Removes commands with a title, query or watermark from the history, also under abbreviated names.
function! quickvault#privacy#forget_commands() abort
  call histdel(':', '\<QuickVault\%(C\%[opy]\|P\%[ick]\|F\%[zf]\|Sea\%[rch]\|A\%[ttach]\|Ins\%[ert]\|SetW\%[atermark]\)\s\+\S')
endfunction

let s:registers = split('0123456789abcdefghijklmnopqrstuvwxyz-', '\zs')

" Clears the registers that hold a text with this digest.
function! quickvault#privacy#clear_registers(digest) abort
  call s:clear_matching({digest -> digest ==# a:digest}, quickvault#editor#has_clipboard())
endfunction

" Clears the registers that hold a text whose digest matches.
function! s:clear_matching(Matches, clipboard) abort
  for l:register in s:registers + (a:clipboard ? ['+', '*'] : [])
    if a:Matches(quickvault#privacy#digest(getreg(l:register, 1)))
      call s:clear_register(l:register)
    endif
  endfor
endfunction

" Clears a register.  Writing one changes where the unnamed register points to, so that is restored.
function! s:clear_register(register) abort
  let l:unnamed = getreginfo('"')
  call setreg(a:register, [])
  if get(l:unnamed, 'points_to', '') !=# a:register && !empty(l:unnamed)
    call setreg('"', l:unnamed)
  endif
endfunction

" Clears the text that . and CTRL-A insert.  Turns 'showmode' off to keep the message about the lock.
let s:clear_dot_register = 'let g:quickvault_showmode = &showmode | set noshowmode | setlocal modifiable'
      \ . ' | execute "normal! i\<Esc>" | setlocal nomodifiable | let &showmode = g:quickvault_showmode'
      \ . ' | unlet g:quickvault_showmode'

" Removes tracked texts when the vault locks, and all messages, because errors repeat what was typed.
" If Vim went to the background, the clipboard keeps its text until its timeout, so that the user can paste it elsewhere.
function! quickvault#privacy#on_lock(background) abort
  call s:forget_all(quickvault#editor#has_clipboard() && !a:background)
  messages clear
  " A function cannot change these permanently (:help function-search-undo), but typed keys can, except at a prompt.
  if has_key(s:digests, quickvault#privacy#digest(@/)) && mode() =~# '^[niv]'
    call feedkeys("\<Cmd>let @/ = ''\<CR>", 'in')
  endif
  if has_key(s:digests, quickvault#privacy#digest(getreg('.'))) && mode() ==# 'n' && quickvault#buffer#is_vault_buffer(bufnr('%'))
    call feedkeys("\<Cmd>" . s:clear_dot_register . "\<CR>", 'in')
  endif
endfunction

" Removes tracked texts and writes viminfo without them.
function! quickvault#privacy#on_exit() abort
  call s:forget_all(quickvault#editor#has_clipboard())
  call quickvault#privacy#forget_commands()
  if s:substituted || has_key(s:digests, quickvault#privacy#digest(@/))
    call s:write_viminfo()
  endif
endfunction

function! s:forget_all(clipboard) abort
  call s:clear_matching({digest -> has_key(s:digests, digest)}, a:clipboard)
  call map(keys(s:recorded), {_, register -> setreg(register, [])})
  let s:recorded = {}
  for l:history in [':', '/', '@', '=', '>']
    for l:number in range(1, max([histnr(l:history), 0]))
      if has_key(s:digests, quickvault#privacy#digest(histget(l:history, l:number)))
        call histdel(l:history, l:number)
      endif
    endfor
  endfor
endfunction

" Vim restores the last patterns when a function or autocommand ends (:help function-search-undo), so viminfo is written
" here, while they are empty, and not again.
function! s:write_viminfo() abort
  let @/ = has_key(s:digests, quickvault#privacy#digest(@/)) ? '' : @/
  if s:substituted
    let l:search = @/
    noautocmd silent! keepjumps new
    silent! substitute/^//e
    noautocmd bwipeout!
    call histdel('/', '^\^$')
    let @/ = l:search
  endif
  if !empty(&viminfo)
    wviminfo
    set viminfo=
  endif
endfunction
