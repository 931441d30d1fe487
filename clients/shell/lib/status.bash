# Exit statuses, messages and signals.
#
# The statuses are part of qv's interface and do not change.

# shellcheck disable=SC2034  # used by the other parts
readonly status_failure=1 status_usage=2 status_not_found=3 status_ambiguous=4 status_locked=5 \
  status_wrong_password=6 status_wait=7 status_no_vault=8 status_invalid=9 status_conflict=10 \
  status_program=11 status_vault=12 status_declined=13

# Used only between qv and quickvault.bash: the session's process had exited before the first request; completion
# learned the reason of a lock.
# shellcheck disable=SC2034
readonly status_session_gone=99 status_lock_seen=98

# Prints a message on standard error.
report() {
  local name=$1
  shift
  # shellcheck disable=SC2059  # the formats are in messages.*.bash
  printf "qv: ${messages[$name]}\n" "$@" >&2
}

# Prints a message without a line break.
message_text() {
  local name=$1
  shift
  # shellcheck disable=SC2059
  printf "${messages[$name]}" "$@"
}

# Exits with a status and a message.
fail() {
  local status=$1
  shift
  report "$@"
  exit "$status"
}

# Exits with the status for the kind of the last error, and with the server's message.
fail_with_error() {
  local status=$status_failure
  case $kind in
    vault.locked|auth.required) status=$status_locked ;;
    vault.notFound) status=$status_no_vault ;;
    vault.*) status=$status_vault ;;
    auth.wrongPassword) status=$status_wrong_password ;;
    auth.lockedOut) status=$status_wait ;;
    rpc.invalidParameters|auth.*|*.invalid|copy.*|*Invalid|*.tooLarge|*.tooMany) status=$status_invalid ;;
    -32601) status=$status_program ;;
    attachment.notFound|card.notFound|card.fieldNotFound) status=$status_not_found ;;
    card.conflict) status=$status_conflict ;;
  esac
  printf 'qv: %s\n' "$message" >&2
  if [[ $kind == vault.damaged ]]; then report damaged; fi
  exit "$status"
}

# Restores the terminal and removes files opened in a viewer; runs whenever qv exits.
clean_up() {
  stop_watching
  restore_terminal
  remove_private_directory
}

# Handles the signals that end qv; an interrupt cancels the current request.
trap_signals() {
  trap clean_up EXIT
  trap 'cancel_request; exit 130' INT
  trap 'exit 143' TERM
  trap 'exit 129' HUP
  # A handler instead of "ignore", because child processes do not inherit handlers.
  trap : PIPE
}
