// Starts `halo lsp` for .fut files; code lenses run the program or its tests in a terminal. Stages of
// the function under the cursor are documents beside it.
const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;

function inTerminal(words) {
  const name = "Halo";
  const terminal = vscode.window.terminals.find((t) => t.name === name) || vscode.window.createTerminal(name);
  const quoted = words.map((word) => (/^[\w./=-]+$/.test(word) ? word : `'${word.replace(/'/g, "'\\''")}'`));
  terminal.show(true);
  terminal.sendText(quoted.join(" "));
}

// `halo:/core?{..}`: the server makes the text anew for each change of the address.
function stageOf(uri) {
  return client.sendRequest(uri.path.replace("/", "halo/"), JSON.parse(uri.query)).catch((error) => `-- ${error.message}`);
}

async function showStageOf(address, position, version, stage) {
  const place = { textDocument: { uri: address }, position, version };
  const uri = vscode.Uri.from({ scheme: "halo", path: "/" + stage, query: JSON.stringify(place) });
  const shown = await vscode.workspace.openTextDocument(uri);
  return vscode.window.showTextDocument(shown, { viewColumn: vscode.ViewColumn.Beside, preview: true });
}

function showStage(stage) {
  const { document, selection } = vscode.window.activeTextEditor;
  return showStageOf(document.uri.toString(), selection.active, document.version, stage);
}

function activate(context) {
  const command = vscode.workspace.getConfiguration("halo").get("command");
  const fileOf = (file) => file || vscode.window.activeTextEditor.document.fileName;
  context.subscriptions.push(
    vscode.commands.registerCommand("halo.run", (file, ...words) => inTerminal([command, "run", fileOf(file), ...words])),
    vscode.commands.registerCommand("halo.test", (file) => inTerminal([command, "test", fileOf(file)])),
    vscode.commands.registerCommand("halo.stage", (uri, line, stage) => showStageOf(uri, { line, character: 0 }, 0, stage)),
    vscode.commands.registerCommand("halo.core", () => showStage("core")),
    vscode.commands.registerCommand("halo.glsl", () => showStage("glsl")),
    vscode.workspace.registerTextDocumentContentProvider("halo", { provideTextDocumentContent: stageOf }),
  );
  client = new LanguageClient("halo", "Halo", { command, args: ["lsp"] },
    { documentSelector: [{ language: "futhark" }] });
  return client.start();
}

function deactivate() {
  return client ? client.stop() : undefined;
}

module.exports = { activate, deactivate };
