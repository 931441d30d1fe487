# The conversation with the quickvault program: one message a line.
#
# `from` and `to` are its descriptors. In a session they are lent by the shell; else they belong to a process
# that is started here and ends with qv.

sequence=0 pending='' progress_text=''

require_programs() {
  local program
  for program in jq flock setsid stty; do
    command -v "$program" >/dev/null || fail "$status_program" needsProgram "$program"
  done
}

# Prints where the program is: QUICKVAULT_PROGRAM, else the one on the search path.
find_program() {
  type -P -- "${QUICKVAULT_PROGRAM:-quickvault}"
}

connect() {
  $session && return
  local program
  program=$(find_program) || explain_program
  set -- "$program"
  if [[ -n ${option[vault]-} ]]; then set -- "$@" --vault "${option[vault]}"; fi
  coproc SERVER { exec "$@" 2>/dev/null; }
  # Bash closes a coprocess's own descriptors in every subshell, and pipelines are subshells.
  # shellcheck disable=SC2153
  { exec {from}<&"${SERVER[0]}" {to}>&"${SERVER[1]}"; } 2>/dev/null || explain_program
  # shellcheck disable=SC2093  # closes descriptors, runs nothing
  exec {SERVER[0]}<&- {SERVER[1]}>&-
  greet "$$"
}

# Begins the conversation and checks that both sides speak the same protocol.
greet() {
  local version
  converse initialize "$(json_object processId: "$1" locale "$locale" clientInfo: \
    "$(json_object name qv version "$qv_version")")" || explain_program
  version=$(printf '%s' "$result" | jq -r '.protocolVersion // 0' 2>/dev/null) || version=0
  if [[ $kind != ok ]] || ((version < 1)); then fail "$status_program" programTooOld; fi
  ((version == 1)) || fail "$status_program" programTooNew
}

# Ends because there is no program to talk to, and says what can be known about it.
explain_program() {
  local program reason
  program=$(find_program) || fail "$status_program" programMissing "${QUICKVAULT_PROGRAM:-quickvault}"
  if reason=$("$program" --version 2>&1 >/dev/null </dev/null); then reason=''; fi
  fail "$status_program" programFails "$program" "${reason%%$'\n'*}"
}

# Sends a request and reads its answer. Sets `kind` (ok or the error's), `message`, `number`, `state` and
# `result` (JSON: the result or the error's data), and `lock_reason` and `notice` from the notices. Fails when
# the program is gone.
#
# A second request, vault/status, follows at once; its answer shows that no notice is left to come. The lock
# keeps other commands of the same session out meanwhile. It is on the pipe itself, so that nothing remains
# of it when qv is killed; a pipe that is opened anew has locks of its own.
converse() {
  local id=$$-$((++sequence)) lock
  local -a answer=()
  if ! { exec {lock}<"/proc/self/fd/$from"; } 2>/dev/null; then return 1; fi
  flock -w 60 "$lock" || fail "$status_failure" busy
  if ! send "$id" "$1" "${2:-"{}"}" 2>/dev/null; then
    exec {lock}<&-
    return 1
  fi
  pending=$id
  mapfile -t answer < <(receive "$id" | jq -nr --arg id "$id" -L "$library" 'include "receive"; receive($id)')
  pending=''
  exec {lock}<&-
  [[ ${answer[5]-} == [nlu]* ]] || return 1
  kind=${answer[0]} message=${answer[1]} notice=${answer[3]} number=${answer[4]} state=${answer[5]}
  lock_reason=${answer[2]:-$lock_reason}
  result=${answer[6]}
}

# Sends a request, and behind it what closes the exchange: a batch, which passes nothing, not even a wait for a finger.
send() {
  printf '{"jsonrpc":"2.0","id":"%s","method":"%s","params":%s}\n' "$@" >&"$to" &&
    printf '[{"jsonrpc":"2.0","id":"%s-","method":"vault/status"}]\n' "$1" >&"$to"
}

# Prints the messages that come, up to the answer that closes the exchange; none when the program is gone. Where a
# finger is awaited, half a minute at the most, the one that closes it comes first, and the answer ends it. What
# does not begin like a message is the rest of one that an interrupted command had begun to read. (jq could read
# the lines itself, but 1.6 spoils characters where its buffer ends.)
receive() {
  local LC_ALL=C line answered=false closed=false
  local -a lines=() patience=()
  while IFS= read -r "${patience[@]+"${patience[@]}"}" -u "$from" line; do
    if [[ $line == *'"method":"$/progress"'* ]]; then
      show_progress "$line"
      continue
    fi
    if [[ $line == *'"method":"biometric/didChangeState"'* && -t 2 ]]; then
      printf '%s' "$line" | jq -r '"qv: \(.params.message)"' >&2
    fi
    if [[ $line == '[{"jsonrpc"'*']' ]]; then line=${line:1:-1}; fi
    if [[ $line == '{"jsonrpc"'* ]]; then lines+=("$line"); fi
    if [[ $line == *"\"id\":\"$1\""* ]]; then answered=true; fi
    if [[ $line == *"\"id\":\"$1-\""* ]]; then closed=true patience=(-t 60); fi
    if $answered && $closed; then
      clear_progress
      printf '%s\n' "${lines[@]}"
      return
    fi
  done
}

# Shows on a terminal how far a long request is.
show_progress() {
  if [[ -t 2 && -n $progress_text && $1 =~ \"percentage\":([0-9]+) ]]; then
    printf '\r%s %3d %%\e[K' "$progress_text" "${BASH_REMATCH[1]}" >&2
    progress_shown=true
  fi
}

clear_progress() {
  if [[ -n ${progress_shown-} ]]; then printf '\r\e[K' >&2; fi
}

# Tells the server that nobody waits any longer for the request under way.
cancel_request() {
  if [[ -n $pending ]]; then
    printf '{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":"%s"}}\n' "$pending" >&"$to"
  fi 2>/dev/null
}

# Prints a JSON string. Nothing leaves the shell for it.
json_string() {
  local LC_ALL=C text=$1 code control
  text=${text//\\/\\\\}
  text=${text//\"/\\\"}
  text=${text//$'\n'/\\n}
  text=${text//$'\t'/\\t}
  if [[ $text == *[$'\x01'-$'\x1f']* ]]; then
    for code in 0{1..9} 0{a..f} 1{0..9} 1{a..f}; do
      printf -v control '%b' "\\x$code"
      text=${text//"$control"/\\u00$code}
    done
  fi
  printf '"%s"' "$text"
}

# Prints a JSON object of the names and values given; after a name that ends in a colon stands JSON.
json_object() {
  local separator=''
  printf '{'
  while (($# > 0)); do
    printf '%s"%s":' "$separator" "${1%:}"
    if [[ $1 == *: ]]; then printf '%s' "$2"; else json_string "$2"; fi
    separator=,
    shift 2
  done
  printf '}'
}
