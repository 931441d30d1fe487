" What a person did in a vault buffer and Vim would keep in viminfo: registers, histories, the last search.
"
" Only marks of the texts are kept here, and everything that has one of them is dropped before viminfo is written.

let s:marks = {}
let s:recorded = {}
let s:substituted = 0

function! quickvault#traces#watch() abort
  augroup quickvault_traces
    autocmd!
    autocmd TextYankPost quickvault://* call s:yanked()
    autocmd CmdlineLeave * call s:typed()
    autocmd InsertLeave,TextChanged quickvault://* call s:changed()
    autocmd InsertLeave quickvault://* call quickvault#traces#remember(getreg('.'))
  augroup END
endfunction

" Takes note of a text.
function! quickvault#traces#remember(text) abort
  if !empty(a:text)
    let s:marks[quickvault#traces#mark(a:text)] = 1
  endif
endfunction

" A text's mark: its hash where Vim has one.
function! quickvault#traces#mark(text) abort
  return exists('*sha256') ? sha256(a:text) : a:text
endfunction

function! s:yanked() abort
  call quickvault#traces#remember(join(v:event.regcontents, "\n") . (v:event.regtype ==# 'V' ? "\n" : ''))
  if v:event.regname =~# '\u'
    call quickvault#traces#remember(getreg(tolower(v:event.regname), 1))
  endif
endfunction

" A command of one word tells nothing; any other may use a pattern, which is seen once it has run.
function! s:typed() abort
  if quickvault#buffer#is_ours(bufnr('%')) && getcmdline() !~# '^\a*!\?$'
    call quickvault#traces#remember(getcmdline())
    if expand('<afile>') ==# ':'
      let s:substituted = 1
      call timer_start(0, function('s:searched', [histget('/', -1), @/]))
    endif
  endif
endfunction

function! s:searched(history, pattern, timer) abort
  if histget('/', -1) !=# a:history
    call quickvault#traces#remember(histget('/', -1))
  endif
  if @/ !=# a:pattern
    call quickvault#traces#remember(@/)
  endif
endfunction

function! s:changed() abort
  if !empty(reg_recording())
    let s:recorded[tolower(reg_recording())] = 1
  endif
endfunction

" Drops the last entry of a history if it has a mark.
function! quickvault#traces#forget_last(history) abort
  if has_key(s:marks, quickvault#traces#mark(histget(a:history, -1)))
    call histdel(a:history, -1)
  endif
endfunction

" Drops commands with a title, a query or a watermark from the history.  Vim takes the beginning of a name, too.
function! quickvault#traces#forget_commands() abort
  call histdel(':', '\<QuickVault\%(C\%[opy]\|Sea\%[rch]\|A\%[ttach]\|SetW\%[atermark]\)\s\+\S')
endfunction

let s:registers = split('0123456789abcdefghijklmnopqrstuvwxyz-', '\zs')

" Empties the registers that hold a text with this mark.
function! quickvault#traces#empty(mark) abort
  call s:empty_those({mark -> mark ==# a:mark}, has('clipboard'))
endfunction

" Empties the registers that hold a text whose mark is wanted.
function! s:empty_those(Wanted, clipboard) abort
  for l:register in s:registers + (a:clipboard ? ['+', '*'] : [])
    if a:Wanted(quickvault#traces#mark(getreg(l:register, 1)))
      call s:empty(l:register)
    endif
  endfor
endfunction

" Writing a register makes the unnamed one point to it, so where it pointed is put back.
function! s:empty(register) abort
  let l:unnamed = getreginfo('"')
  call setreg(a:register, [])
  if get(l:unnamed, 'points_to', '') !=# a:register && !empty(l:unnamed)
    call setreg('"', l:unnamed)
  endif
endfunction

" What the keys . and CTRL-A insert is then nothing.  Without 'showmode', which would take the message of the lock away.
let s:insert_nothing = 'let g:quickvault_showmode = &showmode | set noshowmode | setlocal modifiable'
      \ . ' | execute "normal! i\<Esc>" | setlocal nomodifiable | let &showmode = g:quickvault_showmode'
      \ . ' | unlet g:quickvault_showmode'

" Drops what is marked when the vault locks.  In the background the clipboard keeps what it has for its time: who
" copies in order to paste elsewhere leaves Vim.
function! quickvault#traces#lock(background) abort
  call s:drop(has('clipboard') && !a:background)
  " A function cannot change these for good (:help function-search-undo), but what is typed can, unless it answers a
  " question.
  if has_key(s:marks, quickvault#traces#mark(@/)) && mode() =~# '^[niv]'
    call feedkeys("\<Cmd>let @/ = ''\<CR>", 'in')
  endif
  if has_key(s:marks, quickvault#traces#mark(getreg('.'))) && mode() ==# 'n' && quickvault#buffer#is_ours(bufnr('%'))
    call feedkeys("\<Cmd>" . s:insert_nothing . "\<CR>", 'in')
  endif
endfunction

" Drops everything that is marked, and writes viminfo without it.
function! quickvault#traces#clear() abort
  call s:drop(has('clipboard'))
  call quickvault#traces#forget_commands()
  if s:substituted || has_key(s:marks, quickvault#traces#mark(@/))
    call s:write_viminfo()
  endif
endfunction

function! s:drop(clipboard) abort
  call s:empty_those({mark -> has_key(s:marks, mark)}, a:clipboard)
  call map(keys(s:recorded), {_, register -> setreg(register, [])})
  let s:recorded = {}
  for l:history in [':', '/', '@', '=', '>']
    for l:number in range(1, max([histnr(l:history), 0]))
      if has_key(s:marks, quickvault#traces#mark(histget(l:history, l:number)))
        call histdel(l:history, l:number)
      endif
    endfor
  endfor
endfunction

" The last patterns come back when a function or an autocommand ends (:help function-search-undo); so viminfo is
" written here, while they are empty, and not again.
function! s:write_viminfo() abort
  let @/ = has_key(s:marks, quickvault#traces#mark(@/)) ? '' : @/
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
