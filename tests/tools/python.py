#!/usr/bin/env python3
"""The Python package by pytest.

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
sys.exit(subprocess.run(
    [sys.executable, "-B", "-m", "pytest", "-q", "-p", "no:cacheprovider", HERE.parent / "python"],
    env=dict(os.environ, PYTHONPATH=os.pathsep.join(map(os.path.abspath, sys.argv[2:])),
             HALO=os.path.abspath(sys.argv[1]))).returncode)
