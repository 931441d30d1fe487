# Candidates for completion, one per line: the word, a tab and a description. Never asks for a password: without an
# unlocked session it only offers commands, options and fixed values.

complete_commands() {
  local name
  for name in "${!command_options[@]}"; do
    [[ $name == complete ]] || printf '%s\t%s\n' "$name" "${messages[about_$name]-}"
  done | sort
}

complete_options() {
  local name
  for name in ${command_options[$1]-} help; do printf -- '--%s\n' "${name%:}"; done
}

# Sends a request for candidates without messages. Passes the reason of a lock to the shell.
silent_request() {
  $session && exchange "$@" || exit 0
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
      silent_request card/list '{"limit":1000}'
      printf '%s' "$result" | render '.items[]
        | "\(.title | one_line)\t\(.type | type_name), \(.group | group_name), \(.id[0:8])"' ;;
    tags)
      silent_request tag/list
      printf '%s' "$result" | render '.tags[] | "\(.tag | one_line)\t\(.count)"' ;;
    fields)
      silent_request template/list
      printf '%s' "$result" | render '[.templates[].fields[]] | unique_by(.key)[]
        | "\(.key)\t\(localized(.label.en; .label["zh-Hans"]))"' ;;
    settings)
      silent_request settings/get
      printf '%s' "$result" | jq -r '.settings | del(.copyTemplates) | keys_unsorted[]'
      printf 'copyTemplates.%s\n' address invoice text ;;
    attachments)
      silent_request tag/list
      fetch_attachments "${2-}"
      printf '%s' "$attachments" | render '.[] | "\(.name | one_line)\t\(description)"' ;;
    devices)
      silent_request device/list
      printf '%s' "$result" | render '.items[] | "\(.id[0:8])\t\(.name | one_line)"' ;;
    arguments)
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
