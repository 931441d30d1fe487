" Adds files to a card as attachments.
scriptencoding utf-8

" The text of the last watermark, until the vault locks.
let s:last_watermark = ''

" Adds files with a watermark, given as file... [-- watermark].  Asks for a file if there is none, and for the watermark if
" that is not given and a file is a picture.
function! quickvault#attach#files(arguments, card) abort
  let l:end = index(a:arguments, '--')
  let l:names = l:end < 0 ? copy(a:arguments) : l:end == 0 ? [] : a:arguments[: l:end - 1]
  let l:names = !empty(l:names) ? l:names
        \ : filter([quickvault#prompt#line(quickvault#text#get('attach.file'), '', 'file')], '!empty(v:val)')
  let l:files = map(l:names, {_, name -> s:look_at(quickvault#prompt#full_path(name))})
  let l:text = l:end >= 0 ? quickvault#attach#note_watermark(join(a:arguments[l:end + 1 :], ' '))
        \ : empty(filter(copy(l:files), 'v:val.type ==# "picture"')) ? '' : quickvault#attach#ask_watermark(s:last_watermark)
  let l:done = l:text is v:null || empty(l:files) ? [] : s:leave_out_documents(l:files, l:text =~# '\S')
  if !empty(l:done)
    call s:add_all(a:card, l:text, l:done)
  endif
endfunction

" Returns the path, the name and the type of a file, by its content: "picture", "document" or an empty string.
function! s:look_at(path) abort
  let l:head = filereadable(a:path) ? join(readfile(a:path, 'b', 9), "\n") : ''
  let l:is_picture = l:head[:2] ==# "\xff\xd8\xff" || l:head[:3] ==# "\x89PNG" || l:head[4:7] ==# 'ftyp'
  return {'path': a:path, 'name': fnamemodify(a:path, ':t'), 'outcome': '', 'reason': '',
        \ 'type': l:is_picture ? 'picture' : l:head =~# '^\%(\%ufeff\|\%xef\%xbb\%xbf\)\?[[:space:]\n]*%PDF-' ? 'document' : ''}
endfunction

" Asks whether to add documents, which cannot have a watermark, without it.  Returns the files, or none if cancelled.
function! s:leave_out_documents(files, is_marked) abort
  let l:documents = filter(copy(a:files), 'a:is_marked && v:val.type ==# "document"')
  if !empty(l:documents)
    let l:question = quickvault#text#get('attach.document', s:names(l:documents))
    let l:answer = quickvault#prompt#confirm(l:question, quickvault#text#get('attach.document.choices'), 2)
    call map(l:documents, {_, file -> extend(file, {'outcome': l:answer == 1 ? '' : 'failed'})})
    return l:answer == 0 ? [] : a:files
  endif
  return a:files
endfunction

" Adds the files that the card does not have yet.  After an interrupt or a lock, the others are not tried.
function! s:add_all(card, text, files) abort
  let [l:error, l:answer] = quickvault#session#wait('attachment/list', {'cardId': a:card.id})
  if !empty(l:error)
    return quickvault#message#error(l:error)
  endif
  let l:there = map(l:answer.items, '[v:val.name, v:val.size]')
  for l:file in filter(copy(a:files), 'empty(v:val.outcome)')
    if index(l:there, [l:file.name, getfsize(l:file.path)]) >= 0
      let l:file.outcome = 'there'
      continue
    endif
    let l:error = s:add(a:card, l:file, l:file.type ==# 'document' ? '' : a:text)
    let l:file.outcome = empty(l:error) ? 'added' : l:error.kind ==# 'client.timeout' ? 'unknown' : 'failed'
    let l:file.reason = quickvault#message#error_text(l:error)
    if get(l:error, 'kind', '') =~# '^\%(rpc\|client\|vault\)\.'
      break
    endif
  endfor
  call quickvault#buffers#refresh_changed({'changed': [a:card.id]})
  call s:report(a:files)
endfunction

" Adds a file and returns the error.
function! s:add(card, file, text) abort
  let l:watermark = a:text =~# '\S' ? {'watermark': {'text': a:text}} : {}
  return quickvault#session#wait_with_progress(quickvault#text#get('attaching', a:file.name), 'attachment/add',
        \ extend({'cardId': a:card.id, 'path': a:file.path}, l:watermark))[0]
endfunction

" Says what was done with each file.
function! s:report(files) abort
  let l:With = {outcome -> filter(copy(a:files), 'v:val.outcome ==# outcome')}
  let l:lines = []
  for l:outcome in ['added', 'there', 'unknown']
    let l:lines += empty(l:With(l:outcome)) ? [] : [quickvault#text#get('attach.' . l:outcome, s:names(l:With(l:outcome)))]
  endfor
  let l:failed = l:With('failed') + l:With('')
  let l:lines += map(copy(l:failed), {_, file -> quickvault#text#get('attach.failed', s:names([file])
        \ . (empty(file.reason) ? '' : quickvault#text#get('colon') . file.reason))})
  if len(l:lines) == 1 && empty(l:failed) && empty(l:With('unknown'))
    call quickvault#message#info(l:lines[0])
  else
    call quickvault#message#alert(join(l:lines, "\n"))
  endif
endfunction

function! s:names(files) abort
  return join(map(copy(a:files), 'quickvault#layout#one_line(v:val.name)'), quickvault#text#get('list'))
endfunction

" Asks for the text of a watermark; an empty one is none.  Returns null if cancelled.
function! quickvault#attach#ask_watermark(default) abort
  let l:text = quickvault#prompt#line_or(v:null, quickvault#text#get('watermark.ask'), a:default)
  return l:text is v:null ? v:null : quickvault#attach#note_watermark(l:text)
endfunction

" Returns a text, which is the default for the next picture.
function! quickvault#attach#note_watermark(text) abort
  if a:text =~# '\S' && quickvault#session#is_unlocked()
    let s:last_watermark = a:text
  endif
  return a:text
endfunction

" Forgets the last watermark.
function! quickvault#attach#on_lock() abort
  let s:last_watermark = ''
endfunction
