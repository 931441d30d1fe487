# Completion of qv(1) for bash.
# shellcheck shell=bash

_qv_complete() {
  local current=${COMP_WORDS[COMP_CWORD]} line word
  local -a lines
  COMPREPLY=()
  mapfile -t lines < <(command qv complete -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null </dev/null)
  case ${lines[0]-} in
    :files) compopt -o default; return ;;
    :commands) mapfile -t COMPREPLY < <(compgen -c -- "$current"); return ;;
  esac
  for line in "${lines[@]}"; do
    word=${line%%$'\t'*}
    if [[ $word == *= ]]; then compopt -o nospace; fi
    # Inside quotation marks, bash quotes by itself.
    if [[ $current != [\'\"]* ]]; then printf -v word '%q' "$word"; fi
    COMPREPLY+=("$word")
  done
}
complete -F _qv_complete qv
