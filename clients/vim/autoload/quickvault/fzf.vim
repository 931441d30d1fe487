" Chooses a card by its title with fzf, without a trace on the disk.
"
" fzf#run() writes a list of lines to a temporary file, and the chosen line to another.  So the titles come through a named
" pipe, and fzf prints only an id.
"
" While fzf searches, it shows what it found before, and <CR> would choose among that.  So <CR> lets it read the titles again,
" and the choice is made once it has searched these.

" The process that writes to the named pipe, and the buffer of the terminal in which fzf runs.
let [s:writer, s:buffer] = [{}, 0]

" Reads everything up to an empty line before it writes, so that the editor never waits for fzf.  Writes it again after each
" line from the reader, which has then seen the end.
let s:write = 'titles=$(sed "/^$/q"); while printf "%s\n" "$titles" >"$0"; do read -r _ <"$0.read"; done'

" No history file, no preview and no choice without a key, whatever $FZF_DEFAULT_OPTS says: the first two would get what is
" typed or shown, and a file would get what the last one prints.
let s:options = ['--delimiter=\t', '--with-nth=2..', '--no-multi', '--no-history', '--preview=', '--no-select-1', '--no-exit-0',
      \ '--bind=start:unbind(load),change:first,load:become(echo {1})']

" Shows the titles that have these words in fzf, and calls Then with the card that is chosen.
function! quickvault#fzf#open(words, Then) abort
  call quickvault#fzf#on_lock()
  if !exists('*fzf#run')
    return quickvault#message#alert(quickvault#text#get('fzf.missing'))
  endif
  let l:cards = quickvault#picker#titles(a:words)
  let l:pipe = tempname()
  if empty(l:cards) || quickvault#editor#run(['mkfifo', '-m', '600', l:pipe, l:pipe . '.read'], '', 2000, 0)[0] != 0
    return quickvault#message#info(quickvault#text#get('cards.none'))
  endif
  let s:writer = quickvault#editor#start(['sh', '-c', s:write, l:pipe], {'OnLine': {line -> 0}, 'OnErrorLine': {line -> 0},
        \ 'OnExit': {status, signal -> delete(l:pipe) + delete(l:pipe . '.read')}})
  call quickvault#editor#send(s:writer, join(map(l:cards, 'v:val.id . "\t" . v:val.title'), "\n") . "\n")
  let l:before = s:terminals()
  let l:source = printf('cat %s; echo >%s', shellescape(l:pipe), shellescape(l:pipe . '.read'))
  let l:choose = 'rebind(load)+reload-sync(' . l:source . ')'
  " A timer, because the plugin draws the screen again after this.
  let l:Choose = {line -> timer_start(0, {-> a:Then({'id': matchstr(line, '^\S*')})})}
  call fzf#run(fzf#wrap({'source': l:source, 'sink': l:Choose,
        \ 'options': s:options + ['--bind=enter:' . l:choose, '--bind=double-click:' . l:choose,
        \ '--prompt=' . quickvault#text#get('pick')], 'window': {'width': 0.9, 'height': 0.6}}))
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
