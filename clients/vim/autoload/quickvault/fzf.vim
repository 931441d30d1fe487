" Chooses a card by its title with fzf, without a trace on the disk.
"
" fzf#run() writes a list of lines to a temporary file, and the chosen line to another.  So the titles come through a named
" pipe, and fzf prints only an id.

" The process that writes to the named pipe, and the buffer of the terminal in which fzf runs.
let [s:writer, s:buffer] = [{}, 0]

" Reads everything up to an empty line before it writes, so that the editor never waits for fzf.
let s:write = 'titles=$(sed "/^$/q"); printf "%s\n" "$titles" >"$0"'

" No history file and no preview, whatever $FZF_DEFAULT_OPTS says: both would get what is typed or shown.
let s:options = ['--delimiter=\t', '--with-nth=2..', '--no-multi', '--no-history', '--preview=',
      \ '--bind=enter:become(echo {1}),double-click:become(echo {1})']

" Shows the titles that have these words in fzf, and calls Then with the card that is chosen.
function! quickvault#fzf#open(words, Then) abort
  call quickvault#fzf#on_lock()
  if !exists('*fzf#run')
    return quickvault#message#alert(quickvault#text#get('fzf.missing'))
  endif
  let l:cards = quickvault#picker#titles(a:words)
  let l:pipe = tempname()
  if empty(l:cards) || quickvault#editor#run(['mkfifo', '-m', '600', l:pipe], '', 2000, 0)[0] != 0
    return quickvault#message#info(quickvault#text#get('cards.none'))
  endif
  let s:writer = quickvault#editor#start(['sh', '-c', s:write, l:pipe], {'OnLine': {line -> 0}, 'OnErrorLine': {line -> 0},
        \ 'OnExit': {status, signal -> delete(l:pipe)}})
  call quickvault#editor#send(s:writer, join(map(l:cards, 'v:val.id . "\t" . v:val.title'), "\n") . "\n")
  let l:before = s:terminals()
  call fzf#run(fzf#wrap({'source': 'cat ' . shellescape(l:pipe), 'sink': {line -> a:Then({'id': matchstr(line, '^\S*')})},
        \ 'options': s:options + ['--prompt=' . quickvault#text#get('pick')], 'window': {'width': 0.9, 'height': 0.6}}))
  let s:buffer = get(filter(s:terminals(), 'index(l:before, v:val) < 0'), 0, 0)
endfunction

function! s:terminals() abort
  return filter(range(1, bufnr('$')), 'getbufvar(v:val, "&buftype") ==# "terminal"')
endfunction

" Ends fzf when the vault locks.
function! quickvault#fzf#on_lock() abort
  if !empty(s:writer)
    call quickvault#editor#stop(s:writer)
    if bufexists(s:buffer)
      " Vim cannot wipe the buffer of a terminal in which keys are typed.
      execute has('nvim') ? 'bwipeout! ' . s:buffer : 'call job_stop(term_getjob(s:buffer), "kill")'
    endif
    let [s:writer, s:buffer] = [{}, 0]
  endif
endfunction
