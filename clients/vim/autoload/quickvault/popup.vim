" Popup windows of Vim and floating windows of Neovim, in the middle of the screen.
scriptencoding utf-8

" Shows lines in a popup window of a width; an empty dictionary is filled with what names the window.
function! quickvault#popup#show(popup, lines, width) abort
  if has('nvim')
    call s:float(a:popup, a:width, len(a:lines))
    call nvim_buf_set_lines(a:popup.buffer, 0, -1, v:false, a:lines)
  elseif empty(a:popup)
    let a:popup.window = popup_create(a:lines, s:options(a:width, len(a:lines)))
  else
    call popup_settext(a:popup.window, a:lines)
    call popup_setoptions(a:popup.window, s:options(a:width, len(a:lines)))
  endif
endfunction

" Shows what a program printed for a terminal, and returns what names the window.
function! quickvault#popup#draw(lines) abort
  let l:widths = map(copy(a:lines), {_, line -> strdisplaywidth(substitute(line, '\e\[[0-9;?]*\a', '', 'g'))})
  let [l:popup, l:width, l:height] = [{}, max(l:widths), len(a:lines)]
  if has('nvim')
    call s:float(l:popup, l:width, l:height)
    call chansend(nvim_open_term(l:popup.buffer, {}), join(a:lines, "\r\n"))
    return l:popup
  endif
  let l:popup.buffer = term_start(['cat', quickvault#editor#pipe(join(a:lines, "\n"))], {'hidden': 1, 'norestore': 1,
        \ 'term_name': 'quickvault://picture', 'term_kill': 'kill', 'term_cols': l:width, 'term_rows': l:height + 1})
  while job_status(term_getjob(l:popup.buffer)) ==# 'run'
    sleep 2m
  endwhile
  call term_wait(l:popup.buffer, 10)
  let l:popup.window = popup_create(l:popup.buffer, extend(s:options(l:width, l:height), {'highlight': 'Normal'}))
  return l:popup
endfunction

function! s:options(width, height) abort
  " With 'ambiwidth' double, a border would not meet at the corners.
  let l:border = &ambiwidth ==# 'single' ? {'border': [], 'borderchars': ['─', '│', '─', '│', '┌', '┐', '┘', '└']} : {}
  return extend({'minwidth': a:width, 'maxwidth': a:width, 'minheight': a:height, 'maxheight': a:height, 'wrap': 0,
        \ 'mapping': 0, 'zindex': 1000}, l:border)
endfunction

" Opens or resizes Neovim's window.
function! s:float(popup, width, height) abort
  let l:options = {'relative': 'editor', 'width': a:width, 'height': a:height, 'style': 'minimal',
        \ 'border': &ambiwidth ==# 'single' ? 'single' : 'none',
        \ 'row': max([0, (&lines - a:height) / 2 - 1]), 'col': max([0, (&columns - a:width) / 2 - 1])}
  if !empty(a:popup)
    return nvim_win_set_config(a:popup.window, l:options)
  endif
  let a:popup.buffer = nvim_create_buf(v:false, v:true)
  call setbufvar(a:popup.buffer, '&bufhidden', 'wipe')
  let a:popup.window = nvim_open_win(a:popup.buffer, v:false, extend({'focusable': v:false, 'noautocmd': v:true}, l:options))
  call setwinvar(a:popup.window, '&wrap', 0)
  call setwinvar(a:popup.window, '&winhighlight', 'NormalFloat:Normal,FloatBorder:Normal')
endfunction

" Closes a popup window and forgets its lines.
function! quickvault#popup#close(popup) abort
  if has('nvim') && has_key(a:popup, 'window') && nvim_win_is_valid(a:popup.window)
    call nvim_win_close(a:popup.window, v:true)
  elseif !has('nvim') && has_key(a:popup, 'window')
    call popup_close(a:popup.window)
    if has_key(a:popup, 'buffer')
      execute 'silent! bwipeout!' a:popup.buffer
    endif
  endif
endfunction
