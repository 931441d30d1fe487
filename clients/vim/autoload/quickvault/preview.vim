" Shows a picture of an attachment in a popup.  It is piped to chafa(1), and never in a file.
scriptencoding utf-8

" The picture in the popup: its name and its data in Base64; empty if there is none.
let s:shown = {}

" The longest side of the picture in pixels, and the most characters it is shown with.
let s:pixels = 512
let s:columns = 80
let s:lines = 40

let s:milliseconds = 10000

" Shows an attachment.
function! quickvault#preview#show(attachment) abort
  if !executable('chafa')
    return quickvault#message#alert(quickvault#text#get('preview.missing'))
  endif
  call quickvault#message#progress(quickvault#text#get('preview.loading'))
  let [l:error, l:picture] = quickvault#session#wait('attachment/thumbnail', {'id': a:attachment.id, 'size': s:pixels})
  call quickvault#message#clear()
  if !empty(l:error)
    return quickvault#message#error(l:error)
  endif
  call s:draw({'name': quickvault#layout#one_line(a:attachment.name), 'data': l:picture.data})
endfunction

" Draws the picture again, for the size of the screen.
function! quickvault#preview#redraw() abort
  if !empty(s:shown)
    call s:draw(s:shown)
  endif
endfunction

function! s:draw(picture) abort
  let [l:status, l:output] = quickvault#editor#run(['sh', '-c', 'base64 -d | ' . s:command()], a:picture.data, s:milliseconds, 1)
  let l:lines = quickvault#cells#parse(l:output)
  " The vault may have locked in the meantime.
  if !quickvault#session#is_unlocked()
    return
  elseif l:status != 0 || empty(l:lines)
    call quickvault#cells#close()
    return quickvault#message#error(quickvault#text#get('preview.failed', l:status))
  endif
  let l:text = quickvault#layout#pad(quickvault#text#get('preview.hint', a:picture.name), max([1, &columns - 4]))
  call quickvault#cells#show(l:lines, trim(l:text), function('s:forget'))
  let s:shown = a:picture
endfunction

function! s:forget() abort
  let s:shown = {}
endfunction

" Returns the command line of chafa.  With 'ambiwidth' double, blocks and lines are two columns wide.
function! s:command() abort
  let l:has_all_colours = has('nvim') ? get(get(nvim_list_uis(), 0, {}), 'rgb', 0) : has('gui_running') || &termguicolors
  return printf('chafa --format symbols --animate off --colors %s --symbols %s --size %dx%d -',
        \ l:has_all_colours ? 'full' : &t_Co >= 256 ? '256' : 'none', &ambiwidth ==# 'double' ? 'ascii' : 'block+space',
        \ max([1, min([s:columns, &columns - 4])]), max([1, min([s:lines, &lines - 6])]))
endfunction
