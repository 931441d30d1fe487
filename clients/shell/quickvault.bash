# QuickVault in the shell. Source this in bash (4.1 or later) or zsh:
#
#   . /path/to/clients/shell/quickvault.bash
#
# The command qv then has a quickvault process for the session, so that one `qv unlock` is enough. The process
# ends with the shell, however that ends: its input ends, and it watches the shell's process id. No trap is
# taken for it, and yours stay as they are.
#
# Everything here is called qv, _qv_… or _QV_…; the work is done by the script qv in a process of its own, and
# so are its options, traps and variables.
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
  # shellcheck disable=SC2317  # where it was run, not sourced
  return 1 2>/dev/null || exit 1
fi

# Leads the session to a demo vault, or back to one's own.
_qv_change_vault() {
  _qv_close
  _QV_LOCK_REASON=
  if [ -z "$_QV_DEMO" ]; then _QV_DEMO=demo; else _QV_DEMO=; fi
}

_QV_DEMO=

# Runs a command in the conversation of this session. Statuses: see `qv help`.
qv() {
  local _qv_word _qv_outcome=0
  _qv_forget_line "$@" || :
  for _qv_word in "$@"; do
    case $_qv_word in
      --vault|--vault=*) _qv_run_alone "$@"; return ;;
      --) break ;;
    esac
  done
  case ${1-} in
    help|--help|-h|version|--version|-V|doctor) _qv_run_alone "$@"; return ;;
  esac
  if [ "${1-}" = demo ] && [ $# -eq 1 ]; then _qv_change_vault; fi
  _qv_open || return
  _qv_hand_over "$@" || _qv_outcome=$?
  if [ "$_qv_outcome" -eq 99 ]; then
    _qv_close
    _qv_open again || return
    _qv_outcome=0
    _qv_hand_over "$@" || _qv_outcome=$?
  fi
  # The completion may have seen why the vault was locked; now the person has too.
  _QV_LOCK_REASON=
  return "$_qv_outcome"
}
