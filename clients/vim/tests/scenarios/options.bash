# Options that people set.
# shellcheck shell=bash disable=SC2154

# Neither folds nor line numbers hide a part of a page; a line that is opened below a hint is a field; the program and the vault are
# found, even if 'wildignore' has their names; and the cursor is in a form's first field with 'nomagic'.
scenario_options_of_windows_and_texts() {
  local title='A long title of a card, which has to be cut off somewhere here'
  make_vault "$(request 9 card/create '{"title":"'"$title"'","group":"personal","type":"text","fields":{"text":"x"}}')"
  printf '%s\n' 'set foldmethod=indent shiftwidth=2 number relativenumber numberwidth=6 signcolumn=yes spell autochdir' \
    'set formatoptions+=ro nomagic wildignore+=*quickvault*' >>"$work/vimrc"
  open_vim
  open_list
  see 'A long title .*… +Text +Personal +20[0-9-]+ [0-9]+:[0-9][0-9]$'
  type_line ':call search("Meeting")'
  press Enter
  see 'Floor 12'
  press e
  see '# Your own fields'
  expect "$(evaluate 'getline(".")')" 'Title: Meeting room' "the cursor's line in the form"
  type_line '/Your own'
  type_text 'oEmail: a@example.org'
  press Enter
  type_text 'Fax: 5'
  press Escape
  type_text 'Go  indented'
  press Escape
  see '    indented'
  see_gone '\+--'
  command_line 'write'
  see 'Changes saved'
  see '^ *[0-9]+ Email: a@example'
  see '^ *[0-9]+ Fax: 5'
}

# R11: mappings and abbreviations for the command line do not change a password.
scenario_options_and_passwords() {
  make_vault
  printf '%s\n' 'cnoremap hors <C-U>' 'cnoremap rect <Esc>' 'cabbrev correct other' 'cabbrev horse other' >>"$work/vimrc"
  open_vim
  open_list
  expect "$(evaluate 'maparg("h", "c") . maparg("<CR>", "c")')" '' 'mappings that stay'
  expect "$(evaluate 'maparg("h" . "ors", "c")')" '<C-U>' 'a mapping of the user'
}

# Without highlighting, too, concealed values are hidden in a form and beside it, whatever the text below it says.
conceal_with_syntax() { # manual|off
  make_vault
  local card
  card=$(made_id 3)
  echo "syntax $1" >>"$work/vimrc"
  open_vim
  open_list
  type_into_form
  see '^\*Door code: •'
  converse "$(request 1 session/unlock '{"password":"'"$password"'"}')" \
    "$(request 2 card/setPinned '{"id":"'"$card"'","pinned":true}')" \
    "$(request 3 card/update '{"id":"'"$card"'","title":"Their title"}')" >"$work/changed"
  command_line 'write'
  see 'Merge the changes, then :w again'
  press_until_seen Enter 'Title: Their title'
  see_gone '4711-hidden'
}

# R12: a page keeps its name, so that a lock blanks it, and a form can still be saved.
scenario_names_stay() {
  open_vault
  press Enter
  see 'Door code'
  command_line "saveas $work/page.txt"
  see 'Only forms can be written to the vault'
  command_line 'file other'
  edit_text
  type_text 'Goadded'
  press Escape
  command_line "saveas $work/form.txt"
  see 'Changes saved'
  command_line '0file'
  expect "$(evaluate 'len(filter(getbufinfo({"bufloaded": 1}), "v:val.name =~# \"^quickvault://\""))')" 2 'vault buffers'
  lock
  see_gone 'Meeting room|Floor 12|added'
  [[ ! -e $work/page.txt && ! -e $work/form.txt ]] || complain 'a file was written'
}

# An ordinary buffer cannot be written into the vault.
scenario_names_of_others() {
  make_vault
  echo 'CANARY-QV70 line' >"$work/ordinary.txt"
  open_vim "$work/ordinary.txt"
  command_line 'write! quickvault://new/text'
  see 'Only forms can be written to the vault'
  see_gone 'E121'
}

# R8: what can be done is not cut off; the list is drawn for the width of its window, also when that changes.
scenario_narrow() {
  make_vault
  open_vim
  tmux_here resize-window -t main -x 40 -y 30
  await is_narrow
  open_list
  see '^<CR> shows, w copies, e edits,$'
  see '^S opens the settings, \? shows all keys\.$'
  tmux_here resize-window -t main -x 110 -y 30
  see 'Harbor 开票 +Invoice +Company +税务 +20[0-9-]+ [0-9]+:[0-9][0-9]$'
  tmux_here resize-window -t main -x 40 -y 30
  see '^S opens the settings, \? shows all keys\.$'
  command_line 'QuickVaultCopy -field=text Meeting room'
  see 'Copied through the terminal, which can|Copied to register'
  command_line 'QuickVaultSettings'
  see ':w saves, :q! discards, g\? ?$'
  see '^shows help\.'
}

is_narrow() { [[ $(evaluate '&columns') == 40 ]]; }

# Where no window can be split, a tab page opens.
scenario_narrow_and_low() {
  make_vault
  open_vim
  tmux_here resize-window -t main -x 80 -y 7
  await is_low
  type_line ':QuickVault'
  give_password
  see 'Meeting room'
  for command in 'New text' Conflicts Settings; do command_line "QuickVault$command"; done
  see 'Lock when idle'
  type_line ':tabonly | only'
  type_line ':set noequalalways winminheight=0'
  type_line ':split | resize 1 | QuickVaultConflicts'
  see 'No card exists'
  expect "$(evaluate 'v:errmsg =~# "E36"')" 0 'an error'
}

is_low() { [[ $(evaluate '&lines') == 7 ]]; }
