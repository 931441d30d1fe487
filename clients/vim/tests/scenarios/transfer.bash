# Import, export, backup, merge, repair, and the demo.
# shellcheck shell=bash disable=SC2154

# R14, R23: the preview; changing the target of a column; skipping invalid entries.
scenario_import() {
  make_vault
  printf '%s\n' 'Title,Notizen,Group' 'Imported one,first text,company' 'Imported two,second text,company' ',,' >"$work/cards.csv"
  open_vim
  open_list
  command_line "QuickVaultImport $work/cards.csv"
  see 'cards.csv'
  see 'csv, utf-8\.  Entries: [23]; importable: [0-9]'
  see 'Notizen → '
  see 'Import [0-9]+ cards'
  press a
  see 'Change which column\?'
  type_line 2
  see 'Import column Notizen as:'
  press C-u
  type_text 'te'
  press Tab
  see 'Import column Notizen as: text'
  press Enter
  see 'Notizen → text'
  see 'importable +Imported one'
  see 'Import 2 cards'
  press c
  see_gone 'Import 2 cards'
  see 'QuickVault  2 cards$'
  command_line "QuickVaultImport -format=csv $work/cards.csv"
  see 'Import [0-9]+ cards'
  press i
  see 'Entries: [23]; imported: 2,'
  see 'imported +Imported one'
  see 'QuickVault  4 cards$'
  press L
  see_gone 'Imported one'
  command_line 'QuickVaultImport /nowhere.csv'
  see 'Master password:'
  type_line "$password"
  see 'nowhere\.csv: There is no such file or directory'
  command_line "edit $work/cards.csv"
  command_line 'QuickVaultImport %'
  see 'Entries: [23]; importable: 0'
  command_line "let \$CARDS = '$work' | new"
  command_line 'QuickVaultImport $CARDS/cards.csv'
  see_gone 'no such file'
  see 'Entries: [23]; importable: 0'
  local command
  for command in Import ImportLines Backup ExportAttachment; do
    command_line "QuickVault$command -wrong$command $work/cards.csv"
    see "There is no option \"-wrong$command"
  done
}

# R14: lines of a buffer are imported without a file.
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
  see 'QuickVault  3 cards$'
}

# R14: an unencrypted export, after confirmation and the password.
scenario_export() {
  make_vault
  open_vim
  open_list
  command_line "QuickVaultExport csv $work/out.csv"
  see 'will not be encrypted'
  press c
  see_gone 'will not be encrypted'
  [[ ! -e $work/out.csv ]] || complain 'written without confirmation'
  command_line 'QuickVaultExport'
  see '4. markdown'
  type_line 1
  see 'Write to: quickvault.json'
  press C-u
  type_line "$work/out.json"
  see 'will not be encrypted'
  press w
  see 'Master password:'
  type_line 'wrong password'
  see 'Wrong password.*Master password:'
  type_line "$password"
  await test -e "$work/out.json"
  grep -q 'Meeting room' "$work/out.json" || complain 'no card in the file'
  expect "$(stat -c %a "$work/out.json")" 600 'mode of the file'
  command_line "QuickVaultExport vcard $work/out.vcf"
  see 'will not be encrypted'
  press w
  see 'Master password:'
  type_line "$password"
  see 'Wrote .*out\.vcf\.  Without: cards: [12], attachments: 0, damaged: 0'
  command_line 'QuickVaultExport yaml'
  see 'Unknown format "yaml". Use one of: json, csv'
}

# R14: a backup, merging a copy changed elsewhere, and repairing an intact vault.
scenario_backup_merge_repair() {
  make_vault
  mkdir "$work/backups"
  cp "$vault" "$work/copy.quickvault"
  # Another machine changes the copy, so this one remembers nothing of it.
  XDG_STATE_HOME=$work/elsewhere vault=$work/copy.quickvault converse "$(request 1 session/unlock '{"password":"'"$password"'"}')" \
    "$(request 2 card/create '{"title":"From the copy","group":"personal","type":"text","fields":{"text":"x"}}')" >"$work/made"
  if grep -q '"error"' "$work/made"; then complain "$(<"$work/made")"; fi
  open_vim
  open_list
  command_line "QuickVaultBackup -keep=3 $work/backups"
  see 'Wrote '
  expect "$(find "$work/backups" -name '*.quickvault' | wc -l)" 1 'backups'
  command_line "QuickVaultMerge $work/copy.quickvault"
  see 'Merged\.  Added: 1, changed: 0, deleted: 0, kept in both versions: 0'
  see 'From the copy'
  command_line 'QuickVaultRepair'
  see 'The vault is intact; nothing was changed' 60
}

# R22: the demo in its own vault, and back.
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
