# A server that is not there, not the right one, or gone.
# shellcheck shell=bash disable=SC2154

scenario_program_missing() {
  make_vault
  open_vim -c "let g:quickvault_program = '$work/nowhere'"
  type_line ':QuickVault'
  see "The QuickVault program \"$work/nowhere\" was not found"
  see 'Install it, or set g:quickvault_program'
  press Enter
  command_line "let g:quickvault_program = '$QUICKVAULT_PROGRAM'"
  open_list_again
}

# The list after something went wrong: the next command goes on.
open_list_again() {
  type_line ':QuickVault'
  see 'Password:'
  type_line "$password"
  see '[0-9]+ cards'
}

# No server of another protocol version was ever released, so one stands in that answers initialize alone.
stand_in() { # protocolVersion
  cat >"$work/stand-in" <<SERVER
#!/usr/bin/env bash
while IFS= read -r line; do
  [[ \$line == Content-Length:* ]] && length=\${line//[^0-9]/}
  if [[ \$line == \$'\r' ]]; then
    LC_ALL=C IFS= read -r -N "\$length" body
    id=\$(sed -n 's/.*"id":\([0-9]*\).*/\1/p' <<<"\$body")
    answer='{"jsonrpc":"2.0","id":'\$id',"result":{"protocolVersion":$1,"serverInfo":{"name":"quickvault","version":"9.9.9"},"locale":"en"}}'
    printf 'Content-Length: %d\r\n\r\n%s' "\${#answer}" "\$answer"
  fi
done
SERVER
  chmod +x "$work/stand-in"
}

scenario_program_too_old_or_new() {
  make_vault
  stand_in 0
  open_vim -c "let g:quickvault_program = '$work/stand-in'"
  type_line ':QuickVault'
  see 'is too old for the plugin'
  see 'g:quickvault_program at a newer one'
  press Enter
  stand_in 2
  command_line 'QuickVault'
  see 'is newer than the plugin'
  see 'pdate the plugin'
  press Enter
  command_line "let g:quickvault_program = '$QUICKVAULT_PROGRAM'"
  open_list_again
}

scenario_another_program() {
  make_vault
  open_vim -c "let g:quickvault_program = '/bin/false'"
  type_line ':QuickVault'
  see 'does not answer as QuickVault does'
  press Enter
  command_line "let g:quickvault_program = '$QUICKVAULT_PROGRAM'"
  open_list_again
}

# Killed with an answer outstanding: what was typed stays, and is saved by the next :w.
scenario_killed_in_mid_request() {
  make_vault
  open_vim
  open_list
  type_into_form
  local server
  server=$(evaluate 'quickvault#server#process_id()')
  kill -STOP "$server"
  type_line ':write'
  see ':write'
  kill -KILL "$server"
  see 'QuickVault ended unexpectedly \(kill\)'
  see 'The next command starts it again'
  press Enter
  see 'typed before'
  see_gone 'Harbor'
  type_line ':write'
  see 'Password:'
  type_line "$password"
  see 'saved'
  see '2 cards'
  command_line 'edit!'
  see 'typed before'
}

# A vault file that is none, and a damaged one.
scenario_not_a_vault() {
  seq 1 1000 >"$vault"
  cp "$vault" "$work/before"
  open_vim
  type_line ':QuickVault'
  see 'not a QuickVault|not a vault'
  cmp "$vault" "$work/before" || complain 'the file was touched'
}

# 'encoding' of another kind would damage what is saved.
scenario_encoding() {
  make_vault
  open_vim --cmd 'set encoding=latin1'
  type_line ':QuickVault'
  see "QuickVault needs 'encoding' to be utf-8"
  press Enter
  command_line 'set encoding=utf-8'
  open_list_again
}

# R-L: the vault is deleted for good, after its name and the password.
scenario_destroy() {
  make_vault
  open_vim
  open_list
  type_line ':QuickVaultDestroy'
  see 'Type its file name \(vault.quickvault\) to confirm'
  type_line 'something'
  see 'Password:'
  type_line "$password"
  see_gone 'Password:'
  await test -e "$vault"
  type_line ':QuickVaultDestroy'
  see 'Type its file name'
  type_line 'vault.quickvault'
  see 'Password:'
  type_line "$password"
  see 'The vault was deleted'
  if [[ -e $vault ]]; then complain 'the vault is still there'; fi
}

# What was typed when the server ended stays no longer than the vault would have stayed unlocked.
scenario_killed_and_left_alone() {
  make_vault "$(request 9 settings/update '{"autoLockSeconds":15}')"
  open_vim
  open_list
  type_into_form
  local server
  server=$(evaluate 'quickvault#server#process_id()')
  kill -KILL "$server"
  see 'QuickVault ended unexpectedly'
  press Enter
  see 'typed before'
  see_gone 'typed before' 40
  see 'Locked\. <CR> or :QuickVault unlocks'
}

# A program that does not know a method yet.
scenario_method_missing() {
  make_vault
  open_vim
  open_list
  command_line "call quickvault#session#request('attachment/frame', {}, {result -> 0})"
  see 'This QuickVault program cannot do that: update it'
}

# A program that does not answer: CTRL-C leaves after the second time, what was typed stays, and it is said.
scenario_program_that_hangs() {
  make_vault
  open_vim
  open_list
  type_into_form
  local server
  server=$(evaluate 'quickvault#server#process_id()')
  kill -STOP "$server"
  type_line ':write'
  press C-c
  press C-c
  see 'QuickVault does not answer'
  see 'typed before'
  expect "$(evaluate '&modified')" 1 'the form is still modified'
  kill -KILL "$server"
  see 'ended unexpectedly'
  type_line ':write'
  see 'Password:'
  type_line "$password"
  see 'saved'
}
