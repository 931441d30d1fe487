# Opening attachments with a viewer. The viewer needs a file, which is in a private directory, in memory if possible,
# and only exists while it is viewed.

private_directory=''

# Creates the private directory. Sets `private_directory`; it is removed whenever qv exits.
make_private_directory() {
  local base=${XDG_RUNTIME_DIR-}
  if [[ ! -d $base || ! -w $base ]]; then base=${TMPDIR:-/tmp}; fi
  private_directory=$(mktemp -d "$base/quickvault-view.XXXXXX") || exit "$status_failure"
}

remove_private_directory() {
  if [[ -n $private_directory ]]; then
    rm -rf -- "$private_directory"
    private_directory=''
  fi
}

# Waits for the end of input on a descriptor; fails if the vault locks meanwhile. Reading the status does not keep the
# vault unlocked.
wait_unlocked() {
  local outcome
  while :; do
    outcome=0
    IFS= read -r -t 2 -u "$1" || outcome=$?
    ((outcome > 128)) || return 0
    read_vault_status
    [[ $state == unlocked ]] || return 1
  done
}

command_open() {
  local program=${QUICKVAULT_VIEWER:-xdg-open} begun viewing name
  type -P -- "$program" >/dev/null || fail "$status_failure" noViewer "$program"
  pick_attachment "$@"
  make_private_directory
  name=$attachment_name
  # A name that begins with a dash or a dot would be an option or a hidden file.
  if [[ $name == [-.]* ]]; then name=_$name; fi
  write_attachment "$private_directory/$name" || fail_with_error
  begun=$SECONDS
  # The viewer gets neither the session's pipes nor qv's output. The pipe ends when the viewer exits.
  exec {viewing}< <("$program" "$private_directory/$name" >&2 {from}<&- {to}>&- || :)
  if ! wait_unlocked "$viewing"; then
    report viewLocked
  elif ((SECONDS - begun < 3)) && is_interactive; then
    # Most desktops pass the file to another program and exit immediately.
    message_text viewWaits >&2
    wait_unlocked 0 || report viewLocked
  fi
  remove_private_directory
}
