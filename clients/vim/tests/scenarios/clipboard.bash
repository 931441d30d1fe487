# The clipboard of Wayland, with a wl-copy of the tests that records how it is called.
# shellcheck shell=bash disable=SC2154

# Makes programs for the clipboard; wl-copy knows the options that its help names.
make_wayland() { # options
  mkdir -p "$work/bin"
  cat >"$work/bin/wl-copy" <<SCRIPT
#!/bin/sh
case "\$1" in
  --help) echo "Usage: $1"; exit ;;
  --sensitive) case "$1" in *--sensitive*) ;; *) exit 1 ;; esac ;;
  --clear) : >"$work/board"; exit ;;
esac
cat >"$work/board.new" && mv "$work/board.new" "$work/board" && echo "copied \$*" >>"$work/calls"
SCRIPT
  printf '#!/bin/sh\ncat "%s"\n' "$work/board" >"$work/bin/wl-paste"
  chmod +x "$work"/bin/*
}

# R18: clipboard managers are told that what is copied is a secret, where wl-copy can do that.
scenario_clipboard_managers() {
  make_vault
  local -x PATH=$work/bin:$PATH WAYLAND_DISPLAY=wayland-7
  local options
  for options in '--clear --sensitive' '--clear'; do
    make_wayland "$options"
    rm -f "$work/calls" "$work/board"
    open_vim
    open_list
    type_line ':QuickVaultCopy -field=companyName Harbor 开票'
    await test -s "$work/calls"
    expect "$(<"$work/board")" '深圳Harbor信息有限公司' 'the clipboard'
    if [[ $options == *--sensitive* ]]; then
      expect "$(<"$work/calls")" 'copied --sensitive' 'the call of wl-copy'
    fi
    press L
    see 'Locked\. Press <CR>'
    await is_board_empty
  done
}

is_board_empty() { [[ ! -s $work/board ]]; }
