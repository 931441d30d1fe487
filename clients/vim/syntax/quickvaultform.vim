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
" A field with a * before its label.  Its value is concealed, with its further lines, between which there may be remarks.
syntax region quickvaultOwn start=/^\ze\*[^:：]*[:：]/ end=/\n\ze[^#[:space:]]/
      \ contains=quickvaultComment,quickvaultError,quickvaultWarning,quickvaultOwnLabel,quickvaultMore
syntax match quickvaultOwnLabel /^\*\%("\%([^"\\]\|\\.\)*"\|[^:：]*\)\s*[:：] \?/ contained nextgroup=quickvaultValue
syntax match quickvaultValue /.\+/ contained conceal cchar=•
syntax match quickvaultMore /^\s.*/ contained conceal cchar=•
" Below this heading, all is text.
syntax region quickvaultRaw matchgroup=quickvaultSection start=/\c^---\+\s*\%(text\|正文\)\s*-*$/ end=/\%$/
" Otherwise Vim would begin in the middle of a long value or text.
syntax sync fromstart

highlight default link quickvaultLabel Identifier
highlight default link quickvaultSection Title
highlight default link quickvaultComment Comment
highlight default link quickvaultError ErrorMsg
highlight default link quickvaultWarning WarningMsg

let b:current_syntax = 'quickvaultform'
