" Shows a picture of an attachment: chafa(1) draws it in a terminal, which a popup shows.  It is piped there, and never in a
" file.
scriptencoding utf-8

" The longest side of the picture in pixels, the most characters it is shown with, and how long chafa may take.
let [s:pixels, s:columns, s:lines, s:milliseconds] = [512, 80, 40, 10000]

" These keys only close the popup; others then do what they do in the window below.
let s:closing_keys = ["\<C-c>", "\<CR>", "\<Esc>", "\<Space>", 'P', 'q']

" What Vim reads like a key that nobody pressed begins so: the focus came or went, or nothing was typed for a while.
let s:events = "\x80\xfd"
let s:mouse_keys = ["\<LeftMouse>", "\<ScrollWheelUp>", "\<ScrollWheelDown>"]

" Shows an attachment until a key is pressed, or the vault locks.
function! quickvault#preview#show(attachment) abort
  if !executable('chafa')
    return quickvault#message#alert(quickvault#text#get('preview.missing'))
  endif
  call quickvault#message#progress(quickvault#text#get('preview.loading'))
  let l:picture = quickvault#session#fetch('attachment/thumbnail', {'id': a:attachment.id, 'size': s:pixels})
  call quickvault#message#clear()
  if empty(l:picture)
    return
  endif
  let l:key = ''
  while empty(l:key) && quickvault#session#is_unlocked()
    let l:size = [&columns, &lines]
    let l:popup = s:draw(l:picture.data, quickvault#layout#one_line(a:attachment.name))
    if empty(l:popup)
      return
    endif
    let l:key = s:await_key(l:size)
    call s:close(l:popup)
    redraw
  endwhile
  if index(s:closing_keys + [''], l:key) < 0
    call feedkeys(l:key, 'im')
  endif
endfunction

" Returns the key that is pressed; none once the screen has another size, or the vault is locked.
function! s:await_key(size) abort
  try
    while quickvault#session#is_unlocked() && [&columns, &lines] == a:size
      redraw
      let l:key = getcharstr(0)
      if !empty(l:key) && (l:key[:1] !=# s:events || index(s:mouse_keys, l:key) >= 0)
        return l:key
      endif
      sleep 20m
    endwhile
  catch /^Vim:Interrupt$/
    return "\<C-c>"
  endtry
  return ''
endfunction

" Draws a picture with a line below it for the size of the screen; returns the popup, or an empty dictionary.
function! s:draw(data, name) abort
  let [l:status, l:output] = quickvault#editor#run(['sh', '-c', 'base64 -d | ' . s:command()], a:data, s:milliseconds, 1)
  let l:lines = split(l:output, "\n")
  if !quickvault#session#is_unlocked()
    return {}
  elseif l:status != 0 || empty(l:lines)
    call quickvault#message#error(quickvault#text#get('preview.failed', l:status))
    return {}
  endif
  let l:text = quickvault#layout#pad(quickvault#text#get('preview.hint', a:name), max([1, &columns - 4]))
  return s:show(l:lines + [trim(l:text)])
endfunction

" Returns the command line of chafa.  With 'ambiwidth' double, blocks and lines are two columns wide.
function! s:command() abort
  let l:has_all_colours = has('nvim') ? get(get(nvim_list_uis(), 0, {}), 'rgb', 0) : has('gui_running') || &termguicolors
  return printf('chafa --format symbols --animate off --colors %s --symbols %s --size %dx%d -',
        \ l:has_all_colours ? 'full' : &t_Co >= 256 ? '256' : 'none', &ambiwidth ==# 'double' ? 'ascii' : 'block+space',
        \ max([1, min([s:columns, &columns - 4])]), max([1, min([s:lines, &lines - 6])]))
endfunction

" Shows what a program printed for a terminal in the middle of the screen, and returns what names the window.
function! s:show(lines) abort
  let l:widths = map(copy(a:lines), {_, line -> strdisplaywidth(substitute(line, '\e\[[0-9;?]*\a', '', 'g'))})
  let [l:width, l:height] = [max(l:widths), len(a:lines)]
  " With 'ambiwidth' double, a border would not meet at the corners.
  let l:has_border = &ambiwidth ==# 'single'
  if has('nvim')
    let l:buffer = nvim_create_buf(v:false, v:true)
    call setbufvar(l:buffer, '&bufhidden', 'wipe')
    let l:window = nvim_open_win(l:buffer, v:false, {'relative': 'editor', 'width': l:width, 'height': l:height,
          \ 'style': 'minimal', 'border': l:has_border ? 'single' : 'none', 'focusable': v:false, 'noautocmd': v:true,
          \ 'row': max([0, (&lines - l:height) / 2 - 1]), 'col': max([0, (&columns - l:width) / 2 - 1])})
    call setwinvar(l:window, '&wrap', 0)
    call setwinvar(l:window, '&winhighlight', 'NormalFloat:Normal,FloatBorder:Normal')
    call chansend(nvim_open_term(l:buffer, {}), join(a:lines, "\r\n"))
    return {'buffer': l:buffer, 'window': l:window}
  endif
  let l:buffer = term_start(['cat', quickvault#editor#pipe(join(a:lines, "\n"))], {'hidden': 1, 'norestore': 1,
        \ 'term_name': 'quickvault://picture', 'term_kill': 'kill', 'term_cols': l:width, 'term_rows': l:height + 1})
  while job_status(term_getjob(l:buffer)) ==# 'run'
    sleep 2m
  endwhile
  call term_wait(l:buffer, 10)
  return {'buffer': l:buffer, 'window': popup_create(l:buffer, extend({'wrap': 0, 'mapping': 0, 'zindex': 1000, 'highlight': 'Normal',
        \ 'minwidth': l:width, 'maxwidth': l:width, 'minheight': l:height, 'maxheight': l:height},
        \ l:has_border ? {'border': [], 'borderchars': ['─', '│', '─', '│', '┌', '┐', '┘', '└']} : {}))}
endfunction

" Closes the window, and forgets the picture.
function! s:close(popup) abort
  if !has('nvim')
    call popup_close(a:popup.window)
  endif
  execute 'silent! bwipeout!' a:popup.buffer
endfunction
