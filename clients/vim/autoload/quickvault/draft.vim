" Drafts: the server keeps the unsaved text of a card's form over a lock, encrypted in the vault.  Several editors have drafts
" of one card beside each other; those of an editor that still runs are not offered elsewhere.
"
" In a form, b:quickvault.form is the name of its draft, b:quickvault.sent is the text that was sent last, and
" b:quickvault.draft is the one that the server has confirmed last.

" Milliseconds from a change until the text is sent, with what has changed meanwhile.
let s:delay = 500

" The drafts that come back without a question when their form opens, by the name of its buffer: their form, and its view as
" of winsaveview().  A lock has blanked it, a command has hidden it, or the user has chosen the draft.
let s:resumed = {}

" The number of forms that have a name.
let s:forms = 0

" Whether a draft was deleted.
let s:is_discarded = 0

" Watches the form in the current buffer.
function! quickvault#draft#watch() abort
  let l:form = get(get(s:resumed, bufname('%'), {}), 'form', '')
  if s:process_of(l:form) !=# quickvault#process#name(getpid())
    let s:forms += 1
    let l:form = quickvault#process#name(getpid()) . ' ' . s:forms
  endif
  let b:quickvault.form = l:form
  augroup quickvault_draft
    autocmd! TextChanged,InsertLeave <buffer> call s:put_now()
    autocmd! TextChangedI,TextChangedP <buffer> call s:put_later()
    autocmd! BufUnload <buffer> call s:abandon(str2nr(expand('<abuf>')))
    autocmd! BufLeave,WinClosed <buffer> call s:leave(str2nr(expand('<abuf>')))
  augroup END
endfunction

" The client's name; Vim and Neovim have the same forms.
function! quickvault#draft#client() abort
  return 'vim'
endfunction

" Returns the name of the process that a form is in, or an empty string.
function! s:process_of(form) abort
  return matchstr(a:form, '^\d\+-\d\+')
endfunction

" Returns the drafts that are not of forms in another editor that still runs.
function! quickvault#draft#of_here(drafts) abort
  return filter(copy(a:drafts), {_, draft -> s:is_of_here(s:process_of(get(draft, 'form', '')))})
endfunction

function! s:is_of_here(process) abort
  return a:process ==# quickvault#process#name(getpid()) || !quickvault#process#is_running(a:process)
endfunction

" Returns the parameters that name the draft of a form.
function! s:form(state) abort
  return extend({'client': quickvault#draft#client(), 'type': a:state.type, 'form': a:state.form},
        \ s:is_new(a:state) ? {} : {'card': a:state.id})
endfunction

" Returns whether a form was opened for a new card, whose id is its type; not for one that was deleted meanwhile.
function! s:is_new(state) abort
  return a:state.id ==# a:state.type
endfunction

" Sends the text at once: what the editor waits for next, such as a program or the second key of a command, stops timers.
" Deletes the draft instead if the changes were undone.
function! s:put_now() abort
  return &modified ? quickvault#draft#put(bufnr('%')) : s:abandon(bufnr('%'))
endfunction

" Does so a moment after the first change that was not sent.
function! s:put_later() abort
  let l:buffer = bufnr('%')
  if !&modified
    call s:abandon(l:buffer)
  elseif !get(b:quickvault, 'timer', 0)
    let b:quickvault.timer = timer_start(get(g:, 'quickvault_draft_delay', s:delay), {-> quickvault#draft#put(l:buffer)})
  endif
endfunction

" Sends the text of a form with unsaved changes, unless it was sent.
function! quickvault#draft#put(buffer) abort
  let [l:state, l:params] = [getbufvar(a:buffer, 'quickvault', {}), s:unsaved(a:buffer)]
  call timer_stop(get(l:state, 'timer', 0))
  let l:state.timer = 0
  if !empty(l:params) && l:params.text !=# get(l:state, 'sent', '') && quickvault#session#is_unlocked()
    let l:state.sent = l:params.text
    call quickvault#server#request('draft/put', l:params, {error, result -> s:answered(l:state, l:params.text, error)})
  endif
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

" Replaces the text of the form in the current buffer by that of a draft.
function! s:replace(draft) abort
  call quickvault#buffer#replace(quickvault#form#lines(a:draft.text))
endfunction

" Sends the unsaved changes of all forms that the server has not confirmed, and waits.
function! quickvault#draft#put_all() abort
  for l:info in quickvault#session#is_unlocked() ? getbufinfo({'bufloaded': 1}) : []
    let [l:state, l:params] = [getbufvar(l:info.bufnr, 'quickvault', {}), s:unsaved(l:info.bufnr)]
    if !empty(l:params) && l:params.text !=# get(l:state, 'draft', '')
      let [l:error, l:result] = quickvault#server#wait('draft/put', l:params, 2000)
      if empty(l:error)
        let [l:state.sent, l:state.draft] = [l:params.text, l:params.text]
      endif
    endif
  endfor
endfunction

" Returns whether the server keeps the unsaved changes of a buffer.
function! quickvault#draft#is_kept(buffer) abort
  return has_key(getbufvar(a:buffer, 'quickvault', {}), 'draft')
endfunction

" Notes that a form comes back with the draft of another one as soon as it opens.
function! quickvault#draft#bring_back(name, form) abort
  let s:resumed[a:name] = {'form': a:form, 'view': {}}
endfunction

" Notes that a lock blanks the current buffer, so that its changes come back with it.
function! quickvault#draft#note_blanked() abort
  if &modified && quickvault#draft#is_kept(bufnr('%'))
    let s:resumed[bufname('%')] = {'form': b:quickvault.form, 'view': winsaveview()}
  endif
endfunction

" Deletes a draft.
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

" Stops keeping the text of a form, and deletes its draft.
function! s:abandon(buffer) abort
  let l:state = getbufvar(a:buffer, 'quickvault', {})
  call timer_stop(get(l:state, 'timer', 0))
  let l:state.timer = 0
  if has_key(l:state, 'sent') && quickvault#session#is_unlocked()
    call s:forget(l:state)
    call s:discard(s:form(l:state))
  endif
endfunction

" Forgets that there is a draft.
function! s:forget(state) abort
  call filter(a:state, 'index(["sent", "draft"], v:key) < 0')
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
    if get(l:state, 'draft', '') !=# quickvault#form#text(a:buffer)
      return
    endif
    call quickvault#draft#bring_back(bufname(a:buffer), l:state.form)
    " What stays is not discarded.
    call s:forget(l:state)
    call quickvault#message#info(quickvault#text#get('draft.there'))
  endif
  execute 'silent! bwipeout!' a:buffer
endfunction

" Asks whether to continue with a draft, and returns whether to discard it.  Keys that were typed before would answer the
" question: then it is not asked, and nothing is discarded.  The place tells several questions apart.
function! s:is_unwanted(draft, place) abort
  return getchar(1) is 0 && quickvault#prompt#confirm(quickvault#text#get('draft.question',
        \ quickvault#layout#time(a:draft.savedAt) . a:place), quickvault#text#get('draft.choices'), 1) == 2
endfunction

" Puts one of the drafts into the form in the current buffer: the one that comes back, else the first that the user wants.
" Deletes those that the user discards; then redo brings the text of the last one back.  A lock during a question leaves all as
" they are.
function! quickvault#draft#offer(drafts) abort
  let l:resumed = has_key(s:resumed, bufname('%')) ? remove(s:resumed, bufname('%')) : {}
  let l:IsOther = {draft -> get(draft, 'form', '') isnot get(l:resumed, 'form', 0)}
  let l:more = sort(quickvault#draft#of_here(a:drafts), {one, other -> l:IsOther(one) - l:IsOther(other)})
  let [l:state, l:count, l:is_discarded] = [b:quickvault, len(l:more), 0]
  while !empty(l:more)
    let l:draft = remove(l:more, 0)
    let l:place = l:count == 1 ? '' : printf(' (%d/%d)', l:count - len(l:more), l:count)
    let l:is_unwanted = l:IsOther(l:draft) && s:is_unwanted(l:draft, l:place)
    if !quickvault#session#is_unlocked() || b:quickvault isnot l:state
      return
    elseif !l:is_unwanted
      call s:continue(l:draft, l:IsOther(l:draft) ? {} : l:resumed.view)
      if !empty(l:more)
        call quickvault#message#info(quickvault#text#get('draft.more'))
      endif
      return
    endif
    let l:is_discarded = 1
    let l:view = winsaveview()
    call s:replace(l:draft)
    silent undo
    call winrestview(l:view)
    setlocal nomodified
    call s:discard(s:name(l:draft))
  endwhile
  if l:is_discarded
    call quickvault#message#info(quickvault#text#get('draft.discarded'))
  endif
endfunction

" Puts a draft into the form in the current buffer.  It gets the name of this form.
function! s:continue(draft, view) abort
  call s:replace(a:draft)
  let [l:state, b:quickvault.revision] = [b:quickvault, get(a:draft, 'revision', 0)]
  let l:params = quickvault#draft#params(bufnr('%'))
  let [l:state.sent, l:state.draft] = [l:params.text, l:params.text]
  setlocal modified
  call winrestview(a:view)
  if get(a:draft, 'form', '') !=# l:state.form
    call quickvault#server#request('draft/put', l:params, {error, result -> s:continued(l:state, l:params.text, a:draft, error)})
  endif
endfunction

" Deletes the draft that was put into a form once the server keeps the text under the name of that.
function! s:continued(state, text, draft, error) abort
  call s:answered(a:state, a:text, a:error)
  if empty(a:error)
    call s:discard(s:name(a:draft))
  endif
endfunction

" Returns the parameters that name a draft.
function! s:name(draft) abort
  return filter(copy(a:draft), 'index(["client", "type", "card", "form"], v:key) >= 0')
endfunction
