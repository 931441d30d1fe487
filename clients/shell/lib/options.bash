# The command line: commands, options and operands.

# The options of each command. A name with a colon takes a value. All commands accept --help and --vault.
declare -A command_options=(
  [init]='kdf: iterations: memory: password-fd:'
  [unlock]='password-fd:'
  [lock]=''
  [status]='json'
  [list]='json group: tag: type: limit: all password-fd:'
  [search]='json group: tag: type: limit: all password-fd:'
  [show]='json field: reveal password-fd:'
  [copy]='field: style: template: concealed print password-fd:'
  [new]='json title: group: tag: pin extra: conceal: from-json: password-fd:'
  [edit]='json title: group: tag: extra: conceal: from-json: password-fd:'
  [delete]='yes password-fd:'
  [pin]='password-fd:'
  [unpin]='password-fd:'
  [attach]='watermark: password-fd:'
  [attachments]='json password-fd:'
  [open]='original password-fd:'
  [save]='to: original strip-metadata yes password-fd:'
  [watermark]='watermark: remove password-fd:'
  [detach]='yes password-fd:'
  [import]='format: map: type: group: keep-duplicates dry-run yes json password-fd:'
  [export]='format: yes password-fd:'
  [backup]='keep: password-fd:'
  [merge]='dry-run json password-fd:'
  [repair]='yes json password-fd:'
  [demo]=''
  [doctor]='json report'
  [fingerprint]='json password-fd:'
  [devices]='yes json password-fd:'
  [tags]='json password-fd:'
  [settings]='json password-fd:'
  [password]='kdf: iterations: memory: password-fd: new-password-fd:'
  [log]='json limit: password-fd:'
  [verify]='json password-fd:'
  [delete-vault]='confirm: password-fd:'
  [help]=''
  [version]=''
  [complete]=''
)

declare -A option=()
declare -a operands=() given_tags=() mappings=() extras=() concealed_labels=()
command=''

# Prints the full name of a command, given its name, an alias, or an unambiguous prefix.
canonical_command() {
  case $1 in
    ls) printf list ;;
    find) printf search ;;
    get|cat) printf show ;;
    cp|clip) printf copy ;;
    add|create) printf new ;;
    rm|remove) printf delete ;;
    passwd) printf password ;;
    *)
      local name found=''
      for name in "${!command_options[@]}"; do
        if [[ $name == "$1" ]]; then printf '%s' "$name"; return; fi
        [[ $name == "$1"* && $name != complete ]] && found+="$name "
      done
      [[ $found == *' ' && $found != *' '*' ' ]] || return 1
      printf '%s' "${found% }" ;;
  esac
}

# Prints the long name of a short option.
long_option() {
  case $1 in
    -h) printf -- --help ;;
    -V) printf -- --version ;;
    -j) printf -- --json ;;
    -g) printf -- --group ;;
    -t) printf -- --tag ;;
    -n) printf -- --limit ;;
    -a) printf -- --all ;;
    -f) printf -- --field ;;
    -s) printf -- --style ;;
    -p) printf -- --print ;;
    -y) printf -- --yes ;;
    -w) printf -- --watermark ;;
    -o) printf -- --to ;;
    *) printf '%s' "$1" ;;
  esac
}

# Stores the value of an option; options that can be repeated are also stored in arrays.
store_option() {
  case $1 in
    tag) given_tags+=("$2"); option[tag]=$2 ;;
    map) mappings+=("$2"); option[map]=$2 ;;
    extra) extras+=("$2"); option[extra]=$2 ;;
    conceal) concealed_labels+=("$2"); option[conceal]=$2 ;;
    *) option[$1]=$2 ;;
  esac
}

usage_error() {
  report "$@"
  report seeHelp "${command:+ $command}"
  exit "$status_usage"
}

# Parses the command line into `command`, `option` and `operands`.
read_options() {
  local word name rest=false known
  while (($# > 0)); do
    word=$1
    shift
    if $rest || [[ $word != -?* ]]; then
      if [[ -z $command ]]; then
        command=$(canonical_command "$word") || { command=''; usage_error unknownCommand "$word"; }
      else
        operands+=("$word")
      fi
      continue
    fi
    if [[ $word == -- ]]; then rest=true separator=${#operands[@]}; continue; fi
    [[ $word != --* ]] && word=$(long_option "$word")
    name=${word%%=*}
    name=${name#--}
    case $name in
      help) option[help]=yes; continue ;;
      version) command=version; continue ;;
    esac
    known=" vault: $all_options "
    if [[ -n $command ]]; then known=" vault: ${command_options[$command]} "; fi
    if [[ $known == *" $name: "* ]]; then
      if [[ $word == *=* ]]; then
        store_option "$name" "${word#*=}"
      elif (($# > 0)); then
        store_option "$name" "$1"
        shift
      else
        usage_error optionNeedsValue "--$name"
      fi
    elif [[ $known == *" $name "* && $word != *=* ]]; then
      option[$name]=yes
    else
      usage_error unknownOption "$word"
    fi
  done
  if [[ -n ${option[help]-} ]]; then operands=("${command:-qv}") command=help; fi
  [[ -n $command ]] || command=list
  check_options
}

# Before the command is known, any command's options are accepted, and checked afterwards.
all_options=" ${command_options[*]} "
separator=-1

check_options() {
  local name allowed=" help vault: ${command_options[$command]} "
  for name in "${!option[@]}"; do
    [[ $allowed == *" $name "* || $allowed == *" $name: "* ]] || usage_error unknownOption "--$name"
  done
  for name in limit keep password-fd new-password-fd iterations memory; do
    [[ ${option[$name]-0} =~ ^[0-9]{1,9}$ ]] || usage_error optionNeedsNumber "--$name"
  done
  [[ ${option[from-json]--} == - ]] || usage_error onlyStandardInput
}
