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

# What the word may be that is typed. Arguments: the word before it, its beginning, the command, how many words the
# command has before it, and the first of those. Sets `_qv_kind`, empty for nothing, `_qv_about`, which `qv complete`
# is asked for it with, and `_qv_suffix`, which follows the word.
_qv_expect() {
  _qv_kind='' _qv_about=$3 _qv_suffix=
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
        1) _qv_kind=attachments _qv_about=$5 ;;
      esac ;;
    attach) if [ "$4" -gt 0 ]; then _qv_kind=files; else _qv_kind=titles; fi ;;
    import|export|backup|merge) _qv_kind=files ;;
    edit) if [ "$4" -gt 0 ]; then _qv_kind=fields _qv_suffix='='; else _qv_kind=titles; fi ;;
    new|add|create) if [ "$4" -gt 0 ]; then _qv_kind=fields _qv_suffix='='; else _qv_kind=types; fi ;;
    settings) _qv_kind=settings _qv_suffix='=' ;;
    fingerprint) if [ "$4" -eq 0 ]; then _qv_kind=words; fi ;;
    devices)
      case $4,$5 in
        0,*) _qv_kind=words ;;
        1,revoke) _qv_kind=devices ;;
      esac ;;
  esac
}

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
