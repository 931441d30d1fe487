# Completion of qv(1) for bash without an unlocked vault. Sourcing quickvault.bash replaces it with one that also
# completes titles, tags, fields, attachments and devices.
# shellcheck shell=bash

_qv_words() {
  command qv complete "$@" 2>/dev/null </dev/null | cut -f 1
}

_qv_program() {
  local current=${COMP_WORDS[COMP_CWORD]} kind=commands command='' word count=0
  for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    [[ $word == -* ]] && continue
    if [[ -z $command ]]; then command=$word; else count=$((count + 1)); fi
  done
  case ${COMP_WORDS[COMP_CWORD-1]} in
    --group|-g) kind=groups ;;
    --type) kind=types ;;
    --style|-s) kind=styles ;;
    --format) kind=formats ;;
    --kdf) kind=derivations ;;
    --to|-o|--vault) compopt -o default; return ;;
    *) case $current,$command,$count in
      -*) kind=options ;;
      *,,*|*,help,*) ;;
      *,new,0) kind=types ;;
      *,devices,0|*,fingerprint,0) kind=arguments ;;
      *,import,*|*,export,*|*,backup,*|*,merge,*|*,attach,[1-9]*) compopt -o default; return ;;
      *) return ;;
      esac ;;
  esac
  mapfile -t COMPREPLY < <(compgen -W "$(_qv_words "$kind" "$command")" -- "$current")
}
complete -F _qv_program qv
