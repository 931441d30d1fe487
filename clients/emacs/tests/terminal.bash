# Terminal tests: they type keys into Emacs in tmux and read the screen.
# Sourced by `run', which defines `home', `check' and QUICKVAULT_PROGRAM.
# shellcheck shell=bash
: "${home:?}" "${QUICKVAULT_PROGRAM:?}"

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

# An init file that lets Emacs record as much as possible.
write_init_file() {
  mkdir -p "$home/.emacs.d"
  cat >"$home/.emacs.d/init.el" <<'INIT'
(setq inhibit-startup-screen t
      enable-recursive-minibuffers t
      native-comp-async-report-warnings-errors nil
      auto-save-interval 20 auto-save-timeout 1
      make-backup-files t version-control t
      savehist-additional-variables '(kill-ring search-ring register-alist minibuffer-history)
      savehist-file "~/.emacs.d/history"
      desktop-save t desktop-path '("~/.emacs.d/")
      desktop-restore-eager 0 desktop-load-locked-desktop t)
(savehist-mode)
(recentf-mode)
(save-place-mode)
(auto-save-visited-mode)
(desktop-save-mode)
(menu-bar-mode -1)
(setq quickvault-program (getenv "QUICKVAULT_PROGRAM"))
;; Dump everything that the locked Emacs still holds.
(add-hook 'kill-emacs-hook
          (lambda ()
            (with-temp-file (format "~/dump-%d" (emacs-pid))
              (let ((dump (current-buffer)) print-level print-length)
                (dolist (buffer (buffer-list))
                  (unless (eq buffer dump)
                    (insert (format "== %s\n" (buffer-name buffer)))
                    (insert (with-current-buffer buffer (buffer-string)))
                    (insert (format "\n%S\n" (buffer-local-value 'buffer-undo-list buffer)))))
                (prin1 (list kill-ring minibuffer-history extended-command-history command-history search-ring isearch-string
                             (apply #'string (seq-filter #'characterp (recent-keys))))
                       dump)))))
INIT
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
    keys C-a C-k && text 13912345678 && keys C-c C-c && wait_for 'created' && wait_for '13912345678' &&
    keys q && wait_for 'PLANTED-title-a'
}

create_with_concealed_field() {
  keys c && wait_for 'Create:' && text Text && keys Enter && wait_for 'New card: Text' &&
    text 'PLANTED-title-b' && keys Tab Tab Tab Tab Tab && text 'PLANTED-body' && keys Tab Enter &&
    wait_for 'Label 1' && text Code && keys Tab && text 'PLANTED-hidden' && keys Tab Enter &&
    wait_for '••••••••••••••' && wait_for -v 'PLANTED-hidden' &&
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

# R18: the terminal, which is tmux, keeps in a buffer what it is told to put on the clipboard.
clipboard_has() { [[ $(tmux -L "$socket" show-buffer) == *"$1"* ]]; }

copy_pin_delete() {
  keys w && wait_for 'Copied, also to the clipboard of the terminal' && wait_for -v 'Copied, also' && clipboard_has 'PLANTED-body' &&
    keys M-x && text quickvault-copy-field && keys Enter && wait_for 'Field:' && keys Tab Tab &&
    wait_for '(concealed)' && text Text && keys Enter && wait_for 'Copied' &&
    keys P && wait_for '* PLANTED-title-b' &&
    keys d && wait_for 'Delete “PLANTED-title-b”?' && keys n && wait_for '* PLANTED-title-b'
}

edit_and_cancel() {
  keys e && wait_for 'Edit: Text' && keys C-e && text 'x' && keys C-c C-k &&
    wait_for 'Discard your unsaved changes?' && keys n && keys C-a C-k && wait_for -v 'PLANTED-title-bx' &&
    keys C-y && wait_for 'PLANTED-title-bx' && keys C-x C-s && wait_for -v 'Edit: Text' && wait_for 'PLANTED-title-bx' &&
    keys C-s && text 'PLANTED-bo' && wait_for 'I-search: PLANTED-bo' && keys Enter &&
    keys C-x 2 C-x 2 C-x 2 'M-<' C-Space 'M->' M-w && wait_for 'Copied text from "PLANTED-title-bx' && keys C-x 1 &&
    keys q && wait_for 'Modified'
}

suspend_and_resume() {
  keys C-z && wait_for 'Stopped' && keys fg Enter &&
    wait_for 'Emacs went to the background' && ! screen | grep -q PLANTED &&
    keys Enter && wait_for 'Master password' && password_keys && wait_for 'PLANTED-title-a'
}

# R12: the input of a form outlives C-z, and the keys typed before its draft is offered do not decline it.
suspend_with_a_form() {
  keys e && wait_for 'Edit: Text' && keys C-e && text 'PLANTED-draft' && wait_for 'PLANTED-draft' &&
    keys C-z && wait_for 'Stopped' && keys fg Enter &&
    wait_for 'Emacs went to the background' && ! screen | grep -q PLANTED &&
    keys C-x k Enter && keys M-x && text quickvault && keys Enter && wait_for 'Master password' && password_keys &&
    wait_for 'Unsaved input is there' && wait_for 'PLANTED-title-a' && keys e n n n &&
    wait_for 'Continue with your unsaved input' && keys y && wait_for 'PLANTED-draft' &&
    keys C-c C-k && wait_for 'Discard your unsaved changes?' && keys y && wait_for -v 'PLANTED-draft'
}

# R12: the terminal reports, as xterm does, that it lost and regained the focus.
lose_focus() {
  keys -H 1b 5b 4f && wait_for 'Emacs went to the background' && ! screen | grep -q PLANTED &&
    keys -H 1b 5b 49 && keys Enter && wait_for 'Master password' && password_keys && wait_for 'PLANTED-title-a'
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
    keys C-c C-k && wait_for -v 'Settings of the vault' && keys M-x && text quickvault-demo && keys Enter &&
    wait_for '[Demo] *Quick' && keys M-x && text quickvault-demo && keys Enter && wait_for -v '[Demo]' &&
    tmux -L "$socket" resize-window -t vault -x 100 -y 45 && keys M-x && text quickvault && keys Enter &&
    wait_for 'Master password' && password_keys && wait_for 'PLANTED-title-a'
}

# The vault locks while the minibuffer offers titles, below another minibuffer.
auto_lock() {
  keys , && wait_for 'Settings of the vault' && keys C-a C-k && text 15 && keys C-c C-c &&
    wait_for -v 'Settings of the vault' && wait_for 'PLANTED-title-a' &&
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
    wait_for 'Next attempt in 2' && password_keys && wait_for 'Next attempt in 1' &&
    keys C-g && wait_for 'Try again in' && keys C-a && wait_for -v 'Try again in' &&
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
  local secret found=0
  grep -raqF 'CONTROL-content' "$home" || return 1
  grep -qF 'control.txt' "$home/.emacs.d/recentf" || return 1
  grep -qF 'quickvault-copy-field' "$home/.emacs.d/history" || return 1
  grep -qF '== *QuickVault*' "$home"/dump-* || return 1
  for secret in "${secrets[@]}"; do
    for encoding in UTF-8 UTF-16LE UTF-16BE GB18030; do
      if python3 - "$home" "$secret" "$encoding" <<'SEARCH'; then found=1; fi
import os, sys
needle = sys.argv[2].encode(sys.argv[3])
hits = [os.path.join(d, f) for d, _, fs in os.walk(sys.argv[1]) for f in fs
        if os.path.isfile(os.path.join(d, f)) and needle in open(os.path.join(d, f), "rb").read()]
print("\n".join(f"{sys.argv[2]} is in {hit}" for hit in hits), end="\n" if hits else "", file=sys.stderr)
sys.exit(0 if hits else 1)
SEARCH
    done
  done
  ((found == 0))
}

# Waits until no process of the terminal can write to the directory, which is deleted next.
end_terminal() {
  local shell deadline=$((SECONDS + 60))
  shell=$(tmux -L "$socket" display-message -p -t vault '#{pane_pid}')
  tmux -L "$socket" kill-server
  while pgrep -s "$shell" >/dev/null && ((SECONDS < deadline)); do sleep 0.05; done
}

terminal_tests() {
  socket="quickvault-$$"
  write_init_file
  tmux -L "$socket" -u -f /dev/null new-session -d -s vault -c "$home" -x 100 -y 45 \
    "env -i HOME='$home' XDG_DATA_HOME='$home/data' XDG_CONFIG_HOME='$home/config' XDG_RUNTIME_DIR='$home' \
      TMPDIR='$home/tmp' TERM=screen-256color LC_CTYPE=C.UTF-8 LANG=en_US.UTF-8 PATH='$PATH' PS1='ENDED$ ' \
      TMUX='$home/none,1,0' QUICKVAULT_PROGRAM='$QUICKVAULT_PROGRAM' bash --norc --noprofile -i"
  # Emacs cannot reach this server as a client, only as its terminal.
  tmux -L "$socket" set-option -g set-clipboard on
  local step
  for step in start_emacs control_is_found first_run create_and_correct create_with_concealed_field \
    search_as_typed copy_pin_delete edit_and_cancel suspend_and_resume suspend_with_a_form lose_focus restore_the_page_below use_a_narrow_window auto_lock \
    wait_after_three_wrong_passwords leave_and_come_back_in_chinese nothing_left_on_disk; do
    check "terminal: ${step//_/ }" "$step" || break
  done
  end_terminal
}
