# Undo in forms, and saving them.
# shellcheck shell=bash disable=SC2154

open_text() {
  open_vault
  edit_text
  type_text 'Gotyped before'
  press Escape
  see '^typed before'
}

# R8: :edit! brings the card back as it is stored, and undo what was typed.
scenario_undo_after_reloading() {
  open_text
  command_line 'edit!'
  see_gone '^typed before'
  expect "$(evaluate '&modified')" 0 'changes after :edit!'
  press u
  see '^typed before'
  expect "$(evaluate '&modified')" 1 'changes after undo'
  press C-r
  see_gone '^typed before'
  press u
  command_line 'wq'
  see_gone '# Text\.'
  press Enter
  see 'typed before'
}

# R21: after a save that failed, undo goes back past the messages about problems, to before they were made.
scenario_undo_after_a_failed_save() {
  open_text
  command_line '%s/^Title: .*/Title:/'
  command_line 'write'
  see '# ✗ '
  type_text 'uu'
  see_gone '# ✗ '
  see '^Title: Meeting room'
  see '^typed before'
  press u
  see_gone '^typed before'
  press C-r
  see '^typed before'
  command_line 'write'
  see_gone '\[\+\]'
  press u
  see_gone '^typed before'
}

# R13: saving the settings, and reading them again, can be undone too.
scenario_undo_in_the_settings() {
  open_vault
  command_line 'QuickVaultSettings'
  see 'Clear copies after \(seconds\): 30$'
  command_line '%s/^Clear copies.*: \zs30/40/'
  command_line 'write'
  see 'Saved'
  see_gone '\[\+\]'
  press u
  see 'Clear copies after \(seconds\): 30$'
  command_line 'edit!'
  see 'Clear copies after \(seconds\): 40$'
  press u
  see 'Clear copies after \(seconds\): 30$'
  command_line 'QuickVaultLock!'
  see 'Locked\. Press <CR>'
  press u
  expect "$(evaluate 'join(getline(1, "$")) =~# "Clear"')" 0 'the settings in the undo of a locked page'
}

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
