# Cards that were changed in two places.
# shellcheck shell=bash disable=SC2154

# Prints the id of the card that make_vault created with a request.
made_id() { # request
  sed -n 's/.*"id":'"$1"',"result":{"card":{"id":"\([^"]*\)".*/\1/p' "$work/made"
}

# Changes a card of a vault or of its copy, which is on a machine of its own.
change_card() { # vault id parameters
  local vault=$1
  local -x XDG_STATE_HOME=${1%.quickvault}-state
  converse "$(request 1 session/unlock '{"password":"'"$password"'"}')" "$(request 2 card/update '{"id":"'"$2"'",'"$3"'}')" >"$work/changed"
  if grep -q '"error"' "$work/changed"; then complain "not changed: $(<"$work/changed")"; fi
}

# Merges the copy.
merge_copy() {
  command_line "QuickVaultMerge $work/copy.quickvault"
  answer_qv
  leave_view
}

# Opens Vim, merges a copy in which both cards were changed differently and later, and opens the page.
open_conflicts() {
  make_vault
  cp "$vault" "$work/copy.quickvault"
  change_card "$vault" "$(made_id 3)" '"fields":{"text":"Floor 13"}'
  change_card "$vault" "$(made_id 2)" '"fields":{"phone":"0755-11111111"}'
  change_card "$work/copy.quickvault" "$(made_id 3)" \
    '"fields":{"text":"Floor 14\nby the stairs"},"tags":["office"],"extraFields":[{"label":"Door code","value":"4712-hidden","concealed":true}]'
  change_card "$work/copy.quickvault" "$(made_id 2)" '"fields":{"phone":"0755-22222222"}'
  open_vim
  open_list
  merge_copy
  see '4 cards'
  command_line 'tab QuickVaultConflicts'
  see '^Cards that were changed in two places; both versions were kept: 2'
}

# Goes to the conflict of a card.
go_to_conflict() { # title
  type_line ':call search("^'"$1"'", "w")'
}

# Prints a value of each card with a title.
values_of() { # title field
  local ids="map(quickvault#server#wait('card/list', {'title': '$1'}, 60000)[1].items, 'v:val.id')"
  local cards="map($ids, {_, id -> quickvault#server#wait('card/get', {'id': id}, 60000)[1].card})"
  local values="map($cards, {_, card -> filter(card.fields, 'v:val.key ==# \"$2\"')[0].value})"
  evaluate "tr(join(sort($values), '; '), \"\\n\", ' ')"
}

# S: the card or the copy stays; what is deleted comes back with u.
scenario_conflicts_keep_one() {
  open_conflicts
  go_to_conflict 'Harbor 开票'
  press_until_seen K 'Keep the card "Harbor 开票" and delete its conflict copy\?'
  press n
  see_gone 'delete its conflict copy'
  press K
  see 'delete its conflict copy\?'
  press y
  see 'Deleted\. Press u to restore it'
  see 'versions were kept: 1'
  expect "$(values_of 'Harbor 开票' phone)" 0755-22222222 'the card that was kept'
  press u
  see 'versions were kept: 2'
  go_to_conflict 'Harbor 开票'
  press_until_seen C 'Keep the conflict copy and delete the card "Harbor 开票"\?'
  press y
  see 'versions were kept: 1'
  expect "$(values_of 'Harbor 开票' phone)" 0755-11111111 'the copy that was kept'
  go_to_conflict 'Meeting room'
  press B
  see '^No card exists in two versions'
  expect "$(values_of 'Meeting room' text)" 'Floor 13; Floor 14 by the stairs' 'both versions'
}

# S: the card is shown and edited beside its copy, as a diff, with what a form does not show; then K resolves it.
scenario_conflicts_merge() {
  open_conflicts
  press L
  see '^Locked\. Press <CR>'
  see_gone 'Meeting'
  press K
  give_password
  see 'versions were kept: 2'
  go_to_conflict 'Meeting room'
  press Enter
  see 'Title: Meeting room.*Title: Meeting room'
  see 'Floor 14.*Floor 13'
  see '# Also different: Door code'
  expect_in_no_buffer hidden
  command_line 'wincmd l | call search("Door code:") | QuickVaultReveal'
  see '\*Door code: •.*\*Door code: 4711-hidden'
  command_line 'QuickVaultReveal'
  see_gone 'hidden'
  command_line 'wincmd h'
  type_line ':call search("^Floor 14")'
  type_text 'do'
  see 'Floor 13.*Floor 13'
  type_line ':w'
  see 'saved'
  see_gone 'Title: Meeting room.*Title: Meeting room'
  command_line 'quit'
  see_gone 'Title: '
  press K
  see 'delete its conflict copy\?'
  press y
  see 'versions were kept: 1'
  expect "$(values_of 'Meeting room' text)" 'Floor 13' 'the merged card'
}

# R8: before the page is loaded nothing can be changed, no key settles anything, and none acts in another buffer.
scenario_conflicts_keys_before_loading() {
  open_conflicts
  command_line 'quit'
  find_server
  kill -STOP "$server"
  command_line 'tab QuickVaultConflicts'
  see 'Loading'
  press B
  see 'Loading'
  kill -CONT "$server"
  see 'versions were kept: 1'
  command_line 'new'
  expect "$(evaluate 'join(map(split("K C B e u"), {_, key -> empty(maparg(key, "n"))}), "")')" 11111 'keys in another buffer'
}

# S: the card changes during the question: nothing is deleted.
scenario_conflicts_change_during_the_question() {
  open_conflicts
  go_to_conflict 'Meeting room'
  press K
  see 'delete its conflict copy\?'
  change_card "$vault" "$(made_id 3)" '"fields":{"text":"Floor 15"}'
  press y
  see 'Meanwhile this conflict has changed'
  see 'versions were kept: 2'
}
