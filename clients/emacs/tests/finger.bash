# A finger, with the real fprintd and the real gnome-keyring: Emacs in tmux, keys typed, the screen read.
# Sourced by `run', which gives `home', `top', `package', `check' and QUICKVAULT_PROGRAM, after terminal.bash.
# shellcheck shell=bash
: "${home:?}" "${top:?}" "${package:?}" "${password:?}" "${QUICKVAULT_PROGRAM:?}"

# A desktop of the test's own, with a reader.
open_desktop() {
  mkdir -m 700 "$home/keychain"
  coproc desktop {
    PYTHONDONTWRITEBYTECODE=1 exec /usr/bin/python3 "$top/Tests/DesktopTests/stage.py" \
      "$home/desktop" "$home/keychain" 2>"$home/desktop.log"
  }
  local deadline=$((SECONDS + 60))
  until [[ -e $home/desktop ]]; do
    if [[ -z ${desktop_PID:-} ]] || ((SECONDS > deadline)); then cat "$home/desktop.log" && return 1; fi
    sleep 0.05
  done
}

stage() { echo "$1 $2" >&"${desktop[1]}"; }
command() { keys M-x && text "$1" && keys Enter; }
lock_and_return() { keys L && wait_for 'RET unlocks it' && keys Enter; }
unlock_by_finger() { wait_for '(any key: password)' && wait_for 'finger on the reader' && stage scan alice && wait_for 'No cards yet'; }
# A long line is broken before these words.
unlock_by_password() { wait_for 'er password:' && password_keys && wait_for 'No cards yet'; }

# R22: offered once, with a new vault.
offered_and_bound() {
  keys "emacs -nw -Q -L '$package' -l quickvault --eval '(setq quickvault-program (getenv \"QUICKVAULT_PROGRAM\"))'" Enter &&
  wait_for 'scratch' && command quickvault &&
  wait_for 'New master password' && password_keys && wait_for 'The same password again' && password_keys &&
  wait_for 'Unlock with a finger from now on?' && text y &&
  wait_for 'finger on the reader' && stage scan alice && wait_for 'No cards yet' &&
  command quickvault-fingerprint-status && wait_for 'This device is bound' && wait_for 'Keychain: ready' &&
  keys C-x 1 &&
  command quickvault-devices && wait_for 'this device' && keys q && wait_for 'No cards yet'
}

# R9: a finger first, and how it goes in the echo area.
finger_unlocks() {
  lock_and_return && unlock_by_finger
}

# R9, B: any key leads to the password at once, and so does quitting, in silence.
key_leads_to_password() {
  lock_and_return && wait_for 'finger on the reader' && keys Space &&
  wait_for 'Master password' && ! screen | grep -q 'recognised\|Cancelled' && unlock_by_password &&
  lock_and_return && wait_for 'finger on the reader' && keys C-g &&
  wait_for -v 'any key: password' && keys Enter && unlock_by_finger
}

# B: three fingers that do not match, and then the password, which lets them be tried again.
password_after_three_fingers() {
  lock_and_return && wait_for 'finger on the reader' && stage scan bob && wait_for 'not recognised.  Tries left: 2.  (any key' &&
  stage scan bob && wait_for 'Tries left: 1.' && stage scan bob && wait_for 'not recognised. Use the password.' && wait_for 'Master password' && keys C-g &&
  keys Enter && wait_for 'Too many fingers' && unlock_by_password &&
  lock_and_return && unlock_by_finger
}

# R13: the settings turn fingers off, and the binding stays.
turned_off_and_on() {
  command quickvault-settings && wait_for 'Unlock with a finger where a device is bound' && toggle_setting &&
  lock_and_return && wait_for 'Master password' && ! screen | grep -q 'any key: password' && unlock_by_password &&
  command quickvault-fingerprint-status && wait_for 'the settings say so' && keys C-x 1 &&
  command quickvault-settings && toggle_setting && lock_and_return && unlock_by_finger
}

toggle_setting() {
  wait_for 'Settings of the vault' && keys C-s && text 'Unlock with a finger' && keys Enter C-a Enter &&
  keys C-x C-s && wait_for -v 'Settings of the vault' && wait_for 'No cards yet'
}

# T: where other fingers are enrolled the binding is void, until the password enables it again.
other_fingers_void_the_binding() {
  stage enroll left-thumb &&
  lock_and_return && wait_for 'finger on the reader' && stage scan alice &&
  wait_for 'fingers have changed' && unlock_by_password &&
  command quickvault-devices && wait_for 'No device is bound' && keys q &&
  command quickvault-enable-fingerprint && wait_for 'Master password' && password_keys &&
  wait_for 'finger on the reader' && stage scan alice && wait_for 'unlocks the vault from now on' &&
  lock_and_return && unlock_by_finger
}

disabled() {
  command quickvault-disable-fingerprint && wait_for 'with the password alone' && text y &&
  wait_for 'The password alone unlocks' && lock_and_return && wait_for 'Master password' &&
  ! screen | grep -q 'any key: password'
}

finger_tests() {
  check 'finger: a desktop with a reader' open_desktop || return
  socket="quickvault-finger-$$"
  tmux -L "$socket" -u -f /dev/null new-session -d -s vault -c "$home" -x 100 -y 45 \
    "source '$home/desktop'; exec env -i HOME='$home' XDG_DATA_HOME='$home/finger' TMPDIR='$home/tmp' TERM=screen-256color \
      XDG_RUNTIME_DIR=\"\$XDG_RUNTIME_DIR\" DBUS_SYSTEM_BUS_ADDRESS=\"\$DBUS_SYSTEM_BUS_ADDRESS\" \
      DBUS_SESSION_BUS_ADDRESS=\"\$DBUS_SESSION_BUS_ADDRESS\" LC_CTYPE=C.UTF-8 LANG=en_US.UTF-8 PATH='$PATH' PS1='ENDED$ ' \
      QUICKVAULT_PROGRAM='$QUICKVAULT_PROGRAM' bash --norc --noprofile -i"
  local step
  for step in offered_and_bound finger_unlocks key_leads_to_password password_after_three_fingers turned_off_and_on \
    other_fingers_void_the_binding disabled; do
    check "finger: ${step//_/ }" "$step" || break
  done
  end_terminal
  local input=${desktop[1]-} process=${desktop_PID-}
  if [[ -n $input ]]; then exec {input}>&- && wait "$process"; fi
}
