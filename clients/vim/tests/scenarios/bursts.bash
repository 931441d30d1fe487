# Keys that arrive in one burst act on what the screen would show by then, or on nothing.
# shellcheck shell=bash disable=SC2154

# Opens the list of a vault with this many texts. Their titles have letters, and each its own value.
open_many() { # number
  local table
  table=$(
    echo title,type,group,text
    awk -v count="$1" 'BEGIN { for (n = 1; n <= count; n++) printf "Shelf %d,text,company,content %d\n", n, n }'
    echo 'gsfp,text,personal,the one'
    echo 'Zeta home,text,personal,one home'
    echo 'Zeta office,text,personal,another home'
  )
  open_vault "$(request 9 vault/import '{"data":"'"$(base64 -w 0 <<<"$table")"'","format":"csv"}')"
}

burst() { # keys
  tmux_here send-keys -t main -l "$1"
}

# Expects that a text like this is copied.
expect_copy() { # pattern
  local copied
  await has_copied
  [[ $copied =~ ^($1)$ ]] || complain "copied: $copied instead of $1"
}

has_copied() {
  copied=$(evaluate '@" . execute("let @\" = \"\"")')
  [[ -n $copied ]]
}

id_of() { # title
  evaluate 'filter(copy(b:quickvault.items), {_, item -> item.card.title ==# "'"$1"'"})[0].card.id'
}

# N, R7, R18: what is typed right after a search is about its results.
scenario_bursts_after_a_search() {
  open_many 10000
  burst $'/gsfp\rw'
  expect_copy 'the one'
  burst $'/\025Shelf 1999\re'
  see '^Title: Shelf 1999$'
  command_line 'close'
  burst $'/\025Zeta\rd'
  see 'Delete "Zeta'
  press k
  burst $':QuickVaultSearch Shelf 1234\rw'
  expect_copy 'content 1234'
  # A motion is one in the results, too.
  burst $'/\025title:Zeta\rGw'
  expect_copy "$(evaluate 'getline("$") =~# "home" ? "one home" : "another home"')"
  burst $'/\025\rgg'
  see '10005 cards|of 10005'
  burst $'t税务\rw'
  expect_copy '.*91440300MA5FA6HQ2E.*'
  burst $'t\r'
  see 'of 10005'
  # From the column of titles, the last card in their order.
  burst $'gg/\025\r5G4lss'
  see 'Title↓'
  burst 'w'
  expect_copy 'another home'
}

# R7, R16: leaving a search restores the list: its rows, and the place in it.
scenario_bursts_left_search() {
  open_many 1500
  burst 'GkkkmaH'
  see 'QuickVault|Shelf'
  local before
  before=$(evaluate 'quickvault#list#card().title . line(".") . line("w0") . line("$")')
  burst '/Zeta'
  see 'Title: Zeta home'
  press Escape
  see_gone 'Title: Zeta home'
  expect "$(evaluate 'quickvault#list#card().title . line(".") . line("w0") . line("$")')" "$before" 'the list after <Esc>'
  burst '/Zeta'
  see 'Title: Zeta home'
  press Escape
  burst w
  # Cards of one import have no order of their own, so any card can be here.
  expect_copy "$(evaluate 'quickvault#server#wait("card/copy", {"id": quickvault#list#card().id}, 60000)[1].text')"
}

# N: a key that has found another card on its line, because another program has deleted the one that was there, does nothing.
scenario_bursts_and_other_programs() {
  share
  open_many 30
  open_other
  ask_other "$(request 1 session/unlock '{"password":"'"$password"'"}')"
  command_line 'call search("Shelf 20 ")'
  ask_other "$(request 2 card/delete '{"id":"'"$(id_of 'Shelf 20')"'"}')"
  see_gone 'Shelf 20 '
  burst 'w'
  see 'This line has changed'
  see_gone 'This line has changed'
  # Cards of one import have no order of their own.
  local here
  here=$(evaluate 'quickvault#server#wait("card/copy", {"id": quickvault#list#card().id}, 60000)[1].text')
  burst 'w'
  expect_copy "$here"
  # The cursor stays on its card when others come above it.
  command_line 'call search("Shelf 7 ")'
  ask_other "$(request 2 card/create '{"title":"New","group":"personal","type":"text","pinned":true,"fields":{"text":"x"}}')"
  see '^\*  New '
  burst 'w'
  expect_copy 'content 7'
  exec 3>&-
}

# R1, R16: the second of two keys in a burst is about what the first has done.
scenario_bursts_of_changes() {
  open_many 5
  command_line 'call search("Shelf 3")'
  burst 'pp'
  see '^   Shelf 3 '
  await is_unpinned
  burst 'ppp'
  see '^\*  Shelf 3 '
  command_line 'call search("Shelf 5 ")'
  local next
  next=$(evaluate 'quickvault#server#wait("card/copy", {"id": b:quickvault.ids[line(".")]}, 5000)[1].text')
  press d
  see 'Delete "Shelf 5"'
  burst 'dw'
  expect_copy "$next"
}

is_unpinned() { [[ $(evaluate 'getline(".")') == '   Shelf 3 '* ]]; }

# R8: keys that are typed while a page loads are about what it shows then.
scenario_bursts_while_pages_load() {
  open_many 5
  command_line 'call search("Meeting")'
  burst $'\rw'
  expect_copy 'Floor 12.*'
  command_line 'only'
  lock
  press Enter
  see 'Master password:$'
  burst "$password"$'\rjw'
  expect_copy '.+'
}
