-- :checkhealth quickvault, from the findings of `quickvault doctor`, in the language in use.

local health = vim.health or require('health')
local start = health.start or health.report_start
local report = {
  ok = health.ok or health.report_ok,
  missing = health.warn or health.report_warn,
  failed = health.error or health.report_error,
}

local M = {}

function M.check()
  start('QuickVault')
  local program, vault = vim.fn['quickvault#session#program'](), vim.fn['quickvault#session#vault']()
  if vim.fn.executable(program) == 0 then
    report.failed(vim.fn['quickvault#text#get']('program.missing', program))
    return
  end
  local command = { program, 'doctor', '--json' }
  local output = vim.fn.system(vault == '' and command or vim.list_extend(command, { '--vault', vault }))
  local language, colon = vim.fn['quickvault#text#language'](), vim.fn['quickvault#text#get']('colon')
  for _, finding in ipairs(vim.fn.json_decode(output).findings) do
    local advice = type(finding.advice) == 'table' and { finding.advice[language] } or {}
    report[finding.state](finding.subject[language] .. colon .. finding.found[language], advice)
  end
end

return M
