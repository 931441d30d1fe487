" The form of a card.  b:quickvault also has type and revision of the card, names (field keys by label), raw (the key of the
" raw section), masks (those of concealed values), and after a conflict unmerged (the lines when it was shown).
scriptencoding utf-8

let s:current = {}

function! quickvault#edit#read() abort
  if b:quickvault.kind ==# 'current'
    return s:read_current()
  endif
  call quickvault#form#setup()
  setlocal indentexpr=quickvault#form#indent() indentkeys=o,O
  setlocal omnifunc=quickvault#complete#omni commentstring=#\ %s comments=:#
  augroup quickvault_edit
    autocmd! TextChanged,TextChangedI <buffer> call s:report_activity()
  augroup END
  call quickvault#draft#watch()
  call quickvault#buffer#start_loading()
  let [l:buffer, l:state] = [bufnr('%'), b:quickvault]
  let l:OnError = {error -> quickvault#buffer#call_in(l:buffer, {-> quickvault#buffer#fail_loading(error)})}
  call quickvault#draft#find(copy(b:quickvault),
        \ {drafts -> quickvault#buffer#call_in(l:buffer, {-> s:load(l:state, drafts)})}, l:OnError)
endfunction

" Reloads the card.
function! quickvault#edit#refresh() abort
  call s:get_card({result -> s:show(result.card)}, {error -> quickvault#buffer#fail_loading(error)})
endfunction

" Loads the card, and offers drafts of it, unless the form was saved or blanked since the state was that of the buffer.  A
" draft of a card that was deleted meanwhile can be saved as a new one.
function! s:load(state, drafts) abort
  if b:quickvault isnot a:state
    return
  elseif b:quickvault.kind ==# 'new' && index(quickvault#session#types(), b:quickvault.id) < 0
    return quickvault#buffer#fail_loading({'message': quickvault#text#get('type.unknown', b:quickvault.id)})
  elseif b:quickvault.kind ==# 'new'
    call s:show(s:empty_card(b:quickvault.id, b:quickvault.id))
    return quickvault#draft#offer(a:drafts)
  endif
  call s:get_card({result -> s:show_with_draft(a:state, result.card, a:drafts)}, {error -> s:fail(error, a:drafts)})
endfunction

" Gets the card of the current buffer, and calls a function with it or with the error in that buffer.
function! s:get_card(Then, OnError) abort
  let l:buffer = bufnr('%')
  call quickvault#session#request('card/get', {'id': b:quickvault.id},
        \ {result -> quickvault#buffer#call_in(l:buffer, {-> a:Then(result)})},
        \ {error -> quickvault#buffer#call_in(l:buffer, {-> a:OnError(error)})})
endfunction

function! s:show_with_draft(state, card, drafts) abort
  call s:show(a:card)
  if b:quickvault is a:state
    call quickvault#draft#offer(a:drafts)
  endif
endfunction

function! s:fail(error, drafts) abort
  if a:error.kind ==# 'card.notFound' && !empty(a:drafts)
    call s:show(s:empty_card(b:quickvault.id, a:drafts[0].type))
    return quickvault#draft#offer(a:drafts)
  endif
  call quickvault#buffer#fail_loading(a:error)
endfunction

function! s:empty_card(id, type) abort
  return {'id': a:id, 'type': a:type, 'revision': 0, 'title': '', 'group': 'personal', 'tags': [], 'fields': [],
        \ 'extraFields': []}
endfunction

function! s:show(card) abort
  if has_key(b:quickvault, 'locked') || &modified || get(b:quickvault, 'revision', -1) == a:card.revision
    let b:quickvault.loading = 0
    return
  endif
  call s:set_card(a:card)
  call quickvault#form#fill(s:draw(a:card, b:quickvault.masks))
  call search('\m^[^#]', 'cw')
  normal! $
endfunction

function! s:set_card(card) abort
  call extend(b:quickvault, {'id': a:card.id, 'type': a:card.type, 'revision': a:card.revision})
  call s:set_parts(a:card.type, get(b:quickvault, 'masks', {}))
  let b:quickvault.multiline = map(filter(copy(quickvault#session#template(a:card.type).fields), 'v:val.multiline'),
        \ 'v:val.key')
endfunction

" Notes what the text of the current buffer is made of.
function! s:set_parts(type, masks) abort
  call extend(b:quickvault, {'names': s:names(a:type), 'raw': a:type ==# 'text' ? 'text' : '', 'masks': a:masks})
  call quickvault#form#mark_raw(b:quickvault.names, b:quickvault.raw)
endfunction

" Maps the names of each field, its key and its labels in both languages, to its key.
function! s:names(type) abort
  let l:names = {}
  for l:key in ['title', 'group', 'tags']
    call map([l:key] + quickvault#text#translations(l:key), {_, name -> extend(l:names, {tolower(name): l:key})})
  endfor
  for l:field in quickvault#session#template(a:type).fields
    call map([l:field.key] + values(l:field.label), {_, name -> extend(l:names, {tolower(name): l:field.key})})
  endfor
  return l:names
endfunction

" Returns the lines of a card's form.
function! s:draw(card, masks) abort
  call quickvault#concealed#note(a:card, a:masks)
  let l:lines = ['# ' . quickvault#layout#type(a:card.type) . quickvault#text#get('stop') . quickvault#text#get('hint.form')]
  call extend(l:lines, map(quickvault#session#demo_lines(), '"# " . v:val'))
  call extend(l:lines, quickvault#form#field(quickvault#text#get('title'), a:card.title))
  call extend(l:lines, quickvault#form#field(quickvault#text#get('group'), quickvault#text#get(a:card.group)))
  call extend(l:lines, quickvault#form#field(quickvault#text#get('tags'), quickvault#form#join_tags(a:card.tags)))
  let l:values = {}
  for l:field in a:card.fields
    let l:values[l:field.key] = l:field.value
  endfor
  let l:fields = quickvault#session#template(a:card.type).fields
  let l:extra = ['', quickvault#form#section(quickvault#text#get('extra')), '# ' . quickvault#text#get('hint.extra')]
  call map(copy(a:card.extraFields), {_, field -> extend(l:extra, quickvault#form#extra_field(field, a:masks))})
  if a:card.type ==# 'text'
    let l:label = quickvault#form#section(l:fields[0].label[quickvault#text#language()])
    return l:lines + l:extra + ['', l:label] + split(get(l:values, 'text', ''), "\n", 1)
  endif
  return l:lines + [''] + s:draw_fields(l:fields, l:values) + l:extra
endfunction

" Returns the lines of a template's fields, with a heading above the optional ones.
function! s:draw_fields(fields, values) abort
  let l:lines = []
  let l:required = 1
  for l:field in a:fields
    if l:required && !l:field.required
      call extend(l:lines, ['', '# ' . quickvault#text#get('hint.optional')])
    endif
    let l:required = l:field.required
    let l:label = l:field.label[quickvault#text#language()]
    call extend(l:lines, quickvault#form#field(l:label, get(a:values, l:field.key, '')))
  endfor
  return l:lines
endfunction

" Saves the card; on failure, the buffer stays modified.
function! quickvault#edit#write() abort
  if !has_key(b:quickvault, 'names')
    return
  endif
  let l:buffer = bufnr('%')
  call quickvault#form#clear_issues(b:quickvault.names, b:quickvault.raw)
  let l:form = quickvault#form#parse(getline(1, '$'), b:quickvault.names, b:quickvault.raw)
  call quickvault#concealed#resolve(l:form, b:quickvault)
  let l:card = s:card(l:form)
  if !empty(l:form.issues)
    return s:show_issues(l:form.issues)
  endif
  if get(b:quickvault, 'unmerged', []) ==# getline(1, '$') && quickvault#prompt#confirm(quickvault#text#get('card.unmerged'),
        \ quickvault#text#get('replace.choices'), 2) != 1
    return
  endif
  let l:is_new = b:quickvault.kind ==# 'new'
  let [l:error, l:result] = quickvault#session#wait(l:is_new ? 'card/create' : 'card/update', l:card)
  if empty(l:error)
    call quickvault#buffer#call_in(l:buffer, {-> s:saved(l:result)})
  elseif l:error.kind ==# 'card.invalid'
    call quickvault#buffer#call_in(l:buffer, {-> s:show_issues(quickvault#form#locate_issues(l:form, l:error.data.issues))})
  elseif l:error.kind ==# 'card.conflict'
    call quickvault#buffer#call_in(l:buffer, {-> s:merge(l:error.data.card)})
  elseif l:error.kind ==# 'card.notFound'
    call quickvault#buffer#call_in(l:buffer, function('s:save_as_new'))
  else
    call quickvault#message#error(l:error)
  endif
endfunction

" Offers to create a card in place of one that was deleted meanwhile.
function! s:save_as_new() abort
  if quickvault#prompt#confirm(quickvault#text#get('card.deleted.question'), quickvault#text#get('card.deleted.choices'), 2) == 1
    let b:quickvault.kind = 'new'
    call quickvault#edit#write()
  endif
endfunction

function! s:show_issues(issues) abort
  setlocal modified
  call quickvault#form#show_issues(a:issues, '✗')
  call quickvault#message#error(quickvault#text#get('not.saved', len(a:issues)))
endfunction

" Returns the parameters of card/create or card/update.
function! s:card(form) abort
  let l:is_new = b:quickvault.kind ==# 'new'
  let l:values = a:form.values
  let l:card = {'title': get(l:values, 'title', ''), 'group': s:group(a:form),
        \ 'tags': quickvault#form#tags(get(l:values, 'tags', '')), 'fields': {},
        \ 'extraFields': map(copy(a:form.extra), {_, field -> {'label': field.label, 'value': field.value,
        \   'concealed': field.concealed ? v:true : v:false}})}
  for l:field in quickvault#session#template(b:quickvault.type).fields
    let l:value = get(l:values, l:field.key, '')
    if !empty(l:value)
      let l:card.fields[l:field.key] = l:value
    elseif !l:is_new
      let l:card.fields[l:field.key] = v:null
    endif
  endfor
  return extend(l:card, l:is_new ? {'type': b:quickvault.type}
        \ : {'id': b:quickvault.id, 'revision': b:quickvault.revision})
endfunction

function! s:group(form) abort
  let l:word = trim(get(a:form.values, 'group', ''))
  for l:group in ['personal', 'company']
    if index([l:group] + quickvault#text#translations(l:group), l:word, 0, 1) >= 0
      return l:group
    endif
  endfor
  call add(a:form.issues, {'line': get(a:form.places, 'group', 0), 'text': quickvault#text#get('invalid.group',
        \ quickvault#text#get('personal'), quickvault#text#get('company'))})
  return ''
endfunction

" Shows the card as stored, with its warnings.  In Insert mode, also after CTRL-O, what was typed stays as it is: it goes on.
function! s:saved(result) abort
  " A lock may have emptied the state, and the form may be loading again.
  let [l:form, l:masks] = [b:quickvault.form, get(b:quickvault, 'masks', {})]
  call quickvault#draft#discard({'id': b:quickvault.id, 'type': a:result.card.type, 'form': l:form})
  let l:name = 'quickvault://edit/' . a:result.card.id
  if b:quickvault.kind ==# 'new'
    let l:before = bufname('%')
    execute 'silent keepalt file' fnameescape(l:name)
    execute 'silent! bwipeout' bufnr('^' . l:before . '$')
  endif
  let b:quickvault = {'kind': 'edit', 'id': a:result.card.id, 'form': l:form, 'masks': l:masks}
  call s:set_card(a:result.card)
  setlocal modifiable
  if mode(1) !~# '^\%([iR]\|ni\)'
    call quickvault#buffer#replace(s:draw(a:result.card, l:masks))
  endif
  if !empty(a:result.warnings)
    let l:form = quickvault#form#parse(getline(1, '$'), b:quickvault.names, b:quickvault.raw)
    call quickvault#form#show_issues(quickvault#form#locate_issues(l:form, a:result.warnings), '!')
  endif
  setlocal nomodified
  call s:end_merge()
  call quickvault#buffers#refresh_changed({'changed': [a:result.card.id]})
endfunction

" Opens the form of a card, with another version of it beside it as a diff unless that is empty.  Saving closes that.
function! quickvault#edit#merge(card, version) abort
  call quickvault#buffer#open_beside('quickvault://edit/' . a:card.id)
  if !empty(a:version) && has_key(b:quickvault, 'names')
    call s:show_beside(extend({'id': a:card.id, 'title': a:card.title}, a:version, 'keep'))
  endif
endfunction

" After a conflict, shows the current card beside the form.  :wall writes a form of another tab page in a temporary window,
" which cannot be split.
function! s:merge(card) abort
  let [b:quickvault.revision, b:quickvault.unmerged] = [a:card.revision, getline(1, '$')]
  setlocal modified
  if win_gettype() ==# 'autocmd'
    let l:buffer = bufnr('%')
    call timer_start(0, {-> win_gotoid(get(win_findbuf(l:buffer), 0)) ? s:show_conflict(a:card) : 0})
  else
    call s:show_conflict(a:card)
  endif
endfunction

function! s:show_conflict(card) abort
  call s:show_beside(a:card)
  call quickvault#message#alert(quickvault#text#get('card.changed'))
endfunction

" Shows another version of the card beside its form as a diff.
function! s:show_beside(card) abort
  let s:current = {'card': a:card, 'masks': b:quickvault.masks}
  let l:window = win_getid()
  call s:end_merge()
  call quickvault#buffer#open('quickvault://current/' . a:card.id, 'rightbelow vertical split')
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
  if !empty(s:current) && s:current.card.id ==# b:quickvault.id
    let [l:card, l:masks, s:current] = [s:current.card, s:current.masks, {}]
    call s:set_parts(l:card.type, l:masks)
    call quickvault#buffer#fill(s:draw(l:card, l:masks))
  endif
endfunction

" Keeps the vault unlocked while the user types.  Only requests count as activity, so sends one every few seconds.
function! s:report_activity() abort
  let l:now = localtime()
  if l:now - get(b:quickvault, 'activity_reported', 0) >= 5
    let b:quickvault.activity_reported = l:now
    call quickvault#session#request_silently('template/list', {}, {result -> 0})
  endif
endfunction
