# Pictures of a card, with the real worker for pictures.
# shellcheck shell=bash disable=SC2154

pictures=$top/Tests/ImagingTests/files/pillow

# What stands in for the desktop's viewer, for a desktop there is none: it takes note of what it was given and of who may
# read it, and stays until it is told to go.
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

# A vault, a picture whose name has blanks, and the page of a card.
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
  see 'Attach the file:'
  type_line "$work/我的 photo.jpg"
  see 'Watermark, or nothing for none:'
  type_line "$1"
  see '我的 photo.jpg  JPEG · 128×128 · 4.8 KiB' 60
}

# R5, R23: attached by its path, listed on the page, written out byte for byte and never over another file without a yes.
scenario_attach_and_export() {
  open_page
  attach_picture ''
  press G X
  see 'Write to:'
  press C-u
  type_line "$work/out.jpg"
  see 'as it is shown'
  if screen | grep -q 'without the watermark'; then complain 'an original was offered where there is no watermark'; fi
  type_line 1
  see 'Written: '
  cmp "$work/out.jpg" "$work/我的 photo.jpg" || complain 'not what was attached'
  expect "$(stat -c %a "$work/out.jpg")" 600 'mode of what was written'
  echo other >"$work/out.jpg"
  command_line "QuickVaultExportAttachment $work/out.jpg"
  see 'exists; replace it\?'
  press k
  see_gone 'replace it'
  expect "$(cat "$work/out.jpg")" other 'the file that was there'
  command_line "QuickVaultExportAttachment -strip $work/out.jpg"
  see 'exists; replace it\?'
  press r
  see 'Written: '
  if cmp -s "$work/out.jpg" "$work/我的 photo.jpg"; then complain 'the metadata is still there'; fi
  press G D
  see 'Delete "我的 photo.jpg"'
  press k
  see 'photo.jpg  JPEG'
  press G D
  see 'Delete "我的 photo.jpg"'
  press d
  see_gone 'Attachments'
}

# R6: the watermark is on what is written out; the original needs the password.
scenario_watermark() {
  open_page
  attach_picture 'For the bank only'
  see 'watermark: For the bank only'
  command_line "QuickVaultExportAttachment $work/marked.jpg"
  see 'Written: '
  if cmp -s "$work/marked.jpg" "$work/我的 photo.jpg"; then complain 'no watermark'; fi
  command_line "QuickVaultExportAttachment -original $work/original.jpg"
  see 'for the original:'
  type_line 'wrong password'
  see 'Wrong password.*for the original:'
  type_line "$password"
  see 'Written: '
  cmp "$work/original.jpg" "$work/我的 photo.jpg" || complain 'not the original'
  press G M
  see 'Watermark, or nothing for none: For the bank only'
  press C-u
  type_line 'Second'
  see 'watermark: Second'
  press G M
  see 'none: Second'
  press Escape
  see 'Take the watermark off\?'
  press k
  see_gone 'Take the watermark off'
  screen | grep -q 'watermark: Second' || complain 'giving up took the watermark off'
  press G M
  see 'none: Second'
  press C-u Enter
  see 'Take the watermark off\?'
  press t
  see_gone 'watermark: Second'
  expect "$(evaluate 'len(filter(map(range(1, histnr("@")), {_, n -> histget("@", n)}), {_, text -> text =~# "bank\\|Second"}))')" 0 \
    'watermarks in the history'
}

# R5: several at once from the command line, and what is no picture, in the server's words.
scenario_attach_command() {
  open_page
  cp "$pictures/iptc.jpg" "$work/second.jpg"
  echo 'no picture' >"$work/third.jpg"
  command_line "QuickVaultAttach $work/我的\\ photo.jpg $work/second.jpg -- 100% mine"
  see 'Attached: 2' 60
  see 'second.jpg  JPEG .*watermark: 100% mine'
  expect "$(evaluate 'len(filter(map(range(1, histnr(":")), {_, n -> histget(":", n)}), {_, text -> text =~# "100% min[e]"}))')" 0 \
    'watermarks in the history'
  command_line "QuickVaultAttach $work/third.jpg"
  see 'third.jpg: .*[a-z]+ ' 60
  command_line "QuickVaultAttach $work/nowhere.jpg"
  see 'nowhere.jpg: '
  press q
  see_gone 'Attachments'
  press o
  see 'Open which attachment\?'
  see '2\. second.jpg'
  press Escape
}

directories() {
  find "$XDG_RUNTIME_DIR" -mindepth 1 | wc -l
}

none_left() { (($(directories) == 0)); }

# The viewer reads from a private directory, which goes with the lock, and with it the viewer.
scenario_view_until_the_lock() {
  open_page
  attach_picture ''
  press G Enter
  await test -e "$work/shown"
  expect "$(tr '\n' ' ' <"$work/modes")" '700 600 ' 'modes of the directory and the file'
  cmp "$work/seen" "$work/我的 photo.jpg" || complain 'the viewer saw something else'
  [[ $(<"$work/shown") == "$XDG_RUNTIME_DIR"/*/'我的 photo.jpg' ]] || complain "shown: $(<"$work/shown")"
  press L
  see 'Locked\. <CR>'
  await none_left
}

# It goes when a viewer that stays ends, and when Vim ends.
scenario_view_until_the_end() {
  open_page
  attach_picture ''
  press G o
  await test -e "$work/shown"
  local end=$(($(now) + 7))
  while (($(now) < end)); do sleep 0.1; done
  expect "$(directories)" 2 'what the viewer reads'
  touch "$work/close"
  await none_left
  # One that ends at once may only have handed over to another program: its file stays until Vim ends.
  rm "$work/shown"
  press G o
  await test -e "$work/shown"
  screen >/dev/null
  command_line 'qall'
  see SHELL
  await none_left
}

# One that is not there, or fails, leaves nothing behind.
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
  see 'The viewer failed \(1\)'
  await none_left
}
