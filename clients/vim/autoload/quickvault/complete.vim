" Command-line completion.  While the vault is locked, it returns nothing and does not ask for the password.

" Returns a query for titles that contain a text.
function! quickvault#complete#query(title) abort
  return 'title:"' . substitute(a:title, '"', '', 'g') . '"'
endfunction

" Completes titles that contain the input, in the order of the search.
function! quickvault#complete#title(lead, line, position) abort
  return s:titles(a:lead, '')
endfunction

" Completes :QuickVaultCopy [-{style} | -field={name}] {title}.  Vim completes only the last word of a title.
function! quickvault#complete#copy(lead, line, position) abort
  let l:typed = matchstr(strpart(a:line, 0, a:position), '\u\w*\s\+\zs.*')
  if l:typed =~# '^-\S*$'
    let l:options = map(copy(g:quickvault#copy#styles), '"-" . v:val') + ['-field=']
    return filter(l:options, 'stridx(v:val, a:lead) == 0')
  endif
  let l:title = substitute(l:typed, '\v^-%(field\="[^"]*"|\S+)\s+', '', '')
  return s:titles(l:title, strpart(l:title, 0, strlen(l:title) - strlen(a:lead)))
endfunction

" Returns titles without the part that is already on the command line.
function! s:titles(lead, before) abort
  let [l:method, l:params] = empty(a:lead) ? ['card/list', {'limit': 100}]
        \ : ['card/search', {'limit': 100, 'query': quickvault#complete#query(a:lead)}]
  let [l:error, l:page] = !quickvault#session#is_unlocked() ? [{}, {'items': []}]
        \ : quickvault#server#wait(l:method, l:params, 2000)
  let l:titles = empty(l:error) ? map(l:page.items, {_, item -> get(item, 'card', item).title}) : []
  return uniq(map(filter(l:titles, {_, title -> empty(a:before) || strpart(title, 0, strlen(a:lead)) ==? a:lead}),
        \ {_, title -> strpart(title, strlen(a:before))}))
endfunction

" Completes tags, most used first.
function! quickvault#complete#tag(lead, line, position) abort
  if !quickvault#session#is_unlocked()
    return []
  endif
  let [l:error, l:answer] = quickvault#server#wait('tag/list', {}, 2000)
  let l:tags = empty(l:error) ? map(l:answer.tags, 'v:val.tag') : []
  return filter(l:tags, 'stridx(tolower(v:val), tolower(a:lead)) == 0')
endfunction

" Completes in a form, as 'omnifunc': labels, and the values of group, tags and type.
function! quickvault#complete#omni(find_start, base) abort
  let l:typed = strpart(getline('.'), 0, col('.') - 1)
  let l:label = matchstr(l:typed, '^[^#:：[:space:]][^:：]*\ze[:：]')
  let l:key = get(filter(['group', 'tags', 'column.type'], 'index(quickvault#text#translations(v:val), trim(l:label), 0, 1) >= 0'), 0, '')
  if a:find_start
    return line('.') > quickvault#form#count_above_text(getline(1, '$')) || empty(l:label) && l:typed =~# '^[#[:space:]]' ? -3
          \ : empty(l:label) ? 0 : empty(l:key) ? -3 : matchend(l:typed, '^.*[:：,，、]\s*')
  endif
  let l:words = empty(l:label) ? s:labels() : l:key ==# 'tags' ? quickvault#complete#tag('', '', 0)
        \ : l:key ==# 'group' ? map(['personal', 'company'], 'quickvault#text#get(v:val)')
        \ : map(['invoice', 'title'], 'quickvault#layout#type(v:val)')
  return filter(l:words, 'stridx(tolower(v:val), tolower(a:base)) == 0')
endfunction

" Returns the labels that the form can have and that it has not, each with its colon.
function! s:labels() abort
  let l:labels = map(['title', 'group', 'tags'], 'quickvault#text#get(v:val)')
        \ + map(copy(quickvault#session#template(b:quickvault.type).fields), 'v:val.label[quickvault#text#language()]')
  let l:used = map(getline(1, '$'), 'tolower(matchstr(v:val, "^\\%(--- \\)\\?\\zs[^:：]\\{-}\\ze\\%([:：]\\| ---$\\)"))')
  return map(filter(l:labels, 'index(l:used, tolower(v:val)) < 0'), 'v:val . ": "')
endfunction

" Completes card types.
function! quickvault#complete#type(lead, line, position) abort
  let l:types = quickvault#session#types()
  return filter(empty(l:types) ? ['address', 'invoice', 'title', 'text'] : l:types, 'stridx(v:val, a:lead) == 0')
endfunction

" Completes file names, with spaces escaped.
function! quickvault#complete#file(lead, line, position) abort
  let l:files = getcompletion(substitute(a:lead, '\\\([ \\]\)', '\1', 'g'), 'file')
  return map(l:files, 'escape(v:val, " \\")')
endfunction

" Completes -original, -strip and a file name.  Of a name with spaces, Vim completes only the last word.
function! quickvault#complete#export(lead, line, position) abort
  return a:lead =~# '^-' ? filter(['-original', '-strip'], 'stridx(v:val, a:lead) == 0') : getcompletion(a:lead, 'file')
endfunction

" Completes :Qv, and the commands that stand for words of qv, as qv does.  What it gives replaces the word at the cursor, so
" spaces in it are escaped.
function! quickvault#complete#qv(lead, line, position) abort
  let [l:all, l:command, l:typed; _] = matchlist(strpart(a:line, 0, a:position), '\(\u\w*\)\s\+\(.*\)')
  let l:name = tolower(substitute(l:command, '^Qv$\|^QuickVault', '', ''))
  let l:words = (empty(l:name) ? [] : l:name ==# 'join' ? ['sync', 'join'] : [l:name])
        \ + quickvault#qv#split(strpart(l:typed, 0, strlen(l:typed) - strlen(a:lead))) + [a:lead]
  let l:line = quickvault#qv#line(['complete', '--'] + l:words)
  let l:environment = map(items(quickvault#qv#environment()), 'v:val[0] . "=" . v:val[1]')
  let l:lines = empty(l:line) ? [] : split(quickvault#editor#run(['env'] + l:environment + l:line, '', 3000, 1)[1], "\n")
  return index([':files', ':commands'], get(l:lines, 0, '')) >= 0 ? quickvault#complete#file(a:lead, a:line, a:position)
        \ : map(l:lines, 'escape(matchstr(v:val, "^[^\t]*"), " \\\"''")')
endfunction
