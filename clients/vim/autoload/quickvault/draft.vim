" Drafts: the server keeps the unsaved text of a card's form over a lock, encrypted in the vault.  Several editors, Vim or
" Neovim, have drafts of one card beside each other; those of an editor that still runs are not offered elsewhere.
"
" In a form, b:quickvault.form is the name of its draft, b:quickvault.sent is the text that was sent last, and
" b:quickvault.draft is the one that the server has confirmed last.

" Milliseconds from a change until the text is sent, with what has changed meanwhile.
let s:delay = 500

" The number of forms that have a name, and whether a draft was deleted.
let [s:forms, s:is_discarded] = [0, 0]

" The draft that the user has chosen for the form that opens next; empty for its own or the newest.
let s:chosen = ''

" Watches the form in the current buffer.  One that a lock has blanked has its name already.
function! quickvault#draft#watch() abort
  if !has_key(b:quickvault, 'form')
    let s:forms += 1
    let b:quickvault.form = s:process(getpid()) . ' ' . s:forms
  endif
  augroup quickvault_draft
    autocmd! TextChanged,InsertLeave <buffer> call s:changed(0)
    autocmd! TextChangedI,TextChangedP <buffer> call s:changed(1)
    autocmd! BufUnload <buffer> call s:abandon(str2nr(expand('<abuf>')))
    " A command that leaves unsaved changes, such as :hide, or closes their window from another one, only hides the form.
    autocmd! BufEnter <buffer> setlocal bufhidden=wipe
    autocmd! BufLeave,WinClosed <buffer> if getbufvar(str2nr(expand('<abuf>')), '&modified')
          \ | call setbufvar(str2nr(expand('<abuf>')), '&bufhidden', 'hide') | endif
  augroup END
endfunction

" Returns a name of a process that no later one gets: the id, and when it started in ticks since the start of the machine,
" or 0 if it has ended.
function! s:process(id) abort
  try
    " The name of the program in parentheses may have spaces and lines.
    let l:fields = split(matchstr(join(readfile('/proc/' . a:id . '/stat')), '.*) \zs.*'))
  catch
    let l:fields = ['X']
  endtry
  return a:id . '-' . (l:fields[0] =~# '[ZX]' ? 0 : l:fields[19])
endfunction

" Returns the drafts that are not of forms in another editor that still runs.
function! quickvault#draft#of_here(drafts) abort
  let l:Process = {draft -> matchstr(get(draft, 'form', ''), '^\d\+-\d\+')}
  return filter(copy(a:drafts), {_, draft -> str2nr(l:Process(draft)) == getpid()
        \ || empty(l:Process(draft)) || s:process(str2nr(l:Process(draft))) !=# l:Process(draft)})
endfunction

" Returns the parameters that name the draft of a form.
function! s:form(state) abort
  return extend({'client': 'vim', 'type': a:state.type, 'form': a:state.form},
        \ s:is_new(a:state) ? {} : {'card': a:state.id})
endfunction

" Returns whether a form was opened for a new card, whose id is its type; not for one that was deleted meanwhile.
function! s:is_new(state) abort
  return a:state.id ==# a:state.type
endfunction

" Sends the text, or deletes the draft if the changes were undone: at once, because what the editor waits for next, such as
" a program or the second key of a command, stops timers; while somebody types, a moment after the first change that was not
" sent.
function! s:changed(is_typing) abort
  let l:buffer = bufnr('%')
  if !&modified
    call s:abandon(l:buffer)
  elseif !a:is_typing
    call quickvault#draft#put(l:buffer)
  elseif !get(b:quickvault, 'timer', 0)
    let b:quickvault.timer = timer_start(get(g:, 'quickvault_draft_delay', s:delay), {-> quickvault#draft#put(l:buffer)})
  endif
endfunction

" Sends the text of a form with unsaved changes, unless it was sent; may wait until the server has confirmed it.
function! quickvault#draft#put(buffer, waits = 0) abort
  let [l:state, l:params] = [s:stop_timer(a:buffer), s:unsaved(a:buffer)]
  if empty(l:params) || l:params.text ==# get(l:state, a:waits ? 'draft' : 'sent', '') || !quickvault#session#is_unlocked()
    return
  endif
  let l:state.sent = l:params.text
  if a:waits
    return s:answered(l:state, l:params.text, quickvault#server#wait('draft/put', l:params, 2000)[0])
  endif
  call quickvault#server#request('draft/put', l:params, {error, result -> s:answered(l:state, l:params.text, error)})
endfunction

" Returns the state of a form that is not to be sent later any more.
function! s:stop_timer(buffer) abort
  let l:state = getbufvar(a:buffer, 'quickvault', {})
  call timer_stop(get(l:state, 'timer', 0))
  let l:state.timer = 0
  return l:state
endfunction

" The server may refuse to keep a text, such as one that is too long.  If it is locked, the message about that says so.
function! s:answered(state, text, error) abort
  if empty(a:error) && has_key(a:state, 'sent')
    let a:state.draft = a:text
  elseif !empty(a:error)
    call filter(a:state, {key, value -> key !=# 'draft' || get(a:state, 'sent', '') !=# a:text})
    call quickvault#message#error(a:error.kind ==# 'vault.locked' ? '' : a:error)
  endif
endfunction

" Returns the parameters that save a form, or put its draft.
function! quickvault#draft#params(buffer) abort
  let l:state = getbufvar(a:buffer, 'quickvault')
  return extend(s:form(l:state), extend({'text': quickvault#form#text(a:buffer)},
        \ s:is_new(l:state) ? {} : {'revision': l:state.revision}))
endfunction

" Returns the parameters of draft/put for a form with unsaved changes, else an empty dictionary.
function! s:unsaved(buffer) abort
  let l:state = getbufvar(a:buffer, 'quickvault', {})
  return bufloaded(a:buffer) && getbufvar(a:buffer, '&modified') && has_key(l:state, 'type') && !has_key(l:state, 'locked')
        \ ? quickvault#draft#params(a:buffer) : {}
endfunction

" Sends the unsaved changes of all forms that the server has not confirmed, and waits.
function! quickvault#draft#put_all() abort
  call map(getbufinfo({'bufloaded': 1}), 'quickvault#draft#put(v:val.bufnr, 1)')
endfunction

" Returns whether the server keeps the unsaved changes of a buffer.
function! quickvault#draft#is_kept(buffer) abort
  return has_key(getbufvar(a:buffer, 'quickvault', {}), 'draft')
endfunction

" Stops keeping the text of a form, and deletes its draft.
function! s:abandon(buffer) abort
  let l:state = s:stop_timer(a:buffer)
  if has_key(l:state, 'sent') && quickvault#session#is_unlocked()
    call filter(l:state, 'index(["sent", "draft"], v:key) < 0')
    call s:discard(s:form(l:state))
  endif
endfunction

function! s:discard(form) abort
  let s:is_discarded = 1
  call quickvault#server#request('draft/discard', a:form, {error, result -> 0})
endfunction

" Waits for up to half a second until the server has deleted drafts, because it is stopped next.
function! quickvault#draft#finish() abort
  if s:is_discarded
    call quickvault#server#wait('vault/status', {}, 500)
  endif
endfunction

" Puts a draft into the form in the current buffer, as a change that can be undone: the one that was chosen, else its own,
" else the newest.
function! quickvault#draft#bring_back(drafts) abort
  let [l:state, l:drafts] = [b:quickvault, quickvault#draft#of_here(a:drafts)]
  let l:Named = {name -> filter(copy(l:drafts), 'get(v:val, "form", "") ==# name')}
  let l:draft = get(l:Named(s:chosen) + l:Named(l:state.form) + l:drafts, 0, {})
  if empty(l:draft)
    return
  endif
  call quickvault#buffer#replace(quickvault#form#lines(l:draft.text))
  let l:state.revision = get(l:draft, 'revision', 0)
  let l:params = quickvault#draft#params(bufnr('%'))
  let [l:state.sent, l:state.draft] = [l:params.text, l:params.text]
  setlocal modified
  if get(l:draft, 'form', '') ==# l:state.form
    return winrestview(get(l:state, 'view', {}))
  endif
  call quickvault#server#request('draft/put', l:params, {error, result -> s:moved(l:state, l:params.text, l:draft, error)})
  call quickvault#message#info(quickvault#text#get('draft.back', quickvault#layout#time(l:draft.savedAt))
        \ . (len(l:drafts) > 1 ? quickvault#text#get('draft.more') : ''))
endfunction

" Deletes the draft that was put into a form once the server keeps the text under the name of that.
function! s:moved(state, text, draft, error) abort
  call s:answered(a:state, a:text, a:error)
  if empty(a:error)
    call s:discard(filter(copy(a:draft), 'index(["client", "type", "card", "form"], v:key) >= 0'))
  endif
endfunction

" After an unlock, tells that there are drafts of forms that are not open.
function! quickvault#draft#announce() abort
  call quickvault#session#request_silently('draft/get', {'client': 'vim'}, {result ->
        \ empty(filter(quickvault#draft#of_here(result.items), '!bufloaded(s:buffer_name(v:val))')) ? 0
        \ : quickvault#message#info(quickvault#text#get('draft.there'))})
endfunction

function! s:buffer_name(draft) abort
  return has_key(a:draft, 'card') ? 'quickvault://edit/' . a:draft.card : 'quickvault://new/' . a:draft.type
endfunction

" Opens the form of a draft that the user chooses.
function! quickvault#draft#open(modifiers) abort
  let l:result = quickvault#session#fetch('draft/get', {'client': 'vim'})
  let l:drafts = quickvault#draft#of_here(get(l:result, 'items', []))
  if empty(l:drafts)
    return empty(l:result) ? 0 : quickvault#message#info(quickvault#text#get('draft.none'))
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
  let l:name = s:buffer_name(a:draft)
  let [s:chosen, l:is_open] = [get(a:draft, 'form', ''), bufloaded(l:name)]
  try
    call quickvault#buffer#open(l:name, a:modifiers . ' split')
    if l:is_open && &modified && b:quickvault.form !=# s:chosen
      call quickvault#message#error(quickvault#text#get('draft.form.is.open'))
    elseif l:is_open && !&modified
      call quickvault#buffer#read(l:name)
    endif
  finally
    let s:chosen = ''
  endtry
endfunction
