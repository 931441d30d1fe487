" Attachments: the images and documents of a card.
scriptencoding utf-8

" Returns the lines that list attachments, with type, dimensions, size and watermark.
function! quickvault#attachment#lines(attachments) abort
  return map(copy(a:attachments), {_, one -> '  ' . quickvault#layout#one_line(one.name) . '  ' . join([
        \ toupper(matchstr(one.mediaType, '[^/]*$')), one.width . '×' . one.height, s:size(one.size)] + (empty(one.watermark) ? []
        \ : [quickvault#text#get('watermark.is', quickvault#layout#one_line(one.watermark.text))]), ' · ')})
endfunction

function! s:size(bytes) abort
  return a:bytes < 1024 ? a:bytes . ' B' : a:bytes < 1048576 ? printf('%.1f KiB', a:bytes / 1024.0)
        \ : printf('%.1f MiB', a:bytes / 1048576.0)
endfunction

" Choosing

" Calls Then with the current card, or with one chosen by its title.
function! s:with_card(Then) abort
  let l:card = quickvault#buffer#is_vault_buffer(bufnr('%')) ? quickvault#action#card() : {}
  if !empty(l:card)
    call a:Then(l:card)
  elseif quickvault#password#unlock()
    call quickvault#copy#find('', a:Then, 'attachment.card', 1)
  endif
endfunction

" Calls Then with the card's id and the attachment on the cursor's line, or one chosen from the card.
function! s:with_attachment(question, Then) abort
  let l:is_page = get(get(b:, 'quickvault', {}), 'kind', '') ==# 'card'
  let l:here = l:is_page ? quickvault#page#attachment() : {}
  if empty(l:here)
    call s:with_card({card -> s:choose(card, a:question, a:Then)})
  else
    call a:Then(b:quickvault.card.id, l:here)
  endif
endfunction

function! s:choose(card, question, Then) abort
  let l:answer = quickvault#session#fetch('attachment/list', {'cardId': a:card.id})
  if empty(get(l:answer, 'items', []))
    return empty(l:answer) ? 0 : quickvault#message#warn(quickvault#text#get('attachment.none'))
  endif
  let l:choice = len(l:answer.items) == 1 ? 0
        \ : quickvault#prompt#choice(quickvault#text#get(a:question), map(quickvault#attachment#lines(l:answer.items), 'trim(v:val)'))
  if l:choice >= 0
    call a:Then(a:card.id, l:answer.items[l:choice])
  endif
endfunction

" Adding

" Implements :QuickVaultAttach {file}... [-- {watermark}].  Asks for a file if there is none, and for the watermark if that
" is not given and a file is a picture.
function! quickvault#attachment#attach(...) abort
  call quickvault#privacy#forget_commands()
  call s:with_card(function('s:attach', [a:000]))
endfunction

function! s:attach(arguments, card) abort
  let l:end = index(a:arguments, '--')
  let l:names = l:end < 0 ? copy(a:arguments) : l:end == 0 ? [] : a:arguments[: l:end - 1]
  let l:names = !empty(l:names) ? l:names
        \ : filter([quickvault#prompt#line(quickvault#text#get('attach.file'), '', 'file')], '!empty(v:val)')
  let l:files = map(l:names, {_, name -> s:look_at(quickvault#prompt#full_path(name))})
  let l:pictures = filter(copy(l:files), 'v:val.type ==# "picture"')
  let l:text = l:end >= 0 ? s:note_watermark(join(a:arguments[l:end + 1 :], ' '))
        \ : empty(l:pictures) ? '' : s:ask_watermark(get(g:quickvault#buffers#memory, 'watermark', ''))
  if l:text isnot v:null && !empty(l:files) && (l:text !~# '\S' || s:may_add_documents(l:files))
    call s:add_all(a:card, l:text, l:files)
  endif
endfunction

" Returns the path, the name and the type of a file, by its content: "picture", "document" or an empty string.
function! s:look_at(path) abort
  let l:head = filereadable(a:path) ? join(readfile(a:path, 'b', 9), "\n") : ''
  let l:is_picture = l:head[:2] ==# "\xff\xd8\xff" || l:head[:3] ==# "\x89PNG" || l:head[4:7] ==# 'ftyp'
  return {'path': a:path, 'name': fnamemodify(a:path, ':t'), 'outcome': '', 'reason': '',
        \ 'type': l:is_picture ? 'picture' : l:head =~# '^\%(\%ufeff\|\%xef\%xbb\%xbf\)\?[[:space:]\n]*%PDF-' ? 'document' : ''}
endfunction

" Asks whether to add documents without the watermark, which they cannot have, or to leave them out; returns 0 if cancelled.
function! s:may_add_documents(files) abort
  let l:documents = filter(copy(a:files), 'v:val.type ==# "document"')
  let l:answer = empty(l:documents) ? 1 : quickvault#prompt#confirm(
        \ quickvault#text#get('attach.document', s:names(l:documents)), quickvault#text#get('attach.document.choices'), 2)
  call map(l:documents, {_, file -> extend(file, {'outcome': l:answer == 1 ? '' : 'failed'})})
  return l:answer
endfunction

" Adds the files that the card does not have yet.  After an interrupt or a lock, the others are not tried.
function! s:add_all(card, text, files) abort
  let l:answer = quickvault#session#fetch('attachment/list', {'cardId': a:card.id})
  if empty(l:answer)
    return
  endif
  let l:there = map(l:answer.items, '[v:val.name, v:val.size]')
  for l:file in filter(copy(a:files), 'empty(v:val.outcome)')
    if index(l:there, [l:file.name, getfsize(l:file.path)]) >= 0
      let l:file.outcome = 'there'
      continue
    endif
    let l:watermark = a:text =~# '\S' && l:file.type !=# 'document' ? {'watermark': {'text': a:text}} : {}
    let l:error = quickvault#session#wait_with_progress(quickvault#text#get('attaching', l:file.name), 'attachment/add',
          \ extend({'cardId': a:card.id, 'path': l:file.path}, l:watermark))[0]
    let l:file.outcome = empty(l:error) ? 'added' : l:error.kind ==# 'client.timeout' ? 'unknown' : 'failed'
    let l:file.reason = quickvault#message#error_text(l:error)
    if get(l:error, 'kind', '') =~# '^\%(rpc\|client\|vault\)\.'
      break
    endif
  endfor
  call quickvault#buffers#refresh_changed({'changed': [a:card.id]})
  call s:report(a:files)
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
  let l:is_good = len(l:lines) == 1 && empty(l:failed + l:With('unknown'))
  call call(l:is_good ? 'quickvault#message#info' : 'quickvault#message#alert', [join(l:lines, "\n")])
endfunction

function! s:names(files) abort
  return join(map(copy(a:files), 'quickvault#layout#one_line(v:val.name)'), quickvault#text#get('list'))
endfunction

" Changing

" Asks for the text of a watermark; an empty one is none.  Returns null if cancelled.
function! s:ask_watermark(default) abort
  let l:text = quickvault#prompt#line_or(v:null, quickvault#text#get('watermark.ask'), a:default)
  return l:text is v:null ? v:null : s:note_watermark(l:text)
endfunction

" Returns a text, which is the default for the next picture.
function! s:note_watermark(text) abort
  if a:text =~# '\S' && quickvault#session#is_unlocked()
    let g:quickvault#buffers#memory.watermark = a:text
  endif
  return a:text
endfunction

" Sets the watermark, or removes it if the text is empty; asks for it without an argument.
function! quickvault#attachment#set_watermark(text = '') abort
  call quickvault#privacy#forget_commands()
  call s:with_attachment('attachment.watermark', function('s:set_watermark', [a:text]))
endfunction

function! s:set_watermark(argument, card, attachment) abort
  if a:attachment.mediaType ==# 'application/pdf'
    return quickvault#message#error(quickvault#text#get('watermark.document'))
  endif
  let [l:text, l:before] = [s:note_watermark(a:argument), empty(a:attachment.watermark) ? '' : a:attachment.watermark.text]
  if empty(l:text)
    let l:text = s:ask_watermark(l:before)
    if l:text is v:null || l:text !~# '\S' && (empty(l:before) || quickvault#prompt#confirm(quickvault#text#get('watermark.remove'),
          \ quickvault#text#get('watermark.choices'), 2) != 1)
      return
    endif
  endif
  call s:finish(a:card, quickvault#session#wait_with_progress(quickvault#text#get('watermarking'), 'attachment/setWatermark',
        \ {'id': a:attachment.id, 'text': l:text =~# '\S' ? l:text : v:null})[0])
endfunction

" Deletes an attachment, after confirmation.
function! quickvault#attachment#delete() abort
  call s:with_attachment('attachment.delete', function('s:delete'))
endfunction

function! s:delete(card, attachment) abort
  let l:name = trim(quickvault#layout#pad(quickvault#layout#one_line(a:attachment.name), 40))
  if quickvault#prompt#confirm(quickvault#text#get('confirm.delete', l:name), quickvault#text#get('confirm.yesno'), 2) == 1
    call s:finish(a:card, quickvault#session#wait('attachment/delete', {'id': a:attachment.id})[0])
  endif
endfunction

function! s:finish(card, error) abort
  if !empty(a:error)
    return quickvault#message#error(a:error)
  endif
  call quickvault#buffers#refresh_changed({'changed': [a:card]})
  call quickvault#message#info(quickvault#text#get('saved'))
endfunction

" Exporting and viewing

" Implements :QuickVaultExportAttachment [-original] [-strip] [{file}].
function! quickvault#attachment#export(argument) abort
  let l:parts = matchlist(a:argument, '\v^((\s*-%(original|strip)>)*)\s*(.*)$')
  let l:unknown = matchstr(l:parts[3], '^-\S*')
  if !empty(l:unknown)
    return quickvault#message#error(quickvault#text#get('option.unknown', l:unknown))
  endif
  call s:with_attachment('attachment.export', function('s:export', [a:argument, l:parts]))
endfunction

function! s:export(argument, parts, card, attachment) abort
  let l:path = s:target(a:parts[3], a:attachment.name)
  let l:options = empty(l:path) ? [] : !empty(a:argument) ? [a:parts[1] =~# '-original', a:parts[1] =~# '-strip']
        \ : s:ask_options(a:attachment)
  if empty(l:options)
    return
  endif
  let [l:error, l:answer] = s:export_file(a:attachment, l:options[0], {'path': l:path,
        \ 'stripMetadata': l:options[1] ? v:true : v:false, 'overwrite': empty(getftype(l:path)) ? v:false : v:true})
  if empty(l:error)
    call quickvault#message#result(quickvault#text#get('written', l:answer.path))
  else
    " The message names the file.
    let [l:text, l:name] = [quickvault#message#error_text(l:error), fnamemodify(l:path, ':t')]
    let l:is_named = empty(l:text) || l:error.kind =~# '^\%(rpc\|client\|auth\)\.' || stridx(l:text, l:name) >= 0
    call quickvault#message#error(l:is_named ? l:text : l:name . quickvault#text#get('colon') . l:text)
  endif
endfunction

" Returns the path of a file to write: the given path, or one read from the user.  Appends the name if the path is a
" directory.  Returns an empty string if the user cancels or does not want to replace an existing file, or if the directory of
" the file is missing.
function! s:target(path, name) abort
  let l:path = !empty(a:path) ? a:path : quickvault#prompt#line(quickvault#text#get('write.to'), a:name, 'file')
  if empty(l:path)
    return ''
  endif
  let l:path = quickvault#prompt#full_path(l:path)
  let l:path = isdirectory(l:path) ? substitute(l:path, '/*$', '/', '') . a:name : l:path
  if !isdirectory(fnamemodify(l:path, ':h'))
    call quickvault#message#error(quickvault#text#get('directory.missing', fnamemodify(l:path, ':h')))
    return ''
  endif
  return !empty(getftype(l:path)) && quickvault#prompt#confirm(quickvault#text#get('replace', l:path),
        \ quickvault#text#get('replace.choices'), 2) != 1 ? '' : l:path
endfunction

" Asks which version to export: returns whether the original and whether without metadata; an empty list if cancelled.
function! s:ask_options(attachment) abort
  let l:ways = [['export.shown', 0, 0], ['export.stripped', 0, 1]] + (empty(a:attachment.watermark) ? []
        \ : [['export.original', 1, 0], ['export.original.stripped', 1, 1]])
  let l:choice = quickvault#prompt#choice(quickvault#text#get('export.how'), map(copy(l:ways), 'quickvault#text#get(v:val[0])'))
  return l:choice < 0 ? [] : l:ways[l:choice][1:]
endfunction

" Writes a file and returns [error, result].  For the original of a watermarked image, asks for a fingerprint if this
" device is bound, else for the password.
function! s:export_file(attachment, is_original, params) abort
  let l:params = extend({'id': a:attachment.id, 'original': a:is_original ? v:true : v:false}, a:params)
  let l:Send = function('quickvault#session#wait_with_progress', [quickvault#text#get('exporting')])
  return a:is_original && !empty(a:attachment.watermark)
        \ ? quickvault#password#prove('password.original', 'attachment/export', l:params, l:Send)
        \ : l:Send('attachment/export', l:params)
endfunction

" Shows an attachment in a popup.
function! quickvault#attachment#preview() abort
  call s:with_attachment('attachment.preview', {card, attachment -> quickvault#preview#show(attachment)})
endfunction

" Opens an attachment, or its original, with the viewer.
function! quickvault#attachment#view(original) abort
  call s:with_attachment('attachment.view', function('s:view', [a:original]))
endfunction

function! s:view(original, card, attachment) abort
  let l:directory = quickvault#viewer#make_directory()
  if empty(l:directory)
    return quickvault#message#error(quickvault#text#get('failed'))
  endif
  " A valid file name with an extension for the viewer.
  let l:name = a:attachment.name
  let l:path = l:directory . '/' . (strlen(l:name) <= 200 && l:name !~# '^\.' ? l:name
        \ : 'attachment.' . matchstr(a:attachment.mediaType, '[^/]*$'))
  let [l:error, l:answer] = s:export_file(a:attachment, a:original, {'path': l:path})
  " The vault may have locked in the meantime.
  if !empty(l:error) || !quickvault#session#is_unlocked()
    call quickvault#viewer#remove(l:directory)
    return quickvault#message#error(l:error)
  endif
  call quickvault#viewer#show(l:directory, l:path)
endfunction
