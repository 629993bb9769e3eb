#!/usr/bin/env python3
"""The TextMate grammar and Vim's syntax file against the lexer: each token of every .fut file has the
scope of its kind.

usage: grammar.py HALO

The grammar is a list of patterns within a line, so this interprets it: the first pattern that matches
at a place wins, the nearest place comes first.
"""

import collections
import json
import pathlib
import re
import subprocess
import sys

HALO = sys.argv[1]
ROOT = pathlib.Path(__file__).resolve().parents[2]
GRAMMAR = json.loads((ROOT / "editors/vscode/halo.tmLanguage.json").read_text())
PATTERNS = [(re.compile(p["match"]), p["name"].split(".")[0] + "." + p["name"].split(".")[1])
            for p in GRAMMAR["patterns"]]
# The allowed colours of the lexer's kinds.
KINDS = {
    "keyword": {"keyword.control", "constant.language", "entity.name"},
    "number": {"constant.numeric"},
    "string": {"string.quoted"},
    "char": {"string.quoted"},
    "identifier": {"variable.other", "storage.type", "entity.name"},
    "type_variable": {"storage.type"},
    "type-variable": {"storage.type"},
    "operator": {"keyword.operator", "variable.other"},
    # `.` within `x1.0.1`: numbers or fields, which the grammar cannot tell
    "punctuation": {None, "constant.numeric", "keyword.operator", "meta.attribute", "entity.name", "variable.other"},
}


def scopes(line):
    """The scope of each byte of a line."""
    found = [None] * len(line)
    at = 0
    while at < len(line):
        best = None
        for pattern, name in PATTERNS:
            match = pattern.search(line, at)
            if match and match.end() > match.start() and (best is None or match.start() < best[0].start()):
                best = (match, name)
        if best is None:
            break
        for i in range(best[0].start(), best[0].end()):
            found[i] = best[1]
        at = best[0].end()
    return found


def check(path):
    lines = path.read_bytes().decode("latin-1").split("\n")
    done = subprocess.run([HALO, "dump", "--stage=tokens", path], capture_output=True,
                          encoding="latin-1")
    if done.returncode != 0:
        return
    coloured = {}
    for token in done.stdout.splitlines():
        match = re.match(r"(\d+):(\d+) (\S+) ?(.*)", token)
        if not match or match[3] not in KINDS:
            continue
        line, column, kind = int(match[1]), int(match[2]), match[3]
        if line not in coloured:
            coloured[line] = scopes(lines[line - 1])
        scope = coloured[line][column - 1] if column <= len(coloured[line]) else None
        in_attribute = scope == "meta.attribute"
        if scope not in KINDS[kind] and not in_attribute:
            yield f"{path.relative_to(ROOT)}:{line}:{column}: {kind} `{match[4]}` has {scope}"


def words():
    """Keywords of both editors are the lexer's."""
    table = (ROOT / "lang/syntax/lex/keyword.def").read_text()
    known = set(re.findall(r"^KEYWORD\((\w+)", table, re.M))
    vim = (ROOT / "editors/vim/syntax/futhark.vim").read_text()
    in_vim = set()
    for line in re.findall(r"^syntax keyword futhark(?:Keyword|Boolean) (.*)", vim, re.M):
        in_vim |= set(line.split())
    text = next(p["match"] for p in GRAMMAR["patterns"] if p["name"].startswith("keyword.control"))
    in_grammar = set(re.findall(r"[a-z]+", text.split("(?:")[1].split(")")[0])) | {"true", "false"}
    if in_vim != known:
        yield f"vim: {sorted(in_vim ^ known)}"
    if in_grammar != known:
        yield f"grammar: {sorted(in_grammar ^ known)}"


def main():
    faults = list(words())
    kinds = collections.Counter()
    paths = [p for folder in ("examples", "stdlib", "tests/exec", "bench") for p in (ROOT / folder).rglob("*.fut")]
    for path in sorted(paths):
        kinds[path.parts[-2]] += 1
        faults += check(path)
    for fault in faults[:20]:
        print(fault)
    print(f"{sum(kinds.values())} files, {len(faults)} faults")
    return 1 if faults else 0


sys.exit(main())
