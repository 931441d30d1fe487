" Tests of the extension for telescope.nvim, in Neovim.  What its documentation for developers promises is imitated here,
" because no package of Debian has it, and its current version needs a later Neovim than Debian's.
source <sfile>:h/harness.vim

if !has('nvim')
  qall!
endif

lua << EOF
picker, keys, closed, selected = nil, {}, 0, nil

-- As in pickers.lua: the prompt changes at once, the search for it begins later, and a row is selected after its end.
function search(words)
  vim.schedule(function()
    local found = {}
    picker.finder(words, function(entry)
      if vim.startswith(entry.ordinal, words) then table.insert(found, entry) end
    end, vim.schedule_wrap(function() selected = found[1] end))
  end)
end

function type_words(words)
  vim.api.nvim_buf_set_lines(0, 0, -1, false, { words })
  search(words)
end
local config = { values = { generic_sorter = function() return {} end } }
package.preload['telescope'] = function() return { register_extension = function(extension) return extension end } end
package.preload['telescope.config'] = function() return config end
package.preload['telescope.finders'] = function()
  return { new_table = function(given)
    return setmetatable({ results = vim.tbl_map(given.entry_maker, given.results) }, {
      __call = function(self, _, process_result, process_complete)
        for _, entry in ipairs(self.results) do process_result(entry) end
        process_complete()
      end,
    })
  end }
end
package.preload['telescope.actions'] = function() return { close = function() closed = closed + 1 end } end
package.preload['telescope.actions.state'] = function()
  return { get_selected_entry = function() return selected end }
end
package.preload['telescope.pickers'] = function()
  return { new = function(_, given)
    picker = given
    picker.find = function()
      has_default_keys = given.attach_mappings(vim.api.nvim_get_current_buf(), function(mode, key, action)
        keys[mode .. key] = action
      end)
      search('')
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

" N: <CR> right after the letters chooses among the titles that have these, of many.
function! Test_telescope_in_a_burst() abort
  call FreshVault()
  let l:rows = ['title,text'] + map(range(10000), 'printf("Shelf %05d,content %d", v:val, v:val)')
  let l:table = system('base64 -w 0', join(l:rows, "\n"))
  call Call('vault/import', {'data': l:table, 'format': 'csv'})
  lua require('telescope._extensions.quickvault').exports.quickvault()
  lua type_words('Shelf 0471'); type_words('Shelf 04711'); keys['i<CR>']()
  call Check('the card that was typed is copied', Await({-> getreg('"') ==# 'content 4711'}), getreg('"'))
  lua closed = 0; type_words('no such title'); keys['i<CR>']()
  call Same('nothing is chosen if nothing matches', luaeval('closed'), 0)
  %delete _
endfunction

call RunTests()
