# Requests of the commands: these functions handle locked and missing vaults and an exited program.

# Exits because the program exited during a request, or before the first one.
fail_program_ended() {
  if $session && ((sequence <= 1)); then exit "$status_session_gone"; fi
  fail "$status_program" programEnded
}

# Sends a request. Unlocks a locked vault and repeats the request; offers to create a missing vault; asks for the
# password again where that is required. Shows notifications on the terminal unless `is_quiet` is set. Fails on an error
# response, with `kind` etc. set as by exchange.
try_request() {
  local method=$1 parameters=${2-}
  while :; do
    exchange "$method" "$parameters" || fail_program_ended
    case $kind in
      ok)
        if [[ -n $notification && -t 2 && -z ${is_quiet-} ]]; then printf '%s\n' "$notification" >&2; fi
        return 0 ;;
      vault.locked|vault.notFound|vault.changed)
        if [[ $kind == vault.changed ]]; then
          # The password or the file was changed: the request failed, and the vault is locked.
          [[ $state != unlocked ]] || return 1
          printf 'qv: %s\n' "$message" >&2
          lock_reason=''
        fi
        open_vault ;;
      auth.required)
        confirm_user || return 1 ;;
      vault.older)
        is_interactive || return 1
        accept_older_copy ;;
      *)
        return 1 ;;
    esac
  done
}

# Asks whether to change an older copy of the vault, or exits.
accept_older_copy() {
  confirm "$(message_text olderQuestion)" no || cancel
  exchange vault/acceptOlder || fail_program_ended
  [[ $kind == ok ]] || fail_with_error
}

# Unlocks the vault, or offers to create a missing one.
open_vault() {
  if [[ $state == none ]]; then
    offer_to_create_vault
  else
    report_lock
    unlock_vault
  fi
}

# Sends a request, and exits on an error.
request() {
  try_request "$@" || fail_with_error
}

# Reports that the vault is locked, and the reason if it is known.
report_lock() {
  case $lock_reason in
    timeout|background|deviceLocked|sleep|passwordChanged) report "lockedBy_$lock_reason" ;;
    request|shutdown) report lockedBy_request ;;
    restarted) report restarted ;;
  esac
  lock_reason=''
}

# Reads the status of the vault. Sets `vault_file`, and `state` as exchange does.
read_vault_status() {
  exchange vault/status || fail_program_ended
  [[ $kind == ok ]] || fail_with_error
  vault_file=$(printf '%s' "$result" | jq -r .path)
}

# Offers to create the first vault, or exits.
offer_to_create_vault() {
  read_vault_status
  if ! is_interactive; then fail "$status_no_vault" noVault "$vault_file"; fi
  report noVaultYet "$vault_file"
  confirm "$(message_text createNow)" yes || cancel
  create_vault
}
