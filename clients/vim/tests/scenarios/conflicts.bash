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
  see '1/2$'
  see '^All conflicts'
}

# Shows the conflict of a card.
show_conflict() { # title
  type_line ':call search("^[> ] '"$1"'", "w")'
  press Enter
  see "^$1  [12]/2"
}

# S: the page has both sides of what differs, nothing else, and concealed values only if they are revealed.
scenario_conflicts_are_shown() {
  open_conflicts
  show_conflict 'Meeting room'
  see '^This card was changed in two places; both versions were kept'
  see '^-  the card, modified 20'
  see '^\+  the conflict copy, modified 20'
  see '^-  Floor 14'
  see '^-  by the stairs'
  see '^\+  Floor 13'
  see '^-  office'
  see '^\+  \(none\)'
  see '^Door code:'
  see '^-  ••••••• \(concealed\)|^-  •••••••• \(concealed\)'
  see_gone 'hidden|^Group:|^Pinned:|^Attachments:'
  expect "$(evaluate 'join(getline(1, "$")) =~# "hidden"')" 0 'concealed values in the buffer'
  press x
  see '^-  4712-hidden'
  see '^\+  4711-hidden'
  press x
  see_gone 'hidden'
  press '?'
  see 'K +keep the card, and delete the conflict copy'
  see '<S-Tab> +show the previous'
  press Enter
  press Tab
  see '^Harbor 开票  [12]/2'
  see '^-  0755-22222222'
  see_gone 'Floor'
  press Tab
  see '^Meeting room  [12]/2'
  # What differs is shown again after a lock, without the concealed values.
  press x
  see '4712-hidden'
  press L
  see '^Locked\. Press <CR>'
  see_gone 'Floor|hidden|Meeting'
  press K
  see 'Master password:'
  type_line "$password"
  see 'Floor 14|0755-22222222'
  see_gone 'hidden'
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
  show_conflict 'Harbor 开票'
  press_until_seen K 'Keep the card "Harbor 开票" and delete its conflict copy\?'
  press n
  see_gone 'delete its conflict copy'
  see '^Harbor 开票  [12]/2'
  press K
  see 'delete its conflict copy\?'
  press y
  see 'Deleted\. Press u to restore it'
  see '^Meeting room  1/1'
  expect "$(values_of 'Harbor 开票' phone)" 0755-22222222 'the card that was kept'
  press u
  see '^All conflicts'
  show_conflict 'Harbor 开票'
  press_until_seen C 'Keep the conflict copy and delete the card "Harbor 开票"\?'
  press y
  see '^Meeting room  1/1'
  expect "$(values_of 'Harbor 开票' phone)" 0755-11111111 'the copy that was kept'
  press C
  see 'delete the card "Meeting room"\?'
  press y
  see '^No card exists in two versions'
  see '^R looks again'
  expect "$(values_of 'Meeting room' text)" 'Floor 13' 'the other copy'
  command_line 'tabfirst'
  see '2 cards'
  press u
  see '3 cards'
}

# S: both stay as two cards.
scenario_conflicts_keep_both() {
  open_conflicts
  show_conflict 'Meeting room'
  press B
  see '^Harbor 开票  1/1'
  see_gone 'All conflicts'
  expect "$(values_of 'Meeting room' text)" 'Floor 13; Floor 14 by the stairs' 'both versions'
}

# S: the card is edited beside its copy, as a diff; then K resolves it.
scenario_conflicts_merge() {
  open_conflicts
  show_conflict 'Meeting room'
  press e
  see 'Title: Meeting room.*Title: Meeting room'
  see 'Floor 14.*Floor 13'
  command_line 'wincmd l | call search("Door code") | QuickVaultReveal'
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
  see '^Meeting room  [12]/2'
  see_gone 'Floor'
  see '^-  office'
  press K
  see 'delete its conflict copy\?'
  press y
  see '^Harbor 开票  1/1'
  expect "$(values_of 'Meeting room' text)" 'Floor 13' 'the merged card'
}

# R8: before the page is loaded nothing can be changed, no key settles anything, and none acts in another buffer.
scenario_conflicts_keys_before_loading() {
  open_conflicts
  command_line 'quit'
  local server
  server=$(evaluate 'quickvault#server#process_id()')
  kill -STOP "$server"
  command_line 'tab QuickVaultConflicts'
  see 'Loading'
  expect "$(evaluate '&modifiable')" 0 'the page can be changed while it loads'
  press K
  press B
  press C
  see 'Loading'
  kill -CONT "$server"
  see '1/2$'
  command_line 'new'
  expect "$(evaluate 'join(map(split("K C B e x u"), {_, key -> empty(maparg(key, "n"))}), "")')" 111111 'keys in another buffer'
  command_line 'quit'
  see '1/2$'
}

# S: the card changes during the question: nothing is deleted.
scenario_conflicts_change_during_the_question() {
  open_conflicts
  show_conflict 'Meeting room'
  local change
  change="quickvault#server#wait('card/update', {'id': '$(made_id 3)', 'fields': {'text': 'Floor 15'}}, 60000)"
  cat >"$work/change.vim" <<VIM
function! ChangeOnce(timer) abort
  if filereadable('$work/asked')
    call timer_stop(a:timer)
    call $change
    call quickvault#buffers#refresh_changed({'changed': ['$(made_id 3)']})
  endif
endfunction
call timer_start(50, 'ChangeOnce', {'repeat': -1})
VIM
  command_line "source $work/change.vim"
  press K
  see 'delete its conflict copy\?'
  touch "$work/asked"
  see '^-  Floor 15'
  see 'delete its conflict copy\?'
  press y
  see 'Meanwhile this conflict has changed'
  see '^Meeting room  [12]/2'
}
