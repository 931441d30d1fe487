# A terminal of 40 columns.
# shellcheck shell=bash disable=SC2154

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

# R22: nor what a new user has to know.
scenario_narrow_welcome() {
  open_vim
  tmux_here resize-window -t main -x 40 -y 40
  await is_narrow
  type_line ':QuickVault'
  see '^can recover anything\.'
  see 'QuickVaultPrivacy says more\.'
}

is_narrow() { [[ $(evaluate '&columns') == 40 ]]; }

# Where no window can be split, a tab page opens.
scenario_narrow_and_low() {
  make_vault
  open_vim
  tmux_here resize-window -t main -x 80 -y 7
  await is_low
  type_line ':QuickVault'
  see 'Master password:$'
  type_line "$password"
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
