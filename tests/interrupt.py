#!/usr/bin/env python3
"""Ctrl-C ends compiled code in every kind of loop, at both tiers and with threads.

usage: tests/interrupt.py HALO [BACKEND..]

Each entry below runs for hours. It gets SIGINT once it has run for a moment, and must say so
(H7011) soon, with status 1 and no result.
"""

import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time

HALO = sys.argv[1]
BACKENDS = sys.argv[2:] or ["cpu", "interp"]
MOST = 60  # seconds until it must have ended, on a busy machine
PROGRAM = """
entry whiles (n: i64) = loop x = n while x != 0 do x * 3 + 1 | 1
entry counted (n: i64) = loop x = n for i < n * n do x * 3 + i
entry nested (n: i64) = loop x = n for i < n do loop y = x for j < n do (loop z = y for k < n do z * 3 + k)
entry mapped (n: i64) = i64.sum (map (\\i -> loop x = i for j < n * n do x * 5 + j) (iota 1000))
entry lanes (n: i64) = i64.sum (map (\\i -> loop x = i while x != -1 do (x * 3 + 2) & 0xffff) (iota 1000))
entry reduced (n: i64) = loop x = 0 for i < n do
  x + reduce (\\a b -> a * 3 + b) 0 (map (\\i -> (i + x) % 7) (iota 3000000))
entry summed (n: i64) = i64.sum (map (\\i -> i64.sum (map (\\j -> (i * j) % 7) (iota n))) (iota n))
entry scanned (n: i64) = loop x = 0 for i < n do x + last (scan (+) x (iota 100000))
entry scattered (n: i64) =
  loop xs = replicate 1000 0i64 for i < n do scatter xs (map (% 1000) (iota 10000)) (replicate 10000 i)
entry counts (n: i64) =
  loop xs = replicate 10 0i64 for i < n do
    reduce_by_index xs (+) 0 (map (% 10) (iota 10000)) (replicate 10000 i)
entry steps (n: i64) =
  (loop xs = replicate 300 (replicate 300 1f32) for i < n do
     stencil_2d [(-1, 0), (0, -1), (0, 1), (1, 0)] (\\() v -> 0.25f32 * (v[0] + v[1] + v[2] + v[3]))
                (replicate 300 (replicate 300 ())) xs)[0, 0]
entry product (n: i64) =
  (loop a = replicate 200 (replicate 200 1f32) for i < n do
     map (\\r -> map (\\c -> f32.sum (map2 (*) r c) * 0.004f32) (transpose a)) a)[0, 0]
entry growing (n: i64) = length (loop xs = [n] while length xs > 0 do
  if length xs > 10 then [n] else xs ++ [n])
def deep (n: i64): i64 = if n <= 0 then 0 else 1 + deep (n - 1)
entry recursive (n: i64) = loop x = 0 for i < n do x + deep 1000
def fibonacci (n: i64): i64 = if n < 2 then n else fibonacci (n - 1) + fibonacci (n - 2)
entry tree (n: i64) = fibonacci (n / 10000)
entry appended (n: i64) =
  loop x = 0 for i < n do
    let (_, _, _, data, _) = flatmap (\\j -> (filter (> x) (iota j), ())) (iota 100) in x + length data - length data
"""


def entries():
    return [line.split()[1] for line in PROGRAM.splitlines() if line.startswith("entry")]


def listens(pid):
    """Whether the process has a handler for SIGINT: a busy machine may take long to get there."""
    caught = re.search(r"^SigCgt:\s*(\w+)", pathlib.Path(f"/proc/{pid}/status").read_text(), re.M)
    return caught and int(caught.group(1), 16) >> (signal.SIGINT - 1) & 1


def stopped(command):
    """The fault in the end of the program; nothing if it ends as it should."""
    run = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    while run.poll() is None and not listens(run.pid):
        time.sleep(0.05)
    time.sleep(0.7)
    if run.poll() is not None:
        return f"ended by itself: status {run.returncode}, {run.communicate()}"
    run.send_signal(signal.SIGINT)
    try:
        out, err = run.communicate(timeout=MOST)
    except subprocess.TimeoutExpired:
        run.kill()
        return f"still running {MOST} seconds after SIGINT"
    good = run.returncode == 1 and b"[H7011]" in err and not out
    return "" if good else f"status {run.returncode}, {out[:100]} {err[-300:]}"


def main():
    problems = count = 0
    with tempfile.TemporaryDirectory() as folder:
        program = pathlib.Path(folder, "endless.fut")
        program.write_text(PROGRAM)
        for backend in BACKENDS:
            ways = [["--tier=1"], ["--tier=2"], ["--threads=2"]] if backend == "cpu" else [[]]
            for entry in entries():
                for flags in ways:
                    command = [HALO, "run", f"--backend={backend}", *flags, f"--entry={entry}", program,
                               "1000000i64"]
                    problem = stopped(command)
                    count += 1
                    if problem:
                        problems += 1
                        print(f"{backend} {entry} {' '.join(flags)}: {problem}")
    print(f"{count} runs interrupted, {problems} of them wrong")
    sys.exit(1 if problems else 0)


main()
