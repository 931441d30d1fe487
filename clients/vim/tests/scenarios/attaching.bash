# Adding files to a card: what is asked, and what is said when some of them cannot be added.
# shellcheck shell=bash disable=SC2154

documents=$top/Tests/ImagingTests/files/libvips

attachments() { # prints the names and watermarks of the card's attachments
  evaluate 'join(map(copy(b:quickvault.card.attachments), {_, one -> one.name . (empty(one.watermark) ? "" : "=" . one.watermark.text)}))'
}

open_card_with_files() {
  make_vault
  mkdir "$work/files"
  cp "$pictures/hopper_orientation_2.jpg" "$work/files/a.jpg"
  cp "$pictures/hopper_orientation_3.jpg" "$work/files/b"
  # A byte order mark may precede a PDF.
  { printf '\xef\xbb\xbf' && cat "$documents/blankpage.pdf"; } >"$work/files/c.jpg"
  echo 'no picture' >"$work/files/d.png"
  cp "$pictures/hopper_orientation_6.jpg" "$work/files/e.jpg"
  open_vim
  open_list
  command_line 'call search("Meeting")'
  press Enter
  see 'Door code'
  command_line "cd $work/files"
}

# R6: the watermark is asked for after the file was looked at, by its content, and never for a PDF.
scenario_attaching_asks_for_pictures() {
  open_card_with_files
  local file
  for file in nothing.jpg d.png; do
    command_line "QuickVaultAttach $file"
    see "$file: "
    if screen | grep -q 'Watermark'; then complain "asked for the watermark of $file"; fi
  done
  command_line 'QuickVaultAttach c.jpg'
  see '^  c\.jpg  PDF'
  command_line 'QuickVaultAttach b'
  see 'Watermark \(empty for none\):'
  type_line 'For the bank'
  see '^  b  JPEG .*For the bank'
  command_line 'call search("c.jpg")'
  press M
  see 'A PDF cannot have a watermark'
}

# R5, R6: of several files, each that can be is added, each that cannot is named, and a repeated command adds none twice.
scenario_attaching_several() {
  open_card_with_files
  command_line 'QuickVaultAttach a.jpg b c.jpg d.png e.jpg -- For the bank'
  see 'c\.jpg: a PDF cannot have a watermark.*Attach'
  press l
  see 'Attached: a\.jpg, b, e\.jpg'
  see 'Not attached: c\.jpg'
  see 'Not attached: d\.png: '
  press Enter
  expect "$(attachments)" 'a.jpg=For the bank b=For the bank e.jpg=For the bank' 'the attachments'
  command_line 'QuickVaultAttach a.jpg b c.jpg d.png e.jpg -- For the bank'
  see 'c\.jpg: a PDF cannot have a watermark.*Attach'
  press a
  see 'Attached: c\.jpg'
  see 'The card already has .*: a\.jpg, b, e\.jpg'
  see 'Not attached: d\.png: '
  press Enter
  expect "$(attachments)" 'a.jpg=For the bank b=For the bank e.jpg=For the bank c.jpg' 'the attachments'
}
