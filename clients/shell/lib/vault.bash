# Commands on the vault as a whole.

command_status() {
  look_for_vault
  if [[ -n ${option[json]-} ]]; then
    printf '%s' "$result" | jq .
    return
  fi
  local wait
  wait=$(printf '%s' "$result" | jq -r .lockout.retryAfterSeconds)
  printf '%s\n' "$vault_file"
  say "status_$state"
  printf '\n'
  if ((wait > 0)); then say statusWait "$wait"; fi
  tell_lock
}

command_password() {
  local secret old derivation new=new-password-fd
  if is_given password-fd && ! is_given new-password-fd; then new=password-fd; fi
  derivation=$(chosen_derivation)
  look_for_vault
  [[ $state != none ]] || fail "$status_no_vault" noVault "$vault_file"
  obtain_password password-fd oldPasswordPrompt
  old=$secret
  while :; do
    obtain_new_password "$new"
    set -- oldPassword "$old" newPassword "$secret"
    if [[ -n $derivation ]]; then set -- "$@" kdf: "$derivation"; fi
    converse vault/changePassword "$(json_object "$@")" || explain_loss
    case $kind in
      ok) break ;;
      auth.passwordTooShort|auth.passwordTooLong)
        is_given "$new" && fail_as_answered
        printf 'qv: %s\n' "$message" >&2 ;;
      auth.wrongPassword|auth.lockedOut)
        explain_wrong_password
        obtain_password password-fd oldPasswordPrompt
        old=$secret ;;
      *) fail_as_answered ;;
    esac
  done
  if [[ -t 2 ]]; then tell passwordChanged; fi
}

command_log() {
  local limit=$((10#${option[limit]:-50}))
  ((limit > 0 && limit <= 1000)) || misuse optionNeedsNumber --limit
  request log/list "$(json_object limit: "$limit")"
  if [[ -n ${option[json]-} ]]; then
    printf '%s' "$result" | jq .items
  else
    printf '%s' "$result" | render '.items[] | "\(.at | local_time)  \(event_words)"'
  fi
}

command_verify() {
  request vault/verify
  if [[ -n ${option[json]-} ]]; then
    printf '%s' "$result" | jq .
  else
    printf '%s' "$result" | render verification_words
  fi
  [[ $result == *'"integrity":"intact"'* ]] || exit "$status_vault"
}

# Deletes the vault for good, after its file's name and the password.
command_delete_vault() {
  local secret name=${option[confirm]-}
  look_for_vault
  [[ $state != none ]] || fail "$status_no_vault" noVault "$vault_file"
  if [[ -z $name ]]; then
    is_interactive || fail "$status_usage" needsConfirm
    tell deleteVaultWarning "$vault_file"
    read_line "$(say deleteVaultPrompt "${vault_file##*/}")"
    name=$line
  fi
  [[ $name == "${vault_file##*/}" ]] || fail "$status_declined" declined
  while :; do
    obtain_password password-fd passwordPrompt
    converse vault/delete "$(json_object password "$secret" confirm "$name")" || explain_loss
    case $kind in
      ok) break ;;
      auth.wrongPassword|auth.lockedOut) explain_wrong_password ;;
      *) fail_as_answered ;;
    esac
  done
  if [[ -t 2 ]]; then tell vaultDeleted; fi
}
