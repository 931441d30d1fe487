# Unsaved changes that an editor left behind.
# shellcheck shell=bash disable=SC2154

# Types into the form of a card, and ends the editor before it can save.
leave_a_draft() {
  open_vault
  type_into_form
  await draft_is_sent 'typed before'
  kill -KILL "$(evaluate 'getpid()')"
  see SHELL
  open_vim
  open_list
}

# R12: the changes are back when the form opens, below what is typed ahead; undo takes them out, and redo brings them back.
scenario_draft_is_back() {
  leave_a_draft
  find_server
  kill -STOP "$server"
  press e
  type_text 'Goadded'
  press Escape
  see 'Loading'
  kill -CONT "$server"
  see '^typed before'
  see '^added'
  type_text 'uu'
  see_gone '^typed before'
  expect "$(evaluate '&modified')" 0 'changes after undoing them'
  await drafts_are 0
  press C-r
  see '^typed before'
  command_line write
  see 'Changes saved'
}

# R12: a command that hides the form, also from another window, keeps what was typed, with its undo; a lock, too.
scenario_draft_hidden() {
  open_vault
  type_into_form
  for command in hide '1wincmd w | 2hide' '1wincmd w | 2close!' '1wincmd w | only!' 'buffer! cards'; do
    type_line ":$command"
    see_gone '^typed before'
    type_line ':call search("Meeting room")'
    press e
    see '^typed before'
  done
  type_text 'u'
  see_gone '^typed before'
  press C-r
  see '^typed before'
  type_line ':hide'
  see_gone '^typed before'
  command_line 'QuickVaultLock'
  see 'Unsaved changes come back'
  expect "$(evaluate 'len(filter(getbufinfo(), "v:val.name =~# \"/edit/\""))')" 0 'forms after a lock'
  unlock_again
  see 'unsaved changes from before: :QuickVaultDrafts'
  type_line ':call search("Meeting room")'
  press e
  see '^typed before'
  command_line 'write'
  see 'Changes saved'
}

# R12: :quit and :qall refuse to lose changes; :qall! discards the drafts of all forms before the program ends.
scenario_drafts_of_all_forms_discarded() {
  open_vault
  local type
  for type in address invoice text; do
    command_line "QuickVaultNew $type"
    see "quickvault://new/$type"
    type_text 'Atyped before'
    press Escape
    await draft_is_sent 'typed before'
  done
  for type in quit qall; do
    command_line "let v:errmsg = '' | $type"
    expect "$(evaluate 'v:errmsg =~# "E37\\|E162"')" 1 "refusal of :$type"
  done
  command_line 'qall!'
  see SHELL
  open_vim
  open_list
  command_line 'QuickVaultDrafts'
  see 'There are no unsaved changes'
}

number_of_drafts() {
  evaluate 'len(quickvault#server#wait("draft/get", {"client": "vim"}, 60000)[1].items)'
}

drafts_are() { # number
  [[ $(number_of_drafts) == "$1" ]]
}

# Opens an editor that leaves changes of a form, and the other editor beside it; $first and $second are their terminals.
open_two_editors() {
  open_vault
  type_into_form
  await draft_is_sent 'typed before'
  first=$terminal
  if [[ $editor == vim ]]; then editor=nvim; else editor=vim; fi
  open_another_vim -i "$work/other-viminfo"
  open_list
  second=$terminal
}

# R12: a Vim and a Neovim keep their changes of one card beside each other, and each gets its own back after a lock. Those of an
# editor that has ended move to the other.
scenario_drafts_of_two_editors() {
  open_two_editors
  command_line 'QuickVaultDrafts'
  see 'There are no unsaved changes'
  press e
  see '^Title: Meeting room'
  expect "$(evaluate '&modified')" 0 'changes left in the other editor'
  type_text 'Gotyped second'
  press Escape
  await draft_is_sent 'typed second'
  expect "$(number_of_drafts)" 2 drafts
  for terminal in "$first" "$second"; do
    lock
    unlock_again
    if [[ $terminal == "$first" ]]; then see '^typed before'; else see '^typed second'; fi
  done
  if screen | grep -q 'typed before'; then complain 'the changes of the other editor'; fi
  command_line 'quit!'
  await drafts_are 1
  terminal=$first
  kill -KILL "$(evaluate 'getpid()')"
  see SHELL
  terminal=$second
  press e
  see '^typed before'
  see 'Your unsaved changes of .* are back; u takes them out'
  await drafts_are 1
  expect "$(evaluate 'b:quickvault.form ==# quickvault#server#wait("draft/get", {"client": "vim"}, 60000)[1].items[0].form')" 1 \
    'the draft of this form'
  command_line 'write'
  see 'Changes saved'
  await drafts_are 0
}

# R12: of several drafts of a form, the newest is back, and the others stay.
scenario_several_drafts() {
  local text
  local puts=()
  for text in first second third; do
    puts+=("$(request 4 draft/put '{"client":"vim","type":"text","form":"9999999-1 '$text'","text":"'$text'"}')")
  done
  make_vault "${puts[@]}"
  open_vim
  open_list
  command_line 'QuickVaultNew text'
  see 'There are more: :QuickVaultDrafts'
  see '^third'
  await drafts_are 3
  command_line 'quit!'
  await drafts_are 2
  command_line 'QuickVaultDrafts'
  see 'Continue which form'
  type_line 2
  see '^first'
  command_line 'quit!'
  await drafts_are 1
}
