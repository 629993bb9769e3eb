#!/usr/bin/env python3
"""The language server in Neovim, headless, with its own client and our files of editors/vim.

usage: nvim.py HALO
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile

from checks import expect, needs, verdict

HALO = pathlib.Path(sys.argv[1]).resolve()
ROOT = pathlib.Path(__file__).resolve().parents[2]
LIBRARY = "type whole = i64\n-- | Doubles.\ndef twice (x: whole) = x * 2\n"
PROGRAM = 'import "library"\ndef  f (x: whole) = twice x\ndef g = f 3\n'
SCRIPT = """
local result = {}
local function ask(method, line, column, more)
  local uri = vim.uri_from_bufnr(0)
  local params = vim.tbl_extend("force", {textDocument = {uri = uri},
    position = {line = line, character = column}}, more or {})
  local answers = vim.lsp.buf_request_sync(0, method, params, 20000) or {}
  for _, answer in pairs(answers) do return answer.result end
end
local function wait_for(count)
  return vim.wait(20000, function() return #vim.diagnostic.get(0) == count end, 20)
end
vim.cmd("edit program.fut")
result.filetype = vim.bo.filetype
result.attached = vim.wait(20000, function() return #vim.lsp.buf_get_clients(0) > 0 end, 20)
result.hover = ask("textDocument/hover", 1, 21)
result.definition = ask("textDocument/definition", 1, 21)
vim.api.nvim_buf_set_lines(0, 3, 3, false, {"def wrong = g + tru"})
result.wrong = wait_for(1)
result.message = vim.diagnostic.get(0)[1] and vim.diagnostic.get(0)[1].message
vim.api.nvim_buf_set_lines(0, 3, 4, false, {})
result.mended = wait_for(0)
vim.lsp.buf.formatting_sync({}, 20000)
result.text = table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), "\\n")
local edit = ask("textDocument/rename", 2, 8, {newName = "h"})
vim.lsp.util.apply_workspace_edit(edit, "utf-16")
result.renamed = table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), "\\n")
vim.api.nvim_buf_set_lines(0, -1, -1, false, {"entry k (x: i64) = x + 1", "-- ==", "-- entry: k", "-- input { 41i64 }"})
local client = vim.lsp.buf_get_clients(0)
local id = next(client)
local lenses = ask("textDocument/codeLens", 0, 0)
local program = vim.api.nvim_get_current_win()
vim.cmd("write")
for _, lens in ipairs(lenses) do
  local title = lens.command.title
  if title == "interp" or title == "core" then
    vim.api.nvim_set_current_win(program)
    vim.lsp.commands[lens.command.command](lens.command, {client_id = id})
    local wanted = title == "core" and "entry k" or "42i64"
    vim.wait(20000, function()
      result[title] = table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), "\\n")
      return string.find(result[title], wanted) ~= nil
    end, 20)
  end
end
io.open("result.json", "w"):write(vim.fn.json_encode(result))
vim.cmd("qa!")
"""


def main(folder):
    (folder / "library.fut").write_text(LIBRARY)
    (folder / "program.fut").write_text(PROGRAM)
    (folder / "script.lua").write_text(SCRIPT)
    bin_folder = folder / "bin"
    bin_folder.mkdir()
    (bin_folder / "halo").symlink_to(HALO)
    environment = dict(os.environ, PATH=f"{bin_folder}:{os.environ['PATH']}", HOME=str(folder),
                       XDG_CONFIG_HOME=str(folder / "config"), XDG_CACHE_HOME=str(folder / "cache"))
    done = subprocess.run(
        ["nvim", "--headless", "-u", "NONE", "--cmd", f"set rtp+={ROOT / 'editors/vim'}",
         "--cmd", "filetype plugin on", "-c", "luafile script.lua", "-c", "cquit"],  # after an error
        cwd=folder, env=environment, capture_output=True, text=True, timeout=200)
    if not expect((folder / "result.json").exists(), f"no result: {done.stdout}{done.stderr}"):
        return verdict()
    found = json.loads((folder / "result.json").read_text())
    expect(found["filetype"] == "futhark" and found["attached"], f"not attached: {found}")
    expect("twice : " in str(found["hover"]) and "Doubles." in str(found["hover"]), found["hover"])
    at = found["definition"]
    expect(at and at["uri"].endswith("/library.fut") and at["range"]["start"]["line"] == 2,
           f"definition: {at}")
    expect(found["wrong"] and "unknown name `tru`" in found["message"], f"an error: {found}")
    expect(found["mended"], "the diagnostic stays")
    expect(found["text"] == 'import "library"\ndef f (x: whole) = twice x\ndef g = f 3', found["text"])
    expect("def h (x: whole)" in found["renamed"] and "def g = h 3" in found["renamed"],
           found["renamed"])
    expect("42i64" in found["interp"], f"the lens that runs an entry: {found['interp']}")
    expect("entry k" in found["core"], f"the lens that shows Core: {found['core']}")
    return verdict()


needs("nvim", "neovim")
with tempfile.TemporaryDirectory() as name:
    sys.exit(main(pathlib.Path(name)))
