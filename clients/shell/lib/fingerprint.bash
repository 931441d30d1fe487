# Fingerprint unlock, and the devices bound to the vault.

key_watcher=''

# Stops the process that waits for Enter.
stop_watching() {
  if [[ -n $key_watcher ]]; then
    kill "$key_watcher" 2>/dev/null
    wait "$key_watcher" 2>/dev/null
    key_watcher=''
  fi
}

# Sends a request that waits for a fingerprint, with messages on the terminal; Enter cancels it. Echo is off
# meanwhile, because the user may already type the password. Sets the same variables as exchange.
await_fingerprint() {
  if ! open_terminal; then exchange "$@" || fail_program_ended; return; fi
  terminal_modes=$(stty -g <&"$terminal") || fail_program_ended
  trap '' TSTP
  stty -echo <&"$terminal"
  report waitingForFingerprint
  pending=$$-$((sequence + 1))
  { IFS= read -r _ <&"$terminal" && cancel_request; } 2>/dev/null &
  key_watcher=$!
  exchange "$@" || fail_program_ended
  stop_watching
  restore_terminal
  trap - TSTP
  exec {terminal}<&-
}

# Sends a request with a fingerprint if this device is bound and there is a terminal; fails if the password is needed
# instead. Arguments: the method, and names and values as for json_object.
request_with_fingerprint() {
  local method=$1
  shift
  has_option password-fd && return 1
  is_interactive || return 1
  read_vault_status
  [[ $result == *'"enabled":true'* ]] || return 1
  await_fingerprint "$method" "$(json_object "$@" method biometric)"
  case $kind in
    ok) return 0 ;;
    biometric.userCancel|rpc.cancelled) return 1 ;;
    biometric.*|device.*|keychain.*) printf 'qv: %s\n' "$message" >&2; return 1 ;;
    vault.notFound|vault.changed) return 1 ;;
    *) fail_with_error ;;
  esac
}

# Binds this device, with the password in `secret`.
bind_device() {
  await_fingerprint biometric/enable "$(json_object password "$secret")"
  case $kind in
    ok) report fingerprintEnabled ;;
    biometric.userCancel|rpc.cancelled) report declined; return 1 ;;
    *) return 1 ;;
  esac
}

command_fingerprint() {
  local secret
  (($# <= 1)) || usage_error unexpectedArgument "$2"
  case ${1-status} in
    on)
      request tag/list
      while :; do
        read_password password-fd passwordPrompt
        bind_device && return
        case $kind in
          auth.wrongPassword|auth.lockedOut) report_wrong_password ;;
          biometric.userCancel|rpc.cancelled) exit "$status_declined" ;;
          *) fail_with_error ;;
        esac
      done ;;
    off)
      request biometric/disable
      report fingerprintDisabled ;;
    status)
      request biometric/status
      if [[ -n ${option[json]-} ]]; then
        printf '%s' "$result" | jq .
      else
        printf '%s' "$result" | render fingerprint_status
      fi ;;
    *) usage_error unexpectedArgument "$1" ;;
  esac
}

command_devices() {
  local -a found=()
  if [[ ${1-} == revoke ]]; then
    [[ -n ${2-} ]] || usage_error whichDevice
    (($# == 2)) || usage_error unexpectedArgument "$3"
    request device/list
    mapfile -t found < <(json_object wanted "$2" items: "$(printf '%s' "$result" | jq -c .items)" |
      jq -r '.wanted as $wanted | .items[].id | select(startswith($wanted))')
    ((${#found[@]} > 0)) || fail "$status_not_found" noSuchDevice "$2"
    ((${#found[@]} == 1)) || fail "$status_ambiguous" whichDevice
    if [[ -z ${option[yes]-} ]]; then
      is_interactive || fail "$status_usage" needsYes
      confirm "$(message_text revokeQuestion "${found[0]}")" no || cancel
    fi
    request device/revoke "$(json_object id "${found[0]}")"
    return
  fi
  (($# == 0)) || usage_error unexpectedArgument "$1"
  request device/list
  if [[ -n ${option[json]-} ]]; then
    printf '%s' "$result" | jq .items
  else
    printf '%s' "$result" | render '.items[] | device_row'
  fi
}
