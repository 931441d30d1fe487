# Sharing one unlocked vault with other programs.
# shellcheck shell=bash disable=SC2154

# Starts another program on the vault, in its own session; "exec 3>&-" ends it.
open_other() { # "mcp" for the server of an agent
  mkfifo "$work/requests"
  XDG_RUNTIME_DIR=$work setsid --wait "$QUICKVAULT_PROGRAM" "${1:---shared}" --vault "$vault" <"$work/requests" >"$work/answers" &
  exec 3>"$work/requests"
}

ask_other() { # message
  printf '%s\n' "$1" >&3
}

# R13, U: the settings list the other programs. An editor that was admitted without a password is asked for it when a
# change weakens the vault, and then saves the form.
scenario_settings_of_a_shared_vault() {
  make_vault
  share
  open_other
  ask_other "$(request 1 initialize '{"capabilities":{"sessionAdmit":true}}')"
  ask_other '{"jsonrpc":"2.0","method":"initialized","params":{}}'
  ask_other "$(request 2 session/unlock '{"password":"'"$password"'"}')"
  await grep -q '"cardCount":2' "$work/answers"
  open_vim
  type_line ':QuickVaultSettings'
  see 'bash has unlocked the vault; the setting sharedUnlock says'
  press a
  await grep -q '"session/admit"' "$work/answers"
  ask_other "$(sed -n 's/.*"id":\("[^"]*"\|[0-9]*\).*"session\/admit".*/{"jsonrpc":"2.0","id":\1,"result":{"allow":true}}/p' \
    "$work/answers")"
  see 'Lock when idle for \(seconds\): 300'
  press G
  see '^# Other programs that use the vault; :QuickVaultRevoke ends the access of one'
  see '^# - .*\([0-9]+\)'
  type_line ':%s/idle for (seconds): 300/idle for (seconds): never/'
  command_line 'write'
  see 'Master password, to confirm:'
  type_line 'wrong one'
  see 'Wrong password. 2 attempts.*Master password, to confirm:'
  type_line "$password"
  see 'Saved'
  see 'Lock when idle for \(seconds\): never'
  exec 3>&-
}

other_has_draft() { # text
  ask_other "$(request 9 draft/get '{"client":"vim"}')"
  grep -q "$1" "$work/answers"
}

# R12: what was typed or changed just before the editor waits for a program comes back after a lock by another program.
scenario_lock_during_program() {
  make_vault
  share
  mkfifo "$work/gate"
  local wait=":!touch $work/waits; cat $work/gate<CR>"
  open_vim -c "inoremap <F5> <Esc>$wait" -c "nnoremap <F5> yyP$wait"
  open_list
  open_other
  ask_other "$(request 1 session/unlock '{"password":"'"$password"'"}')"
  await grep -q '"cardCount":2' "$work/answers"
  edit_text
  type_text 'Gotyped before'
  press F5
  await test -e "$work/waits"
  await other_has_draft 'typed before\\n"'
  rm "$work/waits"
  : >"$work/gate"
  see 'Press ENTER'
  press Enter
  see_gone 'Press ENTER'
  press F5
  await test -e "$work/waits"
  await other_has_draft 'typed before\\ntyped before'
  ask_other "$(request 2 session/lock '{}')"
  await grep -q '"session/didLock"' "$work/answers"
  : >"$work/gate"
  # Vim waits for <CR> too, although it shows the page.
  if [[ $editor == nvim ]]; then see 'Press ENTER'; press Enter; fi
  see 'Locked\. Press <CR>'
  see 'Unsaved changes come back when you unlock'
  if [[ $editor == vim ]]; then press Enter; fi
  command_line 'QuickVaultUnlock'
  give_password
  see '^typed before'
  expect "$(evaluate 'count(getline(1, "$"), "typed before") . &modified')" 21 'changes after the lock'
  exec 3>&-
}

# M: what an agent may do, it may do again until the vault is locked.
scenario_agent_until_the_lock() {
  make_vault
  share
  open_vim
  open_list
  open_other mcp
  ask_other "$(request 1 initialize '{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"test","version":"1"}}')"
  ask_other "$(request 2 tools/call '{"name":"find_cards","arguments":{"query":"Harbor"}}')"
  see 'titles and field names'
  command_line 'QuickVaultAnswer'
  see 'Until \(l\)ocked: *$'
  press l
  await grep -q '"id":2,"result".*Harbor' "$work/answers"
  ask_other "$(request 3 tools/call '{"name":"find_cards","arguments":{"query":"Harbor"}}')"
  await grep -q '"id":3,"result".*Harbor' "$work/answers"
  exec 3>&-
}

# R12: questions wait while events are handled: what was typed before does not answer, a change is kept as a draft, and a
# lock by another program blanks the page and declines.
scenario_lock_during_question() {
  make_vault
  share
  local draft="get(get(b:, 'quickvault', {}), 'draft', '')"
  local note="empty($draft) || filereadable('$work/draft') ? 0 : writefile([$draft], '$work/draft')"
  open_vim --cmd "call timer_start(50, {-> $note}, {'repeat': -1})"
  open_list
  open_other
  ask_other "$(request 1 client/requestConsent '{}')"
  see 'Type :QuickVaultAnswer to answer'
  command_line 'QuickVaultAnswer'
  see '\(A\)llow, \[R\]efuse: *$'
  press a
  await grep -q '"cardCount":2' "$work/answers"
  command_line 'call feedkeys("dd", "t")'
  see '\(D\)elete, \[K\]eep: *$'
  press x
  press k
  see_gone '\(D\)elete'
  command_line 'call feedkeys("d", "t")'
  see '\(D\)elete, \[K\]eep: *$'
  ask_other "$(request 2 session/lock '{}')"
  see 'Locked\. Press <CR>'
  see_gone 'Delete|Harbor|Meeting'
  press d
  type_line ':QuickVault'
  give_password
  see '2 cards'
  type_into_form
  type_line ':QuickVaultDemo'
  see '\(L\)ock, \[C\]ancel: *$'
  await grep -q 'typed before' "$work/draft"
  ask_other "$(request 3 session/lock '{}')"
  see 'Unsaved changes come back when you unlock'
  see_gone 'typed before'
  exec 3>&-
}

# Runs qv on the vault in a terminal of its own.
open_qv() { # words
  local command
  printf -v command '%q ' "$(dirname "$QUICKVAULT_PROGRAM")/qv" --vault "$vault" "$@"
  terminal=t$((${terminal#t} + 1))
  tmux_here new-session -d -x 110 -y 40 -s main \
    "env HOME=$HOME LC_ALL=$LC_ALL TERM=screen-256color $command; echo SHELL; exec tail -f /dev/null"
}

# U: without any option, one password for all, whichever program is the first: here this editor, its qv, and a qv elsewhere.
scenario_first_run_shared() {
  share
  open_vim
  type_line ':QuickVault'
  see 'New master password'
  type_line "$password"
  see 'Repeat the password:'
  type_line "$password"
  see 'No cards yet'
  local first=$terminal
  type_line ':Qv list'
  await qv_has_ended
  see 'no cards yet; create one'
  open_qv list
  see 'waiting for consent in'
  local second=$terminal
  terminal=$first
  see 'Type :QuickVaultAnswer to answer'
  # Typing does not answer, the command does.
  press a j
  command_line 'QuickVaultAnswer'
  see '\(A\)llow, \[R\]efuse: *$'
  press a
  terminal=$second
  see 'no cards yet; create one'
  see 'SHELL'
}

# U: qv is the first; in its terminal, the editor needs no password.
scenario_first_run_after_qv() {
  share
  printf 'PS1="SHELL "\nset -m\nexport QUICKVAULT_VAULT=%q\n' "$vault" >"$work/rc"
  tmux_here new-session -d -x 110 -y 40 -s main "env HOME=$HOME LC_ALL=$LC_ALL TERM=screen-256color bash --rcfile $work/rc -i"
  see SHELL
  type_line "$(dirname "$QUICKVAULT_PROGRAM")/qv init"
  see 'assword'
  type_line "$password"
  see '[Rr]epeat|again'
  type_line "$password"
  see 'the vault was created and is unlocked'
  local command
  printf -v command '%q ' "$editor" -u "$work/vimrc" -i "$work/viminfo"
  type_line "clear; $command"
  see 'All|^~'
  type_line ':QuickVault'
  see 'No cards yet'
}

# U: another editor is the first, and cannot show the question: the password is asked for at once.
scenario_first_run_after_another_editor() {
  share
  open_other
  ask_other "$(request 1 vault/create '{"password":"'"$password"'","kdf":{"algorithm":"pbkdf2-hmac-sha256","iterations":100000}}')"
  await grep -q '"cardCount":0' "$work/answers"
  open_vim
  type_line ':QuickVault'
  see '^Master password:$'
  type_line "$password"
  see 'No cards yet'
  exec 3>&-
}

# U: where there is no place for a socket, the editor goes on alone, and says so.
scenario_no_place_for_a_socket() {
  make_vault
  share
  ln -s /tmp "$work/quickvault"
  open_vim
  type_line ':QuickVault'
  give_password
  see 'cannot use the shared service'
  see 'This editor keeps an unlock of its own'
  see '2 cards'
  type_line ':Qv show Meeting'
  answer_qv
  see 'Floor 12'
}

# R12, U: a suspended editor shows nothing, and what it showed when it comes back, although other programs keep the vault unlocked.
scenario_suspend_shared() {
  share
  open_vim_in_a_shell
  open_list
  open_other
  ask_other "$(request 1 session/unlock '{"password":"'"$password"'"}')"
  await grep -q '"cardCount":2' "$work/answers"
  type_into_form
  press C-z
  see 'Stopped'
  type_line 'clear; fg'
  see '^typed before'
  see '2 cards'
  exec 3>&-
}
