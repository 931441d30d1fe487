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

scenario_options_of_manual_syntax() { conceal_with_syntax manual; }

scenario_options_of_no_syntax() { conceal_with_syntax off; }

# The commands of Vim and of the user that begin with g do nothing to a card.
scenario_options_of_commands_with_g() {
  make_vault
  echo 'nnoremap gx :echo "opened"<CR>' >>"$work/vimrc"
  open_vim
  open_list
  press Enter
  see 'Door code'
  press g x
  see '^opened'
  press g p
  see 'E21'
  press g d
  press g C-g
  see 'Line [0-9]+ of 7'
  see_gone 'Delete "Meeting|pinned'
  press g
  see 'Meeting room'
}

# q ends the recording of a macro that goes on to a page, and closes the page when there is none.
scenario_options_of_recordings() {
  make_vault
  open_vim
  open_list
  command_line 'new | put =\"one\"'
  type_text 'qa'
  type_line ':wincmd j'
  press q
  expect "$(evaluate 'reg_recording() . "|" . bufname("%")')" '|quickvault://cards' 'the recording'
  expect "$(evaluate '@a')" $':wincmd j\r' 'the macro'
  press q
  see_gone 'Meeting room'
}

# With a higher command line, a message of progress does not stay.
scenario_options_of_messages() {
  make_vault
  local height
  for height in 2 3; do
    open_vim -c "set cmdheight=$height"
    open_list
    see_gone 'Unlocking|Master password'
  done
}
