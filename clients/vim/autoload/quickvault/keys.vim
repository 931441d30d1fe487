" Key mappings of the vault buffers, and their help.
"
" The table is the file beside this one: the pages, their keys, the function that these call, and the help in English and in
" Chinese, separated by tabs.

let s:rows = map(readfile(expand('<sfile>:p:r') . '.txt'), 'split(v:val, "\t", 1)')

function! s:rows(page) abort
  return filter(copy(s:rows), {_, row -> index(split(row[0]), a:page) >= 0})
endfunction

" Maps the keys of a page.
function! quickvault#keys#map(page) abort
  for [l:pages, l:keys, l:function; l:help] in filter(s:rows(a:page), '!empty(v:val[2])')
    for l:key in split(l:keys)
      execute 'nnoremap <buffer> <nowait>' l:key
            \ '<Cmd>call quickvault#keys#press(' . string(substitute(l:function, '%', a:page, '')) . ')<CR>'
    endfor
  endfor
endfunction

" Does what a key does; on a blanked page, most keys unlock the vault.
function! quickvault#keys#press(function) abort
  if has_key(get(b:, 'quickvault', {}), 'locked') && a:function !~# '^\%(lock\|keys\)'
    return quickvault#unlock()
  endif
  execute 'call quickvault#' . a:function
endfunction

" Shows the help of a page.
function! quickvault#keys#help(page) abort
  let l:column = quickvault#text#language() ==# 'en' ? 3 : 4
  echo join(map(s:rows(a:page), {_, row -> printf('%-22S %s', row[1], row[l:column])}), "\n")
endfunction
