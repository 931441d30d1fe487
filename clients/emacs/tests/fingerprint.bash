# Fingerprint tests with the real fprintd and gnome-keyring: they type keys into Emacs in tmux and read the screen.
# Sourced by `run' after terminal.bash; `run' defines `top', `package', `check' and QUICKVAULT_PROGRAM.
# shellcheck shell=bash
: "${top:?}" "${package:?}" "${password:?}" "${QUICKVAULT_PROGRAM:?}"

# Starts a desktop session with a fingerprint reader for the tests.
open_desktop() {
  mkdir -m 700 "$HOME/keychain"
  coproc desktop {
    PYTHONDONTWRITEBYTECODE=1 exec /usr/bin/python3 "$top/Tests/DesktopTests/stage.py" \
      "$HOME/desktop" "$HOME/keychain" 2>"$HOME/desktop.log"
  }
  local deadline=$((SECONDS + 60))
  until [[ -e $HOME/desktop ]]; do
    if [[ -z ${desktop_PID:-} ]] || ((SECONDS > deadline)); then cat "$HOME/desktop.log" && return 1; fi
    sleep 0.05
  done
}

stage() { echo "$1 $2" >&"${desktop[1]}"; }
command() { keys M-x && text "$1" && keys Enter; }
lock_and_return() { keys L && wait_for 'Press RET to continue' && keys Enter; }
unlock_by_fingerprint() { wait_for '(press any key for the password)' && wait_for 'finger on the reader' && stage scan alice && wait_for 'No cards yet'; }
# The beginning of the prompt may be on the line before.
unlock_by_password() { wait_for 'er password:' && password_keys && wait_for 'No cards yet'; }

# R22: offered once, with a new vault.
offered_and_bound() {
  keys "emacs -nw -Q --eval '(setq native-comp-deferred-compilation nil quickvault-timeout 60)' -L '$package' -l quickvault --eval '(setq quickvault-shared nil quickvault-program (getenv \"QUICKVAULT_PROGRAM\"))'" Enter &&
  wait_for 'scratch' && command quickvault &&
  wait_for 'New master password' && password_keys && wait_for 'Repeat the password' && password_keys &&
  wait_for 'Turn on fingerprint unlock?' && text y &&
  wait_for 'finger on the reader' && stage scan alice && wait_for 'with your fingerprint.  Unlocked.  Cards: 0' &&
  command quickvault-fingerprint-status && wait_for 'This device is bound' && wait_for 'q closes' && keys q && wait_for 'No cards yet'
}

# R9: a fingerprint first, with its progress in the echo area.
fingerprint_unlocks() {
  lock_and_return && unlock_by_fingerprint
}

# R9, B: any key switches to the password at once; so does quitting, without a message.
key_switches_to_password() {
  lock_and_return && wait_for 'finger on the reader' && keys Space &&
  wait_for 'Master password' && ! screen | grep -q 'recognised\|Cancelled' && unlock_by_password &&
  lock_and_return && wait_for 'finger on the reader' && keys C-g &&
  wait_for -v 'press any key for the password' && keys Enter && unlock_by_fingerprint
}

# B: after three mismatches the password is needed; afterwards fingerprints work again.
password_after_three_mismatches() {
  lock_and_return && wait_for 'finger on the reader' && stage scan bob && wait_for 'not recognised.  Attempts left: 2.  (press any key' &&
  stage scan bob && wait_for 'Attempts left: 1.' && stage scan bob && wait_for 'not recognised. Use the password.' && wait_for 'Master password' && keys C-g &&
  keys Enter && wait_for 'Too many fingerprints' && unlock_by_password &&
  lock_and_return && unlock_by_fingerprint
}

# R13: the settings turn fingerprint unlock off and keep the binding.
turned_off_and_on() {
  command quickvault-settings && wait_for 'Unlock with a fingerprint' && toggle_setting &&
  lock_and_return && wait_for 'Master password' && ! screen | grep -q 'press any key for the password' && unlock_by_password &&
  command quickvault-fingerprint-status && wait_for 'turned off in the settings' && wait_for 'q closes' && keys q &&
  command quickvault-settings && toggle_setting && lock_and_return && unlock_by_fingerprint
}

toggle_setting() {
  wait_for 'Settings of the vault' && keys C-s && text 'Unlock with a finger' && keys Enter C-a Enter &&
  wait_for 'Settings saved' && keys q && wait_for 'No cards yet'
}

# T: enrolling another fingerprint voids the binding until the password renews it.
new_enrolment_voids_the_binding() {
  stage enroll left-thumb && read -r -t 60 -u "${desktop[0]}" _ &&
  lock_and_return && wait_for 'finger on the reader' && stage scan alice &&
  wait_for 'fingerprints have changed' && unlock_by_password &&
  command quickvault-enable-fingerprint && wait_for 'Master password' && password_keys &&
  wait_for 'finger on the reader' && stage scan alice && wait_for 'q closes' && keys q &&
  lock_and_return && unlock_by_fingerprint
}

disabled() {
  command quickvault-disable-fingerprint &&
  wait_for 'press Enter for the password' && keys Enter && wait_for 'Master password:' && password_keys &&
  wait_for 'q closes' && keys q && lock_and_return && wait_for 'Master password' &&
  ! screen | grep -q 'press any key for the password'
}

end_desktop() {
  end_terminal
  local input=${desktop[1]-} process=${desktop_PID-}
  if [[ -n $input ]]; then exec {input}>&- && wait "$process"; fi
}

fingerprint_tests() {
  check 'fingerprint: a desktop with a reader' open_desktop || return
  # shellcheck source=/dev/null
  source "$HOME/desktop"
  open_terminal
  trap end_desktop EXIT
  local step
  for step in offered_and_bound fingerprint_unlocks key_switches_to_password password_after_three_mismatches turned_off_and_on \
    new_enrolment_voids_the_binding disabled; do
    check "fingerprint: ${step//_/ }" "$step" || break
  done
}
