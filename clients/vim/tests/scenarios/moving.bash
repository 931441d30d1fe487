# Cards that come in and go out, backups, copies, and the demo.
# shellcheck shell=bash disable=SC2154

# R14, R23: what would come of it is shown first; a column can be meant otherwise; what does not do is left out.
scenario_import() {
  make_vault
  printf '%s\n' 'Title,Notizen,Group' 'Imported one,first text,company' 'Imported two,second text,company' ',,' >"$work/cards.csv"
  open_vim
  open_list
  command_line "QuickVaultImport $work/cards.csv"
  see 'cards.csv'
  see 'csv, utf-8\.  Entries: [23]; do: [0-9]'
  see 'Notizen → '
  see 'Import [0-9]+ cards'
  press a
  see 'Change which column\?'
  type_line 2
  see 'Column Notizen is:'
  press C-u
  type_text 'te'
  press Tab
  see 'Column Notizen is: text'
  press Enter
  see 'Notizen → text'
  see 'ready +Imported one'
  see 'Import 2 cards'
  press c
  see_gone 'Import 2 cards'
  see '2 cards  '
  command_line "QuickVaultImport -format=csv $work/cards.csv"
  see 'Import [0-9]+ cards'
  press i
  see 'imported +Imported one'
  see '4 cards  '
  press L
  see_gone 'Imported one'
  command_line 'QuickVaultImport /nowhere.csv'
  see 'Password:'
  type_line "$password"
  see 'There is no such file or directory'
}

# R14: lines of a buffer come in without a file.
scenario_import_lines() {
  make_vault
  open_vim
  open_list
  command_line 'enew'
  type_text 'inot these'
  press Enter
  type_text '标题,正文'
  press Enter
  type_text '门,1984#'
  command_line '2,3QuickVaultImportLines'
  see '正文 → text'
  see 'Import 1 card'
  press i
  see 'imported +门'
  command_line 'QuickVault'
  see '3 cards  '
}

# R14: a file that is not encrypted, after a question and the password.
scenario_export() {
  make_vault
  open_vim
  open_list
  command_line "QuickVaultExport csv $work/out.csv"
  see 'will not be encrypted'
  press c
  see_gone 'will not be encrypted'
  [[ ! -e $work/out.csv ]] || complain 'written without a yes'
  command_line 'QuickVaultExport'
  see '4. markdown'
  type_line 1
  see 'Write to: quickvault.json'
  press C-u
  type_line "$work/out.json"
  see 'will not be encrypted'
  press w
  see 'Password:'
  type_line 'wrong password'
  see 'Wrong password.*Password:'
  type_line "$password"
  await test -e "$work/out.json"
  grep -q 'Meeting room' "$work/out.json" || complain 'no card in the file'
  expect "$(stat -c %a "$work/out.json")" 600 'mode of the file'
  command_line 'QuickVaultExport yaml'
  see 'Unknown format "yaml". There are: json, csv'
}

# R14: a backup, a copy that another machine changed, and mending what is whole.
scenario_backup_merge_repair() {
  make_vault
  mkdir "$work/backups"
  cp "$vault" "$work/copy.quickvault"
  vault=$work/copy.quickvault converse "$(request 1 session/unlock '{"password":"'"$password"'"}')" \
    "$(request 2 card/create '{"title":"From the copy","group":"personal","type":"text","fields":{"text":"x"}}')" >"$work/made"
  if grep -q '"error"' "$work/made"; then complain "$(<"$work/made")"; fi
  open_vim
  open_list
  command_line "QuickVaultBackup -keep=3 $work/backups"
  see 'Written: '
  expect "$(find "$work/backups" -name '*.quickvault' | wc -l)" 1 'backups'
  command_line "QuickVaultMerge $work/copy.quickvault"
  see 'Master password of the copy:'
  type_line "$password"
  see 'Merged\.  Added: 1, changed: 0, deleted: 0, kept twice: 0'
  see 'From the copy'
  command_line 'QuickVaultRepair'
  see 'keep every record that opens'
  press r
  see 'Password:'
  type_line "$password"
  see 'The vault is whole; nothing was changed' 60
}

# R22: sample cards in a vault apart from one's own, and back.
scenario_demo() {
  make_vault
  open_vim
  open_list
  press Enter
  see 'Door code'
  command_line 'QuickVaultDemo'
  see 'These are sample cards; nothing of this stays'
  see '[0-9]+ cards'
  see_gone 'Meeting room'
  see_gone 'Door code'
  press L
  see 'Locked\. <CR>'
  press Enter
  see 'sample cards: demo demo.*Password:'
  type_line 'demo demo'
  see '[0-9]+ cards'
  command_line 'QuickVaultDemo'
  see 'The sample cards are gone'
  see_gone '[0-9]+ cards'
  open_list
  see 'Meeting room'
}
