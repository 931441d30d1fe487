# Names of buffers.
# shellcheck shell=bash disable=SC2154

# R12: a page keeps its name, so that a lock blanks it, and a form can still be saved.
scenario_names_stay() {
  make_vault
  open_vim
  open_list
  press Enter
  see 'Door code'
  command_line "saveas $work/page.txt"
  see 'Only forms can be written to the vault'
  command_line 'file other'
  press e
  see '# Text\.'
  type_text 'Goadded'
  press Escape
  command_line "saveas $work/form.txt"
  see 'Changes saved'
  command_line '0file'
  expect "$(evaluate 'len(filter(getbufinfo({"bufloaded": 1}), "v:val.name =~# \"^quickvault://\""))')" 2 'vault buffers'
  command_line 'QuickVaultLock'
  see 'Locked\. Press <CR>'
  see_gone 'Meeting room|Floor 12|added'
  [[ ! -e $work/page.txt && ! -e $work/form.txt ]] || complain 'a file was written'
}

# An ordinary buffer cannot be written into the vault.
scenario_names_of_others() {
  make_vault
  echo 'CANARY-QV70 line' >"$work/ordinary.txt"
  open_vim "$work/ordinary.txt"
  command_line 'write! quickvault://new/text'
  see 'Only forms can be written to the vault'
  see_gone 'E121'
}
