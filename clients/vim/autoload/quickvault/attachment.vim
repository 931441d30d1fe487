" Pictures and documents of a card: listed, added, marked, deleted, written out and shown.
scriptencoding utf-8

" The lines that list attachments.
function! quickvault#attachment#lines(attachments) abort
  return map(copy(a:attachments), {_, one -> '  ' . s:name(one) . '  ' . quickvault#attachment#describe(one)})
endfunction

function! s:name(attachment) abort
  return quickvault#layout#one_line(a:attachment.name)
endfunction

" What an attachment is, in a few words.
function! quickvault#attachment#describe(attachment) abort
  let l:words = [toupper(matchstr(a:attachment.mediaType, '[^/]*$')),
        \ a:attachment.width . '×' . a:attachment.height, s:size(a:attachment.size)]
  if !empty(a:attachment.watermark)
    call add(l:words, quickvault#text#get('watermark.is', quickvault#layout#one_line(a:attachment.watermark.text)))
  endif
  return join(l:words, ' · ')
endfunction

function! s:size(bytes) abort
  return a:bytes < 1024 ? a:bytes . ' B' : a:bytes < 1048576 ? printf('%.1f KiB', a:bytes / 1024.0)
        \ : printf('%.1f MiB', a:bytes / 1048576.0)
endfunction

" Calls Then with the card at hand, or with one that is chosen by its title.
function! s:with_card(Then) abort
  let l:card = quickvault#buffer#is_ours(bufnr('%')) ? quickvault#action#card() : {}
  if empty(l:card)
    call quickvault#password#unlock({-> quickvault#copy#choose(a:Then)}, {-> 0})
  else
    call a:Then(l:card)
  endif
endfunction

" Calls Then with the attachment on the cursor's line, or with one of the card's.
function! s:with(question, Then) abort
  let l:here = get(get(b:, 'quickvault', {}), 'kind', '') ==# 'card' ? quickvault#page#attachment() : {}
  if empty(l:here)
    call s:with_card({card -> s:choose(card, a:question, a:Then)})
  else
    call a:Then(b:quickvault.card.id, l:here)
  endif
endfunction

function! s:choose(card, question, Then) abort
  let [l:error, l:answer] = quickvault#session#wait('attachment/list', {'cardId': a:card.id})
  if !empty(l:error)
    return quickvault#notice#error(l:error)
  elseif empty(l:answer.items)
    return quickvault#notice#warn(quickvault#text#get('attachment.none'))
  endif
  let l:choice = len(l:answer.items) == 1 ? 0
        \ : quickvault#ask#choice(quickvault#text#get(a:question), map(quickvault#attachment#lines(l:answer.items), 'trim(v:val)'))
  if l:choice >= 0
    call a:Then(a:card.id, l:answer.items[l:choice])
  endif
endfunction

" Attaches files: the arguments of :QuickVaultAttach are {file}... [-- {watermark}]; without any, both are asked for.
function! quickvault#attachment#attach(...) abort
  call quickvault#traces#forget_commands()
  call s:with_card(function('s:attach', [a:000]))
endfunction

function! s:attach(arguments, card) abort
  let l:end = index(a:arguments, '--')
  let l:files = l:end < 0 ? copy(a:arguments) : l:end == 0 ? [] : a:arguments[: l:end - 1]
  let l:mark = l:end < 0 ? '' : join(a:arguments[l:end + 1 :], ' ')
  if empty(l:files)
    let l:file = quickvault#ask#line(quickvault#text#get('attach.file'), '', 'file')
    if empty(l:file)
      return
    endif
    let l:files = [l:file]
    let l:mark = l:end < 0 ? quickvault#ask#line(quickvault#text#get('watermark.ask')) : l:mark
  endif
  let l:watermark = l:mark =~# '\S' ? {'watermark': {'text': l:mark}} : {}
  let l:added = 0
  for l:file in l:files
    let l:path = fnamemodify(l:file, ':p')
    let [l:error, l:answer] = quickvault#session#long(
          \ quickvault#text#get('attaching', fnamemodify(l:path, ':t')), 'attachment/add',
          \ extend({'cardId': a:card.id, 'path': l:path}, l:watermark))
    if !empty(l:error)
      call quickvault#notice#error(extend({'message': fnamemodify(l:path, ':t') . ': ' . l:error.message}, l:error, 'keep'))
      break
    endif
    let l:added += 1
  endfor
  call quickvault#buffer#changed({'changed': [a:card.id]})
  if l:added == len(l:files)
    call quickvault#notice#info(quickvault#text#get('attached', l:added))
  endif
endfunction

" Sets the watermark, or takes it off where the text is empty; without an argument, asks.
function! quickvault#attachment#mark(...) abort
  call quickvault#traces#forget_commands()
  call s:with('attachment.mark', function('s:mark', [a:000]))
endfunction

function! s:mark(arguments, card, attachment) abort
  let l:text = get(a:arguments, 0, '')
  if empty(l:text)
    let l:before = empty(a:attachment.watermark) ? '' : a:attachment.watermark.text
    let l:text = quickvault#ask#line(quickvault#text#get('watermark.ask'), l:before)
    " A line that is empty and one that was given up look alike.
    if l:text !~# '\S' && (empty(l:before) || confirm(quickvault#text#get('watermark.remove'),
          \ quickvault#text#get('watermark.choices'), 2) != 1)
      return
    endif
  endif
  let [l:error, l:answer] = quickvault#session#long(quickvault#text#get('watermarking'), 'attachment/setWatermark',
        \ {'id': a:attachment.id, 'text': l:text =~# '\S' ? l:text : v:null})
  call s:done(a:card, l:error)
endfunction

" Deletes an attachment, after a question.
function! quickvault#attachment#delete() abort
  call s:with('attachment.delete', function('s:delete'))
endfunction

function! s:delete(card, attachment) abort
  let l:question = quickvault#text#get('confirm.delete', trim(quickvault#layout#pad(s:name(a:attachment), 40)))
  if confirm(l:question, quickvault#text#get('confirm.yesno'), 2, 'Warning') == 1
    let [l:error, l:answer] = quickvault#session#wait('attachment/delete', {'id': a:attachment.id})
    call s:done(a:card, l:error)
  endif
endfunction

function! s:done(card, error) abort
  if !empty(a:error)
    return quickvault#notice#error(a:error)
  endif
  call quickvault#buffer#changed({'changed': [a:card]})
  call quickvault#notice#info(quickvault#text#get('notice.saved'))
endfunction

" Writes an attachment to a file: the argument of :QuickVaultExportAttachment is [-original] [-strip] [{file}].
function! quickvault#attachment#export(argument) abort
  call s:with('attachment.export', function('s:export', [a:argument]))
endfunction

function! s:export(argument, card, attachment) abort
  let l:parts = matchlist(a:argument, '\v^((\s*-%(original|strip)>)*)\s*(.*)$')
  let l:path = quickvault#ask#target(l:parts[3], a:attachment.name)
  if empty(l:path)
    return
  endif
  let l:how = empty(a:argument) ? s:how(a:attachment)
        \ : {'original': l:parts[1] =~# '-original', 'stripMetadata': l:parts[1] =~# '-strip'}
  if empty(l:how)
    return
  endif
  let l:params = extend(map(l:how, 'v:val ? v:true : v:false'),
        \ {'id': a:attachment.id, 'path': l:path, 'overwrite': empty(getftype(l:path)) ? v:false : v:true})
  let [l:error, l:answer] = s:written(a:attachment, l:params)
  if empty(l:error)
    call quickvault#notice#info(quickvault#text#get('written', l:answer.path))
  else
    call quickvault#notice#error(l:error)
  endif
endfunction

" Lets it be chosen how to write a picture; empty where the person gave up.
function! s:how(attachment) abort
  let l:ways = [[quickvault#text#get('export.shown'), 0, 0], [quickvault#text#get('export.stripped'), 0, 1]]
  if !empty(a:attachment.watermark)
    call extend(l:ways, [[quickvault#text#get('export.original'), 1, 0], [quickvault#text#get('export.both'), 1, 1]])
  endif
  let l:choice = quickvault#ask#choice(quickvault#text#get('export.how'), map(copy(l:ways), 'v:val[0]'))
  return l:choice < 0 ? {} : {'original': l:ways[l:choice][1], 'stripMetadata': l:ways[l:choice][2]}
endfunction

" Writes a file: [error, result].  The original of a marked picture needs a finger where this device is bound, or the password.
function! s:written(attachment, params) abort
  let l:text = quickvault#text#get('exporting')
  if a:params.original && !empty(a:attachment.watermark)
    let l:reason = ''
    if get(get(quickvault#session#status(), 'biometric', {}), 'enabled', v:false)
      let [l:error, l:result] = quickvault#finger#await('attachment/export', extend({'method': 'biometric'}, a:params))
      if empty(l:error) || !quickvault#finger#leads_to_password(l:error)
        return [l:error, l:result]
      endif
      let l:reason = quickvault#finger#reason(l:error)
    endif
    return quickvault#password#with(l:reason . quickvault#text#get('password.original'),
          \ {password -> quickvault#session#long(l:text, 'attachment/export', extend({'password': password}, a:params))})
  endif
  return quickvault#session#long(l:text, 'attachment/export', a:params)
endfunction

" Shows an attachment with the desktop's viewer, as it is shown or the original.
function! quickvault#attachment#view(original) abort
  call s:with('attachment.view', function('s:view', [a:original]))
endfunction

function! s:view(original, card, attachment) abort
  let l:directory = quickvault#viewer#directory()
  if empty(l:directory)
    return quickvault#notice#error(quickvault#text#get('failed'))
  endif
  let l:path = l:directory . '/' . s:file_name(a:attachment)
  let [l:error, l:answer] = s:written(a:attachment, {'id': a:attachment.id, 'path': l:path,
        \ 'original': a:original ? v:true : v:false})
  " The vault may have locked meanwhile.
  if !empty(l:error) || !quickvault#session#is_unlocked()
    call quickvault#viewer#drop(l:directory)
    return quickvault#notice#error(l:error)
  endif
  call quickvault#viewer#show(l:directory, l:path)
endfunction

" A name that a file can have, with an end that tells the viewer what it is.
function! s:file_name(attachment) abort
  let l:name = a:attachment.name
  return strlen(l:name) <= 200 && l:name !~# '^\.' ? l:name
        \ : 'attachment.' . matchstr(a:attachment.mediaType, '[^/]*$')
endfunction
