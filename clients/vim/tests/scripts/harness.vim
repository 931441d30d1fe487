" Shared functions.  Each check adds a line to the file $QUICKVAULT_TEST_RESULTS: ok or not ok, and the reason.
scriptencoding utf-8
set nocompatible nomore shortmess+=I

let &runtimepath = $QUICKVAULT_TEST_PLUGIN . ',' . &runtimepath
runtime plugin/quickvault.vim
let g:quickvault_program = $QUICKVAULT_PROGRAM
let g:quickvault_shared = 0

let s:results = []

function! Check(name, condition, ...) abort
  call add(s:results, (a:condition ? 'ok ' : 'not ok ') . a:name . (a:condition || a:0 == 0 ? '' : ': ' . string(a:1)))
endfunction

function! Same(name, actual, expected) abort
  call Check(a:name, type(a:actual) == type(a:expected) && a:actual ==# a:expected,
        \ {'actual': a:actual, 'expected': a:expected})
endfunction

" Waits for a condition; returns 0 at the deadline.
function! Await(Condition) abort
  let l:start = reltime()
  while reltimefloat(reltime(l:start)) < 60
    if a:Condition()
      return 1
    endif
    sleep 5m
  endwhile
  return 0
endfunction

" Calls a method and returns its result; throws an error.
function! Call(method, params) abort
  let [l:error, l:result] = quickvault#server#wait(a:method, a:params, 60000)
  if !empty(l:error)
    throw 'test: ' . a:method . ': ' . string(l:error)
  endif
  return l:result
endfunction

" Creates an unlocked vault for a test.
function! FreshVault() abort
  " Vim locks its temporary directory, so the vault needs its own.
  let g:quickvault_vault = tempname() . '/vault.quickvault'
  call mkdir(fnamemodify(g:quickvault_vault, ':h'), 'p', 0700)
  call quickvault#server#stop()
  call Await({-> !quickvault#server#running()})
  call quickvault#session#ensure_started()
  call quickvault#session#did_unlock(Call('vault/create', {'password': 'correct horse',
        \ 'kdf': {'algorithm': 'pbkdf2-hmac-sha256', 'iterations': 100000}}))
endfunction

" Creates a card, by default a text.
function! CreateCard(title, fields = {}) abort
  return Call('card/create', extend({'title': a:title, 'group': 'personal', 'type': 'text', 'fields': {'text': 'First line'}}, a:fields)).card
endfunction

" Returns the text of the current buffer.
function! Text() abort
  return join(getline(1, '$'), "\n")
endfunction

" Runs the functions whose names begin with Test_, and exits Vim.
function! RunTests() abort
  for l:name in split(execute('function /^Test_'), "\n")
    let l:name = matchstr(l:name, 'Test_\w\+')
    let l:before = len(s:results)
    try
      call call(l:name, [])
    catch
      call Check(l:name, 0, v:exception . ' at ' . v:throwpoint)
    endtry
    call Check(l:name . ' checks something', len(s:results) > l:before)
  endfor
  call writefile(s:results, $QUICKVAULT_TEST_RESULTS, 'a')
  qall!
endfunction
