# The connection to the quickvault program: one JSON-RPC message per line.
#
# `from` and `to` are its descriptors. In a session, the shell passes them; otherwise, they belong to a process that
# qv starts and that exits with it.

sequence=0 pending='' progress_text=''

require_programs() {
  local program
  for program in jq flock setsid stty; do
    command -v "$program" >/dev/null || fail "$status_program" needsProgram "$program"
  done
}

# Prints the path of the program: QUICKVAULT_PROGRAM, else quickvault on the search path.
find_program() {
  type -P -- "${QUICKVAULT_PROGRAM:-quickvault}"
}

connect() {
  $session && return
  local program
  program=$(find_program) || fail_program_unusable
  set -- "$program"
  if [[ -n ${option[vault]-} ]]; then set -- "$@" --vault "${option[vault]}"; fi
  coproc SERVER { exec "$@" 2>/dev/null; }
  # Bash closes a coprocess's descriptors in subshells, which pipelines are.
  # shellcheck disable=SC2153
  { exec {from}<&"${SERVER[0]}" {to}>&"${SERVER[1]}"; } 2>/dev/null || fail_program_unusable
  # shellcheck disable=SC2093  # closes descriptors, runs nothing
  exec {SERVER[0]}<&- {SERVER[1]}>&-
  initialize "$$"
}

# Sends initialize and checks the protocol version.
initialize() {
  local version
  exchange initialize "$(json_object processId: "$1" locale "$locale" clientInfo: \
    "$(json_object name qv version "$qv_version")")" || fail_program_unusable
  version=$(printf '%s' "$result" | jq -r '.protocolVersion // 0' 2>/dev/null) || version=0
  if [[ $kind != ok ]] || ((version < 1)); then fail "$status_program" programTooOld; fi
  ((version == 1)) || fail "$status_program" programTooNew
}

# Exits because the program cannot be used, with the reason.
fail_program_unusable() {
  local program reason
  program=$(find_program) || fail "$status_program" programMissing "${QUICKVAULT_PROGRAM:-quickvault}"
  if reason=$("$program" --version 2>&1 >/dev/null </dev/null); then reason=''; fi
  fail "$status_program" programFails "$program" "${reason%%$'\n'*}"
}

# Sends a request and reads its response. Sets `kind` (ok, or the kind of the error), `message`, `number`, `state`,
# `result` (JSON: the result or the error's data), and from notifications `lock_reason` and `notification`. Fails if
# the program has exited.
#
# A second request, vault/status, follows at once; its response shows that no more notifications will come. Meanwhile,
# a lock keeps out other commands of the session. The lock is on the pipe itself, so that it disappears when qv is
# killed; a reopened pipe has its own locks.
exchange() {
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
  kind=${answer[0]} message=${answer[1]} notification=${answer[3]} number=${answer[4]} state=${answer[5]}
  lock_reason=${answer[2]:-$lock_reason}
  result=${answer[6]}
}

# Sends a request, and a second one that closes the exchange. The second is a batch, which never overtakes a request,
# not even one that waits for a fingerprint.
send() {
  printf '{"jsonrpc":"2.0","id":"%s","method":"%s","params":%s}\n' "$@" >&"$to" &&
    printf '[{"jsonrpc":"2.0","id":"%s-","method":"vault/status"}]\n' "$1" >&"$to"
}

# Prints the received messages up to the end of the exchange; nothing if the program has exited. While a request waits
# for a fingerprint, at most half a minute, the closing response comes first. A line that does not begin like a
# message is the rest of one that an interrupted command has begun to read. (jq could read the lines itself, but jq
# 1.6 corrupts characters at the end of its buffer.)
receive() {
  local LC_ALL=C line answered=false closed=false
  local -a lines=() timeout=()
  while IFS= read -r "${timeout[@]+"${timeout[@]}"}" -u "$from" line; do
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
    if [[ $line == *"\"id\":\"$1-\""* ]]; then closed=true timeout=(-t 60); fi
    if $answered && $closed; then
      clear_progress
      printf '%s\n' "${lines[@]}"
      return
    fi
  done
}

# Shows the progress of a long request on the terminal.
show_progress() {
  if [[ -t 2 && -n $progress_text && $1 =~ \"percentage\":([0-9]+) ]]; then
    printf '\r%s %3d %%\e[K' "$progress_text" "${BASH_REMATCH[1]}" >&2
    progress_shown=true
  fi
}

clear_progress() {
  if [[ -n ${progress_shown-} ]]; then printf '\r\e[K' >&2; fi
}

# Cancels the current request.
cancel_request() {
  if [[ -n $pending ]]; then
    printf '{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":"%s"}}\n' "$pending" >&"$to"
  fi 2>/dev/null
}

# Prints a JSON string, without starting another program.
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

# Prints a JSON object of names and values; the value after a name that ends in a colon is JSON.
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
