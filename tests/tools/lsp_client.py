"""A client of the language server for test scripts, whose first argument is the command."""

import json
import os
import pathlib
import subprocess
import sys

from checks import expect

HALO = str(pathlib.Path(sys.argv[1]).resolve())


class Client:
    def __init__(self, folder, encodings=("utf-16",)):
        self.server = subprocess.Popen([HALO, "lsp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                       env=dict(os.environ, XDG_CACHE_HOME=str(folder)))
        self.number = 0
        self.published = {}
        self.edits = []
        self.version = 0
        self.capabilities = self.ask("initialize", {
            "capabilities": {"general": {"positionEncodings": list(encodings)}}})
        self.tell("initialized", {})

    def send(self, message):
        body = message if isinstance(message, bytes) else json.dumps(message).encode()
        self.server.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.server.stdin.flush()

    def receive(self):
        length = 0
        while (line := self.server.stdout.readline().strip()):
            length = int(line.split(b":")[1])
        message = json.loads(self.server.stdout.read(length))
        if message.get("method") == "textDocument/publishDiagnostics":
            self.published[message["params"]["uri"]] = message["params"]
        if message.get("method") == "workspace/applyEdit":
            self.edits.append(message["params"])
            self.send({"jsonrpc": "2.0", "id": message["id"], "result": {"applied": True}})
        return message

    def tell(self, method, params):
        self.send({"jsonrpc": "2.0", "method": method, "params": params})

    def answer(self, method, params):
        self.number += 1
        self.send({"jsonrpc": "2.0", "id": self.number, "method": method, "params": params})
        while True:
            message = self.receive()
            if message.get("id") == self.number:
                return message

    def ask(self, method, params):
        message = self.answer(method, params)
        expect("error" not in message, f"{method}: {message}")
        return message.get("result")

    def open(self, path, text=None):
        uri = "file://" + str(path)
        self.tell("textDocument/didOpen", {"textDocument": {
            "uri": uri, "languageId": "futhark", "version": 0,
            "text": path.read_text() if text is None else text}})
        return uri

    def change(self, uri, begin, end, text):
        self.version += 1
        self.tell("textDocument/didChange", {
            "textDocument": {"uri": uri, "version": self.version},
            "contentChanges": [{"range": {"start": begin, "end": end}, "text": text}]})

    def at(self, method, uri, position, **more):
        return self.ask("textDocument/" + method,
                        {"textDocument": {"uri": uri}, "position": position, **more})

    def diagnostics(self, uri):
        """Of the text as it is now."""
        self.ask("textDocument/documentSymbol", {"textDocument": {"uri": uri}})
        return self.published[uri]["diagnostics"]

    def end(self):
        self.ask("shutdown", {})
        self.tell("exit", {})
        return self.server.wait(timeout=60)


def place(text, needle, nth=0, units=lambda s: len(s.encode("utf-16-le")) // 2):
    at = -1
    for _ in range(nth + 1):
        at = text.index(needle, at + 1)
    line = text.count("\n", 0, at)
    return {"line": line, "character": units(text[text.rfind("\n", 0, at) + 1:at])}


def hover_text(result):
    return result["contents"]["value"] if result else ""
