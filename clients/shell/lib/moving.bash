# How cards come into the vault and go out of it, and what keeps the file whole.

# Prints the object that says what becomes of the columns that --map names.
chosen_mapping() {
  local word
  set --
  for word in "${mappings[@]}"; do
    [[ $word == ?*=?* ]] || misuse optionNeedsMapping
    set -- "$@" "${word%%=*}" "${word#*=}"
  done
  mapping_object "$@"
}

# As json_object, but a name is taken as it is.
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

# Prints the report of an import.
print_import() {
  if [[ -n ${option[json]-} ]]; then
    printf '%s' "$result" | jq .
  else
    printf '%s' "$result" | render import_words
  fi
}

# How many characters of Base64 fit into a message, with all else that is in it.
readonly import_characters=32000000

# Reads standard input, of any encoding. Sets `content`, in Base64. Questions are answered at the terminal afterwards.
read_content() {
  content=$(base64 -w 0) || fail "$status_failure" inputLost
  ((${#content} <= import_characters)) || fail "$status_usage" inputTooLarge
  if [[ -t 2 ]]; then { exec </dev/tty; } 2>/dev/null; fi
}

command_import() {
  local name ready skipped mapping content
  [[ -n ${1-} ]] || misuse whichFile
  (($# == 1)) || misuse unexpectedArgument "$2"
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
  progress_text=$(say reading)
  request vault/import "$(json_object "$@" dryRun: true)"
  if [[ -n ${option[dry-run]-} ]]; then print_import; return; fi
  read -r ready skipped < <(
    printf '%s' "$result" | jq -r '"\(.total - .duplicates - .skipped) \(.skipped)"')
  if [[ -z ${option[yes]-} ]]; then
    is_interactive || fail "$status_usage" needsYes
    print_import
    if ((ready == 0)); then tell nothingToImport; return; fi
    if ((skipped == 0)); then
      confirms "$(say importQuestion "$ready")" no || decline
    else
      confirms "$(say importSkipQuestion "$ready" "$skipped")" no || decline
    fi
  fi
  request vault/import "$(json_object "$@")"
  if [[ -n ${option[yes]-} ]]; then
    print_import
  else
    tell imported "$(printf '%s' "$result" | jq .imported)"
  fi
}

# Prints the format that a file's name stands for.
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
  [[ -n ${1-} ]] || misuse whichFile
  (($# == 1)) || misuse unexpectedArgument "$2"
  if [[ -z $format ]]; then format=$(format_of_name "$1") || misuse optionNeedsValue --format; fi
  target=$(absolute_path "$1")
  if [[ -z ${option[yes]-} ]]; then
    is_interactive || fail "$status_usage" needsYes
    confirms "$(say exportQuestion)" no || decline
  fi
  if [[ -e $target ]]; then overwrite=$(may_replace "$target") || exit; fi
  progress_text=$(say exporting)
  request_with_password vault/export passwordPrompt path "$target" format "$format" overwrite: "$overwrite" \
    progressToken qv || fail_as_answered
  printf '%s' "$result" | render export_words
}

command_backup() {
  [[ -n ${1-} ]] || misuse whichFile
  (($# == 1)) || misuse unexpectedArgument "$2"
  set -- path "$(absolute_path "$1")" progressToken qv
  if [[ -n ${option[keep]-} ]]; then set -- "$@" keep: "$((10#${option[keep]}))"; fi
  progress_text=$(say backingUp)
  request vault/backup "$(json_object "$@")"
  printf '%s' "$result" | render '.path | plain'
  if [[ $result == *'"integrity":"damaged"'* ]]; then fail "$status_vault" backupDamaged; fi
}

command_merge() {
  local dry=false
  [[ -n ${1-} ]] || misuse whichFile
  (($# == 1)) || misuse unexpectedArgument "$2"
  if [[ -n ${option[dry-run]-} ]]; then dry=true; fi
  # The vault itself first, so that its password and the copy's are not taken for each other.
  request tag/list
  progress_text=$(say merging)
  request_with_password vault/merge copyPrompt path "$(absolute_path "$1")" dryRun: "$dry" progressToken qv ||
    fail_as_answered
  if [[ -n ${option[json]-} ]]; then
    printf '%s' "$result" | jq .
  else
    printf '%s' "$result" | render "merge_words(\$dry)" --argjson dry "$dry"
  fi
}

command_repair() {
  (($# == 0)) || misuse unexpectedArgument "$1"
  if [[ -z ${option[yes]-} ]]; then
    is_interactive || fail "$status_usage" needsYes
    confirms "$(say repairQuestion)" no || decline
  fi
  request_with_password vault/repair passwordPrompt || fail_as_answered
  if [[ -n ${option[json]-} ]]; then
    printf '%s' "$result" | jq .
  else
    printf '%s' "$result" | render repair_words
  fi
}

# The conversation of the session is about sample cards now, or no longer: quickvault.bash saw to it.
command_demo() {
  (($# == 0)) || misuse unexpectedArgument "$1"
  $session || fail "$status_usage" demoNeedsSession
  look_for_vault
  if [[ $result == *'"demo":{'* ]]; then
    command_list
    tell demoBegins
  else
    tell demoEnds
  fi
}

# What the program finds out about itself and this machine.
command_doctor() {
  (($# == 0)) || misuse unexpectedArgument "$1"
  local program
  program=$(find_program) || explain_program
  set -- doctor
  if [[ -n ${option[json]-} ]]; then set -- "$@" --json; fi
  if [[ -n ${option[vault]-} ]]; then set -- "$@" --vault "${option[vault]}"; fi
  "$program" "$@"
}
