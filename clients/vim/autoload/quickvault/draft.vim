" Drafts: the server keeps the unsaved text of a card's form over a lock, encrypted in the vault.
"
" In a form, b:quickvault.draft is the text that was sent last.

" The client's name; Vim and Neovim have the same forms.
let s:client = 'vim'

" Milliseconds without a change until the text is sent, and until it is sent while it still changes.
let [s:delay, s:longest_delay] = [300, 1000]

" The forms that a lock has blanked with unsaved changes: their views, as of winsaveview(), by name.
let s:blanked = {}

" The number of drafts that are being deleted.
let s:discarding = 0

" Watches the form in the current buffer.
function! quickvault#draft#watch() abort
  augroup quickvault_draft
    autocmd! TextChanged,TextChangedI,TextChangedP <buffer> call s:put_later()
    autocmd! BufUnload <buffer> call s:abandon(str2nr(expand('<abuf>')))
    autocmd! BufLeave,WinClosed <buffer> call s:leave(str2nr(expand('<abuf>')))
  augroup END
endfunction

" Returns the parameters that name the draft of a form.
function! s:form(state) abort
  return extend({'client': s:client, 'type': a:state.type}, a:state.kind ==# 'new' ? {} : {'card': a:state.id})
endfunction

" Sends the text after a pause in typing, but not later than s:longest_delay after the first change.
" Deletes the draft instead if the changes were undone.
function! s:put_later() abort
  if !&modified
    return s:abandon(bufnr('%'))
  endif
  let l:buffer = bufnr('%')
  if get(b:quickvault, 'timer', 0)
    call timer_stop(b:quickvault.timer)
  else
    let b:quickvault.changed = reltime()
  endif
  let l:left = s:longest_delay - float2nr(1000 * reltimefloat(reltime(b:quickvault.changed)))
  let b:quickvault.timer = timer_start(max([0, min([get(g:, 'quickvault_draft_delay', s:delay), l:left])]),
        \ {-> s:put_by_timer(l:buffer)})
endfunction

function! s:put_by_timer(buffer) abort
  let l:state = getbufvar(a:buffer, 'quickvault', {})
  let l:state.timer = 0
  let l:params = s:unsent(a:buffer)
  if !empty(l:params) && quickvault#session#is_unlocked()
    let l:state.draft = l:params.text
    call quickvault#server#request('draft/put', l:params,
          \ {error, result -> empty(error) ? 0 : s:refused(l:state, l:params.text, error)})
  endif
endfunction

" The server does not keep a text, such as one that is too long.
function! s:refused(state, text, error) abort
  if get(a:state, 'draft', '') ==# a:text
    call remove(a:state, 'draft')
  endif
  call quickvault#message#error(a:error)
endfunction

" Returns the parameters of draft/put for a form with unsaved changes that were not sent, else an empty dictionary.
function! s:unsent(buffer) abort
  let l:state = getbufvar(a:buffer, 'quickvault', {})
  if !bufloaded(a:buffer) || !getbufvar(a:buffer, '&modified') || !has_key(l:state, 'names') || has_key(l:state, 'locked')
    return {}
  endif
  let l:text = join(getbufline(a:buffer, 1, '$'), "\n")
  return l:text ==# get(l:state, 'draft', '') ? {}
        \ : extend(s:form(l:state), extend({'text': l:text}, l:state.kind ==# 'new' ? {} : {'revision': l:state.revision}))
endfunction

" Sends the unsaved changes of all forms, and waits.
function! quickvault#draft#put_all() abort
  for l:info in quickvault#session#is_unlocked() ? getbufinfo({'bufloaded': 1}) : []
    let l:params = s:unsent(l:info.bufnr)
    if !empty(l:params)
      let [l:error, l:result] = quickvault#server#wait('draft/put', l:params, 2000)
      if empty(l:error)
        let l:state = getbufvar(l:info.bufnr, 'quickvault')
        let l:state.draft = l:params.text
      endif
    endif
  endfor
endfunction

" Returns whether the server keeps the unsaved changes of a buffer.
function! quickvault#draft#is_kept(buffer) abort
  return has_key(getbufvar(a:buffer, 'quickvault', {}), 'draft')
endfunction

" Notes that a lock blanks the current buffer, so that its changes come back with it.
function! quickvault#draft#note_blanked() abort
  if &modified && quickvault#draft#is_kept(bufnr('%'))
    let s:blanked[bufname('%')] = winsaveview()
  endif
endfunction

" Deletes the draft of a form, given by its kind, id and type.
function! quickvault#draft#discard(form) abort
  let s:discarding += 1
  call quickvault#server#request('draft/discard', s:form(a:form), {error, result -> s:discarded()})
endfunction

function! s:discarded() abort
  let s:discarding -= 1
endfunction

" Waits until the server has deleted the drafts, for up to half a second, because it is stopped next.
function! quickvault#draft#finish() abort
  let l:start = reltime()
  while s:discarding > 0 && reltimefloat(reltime(l:start)) < 0.5
    sleep 2m
  endwhile
endfunction

function! s:abandon(buffer) abort
  let l:state = getbufvar(a:buffer, 'quickvault', {})
  call timer_stop(get(l:state, 'timer', 0))
  let l:state.timer = 0
  if has_key(l:state, 'draft') && quickvault#session#is_unlocked()
    call remove(l:state, 'draft')
    call quickvault#draft#discard(l:state)
  endif
endfunction

" Lets the command that leaves a form with unsaved changes, such as :hide, or closes its window from another one, only hide it,
" instead of wiping it out with them.
function! s:leave(buffer) abort
  if getbufvar(a:buffer, '&modified')
    call setbufvar(a:buffer, '&bufhidden', 'hide')
    call timer_start(0, {-> s:left(a:buffer)})
  endif
endfunction

" Wipes a form out that no window shows now, once the server keeps its unsaved changes; until then it stays hidden.
function! s:left(buffer) abort
  if !empty(win_findbuf(a:buffer))
    return setbufvar(a:buffer, '&bufhidden', 'wipe')
  elseif bufloaded(a:buffer)
    call quickvault#draft#put_all()
    let l:state = getbufvar(a:buffer, 'quickvault')
    if get(l:state, 'draft', '') !=# join(getbufline(a:buffer, 1, '$'), "\n")
      return
    endif
    let s:blanked[bufname(a:buffer)] = {}
    " What stays is not discarded.
    call remove(l:state, 'draft')
    call quickvault#message#info(quickvault#text#get('draft.there'))
  endif
  execute 'silent! bwipeout!' a:buffer
endfunction

" Reads the drafts, and calls Then with the one of the form in the buffer, or with an empty dictionary.
function! quickvault#draft#find(state, Then, OnError) abort
  call quickvault#session#request('draft/get', {'client': s:client},
        \ {result -> a:Then(get(filter(copy(result.items), {_, draft -> s:is_of(draft, a:state)}), 0, {}))}, a:OnError)
endfunction

function! s:is_of(draft, state) abort
  return a:state.kind ==# 'new' ? !has_key(a:draft, 'card') && a:draft.type ==# a:state.id
        \ : get(a:draft, 'card', '') ==# a:state.id
endfunction

function! s:ask(draft) abort
  return quickvault#prompt#confirm(quickvault#text#get('draft.question', quickvault#layout#time(a:draft.savedAt)),
        \ quickvault#text#get('draft.choices'), 1)
endfunction

" Puts a draft into the form in the current buffer if a lock has blanked it, if keys were typed that would answer the question,
" or if the user wants it.  Otherwise deletes it; then redo brings its text back.  A lock during the question leaves it as it is.
function! quickvault#draft#offer(draft) abort
  let l:is_blanked = has_key(s:blanked, bufname('%'))
  let l:before = l:is_blanked ? remove(s:blanked, bufname('%')) : {}
  if empty(a:draft)
    return
  endif
  let b:quickvault.draft = a:draft.text
  let l:is_wanted = l:is_blanked || getchar(1) isnot 0 || s:ask(a:draft) != 2
  if !quickvault#session#is_unlocked()
    return
  endif
  call quickvault#buffer#replace(split(a:draft.text, "\n", 1))
  if l:is_wanted
    let b:quickvault.revision = get(a:draft, 'revision', 0)
    setlocal modified
    call winrestview(l:before)
  else
    let l:view = winsaveview()
    silent undo
    call winrestview(l:view)
    setlocal nomodified
    call s:abandon(bufnr('%'))
    call quickvault#message#info(quickvault#text#get('draft.discarded'))
  endif
endfunction

" After an unlock, tells that there are drafts of forms that are not open.
function! quickvault#draft#announce() abort
  call quickvault#session#request_silently('draft/get', {'client': s:client}, function('s:announce'))
endfunction

function! s:announce(result) abort
  if !empty(filter(copy(a:result.items), {_, draft -> !bufloaded(s:name(draft))}))
    call quickvault#message#info(quickvault#text#get('draft.there'))
  endif
endfunction

function! s:name(draft) abort
  return has_key(a:draft, 'card') ? 'quickvault://edit/' . a:draft.card : 'quickvault://new/' . a:draft.type
endfunction

" Opens the form of a draft that the user chooses.
function! quickvault#draft#open(modifiers) abort
  call quickvault#session#request('draft/get', {'client': s:client}, function('s:choose', [a:modifiers]))
endfunction

function! s:choose(modifiers, result) abort
  if empty(a:result.items)
    return quickvault#message#info(quickvault#text#get('draft.none'))
  endif
  let l:names = map(copy(a:result.items), {_, draft ->
        \ quickvault#layout#time(draft.savedAt) . '  ' . quickvault#layout#type(draft.type) . '  ' . s:title(draft)})
  let l:choice = len(l:names) == 1 ? 0 : quickvault#prompt#choice(quickvault#text#get('draft.which'), l:names)
  if l:choice >= 0
    let s:blanked[s:name(a:result.items[l:choice])] = {}
    call quickvault#buffer#open(s:name(a:result.items[l:choice]), a:modifiers . ' split')
  endif
endfunction

" Returns the first line of a draft that is not a comment.
function! s:title(draft) abort
  return get(filter(split(a:draft.text, "\n"), 'v:val !~# "^#"'), 0, '')
endfunction
