" Diagnostics.  The output has no secrets.
scriptencoding utf-8

" Shows the output of `quickvault doctor`, with options, in a new buffer.
function! quickvault#doctor#open(modifiers, ...) abort
  let l:program = expand(get(g:, 'quickvault_program', 'quickvault'))
  if !executable(l:program)
    return quickvault#message#alert(quickvault#text#get('program.missing', l:program))
  endif
  let l:locale = quickvault#text#language() ==# 'zh-Hans' ? 'zh_CN.UTF-8' : 'C.UTF-8'
  let l:command = ['env', 'LC_ALL=' . l:locale, l:program, 'doctor'] + a:000
        \ + (empty(get(g:, 'quickvault_vault', '')) ? [] : ['--vault', expand(g:quickvault_vault)])
  let l:lines = systemlist(join(map(l:command, {_, word -> shellescape(word)})))
  execute a:modifiers 'new'
  setlocal buftype=nofile bufhidden=wipe noswapfile nobuflisted
  call setline(1, l:lines)
  setlocal nomodifiable
  nnoremap <buffer> <nowait> q <Cmd>call quickvault#buffer#close()<CR>
endfunction
