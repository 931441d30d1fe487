" Syntax of the list, the page and the log of QuickVault.
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
highlight default link quickvaultMatch Search

let b:current_syntax = 'quickvault'
