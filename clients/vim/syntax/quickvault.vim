" Syntax of the list and the page of QuickVault.
if exists('b:current_syntax')
  finish
endif

syntax match quickvaultHead /\%1l.*/
syntax match quickvaultPinned /^\*/
syntax match quickvaultDetail /^ \{6}\S.*/
syntax match quickvaultHidden /•\{8}/

highlight default link quickvaultHead Title
highlight default link quickvaultPinned Special
highlight default link quickvaultDetail Comment
highlight default link quickvaultHidden Comment
" Not by the background alone: not every terminal and not every eye tells that.
highlight default quickvaultMatch term=bold,underline cterm=bold,underline gui=bold,underline

let b:current_syntax = 'quickvault'
