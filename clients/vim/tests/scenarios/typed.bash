# What was typed before a lock is nowhere after it, also where only typed commands can clear it.
# shellcheck shell=bash disable=SC2154

# Opens an ordinary file and the list. From now on Vim writes what it remembers of typing to a file.
open_list_and_watch() {
  make_vault
  echo 'CANARY-QV70 line' >"$work/ordinary.txt"
  open_vim "$work/ordinary.txt"
  open_list
  lock_when_told
  local state="[@/, getreg('.'), getreg(':')]"
  command_line "call timer_start(50, {-> [writefile($state, '$work/typed.new'), rename('$work/typed.new', '$work/typed')]}, {'repeat': -1})"
}

# Types into a form, searches and substitutes in it, and saves it. The ordinary file is current then.
type_and_save() {
  edit_text
  type_text 'GoPLANTED typed'
  press Escape
  type_line '/PLANTED'
  type_line ':s/PLANTED/REPLACED/'
  see 'REPLACED typed'
  type_line ':wq'
  see_gone '# Text\.'
  await remembers 'PLANTED typed'
  await remembers '^PLANTED$'
}

remembers() { grep -q -- "$1" "$work/typed"; }

# Vim removes a file before it replaces it.
forgot() { # pattern
  local typed
  typed=$(<"$work/typed") && ! grep -q -- "$1" <<<"$typed"
} 2>/dev/null

lock_vault() {
  touch "$work/lock"
  see 'Locked\. Press <CR>'
}

# What ~ stands for is not in what the timer writes.
see_forgotten() {
  await forgot PLANTED
  command_line "call win_gotoid(bufwinid('ordinary.txt'))"
  command_line 's/CANARY/[~]/'
  see '^\[\]-QV70 line'
}

# R12: the ordinary file is current.
scenario_typed_lock_in_another_buffer() {
  open_list_and_watch
  type_and_save
  type_line ':QuickVaultCopy -values Meeting room'
  see 'Copied (to register|through)'
  await remembers 'values Meeting room'
  lock_vault
  see '^Locked\.$'
  await forgot Meeting
  see_forgotten
  expect "$(evaluate 'v:errmsg . execute("history all")' | grep -c 'PLANTED\|Meeting')" 0 'the histories'
}

# R12: Vim is in Insert mode: it leaves it, and what follows is not inserted.
scenario_typed_lock_while_inserting() {
  open_list_and_watch
  edit_text
  type_text 'GoPLANTED typed'
  see 'PLANTED typed'
  lock_vault
  see_gone 'INSERT'
  expect "$(evaluate '&modified')" 0 'changes of the locked page'
  see_forgotten
}

# R12: no event tells of what was typed before CTRL-C.
scenario_typed_before_an_interrupt() {
  open_list_and_watch
  edit_text
  type_text 'GoPLANTED typed'
  see '^PLANTED typed'
  press C-c
  await remembers 'PLANTED typed'
  lock_vault
  see_forgotten
}

# R12: the lines that :vimgrep found are in no list after a lock, also when their page was closed; others stay.
scenario_typed_lists_of_lines() {
  make_vault
  echo 'CANARY-QV70 Floor' >"$work/ordinary.txt"
  open_vim "$work/ordinary.txt"
  open_list
  press Enter
  see 'Floor 12'
  command_line 'vimgrep /Floor/ %'
  command_line 'close'
  command_line "vimgrepadd /CANARY/j $work/ordinary.txt"
  command_line "call win_gotoid(bufwinid('quickvault://cards'))"
  command_line 'lvimgrep /Meeting/ %'
  command_line 'lvimgrep /Harbor/ %'
  command_line 'cgetbuffer'
  expect "$(evaluate 'string(getqflist()) =~# "2 cards"')" 1 'a list of a whole page'
  command_line 'colder'
  local texts='map(getqflist(), "v:val.text")'
  local lists='map(range(1, getloclist(0, {"nr": "$"}).nr), "getloclist(0, {\"nr\": v:val, \"items\": 1})")'
  expect "$(evaluate "join($texts)")" 'Text       Floor 12, left of the lift. CANARY-QV70 Floor' 'the list before'
  expect "$(evaluate "string($lists) =~# 'Meeting'")" 1 'the location lists before'
  lock
  expect "$(evaluate "join($texts)")" 'CANARY-QV70 Floor' 'the list'
  command_line 'cnewer'
  expect "$(evaluate 'string(getqflist()) =~# "2 cards"')" 0 'the list of a whole page'
  expect "$(evaluate "string($lists) =~# 'Meeting'")" 0 'the location lists'
}
