# Completion of quickvault(1) for bash.
# shellcheck shell=bash disable=SC2207  # words without spaces

_quickvault() {
  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]}
  case $previous in
    --vault | --pinentry) compopt -o filenames; COMPREPLY=($(compgen -f -- "$current")); return ;;
    --helpers | --root) compopt -o filenames; COMPREPLY=($(compgen -d -- "$current")); return ;;
  esac
  if [[ ${COMP_WORDS[1]} == merge && $current != -* ]]; then
    compopt -o filenames; COMPREPLY=($(compgen -f -- "$current")); return
  fi
  local words='--vault --helpers --pinentry --verbose --help --version'
  if [[ " ${COMP_WORDS[*]:1:COMP_CWORD-1} " == *' doctor '* ]]; then words+=' --json --report'; fi
  if [[ ${COMP_WORDS[1]} == demo ]]; then words=${words/--vault /}; fi
  if [[ ${COMP_WORDS[1]} == serve ]]; then words+=' --socket --background'; fi
  if [[ ${COMP_WORDS[1]} == -* ]]; then words+=' --shared'; fi
  if [[ ${COMP_WORDS[1]} == merge ]]; then words='--git --json --password-fd --password-command --pinentry --help'; fi
  if [[ ${COMP_WORDS[1]} == mcp ]]; then words='--vault --root --help'; fi
  if ((COMP_CWORD == 1)); then words+=' --shared lsp serve demo doctor merge mcp privacy'; fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -F _quickvault quickvault
