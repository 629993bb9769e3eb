#!/usr/bin/env python3
"""A wheel of the Python package with libhalo in it, for `pip install` on machines without Halo.

usage: python/wheel.py [BUILD [FOLDER]]      default: build/release, which has `halo_python` built

The wheel is for this version of Python and for systems whose glibc is at least this one's.
"""

import base64
import hashlib
import os
import pathlib
import platform
import re
import subprocess
import sys
import tempfile
import zipfile

ROOT = pathlib.Path(__file__).resolve().parent.parent


def version():
    return re.search(r"project\(halo VERSION (\S+)", (ROOT / "CMakeLists.txt").read_text())[1]


def tag():
    python = f"cp{sys.version_info[0]}{sys.version_info[1]}"
    glibc = platform.libc_ver()[1].replace(".", "_")
    return f"{python}-{python}-manylinux_{glibc}_{platform.machine()}"


def installed(build, prefix):
    """Path within the wheel, and the file."""
    for component in ("libhalo0", "python3-halo"):
        subprocess.run(["cmake", "--install", build, "--prefix", prefix, "--component", component,
                        "--strip"], check=True, stdout=subprocess.DEVNULL)
    package = next(prefix.rglob("dist-packages/halo"))
    files = [(f"halo/{path.name}", path) for path in sorted(package.iterdir()) if path.is_file()]
    library = next(path for path in prefix.rglob("libhalo.so.0") if path.exists())
    return [*files, ("halo/libhalo.so.0", library.resolve())]


def described():
    """The files that say what the wheel is."""
    folder = f"halo-{version()}.dist-info"
    summary = "Functional array language with stencils, on CPUs and GPUs: programs from Python"
    return {
        f"{folder}/METADATA": f"Metadata-Version: 2.1\nName: halo\nVersion: {version()}\n"
                              f"Summary: {summary}\nLicense: MIT\nRequires-Python: >=3.9\n"
                              "Requires-Dist: numpy\n",
        f"{folder}/WHEEL": "Wheel-Version: 1.0\nGenerator: halo\nRoot-Is-Purelib: false\n"
                           f"Tag: {tag()}\n",
        f"{folder}/LICENSE": (ROOT / "LICENSE").read_text(),
    }


def record(entries):
    lines = []
    for name, data in entries:
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        lines.append(f"{name},sha256={digest},{len(data)}")
    name = f"halo-{version()}.dist-info/RECORD"
    return name, "\n".join([*lines, f"{name},,", ""])


def main(build=ROOT / "build/release", folder="."):
    target = pathlib.Path(folder) / f"halo-{version()}-{tag()}.whl"
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as prefix:
        entries = [(name, path.read_bytes()) for name, path in
                   installed(build, pathlib.Path(prefix))]
    entries += [(name, text.encode()) for name, text in described().items()]
    name, text = record(entries)
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as wheel:
        for entry, data in [*entries, (name, text.encode())]:
            info = zipfile.ZipInfo(entry)
            info.external_attr = (0o755 if ".so" in entry else 0o644) << 16
            info.compress_type = zipfile.ZIP_DEFLATED
            wheel.writestr(info, data)
    print(target)


if __name__ == "__main__":
    os.umask(0o022)
    main(*sys.argv[1:])
