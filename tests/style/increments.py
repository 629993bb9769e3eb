"""Increments whose value has no use are prefix, `++i` (docs/style.md#files-and-functions). Folders of LATER are not yet clean."""

import re

from common import finish, name, read, sources

LATER = ("bench/", "cli/lsp/", "gpu/plan/", "gpu/schedule/", "gpu/templates/", "lang/ad/", "lang/passes/",
         "lang/ranks/", "lang/types/", "python/", "tests/")
LOOP = re.compile(r"for \([^;\n]*;[^;\n]*;\s*(?:[^();\n]*,\s*)?[\w.>\[\]-]+\+\+[,)]")
STATEMENT = re.compile(r"^\s*[A-Za-z_][\w.>\[\]()-]*\+\+;")


def check():
    for file in sources(".cpp", ".h"):
        if name(file).startswith(LATER):
            continue
        before = ""
        for number, line in enumerate(read(file).splitlines(), 1):
            begins = not before or before[-1] in ";{}:)" or before.endswith("else")
            if LOOP.search(line) or (begins and STATEMENT.match(line)):
                yield f"{name(file)}:{number}: write `++i` where the value has no use"
            before = line.split("//")[0].rstrip()


finish([*check()])
