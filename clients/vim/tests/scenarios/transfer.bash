# The demo.
# shellcheck shell=bash disable=SC2154

# L: the demo in its own vault, and back; each page says that it is the demo, also when it is locked.
scenario_demo() {
  make_vault
  open_vim
  open_list
  press Enter
  see 'Door code'
  command_line 'QuickVaultDemo'
  see 'These are sample cards'
  see '^Demo with sample cards; :QuickVaultDemo ends it'
  see_gone 'Meeting room|Door code'
  press j Enter
  see 'Modified 20'
  type_line ':only'
  see '^Demo with sample cards'
  press e
  see '^# Demo with sample cards'
  type_line ':Qv list --limit 1'
  see '^Master password: *$'
  type_line 'demo demo'
  await qv_has_ended
  type_line ':only'
  see '^Demo with sample cards'
  command_line 'QuickVault'
  press L
  see 'Locked\. Press <CR>'
  see '^Demo with sample cards'
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
