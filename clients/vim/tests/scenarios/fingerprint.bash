# A finger, with the real fprintd and the real gnome-keyring.
# shellcheck shell=bash disable=SC2154

# A desktop of the scenario's own, with a reader.
open_desktop() {
  mkdir -m 700 "$work/keychain"
  coproc desktop { PYTHONDONTWRITEBYTECODE=1 exec /usr/bin/python3 "$top/Tests/DesktopTests/stage.py" "$work/desktop" "$work/keychain" 2>"$work/desktop.log"; }
  local end=$(($(now) + 60))
  until [[ -e $work/desktop ]]; do
    if ! kill -0 "$desktop_PID" || (($(now) > end)); then cat "$work/desktop.log"; exit 1; fi
    sleep 0.05
  done
  # shellcheck source=/dev/null
  source "$work/desktop"
}

scan() { # person
  echo "scan $1" >&"${desktop[1]}"
}

# R9, R22, B, F: offered once with a new vault; then a finger first, any key for the password, and the password where a
# finger does not do.
scenario_fingerprint() {
  open_desktop
  open_vim
  type_line ':QuickVault'
  see 'New password, at least 8 characters:'
  type_line "$password"
  see 'again:'
  type_line "$password"
  see 'Unlock with a finger from now on\?' 60
  press y
  see 'Put your finger.*\(any key: password\)' 60
  scan alice
  see 'No card yet'
  type_line ':QuickVaultFingerprint'
  see 'This device is bound'
  see 'Keychain: ready'
  press Enter
  press L
  see 'Locked\. <CR>'
  press Enter
  see 'Put your finger.*\(any key: password\)'
  scan alice
  see 'No card yet'
  press L
  see 'Locked\. <CR>'
  press Enter
  see 'Put your finger.*\(any key: password\)'
  press Space
  see '^Password:'
  type_line "$password"
  see 'No card yet' 60
  press L
  see 'Locked\. <CR>'
  press Enter
  see 'Put your finger.*\(any key: password\)'
  scan bob
  see 'not recognised\. Tries left: 2\..*\(any key: password\)'
  scan bob
  see 'Tries left: 1\.'
  scan bob
  see '.+Password:$' 60
  type_line "$password"
  see 'No card yet' 60
  type_line ':QuickVaultDevices'
  see '\(this device\)'
  type_line ':2'
  press d
  see 'unlocks the vault no more\?'
  press n
  see '\(this device\)'
  press d
  see 'unlocks the vault no more\?'
  press y
  see 'No device is bound'
  press L
  see 'Locked\. <CR>'
  press Enter
  see '^Password:'
}

# R6: the original of a marked picture, after a finger, or the password in its place.
scenario_original_by_finger() {
  make_vault
  open_desktop
  cp "$top/Tests/ImagingTests/files/pillow/hopper_orientation_6.jpg" "$work/photo.jpg"
  open_vim
  type_line ':QuickVault'
  see 'Password:$'
  type_line "$password"
  see '2 cards|Unlock with a finger from now on\?'
  if screen | grep -q 'from now on?'; then
    press n
    see '2 cards'
  fi
  type_line ':QuickVaultFingerprint on'
  see 'Password:$'
  type_line "$password"
  see 'finger.*\(any key: password\)' 60
  scan alice
  see 'A finger unlocks|from now on'
  press Enter
  see 'Door code'
  command_line "QuickVaultAttach $work/photo.jpg -- For the bank only"
  see 'watermark: For the bank only' 60
  press G
  command_line "QuickVaultExportAttachment -original $work/finger.jpg"
  see 'finger.*\(any key: password\)' 60
  scan alice
  see 'Written: '
  cmp "$work/finger.jpg" "$work/photo.jpg" || complain 'a finger did not give the original'
  command_line "QuickVaultExportAttachment -original $work/typed.jpg"
  see 'finger.*\(any key: password\)' 60
  press Space
  see 'original'
  type_line "$password"
  see 'Written: .*typed'
  cmp "$work/typed.jpg" "$work/photo.jpg" || complain 'the password did not give the original'
}
