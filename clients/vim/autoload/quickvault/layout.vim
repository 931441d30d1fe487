" Formats cards as text.
scriptencoding utf-8

let s:columns = ['title', 'title', 'type', 'group', 'tags', 'modifiedAt']

" Returns the lines of a list, the item index of each line, the matches as [line, byte column, length in bytes], and the
" widths of the columns.
function! quickvault#layout#list(state, width) abort
  let l:drawn = {'lines': [quickvault#layout#count(a:state)], 'rows': [-1], 'matches': [], 'widths': []}
  let l:is_picker = a:state.id ==# 'pick'
  let l:hint = get(g:, 'quickvault_list_hint', 1) && !l:is_picker ? s:wrap(s:text('hint.list'), a:width) : []
  call s:add(l:drawn, l:hint + quickvault#session#demo_lines(), -1)
  let l:filters = (empty(a:state.query) || l:is_picker ? [] : [quickvault#text#get('search') . a:state.query])
        \ + (empty(a:state.tag) ? [] : ['tag:' . a:state.tag])
  call s:add(l:drawn, l:filters, -1)
  if empty(a:state.items)
    call s:add(l:drawn, ['', quickvault#text#get(l:is_picker || !empty(l:filters) ? 'cards.none' : 'cards.empty')], -1)
    return l:drawn
  endif
  let l:rows = s:rows(a:state.items)
  let l:head = s:head(a:state)
  let l:drawn.widths = s:widths([l:head] + l:rows, a:width, !empty(a:state.next))
  call s:add(l:drawn, ['', s:row(l:head, l:drawn.widths)], -1)
  return s:add_rows(l:drawn, a:state, l:rows, 0)
endfunction

" Returns the lines of a list from an item on, and the first line of the whole list as count.
function! quickvault#layout#more(state, index) abort
  let l:drawn = {'lines': [], 'rows': [], 'matches': [], 'widths': a:state.widths, 'count': quickvault#layout#count(a:state)}
  return s:add_rows(l:drawn, a:state, s:rows(a:state.items[a:index :]), a:index)
endfunction

" Returns the line of a card in a list; an empty string if a column is too narrow for it.
function! quickvault#layout#line(card, widths) abort
  let l:cells = s:rows([{'card': a:card}])[0]
  let l:wide = filter(range(5), 'strdisplaywidth(l:cells[v:val]) > a:widths[v:val]')
  return empty(l:wide) ? s:row(l:cells, a:widths) : ''
endfunction

" Returns the column of a list at a screen column, as card/list names it.
function! quickvault#layout#column(state, column) abort
  let [l:index, l:end] = [-1, 0]
  while l:end < a:column && l:index < len(s:columns) - 1
    let l:index += 1
    let l:end += get(get(a:state, 'widths', []), l:index, a:column) + 2
  endwhile
  return s:columns[l:index]
endfunction

" Returns the lines of a hint, broken after commas.
function! s:wrap(hint, width) abort
  let [l:lines, l:comma] = [[''], s:text('comma')]
  for l:part in split(a:hint, l:comma . '\zs')
    if strdisplaywidth(trim(l:lines[-1] . l:part, ' ', 2)) > a:width
      let l:lines[-1] = trim(l:lines[-1], ' ', 2)
      call add(l:lines, '')
    endif
    let l:lines[-1] .= l:part
  endfor
  return l:lines
endfunction

" Returns the headings; an arrow is beside the one by which the list is sorted.
function! s:head(state) abort
  let l:head = ['', s:text('column.title'), s:text('column.type'), s:text('column.group'), s:text('column.tags'),
        \ s:text('column.modified')]
  let l:sorted = empty(a:state.query) ? index(s:columns, a:state.sort, 1) : -1
  if l:sorted > 0
    let l:head[l:sorted] .= a:state.descending ? '↓' : '↑'
  endif
  return l:head
endfunction

function! s:add_rows(drawn, state, rows, index) abort
  for l:index in range(len(a:rows))
    let l:row = a:index + l:index
    call add(a:drawn.lines, s:row(a:rows[l:index], a:drawn.widths))
    call add(a:drawn.rows, l:row)
    if !empty(a:state.items[l:row].matches) && a:state.id !=# 'pick'
      call s:add_matches(a:drawn, a:state.items[l:row].matches, l:row)
    endif
  endfor
  call s:add(a:drawn, empty(a:state.next) ? [] : [quickvault#text#get('cards.more')], -1)
  return a:drawn
endfunction

function! s:text(key) abort
  return quickvault#text#get(a:key)
endfunction

" Returns the first line of a list.
function! quickvault#layout#count(state) abort
  let [l:shown, l:total] = [len(a:state.items), a:state.total]
  return 'QuickVault  ' . (l:shown < l:total ? quickvault#text#get('cards.part', l:shown, l:total)
        \ : l:total == 1 ? s:text('cards.one') : quickvault#text#get('cards', l:total))
        \ . (quickvault#session#get('read_only') ? '  ' . s:text('readonly.short') : '')
endfunction

function! s:add(drawn, lines, row) abort
  call extend(a:drawn.lines, a:lines)
  call extend(a:drawn.rows, repeat([a:row], len(a:lines)))
endfunction

" Adds a line for each field that matched a search.
function! s:add_matches(drawn, matches, row) abort
  for l:match in a:matches
    let l:lead = '      ' . quickvault#layout#one_line(l:match.label) . s:text('colon')
    call s:add(a:drawn, [l:lead . quickvault#layout#one_line(l:match.snippet)], a:row)
    for [l:start, l:length] in l:match.ranges
      let l:first = byteidxcomp(l:match.snippet, l:start)
      let l:after = byteidxcomp(l:match.snippet, l:start + l:length)
      if l:first >= 0 && l:after > l:first
        call add(a:drawn.matches, [len(a:drawn.lines), len(l:lead) + l:first + 1, l:after - l:first])
      endif
    endfor
  endfor
endfunction

" Returns the cells of each item.
function! s:rows(items) abort
  " Each row would look these up again.
  let [l:labels, l:dates] = [{'personal': s:text('personal'), 'company': s:text('company')}, {}]
  call map(quickvault#session#types(), {_, type -> extend(l:labels, {type : quickvault#layout#type(type)})})
  return map(copy(a:items), {_, item -> [item.card.pinned ? '*' : '', quickvault#layout#one_line(item.card.title),
        \ l:labels[item.card.type], l:labels[item.card.group], quickvault#layout#one_line(join(item.card.tags, ', ')),
        \ quickvault#layout#time(item.card.modifiedAt, l:dates)]})
endfunction

" Returns the column widths: title and tags share the space that the other columns leave.  If more rows will follow, they
" take all of it, and the other columns have room for every type and group.
function! s:widths(rows, width, is_part) abort
  let l:widths = map(range(6), {column -> max(map(copy(a:rows), {_, row -> strdisplaywidth(row[column])}))})
  if a:is_part
    let l:widths[2] = max([l:widths[2]] + map(quickvault#session#types(), 'strdisplaywidth(quickvault#layout#type(v:val))'))
    let l:widths[3] = max([l:widths[3]] + map(['personal', 'company'], 'strdisplaywidth(s:text(v:val))'))
  endif
  let l:left = max([a:width - l:widths[2] - l:widths[3] - l:widths[5] - 12, 24])
  if l:widths[1] + l:widths[4] > l:left
    let l:widths[4] = min([l:widths[4], max([l:left / 3, l:left - l:widths[1]])])
    let l:widths[1] = min([l:widths[1], l:left - l:widths[4]])
  endif
  if a:is_part
    let l:widths[1] = max([l:widths[1], l:left - max([l:widths[4], l:left / 3])])
    let l:widths[4] = max([l:widths[4], l:left - l:widths[1]])
  endif
  let l:widths[0] = 1
  return l:widths
endfunction

function! s:row(cells, widths) abort
  let [l:pin, l:title, l:type, l:group, l:tags, l:modified] = a:cells
  if strdisplaywidth(l:title) > a:widths[1] || strdisplaywidth(l:tags) > a:widths[4]
    let l:title = quickvault#layout#pad(l:title, a:widths[1])
    let l:tags = quickvault#layout#pad(l:tags, a:widths[4])
  endif
  return trim(printf('%-*S  %-*S  %-*S  %-*S  %-*S  %s', a:widths[0], l:pin, a:widths[1], l:title, a:widths[2], l:type,
        \ a:widths[3], l:group, a:widths[4], l:tags, l:modified), ' ', 2)
endfunction

" Truncates or pads a text to a width in columns.
function! quickvault#layout#pad(text, width) abort
  let l:text = a:text
  if strdisplaywidth(l:text) > a:width
    " Characters with their composing characters.
    let l:characters = split(l:text, '\zs')[:a:width - 1]
    while strdisplaywidth(join(l:characters, '')) > a:width - 1
      call remove(l:characters, -1)
    endwhile
    let l:text = join(l:characters, '') . '…'
  endif
  return l:text . repeat(' ', a:width - strdisplaywidth(l:text))
endfunction

" Replaces each control character, including line breaks, by a space.
function! quickvault#layout#one_line(text) abort
  return substitute(a:text, '[[:cntrl:]]', ' ', 'g')
endfunction

" Returns the name of a card type.
function! quickvault#layout#type(type) abort
  return get(quickvault#session#template(a:type).label, quickvault#text#language(), a:type)
endfunction

" Formats a time such as 2026-11-21T06:50:12.345Z in local time, to the minute.  For many times, the dictionary keeps what was
" found for each date.
function! quickvault#layout#time(time, dates = {}) abort
  let l:date = a:time[:9]
  if !has_key(a:dates, l:date)
    if a:time !~# '\v^\d{4}-\d\d-\d\dT\d\d:\d\d'
      return a:time
    endif
    let a:dates[l:date] = s:days(l:date) * 86400
  endif
  let l:seconds = str2nr(a:time[11:12]) * 3600 + str2nr(a:time[14:15]) * 60
  return strftime('%Y-%m-%d %H:%M', a:dates[l:date] + l:seconds)
endfunction

" Returns the days since 1970 of a date in the proleptic Gregorian calendar, counted from March so that a leap day comes last.
function! s:days(date) abort
  let [l:year, l:month, l:day] = map(split(a:date, '-'), 'str2nr(v:val)')
  let l:y = l:month > 2 ? l:year : l:year - 1
  let l:m = (l:month + 9) % 12
  return 365 * l:y + l:y / 4 - l:y / 100 + l:y / 400 + (153 * l:m + 2) / 5 + l:day - 719469
endfunction
