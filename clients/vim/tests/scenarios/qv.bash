# :Qv runs qv in a terminal.
# shellcheck shell=bash disable=SC2154

# Answers the password that qv asks for in its own process.
answer_qv() {
  see '^Master password: *($|[|│])'
  type_line "$password"
}

# Whether qv has ended and its view is there.
qv_has_ended() { shows '^quickvault://qv/' && hides '\[(running|finished)\]|-- TERMINAL --'; }

leave_view() {
  await qv_has_ended
  press q
  see_gone '^quickvault://qv/'
}

# What was printed is a view with keys, completion knows qv's words and the cards, and the list shows what has changed.
scenario_qv() {
  open_vault
  type_line ':vertical Qv show Harb'
  answer_qv
  see '招商银行深圳分行'
  expect "$(evaluate 'join([&modifiable, &swapfile, &undofile, &buflisted, &bufhidden, &buftype, winnr("$")], " ")')" \
    '0 0 0 0 wipe nofile 2' 'the view'
  expect "$(evaluate 'winwidth(0) < &columns')" 1 'the width'
  expect "$(evaluate 'len(filter(range(1, bufnr("$")), "getbufvar(v:val, \"&buftype\") ==# \"terminal\""))')" 0 'terminals'
  expect "$(evaluate 'histget(":", -1) . execute("history :")' | grep -c 'Harb')" 0 'titles in the history'
  # The view of this run is the fifth buffer; the old one shows the same until then.
  press R
  answer_qv
  see '^quickvault://qv/5 '
  see '招商银行深圳分行'
  press q
  see_gone '招商银行深圳分行'
  type_text ':Qv unp'
  press Tab
  see ':Qv unpin'
  press C-c
  see_gone ':Qv unpin'
  type_line ':Qv --alone pin "Meeting room"'
  answer_qv
  see '\*  Meeting room'
  echo 'title,text' >"$work/a file.csv"
  command_line "tab split $work/a\\ file.csv"
  type_line ':tab Qv import --dry-run %'
  answer_qv
  see 'importable: 0'
  expect "$(evaluate 'tabpagenr("$")')" 3 'tab pages'
}

# What is typed goes to the program, CTRL-C ends it, and CTRL-Z does not stop what nobody could continue.
scenario_qv_keys() {
  make_vault
  open_vim
  type_line ':Qv show Meeting'
  see '^Master password: *$'
  press C-z
  type_text 'jkq'
  press C-c
  await qv_has_ended
  press R
  answer_qv
  see 'Floor 12'
  await qv_has_ended
  command_line 'new'
  type_line ':Qv settings nosuch=1'
  see_gone 'Floor 13|INSERT'
  # It ends without a question: what is typed for one is no text of a buffer.
  answer_qv
  see 'nosuch'
  await qv_has_ended
  expect "$(evaluate 'len(getbufinfo({"bufmodified": 1}))')" 0 'changed buffers'
}

# R12: a lock ends the program and blanks the views; what is typed on does nothing.
scenario_qv_lock() {
  make_vault
  echo 'CANARY-QV70 line' >"$work/ordinary.txt"
  open_vim "$work/ordinary.txt"
  type_line ':tab QuickVault'
  give_password
  see '2 cards'
  lock_when_told
  type_line ':Qv show Meeting'
  answer_qv
  see 'Floor 12'
  type_line ':Qv show Harbor'
  see '^Master password: *$'
  type_text 'dd'
  touch "$work/lock"
  see 'Locked\. Press <CR>'
  type_text 'ddpx'
  see_gone 'Floor 12|^Master password: *$|Meeting room'
  # What clears the last command may take keys that are typed then.
  await takes_commands
  expect "$(evaluate 'len(filter(range(1, bufnr("$")), "getbufvar(v:val, \"&buftype\") ==# \"terminal\""))')" 0 'terminals'
  expect "$(evaluate 'join(getbufline("ordinary.txt", 1, "$")) . len(getbufinfo({"bufmodified": 1}))')" 'CANARY-QV70 line0' 'the file'
  unlock_again
  see '^qv show Meeting'
  see '^R runs it again'
}

takes_commands() {
  press Escape
  type_line ':echo "still" . "here"'
  shows '^stillhere'
}

# What is shown while no server runs that could lock goes when Vim is suspended.
scenario_qv_suspend() {
  open_vim_in_a_shell
  type_line ':Qv show Meeting'
  answer_qv
  see 'Floor 12'
  await qv_has_ended
  press C-z
  see 'Stopped'
  type_line 'clear; fg'
  see 'Locked\. Press <CR>'
  see_gone 'Floor 12'
}

# R12: a password that is typed in the terminal is nowhere; nothing is recorded meanwhile.
scenario_qv_leaves_no_trace() {
  make_vault
  open_vim
  type_text 'qa'
  type_line ':Qv list'
  see 'End the recording first'
  press Enter
  type_text 'q'
  type_line ':Qv show Meeting'
  answer_qv
  see 'Floor 12'
  type_line ':messages'
  command_line "redir! > $work/messages | silent messages | silent history all | silent registers | silent ls! | redir END"
  if grep -q 'horse' "$work/messages"; then complain "the password: $(grep -a horse "$work/messages")"; fi
  if grep -q 'Meeting' "$work/messages"; then complain "a title: $(grep -a Meeting "$work/messages")"; fi
  press y y
  command_line 'qall!'
  see SHELL
  if grep -raq 'horse\|Meeting\|Floor' "$work/viminfo" "$work/swap" "$work/undo" "$work/backup"; then
    complain "$(grep -ra 'horse\|Meeting\|Floor' "$work/viminfo" "$work/swap" "$work/undo" "$work/backup")"
  fi
}

# R12: a recording that begins while qv runs, in the terminal's Normal mode, has no password when it ends.
scenario_qv_recorded() {
  make_vault
  open_vim
  command_line 'let @a = "CANARY-QV70"'
  type_line ':Qv show Meeting'
  see '^Master password: *$'
  if [[ $editor == vim ]]; then press C-w N; else press C-\\ C-n; fi
  see_gone 'running|TERMINAL'
  type_text 'qai'
  see 'running|TERMINAL'
  type_line "$password"
  see 'Floor 12'
  await qv_has_ended
  press q
  see 'The recording was dropped'
  expect "$(evaluate '@a')" 'CANARY-QV70' 'the register'
}

# R12: a password that is typed before qv asks for it is not on the screen, and gets to qv.
scenario_qv_typed_ahead() {
  make_vault
  mkdir "$work/bin"
  ln -s "$QUICKVAULT_PROGRAM" "$work/bin/quickvault"
  printf '#!/bin/sh\nuntil test -e "%s/go"; do sleep 0.05; done\nexec "%s/qv" "$@"\n' "$work" "$(dirname "$QUICKVAULT_PROGRAM")" \
    >"$work/bin/qv"
  chmod +x "$work/bin/qv"
  open_vim -c "let g:quickvault_program = '$work/bin/quickvault'"
  type_line ':Qv show Meeting'
  type_line "$password"
  touch "$work/go"
  see 'Floor 12'
  await qv_has_ended
  expect "$(evaluate 'join(getline(1, "$")) =~# "horse"')" 0 'the password in the view'
  if screen | grep -q horse; then complain 'the password is shown'; fi
}

# The commands that stand for words of qv.
scenario_qv_of_commands() {
  make_vault
  mkdir "$work/bin"
  ln -s "$QUICKVAULT_PROGRAM" "$work/bin/quickvault"
  # shellcheck disable=SC2016
  printf '%s\n' '#!/bin/sh' 'echo "<$*>"' >"$work/bin/qv"
  chmod +x "$work/bin/qv"
  open_vim -c "let g:quickvault_program = '$work/bin/quickvault'" -c "cd $work"
  local command words
  while IFS='|' read -r command words; do
    command_line "QuickVault$command"
    see "^<$words>"
    leave_view
  done <<TABLE
Sync|sync
Account|account
Log|log
Devices|devices
Revoke|clients
Verify|verify
Repair|repair
Password|password
Destroy|delete-vault
Doctor|doctor
ReportBug|doctor --report
Privacy|privacy
Fingerprint|fingerprint
Fzf home|pick --copy home
Fingerprint on|fingerprint on
Join ~/carried|sync join $HOME/carried
Import -format=csv a\\ file.csv|import --format=csv a file.csv
Export vcard ~/out.vcf|export --format=vcard $HOME/out.vcf
Export out.json|export out.json
Backup -keep=3 \$HOME|backup --keep=3 $HOME/
Merge copy.quickvault|merge copy.quickvault
TABLE
  command_line 'QuickVaultImport -format=csv'
  see '^Import file:'
  type_line 'cards.csv'
  see "^<import --format=csv $work/cards\.csv>"
  command_line 'QuickVaultMerge'
  see '^Merge copy:'
  press Escape
  see 'Cancelled'
}

# Lines of a buffer are imported without a file.
scenario_qv_import_lines() {
  open_vault
  command_line 'enew'
  type_text 'inot these'
  press Enter
  type_text '标题,正文'
  press Enter
  type_text '门,1984#'
  command_line '2,3QuickVaultImportLines'
  answer_qv
  see '正文 → text'
  see '\[y/N\]'
  type_line y
  await qv_has_ended
  command_line 'QuickVault'
  see '   门 .*Text'
}
