# The session's process and completion, for zsh.
#
# zsh has only one coprocess, and a second one ends the first, so the process has two pipes instead: a process
# substitution for its output, and a named pipe for its input, in a private directory that is removed once the pipe is
# open. Both are close-on-exec, so that no program inherits the unlocked vault.

typeset -g _QV_LOCK_REASON= _QV_IDENTITY= _QV_FROM= _QV_TO=

# Identifies the vault and program of the process; any other needs another process.
_qv_identity() {
  builtin print -r -- "$_QV_DEMO|${QUICKVAULT_PROGRAM-}|${QUICKVAULT_VAULT-}|${XDG_DATA_HOME-}|${HOME-}"
}

_qv_is_running() {
  [[ -n $_QV_IDENTITY && $_QV_IDENTITY == "$(_qv_identity)" ]]
}

# Starts and initializes the process unless it is running.
_qv_start() {
  emulate -L zsh
  setopt no_monitor no_notify no_bg_nice
  local directory outcome=0
  _qv_is_running && return
  _qv_stop
  zmodload zsh/system || return
  directory=$(command mktemp -d) && command mkfifo -m 600 -- $directory/to || return
  # In its own session it gets neither Ctrl-C nor the hangup of the terminal.
  sysopen -r -o cloexec -u _QV_FROM \
    <(exec setsid -- "${QUICKVAULT_PROGRAM:-quickvault}" ${_QV_DEMO:+demo} <$directory/to 2>/dev/null)
  sysopen -w -o cloexec -u _QV_TO $directory/to
  command rm -rf -- $directory
  _QV_IDENTITY=$(_qv_identity)
  (_qv_exec_script - --initialize $$) || outcome=$?
  if (( outcome != 0 )); then
    _qv_stop
    return $outcome
  fi
  if [[ ${1-} == again ]]; then _QV_LOCK_REASON=restarted; fi
}

# Closes the pipes of the process, which then exits.
_qv_stop() {
  emulate -L zsh
  if [[ -n $_QV_TO ]]; then exec {_QV_TO}>&-; fi
  if [[ -n $_QV_FROM ]]; then exec {_QV_FROM}<&-; fi
  _QV_TO= _QV_FROM= _QV_IDENTITY=
} 2>/dev/null

# Runs the script with the session's process. The arguments go through a pipe, because other users can read those of a
# process.
_qv_run_in_session() {
  emulate -L zsh
  (
    local list
    exec {list}< <( (( $# == 0 )) || builtin printf '%s\0' "$@" )
    _qv_exec_script $list
  )
}

_qv_exec_script() {
  emulate -L zsh
  local from to
  exec {from}<&$_QV_FROM {to}>&$_QV_TO
  exec $_QV_DIRECTORY/qv --in-session $from $to $1 "$_QV_LOCK_REASON" "${@[2,-1]}"
}

# Runs the script with its own process.
_qv_run_standalone() {
  emulate -L zsh
  (
    local list
    exec {list}< <( (( $# == 0 )) || builtin printf '%s\0' "$@" )
    exec $_QV_DIRECTORY/qv --in-session - - $list ''
  )
}

# In zsh, a hook sees the line before it is added to the history.
_qv_remove_from_history() {
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
    commands|options|types|groups|styles|formats|derivations|arguments) _qv_run_standalone complete "$@"; return ;;
  esac
  _qv_is_running || return 0
  _qv_run_in_session complete "$@"
}

_qv_complete() {
  emulate -L zsh
  local _qv_kind _qv_context _qv_suffix
  local -a given=(${(Q)${words[2,CURRENT-1]:#-*}})
  _qv_completion_kind "${words[CURRENT-1]}" "${words[CURRENT]}" "${given[1]-}" $(( $#given - 1 )) "${given[2]-}"
  case $_qv_kind in
    '') ;;
    files) _files ;;
    *) _qv_offer "$_qv_suffix" $_qv_kind "$_qv_context" ;;
  esac
}

if [[ -o interactive ]]; then
  autoload -Uz add-zsh-hook
  add-zsh-hook zshaddhistory _qv_zshaddhistory
  if (( $+functions[compdef] )); then compdef _qv_complete qv; fi
fi
