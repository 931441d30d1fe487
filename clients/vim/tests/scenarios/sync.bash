# One vault on two machines.
# shellcheck shell=bash disable=SC2154

# S: a second machine joins over a folder; what each changes appears on the other.
scenario_sync() {
  make_vault
  mkdir "$work/carried"
  open_vim
  open_list
  command_line 'tab QuickVaultSync'
  see '^Synchronisation: off'
  press e
  see 'Synchronise over the folder:'
  type_line "$work/carried"
  see 'Master password, to confirm:|^Synchronisation: on'
  if screen | grep -q 'to confirm'; then type_line "$password"; fi
  see '^Synchronisation: on'
  see 'No other machine yet'
  local first=$terminal
  open_second_machine
  type_line ':QuickVault'
  see 'use :QuickVaultJoin'
  press C-c
  see_gone '^New master password'
  command_line "QuickVaultJoin $work/carried"
  see 'Master password of that vault:'
  type_line 'a wrong one'
  see 'password opens no vault.*Master password of that vault:'
  type_line "$password"
  see '2 cards' 60
  see 'Harbor 开票 +Invoice'
  type_line ':call search("Meeting")'
  press d
  see 'Delete "Meeting room"\?'
  press d
  see 'QuickVault  1 card$'
  local second=$terminal
  terminal=$first
  press s
  see 'up to date'
  command_line 'tabfirst'
  see 'QuickVault  1 card$'
  command_line 'tablast'
  type_line ':call search("up to date")'
  press D
  see 'Stop synchronising\?'
  press y
  see '^Synchronisation: off'
  terminal=$second
}

# Opens Vim with another vault and another home directory, beside the first.
open_second_machine() {
  mkdir -p "$work/other"
  vault=$work/other/vault.quickvault
  sed "s|^let g:quickvault_vault.*|let g:quickvault_vault = '$vault'|" "$work/vimrc" >"$work/other/vimrc"
  local command
  printf -v command '%q ' "$editor" -u "$work/other/vimrc" -i "$work/other/viminfo"
  terminal=t$((${terminal#t} + 1))
  tmux_here new-session -d -x 110 -y 40 -s main \
    "env HOME=$work/other XDG_STATE_HOME=$work/other/state LC_ALL=$LC_ALL TZ=UTC TERM=screen-256color $command; exec tail -f /dev/null"
  see '\[No Name\]|^~'
}
