" Key mappings of the vault buffers, and their help.
"
" The table is the file beside this one: the pages, their keys, the function that these call, and the help in English and in
" Chinese, separated by tabs.

let s:rows = map(readfile(expand('<sfile>:p:r') . '.txt'), 'split(v:val, "\t", 1)')

" Vim's g commands, which stay available in a view; g alone waits for 'timeoutlen'.  The user may have mapped one, such as gx.
let s:g_commands = split("# $ & ' ` * + , - 0 8 ; < @ D E F H I J M N P Q R T U V ] ^ _ a d e f g h i j k m n o p q r s t u v w x ~")
      \ + ['<C-A>', '<C-G>', '<C-H>', '<C-]>', '<Tab>', '<Up>', '<Down>', '<Home>', '<End>']

function! s:rows(page) abort
  return filter(copy(s:rows), {_, row -> index(split(row[0]), a:page) >= 0})
endfunction

" Maps the keys of a page.
function! quickvault#keys#map(page) abort
  for [l:pages, l:keys, l:function; l:help] in filter(s:rows(a:page), '!empty(v:val[2])')
    for l:key in split(l:keys)
      " A key that others begin with waits for them.
      execute 'nnoremap <buffer>' (l:key =~# '^g' ? '' : '<nowait>') l:key
            \ '<Cmd>call quickvault#keys#press(' . string(substitute(l:function, '%', a:page, '')) . ')<CR>'
      for l:command in l:key ==# 'g' ? filter(copy(s:g_commands), 'empty(maparg("g" . v:val, "n"))') : []
        execute 'nnoremap <buffer> g' . l:command 'g' . l:command
      endfor
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
