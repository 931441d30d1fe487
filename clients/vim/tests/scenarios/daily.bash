# Everyday use, from the first run on.
# shellcheck shell=bash disable=SC2154

# R22, R1, R8: first run, a new card, the list.
scenario_first_run() {
  open_vim
  type_line ':QuickVault'
  see 'Welcome to QuickVault'
  see 'one encrypted file on this machine: .*/vault\.quickvault$'
  see 'Nothing leaves this machine unless you turn on synchronisation'
  see 'nobody can recover anything'
  see 'New master password \(at least 8 characters\):'
  type_line 'short'
  see '8 characters.*New master password'
  type_line 'iloveyou'
  see 'most common ones.*Use it anyway'
  press n
  see '^New master password'
  type_line "$password"
  see 'Repeat the password:'
  type_line 'another one'
  see 'The passwords do not match'
  type_line "$password"
  see 'Repeat the password:'
  type_line "$password"
  see 'No cards yet'
  expect "$(stat -c %a "$vault")" 600 'mode of the vault'
}

# R21, R1: a validation error at its field, corrected; pin, tags, delete.
scenario_edit_pin_delete() {
  open_vault
  type_line ':call search("Harbor")'
  press e
  see 'Tax ID: 91440300MA5FA6HQ2E'
  type_line ':call search("^Tax ID")'
  type_text 'A9'
  command_line 'wq'
  see '# ✗ .*18'
  see 'Not saved\. Problems: 1'
  type_text 'x'
  type_line ':wq'
  see_gone 'Tax ID'
  type_text 'gg'
  type_line ':call search("Harbor")'
  press f
  see 'Copy which field'
  type_line 2
  see 'Copied (to register|through)'
  expect "$(evaluate '@0')" 91440300MA5FA6HQ2E 'copied field'
  press '?'
  see 'search as you type'
  press Enter
  type_line ':call search("Harbor")'
  press p
  see '^\*  Harbor 开票'
  press t
  see 'Show cards with tag \(Tab'
  type_text '税'
  press Tab
  see ': 税务'
  press Enter
  see 'tag:税务'
  see_gone 'Meeting room'
  press t Enter
  see 'Meeting room'
  type_line ':call search("Harbor")'
  press d
  see 'Delete "Harbor 开票"\?'
  press d
  see 'QuickVault  1 card$'
  see_gone 'Harbor 开票'
  press u
  see 'QuickVault  2 cards$'
  see 'Harbor 开票 +Invoice'
  press u
  press u
  see 'There is no deletion and no edit to undo'
}

# :QuickVaultCopy from any buffer unlocks the vault.
scenario_copy_from_anywhere() {
  make_vault
  open_vim
  type_line ':QuickVaultCopy -oneLine harbor'
  see 'Master password:'
  type_line 'wrong password'
  see 'Wrong password.*Master password:'
  type_line "$password"
  see 'Copied (to register|through)'
  press p
  see '深圳Harbor信息有限公司.*7559123456789012'
  type_text ':QuickVaultCopy Meet'
  press Tab
  see ':QuickVaultCopy Meeting room'
  press Enter
  see 'Left out: Door code.*Copied (to register|through)'
  type_line ':put "'
  see 'Floor 12, left of the lift'
  see_gone '4711-hidden'
  type_line ':QuickVaultCopy! Meeting room'
  see 'Copied (to register|through)'
  type_line ':put "'
  see 'Door code: 4711-hidden'
}

# Messages in Chinese.
scenario_chinese() {
  make_vault
  LANG=zh_CN.UTF-8 LC_ALL=C.UTF-8 open_vim --cmd 'let g:quickvault_language = "zh_CN"'
  type_line ':QuickVault'
  see '主密码：'
  type_line "$password"
  see '2 张卡片'
  see '标题 +类型 +分组 +标签 +修改时间'
  type_line ':call search("Harbor")'
  press e
  see '税号: 91440300MA5FA6HQ2E'
  type_line ':%s/^税号: .*/税号： 1/'
  command_line 'write'
  see '# ✗ 税号'
  see '未保存，有 1 处问题'
  press u
  command_line 'q!'
  press L
  see '已锁定。按 <CR> 或执行 :QuickVault 解锁'
}

# R22: before there is a vault, no page says that it is locked.
scenario_first_run_interrupted() {
  open_vim
  type_line ':QuickVault'
  see 'New master password'
  press C-c
  see_gone 'New master password'
  see 'Press <CR> to start'
  see_gone 'Locked|unlock'
  command_line 'QuickVaultSettings'
  see 'New master password'
  press C-c
  see_gone 'New master password|Locked|unlock'
}

# R8, R20: each page says what can be done there, and a confirmation in Chinese shows its keys once.
scenario_hints() {
  open_vault
  see '^<CR> shows, w copies, e edits, d deletes, .* S opens the settings'
  press S
  see '^# See also :QuickVaultPassword .* and :QuickVaultFingerprint on'
  see '^# Times are in seconds'
  type_line ':%s/^Language.*/Language: zh-Hans/'
  command_line 'write'
  type_line ':1'
  see '^# 另见 :QuickVaultPassword'
}

# R18: without a clipboard of the editor, a program has it, and it is cleared when the vault locks.
scenario_clipboard_of_a_program() {
  make_vault
  # It ends with the scenario.
  setpriv --pdeathsig TERM Xvfb -noreset -displayfd 3 -nolisten tcp 3>"$work/display" 2>/dev/null &
  await test -s "$work/display"
  local -x DISPLAY
  DISPLAY=:$(<"$work/display")
  open_vim
  open_list
  type_line ':QuickVaultCopy -field=companyName Harbor 开票'
  see 'Copied to (the clipboard|register \+)'
  # Neovim's program for it takes the clipboard after the message.
  await clipboard_is '深圳Harbor信息有限公司'
  press L
  see 'Locked'
  await clipboard_is ''
}

clipboard_is() { [[ $(xclip -selection clipboard -o 2>/dev/null) == "$1" ]]; } # text

# R18: without a clipboard, a program for it, and a terminal that could have it, a message says so, and nothing claims a copy.
scenario_clipboard_nowhere() {
  make_vault
  # shellcheck disable=SC2034
  local term=linux
  open_vim
  tmux_here set-option -s set-clipboard on
  open_list
  type_line ':QuickVaultCopy -field=companyName Harbor 开票'
  see 'Not copied: there is no clipboard here\. Register " has it for 30 s'
  if screen | grep -qi 'copied \(to\|through\)'; then complain 'a copy is claimed'; fi
  expect "$(evaluate 'execute("messages") =~# "Copied"')" 0 'messages about a copy'
  expect "$(tmux_here list-buffers)" '' 'what the terminal was sent'
  expect "$(evaluate '@"')" '深圳Harbor信息有限公司' 'the register'
  lock
  expect "$(evaluate '@"')" '' 'the register after a lock'
}

# R18: without any, the terminal has it.
scenario_clipboard_of_the_terminal() {
  make_vault
  open_vim
  # This tmux is the terminal, and not what Vim runs in.
  tmux_here set-option -s set-clipboard on
  command_line "let \$TMUX = ''"
  open_list
  type_line ':QuickVaultCopy -field=companyName Harbor 开票'
  see 'Copied through the terminal, which cannot clear it'
  expect "$(tmux_here show-buffer)" '深圳Harbor信息有限公司' 'the clipboard of the terminal'
}

# L: the demo in its own vault, and back; each page says that it is the demo, also when it is locked.
scenario_demo() {
  open_vault
  press Enter
  see 'Door code'
  command_line 'QuickVaultDemo'
  see 'These are sample cards'
  see '^Demo with sample cards; :QuickVaultDemo ends it'
  see_gone 'Meeting room|Door code'
  type_line ':Qv list --limit 1'
  see '^Master password: *$'
  type_line 'demo demo'
  await qv_has_ended
  type_line ':only'
  see '^Demo with sample cards'
  command_line 'QuickVault'
  lock
  see '^Demo with sample cards'
  press Enter
  see 'sample cards: demo demo.*Master password:'
  type_line 'demo demo'
  see '[0-9]+ cards'
  command_line 'QuickVaultDemo'
  see 'The sample cards were deleted'
  see_gone '[0-9]+ cards'
  open_list
  see 'Meeting room'
}

# R18: in Insert mode, a text is inserted where the cursor is, and what is typed next follows it; also after the password.
scenario_insert_in_insert_mode() {
  make_vault
  echo '() and' >"$work/ordinary.txt"
  printf 'inoremap <C-%s> %s<CR>\n' q '<Cmd>QuickVaultInsert -field=text Meeting room' \
    s '<C-O>:QuickVaultInsert -field=text Meeting room' >>"$work/vimrc"
  open_vim "$work/ordinary.txt"
  type_text 'a'
  press C-q
  give_password
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

# A number without a choice asks again, and what follows does not run as Normal mode commands.
scenario_choice() {
  open_vault
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
  open_vault
  type_line ':global/Meeting/normal d'
  see '\[K\]eep: *$'
  press k
  see_gone '\[K\]eep'
  type_line ':global/Meeting/normal p'
  see '\*  Meeting room'
  type_line ':echo "still" . "here"'
  see '^stillhere'
}
