#!/usr/bin/env python3
"""The n-th file operation, thread or allocation fails: the answer or a diagnostic, and the session goes on.

usage: nth_faults.py HALO LIBRARY
"""

import os
import pathlib
import subprocess
import sys
import tempfile

from runner import HALO, OK, USAGE, Runner

LINES = "def f (x: i32) = x * 3\ni32.sum (map f [1, 2, 3])\ni32.sum (map f [4, 5])\ni32.sum (map f [1, 2, 3])\n"
# Few of the first calls, then ever fewer: drivers and LLVM make thousands.
FIRST, LAST = 6, 4000


def places(last):
    n = 1
    while n <= last:
        yield n
        n = n + 1 if n < FIRST else n * 2


def one(run, words, environment, stdin=""):
    """The finished process; nothing if it did not end."""
    try:
        return subprocess.run([HALO] + words, cwd=run.folder, timeout=120, capture_output=True,
                              text=True, input=stdin, env=dict(os.environ, **environment))
    except subprocess.TimeoutExpired:
        return None


def fault(run, kind, backend, last):
    for n in places(last):
        cache = f"cache-{kind}-{backend}-{n}"
        environment = {"LD_PRELOAD": sys.argv[2], "NTH_FAULT": f"{kind}:{n}", "NO_COLOR": "1",
                       "XDG_CACHE_HOME": str(run.folder / cache), "HALO_HISTORY": "off"}
        words = ["run", f"--backend={backend}", "sum.fut", "@in.txt"]
        done = one(run, words, environment)
        if done is None:
            run.fail(words, f"no end with {kind}:{n}")
            continue
        is_right = done.returncode == OK and done.stdout == "18i32\n"
        is_told = done.returncode in (1, 2, 3, 64) and "[H" in done.stderr
        if is_right or is_told:
            run.passed += 1
        else:
            run.fail(words, f"with {kind}:{n} status {done.returncode}\n{done.stdout}{done.stderr[-300:]}")


def session(run, kind, backend):
    for n in places(60):
        environment = {"LD_PRELOAD": sys.argv[2], "NTH_FAULT": f"{kind}:{n}", "NO_COLOR": "1",
                       "XDG_CACHE_HOME": str(run.folder / f"repl-{kind}-{backend}-{n}"), "HALO_HISTORY": "off"}
        words = ["repl", f"--backend={backend}"]
        done = one(run, words, environment, stdin=LINES)
        # The line that meets the fault may fail; the last one repeats an earlier one. A session that
        # never begins says why: a driver without its thread, an input that cannot be read.
        is_over = done is not None and done.returncode == USAGE and done.stderr.count("[H") == 1
        goes_on = done is not None and done.stdout.count("18") + done.stderr.count("[H") >= 2
        if not is_over and (not goes_on or done.returncode < 0):
            run.fail(words, f"with {kind}:{n} " + ("no end" if done is None else repr(done)[-500:]))
        else:
            run.passed += 1


def main():
    with tempfile.TemporaryDirectory() as name:
        run = Runner(pathlib.Path(name))
        (run.folder / "sum.fut").write_text("def main (xs: []i32): i32 = i32.sum (map (* 3) xs)\n")
        (run.folder / "in.txt").write_text("[1,2,3]")
        for kind in ("open", "read", "write", "rename", "thread"):
            for backend in ("cpu", "gpu"):
                fault(run, kind, backend, 60)
                session(run, kind, backend)
        # Not on the GPU: drivers need memory and do not ask whether they got it.
        for backend in ("interp", "cpu"):
            fault(run, "memory", backend, LAST)
        print(f"{run.passed} passed, {run.failed} failed")
        return 1 if run.failed else 0


sys.exit(main())
