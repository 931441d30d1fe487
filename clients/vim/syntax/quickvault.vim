" Syntax of the list, the page and the log of QuickVault.
if exists('b:current_syntax')
  finish
endif

syntax match quickvaultHead /\%1l.*/
syntax match quickvaultPinned /^\*/
syntax match quickvaultDetail /^ \{6}\S.*/
syntax match quickvaultCode /^  \zs[█▀▄ ]*[█▀▄][█▀▄ ]*$/
syntax match quickvaultCard /^-  .*/
syntax match quickvaultCopy /^+  .*/
syntax match quickvaultHidden /•\{8}/

highlight default link quickvaultHead Title
highlight default link quickvaultPinned Special
highlight default link quickvaultDetail Comment
highlight default link quickvaultHidden Comment
highlight default link quickvaultCard DiffDelete
highlight default link quickvaultCopy DiffAdd
" A camera wants dark on light, whatever the colours are.
highlight default quickvaultCode ctermfg=15 ctermbg=0 guifg=#ffffff guibg=#000000
" Not by the background alone: not every terminal and not every eye tells that.
highlight default quickvaultMatch term=bold,underline cterm=bold,underline gui=bold,underline

let b:current_syntax = 'quickvault'
