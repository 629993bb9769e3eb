"""Increments whose value has no use are prefix, `++i` (docs/style.md#files-and-functions). `--fix` rewrites
all of them."""

import re
import sys

from common import finish, name, read, sources

LOOP = re.compile(r"for \([^;\n]*;[^;\n]*;\s*(?:[^();\n]*,\s*)?[\w.>\[\]-]+\+\+[,)]")
STATEMENT = re.compile(r"^\s*[A-Za-z_][\w.>\[\]()-]*\+\+;")

ONE = re.compile(r"([A-Za-z_][\w.>\[\]()-]*)\+\+(?=[,);])")


def places(text):
    """Lines with such an increment."""
    before = ""
    for number, line in enumerate(text.splitlines(), 1):
        begins = not before or before[-1] in ";{}:)" or before.endswith("else")
        if LOOP.search(line) or (begins and STATEMENT.match(line)):
            yield number
        before = line.split("//")[0].rstrip()


def check():
    for file in sources(".cpp", ".h"):
        for number in places(read(file)):
            yield f"{name(file)}:{number}: write `++i` where the value has no use"


def fix():
    for file in sources(".cpp", ".h"):
        text = read(file)
        lines = text.split("\n")
        for number in places(text):
            line = lines[number - 1]
            head = LOOP.search(line)
            start = line.rindex(";", 0, head.end()) + 1 if head else 0
            lines[number - 1] = line[:start] + ONE.sub(r"++\1", line[start:], count=0 if head else 1)
        if lines != text.split("\n"):
            file.write_text("\n".join(lines))


if "--fix" in sys.argv:
    fix()
finish([*check()])
