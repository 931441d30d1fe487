# A program that is missing, wrong, or gone.
# shellcheck shell=bash disable=SC2154

# Opens the list after a problem.
open_list_again() {
  type_line ':QuickVault'
  give_password
  see '[0-9]+ cards'
}

# Creates a program with another protocol version, which only answers initialize.
stand_in() { # protocolVersion
  cat >"$work/stand-in" <<SERVER
#!/usr/bin/env bash
while IFS= read -r line; do
  id=\$(sed -n 's/.*"id": *\([0-9]*\).*/\1/p' <<<"\$line")
  [[ -z \$id ]] || echo '{"jsonrpc":"2.0","id":'\$id',"result":{"protocolVersion":$1,"serverInfo":{"name":"quickvault","version":"9.9.9"},"locale":"en"}}'
done
SERVER
  chmod +x "$work/stand-in"
}

# A program that is missing, too old, too new, or another one.
scenario_wrong_programs() {
  make_vault
  open_vim -c "let g:quickvault_program = '$work/nowhere'"
  type_line ':QuickVault'
  see "The program \"$work/nowhere\" was not found"
  see 'Install QuickVault or set g:quickvault_program'
  press Enter
  command_line "let g:quickvault_program = '$work/stand-in'"
  stand_in 0
  command_line 'QuickVault'
  see 'is too old for this plugin'
  press Enter
  stand_in 2
  command_line 'QuickVault'
  see 'is newer than this plugin'
  press Enter
  command_line "let g:quickvault_program = '/bin/false'"
  command_line 'QuickVault'
  see 'does not respond as QuickVault does'
  press Enter
  command_line "let g:quickvault_program = '$QUICKVAULT_PROGRAM'"
  open_list_again
}

# Killed during a request: the unsaved form stays, and the next :w saves it.
scenario_killed_during_a_request() {
  open_vault
  type_into_form
  find_server
  kill -STOP "$server"
  type_line ':write'
  see ':write'
  kill -KILL "$server"
  see 'QuickVault exited unexpectedly \(kill\)'
  see 'The next command restarts it'
  press Enter
  see 'typed before'
  see_gone 'Harbor'
  type_line ':write'
  give_password
  see 'saved'
  see '2 cards'
  command_line 'edit!'
  see 'typed before'
}

# Prints the process of the service of the shared vault.
service() {
  cat "$XDG_RUNTIME_DIR"/quickvault/*.lock
}

# U: the service is killed: Vim says so and blanks, and the next command starts another, with all that was answered.
scenario_service_killed() {
  make_vault
  share
  open_vim
  open_list
  evaluate "string(quickvault#server#wait('card/create', {'title': 'Answered', 'group': 'personal', 'type': 'text', 'fields': {'text': 'x'}}, 60000))" >/dev/null
  local killed
  killed=$(service)
  kill -KILL "$killed"
  see 'QuickVault exited unexpectedly'
  see 'The next command restarts it'
  press Enter
  see_gone 'Harbor'
  open_list_again
  see 'Answered'
  if [[ $(service) == "$killed" ]]; then complain 'no other service'; fi
  command_line 'QuickVaultLock'
}

# Another 'encoding' would damage saved text.
scenario_encoding() {
  make_vault
  if [[ $editor == nvim ]]; then return; fi # it always uses UTF-8
  # In Chinese, it would show question marks.
  open_vim --cmd 'set encoding=latin1 | let g:quickvault_language = "zh_CN"'
  type_line ':QuickVault'
  see "QuickVault requires 'encoding' to be utf-8"
  press Enter
  command_line 'set encoding=utf-8 | unlet g:quickvault_language'
  open_list_again
}

# In restricted mode Vim starts no programs; the plugin says so.
scenario_restricted() {
  make_vault
  if [[ $editor == nvim ]]; then return; fi # it has no such mode
  open_vim -Z
  type_line ':QuickVault'
  see "QuickVault does not work in Vim's restricted mode"
}

# Vi's options would break the plugin: it says so, and does nothing.
scenario_compatible() {
  if [[ $editor == nvim ]]; then return; fi # it has no such option
  make_vault
  sed -i 's/set nocompatible/set compatible/' "$work/vimrc"
  open_vim
  type_line ':QuickVault'
  see "QuickVault requires 'nocompatible'; add :set nocompatible"
  expect "$(evaluate 'exists(":QuickVaultCopy")')" 0 'other commands'
}

# Unsaved input stays for the auto-lock time after the server exited.
scenario_killed_and_left_alone() {
  open_vault "$(request 9 settings/update '{"autoLockSeconds":15}')"
  type_into_form
  find_server
  kill -KILL "$server"
  see 'QuickVault exited unexpectedly'
  press Enter
  see 'typed before'
  see_gone 'typed before'
  see 'Locked\. Press <CR> or type :QuickVault to unlock'
}

# R14: an older copy of the vault that was put back is changed only after a question.
scenario_read_only() {
  make_vault
  cat >"$work/read-only" <<EOF
#!/bin/sh
exec unshare -rm sh -c 'mount --bind "\$0" "\$0" && mount -o remount,bind,ro "\$0" && exec "\$@"' '$work' '$QUICKVAULT_PROGRAM' "\$@"
EOF
  chmod 700 "$work/read-only"
  open_vim -c "let g:quickvault_program = '$work/read-only'"
  type_line ':QuickVault'
  give_password
  see 'The vault can only be read'
  see '[0-9]+ cards  \[read-only\]'
  type_line ':call search("Harbor")'
  press p
  see 'can only be read: its file cannot be written'
}

scenario_older_copy() {
  make_vault
  cp "$vault" "$work/copy"
  converse "$(request 1 session/unlock '{"password":"'"$password"'"}')" \
    "$(request 2 card/create '{"title":"Newer","group":"company","type":"text","fields":{"text":"x"}}')" >"$work/newer"
  mv "$work/copy" "$vault"
  open_vim
  type_line ':QuickVault'
  give_password
  see 'older copy of the vault\. Its newest card is from 20'
  see '[0-9]+ cards'
  type_line ':call search("Harbor")'
  press p
  see 'Change it anyway\?'
  press l
  see 'changed until you accept it'
  type_line ':call search("Harbor")'
  press p
  see 'Change it anyway\?'
  press c
  see '^\*  Harbor 开票'
}

# Types into the form of a card, which another program changes meanwhile. The id of the card is in $card.
change_elsewhere() { # method, further parameters
  open_vault
  type_into_form
  card=$(evaluate 'b:quickvault.id')
  converse "$(request 1 session/unlock '{"password":"'"$password"'"}')" "$(request 2 "$1" '{"id":"'"$card"'"'"$2"'}')" >"$work/changed"
}

# Writing twice does not replace what another program wrote, unless one wants that.
scenario_changed_elsewhere() {
  local card
  change_elsewhere card/update ',"title":"Their title"'
  type_line ':write'
  see 'Merge the changes, then :w again'
  press_until_seen Enter 'Title: Their title'
  type_line ':write'
  see 'Replace the current version of the card with yours\?'
  press k
  see_gone 'with yours'
  see 'Title: Their title'
  type_line ':write'
  see 'with yours'
  press r
  see 'Changes saved'
  see_gone 'Title: Their title'
}

# A concealed value is gone with the card.
give_the_concealed_value_again() {
  see '# ✗ .*•••• stands for no stored value'
  type_line ':%s/^.Door code: \zs.*/4711'
  see_gone '••••$'
}

# R1, R12: a card that another program deleted while it was edited can be saved as a new one; no draft stays.
scenario_deleted_elsewhere() {
  local card
  change_elsewhere card/delete ''
  await draft_is_sent 'typed before'
  type_line ':write'
  see 'Another program deleted this card\. Save yours as a new card'
  press c
  see_gone 'Save yours as a new card'
  see 'typed before'
  type_line ':write'
  see 'Save yours as a new card'
  press s
  give_the_concealed_value_again
  type_line ':write'
  see 'saved'
  see 'Meeting room +Text'
  [[ $(evaluate 'b:quickvault.id') != "$card" ]] || complain 'it has the id of the deleted card'
  await drafts_are 0
  command_line 'edit!'
  see 'typed before'
  see 'Door code'
}

# R1: a form of another tab page that cannot be written becomes the current one.
scenario_changed_elsewhere_in_another_tab() {
  local card
  change_elsewhere card/update ',"title":"Their title"'
  command_line 'tabnew'
  type_line ':wall'
  press_until_seen Enter 'Title: Their title'
  see 'typed before'
  expect "$(evaluate 'b:quickvault.kind')" edit 'the current buffer'
  expect "$(evaluate 'len(filter(getbufinfo(), "v:val.changed"))')" 1 'changed buffers'
  type_line ':write'
  see 'with yours'
  press r
  see 'Changes saved'
}

# R14, S: the status names what a program that carries folders left beside the vault; a message leads to the page of conflicts.
scenario_conflict_file() {
  make_vault
  cp "$vault" "${vault%.quickvault}_conf(1).quickvault"
  open_vim
  open_list
  command_line 'QuickVaultStatus'
  see 'Another copy of the vault'
  press Enter
  command_line "call quickvault#notification#handle('window/showMessage', {'type': 3, 'kind': 'sync.conflict'}, '')"
  see 'Two machines changed a card; see :QuickVaultConflicts'
}
