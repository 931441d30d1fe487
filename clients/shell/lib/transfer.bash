# Import, export, backup, merge, repair, the demo and the doctor.

# Prints the JSON object of the columns and targets given by --map.
chosen_mapping() {
  local word
  set --
  for word in "${mappings[@]}"; do
    [[ $word == ?*=?* ]] || usage_error optionNeedsMapping
    set -- "$@" "${word%%=*}" "${word#*=}"
  done
  mapping_object "$@"
}

# Like json_object, but escapes the names, and all values are strings.
mapping_object() {
  local comma=''
  printf '{'
  while (($# > 0)); do
    printf '%s%s:%s' "$comma" "$(json_string "$1")" "$(json_string "$2")"
    comma=,
    shift 2
  done
  printf '}'
}

# Prints the result of an import, or of a dry run.
print_import() {
  if [[ -n ${option[json]-} ]]; then
    printf '%s' "$result" | jq .
  else
    printf '%s' "$result" | render import_report
  fi
}

# The number of Base64 characters that fit into a message, besides its other members.
readonly import_characters=32000000

# Reads standard input, in any encoding. Sets `content`, in Base64. Afterwards, questions are answered at the
# terminal.
read_content() {
  content=$(base64 -w 0) || fail "$status_failure" inputLost
  ((${#content} <= import_characters)) || fail "$status_usage" inputTooLarge
  if [[ -t 2 ]]; then { exec </dev/tty; } 2>/dev/null; fi
}

command_import() {
  local name ready skipped mapping content
  [[ -n ${1-} ]] || usage_error whichFile
  (($# == 1)) || usage_error unexpectedArgument "$2"
  if [[ $1 == - ]]; then
    read_content
    set -- data: "\"$content\""
  else
    set -- path "$(absolute_path "$1")"
  fi
  set -- "$@" onError skip progressToken qv
  for name in format type group; do
    if [[ -n ${option[$name]-} ]]; then set -- "$@" "$name" "${option[$name]}"; fi
  done
  if ((${#mappings[@]} > 0)); then
    mapping=$(chosen_mapping) || exit
    set -- "$@" mapping: "$mapping"
  fi
  if [[ -n ${option[keep-duplicates]-} ]]; then set -- "$@" duplicates keep; fi
  progress_text=$(message_text reading)
  request vault/import "$(json_object "$@" dryRun: true)"
  if [[ -n ${option[dry-run]-} ]]; then print_import; return; fi
  read -r ready skipped < <(
    printf '%s' "$result" | jq -r '"\(.total - .duplicates - .skipped) \(.skipped)"')
  if [[ -z ${option[yes]-} ]]; then
    is_interactive || fail "$status_usage" needsYes
    print_import
    if ((ready == 0)); then report nothingToImport; return; fi
    if ((skipped == 0)); then
      confirm "$(message_text importQuestion "$ready")" no || cancel
    else
      confirm "$(message_text importSkipQuestion "$ready" "$skipped")" no || cancel
    fi
  fi
  request vault/import "$(json_object "$@")"
  if [[ -n ${option[yes]-} ]]; then
    print_import
  else
    report imported "$(printf '%s' "$result" | jq .imported)"
  fi
}

# Prints the format for the extension of a file name.
format_of_name() {
  case ${1,,} in
    *.json) printf json ;;
    *.csv) printf csv ;;
    *.vcf|*.vcard) printf vcard ;;
    *.md|*.markdown) printf markdown ;;
    *) return 1 ;;
  esac
}

command_export() {
  local format=${option[format]-} target overwrite=false
  [[ -n ${1-} ]] || usage_error whichFile
  (($# == 1)) || usage_error unexpectedArgument "$2"
  if [[ -z $format ]]; then format=$(format_of_name "$1") || usage_error optionNeedsValue --format; fi
  target=$(absolute_path "$1")
  if [[ -z ${option[yes]-} ]]; then
    is_interactive || fail "$status_usage" needsYes
    confirm "$(message_text exportQuestion)" no || cancel
  fi
  if [[ -e $target ]]; then overwrite=$(confirm_replace "$target") || exit; fi
  progress_text=$(message_text exporting)
  request_with_password vault/export passwordPrompt path "$target" format "$format" overwrite: "$overwrite" \
    progressToken qv || fail_with_error
  printf '%s' "$result" | render export_report
}

command_backup() {
  [[ -n ${1-} ]] || usage_error whichFile
  (($# == 1)) || usage_error unexpectedArgument "$2"
  set -- path "$(absolute_path "$1")" progressToken qv
  if [[ -n ${option[keep]-} ]]; then set -- "$@" keep: "$((10#${option[keep]}))"; fi
  progress_text=$(message_text backingUp)
  request vault/backup "$(json_object "$@")"
  printf '%s' "$result" | render '.path | printable'
  if [[ $result == *'"integrity":"damaged"'* ]]; then fail "$status_vault" backupDamaged; fi
}

command_merge() {
  local dry=false
  [[ -n ${1-} ]] || usage_error whichFile
  (($# == 1)) || usage_error unexpectedArgument "$2"
  if [[ -n ${option[dry-run]-} ]]; then dry=true; fi
  # Unlock the vault itself first, so that its password is not confused with that of the copy.
  request tag/list
  progress_text=$(message_text merging)
  request_with_password vault/merge copyPrompt path "$(absolute_path "$1")" dryRun: "$dry" progressToken qv ||
    fail_with_error
  if [[ -n ${option[json]-} ]]; then
    printf '%s' "$result" | jq .
  else
    printf '%s' "$result" | render "merge_report(\$dry)" --argjson dry "$dry"
  fi
}

command_repair() {
  (($# == 0)) || usage_error unexpectedArgument "$1"
  if [[ -z ${option[yes]-} ]]; then
    is_interactive || fail "$status_usage" needsYes
    confirm "$(message_text repairQuestion)" no || cancel
  fi
  request_with_password vault/repair passwordPrompt || fail_with_error
  if [[ -n ${option[json]-} ]]; then
    printf '%s' "$result" | jq .
  else
    printf '%s' "$result" | render repair_report
  fi
}

# Reports the start or the end of the demo; quickvault.bash has already switched the session.
command_demo() {
  (($# == 0)) || usage_error unexpectedArgument "$1"
  $session || fail "$status_usage" demoNeedsSession
  read_vault_status
  if [[ $result == *'"demo":{'* ]]; then
    command_list
    report demoBegins
  else
    report demoEnds
  fi
}

# Runs the doctor of the program.
command_doctor() {
  (($# == 0)) || usage_error unexpectedArgument "$1"
  local program
  program=$(find_program) || fail_program_unusable
  set -- doctor
  if [[ -n ${option[json]-} ]]; then set -- "$@" --json; fi
  if [[ -n ${option[report]-} ]]; then set -- "$@" --report; fi
  if [[ -n ${option[vault]-} ]]; then set -- "$@" --vault "${option[vault]}"; fi
  "$program" "$@"
}
