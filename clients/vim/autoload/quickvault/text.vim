" Messages in English and Chinese.
scriptencoding utf-8

" The language from the server, or empty if it is unknown.
let s:language = ''

" The messages by their names: in English and in Chinese.  They are in the file beside this one: a name, a tab, English, a
" tab, Chinese; \n is the end of a line.
let s:texts = {}

for s:line in readfile(expand('<sfile>:p:r') . '.txt')
  let [s:name, s:english, s:chinese] = split(substitute(s:line, '\\n', "\n", 'g'), "\t")
  let s:texts[s:name] = [s:english, s:chinese]
endfor

" Sets the language to "en" or "zh-Hans"; any other value means that of the locale.
function! quickvault#text#set_language(language) abort
  let s:language = index(['en', 'zh-Hans'], a:language) >= 0 ? a:language : ''
endfunction

" Returns the locale for the server: from the option, else Vim's message language, else the environment.
function! quickvault#text#locale() abort
  for l:locale in [get(g:, 'quickvault_language', ''), get(v:, 'lang', ''), $LC_ALL, $LC_MESSAGES, $LANG]
    if !empty(l:locale) && l:locale !~# '^\%(C\|POSIX\)\%(\.\|$\)'
      return l:locale
    endif
  endfor
  return 'en'
endfunction

" Returns the language in use, "en" or "zh-Hans".  Other encodings may have no Chinese.
function! quickvault#text#language() abort
  return &encoding !=# 'utf-8' ? 'en' : !empty(s:language) ? s:language : quickvault#text#locale() =~? '^zh' ? 'zh-Hans' : 'en'
endfunction

" Returns a message, formatted with the optional arguments as by printf().
function! quickvault#text#get(key, ...) abort
  let l:text = s:texts[a:key][quickvault#text#language() ==# 'en' ? 0 : 1]
  return a:0 == 0 ? l:text : call('printf', [l:text] + a:000)
endfunction

" Returns a message in both languages, to parse input.
function! quickvault#text#translations(key) abort
  return s:texts[a:key]
endfunction
