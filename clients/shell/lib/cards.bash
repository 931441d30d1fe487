# Commands that show, delete, pin and unpin cards.

# Runs a jq filter, with the functions of the *.jq files, on JSON from standard input. Further arguments are jq
# options.
render() {
  jq -r -L "$library" "${@:2}" "include \"cards\"; include \"text\"; include \"vault\"; include \"attachments\"; include \"transfer\"; $1"
}

# Reads pages of a list or search up to a limit. Sets `pages` (an array of JSON lines), `total` and `shown`.
fetch_pages() {
  local method=$1 wanted=$2 size cursor=''
  shift 2
  pages=()
  total=0 shown=0
  while :; do
    size=$((wanted - shown > 1000 ? 1000 : wanted - shown))
    if [[ -n $cursor ]]; then
      request "$method" "$(json_object "$@" limit: "$size" cursor "$cursor")"
    else
      request "$method" "$(json_object "$@" limit: "$size")"
    fi
    pages+=("$result")
    read -r total size cursor < <(
      printf '%s' "$result" | jq -r '"\(.total) \(.items | length) \(.nextCursor // "")"')
    shown=$((shown + size))
    if [[ -z $cursor ]] || ((shown >= wanted || size == 0)); then break; fi
  done
}

# Prints the maximum number of items, from --limit and --all.
item_limit() {
  if [[ -n ${option[all]-} ]]; then printf 1000000000; return; fi
  printf '%d' $((10#${option[limit]:-50}))
}

# Prints the pages through a filter or as JSON, and how many items are not shown.
print_pages() {
  if [[ -n ${option[json]-} ]]; then
    printf '%s\n' "${pages[@]}" | jq -s '{items: map(.items) | add, total: .[0].total}'
  elif ((shown > 0)); then
    printf '%s\n' "${pages[@]}" | jq -c '.items[]' | render "$1" -s "${@:2}"
  fi
  if [[ -t 2 ]] && ((total > shown)); then report moreThere "$shown" "$total"; fi
}

command_list() {
  (($# == 0)) || usage_error unexpectedArgument "$1"
  local wanted name
  wanted=$(item_limit)
  ((wanted > 0)) || usage_error optionNeedsNumber --limit
  set --
  for name in group tag type; do
    if [[ -n ${option[$name]-} ]]; then set -- "$@" "$name" "${option[$name]}"; fi
  done
  fetch_pages card/list "$wanted" "$@"
  print_pages "list(\$width)" --argjson width "$width"
  if ((total == 0)) && [[ -t 2 ]]; then
    if (($# == 0)); then report noCards; else report nothingFound; fi
  fi
}

command_search() {
  local query="$*" name wanted
  wanted=$(item_limit)
  ((wanted > 0)) || usage_error optionNeedsNumber --limit
  for name in group type; do
    if [[ -n ${option[$name]-} ]]; then query+=" $name:${option[$name]}"; fi
  done
  for name in "${given_tags[@]+"${given_tags[@]}"}"; do query+=" tag:\"${name//\"/}\""; done
  [[ -n $query ]] || usage_error whichWords
  fetch_pages card/search "$wanted" query "$query"
  print_pages "found(\$width; \$bold)" --argjson width "$width" --argjson bold "$bold"
  if ((total == 0)); then
    if [[ -t 2 ]]; then report nothingFound; fi
    exit "$status_not_found"
  fi
}

command_show() {
  fetch_card "$*"
  if [[ -n ${option[json]-} ]]; then
    printf '%s' "$card" | jq .
  elif [[ -n ${option[field]-} ]]; then
    local value
    # The added character protects trailing line breaks from the shell.
    # shellcheck disable=SC2016  # a jq variable
    value=$(json_object card: "$card" name "${option[field]}" |
      render '.name as $name | .card | first(values_of($name)) + "."') || value=''
    [[ -n $value ]] || fail "$status_not_found" noSuchField "${option[field]}"
    printf '%s\n' "${value%.}"
  else
    local reveal=false
    if [[ -n ${option[reveal]-} ]]; then reveal=true; fi
    printf '%s' "$card" | render "page(\$reveal; \$bold)" --argjson reveal "$reveal" --argjson bold "$bold"
  fi
}

command_delete() {
  fetch_card "$*"
  local revision
  revision=$(printf '%s' "$card" | jq .revision)
  if [[ -z ${option[yes]-} ]]; then
    is_interactive || fail "$status_usage" needsYes
    confirm "$(message_text deleteQuestion "$(card_title)")" no || cancel
  fi
  request card/delete "$(json_object id "$card_id" revision: "$revision")"
}

card_title() {
  printf '%s' "$card" | render '.title | one_line'
}

command_pin() {
  resolve_card "$*"
  request card/setPinned "$(json_object id "$card_id" pinned: true)"
}

command_unpin() {
  resolve_card "$*"
  request card/setPinned "$(json_object id "$card_id" pinned: false)"
}

command_tags() {
  request tag/list
  if [[ -n ${option[json]-} ]]; then
    printf '%s' "$result" | jq .tags
  else
    printf '%s' "$result" | render '.tags[] | "\(.count)\t\(.tag | one_line)"'
  fi
}
