#!/usr/bin/env python3
"""Typical programs allocate nothing in loops, and copy no more arrays there than they say.

usage: tests/memory.py HALO

Each program of tests/memory says in a line `-- in loops: copy 1` how many statements of these kinds
its Imp has inside of loops; of those it does not name, none.
"""

import pathlib
import re
import subprocess
import sys

HALO = sys.argv[1]
FOLDER = pathlib.Path(__file__).resolve().parent / "memory"
KINDS = ["alloc", "free", "copy"]


def inLoops(text):
    """How many statements of each kind are inside of a loop. Every `}` ends a block."""
    counts = dict.fromkeys(KINDS, 0)
    blocks = []
    for line in text.splitlines():
        words = line.split()
        if words and words[0] in KINDS and "loop" in blocks:
            counts[words[0]] += 1
        is_loop = bool(words) and words[0] in ("for", "while")
        for brace in re.findall(r"[{}]", line):
            if brace == "{":
                blocks.append("loop" if is_loop else "other")
            else:
                blocks.pop()
    return counts


def main():
    problems = 0
    programs = sorted(FOLDER.glob("*.fut"))
    for program in programs:
        line = re.search(r"^-- in loops:(.*)$", program.read_text(), re.M)[1]
        wanted = dict.fromkeys(KINDS, 0) | {kind: int(n) for kind, n in re.findall(r"(\w+) (\d+)", line)}
        imp = subprocess.run([HALO, "dump", "--stage=imp", program], capture_output=True, text=True)
        found = inLoops(imp.stdout) if imp.returncode == 0 else imp.stderr
        if found != wanted:
            problems += 1
            print(f"{program.name}: found {found} in loops, needed {wanted}")
    print(f"{len(programs)} programs, {problems} of them wrong")
    sys.exit(1 if problems or not programs else 0)


main()
