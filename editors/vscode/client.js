// Starts `halo lsp` for .fut files; code lenses run the program or its tests in a terminal.
const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;

function inTerminal(words) {
  const name = "Halo";
  const terminal = vscode.window.terminals.find((t) => t.name === name) || vscode.window.createTerminal(name);
  const quoted = words.map((word) => (/^[\w./-]+$/.test(word) ? word : `'${word.replace(/'/g, "'\\''")}'`));
  terminal.show(true);
  terminal.sendText(quoted.join(" "));
}

function activate(context) {
  const command = vscode.workspace.getConfiguration("halo").get("command");
  const fileOf = (file) => file || vscode.window.activeTextEditor.document.fileName;
  context.subscriptions.push(
    vscode.commands.registerCommand("halo.run", (file) => inTerminal([command, "run", fileOf(file)])),
    vscode.commands.registerCommand("halo.test", (file) => inTerminal([command, "test", fileOf(file)])),
  );
  client = new LanguageClient("halo", "Halo", { command, args: ["lsp"] },
    { documentSelector: [{ language: "futhark" }] });
  return client.start();
}

function deactivate() {
  return client ? client.stop() : undefined;
}

module.exports = { activate, deactivate };
