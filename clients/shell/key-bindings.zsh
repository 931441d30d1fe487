# Alt-V in zsh inserts a value that is picked from the vault, quoted as one word.

_qv_insert() {
  emulate -L zsh
  local value
  value=$(command qv pick </dev/tty) && LBUFFER+=${(q)value}
  zle reset-prompt
}

if [[ -o interactive ]]; then
  zle -N _qv_insert
  bindkey '\ev' _qv_insert
fi
