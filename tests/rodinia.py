#!/usr/bin/env python3
"""Runs the Rodinia examples on Rodinia's own data and compares with its expected results.

usage: rodinia.py HALO BACKENDS

The data is not part of the project: it is looked for in ../shared/data/rodinia beside the checkout,
and without it the test is skipped (exit status 77). Each example is copied into a temporary folder
with one test block that names the data, so `halo test` does the comparing on every engine.
"""

import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
DATA = ROOT.parent / "shared" / "data" / "rodinia"
# example, entry, data, relative tolerance (float32 on an independent implementation)
CASES = [
    ("hotspot", "main", "hotspot_64", "1e-4"),
    ("hotspot3d", "main", "hotspot3d_8x64x64", "1e-4"),
    ("srad", "main", "srad_502x458", "1e-4"),
]


def without_blocks(text):
    """The program without its own test blocks: a block ends where the comment does."""
    lines = []
    in_block = False
    for line in text.splitlines():
        if line.startswith("-- =="):
            in_block = True
        elif not line.startswith("--"):
            in_block = False
        if not in_block and not line.startswith("-- tolerance:"):
            lines.append(line)
    return "\n".join(lines) + "\n"


def main():
    halo, backends = sys.argv[1], sys.argv[2]
    if not DATA.is_dir():
        print("skipped: there is no ../shared/data/rodinia")
        return 77
    with tempfile.TemporaryDirectory() as folder:
        for example, entry, data, tolerance in CASES:
            program = without_blocks((ROOT / "examples" / (example + ".fut")).read_text())
            block = (f"-- tolerance: {tolerance}\n-- ==\n-- entry: {entry}\n"
                     f"-- input @{DATA}/{data}.in\n-- output @{DATA}/{data}.out\n\n")
            (pathlib.Path(folder) / (example + ".fut")).write_text(block + program)
        return subprocess.run([halo, "test", "--verbose", "--backend=" + backends, folder]).returncode


sys.exit(main())
