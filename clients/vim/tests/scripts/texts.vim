" Tests of the texts: each that is used is there, each that is there is used, and the help names each key.
scriptencoding utf-8
source <sfile>:h/harness.vim

let s:top = $QUICKVAULT_TEST_PLUGIN
let s:files = globpath(s:top, 'plugin/*.vim', 0, 1) + globpath(s:top, 'autoload/**/*.vim', 0, 1)
let s:sources = join(map(s:files, 'join(readfile(v:val), "\n")'), "\n")

" Returns what the group of a pattern matches, each time.
function! s:all(pattern) abort
  let l:found = []
  call substitute(s:sources, a:pattern, '\=add(l:found, submatch(1))', 'g')
  return l:found
endfunction

function! s:arguments(text) abort
  return sort(map(split(a:text, '\ze%[sd]'), 'matchstr(v:val, "^%[sd]")'))
endfunction

" A name that is put together begins with a word of the sources and a dot.
function! Test_texts() abort
  let l:rows = map(readfile(s:top . '/autoload/quickvault/text.txt'), 'split(v:val, "\t")')
  let l:names = map(copy(l:rows), 'v:val[0]')
  call Same('each has two texts', filter(copy(l:rows), 'len(v:val) != 3'), [])
  call Same('with the same arguments', filter(copy(l:rows), {_, row -> s:arguments('.' . row[1]) !=# s:arguments('.' . row[2])}), [])
  let l:used = s:all('text[#(]\%(get(\|translations(\)\?''\([^'']*\)''\s*[,)]')
  call Check('some are used', len(l:used) > 100, l:used)
  call Same('missing ones', filter(copy(l:used), 'index(l:names, v:val) < 0'), [])
  let l:words = s:all('''\([a-z][a-zA-Z._]*\)''')
  let l:beginnings = filter(copy(l:words), 'v:val =~# "\\.$"') + ['copied.']
  call Same('unused ones', filter(copy(l:names), {_, name -> index(l:words, name) < 0
        \ && empty(filter(copy(l:beginnings), 'stridx(name, v:val) == 0'))}), [])
endfunction

" Those of the list, and those of the page of conflicts.
function! Test_keys() abort
  let l:help = join(readfile(s:top . '/doc/quickvault.txt'), "\n")
  let l:list = matchstr(l:help, '\*quickvault-keys\*\_.\{-}\n\n')
  let l:conflicts = matchstr(l:help, '\*quickvault-conflicts\*\_.\{-}Deleting asks')
  for [l:pages, l:keys; l:rest] in map(readfile(s:top . '/autoload/quickvault/keys.txt'), 'split(v:val, "\t", 1)')
    call Same('columns of ' . l:keys, len(l:rest), 3)
    for l:key in l:pages =~# '\<\%(cards\|conflicts\)\>' ? split(l:keys) : []
      call Check('help of ' . l:key, (l:pages =~# '\<cards\>' ? l:list : l:conflicts) =~# '\C\_s\V' . l:key . '\m\_s')
    endfor
  endfor
endfunction

call RunTests()
