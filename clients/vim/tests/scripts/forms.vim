" Tests of forms as text, without a server.
scriptencoding utf-8
source <sfile>:h/harness.vim

let s:names = {'title': 'title', '标题': 'title', 'notes': 'notes', 'phone': 'phone', 'text': 'text', '正文': 'text'}

" Every value survives the form.
function! Test_values_survive() abort
  for l:value in ['', 'one', ' two  spaces ', "a\nb", "\n", "\nlead", "trail\n", "a\n\n\nb", "  indented\n\ttab",
        \ "# not a comment\n--- nor a section ---", 'label: value', "carriage\r\nreturn", "\n\n", '：宽', '*']
    let l:form = quickvault#form#parse(quickvault#form#field('Notes', l:value)
          \ + ['', 'Phone: 1'], s:names, '')
    call Same('R4 value ' . string(l:value), get(l:form.values, 'notes', ''), l:value)
    call Same('the field after ' . string(l:value), l:form.values.phone, '1')
    let l:raw = quickvault#form#parse(['Title: t', '--- Text ---'] + split(l:value, "\n", 1), s:names, 'text')
    call Same('R4 raw ' . string(l:value), l:raw.values.text, l:value)
  endfor
endfunction

" Every label of a user-defined field survives the form.
function! Test_labels_survive() abort
  for l:label in ['Door code', 'a: b', '全：角', '"quoted"', '*star', '#hash', '-dash', ' space ', 'back\slash', 'Title']
    for l:concealed in [0, 1]
      let l:field = {'label': l:label, 'value': "4711#\n: x", 'concealed': l:concealed}
      let l:masks = {}
      let l:form = quickvault#form#parse(['--- Further fields ---'] + quickvault#form#extra_field(l:field, l:masks), s:names, '')
      call quickvault#concealed#resolve(l:form, {'masks': l:masks, 'raw': ''})
      call Same('label ' . l:label, map(copy(l:form.extra),
            \ {_, field -> [field.label, field.value, field.concealed]}), [[l:label, l:field.value, l:concealed]])
      call Same('no issue with ' . l:label, l:form.issues, [])
    endfor
  endfor
endfunction

function! Test_tags_survive() abort
  for l:tags in [[], ['home'], ['税务', 'bank'], ['a, b', 'c'], ['"q"'], ['，', '、x']]
    call Same('tags ' . string(l:tags), quickvault#form#tags(quickvault#form#join_tags(l:tags)), l:tags)
  endfor
  call Same('commas of either width', quickvault#form#tags(' a，b、 c ,'), ['a', 'b', 'c'])
endfunction

function! Test_user_input() abort
  let l:form = quickvault#form#parse(['# hint', '标题：家', 'PHONE:138', 'Notes: a', '  b', '', '  c', '',
        \ '--- Further fields ---', 'Wi-Fi：x', '*PIN: 1'], s:names, '')
  call Same('full-width colons, any case, comments, empty lines', l:form.values,
        \ {'title': '家', 'phone': '138', 'notes': "a\nb\n\nc"})
  call Same('own fields', map(copy(l:form.extra), {_, field -> [field.label, field.concealed]}), [['Wi-Fi', 0], ['PIN', 1]])
  call Same('places', [l:form.places.title, l:form.places.notes, l:form.places['extraFields[1].label']], [2, 4, 11])
endfunction

function! Test_syntax_issues() abort
  let l:form = quickvault#form#parse(['Title: a', 'nonsense', 'Colour: red', 'Title: b'], s:names, '')
  call Same('R21 all issues at once', map(copy(l:form.issues), 'v:val.line'), [2, 3, 4])
  let l:form = quickvault#form#parse(['Title: a', 'Text: lost', '--- Text ---', 'kept'], s:names, 'text')
  call Same('R4 a field and a section of one name', map(copy(l:form.issues), 'v:val.line'), [2])
  let l:form = quickvault#form#parse(['', '  lost'], s:names, '')
  call Same('a continuation line without a field', map(copy(l:form.issues), 'v:val.line'), [2])
  for l:line in ['--- deliver to the back door ---', '-----BEGIN NOTE-----', '---8<---', '---', '--- Notes: a']
    for l:above in [['Notes: a'], ['--- Further fields ---', 'Door code: 1']]
      let l:form = quickvault#form#parse(l:above + [l:line, '  its value', 'Phone: 2'], s:names, '')
      call Same('R21 a heading of nothing: ' . string(l:above + [l:line]), map(copy(l:form.issues), 'v:val.line'), [len(l:above) + 1])
    endfor
  endfor
  for l:heading in ['--- Further fields ---', '---further fields', '--- 自定义字段 ---']
    let l:form = quickvault#form#parse([l:heading, 'Door code: 1'], s:names, '')
    call Same('the heading ' . l:heading, [len(l:form.extra), l:form.issues], [1, []])
  endfor
endfunction

" What is drawn as concealed is what is saved as concealed, and nothing else.
function! Test_concealed_as_parsed() abort
  let l:own = '--- Further fields ---'
  for l:lines in [
        \ [l:own, '*PIN: 4711', 'Code: 12', '--- Text ---', '*PIN: 987654', '  and more', '*x：y'],
        \ [l:own, '*PIN: 4711', '---text', '*PIN: 987654'],
        \ [l:own, '--- 正文 ---', '*PIN: 987654', l:own, '*PIN: 987654'],
        \ [l:own, '*PIN: 47', '', '  11', '', 'Code: 12', '*"quo"ted"：13', '*"open: 14', '* spaced : 15', '*"a: b": 16'],
        \ [l:own, '*PIN: 47', '# ✗ a problem', '  11', '# another', '', '  12', '# last'],
        \ [l:own, '*PIN:', '  47', "\t11", '', '--- Text', '  *no: 1'],
        \ ]
    enew!
    call setline(1, l:lines)
    call quickvault#concealed#setup()
    call quickvault#form#mark_raw(s:names, 'text')
    let l:drawn = ''
    for l:line in range(1, line('$'))
      let l:drawn .= join(filter(split(getline(l:line), '\zs'),
            \ {column, character -> synconcealed(l:line, byteidx(getline(l:line), column) + 1)[0]}), '')
    endfor
    let l:parsed = filter(quickvault#form#parse(l:lines, s:names, 'text').extra, 'v:val.concealed')
    let l:saved = join(map(l:parsed, 'v:val.value'), '')
    call Same('concealed in ' . string(l:lines), substitute(l:drawn, '\s', '', 'g'), substitute(l:saved, '\_s', '', 'g'))
  endfor
endfunction

" A mask stands for its value wherever it is put; nothing else that contains one is saved.
function! Test_masks() abort
  let l:state = {'names': s:names, 'raw': 'text', 'masks': {}}
  let l:own = '--- Further fields ---'
  let l:typed = ['Notes: ••••', l:own, '*PIN: 4711', 'Code: ••••', '*"a: b"：one', '# ✗ a problem', '  two', '', '  three', '*Same: 4711',
        \ '*Empty:', '--- Text ---', '*PIN: 4711']
  call quickvault#concealed#note({'fields': [{'value': '••••'}], 'extraFields': [{'value': 'x ••••'}]}, l:state.masks)
  let l:hidden = quickvault#concealed#hide(l:typed, l:state)
  call Same('no value is in the form', l:hidden, ['Notes: ••••', l:own, '*PIN: •••• (2)', 'Code: ••••', '*"a: b": •••• (3)',
        \ '*Same: •••• (2)', '*Empty:', '--- Text ---', '*PIN: 4711'])
  call Same('hiding once more changes nothing', quickvault#concealed#hide(l:hidden, l:state), l:hidden)
  call Same('the values are back', quickvault#concealed#show(l:hidden, l:state), ['Notes: ••••', l:own, '*PIN: 4711', 'Code: ••••',
        \ '*"a: b":', '  one', '  two', '', '  three', '*Same: 4711', '*Empty:', '--- Text ---', '*PIN: 4711']
        \ ->map({_, line -> empty(line) ? '  ' : line}))
  for [l:lines, l:values, l:issues] in [
        \ [['*Renamed: •••• (2)', 'Shown: •••• (3)', 'Code: ••••'], ['4711', "one\ntwo\n\nthree", '••••'], []],
        \ [['*PIN: •••• (2)x', '*Copied: •••• (9)', 'Plain: x••••'], ['•••• (2)x', '•••• (9)', 'x••••'], [2, 3]],
        \ ]
    let l:form = quickvault#form#parse([l:own] + l:lines, s:names, 'text')
    call quickvault#concealed#resolve(l:form, l:state)
    call Same('saved of ' . string(l:lines), map(copy(l:form.extra), 'v:val.value'), l:values)
    call Same('issues of ' . string(l:lines), map(copy(l:form.issues), 'v:val.line'), l:issues)
  endfor
  let l:form = quickvault#form#parse(['Phone: •••• (2)', 'Notes: ••••', '--- Text ---', '•••• (2)'], s:names, 'text')
  call quickvault#concealed#resolve(l:form, l:state)
  call Same('a mask in a field of the template', map(copy(l:form.issues), 'v:val.line'), [1])
endfunction

function! Test_show_and_clear_issues() abort
  enew!
  call setline(1, ['Title: ', 'Phone: 1', '--- Text ---', '# ✗ mine'])
  call quickvault#form#show_issues([{'line': 2, 'text': 'second'}, {'line': 1, 'text': 'first'}], '✗')
  call Same('R21 each issue below its field', getline(1, '$'),
        \ ['Title: ', '# ✗ first', 'Phone: 1', '# ✗ second', '--- Text ---', '# ✗ mine'])
  call Same('location list', map(getloclist(0), '[v:val.lnum, v:val.text]'), [[1, 'first'], [3, 'second']])
  call Same('the cursor on the first', line('.'), 1)
  call quickvault#form#clear_issues(s:names, 'text')
  call Same('issues are removed, the text is not', getline(1, '$'),
        \ ['Title: ', 'Phone: 1', '--- Text ---', '# ✗ mine'])
endfunction

function! Test_layout() abort
  call Same('truncated to a width', quickvault#layout#pad('深圳Harbor', 4), '深… ')
  call Same('padded to a width', quickvault#layout#pad('ab', 4), 'ab  ')
  let $TZ = 'UTC'
  for l:time in ['2026-11-21T06:50:12.345Z', '2024-02-29T23:59:59.999Z', '2000-03-01T00:00:00.000Z', '1999-12-31T12:00:00.000Z']
    call Same('time ' . l:time, quickvault#layout#time(l:time), substitute(l:time[:15], 'T', ' ', ''))
  endfor
endfunction

" Every message that the code uses exists in both languages, with the same placeholders.
function! Test_texts() abort
  let l:keys = {}
  for l:file in glob($QUICKVAULT_TEST_PLUGIN . '/autoload/**/*.vim', 0, 1)
    call substitute(join(readfile(l:file), "\n"), '\v%(text#get|s:text|text#both)\(''([^'']+)''[,)]',
          \ '\=extend(l:keys, {submatch(1): 1}) is 0 ? "" : ""', 'g')
  endfor
  call Check('messages are used', len(l:keys) > 60, len(l:keys))
  for l:key in keys(l:keys)
    let l:both = quickvault#text#translations(l:key)
    call Check('text ' . l:key, len(l:both) == 2 && l:both[0] !~# '[^\x00-\x7f]' && l:both[1] =~# '[^\x00-\x7f]', l:both)
    call Same('placeholders of ' . l:key, count(l:both[0], '%s') * 10 + count(l:both[0], '%d'),
          \ count(l:both[1], '%s') * 10 + count(l:both[1], '%d'))
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
