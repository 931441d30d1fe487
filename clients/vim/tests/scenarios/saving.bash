# Saving a form.
# shellcheck shell=bash disable=SC2154

open_invoice() {
  make_vault
  open_vim -c "set backspace=start" -c 'inoremap <C-S> <Cmd>write<CR>'
  open_list
  type_line ':call search("Harbor")'
  press e
  see '^Tax ID: '
}

# R21: after saving in Insert mode, with a warning, what is typed next goes on where it was.
scenario_saving_while_typing() {
  open_invoice
  type_line ':call search("^Tags")'
  type_text 'A, b,'
  press C-s
  see '^# ! '
  type_text ' c,'
  see '^Tags: 税务, b, c,$'
  press C-o
  type_line ':write'
  see_gone 'edit/.*\[\+\]'
  type_text ' d'
  see '^Tags: 税务, b, c, d$'
  press Escape
  command_line 'write'
  see_gone 'edit/.*\[\+\]'
  expect "$(evaluate 'getline(".")')" 'Tags: 税务, b, c, d' "the cursor's line after a warning"
}

# R21: an error takes to the end of its line, where typing goes on.
scenario_error_while_typing() {
  open_invoice
  type_line ':call search("^Tax ID")'
  type_text 'A9'
  press C-s
  see '^# ✗ '
  press BSpace
  see '^Tax ID: 91440300MA5FA6HQ2E$'
  type_text '9'
  press Up C-o
  type_line ':write'
  see '^# ✗ '
  press BSpace
  see '^Tax ID: 91440300MA5FA6HQ2E$'
}
