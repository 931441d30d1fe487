# Session files, which keep the names of vault buffers, but not their texts.
# shellcheck shell=bash disable=SC2154

# Saves a session with the list, a page and a form, and loads it in another editor.
load_session() {
  make_vault
  open_vim
  open_list
  press Enter
  see 'Door code'
  press e
  see '# Text\.'
  command_line "mksession $work/session.vim | qall"
  see SHELL
  open_vim
  command_line "silent source $work/session.vim"
  see 'Locked\. Press <CR>'
}

# What a session restores is locked, and as private as before.
scenario_session_file() {
  load_session
  expect "$(evaluate 'getwininfo()->map({_, window -> getbufvar(window.bufnr, "&modifiable") + getbufvar(window.bufnr, "&swapfile") + getbufvar(window.bufnr, "&undofile")})->max()')" 0 \
    'options of the buffers'
  press Enter
  see 'Master password:$'
  type_line "$password"
  see '2 cards'
  see 'Floor 12'
  see '^\*?Door code'
  type_line ":call win_gotoid(bufwinid('quickvault://edit'))"
  expect "$(evaluate 'maparg("q", "n")')" '' 'what q does in a form'
  type_text 'GoTYPED in it'
  press Escape
  type_line ':w'
  see 'Changes saved'
  type_line ":source $work/session.vim"
  see 'TYPED in it'
}
