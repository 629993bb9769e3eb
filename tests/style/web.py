"""What the playground compiles for WebAssembly uses no library that a page does not have, and no size of
more than 32 bits. The build itself takes minutes (tests/tools/playground.py); both faults are cheap to see."""

import re

from common import ROOT, finish, name, read, sources

BUILD = read(ROOT / "playground/CMakeLists.txt")
FOLDERS = re.search(r"foreach\(folder ([^)]*)\)", BUILD)[1].split()
LEFT_OUT = re.compile(re.search(r'EXCLUDE REGEX\s+"(/\([^"]*)"', BUILD)[1].replace("\\\\", "\\"))
OUTSIDE = re.compile(r"#include <((?:zlib|png|mpi)\.h|(?:llvm|llvm-c|vulkan|shaderc|glslang|tbb|oneapi)/)")
WIDE = re.compile(r"size_t\{\d+\} << (?:3[2-9]|[4-9]\d)\b")


def check():
    for file in sources(".cpp", ".h", folders=FOLDERS):
        if file.name.endswith("_test.cpp") or LEFT_OUT.search(name(file)):
            continue
        for number, line in enumerate(read(file).splitlines(), 1):
            if found := OUTSIDE.match(line):
                yield f"{name(file)}:{number}: the playground has no <{found[1]}>"
            if WIDE.search(line):
                yield f"{name(file)}:{number}: a size has 32 bits in WebAssembly: write uint64_t"


finish(list(check()))
