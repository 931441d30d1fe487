# One vault on two machines.
# shellcheck shell=bash disable=SC2154

# S: a second machine joins over a folder; what each changes appears on the other.
scenario_sync() {
  open_synchronised
  see 'No other machine yet'
  local first=$terminal
  open_second_machine
  type_line ':QuickVault'
  see 'use :QuickVaultJoin'
  press C-c
  see_gone '^New master password'
  command_line "QuickVaultJoin $work/carried"
  see 'Master password of that vault:'
  type_line 'a wrong one'
  see 'does not open a vault.*Master password of that vault:'
  type_line "$password"
  see '2 cards'
  see 'Harbor 开票 +Invoice'
  command_line "QuickVaultJoin $work/carried"
  see 'There is already a vault: '
  type_line ':call search("Meeting")'
  press d
  see 'Delete "Meeting room"\?'
  press d
  see 'QuickVault  1 card$'
  local second=$terminal
  terminal=$first
  press s
  see 'up to date'
  command_line 'tabfirst'
  see 'QuickVault  1 card$'
  command_line 'tablast'
  type_line ':call search("up to date")'
  press D
  see 'Stop synchronising\?'
  press y
  see '^Synchronisation: off'
  terminal=$second
}

# Opens Vim with a vault and its page about synchronisation, and synchronises it over a folder.
open_synchronised() {
  make_vault
  mkdir "$work/carried"
  open_vim
  open_list
  command_line 'tab QuickVaultSync'
  see '^Synchronisation: off'
  press e
  see 'Synchronise over the folder:'
  type_line "$work/carried"
  see 'Master password, to confirm:|^Synchronisation: on'
  if screen | grep -q 'to confirm'; then type_line "$password"; fi
  see '^Synchronisation: on'
}

# Opens Vim with another vault and another home directory, beside the first.
open_second_machine() {
  mkdir -p "$work/other"
  vault=$work/other/vault.quickvault
  sed "s|^let g:quickvault_vault.*|let g:quickvault_vault = '$vault'|" "$work/vimrc" >"$work/other/vimrc"
  local command
  printf -v command '%q ' "$editor" -u "$work/other/vimrc" -i "$work/other/viminfo"
  terminal=t$((${terminal#t} + 1))
  tmux_here new-session -d -x 110 -y 40 -s main \
    "env HOME=$work/other XDG_STATE_HOME=$work/other/state LC_ALL=$LC_ALL TZ=UTC TERM=screen-256color $command; exec tail -f /dev/null"
  see '\[No Name\]|^~'
}

# S: one machine gives the vault a new key, and the other follows with the new password.
scenario_rekey() {
  open_synchronised
  local first=$terminal
  open_second_machine
  command_line "QuickVaultJoin $work/carried"
  see 'Master password of that vault:'
  type_line "$password"
  see '2 cards'
  command_line 'tab QuickVaultSync'
  # An answer that is older than the last notification may say "synchronising".
  press_until_seen R '^Synchronisation: on'
  local second=$terminal
  terminal=$first
  see 'up to date'
  press K
  see 'Give the vault a new key'
  press y
  see 'Current master password'
  type_line "$password"
  see 'New master password'
  type_line 'another 密码 of all'
  see 'Repeat the password'
  type_line 'another 密码 of all'
  see 'password was changed'
  terminal=$second
  see 'has given the vault a new key'
  press p
  see 'set on the other machine'
  type_line 'a wrong one'
  see 'does not open a vault|Wrong password'
  type_line 'another 密码 of all'
  see_gone 'has given the vault a new key'
  see '^Synchronisation: on'
}

# C: signing in to a server that carries the folder, and out again.
scenario_account() {
  make_vault
  local address
  coproc webdav { /usr/bin/python3 "$top/Tests/CarrierTests/account_server.py" password; }
  read -r address <&"${webdav[0]}"
  open_vim
  open_list
  command_line 'tab QuickVaultAccount'
  see '^Account: not signed in'
  press p
  see 'What leaves this machine'
  press q
  see '^Account: not signed in'
  press e
  see 'Another WebDAV server'
  type_line 3
  see 'an app password, which most servers make'
  see 'URL of the WebDAV folder:'
  type_line "$address"
  see 'User name:'
  type_line dav
  see 'App password of the server:'
  type_line 'a wrong one'
  see 'Master password, to confirm:|refused|user name'
  if screen | grep -q 'to confirm'; then type_line "$password"; fi
  see '^Account: not signed in'
  press Enter
  press e
  type_line 3
  see 'URL of the WebDAV folder:'
  type_line "$address"
  see 'User name:'
  type_line dav
  see 'App password of the server:'
  type_line 'the app password of the tests'
  see '^User: dav'
  see "^Signs in with: tokens or a password, encrypted in the vault's file"
  type_line ":call quickvault#account#show_mirror({'percentage': 40})"
  see '^Mirrored: not yet  \(40 % of what is new\)'
  see_gone 'app password of the tests'
  press X
  see 'Type its file name \(vault\.quickvault\) to confirm:'
  type_line 'vault.quickvault'
  see 'Master password:'
  type_line "$password"
  see 'The server had nothing of this vault\. The app password or session may still be valid'
  sign_in "$address"
  see '^User: dav'
  press D
  see 'Sign out\?'
  press y
  see '^Account: not signed in'
  eval "exec ${webdav[1]}>&-"
}

# C: a machine without a vault signs in, and joins from what is on the server.
scenario_account_before_a_vault() {
  local address
  coproc webdav { /usr/bin/python3 "$top/Tests/CarrierTests/account_server.py" password; }
  read -r address <&"${webdav[0]}"
  open_synchronised
  command_line 'tab QuickVaultAccount'
  sign_in "$address"
  if screen | grep -q 'to confirm'; then type_line "$password"; fi
  see '^Mirrored: 20'
  command_line 'tab QuickVaultSync'
  # An answer that is older than the last notification may say "synchronising".
  press_until_seen R '^Synchronisation: on'
  see '^Mirrored: 20'
  open_second_machine
  command_line 'QuickVaultAccount'
  sign_in "$address"
  see 'Folder for what is on the server:'
  type_line "$work/other/fetched"
  see 'Master password of that vault:'
  type_line 'a wrong one'
  see 'does not open a vault|Wrong password'
  type_line "$password"
  see '2 cards'
  command_line 'tab QuickVaultAccount'
  see '^User: dav'
  eval "exec ${webdav[1]}>&-"
}

# C: a server whose certificate is not trusted asks for the file with that of the user's own authority.
scenario_account_with_a_certificate_of_its_own() {
  make_vault
  local address certificate
  coproc webdav { /usr/bin/python3 "$top/Tests/CarrierTests/account_server.py" tls; }
  { read -r address; read -r certificate; } <&"${webdav[0]}"
  open_vim
  open_list
  command_line 'tab QuickVaultAccount'
  for answer in '' "$work/missing.pem" "$certificate"; do
    sign_in "$address" 'certificate is not trusted|Master password, to confirm:'
    if screen | grep -q 'to confirm'; then type_line "$password"; fi
    see 'certificate is not trusted'
    type_line "$answer"
    if [[ $answer != "$certificate" ]]; then
      see '^Account: not signed in'
      press Enter
    fi
  done
  see '^User: dav'
  see_gone 'app password of the tests'
  eval "exec ${webdav[1]}>&-"
}

# C: the page with the code of a sign-in has a QR code, if there is room for it.
scenario_account_qr_code() {
  make_vault
  open_vim
  open_list
  command_line 'tab QuickVaultAccount'
  see '^Account: not signed in'
  local page="{'url': 'https://localhost/d', 'code': 'ABCD-EFGH', 'urlWithCode': 'https://localhost/d?ABCD-EFGH'}"
  type_line ":call quickvault#account#prompt($page)"
  see 'type this code there: ABCD-EFGH'
  see '^Or scan this'
  see '^  ████ ▄▄▄▄▄ █'
  type_line ":split | split | split | call quickvault#account#prompt($page)"
  see_gone '▄▄▄▄▄'
  see 'type this code there: ABCD-EFGH'
}

# Signs in on the account page, until a pattern is seen.
sign_in() {
  see '^Account: not signed in'
  press e
  type_line 3
  see 'URL of the WebDAV folder:'
  type_line "$1"
  see 'User name:'
  type_line dav
  see 'App password of the server:'
  type_line 'the app password of the tests'
  see "${2:-Master password, to confirm:|^User: dav|Folder for what}"
}

# C: a real provider is signed in to: with a code in any browser, and in one of this machine.
scenario_account_of_a_provider() {
  make_vault
  local method address issuer client scope page
  open_vim
  open_list
  command_line 'tab QuickVaultAccount'
  for method in device code; do
    coproc webdav { /usr/bin/python3 "$top/Tests/CarrierTests/account_server.py" "$method"; }
    { read -r address; read -r issuer; read -r client; read -r scope; } <&"${webdav[0]}"
    see '^Account: not signed in'
    press e
    see '4\. OpenID Connect'
    type_line 4
    see '2\. OpenID Connect, in a browser on this machine'
    type_line "$([[ $method == device ]] && echo 1 || echo 2)"
    see 'URL of the WebDAV folder:'
    type_line "$address"
    see 'URL of the OpenID Connect provider:'
    type_line "$issuer"
    see 'Client ID at the provider:'
    type_line "$client"
    see 'Scope, if the server needs a certain one:'
    type_line "$scope"
    see 'Master password, to confirm:|Open this page'
    if screen | grep -q 'to confirm'; then type_line "$password"; fi
    see 'Open this page in your browser'
    if [[ $method == device ]]; then
      page="$issuer/device?code=$(screen | sed -nE 's/.*type this code there: ([A-Z0-9-]+).*/\1/p')"
    else
      # It is wrapped.
      page=$(screen | sed -n '/\/auth?/,/^ *$/p' | tr -d ' \n')
    fi
    echo "$page" >&"${webdav[1]}"
    see "^Server: $address"
    see '^Mirrored: '
    press D
    see 'Sign out\?'
    press y
    see '^Account: not signed in'
    eval "exec ${webdav[1]}>&-"
    wait "$webdav_PID" || true
  done
}

# C: signing out says why the server could not be told.
scenario_account_is_not_forgotten() {
  make_vault
  local address
  coproc webdav { /usr/bin/python3 "$top/Tests/CarrierTests/account_server.py" forgetful; }
  read -r address <&"${webdav[0]}"
  open_vim
  open_list
  command_line 'tab QuickVaultAccount'
  see '^Account: not signed in'
  press e
  see '1\. Nextcloud'
  type_line 1
  see 'URL of the Nextcloud server:'
  type_line "$address"
  echo >&"${webdav[1]}"
  see 'Master password, to confirm:|^User: alice'
  if screen | grep -q 'to confirm'; then type_line "$password"; fi
  see '^User: alice'
  press D
  see 'Sign out\?'
  press y
  see 'Signed out\. .*server.*may still be valid'
  see '^Account: not signed in'
  eval "exec ${webdav[1]}>&-"
}

# R14: the status names what a program that carries folders left beside the vault.
scenario_conflict_file() {
  make_vault
  cp "$vault" "${vault%.quickvault}_conf(1).quickvault"
  open_vim
  open_list
  command_line 'QuickVaultStatus'
  see 'Another copy of the vault'
  press Enter
}
