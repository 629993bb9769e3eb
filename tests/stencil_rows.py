#!/usr/bin/env python3
"""The programs of bench/stencil at small sizes: each row of those tables is right on every engine.

usage: tests/stencil_rows.py HALO [NAME...]

The benchmarks hand out one cell. Here they hand out all of them, which `halo test` compares with the
interpreter (bit by bit where no sum of floats may be reordered): no step, one, and some more than the
engines do at once.
"""

import pathlib
import re
import subprocess
import sys
import tempfile

BENCH = pathlib.Path(__file__).resolve().parent.parent / "bench/stencil"
SIZES = {"planes": [(1, 1), (3, 2), (19, 37), (33, 130)],
         "space": [(1, 1, 1), (2, 3, 2), (7, 9, 35)]}
WIDE = {"conv17", "box9", "star8", "star16", "box3", "star4"}  # points that cost the interpreter time
STEPS = [0, 1, 5]
LONG = 19  # steps at the largest size, for bodies of few points


def entries(program):
    """The program without its data, the last cell of each entry replaced by all cells."""
    text = re.sub(r'^-- ".*\n', "", (BENCH / f"{program}.fut").read_text(), flags=re.M)
    shape = {"planes": "[n][m]", "space": "[n][m][k]"}[program]
    text = re.sub(r"^(entry .*\(steps: i32\)) *: (\w+) =", rf"\1 : {shape}\2 =", text, flags=re.M)
    text = re.sub(r"^  in end\[[^\]]*\]\.0$", "  in " + "map (" * (shape.count("[") - 1)
                  + "map (.0)" + ")" * (shape.count("[") - 1) + " end", text, flags=re.M)
    return re.sub(r"^  in end\[[^\]]*\]$", "  in end", text, flags=re.M)


def cases(name, program):
    wide = name.removesuffix("_nested").removesuffix("_passes") in WIDE
    found = [(size, steps) for size in SIZES[program] for steps in STEPS[:2 if wide else 3]]
    if not wide:
        found.append((SIZES[program][-1], LONG))
    return "".join(f"-- input {{ {' '.join(f'{n}i64' for n in size)} {steps}i32 }}\n"
                   for size, steps in found)


def with_cases(program, only):
    def data(match):
        wanted = not only or match[1].removesuffix("_nested") in only
        return match[0] + cases(match[1], program) if wanted else ""

    return re.sub(r"^-- ==\n-- entry: (\w+)\n", data, entries(program), flags=re.M)


def main():
    halo, only = sys.argv[1], sys.argv[2:]
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for program in SIZES:
            path = pathlib.Path(folder) / f"{program}.fut"
            path.write_text(with_cases(program, only))
            run = subprocess.run([halo, "test", "--backend=all", str(path)], check=False)
            failed |= run.returncode != 0
    return int(failed)


sys.exit(main())
