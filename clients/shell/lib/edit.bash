# Changing a card: from questions, from field=value, or as JSON from standard input.

# Puts a card into the form.
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

# Asks for every part, with what it is now to be edited. Only what changed is sent.
ask_all() {
  local key old_title=$title old_group=$group old_tags old_extras
  old_tags=$(tags_json) old_extras=$(extras_json)
  ask_part title
  ask_group "$group"
  for key in "${keys[@]}"; do ask_field "$key"; done
  ask_tags
  ask_extras
  [[ $title == "$old_title" ]] && title_touched=false
  [[ $group == "$old_group" ]] || group_touched=true
  [[ $(tags_json) == "$old_tags" ]] || tags_touched=true
  [[ $(extras_json) == "$old_extras" ]] && extras_touched=false
}

compose_edit() {
  set -- id "$card_id" revision: "$revision"
  if $title_touched; then set -- "$@" title "$title"; fi
  if $group_touched; then set -- "$@" group "$group"; fi
  if ((${#touched[@]} > 0)); then set -- "$@" fields: "$(fields_json removing)"; fi
  if $tags_touched; then set -- "$@" tags: "$(tags_json)"; fi
  if $extras_touched; then set -- "$@" extraFields: "$(extras_json)"; fi
  json_object "$@"
}

# A part of a card as JSON, or as `qv show --json` prints it. A revision in it is the one that was seen.
compose_given_edit() {
  json_object given: "$given" id "$card_id" revision: "$revision" |
    render '{revision} + (.given | input_of_card | del(.type)) + {id} | tojson'
}

# Shows the card as it is now beside what was typed, and asks whether to go on.
settle_conflict() {
  card=$(printf '%s' "$result" | jq -c .card)
  tell conflict
  is_interactive || exit "$status_conflict"
  printf '%s' "$card" | render 'page(false; false)' >&2
  confirms "$(say overwriteQuestion)" no || exit "$status_conflict"
  revision=$(printf '%s' "$card" | jq .revision)
}

# Parts the operands into the words for a card and the changes. Sets `words_for_card` and `assignments`.
part_operands() {
  local index=0 word
  words_for_card=() assignments=()
  for word; do
    if ((separator < 0 || index < separator)) && [[ $word =~ ^[A-Za-z][A-Za-z0-9]*= ]]; then
      assignments+=("$word")
    else
      words_for_card+=("$word")
    fi
    index=$((index + 1))
  done
}

command_edit() {
  local type='' revision given
  local -a words_for_card assignments
  part_operands "$@"
  fetch_card "${words_for_card[*]-}"
  load_card
  if [[ -n ${option[from-json]-} ]]; then
    given=$(read_json) || exit
    store_card card/update compose_given_edit
    return
  fi
  load_template "$type"
  take_assignments "${assignments[@]+"${assignments[@]}"}"
  if ! $title_touched && ! $group_touched && ! $tags_touched && ! $extras_touched &&
    ((${#touched[@]} == 0)); then
    is_interactive || misuse nothingToChange
    ask_all
  fi
  store_card card/update compose_edit
}
