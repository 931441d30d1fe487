" Implements the commands of the plugin.

" Opens the list of cards, or goes to its window.
function! quickvault#open(modifiers) abort
  " A new list asks for the password itself.
  let l:is_blanked = has_key(getbufvar(bufnr('^quickvault://cards$'), 'quickvault', {}), 'locked')
  call quickvault#buffer#open('quickvault://cards', a:modifiers . ' split')
  if l:is_blanked
    call quickvault#unlock()
  endif
endfunction

" Opens the list with the results of a query; without one, searches as you type.
function! quickvault#search(modifiers, query) abort
  call quickvault#privacy#forget_commands()
  if !quickvault#password#unlock()
    return
  endif
  call quickvault#buffer#open('quickvault://cards', a:modifiers . ' split')
  if empty(a:query)
    return quickvault#list#search()
  endif
  let b:quickvault.query = a:query
  call quickvault#list#refresh()
endfunction

" Copies the card with a title, or the current card, or one that is picked; its concealed fields too if wanted.
function! quickvault#copy(argument, concealed, picks = 0) abort
  call quickvault#privacy#forget_commands()
  call quickvault#copy#by_title(a:argument, a:concealed, function('quickvault#copy#card'), a:picks)
endfunction

" Inserts the card with a title after the cursor; its concealed fields too if wanted.
function! quickvault#insert(argument, concealed) abort
  call quickvault#privacy#forget_commands()
  call quickvault#copy#by_title(a:argument, a:concealed, function('quickvault#copy#insert'))
endfunction

" Returns the state of the vault for 'statusline', with a mark if synchronisation needs attention; empty before it is used.
function! quickvault#statusline() abort
  return !quickvault#server#running() ? ''
        \ : 'QuickVault: ' . quickvault#text#get(quickvault#session#is_unlocked() ? 'unlocked' : 'locked')
        \ . (empty(quickvault#session#get('attention')) ? '' : ' !')
endfunction

" Opens a form for a new card.
function! quickvault#new(modifiers, type) abort
  if !quickvault#password#unlock()
    return
  endif
  let l:types = quickvault#session#types()
  let l:type = a:type
  if empty(l:type)
    let l:names = map(copy(l:types), 'quickvault#layout#type(v:val)')
    let l:choice = quickvault#prompt#choice(quickvault#text#get('new.type'), l:names)
    if l:choice < 0
      return
    endif
    let l:type = l:types[l:choice]
  elseif index(l:types, l:type) < 0
    return quickvault#message#error(quickvault#text#get('type.unknown', l:type))
  endif
  call quickvault#buffer#open('quickvault://new/' . l:type, a:modifiers . ' split')
endfunction

" Opens a form that is filled in from lines; without any, from a register: that with a name, else the clipboard.
function! quickvault#paste(modifiers, lines, register) abort
  let l:clipboard = has('clipboard') && !empty(getreg('+')) ? '+' : '"'
  let l:text = empty(a:lines) ? getreg(empty(a:register) ? l:clipboard : a:register) : join(a:lines, "\n")
  if l:text !~# '\S'
    return quickvault#message#error(quickvault#text#get('paste.empty'))
  endif
  if quickvault#password#unlock()
    call quickvault#edit#paste(a:modifiers, l:text)
  endif
endfunction

" Locks the vault.  The server keeps the changes of forms; asks first if others would be lost, unless they are to be
" discarded.
function! quickvault#lock(discard) abort
  call quickvault#draft#put_all()
  if !a:discard && quickvault#buffers#would_lose_changes() && !s:may_lose_changes()
    return
  elseif !quickvault#server#running()
    call quickvault#buffers#blank(0)
    return quickvault#message#info(quickvault#text#get('lock.request'))
  endif
  call quickvault#server#request('session/lock', {}, {error, result -> empty(error) ? 0 : quickvault#message#error(error)})
endfunction

function! s:may_lose_changes() abort
  return quickvault#prompt#confirm(quickvault#text#get('lock.anyway'), quickvault#text#get('lock.choices'), 2) == 1
endfunction

" Unlocks the vault.
function! quickvault#unlock() abort
  if quickvault#password#unlock()
    call quickvault#message#info(quickvault#text#get('unlocked.now'))
  endif
endfunction

" Starts or leaves the demo with sample cards, which runs another process.  The user's vault stays locked meanwhile.
function! quickvault#demo() abort
  if !empty(quickvault#buffers#unsaved()) && !s:may_lose_changes()
    return
  endif
  let l:is_demo = quickvault#session#toggle_demo()
  call quickvault#buffers#blank(0)
  " These buffers belong to the other vault.
  call quickvault#buffers#wipe()
  if !l:is_demo
    call quickvault#message#info(quickvault#text#get('demo.over'))
  elseif !empty(quickvault#session#status())
    call quickvault#buffer#open('quickvault://cards', 'split')
    call quickvault#message#info(quickvault#text#get('demo'))
  endif
endfunction

" Shows the status of the vault.
function! quickvault#status() abort
  let l:status = quickvault#session#status()
  if empty(l:status)
    return
  endif
  let [l:server, l:sync] = [quickvault#session#get('server'), quickvault#session#get('attention')]
  let l:seconds = l:status.lockout.retryAfterSeconds
  let l:rows = [['vault', l:status.path],
        \ ['state', quickvault#text#get(!l:status.exists ? 'vault.missing' : l:status.locked ? 'locked' : 'unlocked')],
        \ ['attempts', l:seconds > 0 ? quickvault#text#get('lockout', l:seconds) : quickvault#text#get('attempts.allowed')],
        \ ['server', l:server.name . ' ' . l:server.version . quickvault#text#get('brackets', quickvault#server#process_id())]]
  echo join(map(l:rows, {_, row -> quickvault#text#get(row[0]) . quickvault#text#get('colon') . row[1]})
        \ + (empty(l:sync) ? [] : [quickvault#text#get('sync.attention', l:sync)])
        \ + map(get(l:status, 'conflictFiles', []), {_, file -> quickvault#text#get('conflict.' . file.kind, file.path)}), "\n")
endfunction
