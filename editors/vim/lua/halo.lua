-- The language server for the current buffer: one for each folder.
vim.lsp.start({
  name = 'halo',
  cmd = { 'halo', 'lsp' },
  root_dir = vim.fs and vim.fs.dirname(vim.api.nvim_buf_get_name(0)) or vim.fn.expand('%:p:h'),
})
