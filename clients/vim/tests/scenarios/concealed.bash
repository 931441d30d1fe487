# Concealed values in a form: what is drawn as concealed is, and nothing else; and nothing else completes from it.
# shellcheck shell=bash disable=SC2154

# R8, R21: a value of several lines is concealed with all of them, also around the message about a problem.
scenario_concealed_lines() {
  open_vault
  edit_text
  command_line 'setlocal noautoindent indentexpr='
  type_text '/Door'
  press Enter
  type_text 'o*Keys:'
  press Enter
  type_text '  first-key'
  press Enter Enter
  type_text '  second-key'
  press Enter
  type_text '*Keys: third-key'
  press Escape
  see_gone '(first|second|third)-key'
  type_line ':1/^Title/s/Meeting.*//'
  command_line 'write'
  see '# ✗ '
  see_gone '(first|second|third)-key'
}

# Prints the value of the only field of its own of the card in the form, and whether it is concealed.
stored_extra() {
  evaluate 'join(map(quickvault#server#wait("card/get", {"id": b:quickvault.id}, 60000)[1].card.extraFields, "v:val.label . \"=\" . v:val.value . (v:val.concealed ? \"*\" : \"\")"))'
}

expect_in_no_buffer() { # pattern
  expect "$(evaluate 'len(filter(getbufinfo(), "join(getbufline(v:val.bufnr, 1, \"$\")) =~# \"'"$1"'\""))')" 0 "buffers with $1"
}

# R8: a concealed value is not in the form; its mask saves it under another label, over a lock, and is typed over as a whole.
scenario_concealed_values_of_a_form() {
  open_vault
  press e
  see '^\*Door code: •'
  expect_in_no_buffer hidden
  type_line ':QuickVaultReveal'
  see 'no concealed value on this line'
  command_line '%s/Door code/Lift/ | write'
  see 'Changes saved'
  expect "$(stored_extra)" 'Lift=4711-hidden*' 'the value under another label'
  command_line 'call search("Lift")'
  type_text 'A4'
  press Escape
  command_line write
  see '# ✗ .*•••• stands for no stored value'
  type_text '0f:C: 5822-typed'
  press Escape
  see_gone '5822'
  await draft_is_sent 5822-typed
  lock
  unlock_again
  see '^\*Lift: •'
  see_gone 5822
  expect "$(stored_extra)" 'Lift=4711-hidden*' 'the value before it is saved'
  command_line write
  see 'Changes saved'
  expect_in_no_buffer 5822
  expect "$(stored_extra)" 'Lift=5822-typed*' 'the value typed over the mask'
  command_line '%s/^.Lift/Lift/ | write'
  see '^Lift: 5822-typed'
  expect "$(stored_extra)" 'Lift=5822-typed' 'the value that is concealed no longer'
}

complete_in_insert_mode() { # text
  type_text "o$1"
  press C-n C-n C-x C-l
  press Escape
}

# R20: completion in another buffer, in an ordinary one and in a form, does not show what is concealed, or revealed.
scenario_concealed_from_completion() {
  open_vault
  press e
  see '^\*Door code: •'
  command_line 'new'
  type_line ':set complete+=U,b,u,w'
  complete_in_insert_mode 47
  expect "$(evaluate 'getline(".")')" 47 'what was completed beside a form'
  expect "$(evaluate '&l:complete =~# "w" && &l:complete =~# "U"')" 1 "the user's option"
  command_line 'call win_gotoid(bufwinid("^quickvault://cards$"))'
  command_line 'call search("Harbor")'
  press e
  see '^Tax ID'
  type_text 'G'
  complete_in_insert_mode 47
  expect "$(evaluate 'getline(".")')" 47 'what was completed in another form'
  command_line 'edit! quickvault://cards | only'
  command_line 'call search("Meeting")'
  press Enter
  see 'Door code'
  press x
  see '4711-hidden'
  command_line 'new'
  complete_in_insert_mode 47
  expect "$(evaluate 'getline(".")')" 47 'what was completed beside a page'
}
