# Prompts other than those for passwords.
# shellcheck shell=bash disable=SC2154

# A number without a choice asks again, and what follows does not run as Normal mode commands.
scenario_choice() {
  make_vault
  open_vim
  open_list
  press c
  see 'Create a card of which type\?'
  press 9 Enter
  press 4 Enter
  see '# Text\.'
  command_line 'quit'
  see_gone '# Text\.'
  press c
  see 'Create a card of which type\?'
  press q
  see_gone 'Create a card of which type\?'
}

# A question within :normal waits for an answer, and what follows goes on.
scenario_question_in_normal() {
  make_vault
  open_vim
  open_list
  type_line ':global/Meeting/normal d'
  see '\[K\]eep: *$'
  press k
  see_gone '\[K\]eep'
  type_line ':global/Meeting/normal p'
  see '\*  Meeting room'
  type_line ':echo "still" . "here"'
  see '^stillhere'
}
