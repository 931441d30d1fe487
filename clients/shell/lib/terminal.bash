# The terminal: passwords without echo, questions, widths.

terminal_modes=''

# Opens the terminal for a question; fails where there is none. Sets `terminal`.
open_terminal() {
  { exec {terminal}<>/dev/tty; } 2>/dev/null
}

# Gives the terminal its echo back.
restore_terminal() {
  if [[ -n $terminal_modes ]]; then
    stty "$terminal_modes" <&"$terminal" 2>/dev/null
    terminal_modes=''
  fi
}

# Reads a line that is not shown. Sets `secret`; gives 2 where there is no terminal, and 1 at the end of input.
#
# Bash looks at a signal that comes just before it begins to read only when it has read; so it reads a second at a time.
read_secret() {
  local outcome part
  open_terminal || return 2
  terminal_modes=$(stty -g <&"$terminal") || return 2
  # Stopped here, the shell would get a terminal without echo.
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

# Whether a person can be asked for more than a password.
is_interactive() {
  [[ -t 0 && -t 2 ]]
}

# Asks for a line, which may be edited. Sets `line`; at the end of input nothing is done.
read_line() {
  local prompt=$1 current=${2-}
  # Completing file names is of no use here; bind warns where there is no line editing.
  bind 'set disable-completion on' 2>/dev/null
  IFS= read -r -e -p "$prompt" -i "$current" line || { printf '\n' >&2; decline; }
}

# Asks for lines until the end of input. Sets `lines`, without a last line break.
read_lines() {
  local next
  lines=''
  printf '%s\n' "$1" >&2
  while IFS= read -r next; do lines+=$next$'\n'; done
  lines=${lines%$'\n'}
}

# Asks a question that is answered with yes or no; anything else means the second argument, yes or no.
confirms() {
  local answer
  IFS= read -r -p "$1 " answer || { printf '\n' >&2; return 1; }
  case $answer in
    [yY]|[yY][eE][sS]|是|是的) return 0 ;;
    '') [[ $2 == yes ]] ;;
    *) return 1 ;;
  esac
}

# Ends because the person did not want to go on.
decline() {
  fail "$status_declined" declined
}

# Sets `width`, the terminal's for tables, or 0 where standard output is none, and `bold`, whether matches and
# titles may be so.
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
