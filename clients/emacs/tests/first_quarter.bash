# A person's first quarter of an hour with Emacs: from the installation, as the README has it, to the removal.
# Sourced by `run', which defines `top' and `check'; terminal.bash types the keys.
# shellcheck shell=bash
: "${top:?}" "${QUICKVAULT_PROGRAM:?}"

install_as_the_readme_says() {
  local line
  line=$(grep -m 1 '^emacs --batch' "$top/README.md")
  (cd "$top" && bash -c "$line") >"$HOME/install.log" 2>&1 || { cat "$HOME/install.log" && return 1; }
}

# U: what qv has unlocked, Emacs in the same terminal uses without a question.
qv_first() {
  text "QUICKVAULT_VAULT=\$HOME/first.quickvault qv init" && keys Enter && wait_for 'aster password' && password_keys || return 1
  wait_for 'epeat' && password_keys && wait_for 'vault was created' || return 1
  keys "emacs -nw --eval '(setq quickvault-vault-file \"~/first.quickvault\")' -f quickvault" Enter && wait_for 'No cards yet' || return 1
  keys C-x C-c && wait_for 'ENDED$' && QUICKVAULT_VAULT=$HOME/first.quickvault qv lock
}

make_three_cards() {
  local title
  for title in 'Office door' Parking Meeting; do
    keys c && wait_for 'Create:' && text Text && keys Enter && wait_for 'New card: Text' || return 1
    text "$title" && keys Tab Tab Tab Tab && text "text of $title" && keys C-c C-c || return 1
    wait_for 'created' && keys q && wait_for "$title" || return 1
  done
}

find_and_copy() {
  keys / && wait_for 'Search:' && text 'of park' && wait_for 'Text: text of Parking' && wait_for -v 'Office door' || return 1
  keys Enter && wait_for '/of park' && keys w && wait_for 'Copied' && keys a && wait_for 'Office door'
}

attach_a_picture_with_a_watermark() {
  cp "$top/Tests/ImagingTests/files/pillow/hopper_orientation_6.jpg" "$HOME/front.jpg"
  keys M-x && text quickvault-attach && keys Enter && wait_for 'Attach file:' && text "$HOME/front.jpg" && keys Enter || return 1
  wait_for 'Watermark (empty for none):' && text 'For the visa office' && keys Enter && wait_for 'Attached: 1'
}

lock_and_mistype_thrice() {
  local number
  keys L && wait_for -v 'Parking' && keys Enter || return 1
  for number in 1 2 3; do
    wait_for 'Master password' && text "wrong $number" && keys Enter || return 1
    wait_for "$([[ $number == 3 ]] && echo 'Next attempt in' || echo "$((3 - number)) attempt")" || return 1
  done
  wait_for 'Master password' && password_keys && wait_for 'Parking'
}

import_logins() {
  printf '%s\n' 'name,url,username,password' 'Forum,https://forum.example.org/,lin,PLANTED' >"$HOME/logins.csv"
  keys M-x && text quickvault-import && keys Enter && wait_for 'qv import' && text "$HOME/logins.csv" && keys Enter || return 1
  wait_for '[y/N]' && text y && keys Enter && wait_for 'q closes' || return 1
  keys q && keys 'M-<' && wait_for 'Forum'
}

synchronise_and_turn_it_off() {
  mkdir "$HOME/carried"
  keys M-x && text quickvault-sync-enable && keys Enter && wait_for 'Folder to synchronise over:' || return 1
  keys C-a C-k && text "$HOME/carried" && keys Enter && wait_for 'Master password' && password_keys && wait_for 'q closes' || return 1
  wait_for 'carried' && keys q && keys M-x && text quickvault-sync-disable && keys Enter && wait_for '[y/N]' && text y && keys Enter || return 1
  wait_for 'not synchronised' && wait_for 'q closes' && keys q
}

remove_the_package() {
  keys C-x C-c && wait_for 'ENDED$' || return 1
  emacs --batch -l package \
    --eval '(progn (package-initialize) (package-delete (cadr (assq (quote quickvault) package-alist))))' 2>/dev/null
  emacs --batch -l package --eval '(progn (package-initialize) (kill-emacs (if (fboundp (quote quickvault)) 1 0)))' 2>/dev/null
}

first_quarter() {
  open_terminal PATH="$(dirname "$QUICKVAULT_PROGRAM"):$PATH"
  local step
  for step in install_as_the_readme_says qv_first start_emacs first_run make_three_cards find_and_copy \
    attach_a_picture_with_a_watermark lock_and_mistype_thrice import_logins synchronise_and_turn_it_off \
    remove_the_package; do
    check "first quarter: ${step//_/ }" "$step" || break
  done
}
