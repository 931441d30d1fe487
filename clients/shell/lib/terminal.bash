# The terminal: reading input without echo, questions, and the width.

terminal_modes=''

# Opens the terminal for a question; fails if there is none. Sets `terminal`.
open_terminal() {
  { exec {terminal}<>/dev/tty; } 2>/dev/null
}

# Restores the terminal's echo.
restore_terminal() {
  if [[ -n $terminal_modes ]]; then
    stty "$terminal_modes" <&"$terminal" 2>/dev/null
    terminal_modes=''
  fi
}

# Reads a line without echo. Sets `secret`; returns 2 without a terminal, and 1 at the end of input.
#
# Bash handles a signal that arrives just before `read` only after `read` returns, so this reads for a second at a
# time.
read_secret() {
  local outcome part
  open_terminal || return 2
  terminal_modes=$(stty -g <&"$terminal") || return 2
  # If qv was stopped here, the shell would have a terminal without echo.
  trap '' TSTP
  stty -echo <&"$terminal"
  printf '%s' "$1" >&"$terminal"
  secret=''
  while :; do
    outcome=0
    IFS= read -r -t 1 part <&"$terminal" || outcome=$?
    secret+=$part
    ((outcome > 128)) || break
  done
  restore_terminal
  trap - TSTP
  printf '\n' >&"$terminal"
  exec {terminal}<&-
  return "$outcome"
}

# Whether the user can be asked for more than a password.
is_interactive() {
  [[ -t 0 && -t 2 ]]
}

# Asks for a line with line editing. Sets `line`; exits at the end of input.
read_line() {
  local prompt=$1 current=${2-}
  # File name completion is of no use here; bind warns if there is no line editing.
  bind 'set disable-completion on' 2>/dev/null
  IFS= read -r -e -p "$prompt" -i "$current" line || { printf '\n' >&2; cancel; }
}

# Asks for lines until the end of input. Sets `lines`, without the last line break.
read_lines() {
  local next
  lines=''
  printf '%s\n' "$1" >&2
  while IFS= read -r next; do lines+=$next$'\n'; done
  lines=${lines%$'\n'}
}

# Asks a yes-or-no question. The second argument, yes or no, is the default for an empty answer.
confirm() {
  local answer
  IFS= read -r -p "$1 " answer || { printf '\n' >&2; return 1; }
  case $answer in
    [yY]|[yY][eE][sS]|是|是的) return 0 ;;
    '') [[ $2 == yes ]] ;;
    *) return 1 ;;
  esac
}

# Exits because the user cancelled.
cancel() {
  fail "$status_declined" declined
}

# Sets `width` to the width of the terminal, or 0 if standard output is no terminal, and `bold` to whether it shows
# bold text.
measure_output() {
  local size screen
  width=0 bold=false
  [[ -t 1 ]] || return 0
  exec {screen}>&1
  width=80
  if size=$(stty size 2>/dev/null <&"$screen") && ((${size#* } > 20)); then width=${size#* }; fi
  exec {screen}>&-
  if [[ -z ${NO_COLOR-} && ${TERM-dumb} != dumb ]]; then bold=true; fi
}
