# Passwords, from the terminal without echo or from a descriptor, never from an argument or the environment.

# Reads a password. Sets `secret`; exits without a terminal. Arguments: the option that may give a descriptor, and the
# name of the prompt.
read_password() {
  local descriptor=${option[$1]-} outcome=0
  if [[ -n $descriptor ]]; then
    { IFS= read -r secret <&"$descriptor"; } 2>/dev/null || [[ -n ${secret-} ]] ||
      fail "$status_usage" passwordUnreadable "--$1 $descriptor"
  else
    read_secret "$(message_text "$2")" || outcome=$?
    case $outcome in
      1) cancel ;;
      2) fail "$status_locked" nobodyToAsk ;;
    esac
  fi
}

# Whether the password comes from a descriptor given by this option, so that asking again is no use.
has_option() {
  [[ -n ${option[$1]-} ]]
}

# Whether the new password in `secret` is long enough, and hard to guess or wanted anyway. Argument: the option that may
# have given it.
accept_new_password() {
  exchange password/check "$(json_object password "$secret")" || fail_program_ended
  case $kind in
    ok) ;;
    auth.passwordTooShort|auth.passwordTooLong)
      has_option "$1" && fail_with_error
      printf 'qv: %s\n' "$message" >&2
      return 1 ;;
    *) fail_with_error ;;
  esac
  [[ $result != *'"warnings":[]'* ]] || return 0
  printf 'qv: %s\n' "$(printf '%s' "$result" | jq -r '.warnings[0].message')" >&2
  has_option "$1" || confirm "$(message_text useAnyway)" no
}

# Reads a new password, twice if it is typed. Sets `secret`.
read_new_password() {
  local first
  while :; do
    read_password "$1" newPasswordPrompt
    accept_new_password "$1" || continue
    has_option "$1" && return
    first=$secret
    read_password "$1" repeatPrompt
    [[ $first == "$secret" ]] && return
    report passwordsDiffer
  done
}

# Prints the value of the parameter `kdf` from the options, or nothing.
key_derivation() {
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
