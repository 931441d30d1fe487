" All drafts: says that there are some of forms that are not open, and opens one that the user chooses.

" After an unlock, tells that there are drafts of forms that are not open.
function! quickvault#drafts#announce() abort
  call quickvault#session#request_silently('draft/get', {'client': quickvault#draft#client()}, function('s:announce'))
endfunction

function! s:announce(result) abort
  if !empty(filter(quickvault#draft#of_here(a:result.items), '!bufloaded(s:buffer_name(v:val))'))
    call quickvault#message#info(quickvault#text#get('draft.there'))
  endif
endfunction

function! s:buffer_name(draft) abort
  return has_key(a:draft, 'card') ? 'quickvault://edit/' . a:draft.card : 'quickvault://new/' . a:draft.type
endfunction

" Opens the form of a draft that the user chooses.
function! quickvault#drafts#open(modifiers) abort
  call quickvault#session#request('draft/get', {'client': quickvault#draft#client()}, function('s:choose', [a:modifiers]))
endfunction

function! s:choose(modifiers, result) abort
  let l:drafts = quickvault#draft#of_here(a:result.items)
  if empty(l:drafts)
    return quickvault#message#info(quickvault#text#get('draft.none'))
  endif
  let l:names = map(copy(l:drafts), {_, draft -> quickvault#layout#time(draft.savedAt) . '  '
        \ . quickvault#layout#type(draft.type) . '  ' . draft.title})
  let l:choice = len(l:names) == 1 ? 0 : quickvault#prompt#choice(quickvault#text#get('draft.which'), l:names)
  if l:choice >= 0
    call s:resume(l:drafts[l:choice], a:modifiers)
  endif
endfunction

" Opens the form of a draft, or loads it again; not over unsaved changes.
function! s:resume(draft, modifiers) abort
  let [l:name, l:form] = [s:buffer_name(a:draft), get(a:draft, 'form', '')]
  let l:is_open = bufloaded(l:name)
  if !l:is_open
    call quickvault#draft#bring_back(l:name, l:form)
  endif
  call quickvault#buffer#open(l:name, a:modifiers . ' split')
  if !l:is_open || bufname('%') !=# l:name || get(b:quickvault, 'form', '') ==# l:form
    return
  elseif &modified
    return quickvault#message#error(quickvault#text#get('draft.form.is.open'))
  endif
  call quickvault#draft#bring_back(l:name, l:form)
  call quickvault#buffer#read(l:name)
endfunction
