# The demo.
# shellcheck shell=bash disable=SC2154

# L: the demo in its own vault, and back.
scenario_demo() {
  make_vault
  open_vim
  open_list
  press Enter
  see 'Door code'
  command_line 'QuickVaultDemo'
  see 'These are sample cards'
  see '[0-9]+ cards'
  see_gone 'Meeting room'
  see_gone 'Door code'
  press L
  see 'Locked\. Press <CR>'
  press Enter
  see 'sample cards: demo demo.*Master password:'
  type_line 'demo demo'
  see '[0-9]+ cards'
  command_line 'QuickVaultDemo'
  see 'The sample cards were deleted'
  see_gone '[0-9]+ cards'
  open_list
  see 'Meeting room'
}
