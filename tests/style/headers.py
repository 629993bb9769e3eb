"""Each header of lang, interp, jit, gpu and cli compiles alone: nothing must be included in front of it.

  headers.py COMPILER [FLAG ..]

Compiling all takes minutes, so that it runs only with HALO_SLOW set; HALO_HEADERS=TEXT takes those
whose path has the text. Through ccache, where it is found, unchanged headers cost no compilation.
"""

import concurrent.futures
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
SKIPPED = 77
FOLDERS = ("lang", "interp", "jit", "gpu", "cli")


def headers():
    part = os.environ.get("HALO_HEADERS", "")
    files = (file for folder in FOLDERS for file in (ROOT / folder).rglob("*.h"))
    return sorted(name for name in (str(file.relative_to(ROOT)) for file in files) if part in name)


def problem(command, header):
    with tempfile.TemporaryDirectory() as folder:
        result = subprocess.run([*command, "-x", "c++", "-c", header, "-o", f"{folder}/unit.o"],
                                cwd=ROOT, text=True, stdout=subprocess.PIPE,
                                stderr=subprocess.STDOUT)
    errors = [line for line in result.stdout.splitlines() if "error" in line]
    return f"{header}: {errors[0] if errors else 'does not compile'}" if result.returncode else None


def main():
    if not os.environ.get("HALO_SLOW") and not os.environ.get("HALO_HEADERS"):
        print("HALO_SLOW is not set")
        return SKIPPED
    ccache = [shutil.which("ccache")] if shutil.which("ccache") else []
    command = [*ccache, *sys.argv[1:], "-std=c++20", "-O0", "-w", "-I."]
    threads = max(1, (os.cpu_count() or 1) // 2)
    with concurrent.futures.ThreadPoolExecutor(threads) as pool:
        found = [line for line in pool.map(lambda one: problem(command, one), headers()) if line]
    print("\n".join(found) if found else f"{len(headers())} headers")
    return 1 if found else 0


sys.exit(main())
