-- The language server for a buffer: one for each folder.
local M = {}
local clients = {}  -- by folder; newer versions of Neovim keep this table themselves

function M.start()
  local folder = vim.fn.expand('%:p:h')
  local config = { name = 'halo', cmd = { 'halo', 'lsp' }, root_dir = folder }
  if vim.lsp.start then
    vim.lsp.start(config)
    return
  end
  local id = clients[folder]
  if not id or not vim.lsp.get_client_by_id(id) then
    id = vim.lsp.start_client(config)
    clients[folder] = id
  end
  if id then
    vim.lsp.buf_attach_client(0, id)
  end
end

return M
