# A person's first quarter of an hour: from the installation, as README.md has it, to the removal.
# shellcheck shell=bash disable=SC2154

scenario_first_quarter_of_an_hour() {
  export XDG_DATA_HOME=$HOME/.local/share
  local pack=$HOME/.vim/pack lines
  lines=$(sed -n '/^mkdir -p ~\/.vim/,/^```/p' "$tests/../README.md" | grep -v '^```')
  if [[ $editor == *nvim ]]; then
    pack=$XDG_DATA_HOME/nvim/site/pack
    lines=${lines//~\/.vim\/pack/~\/.local/share/nvim/site/pack}
    lines=${lines//vim -u/nvim -u}
  fi
  (cd "$top" && bash -ec "$lines") || complain 'the lines of the README fail'
  [[ -s $pack/quickvault/start/quickvault/doc/tags ]] || complain 'there is no help'
  sed -i '/^set runtimepath/d' "$work/vimrc"

  # A vault and three cards
  open_vim
  type_line ':QuickVault'
  see '^New master password'
  type_line "$password"
  see 'Repeat the password:'
  type_line "$password"
  see 'No cards yet'
  local title
  for title in 'Office door' Parking Meeting; do
    press c
    see 'Create a card of which type'
    type_line 4
    see '# Text\.'
    type_text "A$title"
    press Escape
    type_line "Gotext of $title"
    press Escape
    command_line 'wq'
    see "   $title +Text +Personal"
  done
  see 'QuickVault  3 cards'

  # Finding, copying, and a picture with a watermark
  press /
  see 'Search:'
  type_text 'of park'
  see 'text of Parking'
  see_gone 'Office door'
  press Enter
  press Enter
  see 'Text · Personal'
  press w
  see 'Copied (to register|through)'
  cp "$top/Tests/ImagingTests/files/pillow/hopper_orientation_6.jpg" "$work/front.jpg"
  press A
  see 'Attach file:'
  type_line "$work/front.jpg"
  see 'Watermark \(empty for none\):'
  type_line 'For the visa office'
  see 'watermark: For the visa office'

  # A lock, and three wrong passwords
  press L
  see_gone 'Parking'
  type_line ':QuickVaultUnlock'
  local number
  for number in 1 2 3; do
    see 'Master password:'
    type_line "wrong $number"
    see "$((3 - number)) attempt|in [0-9]+ s"
  done
  give_password
  see '3 cards|text of Parking'
  # It keeps the search.
  command_line 'QuickVault'
  press /
  see 'Search: of park'
  press C-u Enter
  see '3 cards'

  # Moving in, and a folder for a second machine, after all not wanted
  printf '%s\n' 'name,url,username,password' 'Forum,https://forum.example.org/,lin,PLANTED' >"$work/logins.csv"
  command_line "QuickVaultImport $work/logins.csv"
  answer_qv
  see '\[y/N\]'
  type_line y
  see 'imported: 1'
  leave_view
  see '   Forum '
  command_line "tab Qv sync enable $HOME/carried"
  answer_qv
  leave_view
  command_line 'QuickVaultSync'
  answer_qv
  see 'carried'
  leave_view
  command_line 'tab Qv sync disable'
  see '\[y/N\]'
  type_line y
  answer_qv
  await qv_has_ended

  # Away with it
  command_line 'qall!'
  see 'SHELL'
  rm -r "$pack/quickvault"
  open_vim
  type_line ':QuickVault'
  see 'E492'
}
