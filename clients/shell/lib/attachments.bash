# Commands on attachments, the images and documents of a card.

# Prints a file name as an absolute path, because the server has another working directory.
absolute_path() {
  if [[ $1 == /* ]]; then printf '%s' "$1"; else printf '%s/%s' "${PWD%/}" "${1#./}"; fi
}

# Prints names and values as a JSON object that also asks for progress notifications.
progress_parameters() {
  json_object "$@" progressToken qv
}

# Sends a request with a password, read from the descriptor or the terminal, until it is accepted. Arguments: the
# method, the name of the prompt, and names and values as for json_object.
request_with_password() {
  local secret method=$1 prompt=$2
  shift 2
  while :; do
    read_password password-fd "$prompt"
    try_request "$method" "$(json_object "$@" password "$secret")" && return
    case $kind in
      auth.wrongPassword|auth.lockedOut) report_wrong_password ;;
      *) return 1 ;;
    esac
  done
}

# Reads the attachments of the card that a text refers to. Sets `card_id` and `attachments`, a JSON array.
fetch_attachments() {
  resolve_card "$1"
  request attachment/list "$(json_object cardId "$card_id")"
  attachments=$(printf '%s' "$result" | jq -c .items)
}

# Picks an attachment. Operands: a card and, if it has several attachments, the name, number in the list or beginning
# of the id of one. Sets `attachment` (JSON), `attachment_id` and `attachment_name`.
pick_attachment() {
  (($# <= 2)) || usage_error unexpectedArgument "$3"
  local -a found=()
  fetch_attachments "${1-}"
  mapfile -t found < <(json_object wanted "${2-}" items: "$attachments" | render 'matching | tojson')
  if ((${#found[@]} == 0)); then
    if [[ $attachments == '[]' ]]; then fail "$status_not_found" noAttachments; fi
    fail "$status_not_found" noSuchAttachment "$2"
  fi
  if ((${#found[@]} > 1)); then
    report whichAttachment
    printf '%s' "$attachments" | render numbered >&2
    exit "$status_ambiguous"
  fi
  attachment=${found[0]}
  attachment_id=$(printf '%s' "$attachment" | jq -r .id)
  attachment_name=$(printf '%s' "$attachment" | jq -r .name)
}

command_attach() {
  [[ -n ${1-} ]] || usage_error whichCard
  (($# > 1)) || usage_error whichFile
  local file
  resolve_card "$1"
  shift
  for file; do
    set -- cardId "$card_id" path "$(absolute_path "$file")"
    if [[ -n ${option[watermark]-} ]]; then
      set -- "$@" watermark: "$(json_object text "${option[watermark]}")"
    fi
    progress_text=$(message_text attaching "${file##*/}")
    request attachment/add "$(progress_parameters "$@")"
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
    printf '%s' "$attachments" | render tab_separated_attachments
  fi
}

# Whether the original of a watermarked image is requested, which needs a fingerprint or the password.
needs_authorization() {
  [[ -n ${option[original]-} && $(printf '%s' "$attachment" | jq .watermark) != null ]]
}

# Writes the picked attachment to a file. Arguments: the path, and more names and values. Returns like try_request.
write_attachment() {
  local path=$1
  shift
  set -- id "$attachment_id" path "$path" "$@"
  if [[ -n ${option[original]-} ]]; then set -- "$@" original: true; fi
  if [[ -n ${option[strip-metadata]-} ]]; then set -- "$@" stripMetadata: true; fi
  progress_text=$(message_text exporting)
  if needs_authorization; then
    request_with_fingerprint attachment/export "$@" progressToken qv ||
      request_with_password attachment/export originalPrompt "$@" progressToken qv
  else
    try_request attachment/export "$(progress_parameters "$@")"
  fi
}

command_save() {
  local target overwrite=false
  pick_attachment "$@"
  target=$(absolute_path "${option[to]:-./}")
  if [[ $target == */ || -d $target ]]; then target=${target%/}/$attachment_name; fi
  if [[ -e $target ]]; then overwrite=$(confirm_replace "$target") || exit; fi
  write_attachment "$target" overwrite: "$overwrite" || fail_with_error
  printf '%s' "$result" | render '.path | printable'
}

# Asks whether to replace an existing file. Prints true, or exits.
confirm_replace() {
  if [[ -z ${option[yes]-} ]]; then
    is_interactive || fail "$status_usage" needsYesFor "$1"
    confirm "$(message_text replaceQuestion "$1")" no || cancel
  fi
  printf true
}

command_watermark() {
  local text=${option[watermark]-}
  pick_attachment "$@"
  if [[ -n ${option[remove]-} ]]; then
    text=''
  elif [[ -z ${option[watermark]+set} ]]; then
    is_interactive || usage_error optionNeedsValue --watermark
    read_line "$(message_text watermarkPrompt)" "$(printf '%s' "$attachment" | jq -r '.watermark.text // ""')"
    text=$line
  fi
  text=$(if [[ -n $text ]]; then json_string "$text"; else printf null; fi)
  progress_text=$(message_text drawing)
  request attachment/setWatermark "$(progress_parameters id "$attachment_id" text: "$text")"
  if [[ -t 1 ]]; then printf '%s' "$result" | render '.attachment | description'; fi
}

command_detach() {
  pick_attachment "$@"
  if [[ -z ${option[yes]-} ]]; then
    is_interactive || fail "$status_usage" needsYes
    confirm "$(message_text deleteQuestion "$(printf '%s' "$attachment" | render '.name | one_line')")" no || cancel
  fi
  request attachment/delete "$(json_object id "$attachment_id")"
}
