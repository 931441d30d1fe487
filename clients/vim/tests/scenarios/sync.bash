# One vault on two machines.
# shellcheck shell=bash disable=SC2154

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
