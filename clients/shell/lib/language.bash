# The language of qv's own words: the locale's, as the server does it.

declare -A words=()

# Loads the words in Chinese for a locale zh*, else in English.
choose_language() {
  locale=${LC_ALL:-${LC_MESSAGES:-${LANG-}}}
  case $locale in
    zh*) export QV_LANGUAGE=zh ;;
    *) export QV_LANGUAGE=en ;;
  esac
  # shellcheck source=/dev/null
  . "$library/words.$QV_LANGUAGE.bash"
}

# Prints a section of the help: `qv help` without a name, else one command's.
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

# Prints the versions of qv and of the program that it finds.
command_version() {
  local program
  printf 'qv %s\n' "$qv_version"
  if program=$(find_program); then "$program" --version; fi
}
