# Resolves a card by its id, the beginning of its id (at least four digits), its title, or words that only it
# contains.

readonly candidates_shown=20

# Sets `card_id` to the only card that a text refers to, or exits.
resolve_card() {
  local text=$1 quoted
  [[ -n $text ]] || usage_error whichCard
  if [[ $text =~ ^[0-9a-fA-F]{8}-([0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}$ ]]; then
    card_id=${text,,}
    return
  fi
  quoted=${text//\"/ }
  if [[ $text =~ ^[0-9a-fA-F-]{4,35}$ ]]; then
    # A title such as 2024 takes precedence over an id with this prefix.
    candidates_found "title:\"$quoted\"" exact "$text"
    choose_candidate "$text" && return
    candidates_with_prefix "${text,,}"
    choose_candidate "$text" && return
  fi
  candidates_found "title:\"$quoted\"" exact_or_all "$text"
  choose_candidate "$text" && return
  candidates_found "\"$quoted\"" exact_or_all ''
  choose_candidate "$text" && return
  candidates_found "$text" exact_or_all ''
  choose_candidate "$text" || fail "$status_not_found" noSuchCard "$text"
}

# Sets `candidates`, an array of an id, a tab and a description each.
candidates_with_prefix() {
  local cursor=''
  candidates=()
  while :; do
    if [[ -n $cursor ]]; then
      request card/list "$(json_object limit: 1000 cursor "$cursor")"
    else
      request card/list '{"limit":1000}'
    fi
    add_candidates with_prefix "$1"
    cursor=$(printf '%s' "$result" | jq -r '.nextCursor // ""')
    [[ -n $cursor ]] || return 0
  done
}

# Sets `candidates` to the results of a query that a filter of cards.jq selects for a text.
candidates_found() {
  candidates=()
  try_request card/search "$(json_object query "$1" limit: 1000)" || {
    [[ $kind == query.invalid ]] || fail_with_error
    return 0
  }
  add_candidates "$2" "$3"
}

# Adds the cards of the result that a filter of cards.jq selects for a text.
add_candidates() {
  local entry
  while IFS= read -r entry; do candidates+=("$entry"); done < <(
    json_object wanted "$2" result: "$result" | jq -r -L "$library" "include \"cards\"; $1 | candidate")
}

# Uses the only candidate. Fails if there is none; prints a list and exits if there are several.
choose_candidate() {
  ((${#candidates[@]} > 0)) || return
  if ((${#candidates[@]} == 1)); then
    card_id=${candidates[0]%%$'\t'*}
    return
  fi
  report ambiguous "$1" "${#candidates[@]}"
  local entry
  for entry in "${candidates[@]:0:candidates_shown}"; do printf '  %s\n' "${entry#*$'\t'}" >&2; done
  if ((${#candidates[@]} > candidates_shown)); then printf '  …\n' >&2; fi
  exit "$status_ambiguous"
}

# Reads the card that the operands refer to. Sets `card`, its JSON.
fetch_card() {
  resolve_card "$*"
  request card/get "$(json_object id "$card_id")"
  card=$(printf '%s' "$result" | jq -c .card)
}
