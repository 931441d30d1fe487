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
  see 'Master password:'
  type_line "$password"
  see 'Card: Shelf_'
  see '21 cards match. Type more of the title.'
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
  see 'Card: Shelf_'
  type_text ' 17'
  press Enter
  see 'content 17'
}

# R18: the keys of the picker.
scenario_picker_keys() {
  make_shelves
  # Vim knows bracketed paste of other terminals only.
  if [[ $editor == vim ]]; then printf '%s\n' 'let [&t_BE, &t_BD, &t_PS, &t_PE] = ["\e[?2004h", "\e[?2004l", "\e[200~", "\e[201~"]' >>"$work/vimrc"; fi
  open_vim
  type_line ':nnoremap Q <Plug>(quickvault-pick)'
  type_line ':set nomodified'
  type_text Q
  see 'Master password:'
  type_line "$password"
  see 'Card: _'
  see '> Shelf|> Meeting|> Harbor'
  type_text 'shelf 1x'
  see 'Card: shelf 1x_'
  see 'No matches'
  press Enter BSpace
  see 'Card: shelf 1_'
  see '  Shelf 11'
  press C-n C-n Down C-p Up C-p C-p
  see '> Shelf'
  press C-u
  see 'Card: _'
  type_text 'harbor nothing'
  see 'No matches'
  press C-w
  see '> Harbor 开票'
  # A narrow and low window.
  tmux_here resize-window -t main -x 30 -y 10
  see '> Harbor 开票'
  tmux_here resize-window -t main -x 110 -y 40
  see '> Harbor 开票'
  tmux_here set-buffer $'Meeting\nroom'
  press C-u
  tmux_here paste-buffer -p -t main
  see 'Card: Meeting room_'
  press Escape
  see_gone 'Card:'
  type_text Q
  see 'Card: _'
  press C-c
  see_gone 'Card:'
  expect "$(evaluate 'line("$") . getline(1)')" 1 'text of the buffer below'
}

# R12, R20: a lock closes the picker and forgets the titles; keys already typed go nowhere.
scenario_picker_locked() {
  make_shelves
  open_vim
  open_list
  lock_when_told
  type_line ':QuickVaultPick shelf'
  see '> Shelf'
  touch "$work/lock"
  see_gone 'Card:'
  see_gone 'Shelf'
  expect "$(evaluate 'empty(filter(getbufinfo(), {_, buffer -> join(getbufline(buffer.bufnr, 1, "$")) =~# "Shelf"}))')" 1 \
    'no buffer has titles'
}

# Opens a vault with cards to pick in an editor that has the plugin of fzf, where a user's settings ask for a history. What
# fzf prints goes to a file too: its plugin writes it to one and deletes that.
open_vim_with_fzf() {
  make_planted_vault
  mkdir "$work/bin"
  printf '#!/bin/sh\n%s "$@" | tee -a %q\n' "$(command -v fzf)" "$work/printed" >"$work/bin/fzf"
  chmod +x "$work/bin/fzf"
  local -x PATH=$work/bin:$PATH
  local plugin=/usr/share/doc/fzf/examples
  # Systems that leave out documentation leave out the plugin too.
  if [[ ! -r $plugin/plugin/fzf.vim ]]; then
    (cd "$work" && apt-get download fzf >/dev/null && dpkg-deb -x fzf_*.deb fzf)
    plugin=$work/fzf$plugin
  fi
  printf '%s\n' "set runtimepath^=$plugin" "let g:fzf_history_dir = '$work/history'" \
    "let \$FZF_DEFAULT_OPTS = '--history=$work/history-default --preview=\"echo {} >$work/preview\"'" >>"$work/vimrc"
  open_vim
  open_list
  type_line ':only'
}

# R20: fzf gets the titles, and neither they nor what is typed reaches the disk.
scenario_picker_with_fzf() {
  open_vim_with_fzf
  local temporary
  temporary=$(evaluate 'fnamemodify(tempname(), ":h")')
  type_line ':QuickVaultFzf -values'
  see 'TITLE-QV71'
  type_text 'title-qv7'
  see '1/3'
  if grep -raqs 'QV7\|Meeting' "$temporary"; then complain 'a title is on the disk'; fi
  press Enter
  see 'Copied through'
  see_gone '1/3'
  expect "$(evaluate '@0[:7]')" VALUE-QV 'copied text'
  await test -s "$work/printed"
  if grep -raqs 'QV7\|title-\|Meeting' "$temporary" "$work"/{printed,history*,preview}; then
    complain 'something is on the disk'
  fi
  type_line ':QuickVaultFzf meeting'
  see '1/1'
  see '> Meeting room'
  press Escape
  see_gone '1/1'
  lock_when_told
  type_line ':QuickVaultFzf'
  see '3/3'
  touch "$work/lock"
  see_gone '3/3'
  see_gone 'TITLE-QV71'
  expect "$(evaluate 'empty(filter(getbufinfo(), {_, buffer -> join(getbufline(buffer.bufnr, 1, "$")) =~# "TITLE"}))')" 1 \
    'no buffer has titles'
}

# N: the choice is among the titles that match what was typed before <CR>, in one burst and with many cards; what a user's
# settings say does not change that.
scenario_picker_with_fzf_in_a_burst() {
  mkdir -p "$work"
  open_vim_with_fzf
  local table query
  table=$(echo title,type,group,text; awk 'BEGIN { for (n = 1; n <= 10000; n++) printf "Shelf %d,text,company,content %d\n", n, n }')
  base64 -w 0 <<<"$table" >"$work/table"
  command_line "call quickvault#server#wait('vault/import', {'data': readfile('$work/table')[0], 'format': 'csv'}, 60000)"
  command_line "let \$FZF_DEFAULT_OPTS = '--select-1 --exit-0 --print-query --multi --bind=enter:abort'"
  for query in 'Shelf 4711' 'Shelf 9876' title-qv; do
    command_line 'let @" = ""'
    type_line ':QuickVaultFzf -values'
    see '10003/10003'
    tmux_here send-keys -t main -l "$query"$'\r'
    see_gone '/10003'
    if [[ $query == Shelf* ]]; then expect "$(evaluate '@"')" "${query/Shelf/content}" 'what was copied'; fi
  done
  expect "$(evaluate '@"[:7]')" VALUE-QV 'what was copied'
  type_line ':QuickVaultFzf Shelf 471'
  see '[0-9]+/[0-9]+'
  type_text ' no such title'
  press Enter
  see ' 0/'
  press C-u
  type_text '4718'
  press Enter
  see_gone '[0-9]+/[0-9]+'
  expect "$(evaluate '@" =~# "content 4718"')" 1 'what was copied after a try without a match'
}

# It says what is missing.
scenario_picker_without_fzf() {
  make_vault
  open_vim
  open_list
  type_line ':QuickVaultFzf'
  see 'fzf.*runtimepath'
}
