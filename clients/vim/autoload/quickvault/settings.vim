" The form of the vault's settings.  b:quickvault.settings has the settings as they were read, and descriptions what the
" server says of each.
scriptencoding utf-8

function! quickvault#settings#read() abort
  call quickvault#form#setup()
  call quickvault#buffer#start_loading()
  call quickvault#buffer#request('settings/get', {}, {answer -> s:show(answer.settings, answer.descriptions)})
endfunction

" Reads the settings again, for the programs, unless there are unsaved changes.
function! quickvault#settings#refresh() abort
  let l:buffer = bufnr('^quickvault://settings$')
  if l:buffer > 0 && !getbufvar(l:buffer, '&modified') && !has_key(getbufvar(l:buffer, 'quickvault', {'locked': 1}), 'locked')
    call quickvault#buffer#call_in(l:buffer, function('quickvault#settings#read'))
  endif
endfunction

" The settings are shown also if the programs cannot be listed.
function! s:show(settings, descriptions) abort
  let [l:error, l:list] = quickvault#server#wait('client/list', {}, 2000)
  if has_key(b:quickvault, 'locked')
    return
  endif
  let [b:quickvault.settings, b:quickvault.descriptions] = [a:settings, a:descriptions]
  call quickvault#form#fill(s:draw(empty(l:error) ? filter(l:list.items, '!v:val.own && v:val.admitted') : []))
  call quickvault#form#go_to_first()
endfunction

" Returns the lines of the form, with the other programs that use the vault.
function! s:draw(programs) abort
  let l:language = quickvault#text#language()
  let l:lines = ['# ' . quickvault#text#get('settings') . quickvault#text#get('stop') . quickvault#text#get('hint.form')]
        \ + map(quickvault#session#demo_lines(), '"# " . v:val')
        \ + ['# ' . quickvault#text#get('hint.settings'), '# ' . quickvault#text#get('hint.seconds', quickvault#text#get('never'))]
  for l:setting in b:quickvault.descriptions
    if l:setting.name ==# 'lockOnBackground'
      call add(l:lines, '# ' . quickvault#text#get(
            \ get(g:, 'quickvault_lock_on_focus_lost', 0) > 0 ? 'hint.background' : 'hint.suspended'))
    elseif l:setting.kind ==# 'choice'
      call add(l:lines, '# ' . join(map(copy(l:setting.choices), 'v:val.value . " = " . v:val.label[l:language]'), '  '))
    endif
    let l:values = split(s:format(l:setting.kind, s:value(l:setting.name)), "\n", 1)
    let l:lines += len(l:values) == 1 ? [l:setting.label[l:language] . ': ' . l:values[0]]
          \ : [l:setting.label[l:language] . ':'] + map(l:values, '"  " . v:val')
  endfor
  return l:lines + (empty(a:programs) ? [] : ['', '# ' . quickvault#text#get('programs.list')]
        \ + map(a:programs, {_, client -> trim('# - ' . client.program.name . ' (' . client.program.process . ') '
        \ . get(client.program, 'terminal', ''))}))
endfunction

" Returns the value of a setting; those of copyTemplates may be missing.
function! s:value(name) abort
  let l:parts = split(a:name, '\.')
  return len(l:parts) == 1 ? b:quickvault.settings[a:name] : get(b:quickvault.settings[l:parts[0]], l:parts[1], '')
endfunction

function! s:format(kind, value) abort
  return a:kind ==# 'flag' ? quickvault#text#get(a:value ? 'yes' : 'no') : a:value is v:null ? quickvault#text#get('never')
        \ : type(a:value) == v:t_number ? string(a:value) : a:value
endfunction

" Saves the changed settings.
function! quickvault#settings#write() abort
  if !has_key(b:quickvault, 'settings')
    return
  endif
  call quickvault#form#clear_issues()
  let [l:form, l:buffer] = [s:parse(), bufnr('%')]
  let l:changes = s:changes(l:form)
  if !empty(l:form.issues)
    return quickvault#form#show_errors(l:form.issues)
  endif
  let [l:error, l:result] = quickvault#session#wait('settings/update', l:changes)
  call quickvault#buffer#call_in(l:buffer, {-> s:on_response(l:form, l:error, l:result)})
endfunction

function! s:on_response(form, error, result) abort
  if empty(a:error)
    call quickvault#session#apply_settings(a:result.settings)
    let l:view = winsaveview()
    call s:show(a:result.settings, b:quickvault.descriptions)
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
  for l:setting in filter(copy(b:quickvault.descriptions), 'has_key(a:form.values, v:val.name)')
    let l:value = s:parse_value(a:form, l:setting)
    if l:value isnot s:value(l:setting.name) && l:setting.kind ==# 'template'
      let l:templates = extend(l:changes, {'copyTemplates': {}}, 'keep').copyTemplates
      let l:templates[split(l:setting.name, '\.')[1]] = empty(l:value) ? v:null : l:value
    elseif l:value isnot s:value(l:setting.name)
      let l:changes[l:setting.name] = l:value
    endif
  endfor
  return l:changes
endfunction

" Parses a value of the form into the server's type; notes an issue if it is of another one.
function! s:parse_value(form, setting) abort
  let l:text = a:form.values[a:setting.name]
  let [l:word, l:issue] = [tolower(trim(l:text)), '']
  if a:setting.kind ==# 'flag'
    for [l:name, l:flag] in [['yes', v:true], ['no', v:false]]
      if index(quickvault#text#translations(l:name), l:word) >= 0
        return l:flag
      endif
    endfor
    let l:issue = quickvault#text#get('invalid.boolean', quickvault#text#get('yes'), quickvault#text#get('no'))
  elseif a:setting.kind !=# 'seconds' && a:setting.kind !=# 'count'
    return a:setting.kind ==# 'choice' ? trim(l:text) : l:text
  elseif l:word =~# '^\d\{1,9}$'
    return str2nr(l:word)
  elseif index(quickvault#text#translations('never'), l:word) < 0
    let l:issue = quickvault#text#get('invalid.number', quickvault#text#get('never'))
  endif
  call extend(a:form.issues, empty(l:issue) ? [] : [{'line': a:form.lines[a:setting.name], 'message': l:issue}])
  return v:null
endfunction
