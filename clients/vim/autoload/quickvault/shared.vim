" One unlock for several programs: being admitted to an unlocked vault, and answering for other programs.

" Returns the open questions of other programs: dictionaries with id, text, and whether an
" agent asks to use cards.
function! s:questions() abort
  return extend(g:quickvault#buffers#memory, {'questions': []}, 'keep').questions
endfunction

" Returns whether another program has unlocked the vault, and this editor may not use it.
function! quickvault#shared#is_not_admitted(status) abort
  return !a:status.locked && get(a:status, 'admitted', v:true) is v:false
endfunction

" Asks for consent in another program if there is one that can give it and the user wants that.  Returns the answer, [error,
" result], or an empty list if the password is needed; and why it is.
function! quickvault#shared#be_admitted(status) abort
  let l:programs = map(copy(get(a:status, 'consentFrom', [])), 'v:val.name')
  let l:question = quickvault#text#get('consent.question', join(l:programs, quickvault#text#get('list')))
  if empty(l:programs) || quickvault#prompt#confirm(l:question, quickvault#text#get('consent.choices'), 1) != 1
    return [[], '']
  endif
  call quickvault#message#progress(quickvault#text#get('consent.waiting'))
  let [l:error, l:result] = quickvault#server#wait('client/requestConsent', {}, 0)
  call quickvault#message#clear()
  return empty(l:error) ? [[{}, l:result], ''] : [[], l:error.message . ' ']
endfunction

" Shows that another program asks to use the vault.  Only the command answers, so that nothing typed does by accident.
function! quickvault#shared#ask(id, text, is_use) abort
  call add(s:questions(), {'id': a:id, 'text': a:text, 'is_use': a:is_use})
  call quickvault#message#alert(a:text . "\n" . quickvault#text#get('consent.how'))
endfunction

" Removes a question that needs no answer any more.
function! quickvault#shared#withdraw(id) abort
  call filter(s:questions(), 'v:val.id isnot a:id')
endfunction

" Asks the user the first open question, and answers it.  Without a choice, it stays open.
function! quickvault#shared#answer() abort
  if empty(s:questions())
    return quickvault#message#warn(quickvault#text#get('consent.none'))
  endif
  let l:question = s:questions()[0]
  let l:answers = quickvault#text#get(l:question.is_use ? 'consent.uses' : 'consent.answers')
  let l:choice = quickvault#prompt#confirm(l:question.text, l:answers, 2)
  if l:choice > 0 && index(s:questions(), l:question) >= 0
    call quickvault#shared#withdraw(l:question.id)
    call quickvault#server#respond(l:question.id, extend({'allow': l:choice == 2 ? v:false : v:true},
          \ l:choice == 3 ? {'until': 'lock'} : {}))
  endif
endfunction

" Shows the contents again if the vault is unlocked and this editor may use it, and a text if there is one.
function! quickvault#shared#look(text) abort
  if !quickvault#session#is_unlocked()
    call quickvault#server#request('vault/status', {}, function('s:on_status', [a:text]))
  endif
endfunction

function! s:on_status(text, error, status) abort
  if empty(a:error) && !a:status.locked && !quickvault#shared#is_not_admitted(a:status)
    call quickvault#session#set_unlocked(1)
    call quickvault#buffers#restore()
    if !empty(a:text)
      call quickvault#message#info(quickvault#text#get(a:text))
    endif
  endif
endfunction
