# Editing cards: from prompts, from field=value, or from JSON on standard input.

# Loads a card into the form.
# shellcheck disable=SC2004  # names, not numbers
load_card() {
  local role key value concealed
  tags=() extra_labels=() extra_values=() extra_concealed=()
  while IFS= read -r -d '' role && IFS= read -r -d '' key && IFS= read -r -d '' value &&
    IFS= read -r -d '' concealed; do
    case $role in
      title) title=$value ;;
      group) group=$value ;;
      type) type=$value ;;
      revision) revision=$value ;;
      tag) tags+=("$value") ;;
      field) values[$key]=$value ;;
      extra) extra_labels+=("$key") extra_values+=("$value") extra_concealed+=("$concealed") ;;
    esac
  done < <(printf '%s' "$card" | jq -j '
    ["title", "", .title, ""], ["group", "", .group, ""], ["type", "", .type, ""],
    ["revision", "", (.revision | tostring), ""], (.tags[] | ["tag", "", ., ""]),
    (.fields[] | ["field", .key, .value, ""]),
    (.extraFields[] | ["extra", .label, .value, (.concealed | tostring)])
    | .[] | . + "\u0000"')
}

# Asks for every field, with its current value to edit. Only changes are sent.
ask_all() {
  local key old_title=$title old_group=$group old_tags old_extras
  old_tags=$(tags_json) old_extras=$(extras_json)
  ask_part title
  ask_group "$group"
  for key in "${keys[@]}"; do ask_field "$key"; done
  ask_tags
  ask_extras
  [[ $title == "$old_title" ]] && title_changed=false
  [[ $group == "$old_group" ]] || group_changed=true
  [[ $(tags_json) == "$old_tags" ]] || tags_changed=true
  [[ $(extras_json) == "$old_extras" ]] && extras_changed=false
}

compose_edit() {
  set -- id "$card_id" revision: "$revision"
  if $title_changed; then set -- "$@" title "$title"; fi
  if $group_changed; then set -- "$@" group "$group"; fi
  if ((${#changed[@]} > 0)); then set -- "$@" fields: "$(fields_json removing)"; fi
  if $tags_changed; then set -- "$@" tags: "$(tags_json)"; fi
  if $extras_changed; then set -- "$@" extraFields: "$(extras_json)"; fi
  json_object "$@"
}

# Prints the parameters for changes from JSON, which may be the output of `qv show --json`. Its revision is used if
# given.
compose_given_edit() {
  json_object given: "$given" id "$card_id" revision: "$revision" |
    render '{revision} + (.given | input_of_card | del(.type)) + {id} | tojson'
}

# Shows the current card after a conflict, and asks whether to overwrite it.
resolve_conflict() {
  card=$(printf '%s' "$result" | jq -c .card)
  report conflict
  is_interactive || exit "$status_conflict"
  printf '%s' "$card" | render 'page(false; false)' >&2
  confirm "$(message_text overwriteQuestion)" no || exit "$status_conflict"
  revision=$(printf '%s' "$card" | jq .revision)
}

# Splits the operands into `card_operands`, which name the card, and `assignments`.
split_operands() {
  local index=0 word
  card_operands=() assignments=()
  for word; do
    if ((separator < 0 || index < separator)) && [[ $word =~ ^[A-Za-z][A-Za-z0-9]*= ]]; then
      assignments+=("$word")
    else
      card_operands+=("$word")
    fi
    index=$((index + 1))
  done
}

command_edit() {
  local type='' revision given
  local -a card_operands assignments
  split_operands "$@"
  fetch_card "${card_operands[*]-}"
  load_card
  if [[ -n ${option[from-json]-} ]]; then
    given=$(read_json) || exit
    store_card card/update compose_given_edit
    return
  fi
  load_template "$type"
  read_assignments "${assignments[@]+"${assignments[@]}"}"
  if ! $title_changed && ! $group_changed && ! $tags_changed && ! $extras_changed &&
    ((${#changed[@]} == 0)); then
    is_interactive || usage_error nothingToChange
    ask_all
  fi
  store_card card/update compose_edit
}
