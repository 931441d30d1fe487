# Completion of qv(1) for bash.
# shellcheck shell=bash

_qv_complete() {
  local current=${COMP_WORDS[COMP_CWORD]} rest=${COMP_LINE:0:COMP_POINT} kept='' piece line word
  local -a lines words=()
  COMPREPLY=()
  # bash also splits words at colons and equals signs, and replaces only the last piece.
  for piece in "${COMP_WORDS[@]:0:COMP_CWORD+1}"; do
    if ((${#words[@]} == 0)) || [[ $rest == [[:space:]]* || ${words[-1]} == -* || ${words[-1]} == = ]]; then
      words+=("$piece")
      kept=''
    else
      kept=${words[-1]}
      words[-1]+=$piece
    fi
    rest=${rest#*"$piece"}
  done
  if [[ $current == = && -z $kept ]]; then words+=(''); fi
  if [[ $current == [:=] ]]; then kept=${words[-1]}; fi
  kept=${kept//[\\\'\"]/}
  mapfile -t lines < <(command qv complete -- "${words[@]:1}" 2>/dev/null </dev/null)
  case ${lines[0]-} in
    :files) compopt -o default; return ;;
    :commands) mapfile -t COMPREPLY < <(compgen -c -- "$current"); return ;;
  esac
  for line in "${lines[@]}"; do
    word=${line%%$'\t'*}
    if [[ $word == *= ]]; then compopt -o nospace; fi
    word=${word:${#kept}}
    # Inside quotation marks, bash quotes by itself.
    if [[ -n $word && $current != [\'\"]* ]]; then printf -v word '%q' "$word"; fi
    COMPREPLY+=("$word")
  done
}
complete -F _qv_complete qv
