" A picture of coloured characters, as chafa(1) prints it, in a popup window, which the next key closes.
scriptencoding utf-8

" The popup: its window, its highlight groups, and OnClose; empty if there is none.
let s:popup = {}

" These keys only close the popup: CTRL-C, <CR>, <Esc>, <Space>, P and q.  Others then do what they do in the window below.
let s:closing_keys = ["\<C-c>", "\<CR>", "\<Esc>", "\<Space>", 'P', 'q']

let s:key_names = ['Up', 'Down', 'Left', 'Right', 'Home', 'End', 'PageUp', 'PageDown', 'BS', 'Del', 'LeftMouse',
      \ 'ScrollWheelUp', 'ScrollWheelDown']
let s:mouse_keys = ["\<LeftMouse>", "\<ScrollWheelUp>", "\<ScrollWheelDown>"]

" Returns the lines of an output, each a list of runs: [foreground, background, text].  A colour is its number among 256,
" red, green and blue as #rrggbb, or empty for the usual one.
function! quickvault#cells#parse(output) abort
  let l:colours = ['', '']
  let l:lines = []
  for l:line in split(a:output, "\n")
    let l:runs = []
    for l:part in split(l:line, '\ze\e')
      let [l:all, l:codes, l:kind, l:text; l:rest] = matchlist(l:part, '^\%(\e\[\([0-9;?]*\)\(\a\)\)\?\(.*\)$')
      let l:colours = l:kind ==# 'm' ? s:set_colours(l:colours, l:codes) : l:colours
      if !empty(l:text)
        call add(l:runs, l:colours + [l:text])
      endif
    endfor
    if !empty(l:runs)
      call add(l:lines, l:runs)
    endif
  endfor
  return l:lines
endfunction

" Returns the colours after codes of the sequence "select graphic rendition".
function! s:set_colours(colours, codes) abort
  let l:colours = copy(a:colours)
  let l:codes = split(a:codes, ';')
  while !empty(l:codes)
    let l:code = remove(l:codes, 0)
    if l:code =~# '^[34]8$' && len(l:codes) >= 2
      let l:is_number = remove(l:codes, 0) == 5
      let l:colour = remove(l:codes, 0, l:is_number ? 0 : min([2, len(l:codes) - 1]))
      let l:colours[l:code ==# '48'] = l:is_number ? l:colour[0] : '#' . join(map(l:colour, 'printf("%02x", v:val)'), '')
    elseif l:code == 0
      let l:colours = ['', '']
    endif
  endwhile
  return l:colours
endfunction

" Shows lines in a popup, with a text below them.  OnClose is called when the popup is closed.
function! quickvault#cells#show(lines, text, OnClose) abort
  call quickvault#cells#close()
  let l:groups = {}
  let l:rows = map(copy(a:lines), {_, runs -> s:row(runs, l:groups)})
  let s:popup = {'groups': l:groups, 'OnClose': a:OnClose}
  let s:popup.window = s:open(l:rows + [{'text': a:text, 'props': []}])
endfunction

" Returns a line as popup_create() takes it, and adds the highlight groups of its colours.
function! s:row(runs, groups) abort
  let l:row = {'text': '', 'props': []}
  for [l:foreground, l:background, l:text] in a:runs
    let l:colours = l:foreground . '_' . l:background
    if !has_key(a:groups, l:colours)
      let a:groups[l:colours] = 'QuickVaultCell' . len(a:groups)
      call s:define(a:groups[l:colours], l:foreground, l:background)
    endif
    call add(l:row.props, {'col': len(l:row.text) + 1, 'length': len(l:text), 'type': a:groups[l:colours]})
    let l:row.text .= l:text
  endfor
  return l:row
endfunction

function! s:define(group, foreground, background) abort
  let l:words = s:words('fg', a:foreground) + s:words('bg', a:background)
  execute 'highlight' a:group join(empty(l:words) ? ['NONE'] : l:words)
  if !has('nvim')
    call prop_type_add(a:group, {'highlight': a:group})
  endif
endfunction

function! s:words(which, colour) abort
  return empty(a:colour) ? [] : a:colour =~# '^#' ? ['gui' . a:which . '=' . a:colour]
        \ : ['cterm' . a:which . '=' . a:colour]
endfunction

" Opens the popup, and returns its window.
function! s:open(rows) abort
  " With 'ambiwidth' double, a border would not meet at the corners.
  let l:has_border = &ambiwidth ==# 'single'
  if !has('nvim')
    return popup_create(a:rows, extend({'highlight': 'Normal', 'wrap': 0, 'mapping': 0, 'filter': function('s:filter'),
          \ 'callback': {window, result -> quickvault#cells#close()}}, l:has_border
          \ ? {'border': [], 'borderchars': ['─', '│', '─', '│', '┌', '┐', '┘', '└']} : {}))
  endif
  let l:buffer = nvim_create_buf(v:false, v:true)
  call setbufvar(l:buffer, '&bufhidden', 'wipe')
  call nvim_buf_set_lines(l:buffer, 0, -1, v:true, map(copy(a:rows), 'v:val.text'))
  for l:line in range(len(a:rows))
    for l:run in a:rows[l:line].props
      call nvim_buf_add_highlight(l:buffer, -1, l:run.type, l:line, l:run.col - 1, l:run.col - 1 + l:run.length)
    endfor
  endfor
  let l:width = max(map(copy(a:rows), 'strdisplaywidth(v:val.text)'))
  let l:window = nvim_open_win(l:buffer, v:true, {'relative': 'editor', 'width': l:width, 'height': len(a:rows),
        \ 'row': max([0, (&lines - len(a:rows)) / 2 - 1]), 'col': max([0, (&columns - l:width) / 2 - 1]),
        \ 'style': 'minimal', 'border': l:has_border ? 'single' : 'none'})
  setlocal nomodifiable nowrap winhighlight=NormalFloat:Normal,FloatBorder:Normal
  for l:key in map(range(1, 126), '"Char-" . v:val') + s:key_names
    execute printf('nnoremap <buffer> <nowait> <%s> <Cmd>call quickvault#cells#press("\<lt>%s>")<CR>', l:key, l:key)
  endfor
  " A window cannot be closed while it is left.
  autocmd WinLeave <buffer> call timer_start(0, {-> quickvault#cells#close()})
  return l:window
endfunction

" Gets every key in Vim, also those that nobody pressed: the focus came or went, or nothing was typed for a while.
function! s:filter(window, key) abort
  if a:key[:1] ==# "\x80\xfd" && index(s:mouse_keys, a:key) < 0
    return 0
  endif
  call s:close_with(a:key)
  return 1
endfunction

" Handles a key in Neovim.
function! quickvault#cells#press(key) abort
  call s:close_with(a:key)
endfunction

function! s:close_with(key) abort
  call quickvault#cells#close()
  if index(s:closing_keys, a:key) < 0
    call feedkeys(a:key, 'im')
  endif
endfunction

" Closes the popup if there is one.
function! quickvault#cells#close() abort
  if empty(s:popup)
    return
  endif
  let l:popup = s:popup
  let s:popup = {}
  if !has('nvim')
    call popup_close(l:popup.window)
  elseif nvim_win_is_valid(l:popup.window)
    call nvim_win_close(l:popup.window, v:true)
    " Removes the ruler of the popup.
    echo ''
  endif
  for l:group in values(l:popup.groups)
    if !has('nvim')
      call prop_type_delete(l:group)
    endif
    execute 'highlight clear' l:group
  endfor
  call l:popup.OnClose()
endfunction
