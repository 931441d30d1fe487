# One vault on two machines.
# shellcheck shell=bash disable=SC2154

# R14, S: the status names what a program that carries folders left beside the vault; a message leads to the page of conflicts.
scenario_conflict_file() {
  make_vault
  cp "$vault" "${vault%.quickvault}_conf(1).quickvault"
  open_vim
  open_list
  command_line 'QuickVaultStatus'
  see 'Another copy of the vault'
  press Enter
  command_line "call quickvault#notification#handle('window/showMessage', {'type': 3, 'kind': 'sync.conflict'}, '')"
  see 'Two machines changed a card; see :QuickVaultConflicts'
}
