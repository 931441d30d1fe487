# Nothing of the vault is left on the disk.
# shellcheck shell=bash disable=SC2154

# Texts that are only in the vault, each in a different place.
planted=(TITLE-QV71 VALUE-QV72 CONCEALED-QV73 TAG-QV74 TYPED-QV75 REPLACED-QV76 RECORDED-QV77 QUERY-QV78 PATTERNQV 'horse')

make_planted_vault() {
  make_vault "$(request 9 card/create '{"title":"TITLE-QV71","group":"personal","type":"text","tags":["TAG-QV74"],"fields":{"text":"VALUE-QV72 one PATTERNQV\nVALUE-QV72 two\nVALUE-QV72 three"},"extraFields":[{"label":"Code","value":"CONCEALED-QV73","concealed":true}]}')"
  rm "$work/made"
}

# Edits an ordinary file in the same Vim. Its traces must be found, or the search below proves nothing.
edit_ordinary_file() {
  echo 'CANARY-QV70 line' >"$work/ordinary.txt"
  command_line "split $work/ordinary.txt"
  see 'CANARY-QV70'
  type_text 'yyx'
  type_line ':" CANARY-QV70 in the history'
}

# Does everything with a card that Vim may record.
use_the_card() {
  open_list
  type_line ':only'
  press / && see 'Search:'
  type_text 'QUERY-QV78'
  see 'No matches'
  press Escape
  see 'TITLE-QV71'
  type_line ':QuickVaultSearch title:TITLE-QV71'
  see 'Search: title:TITLE-QV71'
  type_line ':QuickVaultCopy -values TITLE-QV71'
  see 'Copied (to register|through)'
  type_line ':QuickVaultCopy CONCEALED-QV73'
  see 'No card has'
  type_text ':QuickVaultCopy TITLE-QV71'
  press Escape
  type_line ':call search("   TITLE-QV71")'
  press Enter
  see 'VALUE-QV72 two'
  press x
  see 'CONCEALED-QV73'
  type_text 'gg"ayG'
  type_line '/VALUE-QV72 t'
  type_text 'n"Ayy'
  press e
  see '--- Text ---'
  type_line ':call search("^.Code") | QuickVaultReveal'
  see 'CONCEALED-QV73'
  type_text 'Gyydd"bddP'
  type_text 'oTYPED-QV75'
  press Escape
  see 'TYPED-QV75'
  type_line ':%s/TYPED-QV75/REPLACED-QV76/'
  see 'REPLACED-QV76'
  type_text 'qcoRECORDED-QV77'
  press Escape
  type_line ':QuickVaultPick'
  see '^Card:$'
  type_text 'QUERY-QV78'
  see 'No matches'
  press Escape
  see_gone 'Card:'
  type_text 'q'
  type_line '/VALUE-QV72 o'
  type_line '?CONCEALED-QV73'
  type_line '/PATTERNQV'
  type_text 'mAmagg'
  command_line 'messages'
  command_line "redir! > $work/messages | silent messages | redir END"
}

# Searches everything that Vim wrote, and the encrypted vault.
search_disk() {
  local word found
  grep -raq CANARY-QV70 "$1" || complain "the search finds nothing at all in $1"
  for word in "${planted[@]}"; do
    if found=$(grep -ral -- "$word" "$work"); then complain "$word is in $found: $(grep -am3 -B2 -- "$word" "$found")"; fi
  done
}

# Leaves the editor, and searches what it then writes about itself.
leave_and_search_viminfo() {
  command_line 'qall!'
  see SHELL
  await test -s "$work/viminfo"
  search_disk "$work/viminfo"
}

scenario_privacy_after_leaving() {
  make_planted_vault
  open_vim
  edit_ordinary_file
  use_the_card
  leave_and_search_viminfo
  if grep -q 'quickvault:' "$work/viminfo"; then complain 'viminfo knows the vault buffers'; fi
  open_vim
  type_line ':oldfiles'
  see 'ordinary.txt'
  if screen | grep -q 'quickvault://'; then complain ':oldfiles knows the vault buffers'; fi
}

is_unlocked() { [[ $(evaluate 'quickvault#session#is_unlocked()') == 1 ]]; }

# What is typed at the prompts gets into a register that is being recorded.
scenario_privacy_of_a_recording() {
  make_planted_vault
  open_vim
  edit_ordinary_file
  type_text 'qe'
  type_line ':QuickVaultUnlock'
  give_password
  await is_unlocked
  type_text 'qqf'
  type_line ':QuickVaultPick'
  see '^Card:$'
  type_text 'QUERY-QV78'
  see 'No matches'
  press Escape
  see_gone 'Card:'
  type_text 'qqg'
  type_line ':QuickVaultSearch'
  see 'Search:'
  type_text 'RECORDED-QV77'
  press Enter
  see 'No matches'
  leave_and_search_viminfo
}

# Vim is killed and cannot clean up.
scenario_privacy_after_a_kill() {
  make_planted_vault
  open_vim
  edit_ordinary_file
  use_the_card
  local process
  process=$(evaluate 'getpid()')
  command_line 'preserve'
  await test -s "$work/messages"
  kill -KILL "$process"
  see SHELL
  search_disk "$work/swap"
}

# A form is saved, with all of Vim's options for keeping copies.
scenario_privacy_of_saving() {
  make_planted_vault
  open_vim
  edit_ordinary_file
  command_line 'write'
  open_list
  type_line ':only'
  type_line ':call search("TITLE-QV71")'
  press e
  see '--- Text ---'
  # Nor when the options of the editor are changed in a form.
  command_line 'set swapfile undofile'
  type_text 'GoTYPED-QV75'
  press Escape
  see '^TYPED-QV75'
  expect "$(evaluate '&l:swapfile + &l:undofile')" 0 'swap and undo files'
  type_line ':w'
  see 'saved'
  command_line 'wqall!'
  see SHELL
  await test -s "$work/viminfo"
  grep -q CANARY "$work"/undo/* || complain 'no undo file of the ordinary file'
  search_disk "$work"
}

# Vim accepts unambiguous abbreviations of commands.
scenario_privacy_of_abbreviated_commands() {
  make_planted_vault
  open_vim
  edit_ordinary_file
  type_line ':QuickVaultCop TITLE-QV71'
  give_password
  see 'Copied (to register|through)'
  # Ambiguous: they run nothing, and are not kept either.
  type_line ':QuickVaultC TITLE-QV71'
  see 'E464'
  type_line ':silent QuickVaultSea QUERY-QV78'
  see 'No matches'
  type_line ':QuickVaultA nowhere.png -- TYPED-QV75'
  see 'E464'
  type_line ':QuickVaultAt nowhere.png -- TYPED-QV75'
  see 'Attachments of card'
  press Escape
  type_line ':QuickVaultSetW RECORDED-QV77'
  see 'Attachments of card'
  press Escape
  leave_and_search_viminfo
}

# A buffer whose name only looks like one of the vault does not keep a lock from blanking the others.
scenario_privacy_of_unknown_names() {
  open_vault
  press Enter
  see 'Door code'
  command_line '0tabnew quickvault://nothing'
  see 'Something went wrong'
  expect "$(evaluate '&modifiable + &swapfile')" 0 'options of the buffer'
  command_line 'tabnext'
  see 'Door code'
  lock
  see_gone 'Door code'
  see_gone 'Meeting'
}

# Opens the form of a card alone, after an ordinary file.
edit_the_meeting() {
  make_vault
  rm "$work/made"
  open_vim
  edit_ordinary_file
  open_list
  type_line ':only'
  type_line ':call search("Meeting")'
  press e
  see '--- Text ---'
}

# Nor what Vim remembers without an event that tells of it, what a command puts into a register without a yank, and what is yanked
# where Vim shows commands or lines of a form.
scenario_privacy_without_events() {
  local planted=(STARREDQV RECORDEDQV OFFSETQV LEFTQV FIRSTQV SECONDQV LETQV SETQV REDIRECTEDQV LINEQV COMMANDQV)
  edit_the_meeting
  type_text 'GoLETQV'
  press Enter
  type_text 'SETQV'
  press Enter
  type_text 'REDIRECTEDQV'
  press Escape
  type_line ':let @x = getline(line(".") - 2)'
  type_line ':call setreg("y", [getline(line(".") - 1)], "V")'
  type_line ':redir @z | silent print | redir END'
  type_text 'GoLINEQV'
  press Escape
  type_line ':vimgrep /LINE/ %'
  command_line 'copen'
  see '\|[0-9]+ col 1.*\| LINEQV'
  type_text '"ayy'
  command_line 'cclose'
  command_line 's/LINEQV/COMMANDQV/e'
  type_text 'q:'
  see '\[Command Line\]'
  see '^:s/LINEQV/COMMANDQV/e'
  type_text 'k"byy'
  press_until_gone C-c '\[Command Line\]'
  type_text 'GoSTARREDQV'
  press Escape
  type_text '0*qa'
  type_line '/RECORDEDQV'
  type_text 'q'
  type_line '/OFFSETQV/e'
  type_text '/LEFTQV'
  see '/LEFTQV'
  press C-c
  see_gone '/LEFTQV'
  # Timers wait for keys that were typed ahead.
  type_text $':s/FIRSTQV//e\n:s/SECONDQV//e\n:write\n'
  see 'Changes saved'
  leave_and_search_viminfo
}

# Nor lines that are filtered through a program, while it runs.
scenario_privacy_of_a_filter() {
  make_vault
  rm "$work/made"
  export TMPDIR=$work/temporary
  mkdir "$TMPDIR"
  printf '%s\n' cat "grep -rlaF 'left of the lift' '$TMPDIR' && echo 'in a file'" 'echo filtered' >"$work/filter"
  open_vim
  open_list
  edit_text
  command_line "%!sh $work/filter"
  see '^filtered'
  see_gone '^in a file'
  command_line '2wincmd w | new'
  expect "$(evaluate '&shelltemp')" 1 'the option elsewhere'
}

# Nor what was typed at a prompt or as a command and then left.
scenario_privacy_of_what_was_left() {
  local planted=(FIRSTQV SECONDQV THIRDQV WORDQV)
  make_vault
  rm "$work/made"
  open_vim
  edit_ordinary_file
  type_line ':QuickVaultUnlock'
  give_password
  await is_unlocked
  type_line ':QuickVaultCopy'
  see 'Copy card \(Tab'
  type_text 'FIRSTQV'
  press C-c
  see_gone 'FIRSTQV'
  type_line ':QuickVaultCopy'
  see 'Copy card \(Tab'
  type_text 'SECONDQV'
  press Escape
  see_gone 'SECONDQV'
  type_text ':QuickVaultCopy THIRDQV'
  press C-c
  command_line 'QuickVault'
  see 'Meeting room'
  type_line ':WORDQV'
  see 'E492'
  lock
  expect "$(evaluate 'execute("history all")' | grep -c '[A-Z]QV')" 0 'the histories after a lock'
  leave_and_search_viminfo
}

# Saves a session with the list, a page and a form, and loads it in another editor.
load_session() {
  open_vault
  press Enter
  see 'Door code'
  edit_text
  command_line "mksession $work/session.vim | qall"
  see SHELL
  open_vim
  command_line "silent source $work/session.vim"
  see 'Locked\. Press <CR>'
}

# What a session restores is locked, and as private as before.
scenario_session_file() {
  load_session
  expect "$(evaluate 'getwininfo()->map({_, window -> getbufvar(window.bufnr, "&modifiable") + getbufvar(window.bufnr, "&swapfile") + getbufvar(window.bufnr, "&undofile")})->max()')" 0 \
    'options of the buffers'
  unlock_again
  see '2 cards'
  see 'Floor 12'
  see '^\*?Door code'
  type_line ":call win_gotoid(bufwinid('quickvault://edit'))"
  expect "$(evaluate 'maparg("q", "n")')" '' 'what q does in a form'
  type_text 'GoTYPED in it'
  press Escape
  type_line ':w'
  see 'Changes saved'
  type_line ":source $work/session.vim"
  see 'TYPED in it'
}
