# Commands on the vault as a whole.

command_status() {
  read_vault_status
  if [[ -n ${option[json]-} ]]; then
    printf '%s' "$result" | jq .
    return
  fi
  local wait
  wait=$(printf '%s' "$result" | jq -r .lockout.retryAfterSeconds)
  printf '%s\n' "$vault_file"
  message_text "status_$state"
  printf '\n'
  if ((wait > 0)); then message_text statusWait "$wait"; fi
  if [[ $result == *'"readOnly":true'* ]]; then
    message_text readOnly
    printf '\n'
  fi
  report_lock
}

command_password() {
  local secret old derivation new=new-password-fd
  if has_option password-fd && ! has_option new-password-fd; then new=password-fd; fi
  derivation=$(key_derivation)
  read_vault_status
  [[ $state != none ]] || fail "$status_no_vault" noVault "$vault_file"
  read_password password-fd currentPasswordPrompt
  old=$secret
  while :; do
    read_new_password "$new"
    set -- oldPassword "$old" newPassword "$secret"
    if [[ -n $derivation ]]; then set -- "$@" kdf: "$derivation"; fi
    exchange vault/changePassword "$(json_object "$@")" || fail_program_ended
    case $kind in
      ok) break ;;
      auth.wrongPassword|auth.lockedOut)
        report_wrong_password
        read_password password-fd currentPasswordPrompt
        old=$secret ;;
      *) fail_with_error ;;
    esac
  done
  if [[ -t 2 ]]; then report passwordChanged; fi
}

command_log() {
  local limit=$((10#${option[limit]:-50}))
  ((limit > 0 && limit <= 1000)) || usage_error optionNeedsNumber --limit
  request log/list "$(json_object limit: "$limit")"
  if [[ -n ${option[json]-} ]]; then
    printf '%s' "$result" | jq .items
  else
    printf '%s' "$result" | render '.items[] | "\(.at | local_time)  \(event_text)"'
  fi
}

command_verify() {
  request vault/verify
  if [[ -n ${option[json]-} ]]; then
    printf '%s' "$result" | jq .
  else
    printf '%s' "$result" | render verification_report
  fi
  [[ $result != *'"integrity":"damaged"'* ]] || exit "$status_vault"
}

# Deletes the vault permanently, after its file name and the password.
command_delete_vault() {
  local secret name=${option[confirm]-}
  read_vault_status
  [[ $state != none ]] || fail "$status_no_vault" noVault "$vault_file"
  if [[ -z $name ]]; then
    is_interactive || fail "$status_usage" needsConfirm
    report deleteVaultWarning "$vault_file"
    read_line "$(message_text deleteVaultPrompt "${vault_file##*/}")"
    name=$line
  fi
  [[ $name == "${vault_file##*/}" ]] || fail "$status_declined" declined
  while :; do
    read_password password-fd passwordPrompt
    exchange vault/delete "$(json_object password "$secret" confirm "$name")" || fail_program_ended
    case $kind in
      ok) break ;;
      auth.wrongPassword|auth.lockedOut) report_wrong_password ;;
      *) fail_with_error ;;
    esac
  done
  if [[ -t 2 ]]; then report vaultDeleted; fi
}
