# QuickVault in the shell. Source this in bash (4.1 or later) or zsh:
#
#   . /path/to/clients/shell/quickvault.bash
#
# The command qv then uses one quickvault process for the session, so that one `qv unlock` is enough. The process
# exits when the shell exits for any reason: its input ends, and it watches the shell's process id. Your traps are not
# changed.
#
# All names here are qv, _qv_… or _QV_…. The script qv does the work in its own process, with its own options, traps
# and variables.
# shellcheck shell=bash

if [ -n "${ZSH_VERSION-}" ]; then
  eval '_QV_DIRECTORY=${${(%):-%x}:A:h}'
  # shellcheck source=/dev/null
  . "$_QV_DIRECTORY/session.zsh"
elif [ -n "${BASH_VERSION-}" ]; then
  _QV_DIRECTORY=$(command readlink -f -- "${BASH_SOURCE[0]}")
  _QV_DIRECTORY=${_QV_DIRECTORY%/*}
  # shellcheck source=session.bash
  . "$_QV_DIRECTORY/session.bash"
else
  builtin printf 'quickvault.bash: this shell is neither bash nor zsh; the script qv beside it works everywhere\n' >&2
  # shellcheck disable=SC2317  # if it was run, not sourced
  return 1 2>/dev/null || exit 1
fi

# Switches the session to the demo vault, or back to the user's vault.
_qv_toggle_demo() {
  _qv_stop
  _QV_LOCK_REASON=
  if [ -z "$_QV_DEMO" ]; then _QV_DEMO=demo; else _QV_DEMO=; fi
}

_QV_DEMO=

# Finds out what to complete. Arguments: the previous word, the beginning of the current word, the command, the number
# of operands before the current word, and the first of them. Sets `_qv_kind` (empty for nothing), `_qv_context` (the
# second argument of `qv complete`) and `_qv_suffix` (added after the completed word).
_qv_completion_kind() {
  _qv_kind='' _qv_context=$3 _qv_suffix=
  case $1 in
    --group|-g) _qv_kind=groups; return ;;
    --type) _qv_kind=types; return ;;
    --tag|-t) _qv_kind=tags; return ;;
    --style|-s) _qv_kind=styles; return ;;
    --field|-f) _qv_kind=fields; return ;;
    --format) _qv_kind=formats; return ;;
    --kdf) _qv_kind=derivations; return ;;
    --to|-o|--vault) _qv_kind=files; return ;;
    --template|--title|--limit|-n|--keep|--map|--extra|--conceal|--watermark|-w|--from-json) return ;;
    --iterations|--memory|--confirm|--password-fd|--new-password-fd) return ;;
  esac
  case $2 in
    -*) _qv_kind=options; return ;;
  esac
  case $3 in
    ''|help) _qv_kind=commands ;;
    show|copy|delete|pin|unpin|get|cat|cp|clip|rm|remove|attachments) _qv_kind=titles ;;
    open|save|watermark|detach)
      case $4 in
        0) _qv_kind=titles ;;
        1) _qv_kind=attachments _qv_context=$5 ;;
      esac ;;
    attach) if [ "$4" -gt 0 ]; then _qv_kind=files; else _qv_kind=titles; fi ;;
    import|export|backup|merge) _qv_kind=files ;;
    edit) if [ "$4" -gt 0 ]; then _qv_kind=fields _qv_suffix='='; else _qv_kind=titles; fi ;;
    new|add|create) if [ "$4" -gt 0 ]; then _qv_kind=fields _qv_suffix='='; else _qv_kind=types; fi ;;
    settings) _qv_kind=settings _qv_suffix='=' ;;
    fingerprint) if [ "$4" -eq 0 ]; then _qv_kind=arguments; fi ;;
    devices)
      case $4,$5 in
        0,*) _qv_kind=arguments ;;
        1,revoke) _qv_kind=devices ;;
      esac ;;
  esac
}

# Runs a command in this session. For the exit statuses, see `qv help`.
qv() {
  local _qv_word _qv_outcome=0
  _qv_remove_from_history "$@" || :
  for _qv_word in "$@"; do
    case $_qv_word in
      --vault|--vault=*) _qv_run_standalone "$@"; return ;;
      --) break ;;
    esac
  done
  case ${1-} in
    help|--help|-h|version|--version|-V|doctor) _qv_run_standalone "$@"; return ;;
  esac
  if [ "${1-}" = demo ] && [ $# -eq 1 ]; then _qv_toggle_demo; fi
  _qv_start || return
  _qv_run_in_session "$@" || _qv_outcome=$?
  if [ "$_qv_outcome" -eq 99 ]; then
    _qv_stop
    _qv_start again || return
    _qv_outcome=0
    _qv_run_in_session "$@" || _qv_outcome=$?
  fi
  # The user has now seen the reason of a lock that completion noticed.
  _QV_LOCK_REASON=
  return "$_qv_outcome"
}
