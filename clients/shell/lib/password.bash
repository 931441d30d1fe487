# Passwords: from the terminal without echo or from a descriptor, never from an argument or the environment.

# Reads a password. Sets `secret`; ends where there is nobody to ask. Arguments: an option that may name a
# descriptor, and the prompt's name.
obtain_password() {
  local descriptor=${option[$1]-} outcome=0
  if [[ -n $descriptor ]]; then
    { IFS= read -r secret <&"$descriptor"; } 2>/dev/null || [[ -n ${secret-} ]] ||
      fail "$status_usage" noPasswordThere "--$1 $descriptor"
  else
    read_secret "$(say "$2")" || outcome=$?
    case $outcome in
      1) decline ;;
      2) fail "$status_locked" nobodyToAsk ;;
    esac
  fi
}

# Whether passwords of that option come from a descriptor, so that asking again makes no sense.
is_given() {
  [[ -n ${option[$1]-} ]]
}

# Reads a new password twice where it is typed. Sets `secret`.
obtain_new_password() {
  local first
  while :; do
    obtain_password "$1" newPasswordPrompt
    is_given "$1" && return
    first=$secret
    obtain_password "$1" repeatPrompt
    [[ $first == "$secret" ]] && return
    tell passwordsDiffer
  done
}

# Prints the key derivation that the options ask for, as a member `kdf`, or nothing.
chosen_derivation() {
  [[ -n ${option[kdf]-}${option[iterations]-}${option[memory]-} ]] || return
  local algorithm=${option[kdf]-}
  if [[ -z $algorithm ]]; then
    algorithm=pbkdf2-hmac-sha256
    [[ -n ${option[memory]-} ]] && algorithm=argon2id
  fi
  [[ $algorithm == pbkdf2 ]] && algorithm=pbkdf2-hmac-sha256
  set -- algorithm "$algorithm"
  if [[ -n ${option[iterations]-} ]]; then set -- "$@" iterations: "$((10#${option[iterations]}))"; fi
  if [[ -n ${option[memory]-} ]]; then set -- "$@" memoryKiB: "$((10#${option[memory]}))"; fi
  json_object "$@"
}
