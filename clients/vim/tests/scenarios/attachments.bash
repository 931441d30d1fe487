# Attachments, with the real imaging helper.
# shellcheck shell=bash disable=SC2154

pictures=$top/Tests/ImagingTests/files/pillow

# Creates a viewer for the tests: it records its file and the file's modes, and runs until it is told to exit.
make_viewer() {
  cat >"$work/viewer" <<VIEWER
#!/usr/bin/env bash
stat -c %a "\$(dirname "\$1")" "\$1" >"$work/modes"
cp "\$1" "$work/seen"
printf '%s' "\$1" >"$work/shown.new" && mv "$work/shown.new" "$work/shown"
while [[ ! -e $work/close ]]; do sleep 0.05; done
VIEWER
  chmod +x "$work/viewer"
  export XDG_RUNTIME_DIR=$work/run
  mkdir -m 700 "$XDG_RUNTIME_DIR"
}

# Creates a vault and an image with spaces in its name, and opens the page of a card.
open_page() {
  make_vault
  make_viewer
  cp "$pictures/hopper_orientation_6.jpg" "$work/我的 photo.jpg"
  open_vim --cmd "let g:quickvault_viewer = '$work/viewer'"
  open_list
  press Enter
  see 'Door code'
}

attach_picture() { # watermark
  press A
  see 'Attach file:'
  type_line "$work/我的 photo.jpg"
  see 'Watermark \(empty for none\):'
  type_line "$1"
  see '我的 photo.jpg  JPEG · 128×128 · 4.8 KiB'
}

# R5, R23: attached by its path, listed on the page, exported byte for byte; an existing file is replaced only after
# confirmation.
scenario_attach_and_export() {
  open_page
  attach_picture ''
  press G X
  see 'Write to:'
  press C-u
  type_line "$work/out.jpg"
  see 'as shown'
  if screen | grep -q 'without the watermark'; then complain 'the original was offered without a watermark'; fi
  type_line 1
  see 'Wrote '
  cmp "$work/out.jpg" "$work/我的 photo.jpg" || complain 'the export differs from the attached file'
  expect "$(stat -c %a "$work/out.jpg")" 600 'mode of the exported file'
  command_line "QuickVaultExportAttachment -strip $work/out.jpg"
  see 'already exists\. Replace it\?'
  press r
  see 'Wrote '
  if cmp -s "$work/out.jpg" "$work/我的 photo.jpg"; then complain 'the metadata is still there'; fi
  press G D
  see 'Delete "我的 photo.jpg"'
  press d
  see_gone 'Attachments'
}

# R6: exports have the watermark; the original needs the password.
scenario_watermark() {
  open_page
  attach_picture 'For the bank only'
  see 'watermark: For the bank only'
  command_line "QuickVaultExportAttachment $work/marked.jpg"
  see 'Wrote '
  if cmp -s "$work/marked.jpg" "$work/我的 photo.jpg"; then complain 'no watermark'; fi
  command_line "QuickVaultExportAttachment -original $work/original.jpg"
  see 'to get the original:'
  type_line 'wrong password'
  see 'Wrong password.*to get the original:'
  type_line "$password"
  see 'Wrote '
  cmp "$work/original.jpg" "$work/我的 photo.jpg" || complain 'not the original'
  press G M
  see 'Watermark \(empty for none\): For the bank only'
  press C-u
  type_line 'Second'
  see 'watermark: Second'
  press G M
  see 'none\): Second'
  press C-u Enter
  see 'Remove the watermark\?'
  press k
  see_gone 'Remove the watermark'
  screen | grep -q 'watermark: Second' || complain 'keeping removed the watermark'
  press G M
  see 'none\): Second'
  press C-u Enter
  see 'Remove the watermark\?'
  press r
  see_gone 'watermark: Second'
  expect "$(evaluate 'len(filter(map(range(1, histnr("@")), {_, n -> histget("@", n)}), {_, text -> text =~# "bank\\|Second"}))')" 0 \
    'watermarks in the history'
}

# R6: who leaves the question about the watermark attaches nothing.
scenario_attach_cancelled() {
  open_page
  for key in Escape C-c; do
    press A
    see 'Attach file:'
    type_line "$work/我的 photo.jpg"
    see 'Watermark \(empty for none\):'
    press "$key"
    see_gone 'Watermark \(empty'
    expect "$(evaluate 'len(quickvault#server#wait("card/get", {"id": b:quickvault.id}, 60000)[1].card.attachments)')" 0 "attachments after $key"
  done
}

# R6: the last text is offered for the next picture, until the vault locks.
scenario_watermark_default() {
  open_page
  cp "$pictures/iptc.jpg" "$work/second.jpg"
  attach_picture 'For the bank only'
  press A
  see 'Attach file:'
  type_line "$work/second.jpg"
  see 'none\): For the bank only$'
  press C-u Enter
  see 'second.jpg  JPEG .*B$'
  lock
  unlock_again
  see 'second.jpg'
  command_line "QuickVaultAttach $work/我的\\ photo.jpg"
  see 'none\): *$'
  press C-c
}

directories() {
  find "$XDG_RUNTIME_DIR" -mindepth 1 | wc -l
}

none_left() { (($(directories) == 0)); }

# A lock removes the private directory and stops the viewer.
scenario_view_until_the_lock() {
  open_page
  attach_picture ''
  press G Enter
  await test -e "$work/shown"
  expect "$(tr '\n' ' ' <"$work/modes")" '700 600 ' 'modes of the directory and the file'
  cmp "$work/seen" "$work/我的 photo.jpg" || complain 'the viewer saw something else'
  [[ $(<"$work/shown") == "$XDG_RUNTIME_DIR"/*/'我的 photo.jpg' ]] || complain "shown: $(<"$work/shown")"
  lock
  await none_left
}

# The directory is removed when the viewer exits, and when Vim exits.
scenario_view_until_the_end() {
  open_page
  attach_picture ''
  press G o
  await test -e "$work/shown"
  # A viewer that exits within five seconds may have passed the file on.
  sleep 6
  expect "$(directories)" 2 'directory and file of the viewer'
  touch "$work/close"
  await none_left
  # A viewer that exits immediately may have passed the file to another program: the file stays until Vim exits.
  rm "$work/shown"
  press G o
  await test -e "$work/shown"
  screen >/dev/null
  command_line 'qall'
  see SHELL
  await none_left
}

# A missing or failing viewer leaves nothing behind.
scenario_viewer_trouble() {
  open_page
  attach_picture ''
  command_line "let g:quickvault_viewer = ['$work/none']"
  press G o
  see 'The viewer .* was not found'
  press Enter
  none_left || complain 'a directory is left'
  command_line "let g:quickvault_viewer = '/bin/false'"
  press G o
  see 'The viewer failed \(exit status 1\)'
  await none_left
}

# Prints the number of lines of the screen that show a part of a picture.
picture_lines() {
  tmux_here capture-pane -p -e -t main | grep -cE $'(48;5;.*){3}' || true
}

has_picture() { # lines
  [[ $(picture_lines) == "$1" ]]
}

# Prints the files of the scenario, except those of its own commands and the server's.
files() {
  find "$work" -type f ! -name 'value*' ! -path '*/.local/state/quickvault/*' | sort
}

# The picture is shown as coloured characters, also when the terminal changes its size. A key closes it and does what it does
# on the page. Nothing reaches a file.
scenario_preview() {
  open_page
  attach_picture ''
  press G P
  see '我的 photo.jpg \(any key closes\)'
  await has_picture 34
  local before
  before=$(files)
  tmux_here resize-window -t main -x 40 -y 20
  await has_picture 14
  tmux_here resize-window -t main -x 110 -y 40
  await has_picture 34
  press q
  see_gone 'any key closes'
  await has_picture 0
  see 'JPEG · 128×128'
  expect "$(evaluate 'len(filter(getbufinfo(), "v:val.name =~# \"picture\""))')" 0 'terminals that are left'
  press G P
  see 'any key closes'
  press X
  see 'Write to:'
  see_gone 'any key closes'
  press C-c
  see_gone 'Write to:'
  expect "$(files)" "$before" 'files while the picture is shown'
  lock_when_told
  press P
  see 'any key closes'
  touch "$work/lock"
  see 'Locked\. Press <CR>'
  see_gone 'any key closes'
  await has_picture 0
}

# The picture is gone with what it was made from, and what fails is said.
scenario_preview_trouble() {
  open_page
  attach_picture ''
  find_server
  press G P
  await has_picture 34
  kill "$server"
  see_gone 'any key closes'
  await has_picture 0
  press_until_seen Enter 'Master password:$'
  type_line "$password"
  see 'Door code'
  command_line "let \$PATH = '$work'"
  press G P
  see 'sudo apt install chafa'
}
