-- :checkhealth quickvault, from the findings of `quickvault doctor`.

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
  local ok, answer = pcall(vim.fn['quickvault#doctor#findings'])
  if not ok or answer.problem ~= '' then
    report.failed(ok and answer.problem or tostring(answer))
    return
  end
  for _, finding in ipairs(answer.findings) do
    report[finding.state](finding.text, finding.advice)
  end
end

return M
