" Tests of the extension for telescope.nvim, in Neovim.  What its documentation for developers promises is imitated here,
" because no package of Debian has it, and its current version needs a later Neovim than Debian's.
source <sfile>:h/harness.vim

if !has('nvim')
  qall!
endif

lua << EOF
picker, keys, closed = nil, {}, 0
local config = { values = { generic_sorter = function() return {} end } }
package.preload['telescope'] = function() return { register_extension = function(extension) return extension end } end
package.preload['telescope.config'] = function() return config end
package.preload['telescope.finders'] = function()
  return { new_table = function(given) return { results = vim.tbl_map(given.entry_maker, given.results) } end }
end
package.preload['telescope.actions'] = function() return { close = function() closed = closed + 1 end } end
package.preload['telescope.actions.state'] = function()
  return { get_selected_entry = function() return picker.finder.results[1] end }
end
package.preload['telescope.pickers'] = function()
  return { new = function(_, given)
    picker = given
    picker.find = function()
      has_default_keys = given.attach_mappings(vim.api.nvim_get_current_buf(), function(mode, key, action)
        keys[mode .. key] = action
      end)
    end
    return picker
  end }
end
EOF

" R18, R20: the picker has the titles only, keeps nothing, copies the chosen card, and closes at a lock.
function! Test_telescope() abort
  call FreshVault()
  let l:id = Call('card/create', {'title': 'Alpha', 'group': 'personal', 'type': 'text', 'fields': {'text': 'value'}}).card.id
  lua require('telescope._extensions.quickvault').exports.quickvault()
  call Same('the entries', luaeval('picker.finder.results'), [{'value': l:id, 'display': 'Alpha', 'ordinal': 'Alpha'}])
  call Same('other keys, and a picker to resume', luaeval('{has_default_keys, picker.cache_picker}'), [v:false, v:false])
  lua keys['i<CR>']()
  call Check('the card is copied', Await({-> getreg('"') ==# 'value'}), getreg('"'))
  call Same('it is closed then', luaeval('closed'), 1)
  call Call('session/lock', {})
  call Check('it is closed at a lock', Await({-> luaeval('closed') == 2}))
endfunction

call RunTests()
