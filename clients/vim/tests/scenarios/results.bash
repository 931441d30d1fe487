# What is said before and after an operation on the whole vault.
# shellcheck shell=bash disable=SC2154

# R14, R17: an export says what the file will not have before it asks for anything, and what it does not have afterwards.
scenario_results_of_an_export() {
  make_vault "$(request 9 card/create '{"title":"Home","group":"personal","type":"address","fields":{"name":"Li","phone":"13800138000","province":"广东省","city":"深圳市","district":"南山区","address":"1"}}')"
  open_vim
  open_list
  command_line "QuickVaultExport vcard $work/out.vcf"
  see 'will not have: 2 card.s. that are no addresses, concealed values\. The file will not be encrypted'
  press c
  see_gone 'will not have'
  [[ ! -e $work/out.vcf ]] || complain 'written without confirmation'
  command_line "QuickVaultExport csv $work/out.csv"
  see '^The file will not be encrypted'
  press c
  command_line "QuickVaultExport vcard $work/out.vcf"
  see 'will not have'
  press w
  see 'Master password:'
  type_line "$password"
  see 'Wrote .*out\.vcf\.  Without: cards: 2, attachments: 0, damaged: 0'
  expect "$(evaluate 'execute("messages") =~# "Wrote .*Without: cards: 2"')" 1 'the result in :messages'
  press L
  see 'Locked\. Press <CR>'
  expect "$(evaluate 'execute("messages") =~# "Wrote"')" 0 ':messages after a lock'
}

# R17: an error about a file names it.
scenario_results_name_the_file() {
  make_vault
  echo 'no vault' >"$work/other.quickvault"
  open_vim
  open_list
  local words
  for words in "Import $work/nosuch.csv" "Import $work/other.quickvault" "Merge $work/nosuch.csv" "Merge $work/other.quickvault" "Backup /proc/nosuch"; do
    command_line "QuickVault$words"
    see "^$(basename "${words#* }"): "
    expect "$(evaluate "execute('messages clear')")" '' 'messages'
  done
  # The directory of a file is looked for before anything is asked.
  command_line "QuickVaultExport csv $work/nosuch/out.csv"
  see 'nosuch: there is no such directory'
  see_gone 'encrypted'
}

# R8: nothing is asked if there is nothing to do.
scenario_results_without_questions() {
  make_vault
  open_vim
  open_list
  command_line 'QuickVaultFingerprint off'
  see 'Fingerprint unlock is off on this device'
  command_line 'QuickVaultFingerprint on'
  see 'Fingerprint unlock is not available here'
  press Enter
  see_gone 'not available'
  command_line 'QuickVaultRepair'
  see 'The vault is intact; nothing was changed'
  command_line 'QuickVaultAccount'
  see 'e signs in'
  local key
  for key in D X; do
    command_line 'echo "-"'
    press "$key"
    see '^Account: not signed in.*…$'
    if screen | grep -q 'Sign out?\|file name'; then complain "a question after $key"; fi
  done
}
