" Syntax of QuickVault's forms.
scriptencoding utf-8
if exists('b:current_syntax')
  finish
endif

syntax match quickvaultLabel /^[^#:：[:space:]*][^:：]*\ze[:：]/
syntax match quickvaultSection /^---.*$/
syntax match quickvaultComment /^#.*/
syntax match quickvaultError /^# ✗ .*/
syntax match quickvaultWarning /^# ! .*/
" The value, including further lines, of a field with a * before its label.
syntax region quickvaultConcealed conceal cchar=• end=/\n\ze\S/ end=/\n\ze$/
      \ start=/^\*\%("\%([^"\\]\|\\.\)*"\|[^:："][^:：]*\)\s*[:：] \?/ms=e+1

highlight default link quickvaultLabel Identifier
highlight default link quickvaultSection Title
highlight default link quickvaultComment Comment
highlight default link quickvaultError ErrorMsg
highlight default link quickvaultWarning WarningMsg

let b:current_syntax = 'quickvaultform'
