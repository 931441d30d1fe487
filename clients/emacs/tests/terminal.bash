# Terminal tests: they type keys into Emacs in tmux and read the screen.
# Sourced by `run', which defines `here', `package', `batch', `check' and QUICKVAULT_PROGRAM.
# shellcheck shell=bash
: "${here:?}" "${package:?}" "${QUICKVAULT_PROGRAM:?}"

password='correct horse 电池 7391'
secrets=('PLANTED-title-a' 'PLANTED-title-b' '机密街道8号' '13912345678' 'PLANTED-hidden' 'PLANTED-query' 'PLANTED-bo' "$password")

screen() { tmux -L "$socket" capture-pane -p -t vault; }
keys() { tmux -L "$socket" send-keys -t vault "$@"; }
text() { tmux -L "$socket" send-keys -t vault -l "$1"; }
password_keys() { text "$password"; keys Enter; }

# Waits until the screen shows (with -v: no longer shows) a text; fails after a minute.
wait_for() {
  local inverse=()
  if [[ $1 == -v ]]; then inverse=(-v) && shift; fi
  local deadline=$((SECONDS + 60)) seen
  while true; do
    seen=$(screen)
    if ((${#inverse[@]})); then
      [[ $seen != *"$1"* ]] && return 0
    else
      [[ $seen == *"$1"* ]] && return 0
    fi
    if ((SECONDS > deadline)); then
      printf 'waited for %s «%s»; the screen is\n%s\n' "${inverse[*]}" "$1" "$seen" >&2
      return 1
    fi
    sleep 0.05
  done
}

# Opens a terminal with a shell, in which Emacs compiles nothing in the background and gives a busy machine time.
open_terminal() { # [VARIABLE=VALUE...]
  socket=vault
  mkdir -p "$HOME/.emacs.d"
  echo '(setq native-comp-deferred-compilation nil quickvault-timeout 60)' >"$HOME/.emacs.d/early-init.el"
  tmux -L "$socket" -u -f /dev/null new-session -d -s vault -c "$HOME" -x 100 -y 45 \
    env LANG=en_US.UTF-8 TERM=screen-256color PS1='ENDED$ ' "$@" bash --norc --noprofile -i
  trap end_terminal EXIT
  trap 'exit 143' TERM
}

# As in the README.
installs_as_a_package() {
  batch --eval "(progn (require 'package) (package-initialize) (package-install-file \"$package\"))" \
    >"$HOME/install.log" 2>&1 || { cat "$HOME/install.log" && return 1; }
  [[ -f $(echo "$HOME"/.emacs.d/elpa/quickvault-*/quickvault-autoloads.el) ]]
}

start_emacs() {
  keys "emacs -nw" Enter &&
    wait_for 'scratch'
}

first_run() {
  keys M-x && text quickvault && keys Enter &&
    wait_for 'Welcome to QuickVault' && wait_for 'New master password' && password_keys &&
    wait_for 'Repeat the password' && password_keys &&
    wait_for 'No cards yet'
}

create_and_correct() {
  keys c && wait_for 'Create:' && text Address && keys Enter && wait_for 'New card: Address' &&
    text 'PLANTED-title-a' && keys C-c C-c && wait_for '! Name must not be empty' &&
    text 王芳 && keys Tab && text 12345 && keys Tab && text 广东省 && keys Tab && text 深圳市 && keys Tab &&
    text 南山区 && keys Tab && text 机密街道8号 && keys C-c C-c && wait_for '! Phone must be' &&
    keys C-k && text 13912345678 && keys C-c C-c && wait_for 'created' && wait_for '13912345678' &&
    keys q && wait_for 'PLANTED-title-a'
}

create_with_concealed_field() {
  keys c && wait_for 'Create:' && text Text && keys Enter && wait_for 'New card: Text' &&
    text 'PLANTED-title-b' && keys Tab Tab Tab && text '*Code: PLANTED-hidden' && keys Tab && text 'PLANTED-body' &&
    wait_for 'Code: ••••••••••••••' && wait_for -v 'PLANTED-hidden' &&
    keys C-c C-c && wait_for 'Code: •••••••• (concealed)' &&
    keys v && wait_for 'PLANTED-hidden' && keys v && wait_for -v 'PLANTED-hidden' &&
    keys q && wait_for 'PLANTED-title-b'
}

search_as_typed() {
  keys / && wait_for 'Search:' && text '机密' &&
    wait_for 'Address: 机密街道8号' && wait_for -v 'PLANTED-title-b' &&
    text 'PLANTED-query' && wait_for 'No matches' &&
    keys C-g && wait_for 'PLANTED-title-b' &&
    keys / && wait_for 'Search:' && text 'PLANTED-bo' && wait_for 'Text: PLANTED-body' && keys Enter &&
    wait_for '/PLANTED-bo' && keys a && wait_for 'PLANTED-title-a'
}

# R7: a search that is quit leaves marks and rows; a key typed right after one acts on its result.
type_ahead_of_a_search() {
  keys m && wait_for '>   PLANTED-title-b' && keys / && text '机密' && wait_for 'Address: 机密街道8号' &&
    keys C-g && wait_for '>   PLANTED-title-b' && keys U && wait_for -v '>   PLANTED' &&
    keys / && text '机密' && keys Enter w && wait_for 'Copied, also' && clipboard_has '机密街道8号' &&
    keys a && wait_for 'PLANTED-title-b' && keys 'M-<'
}

# R18: the terminal, which is tmux, keeps in a buffer what it is told to put on the clipboard.
clipboard_has() { [[ $(tmux -L "$socket" show-buffer) == *"$1"* ]]; }

copy_pin_delete() {
  keys w && wait_for 'Copied, also to the clipboard of the terminal' && wait_for 'Copied without: Code' && clipboard_has 'PLANTED-body' &&
    keys M-x && text quickvault-copy-field && keys Enter && wait_for 'Field:' && keys Tab Tab &&
    wait_for '(concealed)' && text Text && keys Enter && wait_for 'Copied' &&
    keys P && wait_for '* PLANTED-title-b' &&
    keys d && wait_for 'Delete “PLANTED-title-b”?' && keys n && wait_for '* PLANTED-title-b'
}

edit_and_cancel() {
  keys e && wait_for 'Edit: Text' && keys C-e && text 'x' && keys C-c C-k &&
    wait_for 'Discard your unsaved changes?' && keys n && keys C-a Tab C-k && wait_for -v 'PLANTED-title-bx' &&
    keys C-y && wait_for 'PLANTED-title-bx' && keys C-x C-s && wait_for -v 'Edit: Text' && wait_for 'PLANTED-title-bx' &&
    keys C-s && text 'PLANTED-bo' && wait_for 'I-search: PLANTED-bo' && keys Enter &&
    keys C-x 2 C-x 2 C-x 2 'M-<' C-Space 'M->' M-w && wait_for 'Copied text from "PLANTED-title-bx' && keys C-x 1 &&
    keys q && wait_for 'Modified'
}

qv() { "$(dirname "$QUICKVAULT_PROGRAM")/qv" "$@"; }

# U, R12: qv in the terminal of Emacs uses the same unlock. After its lock, Emacs shows nothing when it resumes.
suspend_and_resume() {
  keys C-z && wait_for 'Stopped' && text "echo \"cards: \$('$(dirname "$QUICKVAULT_PROGRAM")/qv' list | grep -c 'PLANT[E]D')\"" &&
    keys Enter && wait_for 'cards: 2' && qv lock && keys fg Enter && wait_for 'The vault is locked.' && ! screen | grep -q PLANTED &&
    keys Enter && wait_for 'Master password' && password_keys && wait_for 'PLANTED-title-a'
}

# R12: the input of a form outlives C-z, and the keys typed before its draft is offered do not decline it.
suspend_with_a_form() {
  keys e && wait_for 'Edit: Text' && keys C-e && text 'PLANTED-draft' && wait_for 'PLANTED-draft' &&
    keys C-z && wait_for 'Stopped' && qv lock && keys fg Enter &&
    wait_for 'The vault is locked.' && ! screen | grep -q PLANTED &&
    keys C-x k Enter && keys M-x && text quickvault && keys Enter && wait_for 'Master password' && password_keys &&
    wait_for 'Unsaved input is there' && wait_for 'PLANTED-title-a' && keys e n n n &&
    wait_for 'Continue with your unsaved input' && keys y && wait_for 'PLANTED-draft' &&
    keys C-c C-k && wait_for 'Discard your unsaved changes?' && keys y && wait_for -v 'PLANTED-draft'
}

# A page that was in no window at the unlock is restored when it is shown.
restore_the_page_below() {
  keys Enter && wait_for 'created' && keys L && wait_for 'The vault is locked.' && keys Enter &&
    wait_for 'Master password' && password_keys && wait_for 'created' &&
    keys q && wait_for 'Tags           Modified' && wait_for 'PLANTED-title-a'
}

# In 40 columns, lines are wrapped between words, and the mode line still says that the demo is one.
use_a_narrow_window() {
  tmux -L "$socket" resize-window -t vault -x 40 -y 45 && keys , && wait_for $'\nnever): ' &&
    keys q && wait_for -v 'Settings of the vault' && keys M-x && text quickvault-demo && keys Enter &&
    wait_for '[Demo] *Quick' && keys M-x && text quickvault-demo && keys Enter && wait_for -v '[Demo]' &&
    tmux -L "$socket" resize-window -t vault -x 100 -y 45 && keys M-x && text quickvault && keys Enter &&
    wait_for 'PLANTED-title-a'
}

# The vault locks while the minibuffer offers titles, below another minibuffer.
auto_lock() {
  keys , && wait_for 'Settings of the vault' && keys Enter && wait_for 'never): 300' && keys C-a C-k && text 15 && keys Enter &&
    wait_for 'Settings saved' && keys q && wait_for 'PLANTED-title-a' &&
    keys M-x && text quickvault-delete && keys Enter && wait_for 'Delete “' && keys C-g &&
    keys '#' && wait_for 'Tag (empty for all)' && keys Tab && keys M-x && wait_for -v 'Tag (empty' &&
    # The page is blanked a moment before the minibuffers are aborted.
    wait_for 'because it was idle' && wait_for -v 'M-x' && ! screen | grep -q 'PLANTED\|Tag (empty'
}

# R11: what is typed during the wait does not get into the file below; only C-g ends the wait.
wait_after_three_wrong_passwords() {
  keys C-x b && text 'control.txt' && keys Enter && wait_for 'CONTROL-content' &&
    keys M-x && text quickvault-copy && keys Enter && wait_for 'Master password' && text 'wrong 1' && keys Enter &&
    wait_for '2 attempts left' && text 'wrong 2' && keys Enter &&
    wait_for '1 attempt left' && text 'wrong 3' && keys Enter &&
    wait_for 'Next attempt in' && password_keys && wait_for -v "$(screen | grep -o 'Next attempt in [0-9]*')" &&
    wait_for 'Next attempt in' && keys C-g && wait_for 'Try again in' && keys C-a && wait_for -v 'Try again in' &&
    wait_for 'CONTROL-content' && ! screen | grep -q 'correct\|\*\*.*control.txt'
}

leave_and_come_back_in_chinese() {
  keys C-x C-c && wait_for 'ENDED$' &&
    keys 'LANG=zh_CN.UTF-8 emacs -nw -f quickvault' Enter &&
    wait_for '密码错误次数过多' && keys C-g && wait_for '秒后重试' &&
    keys C-x C-c && wait_for 'ENDED$ LANG' && wait_for -v '秒后重试'
}

# A control: the search of the disk finds a file, its auto-save file and Emacs's histories.
control_is_found() {
  keys C-x C-f && wait_for 'Find file' && text 'control.txt' && keys Enter && wait_for 'control.txt' &&
    text 'CONTROL-content' && keys C-x C-s && wait_for 'Wrote' &&
    keys C-x b Enter
}

nothing_left_on_disk() {
  grep -raqF 'CONTROL-content' "$HOME" || return 1
  grep -qF 'control.txt' "$HOME/.emacs.d/recentf" || return 1
  grep -qF 'quickvault-copy-field' "$HOME/.emacs.d/history" || return 1
  grep -qF '== *QuickVault*' "$HOME"/dump-* || return 1
  /usr/bin/python3 - "$HOME" "${secrets[@]}" <<'SEARCH'
import os, sys
hits = []
for directory, _, files in os.walk(sys.argv[1]):
    for file in (os.path.join(directory, name) for name in files):
        if os.path.isfile(file):
            content = open(file, "rb").read()
            hits += [f"{secret} is in {file}" for secret in sys.argv[2:]
                     for encoding in ("UTF-8", "UTF-16LE", "UTF-16BE", "GB18030") if secret.encode(encoding) in content]
print(*hits, sep="\n", end="\n" if hits else "")
sys.exit(1 if hits else 0)
SEARCH
}

# R12: a password for qv is not among the keys that Emacs remembers, even if a macro is being defined.
change_the_password_with_qv() {
  keys M-x && text quickvault-qv && keys Enter && text passw && keys Tab && wait_for 'qv password' &&
    keys C-x '(' Enter && wait_for 'Current master password:' && password_keys &&
    wait_for 'New master password' && password_keys && wait_for 'Repeat the password' && password_keys &&
    wait_for 'R runs this command again' && keys C-h l && wait_for 'view-lossage' && ! screen | grep -q exit-minibuffer &&
    keys C-x 1 && keys M-: && text 'last-kbd-macro' && keys Enter && ! screen | grep -q 'horse' &&
    keys q && wait_for 'PLANTED-title-a'
}

# Waits until no process of the terminal can write to the directory, which is deleted next. A lock ends the service, which
# outlives its clients.
end_terminal() {
  local shell deadline=$((SECONDS + 60))
  qv lock || true
  shell=$(tmux -L "$socket" display-message -p -t vault '#{pane_pid}')
  tmux -L "$socket" kill-server
  while pgrep -s "$shell" >/dev/null && ((SECONDS < deadline)); do sleep 0.05; done
}

terminal_tests() {
  mkdir "$HOME/.emacs.d"
  cp "$here/terminal-init.el" "$HOME/.emacs.d/init.el"
  # Emacs cannot reach this server as a client, only as its terminal.
  open_terminal TMUX="$HOME/none,1,0"
  tmux -L "$socket" set-option -g set-clipboard on
  local step
  for step in installs_as_a_package start_emacs control_is_found first_run create_and_correct create_with_concealed_field \
    search_as_typed type_ahead_of_a_search copy_pin_delete edit_and_cancel suspend_and_resume suspend_with_a_form restore_the_page_below use_a_narrow_window change_the_password_with_qv auto_lock \
    wait_after_three_wrong_passwords leave_and_come_back_in_chinese nothing_left_on_disk; do
    check "terminal: ${step//_/ }" "$step" || break
  done
}
