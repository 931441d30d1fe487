# Tests with a daemon of Emacs and its clients: a GTK frame under Xvfb, where xdotool types, and one in tmux.
# Sourced by `run' after terminal.bash; `run' defines `package', `check' and QUICKVAULT_PROGRAM.
# shellcheck shell=bash
: "${package:?}" "${password:?}" "${QUICKVAULT_PROGRAM:?}"

frames_password='umbrella river 7391'

# What an Emacs shows, or keeps in buffers, histories and the kill ring.
write_frames_init_file() {
  cat >"$HOME/init.el" <<'INIT'
(setq quickvault-program (getenv "QUICKVAULT_PROGRAM")
      quickvault-timeout 60
      quickvault-vault-file "~/my.quickvault")
(require 'quickvault)
(defun the-frame (graphic)
  (seq-find (lambda (frame) (eq graphic (display-graphic-p frame))) (quickvault--frames)))
(defun the-text (graphic)
  (mapconcat (lambda (window)
               (with-current-buffer (window-buffer window) (buffer-substring-no-properties (point-min) (point-max))))
             (window-list (the-frame graphic)) "\n"))
(defun everything ()
  (let (print-level print-length)
    (concat (mapconcat (lambda (buffer)
                         (with-current-buffer buffer
                           (concat (buffer-name) "\n" (save-restriction (widen) (buffer-string))
                                   (format "%S" buffer-undo-list))))
                       (buffer-list) "\n")
            (format "%S" (list kill-ring register-alist minibuffer-history extended-command-history command-history
                               file-name-history search-ring isearch-string (current-message)
                               (mapcar (lambda (frame) (frame-parameter frame 'name)) (frame-list))
                               (apply #'string (seq-filter #'characterp (recent-keys))))))))
INIT
}

lisp() { timeout 60 emacsclient -s "$HOME/server" --eval "$1" 2>&1; }

# Waits until a Lisp expression is true; fails after a minute.
until_lisp() {
  local deadline=$((SECONDS + 60)) answer
  while true; do
    answer=$(lisp "(and $1 'yes)")
    [[ $answer == yes ]] && return 0
    if ((SECONDS > deadline)); then
      printf 'waited for %s: %s; the frames show\n%s\n%s\n' "$1" "$answer" "$(lisp '(the-text t)')" "$([[ -z ${socket:-} ]] || screen)" >&2
      return 1
    fi
    sleep 0.05
  done
}

shows() { until_lisp "(string-match-p (regexp-quote \"$1\") (the-text t))"; }
asks() { until_lisp "(and (active-minibuffer-window) (with-current-buffer (window-buffer (active-minibuffer-window)) (string-match-p (regexp-quote \"$1\") (minibuffer-prompt))))"; }
asks_nothing() { until_lisp '(= (minibuffer-depth) 0)'; }
lists_cards() {
  until_lisp "(eq 'quickvault-list-mode (buffer-local-value 'major-mode (window-buffer (frame-selected-window (the-frame t)))))" &&
    shows SHOWN-title && asks_nothing
}
press() { xdotool key "$@"; }
type_text() { xdotool type "$1"; }
type_command() { press alt+x && asks M-x && type_text "$1" && press Return; }
type_password() { asks 'assword' && type_text "$frames_password" && press Return; }

window() { lisp "(frame-parameter (the-frame t) 'outer-window-id)" | tr -d '"'; }
focus_window() { xdotool windowfocus --sync "$(window)" && until_lisp '(eq t (frame-focus-state (the-frame t)))'; }
# The root window gets the focus.
unfocus_window() {
  xdotool windowfocus "$(xdotool search --maxdepth 0 '' 2>/dev/null)" && until_lisp '(null (frame-focus-state (the-frame t)))'
}
focus_terminal() { keys -H 1b 5b 49 && until_lisp '(eq t (frame-focus-state (the-frame nil)))'; }
unfocus_terminal() { keys -H 1b 5b 4f && until_lisp '(null (frame-focus-state (the-frame nil)))'; }

locked() { until_lisp '(and (not quickvault--unlocked) (eq t (plist-get (quickvault--call (quote vault/status)) :locked)))'; }
stays_unlocked() {
  until_lisp '(null quickvault--focus-timer)' &&
    until_lisp '(and quickvault--unlocked (eq :json-false (plist-get (quickvault--call (quote vault/status)) :locked)))'
}
nothing_left() {
  local left
  left=$(lisp '(everything)')
  [[ $left == *'*QuickVault*'* && $left != *SHOWN* && $left != *HIDDEN* && $left != *ASKED* ]] ||
    { grep -o '.\{0,40\}\(SHOWN\|HIDDEN\|ASKED\).\{0,40\}' <<<"$left" | head && return 1; }
}

daemon_starts() {
  coproc xvfb { exec Xvfb -noreset -displayfd 1 -r -nolisten tcp -screen 0 1000x700x24 2>/dev/null; }
  xvfb_process=${xvfb_PID:?}
  local number
  read -r -t 60 number <&"${xvfb[0]}" || return 1
  export DISPLAY=:$number
  emacs -Q --eval '(setq native-comp-deferred-compilation nil)' --fg-daemon="$HOME/server" -L "$package" -l "$HOME/init.el" \
    >"$HOME/log" 2>&1 &
  daemon_process=$!
  until_lisp t || { cat "$HOME/log" && return 1; }
}

# Nobody could answer; the request must not wait for ever.
daemon_without_a_frame_says_so() {
  [[ $(lisp '(quickvault)') == *'No frame can ask for the password; open one with emacsclient'* ]] && asks_nothing
}

opens_a_gtk_frame() {
  emacsclient -s "$HOME/server" -d "$DISPLAY" -c -n >/dev/null && until_lisp '(eq t (frame-visible-p (the-frame t)))' && focus_window
}

first_page() {
  type_command quickvault && asks 'New master password' && shows 'Welcome to QuickVault' && type_password &&
    asks 'Repeat' && type_password && shows 'No cards yet' && asks_nothing
}

form() {
  press c && asks Create && type_text Text && press Return && shows 'Further fields' &&
    type_text 'SHOWN-title' && press Tab Tab Tab && type_text '*Code: HIDDEN-code' && press Tab && type_text 'SHOWN-text' &&
    press ctrl+c ctrl+c && shows 'Code: •••••••• (concealed)' && press q && lists_cards
}

search() {
  press slash && asks Search && type_text 'ASKED' && shows 'No matches' && press ctrl+a ctrl+k && shows 'SHOWN-title' &&
    type_text 'SHOWN-te' && shows 'Text: SHOWN-text' && press Return && asks_nothing &&
    press a && shows 'SHOWN-title' && press w && until_lisp '(string-match-p "SHOWN-text" (car kill-ring))'
}

# R18: a clipboard manager that asks learns that the text is secret; of someone's own text it is not told so.
copies_as_a_secret() {
  [[ $(xclip -o -selection clipboard) == *SHOWN-text* && $(xclip -o -selection clipboard -t x-kde-passwordManagerHint) == secret ]] &&
    xclip -o -selection clipboard -t TARGETS | grep -qx x-kde-passwordManagerHint &&
    lisp '(kill-new "own")' >/dev/null && [[ $(xclip -o -selection clipboard) == own ]] &&
    ! xclip -o -selection clipboard -t x-kde-passwordManagerHint 2>/dev/null
}

opens_a_terminal_frame() {
  open_terminal
  trap end_frames EXIT
  keys "emacsclient -s '$HOME/server' -t" Enter && until_lisp '(the-frame nil)' &&
    keys M-x && wait_for M-x && text quickvault && keys Enter && wait_for 'SHOWN-title'
}

# R12: a lock in one frame blanks the others.
locking_blanks_all_frames() {
  shows SHOWN-title && [[ $(lisp '(everything)') == *SHOWN-text* ]] &&
    keys L && wait_for 'The vault is locked.' && locked && shows 'The vault is locked.' &&
    ! screen | grep -q SHOWN && nothing_left
}

# What is asked in a frame is aborted by a lock that comes from elsewhere.
locking_elsewhere_aborts_a_prompt() {
  focus_window && press Return && type_password && lists_cards && wait_for SHOWN-title &&
    press slash && asks Search && type_text ASKED && shows 'No matches' &&
    lisp "(run-at-time 0 nil 'quickvault-lock)" >/dev/null && asks_nothing && shows 'The vault is locked.' && wait_for 'The vault is locked.' && nothing_left
}

unlocking_restores_all_frames() {
  press Return && type_password && shows SHOWN-title && wait_for SHOWN-title && asks_nothing
}

# R12: the focus may move between the frames; only when none has it does the vault lock.
losing_the_focus() {
  lisp '(setq quickvault-lock-on-focus-loss 0)' >/dev/null && focus_terminal && unfocus_window && stays_unlocked &&
    focus_window && unfocus_terminal && stays_unlocked &&
    unfocus_window && locked && shows 'Emacs went to the background' && wait_for 'Emacs went to the background' &&
    lisp '(setq quickvault-lock-on-focus-loss nil)' >/dev/null &&
    focus_window && press Return && type_password && wait_for SHOWN-title && asks_nothing
}

# R12: the frame with which the daemon starts is always visible, but to nobody.
minimising_the_only_frame() {
  focus_terminal && keys C-x 5 0 && wait_for 'ENDED$' && stays_unlocked &&
    xdotool windowunmap "$(window)" && locked && nothing_left &&
    xdotool windowmap "$(window)" && until_lisp '(eq t (frame-visible-p (the-frame t)))' &&
    focus_window && press Return && type_password && lists_cards
}

# R12: the daemon goes on without a frame, and another can be opened.
closing_the_last_frame() {
  press ctrl+x 5 0 && until_lisp '(null (the-frame t))' && locked && nothing_left &&
    opens_a_gtk_frame && type_command quickvault && type_password && lists_cards
}

daemon_ends() {
  lisp '(kill-emacs)' >/dev/null
  wait "$daemon_process"
}

end_frames() {
  QUICKVAULT_VAULT=$HOME/my.quickvault qv lock || true
  if [[ -n $daemon_process ]] && kill "$daemon_process" 2>/dev/null; then wait "$daemon_process" || true; fi
  if [[ -n ${socket:-} ]]; then end_terminal; fi
  if [[ -n $xvfb_process ]] && kill "$xvfb_process"; then wait "$xvfb_process" || true; fi
}

frame_tests() {
  write_frames_init_file
  daemon_process='' xvfb_process=''
  trap end_frames EXIT
  trap 'exit 143' TERM
  local step
  for step in daemon_starts daemon_without_a_frame_says_so opens_a_gtk_frame first_page form search copies_as_a_secret opens_a_terminal_frame \
    locking_blanks_all_frames locking_elsewhere_aborts_a_prompt unlocking_restores_all_frames losing_the_focus minimising_the_only_frame \
    closing_the_last_frame daemon_ends; do
    check "frames: ${step//_/ }" "$step" || break
  done
}
