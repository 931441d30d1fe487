# The session's process and completion, for bash.
#
# The process is a coprocess: bash closes a coprocess's descriptors in every program and subshell that it starts, so
# that no program inherits the unlocked vault. The script qv reopens the pipes through /proc, which also works in
# pipelines and command substitutions.
# shellcheck shell=bash

if [ "${BASH_VERSINFO[0]}" -lt 4 ]; then
  builtin printf 'quickvault.bash: bash 4.1 or later is needed, or zsh\n' >&2
  return 1
fi

_QV_LOCK_REASON=
_QV_IDENTITY=

# Identifies the vault and program of the process; any other needs another process.
_qv_identity() {
  builtin printf '%s|' "$_QV_DEMO" "${QUICKVAULT_PROGRAM-}" "${QUICKVAULT_VAULT-}" "${XDG_DATA_HOME-}" "${HOME-}"
}

_qv_is_running() {
  [[ -n $_QV_IDENTITY && $_QV_IDENTITY == "$(_qv_identity)" && -n ${_QV_SERVER_PID-} ]]
}

# Starts and initializes the process unless it is running.
_qv_start() {
  local _qv_outcome=0
  _qv_is_running && return
  if [[ -n $_QV_IDENTITY && $_QV_IDENTITY == "$(_qv_identity)" ]]; then set -- again; fi
  _qv_stop
  _QV_OWNER=$BASHPID
  # Out of the job table, the shell neither waits for it nor warns about it. With job control it is in its own process
  # group, so Ctrl-C does not reach it.
  { coproc _QV_SERVER { exec "${QUICKVAULT_PROGRAM:-quickvault}" ${_QV_DEMO:+demo} 2>/dev/null; } } 2>/dev/null
  disown "${_QV_SERVER_PID-}" 2>/dev/null || :
  _QV_IDENTITY=$(_qv_identity)
  (_qv_exec_script - --initialize "$$") || _qv_outcome=$?
  if ((_qv_outcome != 0)); then
    _qv_stop
    return "$_qv_outcome"
  fi
  if [[ ${1-} == again ]]; then _QV_LOCK_REASON=restarted; fi
}

# Closes the pipes of the process, which then exits.
_qv_stop() {
  local _qv_descriptor
  if [[ ${_QV_OWNER-} == "$BASHPID" ]]; then
    for _qv_descriptor in "${_QV_SERVER[@]+"${_QV_SERVER[@]}"}"; do
      { exec {_qv_descriptor}<&-; } 2>/dev/null || :
    done
  fi
  _QV_IDENTITY=
}

# Runs the script with the session's process. The arguments go through a pipe, because other users can read those of a
# process.
_qv_run_in_session() (
  set +eux
  exec {_qv_list}< <((($# == 0)) || builtin printf '%s\0' "$@")
  _qv_exec_script "$_qv_list"
)

_qv_exec_script() {
  set +eux
  { exec {_qv_from}<"/proc/$_QV_OWNER/fd/${_QV_SERVER[0]}"; } 2>/dev/null || _qv_from=-1
  { exec {_qv_to}>"/proc/$_QV_OWNER/fd/${_QV_SERVER[1]}"; } 2>/dev/null || _qv_to=-1
  exec "$_QV_DIRECTORY/qv" --in-session "$_qv_from" "$_qv_to" "$1" "$_QV_LOCK_REASON" "${@:2}"
}

# Runs the script with its own process.
_qv_run_standalone() (
  set +eux
  exec {_qv_list}< <((($# == 0)) || builtin printf '%s\0' "$@")
  exec "$_QV_DIRECTORY/qv" --in-session - - "$_qv_list" ''
)

# Keeps command lines with values (field=value, --extra) out of the history. HISTIGNORE also works for qv in a
# pipeline or command substitution, which only have a copy of the history.
_qv_set_histignore() {
  local _qv_pattern
  for _qv_pattern in 'qv *=*' '*[^a-zA-Z0-9_./-]qv *=*'; do
    case :${HISTIGNORE-}: in
      *:"$_qv_pattern":*) ;;
      *) HISTIGNORE=${HISTIGNORE:+$HISTIGNORE:}$_qv_pattern ;;
    esac
  done
}

# Removes such a line from the history if qv was called by an alias.
_qv_remove_from_history() {
  local _qv_word _qv_entry _qv_number
  [[ $- == *i* && -o history ]] || return 0
  for _qv_word in "$@"; do
    if [[ $_qv_word == *=* ]]; then
      _qv_entry=$(HISTTIMEFORMAT='' builtin history 1)
      [[ $_qv_entry == *"${_qv_word%%=*}="* ]] || return 0
      read -r _qv_number _ < <(builtin printf '%s\n' "$_qv_entry")
      builtin history -d "${_qv_number%'*'}"
      return
    fi
  done
}

# Prints the candidates of a kind, if they are available.
_qv_candidates() {
  local _qv_lines _qv_outcome=0
  case $1 in
    commands|options|types|groups|styles|formats|derivations|arguments) _qv_run_standalone complete "$@" 2>/dev/null; return ;;
  esac
  _qv_is_running || return 0
  _qv_run_in_session complete "$@" 2>/dev/null
}

# Offers the candidates of a kind that match the current word, each with a suffix.
_qv_offer() {
  local _qv_lines _qv_line _qv_quoted _qv_outcome=0
  _qv_lines=$(_qv_candidates "${@:2}" </dev/null) || _qv_outcome=$?
  if ((_qv_outcome == 98)); then _QV_LOCK_REASON=$_qv_lines; return; fi
  while IFS= read -r _qv_line; do
    _qv_line=${_qv_line%%$'\t'*}
    [[ -n $_qv_line ]] || continue
    if [[ $_qv_current == [\'\"]* ]]; then
      [[ $_qv_line == "${_qv_current:1}"* ]] && COMPREPLY+=("$_qv_line")
    else
      builtin printf -v _qv_quoted '%q' "$_qv_line"
      [[ $_qv_quoted == "$_qv_current"* ]] && COMPREPLY+=("$_qv_quoted$1")
    fi
  done < <(builtin printf '%s\n' "$_qv_lines")
  if [[ -n $1 ]]; then compopt -o nospace; fi
}

_qv_complete() {
  local _qv_current=${COMP_WORDS[COMP_CWORD]} _qv_word _qv_kind _qv_context _qv_suffix
  local -a _qv_words=()
  COMPREPLY=()
  for _qv_word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case $_qv_word in
      -*) continue ;;
      \"*|\'*) _qv_word=${_qv_word:1}; _qv_word=${_qv_word%[\"\']} ;;
      *) _qv_word=${_qv_word//\\/} ;;
    esac
    _qv_words+=("$_qv_word")
  done
  _qv_completion_kind "${COMP_WORDS[COMP_CWORD-1]}" "$_qv_current" "${_qv_words[0]-}" $((${#_qv_words[@]} - 1)) "${_qv_words[1]-}"
  case $_qv_kind in
    '') ;;
    files) compopt -o default ;;
    *) _qv_offer "$_qv_suffix" "$_qv_kind" "$_qv_context" ;;
  esac
}

complete -F _qv_complete qv
if [[ $- == *i* ]]; then _qv_set_histignore; fi
