# What may come next on the command line, a line each: the word, a tab and what it is. Never asks for a
# password: without an unlocked session there is nothing to offer but commands and options.

complete_commands() {
  local name
  for name in "${!command_options[@]}"; do
    [[ $name == complete ]] || printf '%s\t%s\n' "$name" "${words[about_$name]-}"
  done | sort
}

complete_options() {
  local name
  for name in ${command_options[$1]-} help; do printf -- '--%s\n' "${name%:}"; done
}

# Sends a request for candidates; a lock that is noticed on the way is passed on to the shell.
quiet_request() {
  $session && converse "$@" || exit 0
  if [[ $kind != ok && -n $lock_reason ]]; then
    printf '%s\n' "$lock_reason"
    exit "$status_lock_seen"
  fi
  [[ $kind == ok ]] || exit 0
}

command_complete() {
  case $1 in
    commands) complete_commands ;;
    options) complete_options "$(canonical_command "${2-}")" ;;
    titles)
      quiet_request card/list '{"limit":1000}'
      printf '%s' "$result" | render '.items[]
        | "\(.title | one_line)\t\(.type | type_word), \(.group | group_word), \(.id[0:8])"' ;;
    tags)
      quiet_request tag/list
      printf '%s' "$result" | render '.tags[] | "\(.tag | one_line)\t\(.count)"' ;;
    fields)
      quiet_request template/list
      printf '%s' "$result" | render '[.templates[].fields[]] | unique_by(.key)[]
        | "\(.key)\t\(word(.label.en; .label["zh-Hans"]))"' ;;
    settings)
      quiet_request settings/get
      printf '%s' "$result" | jq -r '.settings | del(.copyTemplates) | keys_unsorted[]'
      printf 'copyTemplates.%s\n' address invoice text ;;
    attachments)
      quiet_request tag/list
      fetch_attachments "${2-}"
      printf '%s' "$attachments" | render '.[] | "\(.name | one_line)\t\(described)"' ;;
    devices)
      quiet_request device/list
      printf '%s' "$result" | render '.items[] | "\(.id[0:8])\t\(.name | one_line)"' ;;
    words)
      case ${2-} in
        fingerprint) printf '%s\n' on off status ;;
        devices) printf '%s\n' revoke ;;
      esac ;;
    formats)
      case ${2-} in
        import) printf '%s\n' json csv vcard keepass-xml bitwarden-json ;;
        *) printf '%s\n' json csv vcard markdown ;;
      esac ;;
    derivations) printf '%s\n' pbkdf2 argon2id ;;
    types) printf '%s\n' address invoice text ;;
    groups) printf '%s\n' personal company ;;
    styles) printf '%s\n' labelled values oneLine markdown json template ;;
  esac
}
