-- Copies a card that is chosen by its title with telescope.nvim: `:Telescope quickvault`.

local actions = require('telescope.actions')

-- The buffer of the prompt that is open, and its line when the search began that has ended last.
local prompt, searched

local function typed()
  return vim.api.nvim_buf_get_lines(prompt, 0, 1, false)[1]
end

-- Notes when a finder has found all for what is typed: telescope searches later than one types, and selects a row in a function
-- that it schedules at the end of a search.
local function noting(finder)
  return setmetatable({}, {
    __index = finder,
    __call = function(_, words, process_result, process_complete)
      local line = typed()
      finder(words, process_result, function()
        process_complete()
        vim.schedule(function() searched = line end)
      end)
    end,
  })
end

-- Lets the user choose and move only: the other keys of telescope would keep titles in the quickfix list, and what is
-- typed in a history on the disk.
local function map_keys(buffer, map)
  prompt, searched = buffer, nil
  local function choose()
    -- A row that was found for other words is not what is chosen. CTRL-C stops waiting.
    if not vim.wait(60000, function() return searched == typed() end, 2) then
      return
    end
    local entry = require('telescope.actions.state').get_selected_entry()
    if entry then
      actions.close(buffer)
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
      if vim.api.nvim_buf_is_valid(buffer) then
        actions.close(buffer)
      end
    end,
  })
  return false
end

local function show(options)
  require('telescope.pickers').new(options, {
    prompt_title = 'QuickVault',
    cache_picker = false, -- `:Telescope resume` would show titles after a lock.
    finder = noting(require('telescope.finders').new_table({
      results = vim.fn['quickvault#picker#titles'](),
      entry_maker = function(card)
        return { value = card.id, display = card.title, ordinal = card.title }
      end,
    })),
    sorter = require('telescope.config').values.generic_sorter(options),
    attach_mappings = map_keys,
  }):find()
end

return require('telescope').register_extension({
  exports = {
    quickvault = function(options)
      if vim.fn['quickvault#password#unlock']() == 1 then
        show(options or {})
      end
    end,
  },
})
