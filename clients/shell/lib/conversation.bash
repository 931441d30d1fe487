# Requests as the commands make them: locks, missing vaults and lost programs are dealt with here.

# Ends because the program ended in the middle of a request, or before the first.
explain_loss() {
  if $session && ((sequence <= 1)); then exit "$status_session_gone"; fi
  fail "$status_program" programEnded
}

# Sends a request. A locked vault is unlocked and the request repeated; where there is no vault a person is led
# to one. Notices are shown on a terminal, unless `is_quiet` is set. Fails when the server refuses, with `kind`
# and the rest set as by converse.
try_request() {
  local method=$1 parameters=${2-}
  while :; do
    converse "$method" "$parameters" || explain_loss
    case $kind in
      ok)
        if [[ -n $notice && -t 2 && -z ${is_quiet-} ]]; then printf '%s\n' "$notice" >&2; fi
        return 0 ;;
      vault.locked|vault.notFound|vault.changed)
        if [[ $kind == vault.changed ]]; then
          # A new password, or another file in the vault's place: nothing was done, and the vault is locked.
          [[ $state != unlocked ]] || return 1
          printf 'qv: %s\n' "$message" >&2
          lock_reason=''
        fi
        open_vault ;;
      *)
        return 1 ;;
    esac
  done
}

# Unlocks the vault, or leads to one where there is none.
open_vault() {
  if [[ $state == none ]]; then
    offer_vault
  else
    tell_lock
    unlock_vault
  fi
}

# Sends a request and ends with its error, if there is one.
request() {
  try_request "$@" || fail_as_answered
}

# Says that the vault is locked, and why where that is known and no news.
tell_lock() {
  case $lock_reason in
    timeout|background|deviceLocked|sleep|passwordChanged) tell "lockedBy_$lock_reason" ;;
    request|shutdown) tell lockedBy_request ;;
    restarted) tell restarted ;;
  esac
  lock_reason=''
}

# Asks where the vault is, or would be. Sets `vault_file`; `state` says the rest.
look_for_vault() {
  converse vault/status || explain_loss
  [[ $kind == ok ]] || fail_as_answered
  vault_file=$(printf '%s' "$result" | jq -r .path)
}

# Leads to a first vault, or ends.
offer_vault() {
  look_for_vault
  if ! is_interactive; then fail "$status_no_vault" noVault "$vault_file"; fi
  tell noVaultYet "$vault_file"
  confirms "$(say createNow)" yes || decline
  create_vault
}
