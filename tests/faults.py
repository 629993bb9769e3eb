#!/usr/bin/env python3
"""Faults around a program that is right: texts of any depth, files, memory, disks.

usage: faults.py HALO
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

from runner import HALO, OK, REJECTED, RUN_TIME, USAGE, Runner

# As long as generators write them. `++` copies all that is before it: fewer of those.
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
    "concats_of_rows": ("def main [n] (xs: [n][3]i32): [][3]i32 = let ys = map (map (+ 1)) xs\n"
                        "  in (xs" + " ++ ys[1:] ++ transpose (transpose ys)" * 60 + ")[178:]",
                        "[[1,2,3],[4,5,6]]", "[[5i32, 6i32, 7i32], [5i32, 6i32, 7i32], [2i32, 3i32, 4i32], "
                        "[5i32, 6i32, 7i32]]"),
}


def deep(run):
    for name, (text, words, result) in LONG.items():
        file = pathlib.Path(run.folder) / f"long_{name}.fut"
        file.write_text(text + "\n")
        on_gpu = ["gpu"] if name.startswith("concats") or name == "updates" else []
        for backend in ["interp", "cpu"] + on_gpu:
            run.case(["run", f"--backend={backend}", file.name] + words.split(), OK, [result])
    (pathlib.Path(run.folder) / "too_long.fut").write_text("def main (x: i32) = x" + " + x" * 140000 + "\n")
    for backend in ("interp", "cpu", "gpu"):
        run.case(["run", f"--backend={backend}", "too_long.fut", "1"], REJECTED,
                 err=["more than 131072 operations", "[H2002]"])


FILES = {
    "next.fut": "def main (x: i32): i32 = x + 1\n",
    "minus.fut": "def main (x: i32) (y: i32): i32 = x - y\n",
    "endless.fut": "def main (n: i32) = loop x = n while x >= 0 do x\n",
    "sum.fut": "def main (xs: []i32): i32 = i32.sum (map (* 3) xs)\n",
}


def files(run):
    for name, text in FILES.items():
        (run.folder / name).write_text(text)
    run.case(["run", "minus.fut", "-3", "4"], OK, ["-7i32"])
    run.case(["run", "minus.fut", "4", "--", "-3"], OK, ["7i32"])
    run.case(["next.fut", "--", "-3"], OK, ["-2i32"])
    run.case(["run", "next.fut", "--", "--quiet"], USAGE, err=["[H8003]"])
    for words in (["run", "next.fut", "--nosuch"], ["run"], ["frobnicate"],
                  ["run", "--threads=x", "next.fut", "3"]):
        run.case(words, USAGE, err=["error: ", "[H8003]", "--help"])
    for backend in ("interp", "cpu", "gpu"):  # the interrupted call has a place
        run.case(["run", "--time-limit=1", f"--backend={backend}", "endless.fut", "1"], RUN_TIME,
                 err=["interrupted [H7011]\n --> endless.fut:"])
    os.mkfifo(run.folder / "pipe")
    run.case(["run", "next.fut", "@pipe"], USAGE, err=["nobody writes to this pipe", "[H8006]"])
    run.case(["run", "next.fut", "3", "--save", "pipe"], USAGE, err=["nobody reads", "[H8007]"])
    run.case(["run", "next.fut", "3", "--save", "/dev/stdout"], OK, ["4i32"])
    old = run.folder / "old"
    old.write_text("precious")
    full = ("import os, resource, signal, sys; signal.signal(signal.SIGXFSZ, signal.SIG_IGN); "
            "resource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000)); os.execv(sys.argv[1], sys.argv[1:])")
    cache = dict(os.environ, XDG_CACHE_HOME=str(run.folder / "cache"))
    done = subprocess.run([sys.executable, "-c", full, HALO, "dataset", "-g", "[9000]i32", "-o", "old"],
                          cwd=run.folder, capture_output=True, text=True, env=cache)
    if done.returncode != USAGE or "H8007" not in done.stderr or old.read_text() != "precious":
        run.fail(["dataset", "-o", "old"], repr(done))


# Device code comes from the disk for the same program, device, options and build alone, and says the
# same as code that was just made.
def device_code(run):
    home = run.folder / "device-code"
    home.mkdir()
    environment = {"XDG_CACHE_HOME": str(home)}
    (run.folder / "step.fut").write_text("def step (x: i32): i32 = x * 3\n")
    (run.folder / "steps.fut").write_text(
        'import "step"\ndef main (xs: []i32) (i: i64): i32 = (map step xs)[i]\n')

    def answer(is_cached, out, options=(), halo=HALO, index="1"):
        words = [halo, "run", "--backend=gpu", "--quiet", "--time-passes", *options, "steps.fut", "[1,2]", index]
        done = subprocess.run(words, cwd=run.folder, capture_output=True, text=True,
                              env=dict(os.environ, **environment))
        was_cached = "make kernels" not in done.stderr
        if done.stdout != out or was_cached != is_cached:
            run.fail(words, f"expected {'' if is_cached else 'no '}code from the disk\n{done.stdout}{done.stderr}")
        run.passed += 1
        return [line for line in done.stderr.splitlines() if " ms" not in line]

    missed = [answer(False, "6i32\n"), answer(False, "6i32\n", ["--explain"])]
    answer(True, "6i32\n")
    if answer(False, "6i32\n", ["--explain"]) != missed[1]:
        run.fail(["--explain"], "other lines beside cached code")
    found = answer(True, "", index="7")
    if not any("[H7001]" in line for line in found):
        run.fail(["index 7"], repr(found))
    answer(False, "6i32\n", ["--variant=plain"])
    answer(False, "6i32\n", ["--fp=strict"])
    (run.folder / "step.fut").write_text("def step (x: i32): i32 = x * 4\n")
    answer(False, "8i32\n")
    answer(True, "8i32\n")
    (run.folder / "step.fut").write_text("def step (x: i32): i32 = x + true\n")
    run.case(["run", "--backend=gpu", "steps.fut", "[1,2]", "1"], REJECTED, err=["step.fut:1:"], environment=environment)


# Every cached file in turn is damaged, a folder, open for all to write: always the answer.
def caches(run):
    words = ["sum.fut", "[1,2,3]"]
    for backend in ("cpu", "gpu"):
        home = run.folder / f"caches-{backend}"
        home.mkdir()
        environment = {"XDG_CACHE_HOME": str(home)}
        call = ["run", f"--backend={backend}"] + words
        run.case(call, OK, ["18i32"], environment=environment)
        cached = [path for path in home.rglob("*") if path.is_file()]
        folders = {path.parent.name for path in cached}
        if not folders >= ({"objects"} if backend == "cpu" else {"code", "objects", "pipelines", "spirv"}):
            run.fail(call, f"files are cached in {folders} alone")
        for path in cached:
            whole = path.read_bytes()
            for damage in (lambda: path.write_bytes(whole[:len(whole) // 2]), lambda: path.write_bytes(b""),
                           lambda: path.chmod(0o666), lambda: (path.unlink(), path.mkdir())):
                damage()
                run.case(call, OK, ["18i32"], environment=environment)
    (home / "halo").chmod(0o777)
    run.case(["run", "--backend=cpu"] + words, OK, ["18i32"], environment=environment)


# Lines of a session, each a program that was not there before, and the memory they may add.
def session(run):
    for backend, first, more, most_kb in [("interp", 300, 900, 3000), ("cpu", 300, 300, 3000),
                                          ("gpu", 110, 100, 25000)]:
        grown, is_kept = growth(backend, first, more)
        if grown > most_kb or not is_kept:
            run.fail([f"repl --backend={backend}"], f"{more} programs leave {grown} KB; `it` is kept: {is_kept}")
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
                last = halo.stdout.readline()
            status = pathlib.Path(f"/proc/{halo.pid}/status").read_text()
            resident.append(int(re.search(r"VmRSS:\s+(\d+)", status)[1]))
        halo.stdin.write("it\n")  # the value is not forgotten on the way
        halo.stdin.close()
        kept = halo.stdout.readline()
        return resident[1] - resident[0], kept == last


def main():
    with tempfile.TemporaryDirectory() as name:
        run = Runner(pathlib.Path(name))
        for part in [deep, files, caches, device_code, session]:
            part(run)
        print(f"{run.passed} passed, {run.failed} failed")
        return 1 if run.failed else 0


sys.exit(main())
