# Locking.
# shellcheck shell=bash disable=SC2154

# Checks that every vault buffer shows only that it is locked.
see_blanked() { # number of vault buffers
  local look='map(filter(getbufinfo({"bufloaded": 1}), "v:val.name =~# \"^quickvault:\""), '
  look+='"join(getbufline(v:val.bufnr, 1, \"$\")) =~# \"^Locked. Press <CR> or type :QuickVault to unlock.$\"")'
  expect "$(evaluate "join($look)")" "$(printf '1 %.0s' $(seq "$1") | sed 's/ $//')" 'blanked buffers'
}

# R12: locks after the auto-lock time, while nobody types in a form.
scenario_auto_lock() {
  open_vault "$(request 9 settings/update '{"autoLockSeconds":15}')"
  press Enter
  see 'Floor 12'
  edit_text
  type_text 'Go'
  press_for_seconds 18 x
  type_text 'planted in the form'
  press Escape
  see 'xplanted in the form'
  see 'Locked because the vault was idle. Unsaved changes come back when you unlock'
  see_gone 'Meeting room|Floor 12|planted'
  see_blanked 2
  press u
  press C-r
  see_gone 'Meeting room|Floor 12|planted'
  expect "$(evaluate 'string(undotree().entries)')" '[]' 'undo history'
  unlock_again
  see '2 cards'
  see 'Title: Meeting room'
  see 'planted in the form'
  command_line 'write'
  see 'saved'
}

# R12: a page that was opened without the password says that the vault is locked, and is there after an unlock.
scenario_unlock_declined() {
  make_vault
  open_vim
  type_line ':QuickVaultConflicts'
  see 'Master password:$'
  press C-c
  see 'Locked\. Press <CR>'
  command_line 'QuickVaultSettings'
  see 'Master password:$'
  press C-c
  see_gone 'Loading|Master password'
  see_blanked 2
  unlock_again
  see '# Settings'
  see '^No card exists in two versions'
}

# Opens Vim in a shell that can bring it back.
open_vim_in_a_shell() {
  make_vault
  local command
  printf -v command '%q ' "$editor" -u "$work/vimrc" -i "$work/viminfo"
  printf 'PS1="SHELL "\nset -m\n' >"$work/rc"
  tmux_here new-session -d -x 110 -y 40 -s main "env HOME=$HOME LC_ALL=$LC_ALL TERM=screen-256color bash --rcfile $work/rc -i"
  see SHELL
  type_line "$command"
  see 'All|^~'
}

# R12: CTRL-Z with a form keeps what was typed, and the position.
scenario_suspend_with_a_form() {
  open_vim_in_a_shell
  open_list
  type_into_form
  press C-z
  see 'Stopped'
  type_line 'clear; fg'
  see 'Locked\. Press <CR>'
  see_gone 'typed before'
  unlock_again
  see '^typed before'
  expect "$(evaluate 'getline(".")')" 'typed before' "the cursor's line"
}

# R12, R13: losing the focus, as the settings say, where the terminal reports it; not with unsaved changes.
scenario_focus() {
  make_vault
  local options=()
  if [[ $editor == vim ]]; then options=(--cmd 'set term=xterm-256color'); fi
  open_vim "${options[@]}" --cmd 'let g:quickvault_lock_on_focus_lost = 1'
  open_list
  type_into_form
  command_line 'doautocmd FocusLost'
  press -H 1b 5b 4f
  press -H 1b 5b 49
  command_line 'QuickVaultSettings'
  see '^# In the background: Vim is suspended, or has lost the focus without unsaved changes'
  command_line 'quit'
  see 'typed before'
  command_line 'write'
  see 'saved'
  press -H 1b 5b 4f
  see 'Locked because Vim went to the background'
  see_gone 'Meeting room'
  # With 0, nothing is waited for, and the settings do not promise it.
  command_line 'let g:quickvault_lock_on_focus_lost = 0'
  command_line 'QuickVaultSettings'
  give_password
  see '^# In the background: Vim is suspended\.$'
  expect "$(evaluate 'len(timer_info()) . execute("doautocmd FocusLost") . len(timer_info()) =~# "^\\v(.+)\\1$"')" 1 'no timer'
}

# R11: another process changes the password while a form is open: a lock comes by itself, and the form is saved after unlocking.
scenario_password_changed_elsewhere() {
  open_vault
  type_into_form
  # Otherwise the draft may be sent after the change: then it is the one that finds the vault locked.
  await draft_is_sent 'typed before'
  converse "$(request 1 vault/changePassword '{"oldPassword":"'"$password"'","newPassword":"battery staple","kdf":{"algorithm":"pbkdf2-hmac-sha256","iterations":100000}}')" >"$work/changed"
  grep -q '"result":null' "$work/changed" || complain "the password was not changed: $(<"$work/changed")"
  see 'Locked because another program changed'
  # What clears the last command may take a key that is typed then.
  press_until_seen Enter 'Master password:'
  type_line "$password"
  see 'Wrong password.*Master password:'
  type_line 'battery staple'
  see 'typed before'
  see '2 cards'
  type_line ':write'
  await is_saved_without_draft
  command_line 'edit!'
  see 'typed before'
}

is_saved_without_draft() {
  [[ $(evaluate "&modified + len(quickvault#server#wait('draft/get', {'client': 'vim'}, 60000)[1].items)") == 0 ]]
}

# R11: three wrong passwords, and the wait. What is typed meanwhile, which may be the next password, does nothing.
scenario_lockout() {
  make_vault
  echo 'CANARY-QV70 line' >"$work/ordinary.txt"
  open_vim "$work/ordinary.txt"
  type_line ':QuickVault'
  see 'Master password:'
  type_line 'wrong one'
  see 'Wrong password. 2 attempts.*Master password:'
  type_line 'wrong two'
  see 'Wrong password. 1 attempt.*Master password:'
  type_line 'wrong three'
  see 'in [0-9]+ s'
  press Enter
  type_line "ddxoi$password"
  # The count goes on below what is typed.
  see 'in 1?[0-9] s'
  press C-c
  see 'Try again in'
  see_gone 'Master password:'
  see_gone 'horse'
  expect "$(evaluate 'join(getbufline("ordinary.txt", 1, "$")) . &modified')" 'CANARY-QV70 line0' 'the file'
  type_line ':QuickVaultUnlock'
  see 'in [0-9]+ s'
  give_password
  see '2 cards'
}

# R11: the right password that follows a wrong one at once does not run as Normal mode commands either.
scenario_password_typed_ahead() {
  make_vault
  echo 'CANARY-QV70 line' >"$work/ordinary.txt"
  open_vim "$work/ordinary.txt"
  type_line ':QuickVaultStatus'
  see 'State: locked'
  press Enter
  find_server
  type_line ':QuickVaultUnlock'
  see 'Master password:$'
  kill -STOP "$server"
  type_line 'wrong one'
  type_line "$password"
  type_text ":let g:went = 'on'"
  press Enter
  see 'Unlocking'
  kill -CONT "$server"
  see_gone 'Unlocking'
  expect "$(evaluate 'g:went . quickvault#session#is_unlocked()')" on1 'what was typed'
  expect "$(evaluate 'join(getbufline("ordinary.txt", 1, "$")) . &modified')" 'CANARY-QV70 line0' 'the file'
}

# R11: <CR> alone at a prompt for a password asks again; what follows does not run as Normal mode commands.
scenario_empty_password() {
  echo 'CANARY-QV70 line' >"$work/ordinary.txt"
  open_vim "$work/ordinary.txt"
  type_line ':QuickVaultNew text'
  see 'New master password'
  press Enter
  type_line "$password"
  see 'Repeat the password'
  press Enter
  type_line "$password"
  see '# Text\.'
  expect "$(evaluate 'join(getbufline("ordinary.txt", 1, "$"))')" 'CANARY-QV70 line' 'the file'
  command_line 'QuickVaultLock!'
  see 'Locked\. Press <CR>'
  # With 'paste', nothing is mapped at a prompt.
  command_line 'set paste | only! | edit '"$work"'/ordinary.txt'
  type_line ':QuickVaultCopy -field=text Meeting room'
  see 'Master password:$'
  press Enter
  type_text 'password'
  see 'Master password: \*{8}$'
  press C-c
  see_gone 'Master password'
  expect "$(evaluate '&paste . join(getbufline("ordinary.txt", 1, "$"))')" '1CANARY-QV70 line' 'the option and the file'
}

# A lock while a command-line window is open, and during a search.
scenario_lock_in_between() {
  open_vault
  lock_when_told
  type_text ':'
  press C-f
  see '\[Command Line\]'
  touch "$work/lock"
  see '^Locked\.$'
  # One that comes while the lock empties buffers is lost.
  press_until_gone C-c '\[Command Line\]'
  see 'Locked\. Press <CR>'
  if screen | grep -q 'Meeting room'; then complain 'vault content behind the command-line window'; fi
  command_line 'QuickVaultUnlock'
  give_password
  see 'Meeting room'
  press /
  see 'Search:'
  touch "$work/lock"
  see 'Locked\. Press <CR>'
  press Escape
  see_blanked 1
}

# A command-line window and Neovim's preview of a substitution show what was typed in a form: a lock empties them.
scenario_lock_command_line_window() {
  open_vault
  lock_when_told
  edit_text
  if [[ $editor == nvim ]]; then command_line 'set inccommand=split'; fi
  type_line ':%s/Floor/PLANTED/'
  see '^PLANTED 12'
  type_text 'q:'
  see '^:%s/Floor/PLANTED/'
  touch "$work/lock"
  see_gone 'PLANTED'
  press u
  press_until_seen C-c 'Locked\. Press <CR>'
  expect "$(evaluate 'len(filter(getbufinfo(), {_, buffer -> join(getbufline(buffer.bufnr, 1, "$")) =~# "PLANTED"}))')" 0 \
    'buffers with what was typed'
}

# Prints each register and its content on a line.
registers() {
  local names='split("0123456789abcdefghijklmnopqrstuvwxyz-\".", "\\zs")'
  evaluate "join(map($names, {_, name -> name . ' ' . tr(getreg(name), \"\\n\", ' ')}), \"\\n\")" | tr '\0' '\n'
}

# A lock clears registers with text yanked, deleted, recorded or copied in vault buffers, and keeps the others.
scenario_lock_empties_registers() {
  make_vault
  echo 'CANARY-QV70 line' >"$work/ordinary.txt"
  open_vim "$work/ordinary.txt"
  type_text '"zyy'
  open_list
  press Enter
  see 'Floor 12'
  press x
  see '4711-hidden'
  type_text 'gg"ayGj"Byy"byy'
  type_line ':call search("Floor")'
  press w
  see 'Copied (to register|through)'
  edit_text
  type_text 'Gdd"cyyqdoplanted in the form'
  press Escape
  type_text 'q'
  see 'planted in the form'
  type_line '/planted in'
  type_line ':write'
  see 'saved'
  type_line '/absent from it'
  see 'E486'
  (($(registers | grep -cE '^[abcd01".] .*(4711-hidden|Floor 12|planted)') >= 5)) || complain 'registers are empty before'
  lock
  expect "$(registers | grep -E '4711-hidden|Floor 12|planted|Meeting')" '' 'registers with text of the vault'
  expect "$(evaluate 'getreg("z")')" 'CANARY-QV70 line' 'an ordinary register'
  expect "$(evaluate 'execute("history /") =~# "planted in"')" 0 'the pattern in the history'
  expect "$(evaluate 'execute("messages") =~# "absent from it"')" 0 'the pattern in the messages'
  command_line 'enew'
  press .
  see_gone 'planted'
}
