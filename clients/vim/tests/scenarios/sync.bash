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

# S: one machine gives the vault a new key, and the other follows with the new password.
scenario_rekey() {
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
  local first=$terminal
  open_second_machine
  command_line "QuickVaultJoin $work/carried"
  see 'Master password of that vault:'
  type_line "$password"
  see '2 cards' 60
  command_line 'tab QuickVaultSync'
  see '^Synchronisation: on'
  local second=$terminal
  terminal=$first
  see 'up to date'
  press K
  see 'Give the vault a new key'
  press y
  see 'Current master password'
  type_line "$password"
  see 'New master password'
  type_line 'another 密码 of all'
  see 'Repeat the password'
  type_line 'another 密码 of all'
  see 'password was changed'
  terminal=$second
  see 'has made a new key' 60
  press p
  see 'set on the other machine'
  type_line 'a wrong one'
  see 'password opens no vault|Wrong password'
  type_line 'another 密码 of all'
  see_gone 'has made a new key'
  see '^Synchronisation: on'
}

# C: signing in to a server that carries the folder, and out again.
scenario_account() {
  make_vault
  local address
  coproc webdav { /usr/bin/python3 "$tests/webdav.py"; }
  read -r address <&"${webdav[0]}"
  open_vim
  open_list
  command_line 'tab QuickVaultAccount'
  see '^Account: not signed in'
  press e
  see 'User name and app password'
  type_line 2
  see 'URL of the WebDAV folder:'
  type_line "$address"
  see 'User name:'
  type_line dav
  see 'App password of the server:'
  type_line 'a wrong one'
  see 'Master password, to confirm:|refused|user name'
  if screen | grep -q 'to confirm'; then type_line "$password"; fi
  see '^Account: not signed in'
  press Enter
  press e
  type_line 2
  see 'URL of the WebDAV folder:'
  type_line "$address"
  see 'User name:'
  type_line dav
  see 'App password of the server:'
  type_line 'the app password of the tests'
  see '^User: dav'
  see_gone 'app password of the tests'
  press D
  see 'Sign out\?'
  press y
  see '^Account: not signed in'
  eval "exec ${webdav[1]}>&-"
}

# R14: the status names what a program that carries folders left beside the vault.
scenario_conflict_file() {
  make_vault
  cp "$vault" "${vault%.quickvault}_conf(1).quickvault"
  open_vim
  open_list
  command_line 'QuickVaultStatus'
  see 'Another copy of the vault'
  press Enter
}
