# Showing an attachment with the desktop's viewer. For that it must be a file; it is one in a directory of its own, in
# memory where the system has such a place, only as long as it is looked at.

private_directory=''

# Makes the directory, which nobody else may enter. Sets `private_directory`; it goes when qv ends, however that is.
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

# Waits for the end of input on a descriptor, or for the lock of the vault; fails at the lock. Asking for the state
# does not keep the vault unlocked.
wait_unlocked() {
  local outcome
  while :; do
    outcome=0
    IFS= read -r -t 2 -u "$1" || outcome=$?
    ((outcome > 128)) || return 0
    look_for_vault
    [[ $state == unlocked ]] || return 1
  done
}

command_open() {
  local program=${QUICKVAULT_VIEWER:-xdg-open} begun viewing name
  type -P -- "$program" >/dev/null || fail "$status_failure" noViewer "$program"
  pick_attachment "$@"
  make_private_directory
  name=$attachment_name
  # A name that begins with a dash or a dot would be an option or hidden.
  if [[ $name == [-.]* ]]; then name=_$name; fi
  write_attachment "$private_directory/$name" || fail_as_answered
  begun=$SECONDS
  # The viewer gets neither the conversation nor what qv prints. The pipe ends when it has ended.
  exec {viewing}< <("$program" "$private_directory/$name" >&2 {from}<&- {to}>&- || :)
  if ! wait_unlocked "$viewing"; then
    tell viewLocked
  elif ((SECONDS - begun < 3)) && is_interactive; then
    # Most desktops hand the file on and end at once.
    say viewWaits >&2
    wait_unlocked 0 || tell viewLocked
  fi
  remove_private_directory
}
