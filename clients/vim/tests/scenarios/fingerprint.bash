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
  press L
  see 'Locked\. Press <CR>'
  press Enter
  see 'Put your finger.*\(press any key for the password\)'
  scan alice
  see 'No cards yet'
  press L
  see 'Locked\. Press <CR>'
  press Enter
  see 'Put your finger.*\(press any key for the password\)'
  press Space
  see '^Master password:'
  type_line "$password"
  see 'No cards yet'
  press L
  see 'Locked\. Press <CR>'
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

# R6: the original of a watermarked image needs a fingerprint or the password.
scenario_original_by_fingerprint() {
  make_vault
  open_desktop
  cp "$top/Tests/ImagingTests/files/pillow/hopper_orientation_6.jpg" "$work/photo.jpg"
  open_vim
  type_line ':QuickVault'
  see 'Master password:$'
  type_line "$password"
  see '2 cards|Turn on fingerprint unlock\?'
  if screen | grep -q 'Turn on fingerprint unlock?'; then
    press n
    see '2 cards'
  fi
  type_line ':QuickVaultFingerprint on'
  answer_qv
  see 'Put your finger'
  scan alice
  leave_view
  press Enter
  see 'Door code'
  command_line "QuickVaultAttach $work/photo.jpg -- For the bank only"
  see 'watermark: For the bank only'
  press G
  command_line "QuickVaultExportAttachment -original $work/fingerprint.jpg"
  see 'Put your finger.*\(press any key for the password\)'
  scan alice
  see 'Wrote '
  cmp "$work/fingerprint.jpg" "$work/photo.jpg" || complain 'the fingerprint did not give the original'
  command_line "QuickVaultExportAttachment -original $work/typed.jpg"
  see 'Put your finger.*\(press any key for the password\)'
  press Space
  see 'original'
  type_line "$password"
  see 'Wrote .*typed'
  cmp "$work/typed.jpg" "$work/photo.jpg" || complain 'the password did not give the original'
}
