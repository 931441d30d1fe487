# Fingerprint unlock, with the real fprintd and gnome-keyring.
# shellcheck shell=bash disable=SC2154

# Starts a desktop session with a fingerprint reader for the scenario.
open_desktop() {
  mkdir -m 700 "$work/keychain"
  coproc desktop { PYTHONDONTWRITEBYTECODE=1 exec /usr/bin/python3 "$top/Tests/DesktopTests/stage.py" "$work/desktop" "$work/keychain" 2>"$work/desktop.log"; }
  await desktop_is_ready
  # shellcheck source=/dev/null
  source "$work/desktop"
}

desktop_is_ready() {
  kill -0 "$desktop_PID" || { cat "$work/desktop.log"; exit 1; }
  [[ -e $work/desktop ]]
}

# Leaves the prompt until the service has heard of the reader; before, it does not offer it.
await_desktop() {
  press Escape
  see_gone 'New master password'
  await fingerprint_is_available
}

fingerprint_is_available() {
  [[ $(evaluate "get(quickvault#server#wait('biometric/status', {}, 60000)[1], 'available') is v:true") == 1 ]]
}

scan() { # person
  echo "scan $1" >&"${desktop[1]}"
}

# R9, R22, B, F: offered once with a new vault; then a fingerprint first, any key for the password, and the password
# after failed fingerprints.
scenario_fingerprint() {
  open_desktop
  open_vim
  type_line ':QuickVault'
  see 'New master password \(at least 8 characters\):'
  await_desktop
  type_line ':QuickVault'
  see 'New master password \(at least 8 characters\):'
  type_line "$password"
  see 'Repeat the password:'
  type_line "$password"
  see 'Turn on fingerprint unlock\?'
  press y
  see 'Put your finger.*\(CTRL-C to cancel\)'
  scan alice
  see 'No cards yet'
  lock
  press Enter
  see 'Put your finger.*\(press any key for the password\)'
  scan alice
  see 'No cards yet'
  lock
  press Enter
  see 'Put your finger.*\(press any key for the password\)'
  press Space
  see '^Master password:'
  type_line "$password"
  see 'No cards yet'
  lock
  press Enter
  see 'Put your finger.*\(press any key for the password\)'
  scan bob
  see 'not recognised\. Attempts left: 2\..*\(press any key for the password\)'
  scan bob
  see 'Attempts left: 1\.'
  scan bob
  see '.+Master password:$'
  type_line "$password"
  see 'No cards yet'
}
