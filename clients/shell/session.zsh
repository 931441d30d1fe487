# The session's process and completion, for zsh.
#
# The process has two pipes of its own, since zsh has one coprocess for everybody and a second one ends the first:
# a process substitution's for what it says, and for what it is told a named one, in a directory of ours, that
# is removed as soon as it is open. Both are opened so that they are closed in every program that zsh starts,
# and nobody inherits the open vault.

typeset -g _QV_LOCK_REASON= _QV_FOR= _QV_FROM= _QV_TO=

# What the process was started for; another vault or program needs another process.
_qv_identity() {
  builtin print -r -- "$_QV_DEMO|${QUICKVAULT_PROGRAM-}|${QUICKVAULT_VAULT-}|${XDG_DATA_HOME-}|${HOME-}"
}

_qv_is_open() {
  [[ -n $_QV_FOR && $_QV_FOR == "$(_qv_identity)" ]]
}

# Starts the process unless it is there, and shakes hands with it.
_qv_open() {
  emulate -L zsh
  setopt no_monitor no_notify no_bg_nice
  local directory outcome=0
  _qv_is_open && return
  _qv_close
  zmodload zsh/system || return
  directory=$(command mktemp -d) && command mkfifo -m 600 -- $directory/to || return
  # A session of its own keeps Ctrl-C and the terminal's end from it.
  sysopen -r -o cloexec -u _QV_FROM \
    <(exec setsid -- "${QUICKVAULT_PROGRAM:-quickvault}" ${_QV_DEMO:+demo} <$directory/to 2>/dev/null)
  sysopen -w -o cloexec -u _QV_TO $directory/to
  command rm -rf -- $directory
  _QV_FOR=$(_qv_identity)
  (_qv_become_script - --hello $$) || outcome=$?
  if (( outcome != 0 )); then
    _qv_close
    return $outcome
  fi
  if [[ ${1-} == again ]]; then _QV_LOCK_REASON=restarted; fi
}

# Forgets the process; its input ends, and so does it.
_qv_close() {
  emulate -L zsh
  if [[ -n $_QV_TO ]]; then exec {_QV_TO}>&-; fi
  if [[ -n $_QV_FROM ]]; then exec {_QV_FROM}<&-; fi
  _QV_TO= _QV_FROM= _QV_FOR=
} 2>/dev/null

# Runs the script in the session's conversation. The arguments go through a pipe, since everybody can read those
# of a process.
_qv_hand_over() {
  emulate -L zsh
  (
    local list
    exec {list}< <( (( $# == 0 )) || builtin printf '%s\0' "$@" )
    _qv_become_script $list
  )
}

_qv_become_script() {
  emulate -L zsh
  local from to
  exec {from}<&$_QV_FROM {to}>&$_QV_TO
  exec $_QV_DIRECTORY/qv --in-session $from $to $1 "$_QV_LOCK_REASON" "${@[2,-1]}"
}

# Runs the script with a process of its own.
_qv_run_alone() {
  emulate -L zsh
  (
    local list
    exec {list}< <( (( $# == 0 )) || builtin printf '%s\0' "$@" )
    exec $_QV_DIRECTORY/qv --in-session - - $list ''
  )
}

# In zsh a hook sees the line before it becomes history.
_qv_forget_line() {
  :
}

# Keeps a line that gives values (field=value, --extra) out of the history, by qv or by an alias for it.
_qv_zshaddhistory() {
  emulate -L zsh
  local name
  for name in qv ${(k)aliases[(R)qv(|[[:space:]]*)]}; do
    [[ $1 != (|*[^a-zA-Z0-9_./-])${name}[[:space:]]*=* ]] || return 1
  done
}

# Offers the candidates of a kind, with what each is; $1 follows each.
_qv_offer() {
  emulate -L zsh
  local -a lines names descriptions
  local text line outcome=0
  text=$(_qv_candidates "${@[2,-1]}" </dev/null 2>/dev/null) || outcome=$?
  if (( outcome == 98 )); then
    _QV_LOCK_REASON=$text
    return 1
  fi
  lines=(${(f)text})
  for line in $lines; do
    names+=(${line%%$'\t'*})
    descriptions+=("${line%%$'\t'*}${${line#*$'\t'}:+  -- ${line#*$'\t'}}")
  done
  compadd -l -d descriptions -S "${1:- }" -- $names
}

_qv_candidates() {
  emulate -L zsh
  case $1 in
    commands|options|types|groups|styles|formats|derivations|words) _qv_run_alone complete "$@"; return ;;
  esac
  _qv_is_open || return 0
  _qv_hand_over complete "$@"
}

_qv_complete() {
  emulate -L zsh
  local _qv_kind _qv_about _qv_suffix
  local -a given=(${(Q)${words[2,CURRENT-1]:#-*}})
  _qv_expect "${words[CURRENT-1]}" "${words[CURRENT]}" "${given[1]-}" $(( $#given - 1 )) "${given[2]-}"
  case $_qv_kind in
    '') ;;
    files) _files ;;
    *) _qv_offer "$_qv_suffix" $_qv_kind "$_qv_about" ;;
  esac
}

if [[ -o interactive ]]; then
  autoload -Uz add-zsh-hook
  add-zsh-hook zshaddhistory _qv_zshaddhistory
  if (( $+functions[compdef] )); then compdef _qv_complete qv; fi
fi
