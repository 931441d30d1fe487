" The form of a card.  b:quickvault also has type and revision of the card, multiline (labels of fields with several lines),
" after a conflict unmerged (the text when it was shown), and as_new if it is to become a new card.  The other version
" beside a form has card, whose version it is.
scriptencoding utf-8

" What the buffer of the other version is to show: its card and lines.
let s:current = {}

" The form that is opened filled in; empty for one that the server has.
let s:pasted = {}

function! quickvault#edit#read() abort
  if b:quickvault.kind ==# 'current'
    return s:read_current()
  endif
  call quickvault#form#setup()
  setlocal indentexpr=quickvault#form#indent() indentkeys=o,O
  setlocal omnifunc=quickvault#complete#omni commentstring=#\ %s comments=:#
  call quickvault#draft#watch()
  call quickvault#buffer#start_loading()
  if !empty(s:pasted)
    return s:show(s:pasted)
  endif
  call s:open(function('s:show_with_drafts'), function('s:fail'))
endfunction

" Opens a form for a new card that is filled in from a text.
function! quickvault#edit#paste(modifiers, text) abort
  let l:form = quickvault#session#fetch('form/open', {'client': 'vim', 'pasted': a:text})
  if empty(l:form)
    return
  endif
  let s:pasted = l:form
  try
    call quickvault#buffer#open('quickvault://new/' . l:form.type, a:modifiers . ' split')
  finally
    let s:pasted = {}
  endtry
  if &modified
    return quickvault#message#error(quickvault#text#get('paste.unsaved'))
  endif
  " An open form has other text.
  call quickvault#buffer#replace(s:lines(l:form))
  call quickvault#form#go_to_first()
  setlocal modified
  call quickvault#draft#put(bufnr('%'))
endfunction

" Reloads the card.
function! quickvault#edit#refresh() abort
  call s:open(function('s:show'), function('quickvault#buffer#fail_loading'))
endfunction

function! s:open(Then, OnError) abort
  call quickvault#buffer#request('form/open',
        \ {'client': 'vim', (b:quickvault.kind ==# 'new' ? 'type' : 'card'): b:quickvault.id}, a:Then, a:OnError)
endfunction

function! s:show_with_drafts(form) abort
  call s:show(a:form)
  call quickvault#draft#bring_back(a:form.drafts)
endfunction

" Shows why there is no form.  The draft of a card that was deleted meanwhile can be saved as a new one.
function! s:fail(error) abort
  if b:quickvault.kind ==# 'new' && index(quickvault#session#types(), b:quickvault.id) < 0
    return quickvault#buffer#fail_loading({'message': quickvault#text#get('type.unknown', b:quickvault.id)})
  elseif get(a:error, 'kind', '') !=# 'card.notFound'
    return quickvault#buffer#fail_loading(a:error)
  endif
  let l:result = quickvault#session#fetch('draft/get', {'client': 'vim'})
  let l:drafts = filter(get(l:result, 'items', []), {_, draft -> get(draft, 'card', '') ==# b:quickvault.id})
  if empty(quickvault#draft#of_here(l:drafts))
    return quickvault#buffer#fail_loading(a:error)
  endif
  call s:show_with_drafts({'type': l:drafts[0].type, 'revision': 0, 'text': '', 'drafts': l:drafts})
endfunction

function! s:show(form) abort
  if &modified || get(b:quickvault, 'revision', -1) == get(a:form, 'revision', 0)
    let b:quickvault.loading = 0
    return
  endif
  call s:note(a:form.type, get(a:form, 'revision', 0))
  call quickvault#form#fill(s:lines(a:form))
  call quickvault#form#go_to_first()
endfunction

function! s:note(type, revision) abort
  let l:fields = filter(copy(quickvault#session#template(a:type).fields), 'v:val.multiline')
  call extend(b:quickvault, {'type': a:type, 'revision': a:revision,
        \ 'multiline': map(l:fields, 'v:val.label[quickvault#text#language()]')})
endfunction

" Returns the lines of a form, with hints.
function! s:lines(form) abort
  let l:lines = quickvault#form#lines(a:form.text)
  call insert(l:lines, '# ' . quickvault#text#get('hint.extra'), match(l:lines, '^---') + 1)
  return ['# ' . quickvault#layout#type(a:form.type) . quickvault#text#get('stop') . quickvault#text#get('hint.form')]
        \ + map(quickvault#session#demo_lines(), '"# " . v:val') + l:lines
endfunction

" Saves the card; on failure, the buffer stays modified.
function! quickvault#edit#write() abort
  if !has_key(b:quickvault, 'type')
    return
  endif
  let l:buffer = bufnr('%')
  call quickvault#form#clear_issues()
  let l:params = extend(quickvault#draft#params(l:buffer), get(b:quickvault, 'as_new', {}))
  if get(b:quickvault, 'unmerged', '') ==# l:params.text && quickvault#prompt#confirm(quickvault#text#get('card.unmerged'),
        \ quickvault#text#get('replace.choices'), 2) != 1
    return
  endif
  " A draft that is sent later would stay.
  call quickvault#draft#put(l:buffer)
  let [l:error, l:result] = quickvault#session#wait('form/save', l:params)
  let l:kind = get(l:error, 'kind', '')
  if empty(l:error)
    let l:form = quickvault#server#wait('form/open', {'client': 'vim', 'card': l:result.card.id}, 10000)[1]
  endif
  call quickvault#buffer#call_in(l:buffer, empty(l:error) ? {-> s:saved(l:params.text, l:result, l:form)}
        \ : l:kind ==# 'card.invalid' ? {-> quickvault#form#show_errors(l:error.data.issues)}
        \ : l:kind ==# 'card.conflict' ? {-> s:merge(l:error.data.card, l:error.data.text)}
        \ : l:kind ==# 'card.notFound' ? function('s:save_as_new') : {-> quickvault#message#error(l:error)})
endfunction

" Offers to create a card in place of one that was deleted meanwhile.
function! s:save_as_new() abort
  if quickvault#prompt#confirm(quickvault#text#get('card.deleted.question'), quickvault#text#get('card.deleted.choices'), 2) == 1
    let b:quickvault.as_new = {'asNew': v:true}
    call quickvault#edit#write()
  endif
endfunction

" Shows the card as stored, if there is its form, with its warnings.  In Insert mode, also after CTRL-O, what was typed
" stays as it is: it goes on.
function! s:saved(sent, result, form) abort
  call s:end_merge()
  let l:card = a:result.card
  if b:quickvault.id ==# l:card.id && get(b:quickvault, 'revision', 0) != l:card.revision
    call quickvault#action#edited(l:card)
  endif
  if b:quickvault.id !=# l:card.id
    let l:before = bufname('%')
    execute 'silent keepalt file' fnameescape('quickvault://edit/' . l:card.id)
    execute 'silent! bwipeout' bufnr('^' . l:before . '$')
  endif
  if !quickvault#session#is_unlocked()
    let [b:quickvault.kind, b:quickvault.id] = ['edit', l:card.id]
    return
  endif
  " A lock may have emptied the state, and the form may be loading again.
  let b:quickvault = {'kind': 'edit', 'id': l:card.id, 'form': b:quickvault.form}
  call s:note(l:card.type, l:card.revision)
  setlocal modifiable
  if mode(1) !~# '^\%([iR]\|ni\)' && !empty(a:form)
    call quickvault#buffer#replace(s:lines(a:form))
  endif
  for l:warning in a:result.warnings
    " The line of its field is another one than in the text that was sent.
    let l:label = matchstr(split(a:sent, "\n", 1)[get(l:warning, 'line', 1) - 1], '^[^:：]*[:：]')
    let l:warning.line = match(getline(1, '$'), '\V\^' . escape(l:label, '\')) + 1
  endfor
  if !empty(a:result.warnings)
    call quickvault#form#show_issues(a:result.warnings, '!')
  endif
  setlocal nomodified
  call quickvault#buffers#refresh_changed({'changed': [l:card.id]})
endfunction

" Opens the form of a card, with another version of it beside it as a diff, which form/open gives for some parameters: under
" another title and with remarks, if there are any.  Saving closes the version.
function! quickvault#edit#compare(id, params, title = '', remarks = []) abort
  call quickvault#buffer#open_beside('quickvault://edit/' . a:id)
  if !has_key(b:quickvault, 'type')
    return
  endif
  let l:buffer = bufnr('%')
  let l:form = quickvault#session#fetch('form/open', extend({'client': 'vim'}, a:params))
  if empty(l:form)
    return
  endif
  let l:form.text = empty(a:title) ? l:form.text
        \ : matchstr(l:form.text, '^[^:：]*[:：] ') . a:title . matchstr(l:form.text, '\n\_.*')
  call quickvault#buffer#call_in(l:buffer, function('s:show_beside', [l:form, a:remarks]))
endfunction

" Closes the form of a card without unsaved changes, and the version beside it.
function! quickvault#edit#close(id) abort
  call quickvault#buffer#call_in(bufnr('^quickvault://edit/' . a:id . '$'), function('s:close'))
endfunction

function! s:close() abort
  call s:end_merge()
  if !&modified
    call quickvault#buffer#close()
  endif
endfunction

" After a conflict, shows the current card beside the form.  :wall writes a form of another tab page in a temporary window,
" which cannot be split.
function! s:merge(card, text) abort
  let [b:quickvault.revision, b:quickvault.unmerged] = [a:card.revision, quickvault#form#text(bufnr('%'))]
  setlocal modified
  let l:form = {'type': a:card.type, 'card': a:card.id, 'text': a:text}
  if win_gettype() ==# 'autocmd'
    let l:buffer = bufnr('%')
    call timer_start(0, {-> win_gotoid(get(win_findbuf(l:buffer), 0)) ? s:show_conflict(l:form) : 0})
  else
    call s:show_conflict(l:form)
  endif
endfunction

function! s:show_conflict(form) abort
  call s:show_beside(a:form)
  call quickvault#message#alert(quickvault#text#get('card.changed'))
endfunction

" Shows another version of the card beside its form as a diff.
function! s:show_beside(form, remarks = []) abort
  let s:current = {'card': a:form.card, 'lines': extend(s:lines(a:form), map(copy(a:remarks), '"# " . v:val'), 1)}
  let [l:window, l:name] = [win_getid(), 'quickvault://current/' . b:quickvault.id]
  call s:end_merge()
  call quickvault#buffer#open(l:name, 'rightbelow vertical split')
  if &diffopt =~# 'internal' && empty(&diffexpr)
    diffthis
    call win_execute(l:window, 'diffthis')
  endif
  call win_gotoid(l:window)
endfunction

function! s:end_merge() abort
  let l:buffer = bufnr('^quickvault://current/' . b:quickvault.id . '$')
  if l:buffer > 0
    diffoff
    execute 'bwipeout!' l:buffer
  endif
endfunction

function! s:read_current() abort
  call quickvault#buffer#setup_view()
  setlocal filetype=quickvaultform
  call quickvault#concealed#setup()
  if !empty(s:current)
    let b:quickvault.card = s:current.card
    call quickvault#buffer#fill(s:current.lines)
    let s:current = {}
  endif
endfunction
