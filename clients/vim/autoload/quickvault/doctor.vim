" Diagnostics, for :checkhealth.

" Returns the findings of `quickvault doctor` in the language in use: each with state (ok, missing or failed), text, and advice,
" a list; and a problem if there are none.
function! quickvault#doctor#findings() abort
  let l:program = quickvault#session#program()
  if !executable(l:program)
    return {'problem': quickvault#text#get('program.missing', l:program), 'findings': []}
  endif
  let l:vault = quickvault#session#vault()
  let l:command = [l:program, 'doctor', '--json'] + (empty(l:vault) ? [] : ['--vault', l:vault])
  let l:language = quickvault#text#language()
  let l:colon = quickvault#text#get('colon')
  let l:output = system(join(map(l:command, {_, word -> shellescape(word)})))
  return {'problem': '', 'findings': map(json_decode(l:output).findings, {_, finding -> {'state': finding.state,
        \ 'text': finding.subject[l:language] . l:colon . finding.found[l:language],
        \ 'advice': type(finding.advice) == v:t_dict ? [finding.advice[l:language]] : []}})}
endfunction
