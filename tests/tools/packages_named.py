#!/usr/bin/env python3
"""Every Debian package that a test misses by name is in a list of cmake/: what to install to run all.

usage: packages_named.py HALO
"""

import pathlib
import re
import sys

from checks import expect, verdict

ROOT = pathlib.Path(__file__).resolve().parents[2]
PLACES = [*ROOT.glob("tests/tools/*.py"), *ROOT.glob("tests/python/*.py"),
          ROOT / "tests/tools/CMakeLists.txt"]

listed = {name for path in ROOT.glob("cmake/packages*.txt") for name in path.read_text().split()}
missed = set()
for path in PLACES:
    text = path.read_text()
    missed |= {name for found in re.findall(r"packages? ([a-z][a-z0-9-]+) (?:is|has) not", text)
               for name in [found]}
    missed |= set(re.findall(r'needs\("[^"]+", "([a-z0-9-]+)"\)', text))
    missed |= {name for pair in re.findall(r'\("[\w/-]+", "(python3-[a-z0-9-]+|[a-z]+-dev|file|cmake)"\)', text)
               for name in [pair]}
expect(len(missed) > 10, f"only {sorted(missed)} were found")
for name in sorted(missed - listed):
    expect(False, f"package {name} is in no list of cmake/")
sys.exit(verdict())
