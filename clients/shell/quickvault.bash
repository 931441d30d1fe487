# Up to version 0.1.0, sourcing this file made qv a function of the shell, whose session kept the vault unlocked.
# shellcheck shell=sh
printf '%s\n' \
  'quickvault.bash: no longer needed: qv is a program now, and shares the unlocked vault by itself.' \
  'Remove the line that sources this file. Completion and key bindings are in clients/shell/README.md.' >&2
