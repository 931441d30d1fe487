" Clears what only typed commands can: the last pattern, substitution, inserted text and command line.
"
" Vim restores these when a function ends (:help function-search-undo).  So a key that nothing else uses, and that every
" prompt ignores, is fed, and does it when Vim waits for a command.  If a prompt gets it, it is fed again.

let s:key = '<X2Release>'
let s:timer = 0
let s:milliseconds = 100

" Leaves Insert mode, and clears what came from vault buffers as soon as Vim waits for a command.
function! quickvault#typed#forget() abort
  if quickvault#buffer#is_vault_buffer(bufnr('%')) && mode() =~# '^[iR]'
    call feedkeys("\<Esc>", 'in')
  endif
  call timer_stop(s:timer)
  let s:timer = timer_start(0, {-> s:try()})
endfunction

function! s:try() abort
  if mode(1) =~# "^[nvV\<C-v>]" && mode(1) !~# '^no' && &buftype !=# 'terminal'
    if !g:quickvault#privacy#is_substituted
          \ && empty(filter([@/, getreg('.'), getreg(':')], 'quickvault#privacy#is_tracked(v:val)'))
      return
    endif
    execute 'noremap <silent>' s:key '<Cmd>execute quickvault#typed#commands()<CR>'
    call feedkeys(eval('"\' . s:key . '"'), 'im')
  endif
  let s:timer = timer_start(s:milliseconds, {-> s:try()})
endfunction

" Returns the commands that clear what there is, for the key.
function! quickvault#typed#commands() abort
  execute 'silent! unmap' s:key
  " With 'showmode', Insert mode would remove the message about the lock.
  let l:commands = ['silent! setlocal modifiable noreadonly | set noshowmode']
  if quickvault#privacy#is_tracked(getreg('.'))
    call add(l:commands, 'silent! noautocmd keepjumps execute "normal! i\<Esc>"')
  endif
  if g:quickvault#privacy#is_substituted
    " The pattern matches nothing.
    call add(l:commands, 'silent! keepjumps substitute/\%1l\%2l//e | call histdel("/", ''^\\%1l\\%2l$'')')
  endif
  call add(l:commands, printf('let [@/, v:hlsearch, &l:modifiable, &l:readonly, &showmode] = %s | call winrestview(%s)',
        \ string([quickvault#privacy#is_tracked(@/) ? '' : @/, v:hlsearch, &l:modifiable, &l:readonly, &showmode]),
        \ string(winsaveview())))
  if quickvault#privacy#is_tracked(getreg(':'))
    call add(l:commands, 'silent call feedkeys(":\"\<CR>", "ntx") | call histdel(":", ''^"$'')')
  endif
  let g:quickvault#privacy#is_substituted = 0
  return join(l:commands, ' | ')
endfunction
