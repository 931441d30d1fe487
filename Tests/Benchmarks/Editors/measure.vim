" Measures, in Vim or Neovim, what a user of the client waits for, with the editor's clock.  Read instead of a vimrc.
"
" The benchmark reads the messages that this script writes, lines of JSON, and types the keys that they ask for, as a
" user does: time begins when a key arrives here, and ends when what it asks for is on the screen.

set nocompatible hidden
execute 'set runtimepath^=' . fnameescape($BENCHMARK_CLIENT)
let g:quickvault_program = $BENCHMARK_PROGRAM
let g:quickvault_vault = $BENCHMARK_VAULT
filetype plugin on
syntax on

" The step, the letters that were typed in the search, the microseconds of each of them, and when the last key arrived.
let s:state = {'step': 'start', 'typed': '', 'keys': [], 'began': []}

function! s:write(message) abort
  call writefile([json_encode(a:message)], $BENCHMARK_MESSAGES, 'a')
endfunction

function! s:type(keys) abort
  call s:write({'type': a:keys})
endfunction

function! s:begin() abort
  let s:state.began = reltime()
endfunction

" Puts on the screen what has changed, and returns the microseconds since the key.
function! s:elapsed() abort
  redraw
  return float2nr(reltimefloat(reltime(s:state.began)) * 1000000)
endfunction

" Returns whether the list shows cards, and those of a query or all.
function! s:shows(query) abort
  let l:list = get(b:, 'quickvault', {})
  return !empty(get(l:list, 'items', [])) && get(l:list, 'shown', [v:null])[0] is# a:query
endfunction

" Types the next letter of the word, or leaves the search.
function! s:type_letter() abort
  let l:letter = strcharpart($BENCHMARK_WORD, strchars(s:state.typed), 1)
  let s:state.step = empty(l:letter) ? 'leaving' : 'searching'
  let s:state.typed .= l:letter
  call s:type(empty(l:letter) ? "\<Esc>" : l:letter)
endfunction

" Takes the next step.  A timer calls this, because the client asks for the password within an autocommand, where others do not
" run, and loads the list in the background.
function! s:watch() abort
  if s:state.step ==# 'start' && getcmdtype() ==# '-'
    let s:state.step = 'unlocking'
    call s:type($BENCHMARK_PASSWORD . "\<C-_>")
  elseif s:state.step ==# 'unlocking' && s:shows('')
    let s:state.unlock = s:elapsed()
    let s:state.step = 'search'
    call s:type('/')
  elseif s:state.step ==# 'search' && getcmdtype() ==# '@'
    call s:type_letter()
  elseif s:state.step ==# 'searching' && s:shows(s:state.typed)
    call add(s:state.keys, s:elapsed())
    call s:type_letter()
  elseif s:state.step ==# 'leaving' && mode() ==# 'n' && s:shows('')
    let s:state.step = 'all'
    call timer_stop(s:timer)
    call s:type('_')
  endif
endfunction

function! s:finish() abort
  let l:elapsed = s:elapsed()
  call s:write({'measured': {'unlock': s:state.unlock, 'keys': s:state.keys, 'allRows': l:elapsed,
        \ 'rows': len(filter(copy(b:quickvault.rows), 'v:val >= 0'))}})
  qall!
endfunction

" Calls a function; if it fails, says so and ends the editor.
function! s:guard(Call) abort
  try
    call a:Call()
  catch
    call s:write({'error': v:exception . ' in ' . v:throwpoint})
    qall!
  endtry
endfunction

augroup benchmark
  autocmd CmdlineChanged @ call s:begin()
  autocmd VimEnter * call s:type(":QuickVault\r")
augroup END
" Enter after the password, and G in the list, with a look at the clock.
cmap <C-_> <Cmd>call <SID>begin()<CR><CR>
nmap _ <Cmd>call <SID>begin()<CR>G<Cmd>call <SID>guard(function('<SID>finish'))<CR>
let s:timer = timer_start(1, {-> s:guard(function('s:watch'))}, {'repeat': -1})
