"""Increments whose value has no use are prefix, `++i` (docs/style.md#files-and-functions). Folders of LATER are not yet clean."""

import re

from common import finish, name, read, sources

LATER = ("cli/lsp/", "gpu/plan/loops/", "gpu/plan/nests/", "gpu/schedule/reduce/", "gpu/templates/reduce/",
         "gpu/templates/scan/", "gpu/templates/sort/", "gpu/templates/stencil/", "lang/passes/stencil/")
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
