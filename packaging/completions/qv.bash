# Completion of qv(1) for bash, as far as it goes without an unlocked vault; quickvault.bash, sourced, replaces it
# with one that knows titles, tags and fields.
# shellcheck shell=bash

_qv_words() {
  command qv complete "$@" 2>/dev/null </dev/null | cut -f 1
}

_qv_alone() {
  local current=${COMP_WORDS[COMP_CWORD]} kind=commands command='' word
  for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    if [[ $word != -* && -z $command ]]; then command=$word; fi
  done
  case ${COMP_WORDS[COMP_CWORD-1]} in
    --group|-g) kind=groups ;;
    --type) kind=types ;;
    --style|-s) kind=styles ;;
    *) case $current,$command in
      -*) kind=options ;;
      *,|*,help) ;;
      *,new) kind=types ;;
      *) return ;;
      esac ;;
  esac
  mapfile -t COMPREPLY < <(compgen -W "$(_qv_words "$kind" "$command")" -- "$current")
}
complete -F _qv_alone qv
