" Import, export, backup, merge, and the demo.
scriptencoding utf-8

" Targets for the columns of a table; a label follows extra: and concealed:.
let s:targets = split('title type group tags name phone province city district address postalCode notes companyName taxId'
      \ . ' bankName bankAccount text username password website totp extra: concealed: ignore')
let s:formats = ['json', 'csv', 'vcard', 'markdown']

" The lines for the buffer of the import report.
let s:report = []

" Implements :QuickVaultImport [-format={format}] [{file}]: shows a preview and imports after confirmation.
function! quickvault#transfer#import(argument) abort
  let l:parts = matchlist(a:argument, '\v^%(-format\=(\S+)\s*)?(.*)$')
  let l:path = s:path(l:parts[2], 'import.file', 'file')
  if empty(l:path)
    return
  endif
  call s:import_with_preview(extend({'path': l:path}, empty(l:parts[1]) ? {} : {'format': l:parts[1]}), l:path)
endfunction

" Implements :QuickVaultImportLines [-format={format}]: imports lines of this buffer as import() does.
function! quickvault#transfer#import_lines(first, last, argument) abort
  let [l:all, l:format, l:rest; _] = matchlist(a:argument, '\v^%(-format\=(\S+)\s*)?(.*)$')
  if !empty(l:rest)
    return quickvault#message#error(quickvault#text#get('option.unknown', l:rest))
  endif
  let l:data = quickvault#editor#filter(['base64', '-w', '0'], a:first, a:last)
  if empty(l:data)
    return quickvault#message#alert(quickvault#text#get('import.unencoded'))
  endif
  call s:import_with_preview(extend({'data': l:data}, empty(l:format) ? {} : {'format': l:format}), bufname('%'))
endfunction

function! s:import_with_preview(params, name) abort
  let l:params = a:params
  while 1
    let [l:error, l:report] = s:import(l:params, a:name, v:true)
    if !empty(l:error)
      return quickvault#message#file_error(a:name, l:error)
    endif
    let l:choice = s:ask_import(l:report)
    if l:choice == 1
      return s:imported(a:name, s:import(l:params, a:name, v:false))
    elseif l:choice != 3 || !s:choose_column(l:params, l:report.mapping)
      return
    endif
  endwhile
endfunction

" Returns the given path, or one read from the user, as an absolute path; empty if cancelled or if it is an option.
function! s:path(given, question, kind) abort
  if quickvault#prompt#is_unknown_option(a:given)
    return ''
  endif
  let l:path = !empty(a:given) ? a:given : quickvault#prompt#line(quickvault#text#get(a:question), '', a:kind)
  return empty(l:path) ? '' : quickvault#prompt#full_path(l:path)
endfunction

function! s:import(params, name, dry_run) abort
  let l:answer = quickvault#session#wait_with_progress(quickvault#text#get('import.reading'), 'vault/import',
        \ extend({'dryRun': a:dry_run, 'onError': 'skip'}, a:params))
  if empty(l:answer[0])
    let s:report = s:draw(l:answer[1], a:name)
    call quickvault#buffer#open('quickvault://import', 'belowright split')
    if !empty(s:report)
      call quickvault#buffer#read(bufname('%'))
    endif
    redraw
  endif
  return l:answer
endfunction

" Returns 1 to import, 2 to cancel, 3 to change a column.
function! s:ask_import(report) abort
  let l:count = s:importable_count(a:report)
  if l:count == 0
    call quickvault#message#info(quickvault#text#get('import.nothing'))
    return 2
  endif
  let l:question = a:report.skipped ? 'import.some' : 'import.all'
  let l:choices = empty(a:report.mapping) ? 'import.choices' : 'import.table'
  return quickvault#prompt#confirm(quickvault#text#get(l:question, l:count), quickvault#text#get(l:choices), 2)
endfunction

function! s:importable_count(report) abort
  return a:report.total - a:report.duplicates - a:report.skipped
endfunction

" Asks for the target of a column; returns whether one was chosen.
function! s:choose_column(params, mapping) abort
  let l:names = map(copy(a:mapping), {_, one -> quickvault#layout#one_line(one.column) . ' → ' . one.target})
  let l:choice = quickvault#prompt#choice(quickvault#text#get('import.which'), l:names)
  if l:choice >= 0
    let l:column = a:mapping[l:choice]
    let l:target = quickvault#prompt#line(quickvault#text#get('import.column', l:column.column), l:column.target,
          \ 'customlist,quickvault#transfer#targets')
    if !empty(l:target)
      let a:params.mapping = extend(get(a:params, 'mapping', {}), {l:column.column: l:target})
    endif
  endif
  return l:choice >= 0
endfunction

" Completes the targets of columns.
function! quickvault#transfer#targets(lead, line, position) abort
  return filter(copy(s:targets), 'stridx(tolower(v:val), tolower(a:lead)) == 0')
endfunction

function! s:imported(name, answer) abort
  if get(a:answer[0], 'kind', '') ==# 'rpc.cancelled'
    return quickvault#message#result(quickvault#text#get('import.cancelled'))
  elseif !empty(a:answer[0])
    return quickvault#message#file_error(a:name, a:answer[0])
  endif
  call quickvault#buffer#refresh_changed({'all': v:true})
  call quickvault#message#result(quickvault#text#get('imported', a:answer[1].imported))
endfunction

" Fills the buffer of the import report.  A lock clears the report permanently.
function! quickvault#transfer#read() abort
  call quickvault#buffer#setup_view()
  call quickvault#keys#report()
  call quickvault#buffer#fill(empty(s:report) ? [quickvault#text#get('import.gone')] : s:report)
  let s:report = []
endfunction

function! s:draw(report, path) abort
  let l:lines = [fnamemodify(a:path, ':t'), quickvault#text#get('import.report', a:report.format, a:report.encoding,
        \ a:report.total, quickvault#text#get(a:report.imported ? 'outcome.imported' : 'outcome.ready'),
        \ s:importable_count(a:report), a:report.duplicates, a:report.skipped)]
  if !empty(a:report.mapping)
    call extend(l:lines, ['', quickvault#text#get('import.columns')]
          \ + map(copy(a:report.mapping), {_, one -> '  ' . quickvault#layout#one_line(one.column) . ' → ' . one.target}))
  endif
  call add(l:lines, '')
  for l:item in a:report.items
    call add(l:lines, printf('%5d  %s  %s', l:item.line, quickvault#text#get('outcome.' . l:item.outcome),
          \ quickvault#layout#one_line(l:item.title)))
    call extend(l:lines, map(l:item.issues + l:item.warnings, {_, remark -> '         ' . remark.message}))
  endfor
  return l:lines + (a:report.itemsLeftOut ? [quickvault#text#get('import.more', a:report.itemsLeftOut)] : [])
        \ + ['', quickvault#text#get('hint.report')]
endfunction

" Implements :QuickVaultExport [{format} [{file}]]: exports all cards to an unencrypted file.
function! quickvault#transfer#export(argument) abort
  let l:parts = matchlist(a:argument, '\v^(\S*)\s*(.*)$')
  let l:format = l:parts[1]
  if empty(l:format)
    let l:format = get(s:formats, quickvault#prompt#choice(quickvault#text#get('export.format'), s:formats), '')
  endif
  if index(s:formats, l:format) < 0
    return empty(l:format) ? 0 : quickvault#message#error(quickvault#text#get('export.unknown', l:format, join(s:formats, ', ')))
  endif
  let l:path = quickvault#prompt#target(l:parts[2],
        \ 'quickvault.' . get({'vcard': 'vcf', 'markdown': 'md'}, l:format, l:format))
  if empty(l:path)
    return
  endif
  let [l:error, l:without] = s:without(l:format)
  if !empty(l:error)
    return quickvault#message#error(l:error)
  elseif quickvault#prompt#confirm(l:without . quickvault#text#get('export.plain'), quickvault#text#get('export.choices'), 2) != 1
    return
  endif
  let l:params = {'path': l:path, 'format': l:format, 'overwrite': empty(getftype(l:path)) ? v:false : v:true}
  call s:with_password('password', 'exporting', 'vault/export', l:params, function('s:exported'))
endfunction

" Returns an error and a text that says what a file of a format will not have; it is empty if that has everything.
function! s:without(format) abort
  let l:parts = []
  for [l:key, l:method, l:params] in a:format ==# 'json' ? [] : a:format ==# 'vcard'
        \ ? [['cards', 'card/list', {}], ['attachments', 'card/search', {'query': 'type:address has:attachment'}]]
        \ : [['attachments', 'card/search', {'query': 'has:attachment'}]]
    let [l:error, l:page] = quickvault#session#wait(l:method, extend({'limit': 1}, l:params))
    let l:total = empty(l:error) ? l:page.total : 0
    if empty(l:error) && l:key ==# 'cards'
      let [l:error, l:page] = quickvault#session#wait('card/search', {'query': 'type:address', 'limit': 1})
      let l:total -= empty(l:error) ? l:page.total : 0
    endif
    if !empty(l:error)
      return [l:error, '']
    endif
    let l:parts += l:total == 0 ? [] : [quickvault#text#get('export.without.' . l:key, l:total)]
  endfor
  let l:parts += a:format ==# 'vcard' ? [quickvault#text#get('export.without.concealed')] : []
  return [{}, empty(l:parts) ? '' : quickvault#text#get('export.without', join(l:parts, quickvault#text#get('list')))]
endfunction

" Names the file, and what it does not have.
function! s:exported(answer) abort
  let l:missing = [a:answer.cardsLeftOut, a:answer.attachmentsLeftOut, a:answer.damaged]
  call quickvault#message#result(l:missing == [0, 0, 0] ? quickvault#text#get('written', a:answer.path)
        \ : call('quickvault#text#get', ['written.without', a:answer.path] + l:missing))
endfunction

" Sends a request with the password, and calls Then with the result.
function! s:with_password(prompt, text, method, params, Then) abort
  let l:text = quickvault#text#get(a:text)
  let [l:error, l:answer] = quickvault#password#with(quickvault#text#get(a:prompt),
        \ {password -> quickvault#session#wait_with_progress(l:text, a:method, extend({'password': password}, a:params))})
  if empty(l:error)
    call a:Then(l:answer)
  else
    call quickvault#message#file_error(a:params.path, l:error)
  endif
endfunction

" Implements :QuickVaultBackup [-keep={number}] [{directory}].
function! quickvault#transfer#backup(argument) abort
  let l:parts = matchlist(a:argument, '\v^%(-keep\=(\d+)\s*)?(.*)$')
  let l:path = s:path(l:parts[2], 'backup.to', 'dir')
  if empty(l:path)
    return
  endif
  let [l:error, l:answer] = quickvault#session#wait_with_progress(quickvault#text#get('backup.making'), 'vault/backup',
        \ extend({'path': l:path}, empty(l:parts[1]) ? {} : {'keep': str2nr(l:parts[1])}))
  if !empty(l:error)
    call quickvault#message#file_error(l:path, l:error)
  elseif l:answer.integrity ==# 'damaged'
    call quickvault#message#alert(quickvault#text#get('backup.damaged', l:answer.path))
  else
    call quickvault#message#result(quickvault#text#get('written', l:answer.path))
  endif
endfunction

" Merges another copy of the vault.  Asks for its password only if the vault's key does not open it.
function! quickvault#transfer#merge(argument) abort
  let l:path = s:path(a:argument, 'merge.file', 'file')
  if empty(l:path)
    return
  endif
  let [l:error, l:answer] = quickvault#session#wait_with_progress(quickvault#text#get('merging'), 'vault/merge', {'path': l:path})
  if empty(l:error)
    call s:merged(l:answer)
  elseif get(l:error, 'kind', '') ==# 'merge.passwordRequired'
    call s:with_password('merge.password', 'merging', 'vault/merge', {'path': l:path}, function('s:merged'))
  else
    call quickvault#message#file_error(l:path, l:error)
  endif
endfunction

function! s:merged(answer) abort
  call quickvault#buffer#refresh_changed({'all': v:true})
  let l:conflicts = len(a:answer.conflicts) + get(a:answer, 'conflictsLeftOut', 0)
  call quickvault#message#result(call('quickvault#text#get', [l:conflicts > 0 ? 'merged.conflicts' : 'merged']
        \ + (l:conflicts > 0 ? [l:conflicts] : []) + [a:answer.added, a:answer.updated, a:answer.deleted]))
endfunction

" Starts or leaves the demo with sample cards, which runs another process.  The user's vault stays locked meanwhile.
function! quickvault#transfer#demo() abort
  if quickvault#buffer#has_unsaved_changes()
        \ && quickvault#prompt#confirm(quickvault#text#get('lock.anyway'), quickvault#text#get('lock.choices'), 2) != 1
    return
  endif
  let l:is_demo = quickvault#session#toggle_demo()
  call quickvault#buffer#blank(0)
  " These buffers belong to the other vault.
  call quickvault#buffer#wipe()
  if !l:is_demo
    call quickvault#message#info(quickvault#text#get('demo.over'))
  elseif !empty(quickvault#session#status())
    call quickvault#buffer#open('quickvault://cards', 'split')
    call quickvault#message#info(quickvault#text#get('demo'))
  endif
endfunction
