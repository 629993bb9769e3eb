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

-- Code lenses (`:lua vim.lsp.codelens.run()`): a command in a terminal below, a stage beside.
local function in_terminal(words)
  vim.cmd('botright new')
  vim.fn.termopen(words)
end

local function show(text, stage)
  vim.cmd('vertical new')
  vim.bo.buftype, vim.bo.bufhidden = 'nofile', 'wipe'
  vim.api.nvim_buf_set_lines(0, 0, -1, false, vim.split(text, '\n'))
  vim.bo.filetype = stage == 'glsl' and 'glsl' or ''
end

if vim.lsp.commands then
  vim.lsp.commands['halo.run'] = function(command)
    in_terminal(vim.list_extend({ 'halo', 'run' }, command.arguments))
  end
  vim.lsp.commands['halo.test'] = function(command)
    in_terminal({ 'halo', 'test', command.arguments[1] })
  end
  vim.lsp.commands['halo.stage'] = function(command, context)
    local uri, line, stage = unpack(command.arguments)
    local client = vim.lsp.get_client_by_id(context.client_id)
    client.request('halo/' .. stage, { textDocument = { uri = uri }, position = { line = line, character = 0 } },
      function(problem, text) show(problem and problem.message or text, stage) end)
  end
end

return M
