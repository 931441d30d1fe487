# A card is chosen among many by its title, in a popup window.
# shellcheck shell=bash disable=SC2154

make_shelves() {
  local cards=() number
  for number in {1..21}; do
    cards+=("$(request "$((number + 3))" card/create \
      '{"title":"Shelf '"$number"'","group":"company","type":"text","fields":{"text":"content '"$number"'"}}')")
  done
  make_vault "${cards[@]}"
}

# R18: of many cards that match, more words choose one; of few, a number.
scenario_picker_for_many() {
  make_shelves
  open_vim
  type_line ':QuickVaultCopy Shelf'
  give_password
  see '^Card: Shelf$'
  see '^QuickVault  21 cards'
  # All of these keys at once, the results not awaited.
  type_text ' 12'
  press Enter
  see 'Copied through'
  press p
  see '^content 12'
  see_gone 'Card:'
  expect "$(evaluate 'histget("@", -1) . histget("/", -1)')" '' 'words in the histories'
  type_line ':QuickVaultCopy helf 2'
  see 'Copy which card\?'
  type_line 3
  see 'Copied through'
  # N: a whole title is its card, in whatever case, though others contain it.
  type_line ':QuickVaultCopy shelf 2'
  see 'Copied through'
  type_line ':put "'
  see '^content 2$'
  type_line ':QuickVaultInsert Shelf'
  see '^Card: Shelf$'
  type_text ' 17'
  press Enter
  see 'content 17'
}

# R18: the keys of the picker, which are those of a command line, and more.
scenario_picker_keys() {
  make_shelves
  open_vim
  type_line ':nnoremap Q <Plug>(quickvault-pick)'
  type_line ':set nomodified'
  type_text Q
  give_password
  see '^Card:$'
  see 'Shelf 21'
  type_text 'shelf 1x'
  see 'No matches'
  # Nothing is chosen where nothing matches.
  press Enter
  see '^Card: shelf 1x$'
  press BSpace
  see 'Shelf 11'
  press C-n C-n Down C-p Up C-p C-p
  press C-u
  type_text 'harbor nothing'
  see 'No matches'
  press C-w
  see 'Harbor 开票'
  # A narrow and low window.
  tmux_here resize-window -t main -x 30 -y 10
  see 'Harbor'
  tmux_here resize-window -t main -x 110 -y 40
  see 'Harbor 开票'
  press C-u
  type_text 'shelf 2'
  see 'Shelf 20'
  press Down Enter
  see 'Copied through'
  type_line ':put "'
  see '^content 2[01]?$'
  type_text 'uQ'
  see '^Card:$'
  press Escape
  see_gone 'Card:|Harbor'
  expect "$(evaluate 'line("$") . getline(1) . winnr("$")')" 11 'text of the buffer, and windows'
}

# R12, R20: a lock closes the picker and forgets the titles; keys already typed go nowhere, and nobody is asked for the password.
scenario_picker_locked() {
  make_shelves
  open_vim
  open_list
  # Beside buffers of the vault only, its window closes too.
  type_line ':QuickVaultPick'
  see '^Card:$'
  press Escape
  see_gone '^Card:'
  expect "$(evaluate 'winnr("$") . bufname("%")')" '1quickvault://cards' 'windows'
  lock_when_told
  type_line ':QuickVaultPick shelf'
  see 'Shelf 11'
  touch "$work/lock"
  see_gone 'Card:|Shelf|Master password'
  expect "$(evaluate 'empty(filter(getbufinfo(), {_, buffer -> join(getbufline(buffer.bufnr, 1, "$")) =~# "Shelf"}))')" 1 \
    'no buffer has titles'
}
