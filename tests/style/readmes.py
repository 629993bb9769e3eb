"""The READMEs of folders, and the pages of docs/, name files that exist: a file in backticks is one of the
page's folder, of the folder around it, or of the repository (docs/style.md#comments-and-documents).
NAME stands for any name. Each folder of sources has a README that says what comes in and what goes out,
and names every file but tests; UNNAMED are folders whose files are not all named yet.
"""

import re

from common import ROOT, finish, name, read, sources

NAMED = re.compile(r"`([\w/.-]*\w\.(?:h|cpp|def))`")


def pages():
    yield from (path for path in sources(".md") if path.name == "README.md")
    yield from sorted((ROOT / "docs").glob("*.md"))


def check():
    for page in pages():
        places = [page.parent, page.parent.parent, ROOT]
        for number, line in enumerate(read(page).splitlines(), 1):
            for match in NAMED.finditer(line):
                if "NAME" not in match[1] and not any((place / match[1]).exists() for place in places):
                    yield f"{name(page)}:{number}: there is no `{match[1]}`"


UNNAMED = ("lang/passes",)


def unnamed(room, text):
    if name(room).startswith(UNNAMED) or name(room) == "cli":  # one file for each command
        return
    for stem in sorted({file.stem for file in sources(".h", ".cpp", ".def") if file.parent == room}):
        is_test = stem.endswith("_test") or stem.startswith("test_") or stem == "pch"
        if not is_test and not re.search(rf"\b{re.escape(stem)}\b", text):
            yield f"{name(room)}/README.md: it does not name `{stem}`"


def check_folders():
    rooms = {file.parent for file in sources(".h", ".cpp")}
    for room in sorted(rooms):
        if room.relative_to(ROOT).parts[0] not in ("lang", "interp", "jit", "gpu", "cli"):
            continue
        readme = room / "README.md"
        if not readme.exists():
            yield f"{name(room)}: a folder without README.md"
            continue
        text = read(readme)
        if not re.search(r"\bIn( and out)?:", text) or not re.search(r"\b(Out|In and out):", text):
            yield f"{name(readme)}: it does not say what comes in and what goes out"
        yield from unnamed(room, text)


finish([*check(), *check_folders()])
