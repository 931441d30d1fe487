" Diagnostics.  The output has no secrets.
scriptencoding utf-8

" Shows the output of `quickvault doctor`, with options, in a new buffer.
function! quickvault#doctor#open(modifiers, ...) abort
  call s:open(a:modifiers, ['doctor'] + a:000)
endfunction

" Shows what leaves the machine, and what others learn from it.
function! quickvault#doctor#privacy(modifiers) abort
  call s:open(a:modifiers, ['privacy'])
endfunction

function! s:open(modifiers, words) abort
  let l:command = s:command(a:words)
  if empty(l:command)
    return quickvault#message#alert(s:missing())
  endif
  let l:lines = systemlist(l:command)
  execute a:modifiers 'new'
  setlocal buftype=nofile bufhidden=wipe noswapfile nobuflisted
  call setline(1, l:lines + ['', quickvault#text#get('hint.close')])
  setlocal nomodifiable
  nnoremap <buffer> <nowait> q <Cmd>call quickvault#buffer#close()<CR>
endfunction

" Returns the findings in the language in use, for :checkhealth: each with state (ok, missing or failed), text, and advice, a
" list; and a problem if there are none.
function! quickvault#doctor#findings() abort
  let l:command = s:command(['doctor', '--json'])
  if empty(l:command)
    return {'problem': s:missing(), 'findings': []}
  endif
  let l:language = quickvault#text#language()
  let l:colon = quickvault#text#get('colon')
  return {'problem': '', 'findings': map(json_decode(system(l:command)).findings, {_, finding -> {'state': finding.state,
        \ 'text': finding.subject[l:language] . l:colon . finding.found[l:language],
        \ 'advice': type(finding.advice) == v:t_dict ? [finding.advice[l:language]] : []}})}
endfunction

" Returns the command line of `quickvault` with words; empty if the program is missing.
function! s:command(words) abort
  let l:program = expand(get(g:, 'quickvault_program', 'quickvault'), 1)
  if !executable(l:program)
    return ''
  endif
  let l:locale = quickvault#text#language() ==# 'zh-Hans' ? 'zh_CN.UTF-8' : 'C.UTF-8'
  let l:command = ['env', 'LC_ALL=' . l:locale, l:program] + a:words
        \ + (a:words[0] !=# 'doctor' || empty(get(g:, 'quickvault_vault', '')) ? [] : ['--vault', expand(g:quickvault_vault, 1)])
  return join(map(l:command, {_, word -> shellescape(word)}))
endfunction

function! s:missing() abort
  return quickvault#text#get('program.missing', expand(get(g:, 'quickvault_program', 'quickvault'), 1))
endfunction
