" What differs between Vim and Neovim: programs in the background, highlighting of matches, notifications, and choices.

" Neovim's exit status of a program that a signal ended is this number and that of the signal.
let s:signal_status = 128
let s:signals = {1: 'hup', 2: 'int', 3: 'quit', 6: 'abrt', 9: 'kill', 11: 'segv', 13: 'pipe', 15: 'term'}

" Returns the name and the version of the editor.
function! quickvault#editor#name() abort
  return has('nvim') ? {'name': 'Neovim', 'version': matchstr(execute('version'), 'NVIM v\zs\S\+')}
        \ : {'name': 'Vim', 'version': v:version / 100 . '.' . v:version % 100}
endfunction

" Starts a program and returns its process.  The handlers OnLine and OnErrorLine get each line of its output and errors;
" without OnLine, it has none.  OnExit gets its exit status and the name of the signal that ended it, or an empty string; it
" is called after all output.  With an input, that is all that it reads; with neither input nor OnLine, it reads nothing.
function! quickvault#editor#start(command, handlers, input = v:null) abort
  let [l:process, l:is_read] = [extend({'is_open': 1, 'rest': '', 'lines': []}, a:handlers), has_key(a:handlers, 'OnLine')]
  if has('nvim')
    let l:options = {'on_exit': {job, status, event -> [extend(l:process, {'is_open': 0}),
          \ timer_start(0, {-> s:report_exit(l:process, status)})]}}
    if l:is_read
      let l:options.on_stdout = {job, parts, event -> s:on_parts(l:process, parts)}
      let l:options.on_stderr = {job, parts, event -> map(filter(parts, '!empty(v:val)'), {_, line -> l:process.OnErrorLine(line)})}
    endif
    let l:process.job = jobstart(a:command, l:options)
    if a:input isnot v:null
      call chansend(l:process.job, a:input)
      call chanclose(l:process.job, 'stdin')
    endif
    return l:process
  endif
  let l:has_input = a:input isnot v:null
  let l:options = {'in_io': l:is_read || l:has_input ? 'pipe' : 'null', 'in_mode': 'raw', 'stoponexit': l:has_input ? '' : 'term'}
  let l:process.job = job_start(a:command, extend(l:options, l:is_read ? {'out_mode': 'nl', 'err_mode': 'nl', 'noblock': 1,
        \ 'out_cb': {channel, line -> l:process.OnLine(line)}, 'err_cb': {channel, line -> l:process.OnErrorLine(line)},
        \ 'close_cb': {channel -> s:closed(l:process)}}
        \ : {'out_io': 'null', 'err_io': 'null', 'exit_cb': {job, status -> s:closed(l:process)}}))
  if a:input isnot v:null
    silent! call ch_sendraw(l:process.job, a:input)
    silent! call ch_close_in(l:process.job)
  endif
  return l:process
endfunction

" Collects Neovim's parts of the output into lines.  The first part continues the last one of the call before.  A timer
" delivers the lines, because Neovim reads no more output of a process while its callback runs, and that may wait for more.
function! s:on_parts(process, parts) abort
  let a:process.rest .= a:parts[0]
  for l:part in a:parts[1:]
    call add(a:process.lines, a:process.rest)
    let a:process.rest = l:part
  endfor
  call timer_start(0, {-> s:deliver(a:process)})
endfunction

function! s:deliver(process) abort
  while !empty(a:process.lines)
    call a:process.OnLine(remove(a:process.lines, 0))
  endwhile
endfunction

function! s:report_exit(process, status) abort
  let a:process.lines += empty(a:process.rest) ? [] : [a:process.rest]
  call s:deliver(a:process)
  call a:process.OnExit(a:status, get(s:signals, a:status - s:signal_status, ''))
endfunction

function! s:closed(process) abort
  let a:process.is_open = 0
  " job_status() lets Vim notice how the process ended.
  call job_status(a:process.job)
  let l:info = job_info(a:process.job)
  call a:process.OnExit(l:info.exitval, get(l:info, 'termsig', ''))
endfunction

" Returns whether a process can still be sent to, or may still need a file.
function! quickvault#editor#is_running(process) abort
  return a:process.is_open && (has('nvim') ? jobwait([a:process.job], 0)[0] == -1 : job_status(a:process.job) ==# 'run')
endfunction

" Returns the id of a process that is running.
function! quickvault#editor#process_id(process) abort
  return has('nvim') ? jobpid(a:process.job) : job_info(a:process.job).process
endfunction

" Sends a line to a process; returns whether it could.
function! quickvault#editor#send(process, line) abort
  try
    if has('nvim')
      return chansend(a:process.job, a:line . "\n") > 0
    endif
    call ch_sendraw(a:process.job, a:line . "\n")
    return 1
  catch /^Vim\%((\a\+)\)\=:E\%(630\|631\|900\|906\|716\)/
    return 0
  endtry
endfunction

" Terminates a process, without waiting for its end.
function! quickvault#editor#stop(process) abort
  if has('nvim')
    silent! call jobstop(a:process.job)
  else
    call job_stop(a:process.job, 'term')
  endif
endfunction

" Runs a program with some input, and waits for its end.  Returns its status, -1 if it cannot be started or takes longer
" than the milliseconds, and what it prints if that is read, without the end of the last line.  Vim's system() would write
" both to temporary files.  A program whose output is read is stopped then; another one may have to stay.
function! quickvault#editor#run(command, input, milliseconds, is_read) abort
  let [l:lines, l:done, l:start] = [[], [], reltime()]
  let l:process = quickvault#editor#start(a:command, extend({'OnExit': {status, signal -> add(l:done, status)}}, a:is_read
        \ ? {'OnLine': {line -> add(l:lines, line)}, 'OnErrorLine': {line -> 0}} : {}), a:input)
  " In a callback, Vim calls no others that tell of an end.
  let l:IsRunning = has('nvim') ? {-> empty(l:done)} : {-> quickvault#editor#is_running(l:process)
        \ || a:is_read && ch_status(l:process.job) !~# '^\%(closed\|fail\)$'}
  while l:IsRunning()
    if reltimefloat(reltime(l:start)) * 1000 > a:milliseconds
      if a:is_read
        call quickvault#editor#stop(l:process)
      endif
      return [-1, '']
    endif
    sleep 2m
  endwhile
  return [has('nvim') ? l:done[0] : job_info(l:process.job).exitval, join(l:lines, "\n")]
endfunction

" Returns a named pipe that gives a text to the first program that reads it, and is gone then: the text is in no file.
function! quickvault#editor#pipe(text) abort
  let l:pipe = tempname()
  call quickvault#editor#run(['mkfifo', '-m', '600', l:pipe], '', 2000, 0)
  call quickvault#editor#run(['sh', '-c', 'text=$(cat); printf "%s\n" "$text" >"$0"; rm "$0"', l:pipe], a:text, 0, 0)
  return l:pipe
endfunction

" Runs a program in a terminal in the current window, in a buffer with a name.  OnExit gets its exit status once all output
" is there.  Sets the job and the buffer of what describes the run.
function! quickvault#editor#open_terminal(command, name, environment, run, OnExit) abort
  if has('nvim')
    let l:options = {'env': a:environment, 'on_exit': {job, status, event -> s:finish_terminal(a:run, {-> a:OnExit(status)})}}
    noautocmd enew
    setlocal nonumber norelativenumber signcolumn=no foldcolumn=0
    let a:run.job = has('nvim-0.11') ? jobstart(a:command, extend(l:options, {'term': v:true})) : termopen(a:command, l:options)
    execute 'silent noautocmd keepalt file' fnameescape(a:name)
    let a:run.buffer = bufnr('%')
  else
    " If the output ends before the program does, Vim does not notice its end until it is asked.
    let l:timer = timer_start(50, {-> ch_status(a:run.job, {'part': 'out'}) ==# 'closed' ? job_status(a:run.job) : 0}, {'repeat': -1})
    let a:run.buffer = term_start(a:command, {'curwin': 1, 'term_name': a:name, 'env': a:environment, 'norestore': 1,
          \ 'close_cb': {channel -> [timer_stop(l:timer), timer_start(0, {-> a:OnExit(job_info(a:run.job).exitval)})]}})
    let a:run.job = term_getjob(a:run.buffer)
  endif
endfunction

" Calls OnExit once Neovim's terminal has all output of a program that has ended: it shows that with a delay, and ends it with a
" line of its own.  A key in Terminal mode would close the terminal now, and those after it would go to another buffer.
function! s:finish_terminal(run, OnExit) abort
  if bufnr('%') == a:run.buffer
    stopinsert
  endif
  let l:start = reltime()
  try
    while bufexists(a:run.buffer) && reltimefloat(reltime(l:start)) < 0.2
          \ && matchstr(join(getbufline(a:run.buffer, 1, '$'), "\n"), '[^\n]*\ze\n*$') !~# '^\[Process exited'
      sleep 5m
    endwhile
  catch /^Vim:Interrupt$/
  endtry
  call a:OnExit()
endfunction

" Returns whether a program has printed something in its terminal.
function! quickvault#editor#has_output(buffer) abort
  let l:lines = has('nvim') ? getbufline(a:buffer, 1, '$') : map(range(1, term_getsize(a:buffer)[0]), 'term_getline(a:buffer, v:val)')
  return !empty(trim(join(l:lines, '')))
endfunction

" Returns what a program has printed in its terminal, when it has ended.
function! quickvault#editor#terminal_lines(buffer) abort
  let l:lines = map(getbufline(a:buffer, 1, '$'), 'trim(v:val, " ", 2)')
  while !empty(l:lines) && l:lines[-1] =~# '^\%(\[Process exited -\?\d\+\]\)\?$'
    call remove(l:lines, -1)
  endwhile
  return l:lines
endfunction

" Ends the program in a terminal; one that does not end within two seconds is killed, which Neovim does itself.
function! quickvault#editor#end_terminal(run) abort
  if has('nvim')
    silent! call jobstop(a:run.job)
  else
    call job_stop(a:run.job, 'term')
    call timer_start(2000, {-> job_stop(a:run.job, 'kill')})
  endif
endfunction

" Sends bytes to the terminal; returns whether it could.
function! quickvault#editor#tell_terminal(sequence) abort
  if has('nvim')
    return chansend(v:stderr, a:sequence) > 0
  endif
  call echoraw(a:sequence)
  return 1
endfunction

" Returns whether there is a clipboard.  Neovim can use tmux for it, which keeps what is replaced, so that it could not be
" cleared.
function! quickvault#editor#has_clipboard() abort
  return has('clipboard') && !(has('nvim') && provider#clipboard#Executable() ==# 'tmux')
endfunction

" Highlights parts of lines of the current buffer, given as [line, byte column, length in bytes], in place of former ones
" from a line on.
function! quickvault#editor#highlight(group, parts, first = 1) abort
  if has('nvim')
    let l:space = nvim_create_namespace(a:group)
    call nvim_buf_clear_namespace(0, l:space, a:first - 1, -1)
    for [l:line, l:column, l:length] in a:parts
      call nvim_buf_add_highlight(0, l:space, a:group, l:line - 1, l:column - 1, l:column - 1 + l:length)
    endfor
    return
  endif
  if empty(prop_type_get(a:group))
    call prop_type_add(a:group, {'highlight': a:group})
  endif
  for [l:line, l:column, l:length] in a:parts
    call prop_add(l:line, l:column, {'length': l:length, 'type': a:group})
  endfor
endfunction

" Shows lines in a window for some seconds if a callback is running: a message of several lines would not stay then.
function! quickvault#editor#notify(lines, group, seconds) abort
  if !has('nvim')
    if state('c') ==# 'c'
      call popup_notification(a:lines, {'time': 1000 * a:seconds, 'highlight': a:group, 'close': 'click'})
    endif
    return
  endif
  let l:buffer = nvim_create_buf(v:false, v:true)
  call setbufvar(l:buffer, '&bufhidden', 'wipe')
  call nvim_buf_set_lines(l:buffer, 0, -1, v:true, a:lines)
  let l:width = min([max(map(copy(a:lines), 'strdisplaywidth(v:val)')), &columns - 4])
  let l:height = eval(join(map(copy(a:lines), {_, line -> 1 + (max([1, strdisplaywidth(line)]) - 1) / l:width}), '+'))
  let l:window = nvim_open_win(l:buffer, v:false, {'relative': 'editor', 'anchor': 'NE', 'row': 1, 'col': &columns - 1,
        \ 'width': l:width, 'height': min([l:height, &lines - 4]), 'style': 'minimal', 'border': 'single', 'focusable': v:false})
  call nvim_win_set_option(l:window, 'winhighlight', 'Normal:' . a:group)
  call timer_start(1000 * a:seconds, {-> nvim_win_is_valid(l:window) ? nvim_win_close(l:window, v:true) : 0})
endfunction
