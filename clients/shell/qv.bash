# Completion of qv(1) for bash.
# shellcheck shell=bash

_qv_complete() {
  local current=${COMP_WORDS[COMP_CWORD]} rest=${COMP_LINE:0:COMP_POINT} kept='' piece line word
  local quotation='' plain='' before='' index character
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
  # Of a word with an open quotation mark, it replaces only what follows the mark.
  for ((index = 0; index < ${#current}; index++)); do
    character=${current:index:1}
    case $quotation$character in
      \\ | \"\\) plain+=${current:index+=1:1} ;;
      \' | \") quotation=$character before=$plain ;;
      \'\' | \"\") quotation='' ;;
      *) plain+=$character ;;
    esac
  done
  if [[ -n $quotation ]]; then kept+=$before; fi
  mapfile -t lines < <(command qv complete -- "${words[@]:1}" 2>/dev/null </dev/null)
  case ${lines[0]-} in
    :files) compopt -o default; return ;;
    :commands) mapfile -t COMPREPLY < <(compgen -c -- "$current"); return ;;
  esac
  for line in "${lines[@]}"; do
    word=${line%%$'\t'*}
    if [[ $word == *= ]]; then compopt -o nospace; fi
    word=${word:${#kept}}
    # Inside quotation marks, bash inserts the word as it is.
    case $quotation in
      \') word=${word//"'"/"'\\''"} ;;
      \")
        word=${word//\\/\\\\}
        word=${word//'"'/'\"'}
        word=${word//'$'/'\$'}
        word=${word//'`'/'\`'}
        word=${word//'!'/"\"'!'\""}
        ;;
      *) if [[ -n $word ]]; then printf -v word '%q' "$word"; fi ;;
    esac
    # It adds the closing quotation mark unless the word ends with one.
    if [[ -n $quotation && $word == *"$quotation" ]]; then word+=$quotation; fi
    COMPREPLY+=("$word")
  done
}
complete -F _qv_complete qv
