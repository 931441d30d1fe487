-- Copies a card that is chosen by its title with telescope.nvim: `:Telescope quickvault`.

local actions = require('telescope.actions')

-- Lets the user choose and move only: the other keys of telescope would keep titles in the quickfix list, and what is
-- typed in a history on the disk.
local function map_keys(prompt, map)
  local function choose()
    local entry = require('telescope.actions.state').get_selected_entry()
    if entry then
      actions.close(prompt)
      vim.fn['quickvault#copy#card'](entry.value, vim.empty_dict())
    end
  end
  local keys = { ['<CR>'] = choose, ['<Down>'] = actions.move_selection_next, ['<Up>'] = actions.move_selection_previous,
    ['<C-n>'] = actions.move_selection_next, ['<C-p>'] = actions.move_selection_previous, ['<C-c>'] = actions.close }
  for key, action in pairs(keys) do
    map('i', key, action)
    map('n', key, action)
  end
  map('n', '<Esc>', actions.close)
  vim.api.nvim_create_autocmd('User', {
    group = vim.api.nvim_create_augroup('quickvault_telescope', {}),
    pattern = 'QuickVaultLocked',
    callback = function()
      if vim.api.nvim_buf_is_valid(prompt) then
        actions.close(prompt)
      end
    end,
  })
  return false
end

local function show(options)
  require('telescope.pickers').new(options, {
    prompt_title = 'QuickVault',
    cache_picker = false, -- `:Telescope resume` would show titles after a lock.
    finder = require('telescope.finders').new_table({
      results = vim.fn['quickvault#picker#titles'](''),
      entry_maker = function(card)
        return { value = card.id, display = card.title, ordinal = card.title }
      end,
    }),
    sorter = require('telescope.config').values.generic_sorter(options),
    attach_mappings = map_keys,
  }):find()
end

return require('telescope').register_extension({
  exports = {
    quickvault = function(options)
      vim.fn['quickvault#password#unlock'](function() show(options or {}) end, function() end)
    end,
  },
})
