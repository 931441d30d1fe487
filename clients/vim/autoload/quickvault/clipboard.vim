" The clipboard where the editor itself has none: that of a program, else that of the terminal.

" Programs that copy, with what must be set for them, and the arguments that copy, that print and that clear.
let s:programs = [
      \ ['WAYLAND_DISPLAY', ['wl-copy', '--sensitive'], ['wl-paste', '--no-newline'], ['wl-copy', '--clear']],
      \ ['WAYLAND_DISPLAY', ['wl-copy'], ['wl-paste', '--no-newline'], ['wl-copy', '--clear']],
      \ ['DISPLAY', ['xclip', '-selection', 'clipboard'], ['xclip', '-selection', 'clipboard', '-o'], ['xclip', '-selection', 'clipboard']],
      \ ['DISPLAY', ['xsel', '--clipboard', '--input'], ['xsel', '--clipboard', '--output'], ['xsel', '--clipboard', '--clear']],
      \ ['HOME', ['pbcopy'], ['pbpaste'], ['pbcopy']],
      \ ]

" A terminal takes no more bytes in one sequence.
let s:longest = 74994
" How long a program may take, in milliseconds.
let s:deadline = 2000

" The program that has the text copied last, and the digest of the text.
let s:last = {}

" Whether wl-copy can tell clipboard managers that a text is a secret; -1 before it was asked.
let s:can_hint = -1

" Returns whether a program copies better than the editor: it tells clipboard managers that the text is a secret, so that they
" do not keep it.
function! quickvault#clipboard#can_hint() abort
  if s:can_hint < 0
    let s:can_hint = !empty($WAYLAND_DISPLAY) && executable('wl-copy') && executable('wl-paste')
          \ && quickvault#editor#run(['wl-copy', '--help'], '', s:deadline, 1)[1] =~# '--sensitive'
  endif
  return s:can_hint
endfunction

" Copies a text.  Returns 'clipboard', 'terminal' if it cannot be cleared there, or an empty string if nothing takes it.
function! quickvault#clipboard#put(text) abort
  for [l:variable, l:copying, l:printing, l:clearing] in s:programs
    if (index(l:copying, '--sensitive') < 0 || quickvault#clipboard#can_hint()) && !empty(getenv(l:variable)) && executable(l:copying[0]) && executable(l:printing[0])
          \ && quickvault#editor#run(l:copying, a:text, s:deadline, 0)[0] == 0
      let s:last = {'printing': l:printing, 'clearing': l:clearing, 'digest': quickvault#privacy#digest(a:text)}
      return 'clipboard'
    endif
  endfor
  return s:tell_terminal(a:text) ? 'terminal' : ''
endfunction

" Clears the clipboard if it still holds the text with this digest.
function! quickvault#clipboard#clear(digest) abort
  if get(s:last, 'digest', '') !=# a:digest
    return
  endif
  let [l:status, l:content] = quickvault#editor#run(s:last.printing, '', s:deadline, 1)
  " The end of the last line is not in what was read.
  if l:status == 0 && index([quickvault#privacy#digest(l:content), quickvault#privacy#digest(l:content . "\n")], a:digest) >= 0
    call quickvault#editor#run(s:last.clearing, '', s:deadline, 0)
  endif
  let s:last = {}
endfunction

" Copies a text by the control sequence OSC 52; returns whether there is a terminal that may know it.
function! s:tell_terminal(text) abort
  if has('gui_running') || index(['', 'dumb', 'linux'], $TERM) >= 0 || len(a:text) > s:longest
    return 0
  endif
  " tmux passes its own buffers on to the terminal, whatever it allows programs inside.
  if !empty($TMUX) && executable('tmux')
    let l:buffer = 'quickvault-' . getpid()
    if quickvault#editor#run(['tmux', 'load-buffer', '-w', '-b', l:buffer, '-'], a:text, s:deadline, 0)[0] == 0
      call quickvault#editor#run(['tmux', 'delete-buffer', '-b', l:buffer], '', s:deadline, 0)
      return 1
    endif
  endif
  let l:sequence = "\<Esc>]52;c;" . substitute(quickvault#editor#run(['base64'], a:text, s:deadline, 1)[1], '\n', '', 'g') . "\x07"
  " GNU screen passes on what is wrapped in a device control string.
  return quickvault#editor#tell_terminal($TERM =~# '^screen' && empty($TMUX) ? "\<Esc>P" . l:sequence . "\<Esc>\\" : l:sequence)
endfunction
