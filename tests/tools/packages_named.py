#!/usr/bin/env python3
"""Every Debian package that a test misses by name is in a list of cmake/: what to install to run all.
One that others provide is there.

usage: packages_named.py HALO
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

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


def missing(installed, wanted):
    """What cmake/missing_packages says where `dpkg-query` shows these rows."""
    with tempfile.TemporaryDirectory() as name:
        query, names = pathlib.Path(name, "dpkg-query"), pathlib.Path(name, "wanted")
        query.write_text(f"#!/bin/sh\nprintf '{installed}'\n")
        query.chmod(0o755)
        names.write_text(wanted)
        return subprocess.run([ROOT / "cmake/missing_packages", names], capture_output=True, text=True,
                              env=dict(os.environ, PATH=f"{name}:{os.environ['PATH']}")).stdout.split()


rows = "installed nodejs, nodejs-dev (= 1), npm\\nnot-installed fish, \\ninstalled g++, \\n"
expect(missing(rows, "npm\nnodejs\nfish\ng++\nzsh\n") == ["fish", "zsh"], "packages that others provide")
expect(len(missed) > 10, f"only {sorted(missed)} were found")
for name in sorted(missed - listed):
    expect(False, f"package {name} is in no list of cmake/")
sys.exit(verdict())
