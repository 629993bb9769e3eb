#!/usr/bin/env python3
"""Python and C++ of README and docs/, with the programs of the page: `>>>` lines as a doctest, C++ as
the body of `main`, whose comments `// 1 3` behind a print are what it prints.

usage: readme.py HALO [PACKAGE INCLUDE LIBRARY]      folders; without them, what is installed
"""

import doctest
import importlib.util
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

from checks import expect, needs, skip, verdict

ROOT = pathlib.Path(__file__).resolve().parents[2]
FENCE = re.compile(r"^```(\w+)([^\n]*)\n(.*?)^```$", re.M | re.S)
MINE = "tested-by=tests/tools/readme.py"
HEADERS = "#include <cstdio>\n#include <vector>\n#include <halo/halo.hpp>\n"


def blocks_of(page):
    """The page's blocks of each language; its programs lie in the current folder."""
    found = {"python": [], "cpp": []}
    for language, options, text in FENCE.findall(page.read_text()):
        name = re.search(r"file=(\S+)", options)
        if language == "futhark" and name:
            pathlib.Path(name[1]).write_text(text)
        if MINE in options:
            found[language].append(text)
    return found


def python(place, text):
    test = doctest.DocTestParser().get_doctest(text, {}, place, place, 0)
    told = []
    result = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE).run(
        test, out=told.append)
    expect(result.attempted > 0 and result.failed == 0, f"{place}: {''.join(told)}")


def cpp(place, text, flags):
    pathlib.Path("program.cpp").write_text(f"{HEADERS}int main() {{\n{text}}}\n")
    built = subprocess.run(["g++", "-std=c++20", "-Wall", "program.cpp", "-o", "program", *flags],
                           capture_output=True, text=True)
    if expect(built.returncode == 0, f"{place}: {built.stderr}"):
        ran = subprocess.run(["./program"], capture_output=True, text=True)
        wanted = re.findall(r"print\w*\(.*?;\s*// (.*)", text)
        expect(wanted and ran.stdout.split() == " ".join(wanted).split(), f"{place}: {ran}")


def main(folders):
    if folders:
        package, include, library = map(os.path.abspath, folders)
        sys.path.insert(0, package)
        flags = ["-I", include, "-L", library, "-lhalo", f"-Wl,-rpath,{library}"]
    else:
        needs("pkg-config", "pkgconf")
        flags = subprocess.run(["pkg-config", "--cflags", "--libs", "halo"], capture_output=True,
                               text=True, check=True).stdout.split()
    seen = {"python": 0, "cpp": 0}
    for page in ("README.md", "docs/library.md"):
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            for language, texts in blocks_of(ROOT / page).items():
                for text in texts:
                    python(page, text) if language == "python" else cpp(page, text, flags)
                seen[language] += len(texts)
            os.chdir(ROOT)
    expect(min(seen.values()) >= 2, f"blocks: {seen}")
    return verdict()


for module, name in (("numpy", "python3-numpy"),):
    if importlib.util.find_spec(module) is None:
        skip(f"package {name} is not installed")
if not shutil.which("g++"):
    skip("package g++ is not installed")
sys.exit(main(sys.argv[2:]))
