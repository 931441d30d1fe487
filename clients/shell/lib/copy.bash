# Copying cards and fields.

# Prints the text of the last result unchanged.
copied_text() {
  printf '%s' "$result" | jq -j .text
}

# Prints the text, with a line break on a terminal.
print_text() {
  copied_text
  if [[ -t 1 ]]; then printf '\n'; fi
}

# Tries the clipboard programs in order. Sets `used_program`.
copy_to_clipboard() {
  for used_program in $(clipboard_programs); do
    copied_text | fill_clipboard "$used_program" && return
  done
  used_program=''
  return 1
}

# Names the fields of the card that the last result does not have.
report_left_out() {
  local labels
  [[ $result == *'"leftOut":['* ]] || return 0
  labels=$(printf '%s' "$result" | render '.leftOut | map(.label | one_line) | join(", ")')
  if printf '%s' "$result" | jq -e 'any(.leftOut[]; .concealed)' >/dev/null; then
    report concealedLeftOut "$labels"
  else
    report leftOut "$labels"
  fi
}

command_copy() {
  local is_quiet seconds salt used_program parameters name
  resolve_card "$*"
  set -- id "$card_id"
  for name in field style template; do
    if [[ -n ${option[$name]-} ]]; then set -- "$@" "$name" "${option[$name]}"; fi
  done
  if [[ -n ${option[concealed]-} ]]; then set -- "$@" concealed: true; fi
  parameters=$(json_object "$@")
  # The server's notification arrives before the text is on the clipboard.
  is_quiet=true
  request card/copy "$parameters"
  report_left_out
  if [[ -n ${option[print]-} ]]; then
    print_text
  elif copy_to_clipboard; then
    seconds=$(printf '%s' "$result" | jq -r '.clearAfterSeconds // ""')
    if [[ -n $seconds ]]; then
      salt=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')
      schedule_clearing "$used_program" "$seconds" "$salt" "$(copied_text | digest_of "$salt")"
      report copiedFor "$seconds"
    else
      report copied
    fi
  else
    report noClipboard
    print_text
  fi
}
