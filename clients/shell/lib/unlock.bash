# Unlocking, locking and the vault's first minute.

# Says what a try with a wrong password leads to. Ends where no further try may follow.
explain_wrong_password() {
  printf 'qv: %s\n' "$message" >&2
  [[ $kind == auth.lockedOut ]] && exit "$status_wait"
  is_given password-fd && exit "$status_wrong_password"
  [[ $number != 0 ]] || exit "$status_wrong_password"
}

# Asks for the password until it opens the vault.
unlock_vault() {
  local secret
  if request_with_finger session/unlock; then
    welcome_back
    return
  fi
  tell_demo_password
  while :; do
    obtain_password password-fd passwordPrompt
    converse session/unlock "$(json_object password "$secret")" || explain_loss
    case $kind in
      ok) break ;;
      auth.wrongPassword|auth.lockedOut) explain_wrong_password ;;
      vault.notFound) offer_vault; return ;;
      *) fail_as_answered ;;
    esac
  done
  welcome_back
}

# Says the password of the sample cards, where they are what is locked.
tell_demo_password() {
  [[ -t 2 ]] || return 0
  look_for_vault
  if [[ $result == *'"demo":{'* ]]; then
    tell demoPassword "$(printf '%s' "$result" | jq -r .demo.password)"
  fi
}

# What an answer to unlocking or creating may ask for.
welcome_back() {
  if [[ $result == *'"integrity":"damaged"'* ]]; then tell integrityDamaged; fi
  if [[ $result == *'"offerBiometric":true'* ]]; then offer_biometric; fi
  lock_reason=''
}

# Offers the fingerprint, where the server can do it and a person is there.
offer_biometric() {
  is_interactive || return 0
  converse rpc.discover || explain_loss
  [[ $result == *'"name":"biometric/enable"'* ]] || return 0
  confirms "$(say biometricQuestion)" no || return 0
  bind_device || [[ $kind == biometric.userCancel || $kind == -32800 ]] || printf 'qv: %s\n' "$message" >&2
}

# Creates the vault with a password that the person chooses.
create_vault() {
  local secret derivation
  derivation=$(chosen_derivation)
  while :; do
    obtain_new_password password-fd
    set -- password "$secret"
    if [[ -n $derivation ]]; then set -- "$@" kdf: "$derivation"; fi
    converse vault/create "$(json_object "$@")" || explain_loss
    case $kind in
      ok) break ;;
      auth.passwordTooShort|auth.passwordTooLong)
        is_given password-fd && fail_as_answered
        printf 'qv: %s\n' "$message" >&2 ;;
      *) fail_as_answered ;;
    esac
  done
  tell created
  welcome_back
}

command_init() {
  look_for_vault
  if [[ $state != none ]]; then fail "$status_vault" vaultExists "$vault_file"; fi
  say welcome "$vault_file" >&2
  create_vault
  if is_interactive; then command_list; fi
}

command_unlock() {
  look_for_vault
  if [[ $state != unlocked ]] || is_given password-fd; then open_vault; fi
  if [[ -t 2 ]]; then tell unlockedNow; fi
  $session || tell oneShot
}

command_lock() {
  $session || fail "$status_usage" oneShot
  request session/lock
  lock_reason=''
  if [[ -t 2 ]]; then tell lockedNow; fi
}
