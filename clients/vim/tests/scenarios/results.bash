# What is said during an operation.
# shellcheck shell=bash disable=SC2154

# R19: the message before it does not take the state of an operation along, nor its end a message that came meanwhile.
scenario_results_leave_the_progress() {
  local timers='len(filter(timer_info(), "string(v:val.callback) =~# \"message#clear\""))'
  printf '%s\n' "call quickvault#message#info('Done')" "let g:with_message = $timers" \
    "call quickvault#message#progress('Working...')" "let g:with_progress = $timers" >"$work/show.vim"
  open_vim
  command_line "source $work/show.vim"
  see '^Working'
  expect "$(evaluate 'g:with_message . g:with_progress')" 10 'timers that clear the line'
  command_line "call quickvault#message#progress('Working...') | call quickvault#message#result('Told') | call quickvault#message#clear()"
  see '^Told'
}
