# Creating cards: from prompts, from field=value, or from JSON on standard input.

title='' title_changed=false tags_changed=false extras_changed=false group='' group_changed=false

# Reads field=value, --extra and --conceal. The value - means standard input.
# shellcheck disable=SC2004  # names, not numbers
read_assignments() {
  local word key value
  for word; do
    [[ $word =~ ^[A-Za-z][A-Za-z0-9]*= ]] || usage_error unexpectedArgument "$word"
    key=${word%%=*} value=${word#*=}
    if [[ $value == - ]]; then value=$(cat; printf .) value=${value%.}; fi
    case $key in
      title) title=$value title_changed=true ;;
      group) group=$value group_changed=true ;;
      tags) split_tags "$value"; tags_changed=true ;;
      *) values[$key]=$value changed[$key]=yes ;;
    esac
  done
  if [[ -n ${option[title]+set} ]]; then title=${option[title]} title_changed=true; fi
  if [[ -n ${option[group]+set} ]]; then group=${option[group]} group_changed=true; fi
  if ((${#given_tags[@]} > 0)); then
    tags=() tags_changed=true
    for word in "${given_tags[@]}"; do [[ -z $word ]] || tags+=("$word"); done
  fi
  for word in "${extras[@]+"${extras[@]}"}"; do
    [[ $word == *=* ]] || usage_error optionNeedsValue --extra
    set_extra "${word%%=*}" "${word#*=}" false
  done
  for word in "${concealed_labels[@]+"${concealed_labels[@]}"}"; do
    read_concealed "$word"
    set_extra "$word" "$secret" true
  done
}

# Reads a concealed value from the terminal without echo, else a line of standard input. Sets `secret`.
read_concealed() {
  if [[ -t 0 ]]; then
    read_secret "$1$(message_text colon)" || cancel
  else
    IFS= read -r secret || [[ -n $secret ]] || usage_error nothingToRead "$1"
  fi
}

# Sets, adds or, if the value is empty, removes an extra field.
set_extra() {
  local index place='' next=0
  extras_changed=true
  for index in "${!extra_labels[@]}"; do
    if [[ ${extra_labels[index]} == "$1" ]]; then place=$index; fi
    next=$((index + 1))
  done
  place=${place:-$next}
  extra_labels[place]=$1 extra_values[place]=$2 extra_concealed[place]=$3
  if [[ -z $2 ]]; then unset "extra_labels[$place]"; fi
}

# Prints the extra fields as JSON.
extras_json() {
  local index separator='['
  for index in "${!extra_labels[@]}"; do
    printf '%s' "$separator"
    json_object label "${extra_labels[index]}" value "${extra_values[index]}" \
      concealed: "${extra_concealed[index]}"
    separator=,
  done
  [[ $separator == , ]] || printf '['
  printf ']'
}

tags_json() {
  local tag separator=''
  printf '['
  for tag in "${tags[@]+"${tags[@]}"}"; do
    printf '%s' "$separator"
    json_string "$tag"
    separator=,
  done
  printf ']'
}

# Prints the fields that were changed; an empty one is null, which removes it, when that is asked for.
fields_json() {
  local key separator=''
  printf '{'
  for key in "${!changed[@]}"; do
    [[ -n ${values[$key]} || $1 == removing ]] || continue
    printf '%s"%s":' "$separator" "$key"
    if [[ -n ${values[$key]} ]]; then json_string "${values[$key]}"; else printf null; fi
    separator=,
  done
  printf '}'
}

# Sends the card as `compose` prints it until the server takes it.
store_card() {
  local method=$1 compose=$2
  until try_request "$method" "$("$compose")"; do
    case $kind in
      card.invalid) correct_issues ;;
      card.conflict) resolve_conflict ;;
      *) fail_with_error ;;
    esac
  done
  print_warnings
  if [[ -n ${option[json]-} ]]; then
    printf '%s' "$result" | jq .card
  else
    printf '%s' "$result" | jq -r .card.id
  fi
}

# Prints the warnings about a stored card.
print_warnings() {
  printf '%s' "$result" | jq -r '.warnings[] | "\(.field): \(.message)"' >&2
}

# Reads a JSON object from standard input and prints it.
read_json() {
  if [[ -t 0 ]]; then report jsonHint; fi
  jq -ce 'objects' 2>/dev/null || fail "$status_usage" notJSON
}

# Prints the parameters for a card from JSON, which may be the output of `qv show --json`.
compose_given() {
  printf '%s' "$given" | render 'input_of_card | del(.revision) | tojson'
}

compose_new() {
  json_object title "$title" group "$group" type "$type" fields: "$(fields_json keeping)" \
    tags: "$(tags_json)" extraFields: "$(extras_json)" pinned: "$pinned"
}

command_new() {
  local type='' given pinned=false
  if [[ -n ${option[pin]-} ]]; then pinned=true; fi
  if [[ -n ${option[from-json]-} ]]; then
    (($# == 0)) || usage_error unexpectedArgument "$1"
    given=$(read_json) || exit
    store_card card/create compose_given
    return
  fi
  if (($# > 0)) && [[ $1 != *=* ]]; then
    type=$1
    shift
  fi
  read_assignments "$@"
  if [[ -z $type ]]; then
    is_interactive || usage_error whichType
    read_line "$(message_text typePrompt)" address
    type=$line
  fi
  load_template "$type"
  if is_interactive; then ask_new "$(($# + ${#extras[@]} + ${#concealed_labels[@]}))"; fi
  group=${group:-personal}
  store_card card/create compose_new
}

# Asks for every field, or only for missing required ones if fields were given.
ask_new() {
  local key
  [[ -n $title ]] || ask_part title
  if (($1 == 0)) && [[ -z $group ]]; then ask_group personal; fi
  for key in "${keys[@]}"; do
    [[ -n ${changed[$key]-} ]] && continue
    if (($1 == 0)) || [[ ${required[$key]} == true ]]; then ask_field "$key"; fi
  done
  if (($1 == 0)); then
    $tags_changed || ask_tags
    ask_extras
  fi
}

ask_group() {
  read_line "$(message_text groupPrompt)" "$1"
  case $line in
    c*|公司) group=company ;;
    p*|个人) group=personal ;;
    *) group=$line ;;
  esac
}
