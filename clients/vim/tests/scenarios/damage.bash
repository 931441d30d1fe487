# Damage.
# shellcheck shell=bash disable=SC2154

change_database() { # SQL
  /usr/bin/python3 -c 'import sqlite3, sys
with sqlite3.connect(sys.argv[1]) as database:
    database.execute(sys.argv[2])' "$vault" "$1"
}

# R10: a row deleted from the file is told at the unlock.
scenario_damage() {
  make_vault
  change_database 'DELETE FROM card WHERE number = (SELECT min(number) FROM card)'
  open_vim
  type_line ':QuickVault'
  see 'Master password:$'
  type_line "$password"
  see 'The vault is damaged'
  see '1 card'
}
