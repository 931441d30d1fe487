" Popup windows of Vim and floating windows of Neovim, in the middle of the screen.

" Shows lines in a popup window of a width; an empty dictionary is filled with what names the window.
function! quickvault#popup#show(popup, lines, width) abort
  if !has('nvim')
    let l:options = {'minwidth': a:width, 'maxwidth': a:width, 'border': [], 'wrap': 0, 'mapping': 0, 'zindex': 1000}
    if empty(a:popup)
      let a:popup.window = popup_create(a:lines, l:options)
    else
      call popup_settext(a:popup.window, a:lines)
      call popup_setoptions(a:popup.window, l:options)
    endif
    return
  endif
  let l:options = {'relative': 'editor', 'width': a:width, 'height': len(a:lines), 'style': 'minimal', 'border': 'single',
        \ 'row': max([0, (&lines - len(a:lines)) / 2 - 1]), 'col': max([0, (&columns - a:width) / 2 - 1])}
  if empty(a:popup)
    let a:popup.buffer = nvim_create_buf(v:false, v:true)
    call setbufvar(a:popup.buffer, '&bufhidden', 'wipe')
    let a:popup.window = nvim_open_win(a:popup.buffer, v:false, extend({'focusable': v:false, 'noautocmd': v:true}, l:options))
    call setwinvar(a:popup.window, '&wrap', 0)
  else
    call nvim_win_set_config(a:popup.window, l:options)
  endif
  call nvim_buf_set_lines(a:popup.buffer, 0, -1, v:false, a:lines)
endfunction

" Closes a popup window and forgets its lines.
function! quickvault#popup#close(popup) abort
  if empty(a:popup)
    return
  elseif !has('nvim')
    call popup_close(a:popup.window)
  elseif nvim_win_is_valid(a:popup.window)
    call nvim_win_close(a:popup.window, v:true)
  endif
endfunction
