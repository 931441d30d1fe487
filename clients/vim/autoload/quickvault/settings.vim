" The settings as a form.  b:quickvault has also settings, as they were read.
scriptencoding utf-8

" What can be set: its key, how it is written, and its name in both languages.
let s:settings = [
      \ ['autoLockSeconds', 'seconds', 'Lock after (s)', '自动锁定（秒）'],
      \ ['lockOnBackground', 'truth', 'Lock in the background', '进入后台时锁定'],
      \ ['lockWithDesktop', 'truth', 'Lock with the desktop', '随桌面锁定'],
      \ ['lockOnSleep', 'truth', 'Lock on sleep', '睡眠时锁定'],
      \ ['biometricUnlock', 'truth', 'Unlock with a finger', '用指纹解锁'],
      \ ['clipboardClearSeconds', 'seconds', 'Clear copies after (s)', '清除复制内容（秒）'],
      \ ['language', 'word', 'Language (auto, en, zh-Hans)', '语言（auto、en、zh-Hans）'],
      \ ['copyTemplates.address', 'template', 'Copy template, address', '复制模板（地址）'],
      \ ['copyTemplates.invoice', 'template', 'Copy template, invoice', '复制模板（发票）'],
      \ ['copyTemplates.text', 'template', 'Copy template, text', '复制模板（文本）'],
      \ ]

" Opens the settings.
function! quickvault#settings#open(modifiers) abort
  call quickvault#buffer#open('quickvault://settings', a:modifiers . ' split')
endfunction

function! quickvault#settings#read() abort
  call quickvault#buffer#for_writing()
  call quickvault#buffer#fill([quickvault#text#get('loading')])
  let l:buffer = bufnr('%')
  call quickvault#session#request('settings/get', {},
        \ {result -> quickvault#buffer#within(l:buffer, {-> s:take(result.settings)})})
endfunction

function! s:take(settings) abort
  if has_key(b:quickvault, 'locked')
    return
  endif
  let b:quickvault.settings = a:settings
  call quickvault#buffer#fill(s:draw(a:settings))
  call search('^[^#]', 'cw')
  normal! $
endfunction

function! s:draw(settings) abort
  let l:lines = ['# ' . quickvault#text#get('settings') . '. ' . quickvault#text#get('hint.form')]
  let l:column = quickvault#text#language() ==# 'en' ? 2 : 3
  for l:setting in s:settings
    let l:value = s:written(l:setting[1], s:value(a:settings, l:setting[0]))
    call extend(l:lines, quickvault#form#field(l:setting[l:column], l:value))
  endfor
  return l:lines
endfunction

" A setting's value by its key; those of copyTemplates may be missing.
function! s:value(settings, key) abort
  let l:parts = split(a:key, '\.')
  return len(l:parts) == 1 ? a:settings[a:key] : get(a:settings[l:parts[0]], l:parts[1], '')
endfunction

function! s:written(form, value) abort
  if a:form ==# 'truth'
    return quickvault#text#get(a:value ? 'yes' : 'no')
  elseif a:form ==# 'seconds'
    return a:value is v:null ? quickvault#text#get('never') : string(a:value)
  endif
  return a:value
endfunction

" Saves what was changed.
function! quickvault#settings#write() abort
  if !has_key(b:quickvault, 'settings')
    return
  endif
  let l:names = {}
  for l:setting in s:settings
    call map([l:setting[0]] + l:setting[2:], {_, name -> extend(l:names, {tolower(name): l:setting[0]})})
  endfor
  call quickvault#form#clean(l:names, '')
  let l:form = quickvault#form#parse(getline(1, '$'), l:names, '')
  let l:changes = s:changes(l:form)
  if !empty(l:form.issues)
    return s:blame(l:form.issues)
  endif
  let l:buffer = bufnr('%')
  let [l:error, l:result] = quickvault#session#wait('settings/update', l:changes)
  call quickvault#buffer#within(l:buffer, {-> s:answered(l:form, l:error, l:result)})
endfunction

function! s:answered(form, error, result) abort
  if empty(a:error)
    call quickvault#session#configured(a:result.settings)
    call s:take(a:result.settings)
    call quickvault#notice#info(quickvault#text#get('notice.saved'))
  elseif a:error.kind ==# 'settings.invalid'
    call s:blame(quickvault#form#placed(a:form, a:error.data.issues))
  elseif a:error.kind ==# 'rpc.invalidParameters' && has_key(a:error.data, 'parameter')
    call s:blame(quickvault#form#placed(a:form, [{'field': a:error.data.parameter, 'message': a:error.message}]))
  else
    call quickvault#notice#error(a:error)
  endif
endfunction

function! s:blame(issues) abort
  setlocal modified
  call quickvault#form#blame(a:issues, '✗')
  call quickvault#notice#error(quickvault#text#get('not.saved', len(a:issues)))
endfunction

" The settings that differ from those that were read.
function! s:changes(form) abort
  let l:changes = {}
  for [l:key, l:form; l:names] in s:settings
    if !has_key(a:form.values, l:key)
      continue
    endif
    let l:value = s:meant(a:form, l:key, l:form)
    if l:value isnot s:value(b:quickvault.settings, l:key) && l:form ==# 'template'
      let l:templates = extend(l:changes, {'copyTemplates': {}}, 'keep').copyTemplates
      let l:templates[split(l:key, '\.')[1]] = empty(l:value) ? v:null : l:value
    elseif l:value isnot s:value(b:quickvault.settings, l:key)
      let l:changes[l:key] = l:value
    endif
  endfor
  return l:changes
endfunction

" What a person wrote, as the server takes it.
function! s:meant(form, key, form_of_value) abort
  let l:text = a:form.values[a:key]
  let l:word = tolower(trim(l:text))
  if a:form_of_value ==# 'truth'
    let l:is = map(['yes', 'no'], {_, name -> index(quickvault#text#both(name), l:word) >= 0})
    let l:value = l:is[0] ? v:true : l:is[1] ? v:false : s:blot(a:form, a:key, 'truth', 'yes', 'no')
  elseif a:form_of_value ==# 'seconds'
    let l:value = index(quickvault#text#both('never'), l:word) >= 0 ? v:null
          \ : l:word =~# '^\d\{1,9}$' ? str2nr(l:word) : s:blot(a:form, a:key, 'number', 'never')
  else
    let l:value = a:form_of_value ==# 'word' ? trim(l:text) : l:text
  endif
  return l:value
endfunction

function! s:blot(form, key, problem, ...) abort
  let l:words = map(copy(a:000), 'quickvault#text#get(v:val)')
  call add(a:form.issues, {'line': a:form.places[a:key],
        \ 'text': call('quickvault#text#get', ['invalid.' . a:problem] + l:words)})
  return v:null
endfunction
