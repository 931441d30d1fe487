# Drives Vim in a terminal: types keys, and reads the screen until it shows the expected text or the deadline passes.
# shellcheck shell=bash disable=SC2154

password='correct horse 马'
deadline=20

terminal=t0

tmux_here() {
  tmux -L "$terminal" -f /dev/null "$@"
}

close_terminals() {
  local socket
  for socket in "$TMUX_TMPDIR"/tmux-*/t*; do
    tmux -S "$socket" kill-server 2>/dev/null || true
    rm -f "$socket"
  done
}

# Creates a directory for a scenario, with a home directory and directories for Vim's own files.  The other editor
# may still be exiting, and writes files then.
begin() { # name
  work=$root/${editor:0:1}/$1
  rm -rf "$work"
  mkdir -p "$work"/{home,swap,undo,backup}
  export HOME=$work/home
  vault=$work/vault.quickvault
  cat >"$work/vimrc" <<VIM
set nocompatible hidden undofile backup writebackup swapfile updatecount=1 updatetime=100 history=1000
set directory=$work/swap// undodir=$work/undo backupdir=$work/backup viminfo='100,<1000,s1000,h,:1000,@1000,/1000
set ruler laststatus=2 noshowcmd mouse=
set runtimepath^=$QUICKVAULT_TEST_PLUGIN
let g:quickvault_program = '$QUICKVAULT_PROGRAM'
let g:quickvault_vault = '$vault'
let g:quickvault_alert_seconds = 3
filetype plugin on
syntax on
VIM
}

# Sends lines of JSON-RPC to a separate process on the scenario's vault.
converse() {
  printf '%s\n' "$@" | "$QUICKVAULT_PROGRAM" --vault "$vault"
}

request() { # id method parameters
  printf '{"jsonrpc":"2.0","id":%s,"method":"%s","params":%s}' "$1" "$2" "$3"
}

# Creates a vault with two cards, without Vim; more requests may follow.
make_vault() {
  converse \
    "$(request 1 vault/create '{"password":"'"$password"'","kdf":{"algorithm":"pbkdf2-hmac-sha256","iterations":100000}}')" \
    "$(request 2 card/create '{"title":"Harbor 开票","group":"company","type":"invoice","tags":["税务"],"fields":{"companyName":"深圳Harbor信息有限公司","taxId":"91440300MA5FA6HQ2E","address":"南山区88号","phone":"0755-26543210","bankName":"招商银行深圳分行","bankAccount":"7559123456789012"}}')" \
    "$(request 3 card/create '{"title":"Meeting room","group":"company","type":"text","fields":{"text":"Floor 12, left of the lift."},"extraFields":[{"label":"Door code","value":"4711-hidden","concealed":true}]}')" \
    "$@" >"$work/made"
  if grep -q '"error"' "$work/made"; then cat "$work/made" >&2; exit 1; fi
}

# Opens Vim in a terminal of the type $term, if that is set.
open_vim() { # arguments...
  close_terminals
  open_another_vim "$@"
}

# Opens Vim in another terminal. $terminal is that of the keys and of the screen.
open_another_vim() { # arguments...
  local command
  printf -v command '%q ' "$editor" -u "$work/vimrc" -i "$work/viminfo" "$@"
  terminal=t$((${terminal#t} + 1)) # a new socket, because the last tmux server may still be exiting
  tmux_here new-session -d -x 110 -y 40 -s main \
    "env HOME=$HOME LC_ALL=$LC_ALL LANG=${LANG:-} TZ=UTC TERM=${term:-screen-256color} $command; echo; echo SHELL; exec tail -f /dev/null"
  see 'All|\[No Name\]|^~|SHELL'
}

# Opens the list and types the password.
open_list() {
  type_line ':QuickVault'
  see 'Master password:$'
  type_line "$password"
  see '[0-9]+ cards'
}

# Edits the card under the cursor of the list, and leaves the form unsaved.
type_into_form() {
  press e
  see '# Text\.'
  type_text 'Gotyped before'
  press Escape
}

# Whether the server has the draft of the form, with a text: it has answered a request that was sent after that.
draft_is_sent() { # text
  [[ $(evaluate "stridx(get(b:quickvault, 'draft', ''), '$1') >= 0") == 1 ]] &&
    [[ $(evaluate "empty(quickvault#server#wait('vault/status', {}, 5000)[0])") == 1 ]]
}

press() { # tmux key names
  tmux_here send-keys -t main "$@"
}

type_text() {
  tmux_here send-keys -t main -l -- "$1"
}

type_line() {
  type_text "$1"
  press Enter
}

# Runs an Ex command from any mode.
command_line() {
  press Escape
  type_line ":$1"
}

screen() {
  tmux_here capture-pane -p -t main
}

# Ends the scenario with a message and the screen.
complain() { # message
  echo "${FUNCNAME[*]:1:3}: $1; the screen:" >&2
  screen >&2
  exit 1
}

now() { date +%s; }

# Waits until the screen shows a pattern.
see() { # pattern [seconds]
  local end=$(($(now) + ${2:-$deadline}))
  until screen | grep -Eq -- "$1"; do
    (($(now) < end)) || complain "never seen: $1"
    sleep 0.03
  done
}

# Presses a key, once a second, until the screen shows a pattern. Vim takes two CTRL-C that arrive together as one.
press_until_seen() { # key pattern
  local end=$(($(now) + deadline)) pressed=0
  until screen | grep -Eq -- "$2"; do
    (($(now) < end)) || complain "never seen: $2"
    if (($(now) > pressed)); then
      press "$1"
      pressed=$(now)
    fi
    sleep 0.03
  done
}

# Waits until the screen no longer shows a pattern.
see_gone() { # pattern [seconds]
  local end=$(($(now) + ${2:-$deadline}))
  while screen | grep -Eq -- "$1"; do
    (($(now) < end)) || complain "still there: $1"
    sleep 0.03
  done
}

# Waits for a command to succeed.
await() { # command...
  local end=$(($(now) + deadline))
  until "$@"; do
    (($(now) < end)) || complain "never came true: $*"
    sleep 0.03
  done
}

# Prints the value of a Vim expression, through a file.
evaluate() { # expression
  rm -f "$work/value"
  command_line "call writefile([$1], '$work/value.new') | call rename('$work/value.new', '$work/value')"
  await test -e "$work/value"
  cat "$work/value"
}

expect() { # actual expected what
  [[ $1 == "$2" ]] || complain "$3: $1 instead of $2"
}
