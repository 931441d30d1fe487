" Tests of forms as text, without a server.
scriptencoding utf-8
source <sfile>:h/harness.vim

" The text of a form is that of its lines, each with its end.
function! Test_text_of_lines() abort
  for l:text in ["Title: a\n", "Title: a\n\n--- Text ---\n\n", "--- Text ---\nb\n\n\n", "\n"]
    enew!
    call setline(1, quickvault#form#lines(l:text))
    call Same('R4 ' . string(l:text), quickvault#form#text(bufnr('%')), l:text)
  endfor
  call Same('the last end may be missing', quickvault#form#lines("a\nb"), ['a', 'b'])
endfunction

" The values of concealed fields are drawn as concealed, and nothing else.
function! Test_drawn_as_concealed() abort
  let l:own = '--- Further fields ---'
  for [l:lines, l:concealed] in [
        \ [[l:own, '*PIN: 4711', 'Code: 12', '--- Text ---', '*PIN: 987654', '  and more', '*x：y'], '4711'],
        \ [[l:own, '*PIN: 4711', '---text', '*PIN: 987654'], '4711'],
        \ [[l:own, '--- 正文 ---', '*PIN: 987654', l:own, '*PIN: 987654'], ''],
        \ [[l:own, '*PIN: 47', '', '  11', '', 'Code: 12', '*"quo"ted"：13', '*"open: 14', '* spaced : 15', '*"a: b": 16'],
        \   '471113141516'],
        \ [[l:own, '*PIN: 47', '# ✗ a problem', '  11', '# another', '', '  12', '# last'], '471112'],
        \ [[l:own, '*PIN:', '  47', "\t11", '', '--- Text', '  *no: 1'], '4711'],
        \ ]
    enew!
    call setline(1, l:lines)
    call quickvault#concealed#setup()
    let l:drawn = ''
    for l:line in range(1, line('$'))
      let l:drawn .= join(filter(split(getline(l:line), '\zs'),
            \ {column, character -> synconcealed(l:line, byteidx(getline(l:line), column) + 1)[0]}), '')
    endfor
    call Same('concealed in ' . string(l:lines), substitute(l:drawn, '\s', '', 'g'), l:concealed)
  endfor
endfunction

function! Test_show_and_clear_issues() abort
  enew!
  call setline(1, ['Title: ', 'Phone: 1', '--- Text ---', '# ✗ mine'])
  let l:before = getline(1, '$')
  call quickvault#form#show_issues([{'line': 3, 'message': 'third'}, {'line': 2, 'message': 'second'}, {'message': 'no line'}], '✗')
  call Same('R21 each issue below its field, none in the text', getline(1, '$'),
        \ ['# ✗ no line', 'Title: ', 'Phone: 1', '# ✗ second', '# ✗ third', '--- Text ---', '# ✗ mine'])
  call Same('location list', map(getloclist(0), '[v:val.lnum, v:val.text]'), [[1, 'no line'], [3, 'second'], [4, 'third']])
  call Same('the cursor on the first', line('.'), 1)
  call quickvault#form#clear_issues()
  call Same('issues are removed, the text is not', getline(1, '$'), l:before)
endfunction

function! Test_layout() abort
  call Same('truncated to a width', quickvault#layout#pad('深圳Harbor', 4), '深… ')
  call Same('padded to a width', quickvault#layout#pad('ab', 4), 'ab  ')
  let $TZ = 'UTC'
  for l:time in ['2026-11-21T06:50:12.345Z', '2024-02-29T23:59:59.999Z', '2000-03-01T00:00:00.000Z', '1999-12-31T12:00:00.000Z']
    call Same('time ' . l:time, quickvault#layout#time(l:time), substitute(l:time[:15], 'T', ' ', ''))
  endfor
endfunction

function! Test_language() abort
  let g:quickvault_language = 'zh_CN.UTF-8'
  call Same('Chinese by the option', quickvault#text#get('locked'), '已锁定')
  let g:quickvault_language = 'de'
  call Same('any other locale is English', quickvault#text#get('locked'), 'locked')
  unlet g:quickvault_language
  let [$LC_ALL, $LANG] = ['', 'zh_CN.UTF-8']
  if v:lang =~# '^C'
    call Same('Chinese by the environment', quickvault#text#get('locked'), '已锁定')
  endif
  call quickvault#text#set_language('en')
  call Same('the language of the server takes precedence', quickvault#text#get('locked'), 'locked')
  call quickvault#text#set_language('')
endfunction

call RunTests()
