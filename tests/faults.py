#!/usr/bin/env python3
"""What may go wrong around a program that is right: texts of any depth, files, memory, disks.

usage: faults.py HALO
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

from runner import HALO, OK, REJECTED, Runner

# As long as somebody's generator writes them. `++` copies all that is before it: fewer of those.
LONG = {
    "pipes": ("def f (x: i32) = x + 1\ndef main (x: i32): i32 = x" + " |> f" * 10000, "3", "10003i32"),
    "updates": ("def main (n: i64) (xs: *[n]i32): [n]i32 = xs" + " with [0] = 1" * 10000,
                "2 [5,6]", "[1i32, 6i32]"),
    "fields": ("def main (x: i32): i32 = ({a = 0, b = x}" + " with a = 7" * 10000 + ").a", "3", "7i32"),
    "backticks": ("def main (x: i32): i32 = x" + " `i32.min` 2" * 10000, "3", "2i32"),
    "composed": ("def f (x: i32) = x + 1\ndef main (x: i32): i32 = (f" + " >-> f" * 3000 + ") x",
                 "3", "3004i32"),
    "constants": ("def c0: i32 = 1\n" + "".join(f"def c{i}: i32 = c{i - 1} + 1\n" for i in range(1, 10000)) +
                  "def main (x: i32): i32 = c9999 + x", "3", "10003i32"),
    "functions": ("def f0 (x: i32): i32 = x + 1\n" +
                  "".join(f"def f{i} (x: i32): i32 = f{i - 1} x\n" for i in range(1, 10000)) +
                  "def main (x: i32): i32 = f9999 x", "3", "4i32"),
    "local": ("def main (x: i32): i32 =\n" + "  let f (y: i32) = y + x\n  let x = f x\n" * 5000 + "  in x",
              "1", "0i32"),
    "concats": ("def main [n] (xs: [n]i32): []i32 = (xs" + " ++ xs" * 1000 + ")[1998:]",
                "[7,8]", "[7i32, 8i32, 7i32, 8i32]"),
}


def deep(run):
    for name, (text, words, result) in LONG.items():
        file = pathlib.Path(run.folder) / f"long_{name}.fut"
        file.write_text(text + "\n")
        for backend in ("interp", "cpu"):
            run.case(["run", f"--backend={backend}", file.name] + words.split(), OK, [result])
    (pathlib.Path(run.folder) / "too_long.fut").write_text("def main (x: i32) = x" + " + x" * 140000 + "\n")
    for backend in ("interp", "cpu", "gpu"):
        run.case(["run", f"--backend={backend}", "too_long.fut", "1"], REJECTED,
                 err=["more than 131072 operations", "[H2002]"])


# Lines of a session, each a program that was not there before, and what they may add to its memory.
def session(run):
    for backend, first, more, most_kb in [("interp", 100, 300, 6000), ("cpu", 100, 200, 6000),
                                          ("gpu", 110, 100, 25000)]:
        grown = growth(backend, first, more)
        if grown > most_kb:
            run.fail([f"repl --backend={backend}"], f"{more} programs leave {grown} KB")
        else:
            run.passed += 1


def growth(backend, first, more):
    with subprocess.Popen([HALO, "repl", f"--backend={backend}"], stdin=subprocess.PIPE, text=True,
                          stdout=subprocess.PIPE, env=dict(os.environ, HALO_HISTORY="off")) as halo:
        resident = []
        for count in (first, more):
            for i in range(count):
                k = len(resident) * first + i
                halo.stdin.write(f"i32.sum (map (\\x -> (x * {k} + 7) ^ {k % 31}) (map i32.i64 (iota {100 + k})))\n")
                halo.stdin.flush()
                halo.stdout.readline()
            status = pathlib.Path(f"/proc/{halo.pid}/status").read_text()
            resident.append(int(re.search(r"VmRSS:\s+(\d+)", status)[1]))
        halo.stdin.close()
        return resident[1] - resident[0]


def main():
    with tempfile.TemporaryDirectory() as name:
        run = Runner(pathlib.Path(name))
        for part in [deep, session]:
            part(run)
        print(f"{run.passed} passed, {run.failed} failed")
        return 1 if run.failed else 0


sys.exit(main())
