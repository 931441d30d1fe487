# Alt-V in bash inserts a value that is picked from the vault, quoted as one word.
# shellcheck shell=bash

_qv_insert() {
  local value
  value=$(command qv pick) || return
  printf -v value '%q' "$value"
  READLINE_LINE=${READLINE_LINE:0:READLINE_POINT}$value${READLINE_LINE:READLINE_POINT}
  READLINE_POINT=$((READLINE_POINT + ${#value}))
}

if [[ $- == *i* ]]; then bind -x '"\ev": _qv_insert'; fi
