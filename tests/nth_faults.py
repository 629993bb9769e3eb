#!/usr/bin/env python3
"""The n-th file operation, thread, allocation or call of Vulkan fails, or the process is
killed in the middle of a write: the answer or a diagnostic, and the session goes on.

usage: nth_faults.py HALO LIBRARY LOADER

LIBRARY is preloaded (nth_fault.c); LOADER stands in front of Vulkan's loader (nth_vulkan.c).
"""

import ctypes
import os
import pathlib
import subprocess
import sys
import tempfile

from runner import HALO, OK, USAGE, Runner

LINES = "def f (x: i32) = x * 3\ni32.sum (map f [1, 2, 3])\ni32.sum (map f [4, 5])\ni32.sum (map f [1, 2, 3])\n"
# Loops recorded and undone, counted ones in cells, products by bin, scans, results of unknown size.
REVERSE = """def f [n] (xs: [n]f64) : f64 =
  let a = loop ys = copy xs for i < n do ys with [i] = ys[(i + 1) % n] * ys[i]
  let b = loop ys = xs for _i < 3i64 do map (\\y -> f64.sin y * f64.sum ys) ys
  let step x = loop (y, i) = (x, 0i64) while i < n && y < 9 do (y * (1.2 + xs[i]), i + 1)
  let c = map ((.0) <-< step) xs
  let d = reduce_by_index (replicate 3 1) (*) 1 (map (% 3) (iota n)) xs
  let e = scan (\\(a, b) (c, d) -> (a * c, b * c + d)) (1, 0) (map (\\x -> (x, x * x)) xs)
  in f64.sum (a ++ b ++ c ++ map (.1) e) + f64.product d + f64.product (filter (> 0.6) xs)
def main [n] (xs: [n]f64) = vjp f xs 1
"""
# Few of the first calls, then ever fewer: drivers and LLVM make thousands.
FIRST, LAST = 6, 70000
# A call that finds no memory, and one that finds the device lost.
VULKAN = ["vulkan", "lost"]
LIBRARY, LOADER = (pathlib.Path(path).resolve() for path in sys.argv[2:4])


def places(last):
    n = 1
    while n <= last:
        yield n
        n = n + 1 if n < FIRST else n * 2


# Of the calls that a run makes at the end.
LATE, MOST = 24, 1 << 22


def one(run, words, environment, stdin=""):
    """The finished process; nothing if it did not end."""
    try:
        return subprocess.run([HALO] + words, cwd=run.folder, timeout=120, capture_output=True,
                              text=True, input=stdin, env=dict(os.environ, **environment))
    except subprocess.TimeoutExpired:
        return None


def vulkan_loader():
    """The path of the real one; nothing on machines without."""
    try:
        ctypes.CDLL("libvulkan.so.1")
    except OSError:
        return None
    lines = pathlib.Path("/proc/self/maps").read_text().splitlines()
    return next(line.split()[-1] for line in lines if "/libvulkan.so" in line)


def with_fault(run, kind, n, cache):
    """The environment in which the n-th call of this kind fails."""
    environment = {"NTH_FAULT": f"{kind}:{n}", "NO_COLOR": "1", "HALO_HISTORY": "off",
                   "XDG_CACHE_HOME": str(run.folder / cache)}
    if kind in VULKAN:
        return environment | {"LD_LIBRARY_PATH": str(LOADER.parent),
                              "NTH_FAULT_LOADER": vulkan_loader()}
    return environment | {"LD_PRELOAD": str(LIBRARY)}


SUM = ["sum.fut", "@in.txt"], "18i32\n"
# Launches of several kernels, with updates in arms.
ARMS = """def main (n: i64) = loop (a, h) = (iota n, replicate 5 0) for i < 5 do
  let s = i64.sum a
  let h = if s > 20 then h with [i] = s else h
  in (map (\\x -> loop x for j < x % 5 do x + j) (if s % 2 == 0 then a with [i] = s else a), h)
"""
ARMS_CALL = ["arms.fut", "5"], "[10i64, 30i64, 66i64, 6i64, 123i64]\n[0i64, 30i64, 62i64, 119i64, 122i64]\n"


def fault(run, kind, backend, ns, call=SUM):
    arguments, answer = call
    for n in ns:
        environment = with_fault(run, kind, n, f"cache-{arguments[0]}-{kind}-{backend}-{n}")
        words = ["run", f"--backend={backend}"] + arguments
        done = one(run, words, environment)
        if done is None:
            run.fail(words, f"no end with {kind}:{n}")
            continue
        is_right = done.returncode == OK and done.stdout == answer
        if is_right or is_told(done):
            run.passed += 1
        else:
            run.fail(words, f"with {kind}:{n} status {done.returncode}\n{done.stdout}{done.stderr[-300:]}")


def vulkan_calls(run, call):
    """How many calls of the driver that can fail a run of the program makes."""
    counted = run.folder / "calls.txt"
    environment = with_fault(run, "vulkan", 0, "cache-count") | {"NTH_FAULT_COUNT": str(counted)}
    one(run, ["run", "--backend=gpu"] + call[0], environment)
    return int(counted.read_text())


# The next process finds what was left, alone and beside others that write as well.
def killed(run, backend, ns):
    words = ["run", f"--backend={backend}", "sum.fut", "@in.txt"]
    for n in ns:
        environment = with_fault(run, "kill", n, f"killed-{backend}-{n}")
        first = one(run, words, environment)
        is_over = first is not None and first.returncode == OK
        del environment["NTH_FAULT"]
        others = [subprocess.Popen([HALO] + words, cwd=run.folder, stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL, env=dict(os.environ, **environment))
                  for _ in range(2)]
        done = one(run, words, environment)
        codes = [other.wait(timeout=120) for other in others]
        if done is None or done.stdout != "18i32\n" or codes != [OK, OK]:
            run.fail(words, f"behind kill:{n}: {done!r} {codes}"[-500:])
        else:
            run.passed += 1
        if is_over:
            return


def session(run, kind, backend, ns):
    for n in ns:
        environment = with_fault(run, kind, n, f"repl-{kind}-{backend}-{n}")
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


def is_told(done):
    return done is not None and done.returncode in (1, 2, 3, 64) and "[H" in done.stderr


def reverse(run, backend):
    """The last allocations of a reverse sweep."""
    words = ["run", f"--backend={backend}", "--threads=1", "reverse.fut", "[0.9, 0.5, 1.2, 0.4, 0.7]"]
    environment = {"LD_PRELOAD": str(LIBRARY), "NO_COLOR": "1", "XDG_CACHE_HOME": str(run.folder / "reverse")}
    right = one(run, words, environment).stdout

    def at(n):
        return one(run, words, dict(environment, NTH_FAULT=f"memory:{n}"))

    low, high = 1, MOST  # a fault that is told, and one behind the end
    while high - low > 1:
        middle = (low + high) // 2
        if is_told(at(middle)):
            low = middle
        else:
            high = middle
    if low == 1:
        run.fail(words, "no fault is told")
    for n in range(max(1, low - LATE), high + 1):
        done = at(n)
        is_right = done is not None and done.returncode == OK and done.stdout == right
        if is_right or is_told(done):
            run.passed += 1
        else:
            run.fail(words, f"with memory:{n} " + ("no end" if done is None else repr(done)[-500:]))


def main():
    with tempfile.TemporaryDirectory() as name:
        run = Runner(pathlib.Path(name))
        (run.folder / "sum.fut").write_text("def main (xs: []i32): i32 = i32.sum (map (* 3) xs)\n")
        (run.folder / "arms.fut").write_text(ARMS)
        (run.folder / "reverse.fut").write_text(REVERSE)
        (run.folder / "in.txt").write_text("[1,2,3]")
        for kind in ("open", "read", "write", "rename", "thread"):
            for backend in ("cpu", "gpu"):
                fault(run, kind, backend, places(60))
                session(run, kind, backend, places(60))
        for backend in ("cpu", "gpu"):
            killed(run, backend, range(1, 60))
        # Each call of a run that compiles, as it makes some 50; fewer of a session.
        if vulkan_loader():
            for kind in VULKAN:
                fault(run, kind, "gpu", range(1, 56))
                fault(run, kind, "gpu", range(58, vulkan_calls(run, ARMS_CALL) + 1, 4), ARMS_CALL)
                session(run, kind, "gpu", range(30, 90, 7))
        # Not on the GPU: drivers need memory and do not ask whether they got it.
        for backend in ("interp", "cpu"):
            fault(run, "memory", backend, places(LAST))
            reverse(run, backend)
        print(f"{run.passed} passed, {run.failed} failed")
        return 1 if run.failed else 0


sys.exit(main())
