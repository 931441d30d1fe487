" Keeps text from vault buffers out of viminfo: registers, histories, the last search pattern.
"
" It tracks digests of such texts, and removes every text with one of these digests before viminfo is written.

let s:digests = {}
let s:recorded = {}

" What Vim remembered when a vault buffer became the current one; empty in other buffers.
let s:before = {}

" Whether a command line in a vault buffer may have set the text that ~ stands for.
let quickvault#privacy#is_substituted = 0

function! quickvault#privacy#watch() abort
  augroup quickvault_privacy
    autocmd!
    autocmd TextYankPost * if s:shows_vault() | call s:track_yank(v:event) | endif
    " Vim filters lines of a vault buffer through a pipe instead of a temporary file.
    autocmd BufEnter quickvault://* call s:note_remembered()
          \ | let s:shelltemp = s:shelltemp < 0 ? &shelltemp : s:shelltemp | set noshelltemp
    autocmd BufLeave quickvault://* call quickvault#privacy#track_remembered()
          \ | let [s:before, &shelltemp, s:shelltemp] = [{}, s:shelltemp < 0 ? &shelltemp : s:shelltemp, -1]
    autocmd CmdlineEnter * if quickvault#buffer#is_vault_buffer(bufnr('%')) | call quickvault#privacy#note_recording() | endif
    autocmd CmdlineLeave * call s:on_cmdline_leave()
    autocmd QuickFixCmdPost * call s:track_list(expand('<amatch>'))
    " Somebody may turn these on, such as by `:set swapfile` or the options of a session file.
    autocmd OptionSet swapfile,undofile if quickvault#buffer#is_vault_buffer(bufnr('%')) | setlocal noswapfile noundofile | endif
    autocmd InsertEnter,InsertLeave,TextChanged quickvault://* call quickvault#privacy#note_recording()
    autocmd InsertLeave quickvault://* call quickvault#privacy#track(getreg('.'))
    autocmd InsertEnter * call s:limit_completion()
    autocmd InsertLeave * call s:restore_completion()
  augroup END
endfunction

" While a vault buffer is the current one, the value that 'shelltemp' has elsewhere; else -1.
let s:shelltemp = -1

" The buffer whose completion is limited, and its value of 'complete'; empty if there is none.
let s:limited = []

" Keeps what other windows show, which may be a concealed value, out of completion while a vault buffer is open.
function! s:limit_completion() abort
  if empty(s:limited) && quickvault#buffers#is_any_open()
    let s:limited = [bufnr('%'), &l:complete]
    setlocal complete-=w complete-=U
  endif
endfunction

function! s:restore_completion() abort
  if !empty(s:limited)
    call setbufvar(s:limited[0], '&complete', s:limited[1])
    let s:limited = []
  endif
endfunction

" Tracks a text.
function! quickvault#privacy#track(text) abort
  if !empty(a:text)
    let s:digests[quickvault#privacy#digest(a:text)] = 1
  endif
endfunction

" Returns whether a text, or one that was equal, is tracked.
function! quickvault#privacy#is_tracked(text) abort
  return has_key(s:digests, quickvault#privacy#digest(a:text))
endfunction

" Returns the SHA-256 hash of a text, or the text itself if Vim lacks sha256().
function! quickvault#privacy#digest(text) abort
  return exists('*sha256') ? sha256(a:text) : a:text
endfunction

" Returns whether the current buffer shows text of the vault: also a command-line window that was opened in a vault buffer,
" and a list of lines.
function! s:shows_vault() abort
  if !empty(getcmdwintype())
    return quickvault#buffer#is_vault_buffer(winbufnr(winnr('#')))
  elseif &buftype ==# 'quickfix'
    return !empty(filter(getwininfo(win_getid())[0].loclist ? getloclist(0) : getqflist(), 's:is_of_vault(v:val)'))
  endif
  return quickvault#buffer#is_vault_buffer(bufnr('%'))
endfunction

function! s:track_yank(event) abort
  call quickvault#privacy#track(join(a:event.regcontents, "\n") . (a:event.regtype ==# 'V' ? "\n" : ''))
  call quickvault#privacy#track(a:event.regname =~# '\u' ? getreg(tolower(a:event.regname), 1) : '')
endfunction

let s:histories = [':', '/', '@', '=', '>']
let s:registers = split('0123456789abcdefghijklmnopqrstuvwxyz-', '\zs')

function! s:note_remembered() abort
  let s:before = {'numbers': map(copy(s:histories), 'histnr(v:val)'), 'pattern': @/, 'inserted': getreg('.'),
        \ 'registers': map(copy(s:registers), 'getreg(v:val, 1)')}
endfunction

" Tracks what Vim remembers since a vault buffer became the current one.  No event tells of a pattern that a command such as *
" sets, nor of what is left with CTRL-C, nor of a register that a command such as :let sets.
function! quickvault#privacy#track_remembered() abort
  if empty(s:before)
    return
  endif
  for l:index in range(len(s:histories))
    for l:number in range(s:before.numbers[l:index] + 1, max([histnr(s:histories[l:index]), s:before.numbers[l:index]]))
      call s:track_line(s:histories[l:index], histget(s:histories[l:index], l:number))
    endfor
  endfor
  call quickvault#privacy#track(@/ ==# s:before.pattern ? '' : @/)
  call quickvault#privacy#track(getreg('.') ==# s:before.inserted ? '' : getreg('.'))
  for l:register in s:registers
    let l:text = getreg(l:register, 1)
    call quickvault#privacy#track(index(s:before.registers, l:text) >= 0 ? '' : l:text)
  endfor
  call s:note_remembered()
endfunction

" Tracks a command line, except a command that exists and has no arguments.
function! s:track_line(type, line) abort
  if a:type !=# ':' || a:line !~# '^\a*!\?$' || !exists(':' . matchstr(a:line, '^\a*'))
    call quickvault#privacy#track(a:line)
  endif
endfunction

" Tracks also what gets into no history.
function! s:on_cmdline_leave() abort
  if quickvault#buffer#is_vault_buffer(bufnr('%'))
    call s:track_line(expand('<afile>'), getcmdline())
    if expand('<afile>') ==# ':'
      let g:quickvault#privacy#is_substituted = 1
    endif
  endif
endfunction

" Notes that the register that is being recorded, if any, has to be cleared at the next lock.
function! quickvault#privacy#note_recording() abort
  if !empty(reg_recording())
    let s:recorded[tolower(reg_recording())] = 1
  endif
endfunction

" The registers of recordings that have keys for a program in a terminal, as they were before.
let s:dropped = {}

" Notes a recording in a terminal of the vault, since it gets what is typed there, such as a password; as soon as it ends,
" gives its register back what that had.  Returns whether there is such a recording.
function! quickvault#privacy#drop_recording() abort
  let l:name = tolower(reg_recording())
  if !empty(l:name) && !has_key(s:dropped, l:name) && &buftype ==# 'terminal' && quickvault#buffer#is_vault_buffer(bufnr('%'))
    let s:dropped[l:name] = getreginfo(l:name)
  elseif empty(l:name) && !empty(s:dropped)
    for [l:register, l:before] in items(s:dropped)
      call s:set_register(l:register, l:before)
      call filter(s:recorded, 'v:key !=# l:register')
    endfor
    let s:dropped = {}
    call quickvault#message#warn(quickvault#text#get('qv.recording.dropped'))
  endif
  return !empty(s:dropped)
endfunction

let s:commands = '\<\%(Qv\s\+\S\+\|QuickVault\%(C\%[opy]\|P\%[ick]\|F\%[zf]\|Sea\%[rch]\|A\%[ttach]\|Ins\%[ert]\|SetW\%[atermark]\)\)\s\+\S'

" Removes commands with a title, query or watermark from the history, also under abbreviated names.
function! quickvault#privacy#forget_commands() abort
  if histget(':', -1) =~# s:commands
    call quickvault#privacy#track(histget(':', -1))
  endif
  call histdel(':', s:commands)
endfunction

" Clears the registers that hold a text with one of these digests.
function! quickvault#privacy#clear_registers(digests, clipboard) abort
  for l:register in s:registers + (a:clipboard ? ['+', '*'] : [])
    if has_key(a:digests, quickvault#privacy#digest(getreg(l:register, 1)))
      call s:set_register(l:register, [])
    endif
  endfor
endfunction

" Sets a register.  Writing one changes where the unnamed register points to, so that is restored.
function! s:set_register(register, content) abort
  let l:unnamed = getreginfo('"')
  call setreg(a:register, a:content)
  if get(l:unnamed, 'points_to', '') !=# a:register && !empty(l:unnamed)
    call setreg('"', l:unnamed)
  endif
endfunction

" Tracks the lines of vault buffers in the list that a command has made; all that were read in a vault buffer, such as with
" :cbuffer, because the list does not know where they are from.
function! s:track_list(command) abort
  let l:is_read = a:command =~# '\%(buffer\|expr\)$' && quickvault#buffer#is_vault_buffer(bufnr('%'))
  for l:item in a:command =~# '^l' ? getloclist(0) : getqflist()
    call quickvault#privacy#track(l:is_read || s:is_of_vault(l:item) ? l:item.text : '')
  endfor
endfunction

function! s:is_of_vault(item) abort
  return quickvault#privacy#is_tracked(a:item.text) || a:item.bufnr > 0 && quickvault#buffer#is_vault_buffer(a:item.bufnr)
endfunction

" Removes the lines of vault buffers, also of those that were closed, from the quickfix and the location lists.
function! s:clear_lists() abort
  call s:clear_stack(function('getqflist'), function('setqflist'))
  for l:window in getwininfo()
    call s:clear_stack(function('getloclist', [l:window.winid]), function('setloclist', [l:window.winid]))
  endfor
endfunction

function! s:clear_stack(Get, Set) abort
  for l:number in range(1, a:Get({'nr': '$'}).nr)
    let l:items = a:Get({'nr': l:number, 'items': 1}).items
    let l:kept = filter(copy(l:items), '!s:is_of_vault(v:val)')
    if len(l:kept) < len(l:items)
      call a:Set([], 'r', {'nr': l:number, 'items': l:kept, 'title': 'QuickVault'})
    endif
  endfor
endfunction

" Removes tracked texts when the vault locks, and all messages, because errors repeat what was typed.
" If Vim went to the background, the clipboard keeps its text until its timeout, so that the user can paste it elsewhere.
function! quickvault#privacy#on_lock(background) abort
  call quickvault#privacy#track_remembered()
  call s:forget_all(quickvault#editor#has_clipboard() && !a:background)
  call s:clear_lists()
  if !empty(getcmdwintype())
    call quickvault#buffer#fill(s:shows_vault() ? [''] : filter(getline(1, '$'), '!quickvault#privacy#is_tracked(v:val)'))
  endif
  " Neovim keeps the lines that 'inccommand' has shown.
  call map(filter(getbufinfo(), 'v:val.name =~# ''\[Preview]$'''), {_, info -> deletebufline(info.bufnr, 1, '$')})
  messages clear
  let [v:errmsg, v:warningmsg, v:statusmsg] = ['', '', '']
  call quickvault#typed#forget()
endfunction

" Removes tracked texts and writes viminfo without them.
function! quickvault#privacy#on_exit() abort
  call quickvault#privacy#drop_recording()
  call s:forget_all(quickvault#editor#has_clipboard())
  if g:quickvault#privacy#is_substituted || quickvault#privacy#is_tracked(@/)
    call s:write_viminfo()
  endif
endfunction

function! s:forget_all(clipboard) abort
  call quickvault#privacy#clear_registers(s:digests, a:clipboard)
  call map(keys(s:recorded), {_, register -> setreg(register, [])})
  let s:recorded = {}
  call quickvault#privacy#forget_commands()
  for l:history in s:histories
    call map(filter(range(1, max([histnr(l:history), 0])), 'quickvault#privacy#is_tracked(histget(l:history, v:val))'),
          \ 'histdel(l:history, v:val)')
  endfor
endfunction

" Vim restores the last patterns when a function or autocommand ends (:help function-search-undo), so viminfo is written
" here, while they are empty, and not again.
function! s:write_viminfo() abort
  let @/ = quickvault#privacy#is_tracked(@/) ? '' : @/
  if g:quickvault#privacy#is_substituted
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
