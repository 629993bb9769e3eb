#!/usr/bin/env python3
"""The Python package by pytest, and bench/python by small sizes, whose results numpy's must equal.

usage: python.py HALO FOLDER...   folders of PYTHONPATH: the package, as it was built
"""

import importlib.util
import os
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
for module, package in (("pytest", "python3-pytest"), ("numpy", "python3-numpy")):
    if importlib.util.find_spec(module) is None:
        print(f"skipped: package {package} is not installed")
        sys.exit(77)
environment = dict(os.environ, HALO=os.path.abspath(sys.argv[1]),
                   PYTHONPATH=os.pathsep.join(map(os.path.abspath, sys.argv[2:])))
status = [subprocess.run(command, env=environment).returncode for command in (
    [sys.executable, "-B", "-m", "pytest", "-q", "-p", "no:cacheprovider", HERE.parent / "python"],
    [sys.executable, "-B", HERE.parents[1] / "bench/python/run", "--small", "--rounds=1"])]
sys.exit(max(status))
