# Unlocking with a finger where this device is bound, and the devices that are.

finger_watcher=''

# Ends the process that waits for Enter.
stop_watching() {
  if [[ -n $finger_watcher ]]; then
    kill "$finger_watcher" 2>/dev/null
    wait "$finger_watcher" 2>/dev/null
    finger_watcher=''
  fi
}

# Sends a request that waits for a finger, and says on the terminal how it goes; Enter takes it back at once. Typing
# is not shown meanwhile, since somebody may have begun with the password. Sets what converse sets.
await_finger() {
  if ! open_terminal; then converse "$@" || explain_loss; return; fi
  terminal_modes=$(stty -g <&"$terminal") || explain_loss
  trap '' TSTP
  stty -echo <&"$terminal"
  tell fingerWaits
  pending=$$-$((sequence + 1))
  { IFS= read -r _ <&"$terminal" && cancel_request; } 2>/dev/null &
  finger_watcher=$!
  converse "$@" || explain_loss
  stop_watching
  restore_terminal
  trap - TSTP
  exec {terminal}<&-
}

# Sends a request with a finger where this device is bound and a person is there; fails where the password is wanted.
# Arguments: the method, and names and values as for json_object.
request_with_finger() {
  local method=$1
  shift
  is_given password-fd && return 1
  is_interactive || return 1
  look_for_vault
  [[ $result == *'"enabled":true'* ]] || return 1
  await_finger "$method" "$(json_object "$@" method biometric)"
  case $kind in
    ok) return 0 ;;
    biometric.userCancel|-32800) return 1 ;;
    biometric.*|device.*|keychain.*) printf 'qv: %s\n' "$message" >&2; return 1 ;;
    vault.notFound|vault.changed) return 1 ;;
    *) fail_as_answered ;;
  esac
}

# Binds this device, with the password in `secret`.
bind_device() {
  await_finger biometric/enable "$(json_object password "$secret")"
  case $kind in
    ok) tell biometricEnabled ;;
    biometric.userCancel|-32800) tell declined; return 1 ;;
    *) return 1 ;;
  esac
}

command_fingerprint() {
  local secret
  (($# <= 1)) || misuse unexpectedArgument "$2"
  case ${1-status} in
    on)
      request tag/list
      while :; do
        obtain_password password-fd passwordPrompt
        bind_device && return
        case $kind in
          auth.wrongPassword|auth.lockedOut) explain_wrong_password ;;
          biometric.userCancel|-32800) exit "$status_declined" ;;
          *) fail_as_answered ;;
        esac
      done ;;
    off)
      request biometric/disable
      tell biometricDisabled ;;
    status)
      request biometric/status
      if [[ -n ${option[json]-} ]]; then
        printf '%s' "$result" | jq .
      else
        printf '%s' "$result" | render finger_words
      fi ;;
    *) misuse unexpectedArgument "$1" ;;
  esac
}

command_devices() {
  local -a found=()
  if [[ ${1-} == revoke ]]; then
    [[ -n ${2-} ]] || misuse whichDevice
    (($# == 2)) || misuse unexpectedArgument "$3"
    request device/list
    mapfile -t found < <(json_object wanted "$2" items: "$(printf '%s' "$result" | jq -c .items)" |
      jq -r '.wanted as $wanted | .items[].id | select(startswith($wanted))')
    ((${#found[@]} > 0)) || fail "$status_not_found" noSuchDevice "$2"
    ((${#found[@]} == 1)) || fail "$status_ambiguous" whichDevice
    if [[ -z ${option[yes]-} ]]; then
      is_interactive || fail "$status_usage" needsYes
      confirms "$(say revokeQuestion "${found[0]}")" no || decline
    fi
    request device/revoke "$(json_object id "${found[0]}")"
    return
  fi
  (($# == 0)) || misuse unexpectedArgument "$1"
  request device/list
  if [[ -n ${option[json]-} ]]; then
    printf '%s' "$result" | jq .items
  else
    printf '%s' "$result" | render '.items[] | device_words'
  fi
}
