#!/usr/bin/env python3
"""libhalo and its users under sanitizers: tests/api/user.c with address and undefined behaviour, then
with threads, and 100,000 loads and frees in level memory.

usage: sanitized.py HALO [KIND..]       kinds: address, thread, loads

Builds build/asan-api and build/tsan-api by clang, which takes many minutes once: HALO_SLOW=1 asks for
it. Code of the JIT and of LLVM is not instrumented.
"""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

from checks import expect, needs, slow, verdict

HALO = pathlib.Path(sys.argv[1]).resolve()
ROOT = pathlib.Path(__file__).resolve().parents[2]
KINDS = {"address": "address,undefined", "thread": "thread"}
# Threads of libraries that are not instrumented synchronise by means that the sanitizer cannot see.
UNSEEN = "called_from_lib:libtbb.so\ncalled_from_lib:libLLVM-19.so.1\nrace:libLLVM-19.so.1\n"


def run(*words, **options):
    return subprocess.run([str(word) for word in words], capture_output=True, text=True, **options)


def built(kind):
    """The folder with the library."""
    folder = ROOT / "build" / ("asan-api" if kind == "address" else "tsan-api")
    if not (folder / "build.ninja").exists():
        done = run("cmake", "-G", "Ninja", "-S", ROOT, "-B", folder, "-DCMAKE_C_COMPILER=clang-19",
                   "-DCMAKE_CXX_COMPILER=clang++-19", f"-DHALO_SANITIZE={KINDS[kind]}",
                   "-DHALO_SANITIZE_OPTIMISATION=-O0", "-DCMAKE_BUILD_TYPE=Release")
        expect(done.returncode == 0, done.stdout + done.stderr)
    done = run("nice", "ninja", "-C", folder, "halo_shared")
    expect(done.returncode == 0, done.stdout[-3000:])
    return folder


def used(kind, folder):
    library = built(kind)
    include = folder / "include"
    include.mkdir(exist_ok=True)
    if not (include / "halo").exists():
        (include / "halo").symlink_to(ROOT / "api")
    (folder / "index.fut").write_text("def main (i: i64) (xs: []i32) = xs[i]\n")
    shutil.copy(ROOT / "examples/hotspot.fut", folder)
    (folder / "unseen").write_text(UNSEEN)
    user = folder / f"user-{kind}"
    done = run("clang-19", "-g", f"-fsanitize={KINDS[kind]}", "-fsanitize-link-c++-runtime", "-I", include,
               ROOT / "tests/api/user.c", "-o", user, "-L", library, "-lhalo", "-lstdc++", f"-Wl,-rpath,{library}", "-pthread")
    if not expect(done.returncode == 0, done.stderr):
        return
    environment = dict(os.environ, NO_COLOR="1",
                       TSAN_OPTIONS=f"suppressions={folder / 'unseen'} ignore_noninstrumented_modules=1",
                       ASAN_OPTIONS="detect_leaks=1 quarantine_size_mb=1", UBSAN_OPTIONS="print_stacktrace=1")
    for backend in ("interp", "cpu"):
        done = run(user, folder, backend, env=environment, timeout=2000)
        expect(done.returncode == 0 and "Sanitizer" not in done.stderr,
               f"{kind}, {backend}: {done.returncode} {done.stderr[-4000:]}")
        print(f"{kind}, {backend}: status {done.returncode}")


def loads(folder):
    """Level memory: the program counts."""
    include = folder / "include"
    include.mkdir(exist_ok=True)
    if not (include / "halo").exists():
        (include / "halo").symlink_to(ROOT / "api")
    done = run("gcc", "-O1", "-I", include, ROOT / "tests/api/loads.c", "-o", folder / "loads", "-L",
               HALO.parent, "-lhalo", f"-Wl,-rpath,{HALO.parent}")
    if expect(done.returncode == 0, done.stderr):
        done = run(folder / "loads", "100000", timeout=2500)
        expect(done.returncode == 0, f"100,000 loads: {done.stdout}{done.stderr}")
        print(done.stdout.strip())


needs("clang-19", "clang-19")
slow()
with tempfile.TemporaryDirectory() as name:
    for wanted in sys.argv[2:] or [*KINDS, "loads"]:
        loads(pathlib.Path(name)) if wanted == "loads" else used(wanted, pathlib.Path(name))
sys.exit(verdict())
