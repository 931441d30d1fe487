# Drives Vim in a terminal: types keys, and reads the screen until it shows the expected text or the deadline passes.
# shellcheck shell=bash disable=SC2154,SC2034,SC2119,SC2120

password='correct horse 马'
# Seconds, on a machine that is busy with other things too.
deadline=60

terminal=t0

tmux_here() {
  tmux -L "$terminal" -f /dev/null "$@"
}

close_terminals() {
  local socket
  for socket in "$TMUX_TMPDIR"/tmux-*/t*; do
    [[ -S $socket ]] || continue
    tmux -S "$socket" kill-server 2>/dev/null || true
    rm -f "$socket"
  done
}

# Creates a directory for a scenario, with a home directory and directories for Vim's own files.
begin() { # name
  work=$root/${editor:0:1}/$1
  # Beside it, because a scenario may search all of its files.
  export TMUX_TMPDIR=$work.terminals HOME=$work/home XDG_RUNTIME_DIR=$work/run
  mkdir -p "$work"/{home,swap,undo,backup} "$TMUX_TMPDIR"
  vault=$work/vault.quickvault
  mkfifo "$work.never"
  exec {never}<>"$work.never"
  cat >"$work/vimrc" <<VIM
set nocompatible hidden undofile backup writebackup swapfile updatecount=1 updatetime=100 history=1000
set directory=$work/swap// undodir=$work/undo backupdir=$work/backup viminfo='100,<1000,s1000,h,:1000,@1000,/1000
set ruler laststatus=2 noshowcmd mouse= ttimeout ttimeoutlen=50
" Plug-ins of this machine stay out.
set runtimepath=\$HOME/.vim,\$HOME/.local/share/nvim/site,\$VIMRUNTIME
let &packpath = &runtimepath
set runtimepath^=$QUICKVAULT_TEST_PLUGIN
let g:quickvault_program = '$QUICKVAULT_PROGRAM'
let g:quickvault_vault = '$vault'
let g:quickvault_alert_seconds = 3
let g:quickvault_shared = 0
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

# Creates the vault that make_vault copies.
prepare_vault() {
  converse \
    "$(request 1 vault/create '{"password":"'"$password"'","kdf":{"algorithm":"pbkdf2-hmac-sha256","iterations":100000}}')" \
    "$(request 2 card/create '{"title":"Harbor 开票","group":"company","type":"invoice","tags":["税务"],"fields":{"companyName":"深圳Harbor信息有限公司","taxId":"91440300MA5FA6HQ2E","address":"南山区88号","phone":"0755-26543210","bankName":"招商银行深圳分行","bankAccount":"7559123456789012"}}')" \
    "$(request 3 card/create '{"title":"Meeting room","group":"company","type":"text","fields":{"text":"Floor 12, left of the lift."},"extraFields":[{"label":"Door code","value":"4711-hidden","concealed":true}]}')" \
    >"$work/made"
  expect_no_error "$work/made"
}

expect_no_error() { # file
  if grep -q '"error"' "$1"; then complain "$(<"$1")"; fi
}

# Makes a vault with two cards, without Vim; more requests may follow.
make_vault() {
  local prepared=$root/v/prepare_vault
  mkdir -p "$HOME/.local/state"
  cp -R "$prepared/home/.local/state/." "$HOME/.local/state"
  cp "$prepared"/{vault.quickvault,made} "$work"
  if (($# > 0)); then
    converse "$(request 1 session/unlock '{"password":"'"$password"'"}')" "$@" >>"$work/made"
    expect_no_error "$work/made"
  fi
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
  give_password
  see '[0-9]+ cards'
}

open_vault() { # requests...
  make_vault "$@"
  open_vim
  open_list
}

give_password() {
  see 'Master password:$'
  type_line "$password"
}

lock() {
  command_line 'QuickVaultLock'
  see 'Locked\. Press <CR>'
}

unlock_again() {
  press Enter
  give_password
}

# Opens the form of the text under the cursor of the list.
edit_text() {
  press e
  see '# Text\.'
}

# Sets $server to the process of the editor's program.
find_server() {
  server=$(evaluate 'quickvault#server#process_id()')
}

# Leaves the vault shared, as it is without an option, with the service of this scenario.
share() {
  export XDG_RUNTIME_DIR=$work
  sed -i '/quickvault_shared/d' "$work/vimrc"
}

# Edits the card under the cursor of the list, and leaves the form unsaved.
type_into_form() {
  edit_text
  type_text 'Gotyped before'
  press Escape
}

# Whether the server has the draft of the form, with a text: it has answered a request that was sent after that.
draft_is_sent() { # text
  [[ $(evaluate "stridx(get(b:quickvault, 'draft', ''), '$1') >= 0") == 1 ]] &&
    [[ $(evaluate "empty(quickvault#server#wait('vault/status', {}, 60000)[0])") == 1 ]]
}

# Lets Vim lock the vault as soon as there is the file "lock".
lock_when_told() {
  local lock="delete('$work/lock') == 0 ? quickvault#server#request('session/lock', {}, {_, __ -> 0}) : 0"
  command_line "call timer_start(50, {-> $lock}, {'repeat': -1})"
}

press() { # tmux key names
  note press "$@"
  tmux_here send-keys -t main "$@"
}

type_text() {
  note type "$1"
  tmux_here send-keys -t main -l -- "$1"
}

# Vim loses an Enter that arrives together with a number, where a callback asks for one.
type_line() {
  if [[ $1 == [0-9] ]]; then
    type_text "$1"
    see ": *$1\$"
    press Enter
    return
  fi
  note type "$1" and Enter
  tmux_here send-keys -t main -l -- "$1" \; send-keys -t main Enter
}

# Runs an Ex command from any mode.
command_line() {
  press Escape
  type_line ":$1"
}

screen() {
  tmux_here capture-pane -p -t main
}

# Writes a step to the log, with the time since the start of the scenario.
note() { # words
  local milliseconds=$(((${EPOCHREALTIME/./} - started) / 1000))
  printf '%3d.%03d %s\n' $((milliseconds / 1000)) $((milliseconds % 1000)) "$*" >&2
}

# Ends the scenario with a message and the screen, without the lines where it is empty.
complain() { # message
  echo "${FUNCNAME[*]:1:3}: $1; the screen:" >&2
  screen | grep -v '^~\?$' >&2 || true
  exit 1
}

# Waits for a command to succeed.
await() { # command...
  try "never came true: $*" "$@"
}

# Waits until the screen shows a pattern.
see() { # pattern
  note see "$1"
  try "never seen: $1" shows "$1"
}

# Waits until the screen no longer shows a pattern.
see_gone() { # pattern
  note see gone "$1"
  try "still there: $1" hides "$1"
}

# Tries a command until it succeeds, at first often.
try() { # complaint command...
  local complaint=$1 end=$((SECONDS + deadline)) pause=10
  shift
  until "$@"; do
    ((SECONDS < end)) || complain "$complaint"
    # Nothing is ever written there.
    read -rt "0.0$pause" -u "$never" || true
    if ((pause < 60)); then pause=$((pause * 3 / 2)); fi
  done
}

shows() { # pattern
  local - IFS=$'\n' line
  set -f
  for line in $(exec tmux -L "$terminal" capture-pane -p -t main); do [[ $line =~ $1 ]] && return 0; done
  return 1
}

hides() { # pattern
  ! shows "$1"
}

# Presses a key, once a second, until the screen shows a pattern. Vim takes two CTRL-C that arrive together as one.
press_until_seen() { # key pattern
  local pressed=0
  try "never seen: $2" holds_or_press "$1" shows "$2"
}

# Presses a key now and then until a pattern is gone.
press_until_gone() { # key pattern
  local pressed=0
  try "still there: $2" holds_or_press "$1" hides "$2"
}

# Presses a key, once a second.
press_for_seconds() { # seconds key
  local pressed=0
  try "not pressed for $1 s" holds_or_press "$2" is_past $((EPOCHSECONDS + $1))
}

is_past() { # time
  ((EPOCHSECONDS > $1))
}

holds_or_press() { # key command...
  local key=$1
  shift
  "$@" && return 0
  if ((EPOCHSECONDS > pressed)); then
    press "$key"
    pressed=$EPOCHSECONDS
  fi
  return 1
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
