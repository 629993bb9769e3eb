"""Dependencies point one way (docs/design.md#layout): the allowed includes between folders, and of outside headers.

DIRECT is the table of the design; CMakeLists.txt must state the same one. Each row is used: some file
includes a header of that folder, except for `lang/base`, whose precompiled header serves every
folder. Unit tests may include any of our headers: their linker knows the dependences.
"""

import re

from common import ROOT, finish, name, read, sources

DIRECT = {
    "lang/base": [],
    "lang/source": ["lang/base"],
    "lang/diag": ["lang/source"],
    "lang/prim": ["lang/base"],
    "lang/value": ["lang/diag", "lang/prim"],
    "lang/syntax": ["lang/diag", "lang/prim"],
    "lang/types": ["lang/syntax"],
    "lang/format": ["lang/syntax"],
    "lang/engine": ["lang/types", "lang/value"],
    "lang/ranks": ["lang/base"],
    "interp": ["lang/engine"],
    "lang/core": ["lang/diag", "lang/prim"],
    "lang/lower": ["lang/types", "lang/value", "lang/core"],
    "lang/passes": ["lang/core", "lang/value"],
    "lang/ad": ["lang/lower", "lang/passes"],
    "lang/imp": ["lang/core", "lang/value"],
    "jit": ["lang/engine", "lang/ad", "lang/imp"],
    "gpu/plan": ["lang/passes", "lang/imp"],
    "gpu/team": ["lang/imp"],
    "gpu/schedule": ["gpu/plan"],
    "gpu/templates": ["gpu/schedule", "gpu/team"],
    "gpu/raise": ["lang/passes", "lang/imp"],
    "gpu/glsl": ["gpu/raise"],
    "gpu/vulkan": ["lang/value"],
    "gpu/cuda": ["lang/base"],
    "gpu": ["jit", "gpu/schedule", "gpu/templates", "gpu/raise", "gpu/glsl", "gpu/vulkan", "gpu/cuda"],
    "stdlib": [],
    "cli/distributed": ["lang/ranks", "lang/engine", "lang/ad"],
    "cli/session": ["interp", "jit", "gpu", "stdlib", "cli/distributed"],
    "cli/picture": ["lang/value"],
    "cli/repl": ["cli/session", "cli/picture"],
    "cli/terminal": ["lang/base"],
    "cli/literate": ["cli/repl"],
    "cli/fuzz": ["cli/session"],
    "cli/bench": ["lang/diag"],
    "cli/pkg": ["lang/diag"],
    "cli/lsp": ["cli/session", "lang/format"],
    "api": ["cli/session", "cli/repl"],
    "cli/server": ["api"],
    "cli": ["cli/session", "cli/repl", "cli/terminal", "cli/literate", "cli/fuzz", "cli/bench",
            "cli/lsp", "cli/pkg", "cli/server", "lang/format"],
    "cli/options": ["cli"],
}

# Engines never include each other, with this one exception.
ENGINES = ["interp", "jit", "gpu"]
# gpu runs its host programs through the JIT, and leaves to the cpu engine programs that it cannot run and
# the replay of failures.
BETWEEN_ENGINES = {("gpu", "jit/host_program.h"), ("gpu", "jit/engine.h")}

# The main file of a program is linked with this folder.
PROGRAMS = {"cli/main.cpp": "cli/options"}

# Outside headers that only one place may see: seconds of compile time, or a layer to keep out.
PRIVATE = [
    (r"llvm|llvm-c", "jit"),
    (r"vulkan|shaderc|glslang|spirv-tools|spirv", "gpu/vulkan"),
    (r"tbb|oneapi", "jit"),
    (r"CLI", "cli/options"),
]


def reachable(folder):
    """The folder and everything it depends on."""
    seen, todo = set(), [folder]
    while todo:
        folder = todo.pop()
        if folder not in seen:
            seen.add(folder)
            todo += DIRECT[folder]
    return seen


def folder_of(path):
    """The deepest folder of the table that holds the file, or None."""
    if path in PROGRAMS:
        return PROGRAMS[path]
    parts = path.split("/")[:-1]
    candidates = ("/".join(parts[:n]) for n in range(len(parts), 0, -1))
    return next((c for c in candidates if c in DIRECT), None)


def within(path, folder):
    return path.startswith(folder + "/")


def check_own(file, included):
    here, there = folder_of(file), folder_of(included)
    if there is None:
        return None if (ROOT / included).exists() else f"no such file: {included}"
    if there not in reachable(here):
        return f"{here} does not depend on {there}: {included}"
    engine, other = here.split("/")[0], there.split("/")[0]
    if engine in ENGINES and other in ENGINES and engine != other:
        if (engine, included) not in BETWEEN_ENGINES:
            return f"engine {engine} includes engine {other}: {included}"
    return None


def check_outside(file, included):
    top = included.split("/")[0] if "/" in included else ""
    for pattern, home in PRIVATE:
        if re.fullmatch(pattern, top) and not within(file, home):
            return f"only {home}/ may include <{included}>"
    return None


def includes(path):
    """Line, opening mark and file of each include."""
    for number, line in enumerate(read(path).splitlines(), 1):
        match = re.match(r'\s*#\s*include\s*(["<])([^">]+)', line)
        if match:
            yield number, match


def check_used(files):
    used = {(folder_of(name(path)), folder_of(match[2])) for path in files
            if not name(path).endswith("_test.cpp") for _, match in includes(path)}
    for folder, direct in DIRECT.items():
        for other in direct:
            if other != "lang/base" and (folder, other) not in used:
                yield f"{folder} states {other} and includes none of its headers"


def check_file(path):
    file = name(path)
    if folder_of(file) is None:
        return
    for number, match in includes(path):
        own = match[1] == '"' and not file.endswith("_test.cpp")
        problem = check_outside(file, match[2]) or (check_own(file, match[2]) if own else None)
        if problem:
            yield f"{file}:{number}: {problem}"


def check_cmake():
    stated = {"stdlib": []}
    for call in re.findall(r"^halo_library\(([^)]*)\)", read(ROOT / "CMakeLists.txt"), re.M):
        words = call.split()
        deps = re.search(r"\bDEPS((?: [a-z/]+)*)", " ".join(words))
        stated[words[0]] = deps[1].split() if deps else []
    for folder in sorted(stated.keys() | DIRECT.keys()):
        if stated.get(folder) != DIRECT.get(folder):
            yield (f"CMakeLists.txt: {folder} depends on {stated.get(folder)}, "
                   f"the design says {DIRECT.get(folder)}")


FILES = [*sources(".h", ".cpp", ".def", ".inc")]
finish([*check_cmake(), *check_used(FILES), *(p for f in FILES for p in check_file(f))])
