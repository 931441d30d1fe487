" Drafts: the server keeps the unsaved text of a card's form over a lock, encrypted in the vault.  Several editors have drafts
" of one card beside each other.
"
" In a form, b:quickvault.form is the name of its draft, b:quickvault.sent is the text that was sent last, and
" b:quickvault.draft is the one that the server has confirmed last.

" Milliseconds without a change until the text is sent, and until it is sent while it still changes.
let [s:delay, s:longest_delay] = [300, 1000]

" The drafts that come back without a question when their form opens, by the name of its buffer: their form, and its view as
" of winsaveview().  A lock has blanked it, a command has hidden it, or the user has chosen the draft.
let s:resumed = {}

" The number of forms that have a name.
let s:forms = 0

" The forms in other editors whose changes the user has left there.
let s:left_there = {}

" The number of drafts that are being deleted.
let s:discarding = 0

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

" Returns whether a draft is of a form in another editor that still runs.
function! quickvault#draft#is_elsewhere(draft) abort
  let l:process = s:process_of(get(a:draft, 'form', ''))
  return l:process !=# quickvault#process#name(getpid()) && quickvault#process#is_running(l:process)
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
  return &modified ? s:put(bufnr('%')) : s:abandon(bufnr('%'))
endfunction

" Does so after a pause in typing, but not later than s:longest_delay after the first change.
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
        \ {-> s:put(l:buffer)})
endfunction

function! s:put(buffer) abort
  let [l:state, l:params] = [getbufvar(a:buffer, 'quickvault', {}), s:unsaved(a:buffer)]
  call timer_stop(get(l:state, 'timer', 0))
  let l:state.timer = 0
  if !empty(l:params) && l:params.text !=# get(l:state, 'sent', '') && quickvault#session#is_unlocked()
    let l:state.sent = l:params.text
    call quickvault#server#request('draft/put', l:params, {error, result -> s:answered(l:state, l:params.text, error)})
  endif
endfunction

function! s:answered(state, text, error) abort
  if !empty(a:error)
    call s:refused(a:state, a:text, a:error)
  elseif has_key(a:state, 'sent')
    let a:state.draft = a:text
  endif
endfunction

" The server does not keep a text, such as one that is too long.  If it is locked, the message about that says so.
function! s:refused(state, text, error) abort
  if has_key(a:state, 'draft') && get(a:state, 'sent', '') ==# a:text
    call remove(a:state, 'draft')
  endif
  call quickvault#message#error(a:error.kind ==# 'vault.locked' ? '' : a:error)
endfunction

" Returns the parameters of draft/put for a form with unsaved changes, else an empty dictionary.
function! s:unsaved(buffer) abort
  let l:state = getbufvar(a:buffer, 'quickvault', {})
  if !bufloaded(a:buffer) || !getbufvar(a:buffer, '&modified') || !has_key(l:state, 'names') || has_key(l:state, 'locked')
    return {}
  endif
  return extend(s:form(l:state), extend({'text': s:text(a:buffer)},
        \ s:is_new(l:state) ? {} : {'revision': l:state.revision}))
endfunction

" Returns the text of a form, with its concealed values.
function! s:text(buffer) abort
  return join(quickvault#concealed#show(getbufline(a:buffer, 1, '$'), getbufvar(a:buffer, 'quickvault')), "\n")
endfunction

" Replaces the text of the form in the current buffer by that of a draft.
function! s:replace(draft) abort
  call quickvault#buffer#replace(quickvault#concealed#hide(split(a:draft.text, "\n", 1), b:quickvault))
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

" Deletes the draft of a form, given by its id, type and form.
function! quickvault#draft#discard(state) abort
  call s:discard(s:form(a:state))
endfunction

function! s:discard(form) abort
  let s:discarding += 1
  call quickvault#server#request('draft/discard', a:form, {error, result -> s:discarded()})
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
  if has_key(l:state, 'sent') && quickvault#session#is_unlocked()
    call s:forget(l:state)
    call quickvault#draft#discard(l:state)
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
    if get(l:state, 'draft', '') !=# s:text(a:buffer)
      return
    endif
    call quickvault#draft#bring_back(bufname(a:buffer), l:state.form)
    " What stays is not discarded.
    call s:forget(l:state)
    call quickvault#message#info(quickvault#text#get('draft.there'))
  endif
  execute 'silent! bwipeout!' a:buffer
endfunction

" Reads the drafts, and calls Then with those of the form in the buffer, as they are offered: first the one that comes back,
" then those whose editors have ended, then those in other editors; each the newest first.
function! quickvault#draft#find(state, Then, OnError) abort
  let l:resumed = get(get(s:resumed, bufname('%'), {}), 'form', 0)
  call quickvault#session#request('draft/get', {'client': quickvault#draft#client()},
        \ {result -> a:Then(s:sort(filter(copy(result.items), {_, draft -> s:is_of(draft, a:state)}), l:resumed))}, a:OnError)
endfunction

function! s:sort(drafts, resumed) abort
  let [l:first, l:ended, l:elsewhere] = [[], [], []]
  for l:draft in a:drafts
    if get(l:draft, 'form', '') is# a:resumed
      call add(l:first, l:draft)
    elseif !quickvault#draft#is_elsewhere(l:draft)
      call add(l:ended, l:draft)
    elseif !has_key(s:left_there, l:draft.form)
      call add(l:elsewhere, l:draft)
    endif
  endfor
  return l:first + l:ended + l:elsewhere
endfunction

function! s:is_of(draft, state) abort
  return a:state.kind ==# 'new' ? !has_key(a:draft, 'card') && a:draft.type ==# a:state.id
        \ : get(a:draft, 'card', '') ==# a:state.id
endfunction

" Asks whether to continue with a draft, and returns "continue", "discard", or "leave".  Keys that were typed before would
" answer the question: then it is not asked, and nothing is discarded.  The place tells several questions apart.
function! s:ask(draft, is_elsewhere, place) abort
  let [l:is_typed_ahead, l:time] = [getchar(1) isnot 0, quickvault#layout#time(a:draft.savedAt) . a:place]
  if a:is_elsewhere
    return !l:is_typed_ahead && quickvault#prompt#confirm(quickvault#text#get('draft.elsewhere', l:time),
          \ quickvault#text#get('draft.elsewhere.choices'), 2) == 1 ? 'continue' : 'leave'
  endif
  return l:is_typed_ahead || quickvault#prompt#confirm(quickvault#text#get('draft.question', l:time),
        \ quickvault#text#get('draft.choices'), 1) != 2 ? 'continue' : 'discard'
endfunction

" Puts one of the drafts into the form in the current buffer: the one that comes back, else the first that the user wants.
" Deletes those that the user discards; then redo brings the text of the last one back.  Those in other editors stay there.  A
" lock during a question leaves all as they are.
function! quickvault#draft#offer(drafts) abort
  let l:resumed = has_key(s:resumed, bufname('%')) ? remove(s:resumed, bufname('%')) : {}
  let [l:state, l:more, l:is_discarded] = [b:quickvault, copy(a:drafts), 0]
  while !empty(l:more)
    let l:draft = remove(l:more, 0)
    let l:is_resumed = get(l:draft, 'form', '') is# get(l:resumed, 'form', 0)
    let l:is_elsewhere = quickvault#draft#is_elsewhere(l:draft)
    let l:place = len(a:drafts) == 1 ? '' : printf(' (%d/%d)', len(a:drafts) - len(l:more), len(a:drafts))
    let l:answer = l:is_resumed && !l:is_elsewhere ? 'continue' : s:ask(l:draft, l:is_elsewhere, l:place)
    if !quickvault#session#is_unlocked() || b:quickvault isnot l:state
      return
    elseif l:answer ==# 'continue'
      call s:continue(l:draft, l:is_resumed ? l:resumed.view : {}, l:is_elsewhere)
      if !empty(filter(l:more, '!quickvault#draft#is_elsewhere(v:val)'))
        call quickvault#message#info(quickvault#text#get('draft.more'))
      endif
      return
    elseif l:answer ==# 'leave'
      let s:left_there[l:draft.form] = 1
    else
      let l:is_discarded = 1
      let l:view = winsaveview()
      call s:replace(l:draft)
      silent undo
      call winrestview(l:view)
      setlocal nomodified
      call s:discard(s:name(l:draft))
    endif
  endwhile
  if l:is_discarded
    call quickvault#message#info(quickvault#text#get('draft.discarded'))
  endif
endfunction

" Puts a draft into the form in the current buffer.  It gets the name of this form; an editor that still runs keeps its own.
function! s:continue(draft, view, is_elsewhere) abort
  call s:replace(a:draft)
  let [b:quickvault.sent, b:quickvault.draft, b:quickvault.revision] = [a:draft.text, a:draft.text, get(a:draft, 'revision', 0)]
  setlocal modified
  call winrestview(a:view)
  if get(a:draft, 'form', '') !=# b:quickvault.form
    let l:state = b:quickvault
    let l:params = extend(s:name(a:draft), {'form': l:state.form, 'text': a:draft.text})
    let s:discarding += 1
    call quickvault#server#request('draft/put', has_key(a:draft, 'revision') ? extend(l:params, {'revision': a:draft.revision})
          \ : l:params, {error, result -> s:continued(l:state, a:draft, a:is_elsewhere, error)})
  endif
endfunction

function! s:continued(state, draft, is_elsewhere, error) abort
  if !empty(a:error)
    call s:refused(a:state, a:draft.text, a:error)
  elseif !a:is_elsewhere
    call s:discard(s:name(a:draft))
  endif
  call s:discarded()
endfunction

" Returns the parameters that name a draft.
function! s:name(draft) abort
  return filter(copy(a:draft), 'index(["client", "type", "card", "form"], v:key) >= 0')
endfunction
