# The clipboard. Text goes through pipes only, never through arguments, files or variables of a process that stays.

# Prints the available clipboard programs, best first.
clipboard_programs() {
  if [[ -n ${WAYLAND_DISPLAY-} ]] && type -P wl-copy >/dev/null && type -P wl-paste >/dev/null; then
    printf 'wl-copy\n'
  fi
  if [[ -n ${DISPLAY-} ]]; then
    type -P xclip >/dev/null && printf 'xclip\n'
    type -P xsel >/dev/null && printf 'xsel\n'
  fi
  if type -P pbcopy >/dev/null && type -P pbpaste >/dev/null; then printf 'pbcopy\n'; fi
}

# Closes every descriptor but standard input, for processes that stay and must not keep the session's pipes, the
# terminal or a pipe of the caller open. (255 is the script in bash, which closes it by itself.)
close_descriptors() {
  local descriptor
  exec >/dev/null 2>&1
  for descriptor in /proc/self/fd/*; do
    descriptor=${descriptor##*/}
    if ((descriptor > 2 && descriptor != 255)); then exec {descriptor}<&-; fi
  done
}

# Copies standard input to the clipboard. The clipboard program may keep running.
fill_clipboard() (
  close_descriptors
  case $1 in
    wl-copy) wl-copy ;;
    xclip) xclip -selection clipboard ;;
    xsel) xsel --clipboard --input ;;
    pbcopy) pbcopy ;;
  esac
)

# Prints the content of the clipboard.
clipboard_content() {
  case $1 in
    wl-copy) wl-paste --no-newline ;;
    xclip) xclip -selection clipboard -o ;;
    xsel) xsel --clipboard --output ;;
    pbcopy) pbpaste ;;
  esac 2>/dev/null </dev/null
}

# Empties the clipboard.
empty_clipboard() {
  case $1 in
    wl-copy) wl-copy --clear ;;
    xclip) xclip -selection clipboard </dev/null ;;
    xsel) xsel --clipboard --clear ;;
    pbcopy) pbcopy </dev/null ;;
  esac >/dev/null 2>&1
}

# Reads a salt and a digest of salt and text from standard input, waits, and clears the clipboard if its text has that
# digest. A later copy of the same text has its own timer: the file `place` holds the salt of the last copy.
clear_later() {
  local program=$1 seconds=$2 place=$3 salt digest
  read -r salt digest
  exec </dev/null >/dev/null 2>&1
  sleep "$seconds"
  if [[ -n $place && $(cat "$place") != "$salt" ]]; then return; fi
  if [[ $(digest_of "$salt" < <(clipboard_content "$program")) == "$digest" ]]; then
    empty_clipboard "$program"
  fi
  [[ -z $place ]] || rm -f "$place"
}

# Prints a digest of a salt and standard input.
digest_of() {
  local line
  line=$({ printf '%s' "$1"; cat; } | sha256sum)
  printf '%s' "${line%% *}"
}

# Starts clear_later in a separate process without a terminal or the session's pipes, which outlives the shell.
schedule_clearing() (
  program=$1 seconds=$2 salt=$3 digest=$4 place=''
  if [[ -d ${XDG_RUNTIME_DIR-} && -w ${XDG_RUNTIME_DIR-} ]]; then
    place=$XDG_RUNTIME_DIR/quickvault-clipboard
    printf '%s' "$salt" 2>/dev/null >|"$place" || place=''
  fi
  close_descriptors
  # shellcheck disable=SC2016  # expanded by the new shell
  setsid "$BASH" -c '. "$1" && clear_later "$2" "$3" "$4"' qv-clear \
    "$library/clipboard.bash" "$program" "$seconds" "$place" < <(printf '%s %s\n' "$salt" "$digest") &
)
