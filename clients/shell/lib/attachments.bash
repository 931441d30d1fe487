# Pictures and documents of a card: attach, list, save, mark, detach.

# Prints a file's name as an absolute path; the server has a directory of its own.
absolute_path() {
  if [[ $1 == /* ]]; then printf '%s' "$1"; else printf '%s/%s' "${PWD%/}" "${1#./}"; fi
}

# Prints the names and values given as an object that asks for news of how far the request is.
long_parameters() {
  json_object "$@" progressToken qv
}

# Sends a request that wants a password: from the descriptor or the terminal, until it is
# right. Arguments: the method, the prompt's name, names and values as for json_object.
request_with_password() {
  local secret method=$1 prompt=$2
  shift 2
  while :; do
    obtain_password password-fd "$prompt"
    try_request "$method" "$(json_object "$@" password "$secret")" && return
    case $kind in
      auth.wrongPassword|auth.lockedOut) explain_wrong_password ;;
      *) return 1 ;;
    esac
  done
}

# Reads the attachments of the card that the text means. Sets `card_id` and `attachments`, a JSON array.
fetch_attachments() {
  resolve_card "$1"
  request attachment/list "$(json_object cardId "$card_id")"
  attachments=$(printf '%s' "$result" | jq -c .items)
}

# Picks the one attachment that the operands mean: a card, and where it has several, one's name, number in the list
# or beginning of its id. Sets `attachment`, its JSON, and `attachment_id` and `attachment_name`.
pick_attachment() {
  (($# <= 2)) || misuse unexpectedArgument "$3"
  local -a found=()
  fetch_attachments "${1-}"
  mapfile -t found < <(json_object wanted "${2-}" items: "$attachments" | render 'meant | tojson')
  if ((${#found[@]} == 0)); then
    if [[ $attachments == '[]' ]]; then fail "$status_not_found" noAttachments; fi
    fail "$status_not_found" noSuchAttachment "$2"
  fi
  if ((${#found[@]} > 1)); then
    tell whichAttachment
    printf '%s' "$attachments" | render numbered >&2
    exit "$status_ambiguous"
  fi
  attachment=${found[0]}
  attachment_id=$(printf '%s' "$attachment" | jq -r .id)
  attachment_name=$(printf '%s' "$attachment" | jq -r .name)
}

command_attach() {
  [[ -n ${1-} ]] || misuse whichCard
  (($# > 1)) || misuse whichFile
  local file
  resolve_card "$1"
  shift
  for file; do
    set -- cardId "$card_id" path "$(absolute_path "$file")"
    if [[ -n ${option[watermark]-} ]]; then
      set -- "$@" watermark: "$(json_object text "${option[watermark]}")"
    fi
    progress_text=$(say attaching "${file##*/}")
    request attachment/add "$(long_parameters "$@")"
    printf '%s' "$result" | render '.attachment | "\(.id)\t\(.name | one_line)"'
  done
}

command_attachments() {
  fetch_attachments "$*"
  if [[ -n ${option[json]-} ]]; then
    printf '%s' "$attachments" | jq .
  elif ((width > 0)); then
    printf '%s' "$attachments" | render numbered
  else
    printf '%s' "$attachments" | render separated_attachments
  fi
}

# Whether the original of a marked picture is wanted, for which the vault wants a finger or the password.
needs_authorization() {
  [[ -n ${option[original]-} && $(printf '%s' "$attachment" | jq .watermark) != null ]]
}

# Writes the picked attachment to a file. Arguments: the path, and more names and values. Fails as try_request does.
write_attachment() {
  local path=$1
  shift
  set -- id "$attachment_id" path "$path" "$@"
  if [[ -n ${option[original]-} ]]; then set -- "$@" original: true; fi
  if [[ -n ${option[strip-metadata]-} ]]; then set -- "$@" stripMetadata: true; fi
  progress_text=$(say exporting)
  if needs_authorization; then
    request_with_finger attachment/export "$@" progressToken qv ||
      request_with_password attachment/export originalPrompt "$@" progressToken qv
  else
    try_request attachment/export "$(long_parameters "$@")"
  fi
}

command_save() {
  local target overwrite=false
  pick_attachment "$@"
  target=$(absolute_path "${option[to]:-./}")
  if [[ $target == */ || -d $target ]]; then target=${target%/}/$attachment_name; fi
  if [[ -e $target ]]; then overwrite=$(may_replace "$target") || exit; fi
  write_attachment "$target" overwrite: "$overwrite" || fail_as_answered
  printf '%s' "$result" | render '.path | plain'
}

# Prints true where a file that is there may be replaced; ends where it may not.
may_replace() {
  if [[ -z ${option[yes]-} ]]; then
    is_interactive || fail "$status_usage" needsYesFor "$1"
    confirms "$(say replaceQuestion "$1")" no || decline
  fi
  printf true
}

command_watermark() {
  local text=${option[watermark]-}
  pick_attachment "$@"
  if [[ -n ${option[remove]-} ]]; then
    text=''
  elif [[ -z ${option[watermark]+set} ]]; then
    is_interactive || misuse optionNeedsValue --watermark
    read_line "$(say watermarkPrompt)" "$(printf '%s' "$attachment" | jq -r '.watermark.text // ""')"
    text=$line
  fi
  text=$(if [[ -n $text ]]; then json_string "$text"; else printf null; fi)
  progress_text=$(say drawing)
  request attachment/setWatermark "$(long_parameters id "$attachment_id" text: "$text")"
  if [[ -t 1 ]]; then printf '%s' "$result" | render '.attachment | described'; fi
}

command_detach() {
  pick_attachment "$@"
  if [[ -z ${option[yes]-} ]]; then
    is_interactive || fail "$status_usage" needsYes
    confirms "$(say deleteQuestion "$(printf '%s' "$attachment" | render '.name | one_line')")" no || decline
  fi
  request attachment/delete "$(json_object id "$attachment_id")"
}
