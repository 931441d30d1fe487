# Creating, unlocking and locking the vault.

# Shows the error about a wrong password. Exits if no further attempt is possible.
report_wrong_password() {
  printf 'qv: %s\n' "$message" >&2
  [[ $kind == auth.lockedOut ]] && exit "$status_wait"
  has_option password-fd && exit "$status_wrong_password"
  [[ $number != 0 ]] || exit "$status_wrong_password"
}

# Asks for the password with a prompt until the vault accepts it. Returns 1 if there is no vault.
unlock_with_password() { # prompt
  local secret
  show_demo_password
  while :; do
    read_password password-fd "$1"
    exchange session/unlock "$(json_object password "$secret")" || fail_program_ended
    case $kind in
      ok) return ;;
      auth.wrongPassword|auth.lockedOut) report_wrong_password ;;
      vault.notFound) return 1 ;;
      *) fail_with_error ;;
    esac
  done
}

# Unlocks the vault with a fingerprint or the password; offers to create it if there is none.
unlock_vault() {
  if request_with_fingerprint session/unlock || unlock_with_password passwordPrompt; then
    after_unlock
  else
    offer_to_create_vault
  fi
}

# Has the user give a fingerprint or the password again, which then counts for a minute. Fails if there is nobody to ask.
confirm_user() {
  is_interactive || has_option password-fd || return 1
  request_with_fingerprint session/unlock || unlock_with_password confirmPrompt || fail_with_error
}

# Shows the password of the demo vault if that is the one in use.
show_demo_password() {
  [[ -t 2 ]] || return 0
  read_vault_status
  if [[ $result == *'"demo":{'* ]]; then
    report demoPassword "$(printf '%s' "$result" | jq -r .demo.password)"
  fi
}

# Handles the result of unlocking or creating the vault.
after_unlock() {
  if [[ $result == *'"integrity":"damaged"'* ]]; then report integrityDamaged; fi
  if [[ $result == *'"integrity":"older"'* ]]; then
    report integrityOlder "$(printf '%s' "$result" | jq -r '.older.modifiedAt // "-" | .[:10]')"
  fi
  if [[ $result == *'"readOnly":true'* ]]; then report readOnly; fi
  if [[ $result == *'"offerBiometric":true'* ]]; then offer_fingerprint; fi
  lock_reason=''
}

# Offers fingerprint unlock if the server supports it and there is a terminal.
offer_fingerprint() {
  is_interactive || return 0
  exchange rpc.discover || fail_program_ended
  [[ $result == *'"name":"biometric/enable"'* ]] || return 0
  confirm "$(message_text fingerprintQuestion)" no || return 0
  bind_device || [[ $kind == biometric.userCancel || $kind == rpc.cancelled ]] || printf 'qv: %s\n' "$message" >&2
}

# Creates the vault with a new password.
create_vault() {
  local secret derivation
  derivation=$(key_derivation)
  read_new_password password-fd
  set -- password "$secret"
  if [[ -n $derivation ]]; then set -- "$@" kdf: "$derivation"; fi
  exchange vault/create "$(json_object "$@")" || fail_program_ended
  [[ $kind == ok ]] || fail_with_error
  report created
  after_unlock
}

command_init() {
  read_vault_status
  if [[ $state != none ]]; then fail "$status_vault" vaultExists "$vault_file"; fi
  message_text welcome "$vault_file" >&2
  create_vault
  if is_interactive; then command_list; fi
}

command_unlock() {
  read_vault_status
  if [[ $state != unlocked ]] || has_option password-fd; then open_vault; fi
  if [[ -t 2 ]]; then report unlockedNow; fi
  $session || report notASession
}

command_lock() {
  $session || fail "$status_usage" notASession
  request session/lock
  lock_reason=''
  if [[ -t 2 ]]; then report lockedNow; fi
}
