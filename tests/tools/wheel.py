#!/usr/bin/env python3
"""The wheel: its record, and that it runs from a folder of its own, installed by pip where there is
one.

usage: wheel.py HALO BUILD
"""

import base64
import csv
import hashlib
import importlib.util
import os
import pathlib
import subprocess
import sys
import tempfile
import zipfile

from checks import expect, skip, verdict

BUILD = pathlib.Path(sys.argv[2]).resolve()
ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = """
import halo, numpy as np, pathlib, sys
assert pathlib.Path(halo.__file__).is_relative_to(sys.argv[1]), halo.__file__
assert "libhalo.so.0" in open("/proc/self/maps").read() and sys.argv[1] in next(
    line for line in open("/proc/self/maps") if "libhalo" in line)
print(int(halo.compile("entry f (xs: []i64) = i64.sum xs", backend="cpu").f(np.arange(10))))
"""


def recorded(wheel):
    name = next(n for n in wheel.namelist() if n.endswith("/RECORD"))
    rows = list(csv.reader(wheel.read(name).decode().splitlines()))
    expect(sorted(row[0] for row in rows) == sorted(wheel.namelist()), "the record has other files")
    for path, digest, size in rows:
        data = wheel.read(path)
        found = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        expect(path == name or (digest == "sha256=" + found and int(size) == len(data)), path)


def main(folder):
    done = subprocess.run([sys.executable, "-B", ROOT / "python/wheel.py", BUILD, folder],
                          capture_output=True, text=True)
    if not expect(done.returncode == 0, f"python/wheel.py: {done.stderr}"):
        return verdict()
    path = pathlib.Path(done.stdout.strip())
    print(f"{path.name}: {path.stat().st_size >> 20} MB")
    site = folder / "site"
    with zipfile.ZipFile(path) as wheel:
        recorded(wheel)
        if importlib.util.find_spec("pip"):
            subprocess.run([sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index",
                            "--target", site, path], check=True)
        else:
            print("package python3-pip is not installed: unpacked by hand")
            wheel.extractall(site)
    ran = subprocess.run([sys.executable, "-B", "-c", PROGRAM, site], capture_output=True, text=True,
                         cwd=folder, env=dict(os.environ, PYTHONPATH=str(site), LD_LIBRARY_PATH=""))
    expect(ran.stdout.strip() == "45", f"from the wheel: {ran.stdout}{ran.stderr}")
    return verdict()


if importlib.util.find_spec("numpy") is None:
    skip("package python3-numpy is not installed")
with tempfile.TemporaryDirectory() as name:
    sys.exit(main(pathlib.Path(name)))
