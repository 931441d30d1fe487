# Showing settings, and changing them by name=value.

# Prints the value of a setting as JSON.
setting_json() {
  case $1 in
    copyTemplates.*) if [[ $2 == null || -z $2 ]]; then printf null; else json_string "$2"; fi ;;
    language) json_string "$2" ;;
    *)
      case $2 in
        on|yes) printf true ;;
        off|no|never)
          case $1 in
            *Seconds) printf null ;;
            *) printf false ;;
          esac ;;
        true|false|null) printf '%s' "$2" ;;
        *) if [[ $2 =~ ^(0|-?[1-9][0-9]{0,8})$ ]]; then printf '%s' "$2"; else json_string "$2"; fi ;;
      esac ;;
  esac
}

command_settings() {
  local word name templates='' separator=''
  local -a changes=()
  for word; do
    [[ $word =~ ^[A-Za-z][A-Za-z.]*= ]] || usage_error unexpectedArgument "$word"
    name=${word%%=*}
    if [[ $name == copyTemplates.* ]]; then
      templates+=$separator\"${name#*.}\":$(setting_json "$name" "${word#*=}")
      separator=,
    else
      changes+=("$name:" "$(setting_json "$name" "${word#*=}")")
    fi
  done
  if [[ -n $templates ]]; then changes+=(copyTemplates: "{$templates}"); fi
  if ((${#changes[@]} > 0)); then
    try_request settings/update "$(json_object "${changes[@]}")" || report_settings_issues
    if [[ -t 2 ]]; then report settingsSaved; fi
  else
    request settings/get
  fi
  if [[ -n ${option[json]-} ]]; then
    printf '%s' "$result" | jq .settings
  else
    printf '%s' "$result" | render '.settings
      | (del(.copyTemplates) | to_entries[] | "\(.key)=\(.value | if . == true then "on" elif . then . else "off" end)"),
        (.copyTemplates | to_entries[] | "copyTemplates.\(.key)=\(.value | one_line)")'
  fi
}

# Prints the issues of settings and exits.
report_settings_issues() {
  if [[ $kind == settings.invalid ]]; then
    printf '%s' "$result" | jq -r '.issues[] | "qv: \(.field): \(.message)"' >&2
    exit "$status_invalid"
  fi
  fail_with_error
}
