# The form: asks for the fields of a card, and again for invalid ones.
#
# `values` holds the template's fields by key, and `changed` marks those that were given or changed. Extra fields
# are in three parallel arrays.

declare -A values=() changed=() labels=() required=() multiline=()
declare -a keys=() tags=() extra_labels=() extra_values=() extra_concealed=()

# Reads the template of a card type from the server.
# shellcheck disable=SC2016  # a jq variable
load_template() {
  local key label need many
  request template/list
  keys=()
  while IFS=$'\t' read -r key label need many; do
    keys+=("$key")
    labels[$key]=$label required[$key]=$need multiline[$key]=$many
  done < <(json_object type "$1" result: "$result" | render '.type as $type | .result.templates[]
    | select(.type == $type).fields[]
    | [.key, localized(.label.en; .label["zh-Hans"]), .required, .multiline | tostring] | join("\t")')
  ((${#keys[@]} > 0)) || usage_error unknownType "$1"
}

# Asks for a field of the template; repeats while a required field is empty.
ask_field() {
  local key=$1 prompt=${labels[$1]}
  [[ ${required[$key]} == true ]] || prompt+=$(message_text optional)
  while :; do
    if [[ $key == text || ${values[$key]-} == *$'\n'* ]]; then
      ask_lines "$prompt" "${values[$key]-}"
    elif [[ ${multiline[$key]} == true ]]; then
      ask_continued "$prompt" "${values[$key]-}"
    else
      read_line "$prompt$(message_text colon)" "${values[$key]-}"
    fi
    [[ -n $line || ${required[$key]} == false ]] && break
    report mustNotBeEmpty "${labels[$key]}"
  done
  if [[ $line != "${values[$key]-}" ]]; then changed[$key]=yes; fi
  values[$key]=$line
}

# Asks for lines until the end of input. Empty input keeps the current value, a single - removes it. Sets `line`.
ask_lines() {
  local lines
  if [[ -n $2 ]]; then
    printf '%s\n%s\n' "$1$(message_text colon)" "$2" >&2
    read_lines "$(message_text newLinesHint)"
  else
    read_lines "$1$(message_text linesHint)"
  fi
  line=$lines
  if [[ -z $lines ]]; then line=$2; fi
  if [[ $lines == - ]]; then line=''; fi
}

# Asks for a value that a backslash at the end of a line continues on the next. Sets `line`.
ask_continued() {
  local prompt whole='' current=$2
  prompt=$1$(message_text colon)
  if [[ $current == *\\ ]]; then current+=\\; fi
  while :; do
    read_line "$prompt" "$current"
    case $line in
      *\\\\) whole+=${line%\\}; break ;;
      *\\) whole+=${line%\\}$'\n' prompt='> ' current='' ;;
      *) whole+=$line; break ;;
    esac
  done
  line=$whole
}

# Asks for the tags, separated by commas.
ask_tags() {
  local joined
  joined=$(IFS=,; printf '%s' "${tags[*]+"${tags[*]}"}")
  read_line "$(message_text tagsPrompt)" "$joined"
  split_tags "$line"
}

# Splits a text at English or Chinese commas. Sets `tags`.
split_tags() {
  local rest=${1//，/,} tag
  tags=()
  while [[ -n $rest ]]; do
    tag=${rest%%,*}
    if [[ $rest == *,* ]]; then rest=${rest#*,}; else rest=''; fi
    tag=${tag#"${tag%%[![:space:]]*}"}
    tag=${tag%"${tag##*[![:space:]]}"}
    if [[ -n $tag ]]; then tags+=("$tag"); fi
  done
}

# Asks for each extra field, and then for more.
ask_extras() {
  local index label
  for index in "${!extra_labels[@]}"; do ask_extra "$index"; done
  index=0
  while :; do
    read_line "$(message_text extraPrompt)"
    [[ -n $line ]] || break
    label=$line
    next_extra
    extra_labels[index]=$label extra_values[index]='' extra_concealed[index]=false
    if confirm "$(message_text concealQuestion)" no; then extra_concealed[index]=true; fi
    ask_extra "$index"
  done
}

# Sets `index` to the index after the last extra field; removed fields leave gaps.
next_extra() {
  local used
  for used in "${!extra_labels[@]}"; do index=$((used + 1)); done
}

# Asks for the value of an extra field. A concealed value is not shown, and an empty line keeps it. Without a value,
# or with a single -, removes the field.
ask_extra() {
  local label=${extra_labels[$1]} secret
  if [[ ${extra_concealed[$1]} == true ]]; then
    if [[ -n ${extra_values[$1]} ]]; then label+=$(message_text concealedHint); else label+=$(message_text concealedPrompt); fi
    read_secret "$label" || cancel
    if [[ -n $secret ]]; then extra_values[$1]=$secret; fi
  else
    read_line "$label$(message_text colon)" "${extra_values[$1]}"
    extra_values[$1]=$line
  fi
  if [[ ${extra_values[$1]} == - || -z ${extra_values[$1]} ]]; then unset "extra_labels[$1]"; fi
  extras_changed=true
}

# Asks again for an invalid part of a card: title, tags, a field or an extra field.
ask_part() {
  local index
  case $1 in
    title) read_line "$(message_text titlePrompt)" "$title"; title=$line title_changed=true ;;
    tags|tags\[*) ask_tags; tags_changed=true ;;
    extraFields\[*)
      index=${1#*\[}
      index=${index%%\]*}
      set -- "${!extra_labels[@]}"
      index=${*:index+1:1}
      read_line "$(message_text labelPrompt)" "${extra_labels[index]}"
      extra_labels[index]=$line
      ask_extra "$index" ;;
    *) [[ -n ${labels[$1]-} ]] || exit "$status_invalid"; ask_field "$1" ;;
  esac
}

# Shows the issues of a card and asks for the invalid parts again. Without a terminal, prints the issues and exits.
correct_issues() {
  local part text
  local -A asked=()
  local -a parts=() texts=()
  while IFS=$'\t' read -r part text; do parts+=("$part") texts+=("$text"); done < <(
    printf '%s' "$result" | jq -r '.issues[] | [.field, (.message | gsub("[\\t\\n]"; " "))] | join("\t")')
  if ! is_interactive; then
    for part in "${!parts[@]}"; do printf 'qv: %s: %s\n' "${parts[part]}" "${texts[part]}" >&2; done
    exit "$status_invalid"
  fi
  for part in "${!parts[@]}"; do
    printf '! %s\n' "${texts[part]}" >&2
    text=${parts[part]%%\].*}
    if [[ -z ${asked[$text]-} ]]; then ask_part "${parts[part]}"; fi
    asked[$text]=yes
  done
}
