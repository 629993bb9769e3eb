"""The version stands in CMakeLists.txt: no source repeats it, and what must repeat it agrees."""

import json
import re

from common import ROOT, finish, name, read, sources

VERSION = re.search(r"project\(halo VERSION (\S+)", read(ROOT / "CMakeLists.txt"))[1]
# C++ takes it from lang/base/version.h, Python from libhalo.
LITERAL = re.compile(rf"""["'](?:halo |Halo )?{re.escape(VERSION)}["'. ]""")

problems = [f"{name(path)}: `{found[0]}` repeats the version" for path in sources(".cpp", ".h", ".hpp", ".py")
            if not name(path).startswith("tests/") for found in [LITERAL.search(read(path))] if found]
packed = json.loads(read(ROOT / "editors/vscode/package.json"))["version"]
if packed != VERSION + ".0":
    problems.append(f"editors/vscode/package.json: version {packed}, the program's is {VERSION}")
finish(problems)
