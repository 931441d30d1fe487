" Attachments: the images and documents of a card.
scriptencoding utf-8

" Returns the lines that list attachments.
function! quickvault#attachment#lines(attachments) abort
  return map(copy(a:attachments), {_, one -> '  ' . s:name(one) . '  ' . quickvault#attachment#describe(one)})
endfunction

function! s:name(attachment) abort
  return quickvault#layout#one_line(a:attachment.name)
endfunction

" Describes an attachment: type, dimensions, size and watermark.
function! quickvault#attachment#describe(attachment) abort
  let l:parts = [toupper(matchstr(a:attachment.mediaType, '[^/]*$')),
        \ a:attachment.width . '×' . a:attachment.height, s:size(a:attachment.size)]
  if !empty(a:attachment.watermark)
    call add(l:parts, quickvault#text#get('watermark.is', quickvault#layout#one_line(a:attachment.watermark.text)))
  endif
  return join(l:parts, ' · ')
endfunction

function! s:size(bytes) abort
  return a:bytes < 1024 ? a:bytes . ' B' : a:bytes < 1048576 ? printf('%.1f KiB', a:bytes / 1024.0)
        \ : printf('%.1f MiB', a:bytes / 1048576.0)
endfunction

" Calls Then with the current card, or with one chosen by its title.
function! s:with_card(Then) abort
  let l:card = quickvault#buffer#is_vault_buffer(bufnr('%')) ? quickvault#action#card() : {}
  if empty(l:card)
    call quickvault#password#unlock({-> quickvault#copy#choose(a:Then)}, {-> 0})
  else
    call a:Then(l:card)
  endif
endfunction

" Calls Then with the attachment on the cursor's line, or with one chosen from the card.
function! s:with_attachment(question, Then) abort
  let l:is_page = get(get(b:, 'quickvault', {}), 'kind', '') ==# 'card' && quickvault#buffer#await_loading()
  let l:here = l:is_page ? quickvault#page#attachment() : {}
  if empty(l:here)
    call s:with_card({card -> s:choose(card, a:question, a:Then)})
  else
    call a:Then(b:quickvault.card.id, l:here)
  endif
endfunction

function! s:choose(card, question, Then) abort
  let [l:error, l:answer] = quickvault#session#wait('attachment/list', {'cardId': a:card.id})
  if !empty(l:error)
    return quickvault#message#error(l:error)
  elseif empty(l:answer.items)
    return quickvault#message#warn(quickvault#text#get('attachment.none'))
  endif
  let l:choice = len(l:answer.items) == 1 ? 0
        \ : quickvault#prompt#choice(quickvault#text#get(a:question), map(quickvault#attachment#lines(l:answer.items), 'trim(v:val)'))
  if l:choice >= 0
    call a:Then(a:card.id, l:answer.items[l:choice])
  endif
endfunction

" Implements :QuickVaultAttach {file}... [-- {watermark}].  Asks for a file if there is none, and for the watermark of a
" picture if that is not given.
function! quickvault#attachment#attach(...) abort
  call quickvault#privacy#forget_commands()
  call s:with_card(function('quickvault#attach#files', [a:000]))
endfunction

" Sets the watermark, or removes it if the text is empty; asks for it without an argument.
function! quickvault#attachment#set_watermark(...) abort
  call quickvault#privacy#forget_commands()
  call s:with_attachment('attachment.watermark', function('s:set_watermark', [a:000]))
endfunction

function! s:set_watermark(arguments, card, attachment) abort
  if a:attachment.mediaType ==# 'application/pdf'
    return quickvault#message#error(quickvault#text#get('watermark.document'))
  endif
  let l:text = quickvault#attach#note_watermark(get(a:arguments, 0, ''))
  if empty(l:text)
    let l:before = empty(a:attachment.watermark) ? '' : a:attachment.watermark.text
    let l:text = quickvault#attach#ask_watermark(l:before)
    if l:text is v:null || l:text !~# '\S' && (empty(l:before) || quickvault#prompt#confirm(quickvault#text#get('watermark.remove'),
          \ quickvault#text#get('watermark.choices'), 2) != 1)
      return
    endif
  endif
  let [l:error, l:answer] = quickvault#session#wait_with_progress(quickvault#text#get('watermarking'), 'attachment/setWatermark',
        \ {'id': a:attachment.id, 'text': l:text =~# '\S' ? l:text : v:null})
  call s:finish(a:card, l:error)
endfunction

" Deletes an attachment, after confirmation.
function! quickvault#attachment#delete() abort
  call s:with_attachment('attachment.delete', function('s:delete'))
endfunction

function! s:delete(card, attachment) abort
  let l:question = quickvault#text#get('confirm.delete', trim(quickvault#layout#pad(s:name(a:attachment), 40)))
  if quickvault#prompt#confirm(l:question, quickvault#text#get('confirm.yesno'), 2) == 1
    let [l:error, l:answer] = quickvault#session#wait('attachment/delete', {'id': a:attachment.id})
    call s:finish(a:card, l:error)
  endif
endfunction

function! s:finish(card, error) abort
  if !empty(a:error)
    return quickvault#message#error(a:error)
  endif
  call quickvault#buffers#refresh_changed({'changed': [a:card]})
  call quickvault#message#info(quickvault#text#get('saved'))
endfunction

" Implements :QuickVaultExportAttachment [-original] [-strip] [{file}].
function! quickvault#attachment#export(argument) abort
  let l:parts = matchlist(a:argument, '\v^((\s*-%(original|strip)>)*)\s*(.*)$')
  if !quickvault#prompt#is_unknown_option(l:parts[3])
    call s:with_attachment('attachment.export', function('s:export', [a:argument, l:parts]))
  endif
endfunction

function! s:export(argument, parts, card, attachment) abort
  let l:path = quickvault#prompt#target(a:parts[3], a:attachment.name)
  if empty(l:path)
    return
  endif
  let l:options = empty(a:argument) ? s:ask_options(a:attachment)
        \ : {'original': a:parts[1] =~# '-original', 'stripMetadata': a:parts[1] =~# '-strip'}
  if empty(l:options)
    return
  endif
  let l:params = extend(map(l:options, 'v:val ? v:true : v:false'),
        \ {'id': a:attachment.id, 'path': l:path, 'overwrite': empty(getftype(l:path)) ? v:false : v:true})
  let [l:error, l:answer] = s:export_file(a:attachment, l:params)
  if empty(l:error)
    call quickvault#message#result(quickvault#text#get('written', l:answer.path))
  else
    call quickvault#message#file_error(l:path, l:error)
  endif
endfunction

" Asks which version to export; returns an empty dictionary if cancelled.
function! s:ask_options(attachment) abort
  let l:ways = [[quickvault#text#get('export.shown'), 0, 0], [quickvault#text#get('export.stripped'), 0, 1]]
  if !empty(a:attachment.watermark)
    call extend(l:ways, [[quickvault#text#get('export.original'), 1, 0], [quickvault#text#get('export.original.stripped'), 1, 1]])
  endif
  let l:choice = quickvault#prompt#choice(quickvault#text#get('export.how'), map(copy(l:ways), 'v:val[0]'))
  return l:choice < 0 ? {} : {'original': l:ways[l:choice][1], 'stripMetadata': l:ways[l:choice][2]}
endfunction

" Writes a file and returns [error, result].  For the original of a watermarked image, asks for a fingerprint if this
" device is bound, else for the password.
function! s:export_file(attachment, params) abort
  let l:text = quickvault#text#get('exporting')
  let l:Send = function('quickvault#session#wait_with_progress', [l:text])
  return a:params.original && !empty(a:attachment.watermark)
        \ ? quickvault#password#prove('password.original', 'attachment/export', a:params, l:Send) : l:Send('attachment/export', a:params)
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
  let l:path = l:directory . '/' . s:file_name(a:attachment)
  let [l:error, l:answer] = s:export_file(a:attachment, {'id': a:attachment.id, 'path': l:path,
        \ 'original': a:original ? v:true : v:false})
  " The vault may have locked in the meantime.
  if !empty(l:error) || !quickvault#session#is_unlocked()
    call quickvault#viewer#remove(l:directory)
    return quickvault#message#error(l:error)
  endif
  call quickvault#viewer#show(l:directory, l:path)
endfunction

" Returns a valid file name with an extension for the viewer.
function! s:file_name(attachment) abort
  let l:name = a:attachment.name
  return strlen(l:name) <= 200 && l:name !~# '^\.' ? l:name
        \ : 'attachment.' . matchstr(a:attachment.mediaType, '[^/]*$')
endfunction
