#!/usr/bin/env python3
"""The extension for VS Code: npm packs it with each file that it names, and its client runs in node,
with an editor and a language client of a few lines in place of VS Code's.

usage: vscode.py HALO
"""

import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

from checks import expect, needs, verdict

FOLDER = pathlib.Path(__file__).resolve().parents[2] / "editors/vscode"
# Notes what the client does; commands are called afterwards.
EDITOR = """
const commands = {}, said = [];
const terminal = { name: "Halo", show() {}, sendText: (text) => said.push(text) };
let provider;
const document = { fileName: "/a b/x.fut", uri: { toString: () => "file:///x.fut" }, version: 3 };
module.exports = {
  said, commands,
  commands: { registerCommand: (name, run) => { commands[name] = run; return { name }; } },
  run: (name, ...words) => commands[name](...words),
  window: { terminals: [], createTerminal: () => terminal,
            activeTextEditor: { document, selection: { active: { line: 2, character: 4 } } },
            showTextDocument: async (shown) => said.push(await provider.provideTextDocumentContent(shown)) },
  workspace: { getConfiguration: () => ({ get: () => "halo" }), openTextDocument: async (uri) => uri,
               registerTextDocumentContentProvider: (scheme, given) => { provider = given; return scheme; } },
  Uri: { from: (parts) => parts }, ViewColumn: { Beside: -2 },
};
"""
CLIENT = """
exports.LanguageClient = class {
  constructor(id, name, server, options) { require("vscode").said.push(JSON.stringify([server, options])); }
  start() { return Promise.resolve(); }
  stop() { return Promise.resolve(); }
  sendRequest(method, place) { return Promise.resolve(`${method} ${place.position.line}`); }
};
"""
SCRIPT = """
const vscode = require("vscode"), { activate, deactivate } = require("./client.js");
const context = { subscriptions: [] };
Promise.resolve(activate(context)).then(async () => {
  await vscode.run("halo.run");
  await vscode.run("halo.run", "/y.fut", "--backend=cpu", "--entry=f", "[1, 2]");
  await vscode.run("halo.test", "/y.fut");
  await vscode.run("halo.core");
  await vscode.run("halo.glsl");
  await deactivate();
  console.log(JSON.stringify(vscode.said));
});
"""


def packed():
    if not shutil.which("npm"):
        return print("skipped: package npm is not installed")
    done = subprocess.run(["npm", "pack", "--dry-run", "--json"], cwd=FOLDER, capture_output=True, text=True)
    if not expect(done.returncode == 0, f"npm pack: {done.stderr[-1000:]}"):
        return None
    names = {file["path"] for file in json.loads(done.stdout)[0]["files"]}
    described = json.loads((FOLDER / "package.json").read_text())
    languages, grammars = described["contributes"]["languages"], described["contributes"]["grammars"]
    wanted = {described["main"], *(entry["configuration"] for entry in languages),
              *(entry["path"] for entry in grammars)}
    return expect(wanted <= names, f"the package lacks {wanted - names}")


def runs(folder):
    for name, text in (("node_modules/vscode/index.js", EDITOR), ("run.js", SCRIPT),
                       ("node_modules/vscode-languageclient/node.js", CLIENT)):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    shutil.copy(FOLDER / "client.js", folder)
    done = subprocess.run(["node", "run.js"], cwd=folder, capture_output=True, text=True, timeout=100)
    if not expect(done.returncode == 0, f"the client: {done.stderr[-2000:]}"):
        return
    server, *said = json.loads(done.stdout)
    expect('{"command":"halo","args":["lsp"]}' in server and '"language":"futhark"' in server, server)
    expect(said == ["halo run '/a b/x.fut'", "halo run /y.fut --backend=cpu --entry=f '[1, 2]'", "halo test /y.fut", "halo/core 2", "halo/glsl 2"], said)


needs("node", "nodejs")
packed()
with tempfile.TemporaryDirectory() as name:
    runs(pathlib.Path(name))
sys.exit(verdict())
