# What qv leaves behind: exit statuses, messages and the end of the script.
#
# The statuses are part of qv's interface and keep their meaning.

# shellcheck disable=SC2034  # used by the other parts
readonly status_failure=1 status_usage=2 status_not_found=3 status_ambiguous=4 status_locked=5 \
  status_wrong_password=6 status_wait=7 status_no_vault=8 status_invalid=9 status_conflict=10 \
  status_program=11 status_vault=12 status_declined=13

# Between qv and quickvault.bash only: the session's process was gone before anything was asked, and
# a completion learned why the vault was locked.
# shellcheck disable=SC2034
readonly status_session_gone=99 status_lock_seen=98

# Prints the message of that name on standard error.
tell() {
  local name=$1
  shift
  # shellcheck disable=SC2059  # the formats are ours, in words.*.bash
  printf "qv: ${words[$name]}\n" "$@" >&2
}

# Prints the words of that name without a line's end.
say() {
  local name=$1
  shift
  # shellcheck disable=SC2059
  printf "${words[$name]}" "$@"
}

# Ends with a status and a message.
fail() {
  local status=$1
  shift
  tell "$@"
  exit "$status"
}

# Ends with the status that belongs to the kind of the last error, and with the server's words for it.
fail_as_answered() {
  local status=$status_failure
  case $kind in
    vault.locked) status=$status_locked ;;
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
  if [[ $kind == vault.damaged ]]; then tell damaged; fi
  exit "$status"
}

# However qv ends, the terminal gets its echo back, and what was shown in a viewer goes.
leave() {
  stop_watching
  restore_terminal
  remove_private_directory
}

# The signals that end qv: an interrupted request is taken back.
watch_signals() {
  trap leave EXIT
  trap 'cancel_request; exit 130' INT
  trap 'exit 143' TERM
  trap 'exit 129' HUP
  # A handler, not "ignore": programs started from here do not inherit a handler.
  trap : PIPE
}
