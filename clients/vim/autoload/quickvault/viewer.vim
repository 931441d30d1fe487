" The desktop's viewer, and the private directories from which it reads.
"
" A directory goes when the viewer ends, if it stays that long; else when the vault locks or Vim ends.

" The directories that are there, each with its viewer's job, or 0, and when that was started.
let s:rooms = {}
let s:count = 0

" A viewer that ends sooner has only handed over to another program, which may still have to read the file.
let s:hand_over_seconds = 5

" Makes a directory that nobody else can read; empty where that cannot be.
function! quickvault#viewer#directory() abort
  let l:run = $XDG_RUNTIME_DIR
  let s:count += 1
  let l:directory = !empty(l:run) && filewritable(l:run) == 2
        \ ? l:run . '/quickvault-vim-' . getpid() . '-' . localtime() . '-' . s:count : tempname()
  try
    call mkdir(l:directory, '', 0700)
  catch /^Vim\%((\a\+)\)\=:E739/
    return ''
  endtry
  let s:rooms[l:directory] = {'job': 0, 'since': []}
  return l:directory
endfunction

" Shows a file of a directory.
function! quickvault#viewer#show(directory, path) abort
  let l:viewer = get(g:, 'quickvault_viewer', 'xdg-open')
  let l:command = type(l:viewer) == v:t_list ? copy(l:viewer) : split(l:viewer)
  if empty(l:command) || !executable(l:command[0])
    call quickvault#viewer#drop(a:directory)
    return quickvault#notice#stay(quickvault#text#get('viewer.missing', get(l:command, 0, '')))
  endif
  let s:rooms[a:directory] = {'since': reltime(), 'job': job_start(l:command + [a:path], {
        \ 'in_io': 'null', 'out_io': 'null', 'err_io': 'null', 'stoponexit': 'term',
        \ 'exit_cb': {job, status -> s:ended(a:directory, status)}})}
  call quickvault#notice#info(quickvault#text#get('viewer.opened', l:command[0]))
endfunction

function! s:ended(directory, status) abort
  if !has_key(s:rooms, a:directory)
    return
  elseif a:status != 0
    call quickvault#notice#error(quickvault#text#get('viewer.failed', a:status))
    call quickvault#viewer#drop(a:directory)
  elseif reltimefloat(reltime(s:rooms[a:directory].since)) >= s:hand_over_seconds
    call quickvault#viewer#drop(a:directory)
  endif
endfunction

" Removes a directory, and ends its viewer.
function! quickvault#viewer#drop(directory) abort
  if !has_key(s:rooms, a:directory)
    return
  endif
  let l:room = remove(s:rooms, a:directory)
  if type(l:room.job) == v:t_job && job_status(l:room.job) ==# 'run'
    call job_stop(l:room.job, 'term')
  endif
  call delete(a:directory, 'rf')
endfunction

" Removes all of them.
function! quickvault#viewer#clear() abort
  call map(keys(s:rooms), 'quickvault#viewer#drop(v:val)')
endfunction
