" The form of the vault's settings.  b:quickvault.settings has the settings as they were read, descriptions what the server
" says of each, programs those that use the vault beside this editor.
scriptencoding utf-8

" Opens the settings.
function! quickvault#settings#open(modifiers) abort
  call quickvault#buffer#open('quickvault://settings', a:modifiers . ' split')
endfunction

function! quickvault#settings#read() abort
  call quickvault#form#setup()
  call quickvault#buffer#start_loading()
  call quickvault#buffer#request('settings/get', {}, {result -> s:read_programs(result)})
endfunction

" The settings are shown also if the programs cannot be listed.
function! s:read_programs(answer) abort
  let l:buffer = bufnr('%')
  call quickvault#server#request('client/list', {}, {error, result ->
        \ quickvault#buffer#call_in(l:buffer, {-> s:set_programs(a:answer, empty(error) ? result.items : [])})})
endfunction

function! s:set_programs(answer, programs) abort
  let b:quickvault.programs = filter(copy(a:programs), '!v:val.own && v:val.admitted')
  let b:quickvault.descriptions = a:answer.descriptions
  call s:show(a:answer.settings)
endfunction

" Reads the settings again, for the programs, unless there are unsaved changes.
function! quickvault#settings#refresh() abort
  let l:buffer = bufnr('^quickvault://settings$')
  if l:buffer > 0 && !getbufvar(l:buffer, '&modified') && !has_key(getbufvar(l:buffer, 'quickvault', {'locked': 1}), 'locked')
    call quickvault#buffer#call_in(l:buffer, function('quickvault#settings#read'))
  endif
endfunction

function! s:show(settings) abort
  if has_key(b:quickvault, 'locked')
    return
  endif
  let b:quickvault.settings = a:settings
  call quickvault#form#fill(s:draw(a:settings))
  call quickvault#form#go_to_first()
endfunction

function! s:draw(settings) abort
  let l:lines = ['# ' . quickvault#text#get('settings') . quickvault#text#get('stop') . quickvault#text#get('hint.form')]
  call extend(l:lines, map(quickvault#session#demo_lines(), '"# " . v:val'))
  call add(l:lines, '# ' . quickvault#text#get('hint.settings'))
  call add(l:lines, '# ' . quickvault#text#get('hint.seconds', quickvault#text#get('never')))
  for l:setting in b:quickvault.descriptions
    if l:setting.name ==# 'lockOnBackground'
      call add(l:lines, '# ' . quickvault#text#get(
            \ quickvault#lifecycle#focus_seconds() > 0 ? 'hint.background' : 'hint.suspended'))
    elseif l:setting.kind ==# 'choice'
      call add(l:lines, '# ' . join(map(copy(l:setting.choices),
            \ 'v:val.value . " = " . v:val.label[quickvault#text#language()]'), '  '))
    endif
    let l:value = s:format_value(l:setting.kind, s:value(a:settings, l:setting.name))
    let l:values = split(l:value, "\n", 1)
    call extend(l:lines, len(l:values) > 1 ? [l:setting.label[quickvault#text#language()] . ':'] + map(l:values, '"  " . v:val')
          \ : [l:setting.label[quickvault#text#language()] . ': ' . l:value])
  endfor
  if !empty(b:quickvault.programs)
    call extend(l:lines, ['', '# ' . quickvault#text#get('programs.list')]
          \ + map(copy(b:quickvault.programs), '"# - " . quickvault#shared#describe(v:val)'))
  endif
  return l:lines
endfunction

" Returns the value of a setting; those of copyTemplates may be missing.
function! s:value(settings, key) abort
  let l:parts = split(a:key, '\.')
  return len(l:parts) == 1 ? a:settings[a:key] : get(a:settings[l:parts[0]], l:parts[1], '')
endfunction

function! s:format_value(form, value) abort
  if a:form ==# 'flag'
    return quickvault#text#get(a:value ? 'yes' : 'no')
  elseif a:form ==# 'seconds' || a:form ==# 'count'
    return a:value is v:null ? quickvault#text#get('never') : string(a:value)
  endif
  return a:value
endfunction

" Saves the changed settings.
function! quickvault#settings#write() abort
  if !has_key(b:quickvault, 'settings')
    return
  endif
  call quickvault#form#clear_issues()
  let l:form = s:parse()
  let l:changes = s:changes(l:form)
  if !empty(l:form.issues)
    return quickvault#form#show_errors(l:form.issues)
  endif
  let l:buffer = bufnr('%')
  let [l:error, l:result] = quickvault#session#wait('settings/update', l:changes)
  call quickvault#buffer#call_in(l:buffer, {-> s:on_response(l:form, l:error, l:result)})
endfunction

function! s:on_response(form, error, result) abort
  if empty(a:error)
    call quickvault#session#apply_settings(a:result.settings)
    let l:view = winsaveview()
    call s:show(a:result.settings)
    call winrestview(l:view)
    call quickvault#message#info(quickvault#text#get('saved'))
  elseif a:error.kind ==# 'settings.invalid'
    call quickvault#form#show_errors(map(a:error.data.issues,
          \ {_, issue -> {'message': issue.message, 'line': get(a:form.lines, issue.field, 0)}}))
  else
    call quickvault#message#error(a:error)
  endif
endfunction

" Returns the values in the form and their lines, by the names of the settings, and issues.
function! s:parse() abort
  let l:form = {'values': {}, 'lines': {}, 'issues': []}
  let l:name = ''
  for l:line in filter(range(1, line('$')), 'getline(v:val) =~# "^[^#]"')
    let [l:label, l:value] = matchlist(getline(l:line), '\v^%(([^:：[:space:]][^:：]*)[:：] ?|%(  |\t| ))?(.*)$')[1:2]
    if empty(l:label) && !empty(l:name) && getline(l:line) =~# '^\s'
      let l:form.values[l:name] .= (empty(l:form.values[l:name]) ? '' : "\n") . l:value
      continue
    endif
    let l:name = get(filter(copy(b:quickvault.descriptions),
          \ 'index([v:val.name] + values(v:val.label), trim(l:label), 0, 1) >= 0'), 0, {'name': ''}).name
    if empty(l:name) || has_key(l:form.values, l:name)
      call add(l:form.issues, {'line': l:line, 'message': empty(l:name) ? quickvault#text#get('invalid.line')
            \ : quickvault#text#get('invalid.twice', l:label)})
    endif
    let [l:form.values[l:name], l:form.lines[l:name]] = [l:value, l:line]
  endfor
  return l:form
endfunction

" Returns the settings that differ from those that were read.
function! s:changes(form) abort
  let l:changes = {}
  for l:setting in b:quickvault.descriptions
    let l:key = l:setting.name
    if !has_key(a:form.values, l:key)
      continue
    endif
    let l:value = s:parse_value(a:form, l:setting)
    if l:value isnot s:value(b:quickvault.settings, l:key) && l:setting.kind ==# 'template'
      let l:templates = extend(l:changes, {'copyTemplates': {}}, 'keep').copyTemplates
      let l:templates[split(l:key, '\.')[1]] = empty(l:value) ? v:null : l:value
    elseif l:value isnot s:value(b:quickvault.settings, l:key)
      let l:changes[l:key] = l:value
    endif
  endfor
  return l:changes
endfunction

" Parses a value of the form into the server's type.
function! s:parse_value(form, setting) abort
  let l:text = a:form.values[a:setting.name]
  let l:word = tolower(trim(l:text))
  if a:setting.kind ==# 'flag'
    let l:is = map(['yes', 'no'], {_, name -> index(quickvault#text#translations(name), l:word) >= 0})
    return l:is[0] ? v:true : l:is[1] ? v:false : s:add_issue(a:form, a:setting.name, 'boolean', 'yes', 'no')
  elseif a:setting.kind ==# 'seconds' || a:setting.kind ==# 'count'
    return index(quickvault#text#translations('never'), l:word) >= 0 ? v:null
          \ : l:word =~# '^\d\{1,9}$' ? str2nr(l:word) : s:add_issue(a:form, a:setting.name, 'number', 'never')
  endif
  return a:setting.kind ==# 'choice' ? trim(l:text) : l:text
endfunction

function! s:add_issue(form, key, problem, ...) abort
  let l:words = map(copy(a:000), 'quickvault#text#get(v:val)')
  call add(a:form.issues, {'line': a:form.lines[a:key],
        \ 'message': call('quickvault#text#get', ['invalid.' . a:problem] + l:words)})
  return v:null
endfunction
