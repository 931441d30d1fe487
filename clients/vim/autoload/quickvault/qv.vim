" Runs qv, the command line, in a terminal in a window.  When it ends, a view of what it printed takes the terminal's place.
"
" The terminal and the view are buffers named quickvault://qv/{number}; the words of each command are in s:words by the
" number. At a lock, the program ends, and the views are blanked as other pages are.

let [s:last, s:words, s:running] = [0, {}, {}]

" What is printed for the view that is read next.
let s:printed = []

" Commands that need no unlocked vault.
let s:without_vault = ['demo', 'doctor', 'help', 'init', 'lock', 'privacy', 'repair', 'status', 'version']

" Implements :Qv {words}.
function! quickvault#qv#command(modifiers, line) abort
  call quickvault#privacy#forget_commands()
  call s:open(a:modifiers, s:words(a:line))
endfunction

" Implements a command that stands for words of qv, such as :QuickVaultImport.  Asks for a path if there is a question and
" none is given.
function! quickvault#qv#open(modifiers, words, line = '', question = '') abort
  call quickvault#privacy#forget_commands()
  " The format may come first without an option's name.
  let l:words = s:options(a:words ==# 'export' ? substitute(a:line, '^\a\+\ze\%(\s\|$\)', '--format=&', '') : a:line)
  if !empty(a:question) && empty(filter(copy(l:words), 'v:val !~# "^-."'))
    let l:path = quickvault#prompt#line(quickvault#text#get(a:question), '', 'file')
    if empty(l:path)
      return quickvault#message#info(quickvault#text#get('cancelled'))
    endif
    call add(l:words, quickvault#prompt#full_path(l:path))
  endif
  call s:open(a:modifiers, split(a:words) + l:words)
endfunction

" Implements :QuickVaultImportLines.
function! quickvault#qv#import_lines(modifiers, first, last, line) abort
  call s:open(a:modifiers, ['import', '-'] + s:options(a:line), getline(a:first, a:last))
endfunction

" Returns words whose options may have one hyphen.
function! s:options(line) abort
  return map(s:words(a:line), 'substitute(v:val, "^-\\ze\\w\\w", "--", "")')
endfunction

" Returns the words of a line; those that the client's other commands would expand as a path are.
function! s:words(line) abort
  return map(quickvault#qv#split(a:line), {_, word -> word =~# '^\%(\~\%(/\|$\)\|\$\h\|[%#]\%(:[^/]*\)\?$\)'
        \ ? quickvault#prompt#full_path(word) : word})
endfunction

" Returns the words of a line, split as a shell does: quotation marks and backslashes keep spaces.
function! quickvault#qv#split(line) abort
  let l:words = []
  let l:word = '\%(\\.\|''[^'']*''\|"\%(\\.\|[^"\\]\)*"\|[^[:space:]]\)\+'
  let l:part = '''[^'']*''\|"\%(\\.\|[^"\\]\)*"\|\\.'
  call substitute(a:line, l:word, '\=add(l:words, substitute(submatch(0), l:part, {found -> s:unquote(found[0])}, "g"))', 'g')
  return l:words
endfunction

function! s:unquote(part) abort
  return a:part[0] ==# '\' ? a:part[1:] : a:part[0] ==# '"' ? substitute(a:part[1:-2], '\\\(["\\]\)', '\1', 'g') : a:part[1:-2]
endfunction

" Returns the command line of qv with words; empty if it is missing.  It is beside the program, or on the path.
function! quickvault#qv#line(words) abort
  let l:beside = fnamemodify(exepath(quickvault#session#program()), ':h') . '/qv'
  let l:program = executable(l:beside) ? l:beside : exepath('qv')
  return empty(l:program) ? [] : [l:program] + a:words
endfunction

" Returns what is set for qv: the vault, the program, how the vault is shared, the language, and a ticket, which admits one
" process.  A server that is too old has none.
function! quickvault#qv#environment() abort
  let l:is_shared = quickvault#session#is_shared()
  let l:vault = quickvault#session#vault()
  let [l:error, l:answer] = l:is_shared && quickvault#session#is_unlocked() ? quickvault#server#wait('client/ticket', {}, 2000) : [{}, {}]
  return extend({'QUICKVAULT_PROGRAM': exepath(quickvault#session#program()), 'QUICKVAULT_ALONE': l:is_shared ? '' : '1',
        \ 'QUICKVAULT_TICKET': empty(l:error) ? get(l:answer, 'ticket', '') : '',
        \ 'LC_ALL': quickvault#text#language() ==# 'zh-Hans' ? 'zh_CN.UTF-8' : 'C.UTF-8'},
        \ empty(l:vault) ? {} : {'QUICKVAULT_VAULT': l:vault})
endfunction

" Runs qv in a new window, with lines as its input if there are any.  A shared vault is unlocked here, once for all.
function! s:open(modifiers, words, lines = []) abort
  if empty(quickvault#qv#line([]))
    return quickvault#message#alert(quickvault#text#get('qv.missing'))
  elseif !empty(reg_recording())
    call quickvault#privacy#note_recording()
    return quickvault#message#alert(quickvault#text#get('qv.recording'))
  endif
  let l:needs_unlock = quickvault#session#is_shared() && index(s:without_vault, get(a:words, 0, 'list')) < 0
  let l:status = l:needs_unlock ? quickvault#session#status() : {'exists': v:false}
  if get(l:status, 'exists', v:false)
    let l:status = quickvault#password#unlock() ? l:status : {}
  endif
  if empty(l:status)
    return
  endif
  call quickvault#lifecycle#watch()
  call quickvault#buffer#open(s:name(a:words), a:modifiers . ' split')
  call s:start(a:words, a:lines)
endfunction

" Returns a new name for a terminal or a view.
function! s:name(words) abort
  let s:last += 1
  let s:words[s:last] = a:words
  return 'quickvault://qv/' . s:last
endfunction

" Starts qv in the current window, in place of its view.
function! s:start(words, lines = []) abort
  let l:run = {'words': a:words, 'is_locked': 0, 'number': s:last + 1}
  let s:running[l:run.number] = l:run
  let l:input = empty(a:lines) ? [] : ['sh', '-c', 'exec "$@" <"$0"', quickvault#editor#pipe(join(a:lines, "\n"))]
  call quickvault#editor#open_terminal(l:input + quickvault#qv#line(a:words), s:name(a:words), quickvault#qv#environment(), l:run,
        \ {status -> s:finish(l:run, status)})
  call quickvault#buffer#set_private()
  call timer_start(100, function('s:watch_recording'), {'repeat': -1})
  call s:await_output(l:run)
endfunction

" Waits until the program shows something, such as its prompt: before that, the terminal would show what is typed, which may
" be a password.  Keys that were typed meanwhile go to the program then.
function! s:await_output(run) abort
  let l:start = reltime()
  try
    while has_key(s:running, a:run.number) && !quickvault#editor#has_output(a:run.buffer) && reltimefloat(reltime(l:start)) < 10
      sleep 2m
    endwhile
  catch /^Vim:Interrupt$/
  endtry
  " Vim passes keys to the program by itself.
  if has_key(s:running, a:run.number) && bufnr('%') == a:run.buffer && has('nvim')
    startinsert
  endif
endfunction

" A recording that goes on when the program has ended is watched to its end.
function! s:watch_recording(timer) abort
  if !quickvault#privacy#drop_recording() && empty(s:running)
    call timer_stop(a:timer)
  endif
endfunction

" Shows what was printed, in place of the terminal; closes the window if nothing was.
function! s:finish(run, status) abort
  call quickvault#privacy#drop_recording()
  call remove(s:running, a:run.number)
  let s:printed = a:run.is_locked ? [] : quickvault#editor#terminal_lines(a:run.buffer)
  let l:name = s:name(a:run.words)
  for l:window in win_findbuf(a:run.buffer)
    call win_execute(l:window, empty(s:printed) && !a:run.is_locked ? 'call quickvault#buffer#close()' : 'noswapfile edit ' . l:name)
    if a:run.is_locked
      call win_execute(l:window, 'call quickvault#buffer#show_locked()')
    elseif a:status != 0
      call win_execute(l:window, 'normal! G')
    endif
  endfor
  execute 'silent! bwipeout!' a:run.buffer
  let s:printed = []
  call s:refresh()
  redraw
endfunction

" Shows what the program may have changed.  What it printed while the vault was not unlocked here goes after the usual time.
function! s:refresh() abort
  if quickvault#server#running()
    call quickvault#session#status()
  endif
  if quickvault#session#is_unlocked()
    call quickvault#buffers#refresh_changed({'all': v:true})
    call quickvault#session#look()
    call quickvault#settings#refresh()
  else
    call timer_start(1000 * quickvault#session#auto_lock_seconds(), {-> quickvault#session#is_unlocked() ? 0 : quickvault#qv#blank()})
  endif
endfunction

" Sets up the current buffer as a view.
function! quickvault#qv#read() abort
  call quickvault#buffer#setup_view()
  setlocal nonumber norelativenumber signcolumn=no foldcolumn=0
  call quickvault#keys#map('qv')
  let l:words = join(['qv'] + get(s:words, b:quickvault.id, []))
  call quickvault#buffer#fill((empty(s:printed) ? [l:words, '', quickvault#text#get('hint.qv')] : s:printed)
        \ + quickvault#session#demo_lines())
endfunction

" Runs the command of this view again.
function! quickvault#qv#refresh() abort
  if empty(reg_recording())
    call s:start(get(s:words, b:quickvault.id, []))
  endif
endfunction

" Ends the programs that run.
function! quickvault#qv#on_lock() abort
  for l:run in values(s:running)
    let l:run.is_locked = 1
    call quickvault#editor#end_terminal(l:run)
  endfor
endfunction

" Ends the programs, and blanks the views.
function! quickvault#qv#blank() abort
  call quickvault#qv#on_lock()
  call quickvault#buffers#blank_kind('qv')
endfunction
