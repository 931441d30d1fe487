# The language of qv's messages, chosen by the locale as the server does.

declare -A messages=()

# Loads the Chinese messages for a locale zh*, else the English ones.
choose_language() {
  locale=${LC_ALL:-${LC_MESSAGES:-${LANG-}}}
  case $locale in
    zh*) export QV_LANGUAGE=zh ;;
    *) export QV_LANGUAGE=en ;;
  esac
  # shellcheck source=/dev/null
  . "$library/messages.$QV_LANGUAGE.bash"
}

# Prints the help of a command, or the general help.
command_help() {
  local section=${1-qv} line inside=false found=false
  section=$(canonical_command "$section") || section=${1-qv}
  while IFS= read -r line; do
    if [[ $line == '== '* ]]; then
      inside=false
      [[ $line == "== $section" ]] && inside=true found=true
    elif $inside; then
      printf '%s\n' "$line"
    fi
  done <"$library/help.$QV_LANGUAGE.txt"
  $found || fail "$status_usage" unknownCommand "$section"
}

# Prints the versions of qv and of the program.
command_version() {
  local program
  printf 'qv %s\n' "$qv_version"
  if program=$(find_program); then "$program" --version; fi
}
