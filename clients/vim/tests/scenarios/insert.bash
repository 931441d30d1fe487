# Insertion into ordinary buffers.
# shellcheck shell=bash disable=SC2154

# R18: in Insert mode, a text is inserted where the cursor is, and what is typed next follows it; also after the password.
scenario_insert_in_insert_mode() {
  make_vault
  echo '() and' >"$work/ordinary.txt"
  printf 'inoremap <C-%s> %s<CR>\n' q '<Cmd>QuickVaultInsert -field=text Meeting room' \
    s '<C-O>:QuickVaultInsert -field=text Meeting room' >>"$work/vimrc"
  open_vim "$work/ordinary.txt"
  type_text 'a'
  press C-q
  see 'Master password:$'
  type_line "$password"
  see '^\(Floor 12, left of the lift\.\) and'
  type_text '1'
  press End
  type_text ' '
  press C-q
  see 'and Floor 12, left of the lift\.$'
  type_text '2'
  press Left
  press C-s
  see '\.Floor 12, left of the lift\.2$'
  type_text '3'
  press Escape
  local text='Floor 12, left of the lift.'
  expect "$(evaluate 'getline(1)')" "(${text}1) and $text${text}32" 'the line'
}
