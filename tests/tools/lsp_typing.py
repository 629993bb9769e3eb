#!/usr/bin/env python3
"""The language server while a program is written: fields and constructors get other names, modules
are asked about inside and outside, and what is typed is completed.

usage: lsp_typing.py HALO
"""

import os
import pathlib
import sys
import tempfile

from checks import expect, verdict
from lsp_client import Client, hover_text, place

VECTORS = """-- | What coordinates can do.
module type field = {
  type t
  -- | The sum.
  val plus : t -> t -> t
  val zero : t
}

module f32field = {
  type t = f32
  def plus (a: t) (b: t) = a f32.+ b
  def zero : t = 0
}

module i64field = {
  type t = i64
  def plus (a: t) (b: t) = a i64.+ b
  def zero : t = 0
}

module mk_vec (F: field) = {
  -- | A vector.
  type vec = {x: F.t, y: F.t}
  def zero : vec = {x = F.zero, y = F.zero}
  def add (a: vec) (b: vec) : vec =
    let sum = F.plus a.x b.x
    in {x = sum, y = F.plus a.y b.y}
}
"""
BODIES = """import "vectors"

module v = mk_vec f32field
module w = mk_vec i64field

type body = {position: v.vec, mass: f32}
type event = #hit i64 | #escape i64 | #none

def push (dt: f32) (b: body) (by: v.vec): body =
  b with position = v.add b.position by with mass = b.mass + dt

def heavy (bs: []body): f32 = f32.sum (map (.mass) bs)
def first (bs: []body): f32 = bs[0].mass + heavy bs
def outline ({position, mass}: body): (v.vec, f32) = (position, mass)
def made (mass: f32): body = {position = v.zero, mass}
def counts: w.vec = w.add w.zero {x = 1, y = 2}

def told (e: event): i64 =
  match e
  case #hit i -> i
  case #escape i -> -i
  case #none -> 0

def events: [2]event = [#escape 3, #none]
"""


def program(folder):
    (folder / "vectors.fut").write_text(VECTORS)
    (folder / "bodies.fut").write_text(BODIES)
    client = Client(folder)
    return client, client.open(folder / "bodies.fut")


def starts(found, text_of):
    """The texts at the places of an answer, by file."""
    result = {}
    for one in found:
        lines = text_of[os.path.basename(one["uri"])].split("\n")
        begin, end = one["range"]["start"], one["range"]["end"]
        result.setdefault(os.path.basename(one["uri"]), []).append(
            (begin["line"] + 1, lines[begin["line"]][begin["character"]:end["character"]]))
    return result


def applied(text, edits):
    """A text with an answer's edits, from the last to the first."""
    lines = text.split("\n")
    for edit in sorted(edits, key=lambda e: tuple(e["range"]["start"].values()), reverse=True):
        begin, end = edit["range"]["start"], edit["range"]["end"]
        line = lines[begin["line"]]
        lines[begin["line"]] = line[:begin["character"]] + edit["newText"] + line[end["character"]:]
    return "\n".join(lines)


def renamed(client, uri, at, name):
    changes = client.at("rename", uri, at, newName=name)["changes"]
    texts = {"vectors.fut": VECTORS, "bodies.fut": BODIES}
    for file, edits in changes.items():
        base = os.path.basename(file)
        texts[base] = applied(texts[base], edits)
    return texts


def members_renamed(folder):
    client, uri = program(folder)
    expect(client.diagnostics(uri) == [], client.published)
    bodies = renamed(client, uri, place(BODIES, "mass: f32}"), "weight")["bodies.fut"]
    for part in ("position: v.vec, weight: f32}", "with weight = b.weight + dt", "map (.weight) bs",
                 "bs[0].weight", "{position, weight = mass}: body", "v.zero, weight = mass}"):
        expect(part in bodies, f"`{part}` in {bodies}")
    expect(renamed(client, uri, place(BODIES, "b.mass"), "weight")["bodies.fut"] != bodies,
           "the variable in front of a field was taken for it")
    at_use = place(BODIES, "b.mass")
    at_use["character"] += 2
    expect(renamed(client, uri, at_use, "weight")["bodies.fut"] == bodies, "asked at a use")
    bodies = renamed(client, uri, place(BODIES, "#escape i -> "), "#gone")["bodies.fut"]
    for part in ("| #gone i64 |", "case #gone i -> -i", "[#gone 3, #none]"):
        expect(part in bodies, f"`{part}` in {bodies}")
    for needle, name in (("mass: f32}", "position"), ("#escape i64", "none"), ("mass: f32}", "#a")):
        answer = client.answer("textDocument/rename", {
            "textDocument": {"uri": uri}, "position": place(BODIES, needle), "newName": name})
        expect("error" in answer, f"`{needle}` renamed to {name}: {answer}")
    found = client.at("references", uri, place(BODIES, "position: v.vec"))
    expect(starts(found, {"bodies.fut": BODIES}) == {"bodies.fut": [
        (line, "position") for line in (6, 10, 10, 14, 15)]}, found)
    lit = client.at("documentHighlight", uri, place(BODIES, "#none\n"))
    expect([one["range"]["start"]["line"] + 1 for one in lit] == [7, 22, 24], lit)
    asked = client.at("prepareRename", uri, place(BODIES, "#hit i ->"))
    expect(asked["placeholder"] == "hit", asked)
    answer = client.answer("textDocument/prepareRename", {
        "textDocument": {"uri": uri}, "position": place(BODIES, "f32.sum")})
    expect("error" in answer, answer)
    # Behind errors places are those of an earlier text.
    broken = BODIES[:400] + "def = \n"
    client.tell("textDocument/didChange", {"textDocument": {"uri": uri, "version": 8},
                                           "contentChanges": [{"text": broken}]})
    for line in range(broken.count("\n") + 1):
        for character in range(0, 60, 3):
            answer = client.answer("textDocument/rename", {
                "textDocument": {"uri": uri}, "newName": "other",
                "position": {"line": line, "character": character}})
            expect("error" in answer, answer)
    client.tell("textDocument/didChange", {"textDocument": {"uri": uri, "version": 9},
                                           "contentChanges": [{"text": BODIES}]})
    expect(hover_text(client.at("hover", uri, place(BODIES, "mass: f32}"))).count("mass : f32") == 1,
           "hover of a field where it is declared")
    expect("#hit i64" in hover_text(client.at("hover", uri, place(BODIES, "#hit i64"))),
           "hover of a constructor where it is declared")
    expect(client.end() == 0, "status")


def modules_inside(folder):
    """A parametric module that the text does not apply, and one that two modules are made of."""
    client, uri = program(folder)
    library = client.open(folder / "vectors.fut")
    expect(client.diagnostics(library) == [], client.published)

    def at(needle, skip=0):
        position = place(VECTORS, needle)
        position["character"] += skip
        return position
    for position, told in ((at("F.plus a.x", 2), "The sum."), (at("a.x"), "a : {x: "),
                           (at("a.x", 2), "x : F.t"), (at("sum = "), "sum : F.t"),
                           (at("plus : t"), "plus : t -> t -> t"), (at("vec = {"), "A vector.")):
        shown = hover_text(client.at("hover", library, position))
        expect(told in shown, f"`{told}` in {shown}")
    found = client.at("definition", library, at("F.plus a.x", 2))
    expect(found["range"]["start"] == at("plus : t"), found)
    found = client.at("references", library, at("sum = "))
    expect([one["range"]["start"]["line"] for one in found] ==
           [at("sum = ")["line"], at("x = sum")["line"]], found)
    position = place(BODIES, "v.vec, mass")
    position["character"] += 2
    shown = hover_text(client.at("hover", uri, position))
    expect("A vector." in shown, shown)
    hints = client.ask("textDocument/inlayHint", {"textDocument": {"uri": library}, "range": {
        "start": {"line": 0, "character": 0}, "end": {"line": 99, "character": 0}}})
    expect([one["label"] for one in hints] == [": f32", ": i64", ": F.t"], hints)
    data = client.ask("textDocument/semanticTokens/full", {"textDocument": {"uri": library}})["data"]
    line = column = 0
    tokens = {}
    for i in range(0, len(data), 5):
        line, column = line + data[i], data[i + 1] + (0 if data[i] else column)
        tokens[line, column] = data[i + 3]
    variable = client.capabilities["capabilities"]["semanticTokensProvider"]["legend"][
        "tokenTypes"].index("variable")
    used = at("sum, y")
    expect(tokens[used["line"], used["character"]] == variable, tokens)
    once = VECTORS + "module v = mk_vec f32field\nmodule w = mk_vec i64field\n"
    client.tell("textDocument/didChange", {"textDocument": {"uri": library, "version": 2},
                                           "contentChanges": [{"text": once}]})
    again = client.ask("textDocument/inlayHint", {"textDocument": {"uri": library}, "range": {
        "start": {"line": 0, "character": 0}, "end": {"line": 99, "character": 0}}})
    expect(again == hints, again)
    client.tell("textDocument/didChange", {"textDocument": {"uri": library, "version": 3},
                                           "contentChanges": [{"text": VECTORS}]})
    # One definition, of which each application has a copy.
    position = place(BODIES, "v.add")
    position["character"] += 2
    texts = renamed(client, uri, position, "plus_of")
    for part in ("v.plus_of b.position", "w.plus_of w.zero"):
        expect(part in texts["bodies.fut"], texts["bodies.fut"])
    expect("def plus_of (a: vec)" in texts["vectors.fut"], texts["vectors.fut"])
    # A name that a module type asks for, with the definitions of the modules.
    position = place(BODIES, "w.zero")
    position["character"] += 2
    texts = renamed(client, uri, position, "origin")
    expect("v.origin, mass" in texts["bodies.fut"] and "w.add w.origin" in texts["bodies.fut"],
           texts["bodies.fut"])
    expect("def origin : vec = {x = F.zero, y = F.zero}" in texts["vectors.fut"],
           texts["vectors.fut"])
    expect(client.end() == 0, "status")


def asked_while_typing(client, method, uri, typed):
    """The answer at the last `|` of a declaration that is typed behind the text."""
    before, after = typed.rsplit("|", 1)
    client.version += 1
    client.tell("textDocument/didChange", {
        "textDocument": {"uri": uri, "version": client.version},
        "contentChanges": [{"text": BODIES + before + after + "\n"}]})
    whole = BODIES + before
    position = {"line": whole.count("\n"), "character": len(whole) - whole.rfind("\n") - 1}
    return client.at(method, uri, position)


def completed(folder):
    client, uri = program(folder)
    expect(client.diagnostics(uri) == [], client.published)
    for typed, wanted in (
            ("def f (x: v.|", {"vec"}), ("def f (x: bo|", {"body"}),
            ("module z = mk_|", {"mk_vec"}), ("module z = mk_vec f32f|", {"f32field"}),
            ("module z : fie|", {"field"}), ("module type g = { include fie|", {"field"}),
            ("open f32f|", {"f32field"}), ("module q (F: fie|", {"field"}),
            ("def f (b: body) = b with position.|", {"x", "y"}),
            ("def f (bs: []body) = map (\\b -> b.|) bs", {"mass", "position"}),
            ("def f (bs: []body) = map (\\b -> b.ma|) bs", {"mass"}),
            ("def f (bs: []body) = f32.sum (map (\\b -> b.position.|) bs)", {"x", "y"}),
            ("def f : body = {po|", {"position"}),
            ("def f : body = {position = v.zero, |", {"mass"})):
        items = asked_while_typing(client, "completion", uri, typed)["items"]
        found = {item["label"] for item in items}
        expect(wanted <= found and (len(found) < 40 or typed.endswith(", |")), f"{typed}: {found}")
    expect(client.end() == 0, "status")


def signatures(folder):
    client, uri = program(folder)
    expect(client.diagnostics(uri) == [], client.published)
    for typed, name, argument in (
            ("def f (b: body) = push |", "push", 0), ("def f (b: body) = push 1 |", "push", 1),
            ("def f (b: body) = push 1|", "push", 0), ("def f (b: body) = push (1 + 2) b |", "push", 2),
            ("def f (b: body) = push 1 b (v.add |", "v.add", 0),
            ("def f (b: body) = push 1 b (v.add b.position |", "v.add", 1),
            ("def f (b: body) = push 1 (|", "push", 1), ("def f (b: body) = push b.mass |", "push", 1),
            ("def f (bs: []body) = push bs[0].mass bs[|", "push", 1),
            ("def f (bs: []body) = bs |> map (push |)", "push", 0),
            ("def f (xs: []f32) = reduce (+) |", "reduce", 1),
            ("def f g = let h (x: i32) (y: i32) = x + y in h 1 |", "h", 1),
            ("def f (b: body) = push 1 b v.zero |", None, 0), ("def f (b: body) = pu|", None, 0),
            ("def f (b: body) = push 1 b v.zero + |", None, 0)):
        found = asked_while_typing(client, "signatureHelp", uri, typed)
        if name is None:
            expect(found is None, f"{typed}: {found}")
            continue
        if not expect(found is not None, typed):
            continue
        label = found["signatures"][0]["label"]
        expect(label.startswith(name + " : ") and found["activeParameter"] == argument,
               f"{typed}: {found}")
        begin, end = found["signatures"][0]["parameters"][argument]["label"]
        expect(label[begin:end] and "->" not in label[begin:end].replace("(a -> a -> a)", ""),
               f"{typed}: {label[begin:end]}")
    expect(client.end() == 0, "status")


def acted_on(folder):
    """Quick fixes: a case that is missing, a name that nothing uses; all types of a selection."""
    path = folder / "acted.fut"
    client = Client(folder)
    sums = "type t = #a | #b i64 | #c\n"
    for text, title, wanted in (
            (sums + "def f (x: t) = match x\n               case #a -> 1\n               case #c -> 2\n",
             "Add `case #b _`", "case #c -> 2\n               case #b _ -> ???\n"),
            (sums + "def f (x: t) = match x case #a -> 1 case #b _ -> 2\n", "Add `case #c`",
             "case #b _ -> 2 case #c -> ???\n"),
            ("def f (x: f32) = sqrt x\n", "Change to `f32.sqrt`", "= f32.sqrt x"),
            ("def f (x: i64) =\n  let y = x\n  in 3\n", "Change to `_y`", "let _y = x")):
        uri = client.open(path, text)
        found = client.diagnostics(uri)
        actions = client.ask("textDocument/codeAction", {
            "textDocument": {"uri": uri}, "range": found[0]["range"],
            "context": {"diagnostics": found}})
        action = [one for one in actions if one["title"] == title]
        if expect(len(action) == 1, f"{title}: {actions}"):
            after = applied(text, action[0]["edit"]["changes"][uri])
            expect(wanted in after, after)
            client.open(path, after)
            # A new case is a hole.
            left = [d for d in client.diagnostics(uri) if d["code"] != "H7014"]
            expect(left == [], f"{after}: {client.published}")
    text = "".join(f"def f{i} (x: i32) =\n  let y = x + {i}\n  in y\n" for i in range(20))
    uri = client.open(path, text)
    whole = {"start": {"line": 0, "character": 0}, "end": {"line": 60, "character": 0}}
    actions = client.ask("textDocument/codeAction", {
        "textDocument": {"uri": uri}, "range": whole, "context": {"diagnostics": []}})
    expect([one["title"] for one in actions] == ["Write 40 types"], actions)
    after = applied(text, actions[0]["edit"]["changes"][uri])
    expect(after.count("let y: i32 = x") == 20 and after.count("(x: i32): i32 =") == 20, after)
    expect(client.end() == 0, "status")


def main():
    with tempfile.TemporaryDirectory() as name:
        for part in (members_renamed, modules_inside, completed, signatures, acted_on):
            part(pathlib.Path(name))
    return verdict()


sys.exit(main())
