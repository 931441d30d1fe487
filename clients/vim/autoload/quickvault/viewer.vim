" The attachment viewer and the private directories with its files.
"
" A directory is removed when its viewer exits, but at the latest when the vault locks or Vim exits.

" The directories, each with its viewer's process (empty for none) and start time.
let s:directories = {}
let s:count = 0

" A viewer that exits sooner may have passed the file to another program, which still has to read it.
let s:min_viewer_seconds = 5

" Creates a private directory; returns an empty string on failure.
function! quickvault#viewer#make_directory() abort
  let l:run = $XDG_RUNTIME_DIR
  let s:count += 1
  let l:directory = !empty(l:run) && filewritable(l:run) == 2
        \ ? l:run . '/quickvault-vim-' . getpid() . '-' . localtime() . '-' . s:count : tempname()
  try
    call mkdir(l:directory, '', 0700)
  catch /^Vim\%((\a\+)\)\=:E739/
    return ''
  endtry
  let s:directories[l:directory] = {'process': {}, 'since': []}
  return l:directory
endfunction

" Opens a file of a directory with the viewer.
function! quickvault#viewer#show(directory, path) abort
  let l:viewer = get(g:, 'quickvault_viewer', 'xdg-open')
  let l:command = type(l:viewer) == v:t_list ? copy(l:viewer) : split(l:viewer)
  if empty(l:command) || !executable(l:command[0])
    call quickvault#viewer#remove(a:directory)
    return quickvault#message#alert(quickvault#text#get('viewer.missing', get(l:command, 0, '')))
  endif
  let s:directories[a:directory] = {'since': reltime(), 'process': quickvault#editor#start(l:command + [a:path],
        \ {'OnExit': {status, signal -> s:on_exit(a:directory, status)}})}
  call quickvault#message#info(quickvault#text#get('viewer.opened', l:command[0]))
endfunction

function! s:on_exit(directory, status) abort
  let l:is_known = has_key(s:directories, a:directory)
  if l:is_known && a:status != 0
    call quickvault#message#error(quickvault#text#get('viewer.failed', a:status))
  endif
  if l:is_known && (a:status != 0 || reltimefloat(reltime(s:directories[a:directory].since)) >= s:min_viewer_seconds)
    call quickvault#viewer#remove(a:directory)
  endif
endfunction

" Removes a directory and stops its viewer.
function! quickvault#viewer#remove(directory) abort
  if !has_key(s:directories, a:directory)
    return
  endif
  let l:entry = remove(s:directories, a:directory)
  if !empty(l:entry.process) && quickvault#editor#is_running(l:entry.process)
    call quickvault#editor#stop(l:entry.process)
  endif
  call delete(a:directory, 'rf')
endfunction

" Returns whether a viewer may still need its file.
function! quickvault#viewer#is_open() abort
  return !empty(s:directories)
endfunction

" Removes all directories.
function! quickvault#viewer#clear() abort
  call map(keys(s:directories), 'quickvault#viewer#remove(v:val)')
endfunction
