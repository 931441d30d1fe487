# Damage: what it is, in words, and the repair.
# shellcheck shell=bash disable=SC2154

# R10: a row deleted from the file is told at the unlock, by the page of the check, and repaired from there.
scenario_damage() {
  make_vault
  /usr/bin/python3 -c 'import sqlite3, sys
database = sqlite3.connect(sys.argv[1])
database.execute("DELETE FROM card WHERE number = (SELECT min(number) FROM card)")
database.commit()' "$vault"
  open_vim
  type_line ':QuickVault'
  see 'Master password:$'
  type_line "$password"
  see 'The vault is damaged'
  see '1 card'
  command_line 'tab QuickVaultVerify'
  see '^The vault is damaged\.  Unreadable records: 0, cards: 1'
  see '^- Records were changed, removed, added or put back'
  see '^:QuickVaultRepair repairs the vault'
  press L
  see_gone 'Records were changed'
  press Enter
  see 'Master password:'
  type_line "$password"
  see '^- Records were changed'
  command_line 'QuickVaultRepair'
  see 'keep every readable record\?'
  press r
  see 'Master password:'
  type_line "$password"
  see '^The vault is repaired\.  Cards kept: 1, records dropped: 0, cards missing: 1\.'
  press R
  see 'The vault is intact\.  Cards: 1'
}
