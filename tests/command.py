#!/usr/bin/env python3
"""The halo command as a person uses it: arguments, files, exit status, messages.

usage: command.py HALO

Every case is one call: its input, the exit status it must have (docs/design.md#values-in-and-out), and texts that
standard output or standard error must contain. A death by signal or a wait of a minute fails.
"""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

from runner import CANNOT_RUN, HALO, OK, REJECTED, RUN_TIME, USAGE, Runner


PROGRAMS = {
    "scale.fut": "def main [n] (k: f32) (xs: [n]f32) = map (* k) xs\n",
    "two.fut": "def main (x: i32) (y: i32): (i32, i32) = (x + y, x - y)\n",
    "index.fut": "def main (i: i64) (xs: []i32) = xs[i]\n",
    "divide.fut": "def main (x: i32) (y: i32) = x / y\n",
    # States of a loop that no memory holds, and an array.
    "states.fut": "def main (x: f64) (n: i64) =\n  vjp (\\x -> loop y = x for _i < n do f64.sin y) x 1\n",
    "large.fut": "def main (n: i64) =\n  map (+ 1) (iota n)\n",
    "line.fut": "-- run: 3 [1, 2] --save line.out\ndef main [n] (k: i32) (xs: [n]i32) = map (+ k) xs\n",
    "grey.fut": "def main [n][m] (p: [n][m]f32): [n][m]f32 = map (map (1f32 -)) p\n",
    "wrong.fut": "def main (x: i32) = x + true\n",
    "name.fut": "def main (xs: []i32) = i32.summ xs\n",
    "size.fut": "def main [n][m] (xs: [n]i32) (ys: [m]i32) = map2 (+) xs ys\n",
    "import.fut": "import \"nowhere\"\ndef main (x: i32) = x\n",
    "zero.fut": "import \"scale\\0\"\ndef main (x: i32) = x\n",
    "syntax.fut": "def main (x: i32) = (x +\n",
    "entries.fut": "entry one (x: i32) = x + 1\nentry two (x: i32) = x + 2\n",
    "fused.fut": "def main (n: i64) (xs: []i32) = map (\\i -> xs[i + 5]) (map (\\i -> xs[i] + 0 |> i64.i32) (iota n))\n",
    "described.fut": "-- | Twice.\ndef double (x: i32) = 2 * x\nlocal def hidden = 1i32\n"
                     "module m = {\n  -- | One more.\n  def next (x: i32) = x + hidden\n}\ntype t = i32\n",
    "sum.fut": "def main (xs: []f32) = f32.sum (map (\\x -> x * x) xs)\n",
    "steps.fut": "def main [n] (m: i64) (xs: [n]f32) =\n  loop ys = copy xs for _i < m do\n"
                 "    stencil_1d [-1, 0, 1] (\\_ w -> (w[0] + w[1] + w[2]) / 3) (replicate n ()) ys\n",
    # A sum whose bits depend on the order of additions, said to be exact: engines disagree.
    "order.fut": "-- tolerance: exact\n-- ==\n-- input { 1000i64 }\n"
                 "def main (n: i64) = f32.sum (map (\\i -> 1f32 / f32.i64 (i + 1)) (iota n))\n",
    "entries_behind.fut": "-- ==\n-- entry: f\n-- input { 1i32 }\n-- entry: g\n-- input { 2i64 }\n"
                          "entry f (x: i32) = x\nentry g (x: i64) = x\n",
    "block.fut": "-- ==\n-- input { 1i32 output { 1i32 }\ndef main (x: i32) = x\n",
    "unused.fut": "def main (x: i32) (y: i32) = x\n",
    "hidden_sizes.fut": "def e (i: i64) : ?[k].[k]i64 = iota i\n"
                        "def f (xs: []i64) = flatmap' e xs\n"
                        "def g (xs: []i64) = flatmap' (\\(i: i64) : []i64 -> iota i) xs\n",
    "meant.fut": "def main (x: i32) (_y: i32) = x\n",
    "calls.fut": "import \"scale\"\nmodule m = { type t = i32 def one = 1i32 }\n"
                 "entry square (w: i32) = let w = i64.i32 w in tabulate_2d w w (\\i j -> i + j)\n"
                 "entry total (xs: [][]i64) = i64.sum (flatten xs)\n"
                 "entry two (x: i32) = (x, #some m.one : #some i32 | #none)\n",
    "endless.fut": "-- ==\n-- entry: endless same\n-- input { 1 } output { 1 }\n"
                   "entry endless (n: i32) = loop x = n while x >= 0 do x\nentry same (n: i32) = n\n",
    "wording.fut": "-- ==\n-- error: in Futhark's words\ndef main (x: i32) = x + true\n",
    "property.fut": "-- ==\n-- property: small\nentry small (xs: [3]u8) = xs[0] < 250\n",
    "shrinks.fut": "-- ==\n-- property: few\n"
                   "entry numbers (size: i64) (seed: i64): (i64, i64) = (size + 8, seed % 5)\n"
                   "entry less (x: i64) (y: i64) (way: i32): (i64, i64) = if way == 0 then (x - 1, y) else (x, 0)\n"
                   "#[prop(gen(numbers), shrink(less))]\nentry few (x: i64) (y: i64): bool = x < 11\n",
    "tuned.fut": "-- ==\n-- input { 1i32 } output { 41i32 }\nentry main (x: i32) = x + #[param(width)] 7\n",
    "warns.fut": "-- ==\n-- input { 1 }\n-- warning: H3999\nentry main (x: i32) = x\n",
    "structure.fut": "-- ==\n-- input { 1 }\n-- structure gpu { SegMap 1 }\nentry main (x: i32) = x\n",
    "trace.fut": "type t = #none | #some (i32, [2]bool)\n"
                 "def main (x: i32) = let y: t = #[trace(tag)] (#some (x, [true, false])) in #[trace] x + 1\n",
    "variant.fut": "type t = #none | #some i32 {a: i32, b: [2]i32}\n"
                   "def main (x: t) (ys: []t): ([]t, t) = (ys, x)\n",
    "pair.fut": "def main [n] (p: (i8, {xs: [n]f32})) (y: i32) = (p, y)\n",
    "deep.fut": "def f (n: i64): i64 = if n == 0 then 0 else 1 + f (n - 1)\ndef main (n: i64) = f n\n",
    "record.fut": "type s = #none | #some i32\n"
                  "def main (x: f32): ({a: f32, b: [2]i32}, bool, s) = ({a = x, b = [1, 2]}, x > 0, #some 3)\n",
    "film.fut": "def main (n: i64) = tabulate_3d n 4 5 (\\t i j -> u8.i64 (t + i + j))\n",
    "page.fut": "-- # A page\n--\n-- Text.\n\ndef f (x: i32) = x + 1\n\n-- > f 41\n\n"
                "-- > :img tabulate_2d 4 4 (\\i j -> u8.i64 (i * j)); file: small.png\n"
                "-- > :plot2d {a = map f32.i64 (iota 5), b = (map f32.i64 (iota 3), [4f32, 5, 4])}\n"
                "-- > :video (\\s -> (replicate 3 (replicate 5 s), s + 20), 5u8, 4i64)\n"
                "-- > reduce (+) 0 ($loaddata \"two.npy\")\n",
    "bad_page.fut": "def f (x: i32) = x / 0\n\n-- > f 1\n-- > :gnuplot f\n-- > f\n-- > 1 + 1\n",
    "steps.fut": "-- run: 40 9\ndef main (n: i64) (steps: i64): i32 =\n"
                 "  let xs = loop xs = tabulate_2d n n (\\i j -> i32.i64 (i * 7 + j)) for _i < steps do\n"
                 "    stencil_2d [(-1, 0), (0, -1), (0, 1), (1, 0)]\n"
                 "      (\\() v -> v[0] + v[1] - v[2] + v[3]) (rep (rep ())) xs\n"
                 "  in i32.sum (flatten xs)\n",
    "far_steps.fut": "-- run: 40 9\ndef main (n: i64) (steps: i64): i32 =\n"
                     "  let xs = loop xs = iota n |> map i32.i64 for _i < steps do\n"
                     "    stencil_1d [-3, 1] (\\() v -> v[0] - v[1]) (rep ()) xs\n"
                     "  in i32.sum xs\n",
    "sorts.fut": "-- run: 3000\ndef main (n: i64): []u32 =\n"
                 "  u32.sort (map (\\i -> u32.i64 i * 2654435761) (iota n))\n",
    "rows.fut": "-- run: 30 40\ndef main (n: i64) (m: i64): [n][m]i32 =\n"
                "  map (\\row -> let s = i32.sum row in map (+ s) row)\n"
                "      (tabulate_2d n m (\\i j -> i32.i64 (i * 7 + j)))\n",
    "chain.fut": "-- run: 40 9\ndef main (n: i64) (steps: i64): f32 =\n"
                 "  let (e, _) = loop (e, h) = (replicate n 1f32, replicate n 2f32) for _i < steps do\n"
                 "    let h = stencil_1d [0, 1] (\\old v -> old + 0.5f32 * (v[1] - v[0])) h e\n"
                 "    in (stencil_1d [-1, 0] (\\old v -> old + 0.5f32 * (v[1] - v[0])) e h, h)\n"
                 "  in e[n / 2]\n",
    "gradient.fut": "-- run: [1.0, 2.0, 3.0]\ndef main [n] (xs: [n]f64): [n]f64 =\n"
                    "  vjp (\\xs -> let ys = #[checkpoint(4)] loop ys = xs for i < n do map (* ys[i]) ys\n"
                    "       let zs = loop zs = ys for _i < n do map (* 2) zs\n"
                    "       let s = loop s = 1 for i < n do s * zs[i]\n"
                    "       in map (\\i -> s * xs[(i * i) % n]) (iota n)) xs xs\n",
    "slow_steps.fut": "-- run: 40 9\ndef main (n: i64) (steps: i64): f32 =\n"
                      "  let xs = loop xs = replicate n 3f32 for _i < steps do\n"
                      "    stencil_1d [-1, 1] (\\() v -> f32.sqrt (v[0] / 3 + v[1] / 7) / 5 + v[0] / v[1])"
                      " (rep ()) xs\n"
                      "  in xs[n / 2]\n",
    "bytes.fut": None,
}


def values(run):
    run.case(["run", "scale.fut", "2", "[1, 2.5]"], OK, ["[2.0f32, 5.0f32]"])
    run.case(["run", "scale.fut"], OK, ["[2.0f32, 5.0f32]"], stdin="2f32 [1f32, 2.5f32]")
    run.case(["scale.fut", "2", "[1, 2.5]"], OK, ["[2.0f32, 5.0f32]"])
    run.case(["run", "two.fut", "7", "-9"], OK, ["-2i32\n16i32\n"])
    run.case(["run", "entries.fut", "--entry=two", "40"], OK, ["42i32"])
    run.case(["run", "line.fut"], OK)
    if "[4i32, 5i32]" not in (run.folder / "line.out").read_text():
        run.fail(["run", "line.fut"], "line.out lacks the result")
    run.case(["run", "scale.fut", "2", "[1, 2]", "--save", "two.npy"], OK)
    run.case(["run", "scale.fut", "3", "@two.npy"], OK, ["[6.0f32, 12.0f32]"])
    run.case(["run", "grey.fut", "[[0.0, 1.0], [0.5, 0.25]]", "--save", "grey.png"], OK)
    run.case(["run", "grey.fut", "@grey.png"], OK, ["0.0f32"])
    for backend in ["interp", "cpu", "gpu", "auto"]:
        run.case(["run", "--backend=" + backend, "sum.fut", "[3, 4]"], OK, ["25.0f32"])


def script_command(run):
    for backend in ["interp", "cpu", "auto"]:
        run.case(["script", "--backend=" + backend, "calls.fut", "total (square 3)"], OK, ["18i64\n"])
    run.case(["script", "calls.fut", "-e", "(total (square 2), [1, 2])"], OK, ["4i64\n[1i32, 2i32]\n"])
    run.case(["script", "calls.fut", "[[1i64, 2i64]]"], OK, ["[[1i64, 2i64]]"])
    run.case(["script", "calls.fut", '$store "stored.in" (square 2)'], OK)
    run.case(["script", "calls.fut", 'total ($loaddata "stored.in")'], OK, ["4i64"])
    run.case(["script", "calls.fut", "total"], RUN_TIME, err=["gives a function"])
    run.case(["script", "calls.fut", "$store total 1"], RUN_TIME, err=["takes the name of a file"])
    run.case(["script", "calls.fut", "-f", "none.txt"], USAGE, err=["[H8001]"])
    run.case(["defs", "calls.fut"], OK, ["value m.one calls.fut:2:31\n", "type m.t calls.fut:2:19\n",
                                         "value main scale.fut:1:5\n"])
    run.case(["imports", "calls.fut"], OK, ["calls.fut\n", "scale.fut\n"])
    run.case(["tokens", "two.fut"], OK, ["1:1 keyword def\n1:5 identifier main\n"])
    run.case(["defs", "syntax.fut"], REJECTED)
    run.case(["dataset", "-t", "-g", "[10][3]f32", "-g", "i8"], OK, ["[10][3]f32\ni8\n"])


def bad_input(run):
    run.case(["run", "scale.fut", "2"], USAGE, err=["[H8003]"])
    run.case(["run", "scale.fut", "2", "[1]", "[2]"], USAGE, err=["[H8003]"])
    run.case(["run", "scale.fut", "true", "[1]"], USAGE, err=["[H8004]"])
    run.case(["run", "scale.fut", "2", "[[1]]"], USAGE, err=["[H8004]"])
    run.case(["run", "scale.fut", "2", "[1, "], USAGE, err=["[H8002]"])
    run.case(["run", "scale.fut", "2", "@none.npy"], USAGE, err=["[H8001]"])
    run.case(["run", "scale.fut", "2", "@scale.fut"], USAGE)
    run.case(["run", "none.fut"], USAGE, err=["[H8001]", "none.fut"])
    run.case(["run", "entries.fut", "--entry=tow", "1"], USAGE, err=["[H8005]", "two"])
    run.case(["run", "--backend=warp", "sum.fut", "[1]"], USAGE, err=["[H6005]"])
    run.case(["run", "scale.fut", "--entrry=x"], USAGE)
    run.case(["nonsense"], USAGE)
    run.case(["run", "sum.fut", "[1]", "--save", "no/such/folder/x.npy"], USAGE, err=["[H8007]"])
    run.case(["dump", "--stage=wrong", "sum.fut"], USAGE, err=["[H8010]"])
    # Two minus signs begin a comment in Futhark's text format: not silently no value.
    run.case(["run", "two.fut", "1", "2", "--5"], USAGE, err=["unknown option `--5`"])
    run.case(["run", "--variant=direct:12345678901", "sum.fut", "[1]"], USAGE, err=["9 digits"])
    run.case(["golden", "nosuch"], USAGE, err=["[H8001]", "nosuch"])
    run.case(["golden", "x" * 300 + ".fut"], USAGE, err=["[H8001]"])
    run.case(["golden", "x" * 250 + ".core.exp"], USAGE, err=["[H8001]"])
    run.case(["fuzz", "--count=1"], USAGE, err=["[H8007]"], environment={"TMPDIR": "/nosuch"})
    run.case(["test", "--json", "/nosuch/x", "sum.fut"], USAGE,
             err=["file `/nosuch/x` cannot be written: No such file", "[H8007]"])


def broken_output(run):
    """Standard output on a full disk, closed, and memory for the loader alone."""
    for words in [["two.fut", "1", "2"], ["dump", "--stage=core", "sum.fut"], ["doc", "map"],
                  ["check", "--help"], ["dataset", "-g", "[100000]i32"]]:
        for target in ["> /dev/full", ">&-"]:
            done = subprocess.run(["sh", "-c", 'exec "$@" ' + target, "sh", HALO] + words,
                                  cwd=run.folder, capture_output=True, text=True)
            if done.returncode != RUN_TIME or "[H8007]" not in done.stderr:
                run.fail(words + [target], repr(done))
    limited = ("import resource, os, sys; resource.setrlimit(resource.RLIMIT_AS, (%d << 20,) * 2); "
               "os.execv(sys.argv[1], sys.argv[1:])")
    for megabytes in range(90, 150, 5):  # the loader's business below, enough above
        done = subprocess.run([sys.executable, "-c", limited % megabytes, HALO, "run",
                               "--backend=cpu", "chain.fut"], cwd=run.folder, text=True,
                              capture_output=True, env=dict(os.environ, XDG_CACHE_HOME="none"))
        is_said = done.returncode != RUN_TIME or "[H7" in done.stderr or "Sanitizer" in done.stderr
        if done.returncode < 0 or not is_said:
            run.fail([f"ulimit {megabytes} MB"], repr(done))


def poor_system(run):
    """A line without an end, and too few descriptors for the processes of tests."""
    for source, words, code, text in [("< /dev/zero", ["repl"], USAGE, "more than 16 MiB [H8006]"),
                                      ("", ["test", "--backend=interp", "line.fut"], RUN_TIME,
                                       "no process for tests: Too many open files [H7009]")]:
        few = "" if source else "ulimit -n 5; "
        done = subprocess.run(["sh", "-c", few + 'exec "$@" ' + source, "sh", HALO] + words,
                              cwd=run.folder, capture_output=True, text=True, timeout=60)
        if done.returncode != code or text not in done.stdout + done.stderr:
            run.fail(words + [source], repr(done))


def rejected(run):
    run.case(["check", "wrong.fut"], REJECTED, err=["wrong.fut:1:"])
    run.case(["check", "name.fut"], REJECTED, err=["[H3001]", "sum"])
    run.case(["check", "size.fut"], REJECTED, err=["[H4001]", "`m`", "`n`"])
    run.case(["check", "syntax.fut"], REJECTED, err=["syntax.fut:"])
    run.case(["check", "import.fut"], REJECTED, err=["import.fut:1:8", "[H8001]"])
    run.case(["check", "zero.fut"], REJECTED, err=["zero.fut:1:8", "[H8001]"])
    run.case(["check", "bytes.fut"], REJECTED)
    run.case(["run", "wrong.fut", "1"], REJECTED)
    run.case(["check", "scale.fut", "two.fut"], OK)
    run.case(["check", "unused.fut"], OK, err=["unused name `y`", "[H3001]"])
    run.case(["check", "--Werror", "unused.fut"], REJECTED, err=["unused name `y`"])
    run.case(["check", "-w", "--Werror", "unused.fut"], OK)
    run.case(["check", "--Werror", "meant.fut"], OK)
    run.case(["check", "--Werror", "hidden_sizes.fut"], OK)


def run_time(run):
    for backend in ["interp", "cpu", "gpu"]:
        where = "--backend=" + backend
        run.case(["run", where, "index.fut", "5", "[1, 2, 3]"], RUN_TIME,
                 err=["[H7001]", "`[5]`", "index.fut:1:", "xs[i]"])
        run.case(["run", where, "divide.fut", "1", "0"], RUN_TIME, err=["[H7003]", "x / y"])
        # Two fused maps fail, at different indices: the inner one comes first everywhere.
        run.case(["run", where, "fused.fut", "4", "[1, 2, 3]"], RUN_TIME, err=["[H7001]", "`[3]`"])
    for backend in ["cpu", "gpu"]:
        where = "--backend=" + backend
        run.case(["run", where, "states.fut", "1", "100000000000000"], RUN_TIME,
                 err=["[H7009]", "states.fut:2:14"])
        run.case(["run", where, "large.fut", "100000000000000"], RUN_TIME,
                 err=["[H7009]", "large.fut:2:3"])
    no_device = {"VK_DRIVER_FILES": "/nonexistent.json", "VK_ICD_FILENAMES": "/nonexistent.json"}
    run.case(["run", "--backend=gpu", "sum.fut", "[1]"], CANNOT_RUN, err=["[H6001]"],
             environment=no_device)
    run.case(["run", "--verbose", "sum.fut", "[1]"], OK, ["1.0f32"], ["cpu"],
             environment=no_device)


def tools(run):
    run.case(["devices"], OK)
    run.case(["doc", "map"], OK, ["map :", "every element"])
    run.case(["doc", "f32.sin"], OK, ["f32.sin : f32 -> f32", "radians"])
    run.case(["doc", "i32.+"], OK, ["i32.+ :", "wraps"])
    run.case(["doc", "stencil_2d"], OK, ["stencil.stencil_2d :"])
    run.case(["doc", "numeric"], OK, ["module type numeric", "Numbers"])
    run.case(["doc", "i32"], OK, ["module i32", "popc"])
    run.case(["doc", "boundary"], OK, ["type boundary", "outside"])
    run.case(["doc", "fft_f32.rfft"], OK, ["fft_f32.rfft : ", "first half"])
    run.case(["doc", "fft"], OK, ["module type fft", "inverse transforms"])
    run.case(["doc", "described.fut"], OK, ["double : i32 -> i32\nTwice.", "module m", "next : i32 -> i32", "type t = i32"])
    run.case(["doc", "described.fut", "next", "double"], OK, ["m.next : i32 -> i32\nOne more."])
    run.case(["doc", "described.fut", "nxt"], REJECTED, err=["the program has no `nxt`", "`next`"])
    run.case(["doc", "nosuch.fut"], USAGE, err=["[H8001]"])
    run.case(["doc", "unheard_of"], REJECTED, err=["has no `unheard_of`"])
    run.case(["doc", "every", "element"], OK, [" : "])
    run.case(["doc", "nothing", "happens"], REJECTED, err=["has no `nothing happens`"])
    run.case(["explain", "H7001"], OK, ["index_out_of_range"])
    run.case(["--help"], OK, ["run"])
    run.case(["run", "--help"], OK, ["--backend"])
    for stage in ["tokens", "ast", "types", "core", "core@fuse", "imp", "kernels", "glsl", "llvm",
                  "asm", "spirv"]:
        run.case(["dump", "--stage=" + stage, "sum.fut"], OK, ["f32"] if stage == "core" else [])
    # The options of the engine hold for what is shown: it is the function that `run` calls.
    run.case(["dump", "--stage=kernels", "--fp=strict", "sum.fut"], OK, ["assert"])
    run.case(["dump", "--stage=imp", "--variant=steps", "steps.fut"], OK, ["select", "3i64 1i64"])
    run.case(["dump", "--stage=imp", "--tier=1", "steps.fut"], OK, ["parallel"])
    run.case(["dump", "--stage=core", "--each", "sum.fut"], OK, ["fuse: join", "unchanged"])
    run.case(["run", "--time-passes", "--backend=cpu", "sum.fut", "[3f32, 4f32]"], OK, ["25.0f32"],
             err=["fuse ", "prove_bounds ", " ms"])
    core = subprocess.run([HALO, "dump", "--stage=core", "sum.fut"], cwd=run.folder,
                          capture_output=True).stdout
    (run.folder / "again.core").write_bytes(core)
    run.case(["run", "again.core", "[3f32, 4f32]"], OK, ["25.0f32"])
    run.case(["run", "--backend=gpu", "again.core", "[3f32, 4f32]"], OK, ["25.0f32"])
    for backend in ["cpu", "gpu"]:
        run.case(["run", "--backend=" + backend, "again.core", "1i32", "2i32"], USAGE,
                 err=["takes 1 arguments, found 2 [H8003]"])
        run.case(["run", "--backend=" + backend, "again.core", "1i32"], USAGE, err=["[H8004]"])
    imp = subprocess.run([HALO, "dump", "--stage=imp", "sum.fut"], cwd=run.folder,
                         capture_output=True).stdout
    (run.folder / "again.imp").write_bytes(imp)
    run.case(["run", "again.imp", "[3f32, 4f32]"], OK, ["25.0f32"])
    run.case(["dump", "--stage=imp", "again.imp"], OK, [imp.decode()])
    run.case(["dump", "--stage=tokens", "/dev/zero"], USAGE, err=["[H8001]"])
    run.case(["run", "sum.fut", "[1f32]"], USAGE, err=["[H8001]"], environment={"HALO_DEVICE_LIMITS": "/dev/zero"})
    run.case(["dump", "--stage=llvm", "again.imp"], OK, ["define"])
    (run.folder / "launches.imp").write_bytes(subprocess.run(
        [HALO, "dump", "--stage=imp-gpu", "sum.fut"], cwd=run.folder, capture_output=True).stdout)
    run.case(["run", "launches.imp", "[3f32, 4f32]"], 3, err=["launches kernels"])
    run.case(["dump", "--stage=types", "again.imp"], USAGE, err=["[H8010]", "of Imp text"])
    run.case(["dump", "--stage=core", "--each", "again.imp"], USAGE, err=["[H8010]", "behind all passes"])
    (run.folder / "derivative.core").write_text(
        "fn f(x_1: f64) -> (f64) {\n  y_2: f64 = f64.mul x_1 x_1\n  return y_2 }\n"
        "entry main(x_3: f64) -> (f64) {\n  (v_4: f64, d_5: f64) = call vjp.1.1.f (x_3, 1f64)\n  return d_5 }\n")
    run.case(["run", "derivative.core", "3f64"], OK, ["6.0f64"])
    (run.folder / "broken.core").write_text("entry main() -> (i32) { return x_1 }")
    run.case(["run", "broken.core"], REJECTED, err=["[H9001]"])
    (run.folder / "untyped.core").write_text(
        "entry main(x_1: i32) -> (i32) { y_2: i32 = f32.add x_1 x_1\n return y_2 }")
    run.case(["run", "untyped.core", "1i32"], REJECTED, err=["[H9002]"])
    (run.folder / "broken.imp").write_text("entry main")
    run.case(["run", "broken.imp"], REJECTED, err=["[H9003]"])
    (run.folder / "untyped.imp").write_text(
        "entry \"main\"(x_0: i32) -> (y_5) {\n  y_5: i32 = i32.add x_0 2i64 }\n")
    run.case(["run", "untyped.imp", "1i32"], REJECTED, err=["[H9004]"])
    run.case(["test", "--backend=interp,cpu", "order.fut"], RUN_TIME, ["[H6006]", "ulp"])
    run.case(["test", "--backend=interp", "block.fut"], RUN_TIME, ["[H8009]"])
    run.case(["test", "--backend=interp", "entries_behind.fut"], RUN_TIME, ["[H8009]", "`-- ==` is missing"])
    # A case that does not end is one failure, those after it still run.
    run.case(["test", "--backend=interp", "--timeout=1", "--json", "out.json", "endless.fut"],
             RUN_TIME, ["FAIL", "endless #1", "[H7011]", "1 passed, 1 failed"])
    # Futhark's programs expect Futhark's wording: only rejection counts, unless asked.
    run.case(["test", "--backend=interp", "wording.fut"], OK, ["1 passed"])
    run.case(["test", "--backend=interp", "--wording", "wording.fut"], RUN_TIME, ["does not match"])
    run.case(["test", "--backend=interp", "--seed=7", "property.fut"], RUN_TIME, ["is false for [250u8, 0u8, 0u8]"])
    run.case(["test", "-i", "--seed=7", "-n", "2", "--max-size=1", "--concurrency=1", "--no-terminal", "property.fut"], OK,
             ["1 passed"])
    run.case(["test", "--backend=interp", "shrinks.fut"], RUN_TIME, ["is false for 11i64 0i64"])
    # The shrinker makes the second argument 0, if it may.
    run.case(["test", "-i", "--num-tries=0", "shrinks.fut"], RUN_TIME, ["is false for 11i64 2i64"])
    run.case(["test", "-i", "--num-tries=9", "shrinks.fut"], RUN_TIME, ["is false for 11i64 0i64"])
    # Only compiled: a case that would fail counts.
    run.case(["test", "-C", "--backend=interp,cpu", "endless.fut"], OK, ["passed, 0 failed"])
    # Options of Futhark's executables.
    run.case(["test", "-i", "--pass-option=--param=width=40", "--pass-option=--num-threads=2",
              "--pass-option=--default-tile-size=16", "--pass-option=-D", "tuned.fut"], OK, ["1 passed"])
    run.case(["bench", "--quiet", "--runs=1", "--seconds=0", "--no-convergence-phase", "--pass-option=--param=width=40",
              "tuned.fut"], OK, ["tuned.fut (cpu)"])
    run.case(["test", "-i", "--pass-compiler-option=--entry-point=f", "--runner=env", "--cache-extension=c", "wording.fut"],
             OK, ["passed, 0 failed"])
    run.case(["test", "-I", "wording.fut"], OK, ["passed, 0 failed"])
    run.case(["test", "-s", "endless.fut"], OK, ["passed, 0 failed"])
    run.case(["test", "-i", "--pass-option=--nonsense", "tuned.fut"], USAGE, err=["--pass-option", "--nonsense"])
    run.case(["test", "--backend=interp", "warns.fut"], RUN_TIME, ["no warning matches `H3999`"])
    run.case(["test", "--backend=interp", "--verbose", "structure.fut"], OK, ["about another compiler"])
    run.case(["test", "--backend=interp", "nosuch.fut"], RUN_TIME, ["no readable file"])
    # Sums as arguments and results; the output of tracing.
    run.case(["run", "--backend=interp", "variant.fut", "#some 3 {a = 1, b = [4, 5]}", "[#none]"],
             OK, ["[#none]\n#some 3i32 {a = 1i32, b = [4i32, 5i32]}\n"])
    run.case(["run", "--backend=interp", "variant.fut"], OK, ["#some 1i32 {a = 2i32, b = [3i32, 4i32]}"],
             stdin="(#none) [#some 1 {a = 2, b = [3, 4]}, #none]")
    # Tuples and records in brackets, or as a value per leaf.
    pair = "(7i8, {xs = [1.0f32, 2.0f32]})\n3i32\n"
    run.case(["run", "--backend=interp", "pair.fut", "(7, {xs = [1, 2]})", "3"], OK, [pair])
    run.case(["run", "--backend=interp", "pair.fut", "7", "[1, 2]", "3"], OK, [pair])
    run.case(["run", "--backend=interp", "pair.fut"], OK, [pair], stdin="(7, {xs = [1, 2]}) 3")
    run.case(["run", "pair.fut", "(1000, {xs = [1]})", "3"], USAGE, err=["number `1000` does not fit `i8`"])
    run.case(["run", "variant.fut", "#many 3", "[#none]"], USAGE, err=["no constructor `#many`", "[H8002]"])
    run.case(["run", "--backend=interp", "trace.fut", "3"], OK, ["4i32"],
             ["tag: #some (3i32, [true, false])", "trace: "])
    run.case(["run", "--backend=interp", "deep.fut", "500000"], OK, ["500000i64"])
    run.case(["run", "--backend=interp", "deep.fut", "1000000000"], RUN_TIME, err=["[H7010]"])


def scripts(run):
    script = run.folder / "double"
    script.write_text("#!" + HALO + "\ndef main [n] (xs: [n]i64) = map (* 2) xs\n")
    script.chmod(0o755)
    done = subprocess.run([script, "[1, 2]"], capture_output=True, cwd=run.folder)
    if done.stdout != b"[2i64, 4i64]\n":
        run.fail([str(script)], repr(done))
    piped = subprocess.run(["sh", "-c", "echo '[1i64, 2i64]' | ./double | ./double"],
                           capture_output=True, cwd=run.folder)
    if piped.stdout != b"[4i64, 8i64]\n" or piped.returncode != 0:
        run.fail(["./double | ./double"], repr(piped))
    # The reader leaves before the end: a Unix tool stops.
    head = subprocess.run(["sh", "-c", HALO + " dataset -g [100000]i32 | head -c 1"],
                          capture_output=True, timeout=60)
    if head.stdout != b"[" or head.stderr:
        run.fail(["dataset | head"], repr(head))
    run.case(["record.fut", "1.5", "--json"], OK,
             ['{"a": 1.5, "b": [1, 2]}\ntrue\n{"some": [3]}\n'])
    run.case(["run", "scale.fut", "--json", "2", "[1, f32.inf, f32.nan]"], OK, ['[2, "inf", "nan"]'])
    run.case(["run", "film.fut", "3", "--save", "film.png"], OK, err=["film.png, 3 pictures"])
    run.case(["run", "film.fut", "3", "--save", "film%d.png"], OK, err=["film0.png to film2.png"])
    if (run.folder / "film.png").read_bytes().count(b"fcTL") != 3:
        run.fail(["run", "film.fut"], "film.png is no animation")


def datasets(run):
    run.case(["dataset", "-g", "[3]i32", "-g", "f32", "--i32-bounds=-2:2"], OK, ["i32", "f32"])
    run.case(["dataset", "-g", "[1000]i32", "--i32-bounds=5:5"], OK, ["[5i32, 5i32"])
    run.case(["dataset", "-g", "[9]f64", "--f64-bounds=2.5:2.5"], OK, ["[2.5f64, 2.5f64"])
    run.case(["dataset"], OK, ["[1i32, 2i32]\n"], stdin="[1, 2]")
    run.case(["dataset", "--json"], OK, ["[1, 2]\ntrue\n"], stdin="[1, 2] true")
    run.case(["dataset", "-g", "[3]q32"], USAGE, err=["[H8002]"])
    run.case(["dataset", "-g", "i32", "--i32-bounds=7"], USAGE, err=["LOW:HIGH"])
    same = [subprocess.run([HALO, "dataset", "-b", "-s", "7", "-g", "[5][2]f32"],
                           capture_output=True).stdout for _ in range(2)]
    if same[0] != same[1] or not same[0].startswith(b"b\x02\x02 f32"):
        run.fail(["dataset", "-b"], repr(same))
    run.case(["dataset"], OK, ["f32"], stdin=same[0])
    run.case(["dataset", "-g", "[5][2]f64", "-o", "pair.npy"], OK)
    run.case(["dataset", "pair.npy"], OK, ["f64"])
    numpy(run)


def numpy(run):
    """NumPy's own files read back, where there is NumPy."""
    try:
        import numpy as np
    except ImportError:
        return
    want = np.load(run.folder / "pair.npy")
    if want.shape != (5, 2) or want.dtype != np.float64:
        run.fail(["pair.npy"], f"numpy reads {want.shape} {want.dtype}")
    for dtype in ["i1", "i2", "<i4", ">i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", ">f8", "?"]:
        array = np.arange(6).reshape(2, 3).astype(dtype)
        np.save(run.folder / "numpy.npy", np.asfortranarray(array))
        out = subprocess.run([HALO, "dataset", "--json", "numpy.npy"], cwd=run.folder,
                             capture_output=True, text=True).stdout
        if json.loads(out) != array.tolist():
            run.fail(["dataset", "numpy.npy"], f"{dtype}: {out}")


def tuning(run):
    """`run` uses the findings of `tune`, for nests as for stencils; a damaged file, a forced
    variant, other sizes are not."""
    cache = {"XDG_CACHE_HOME": str(run.folder / "cache")}
    (run.folder / "cache").mkdir()
    words = ["run", "--backend=gpu", "--explain", "steps.fut"]
    run.case(words + ["40", "9"], OK, environment=cache)
    run.case(["tune", "-r", "1", "steps.fut"], OK, ["main", "by rule", "direct", "best of"],
             environment=cache)
    run.case(words + ["40", "9"], OK, err=["tuned:"], environment=cache)
    run.case(words, OK, err=["tuned:"], environment=cache)
    for others in [["400", "9"], ["--variant=direct", "40", "9"]]:
        done = subprocess.run([HALO] + words + others, cwd=run.folder, capture_output=True,
                              text=True, env=dict(os.environ, **cache))
        if "tuned:" in done.stderr or done.returncode != 0:
            run.fail(words + others, f"tuned for other sizes:\n{done.stderr}")
    for file in (run.folder / "cache" / "halo" / "tuned").iterdir():
        file.write_bytes(file.read_bytes() + b"i64:6 i64:4\tx\tplane_stream\n")
    done = subprocess.run([HALO] + words + ["40", "9"], cwd=run.folder, capture_output=True,
                          text=True, env=dict(os.environ, **cache))
    if "tuned:" in done.stderr or "ignored" not in done.stderr or done.returncode != 0:
        run.fail(words, f"a damaged file counts, or no message says so:\n{done.stderr}")
    rows = ["run", "--backend=gpu", "--explain", "rows.fut"]
    run.case(rows, OK, err=["nest: cells of up to"], environment=cache)
    run.case(["tune", "-r", "1", "rows.fut"], OK, ["by rule", "plain", "best of"],
             environment=cache)
    # Which variant is the best depends on the load: again until it is the one of the nest.
    for _ in range(20):
        done = subprocess.run([HALO, "tune", "-r", "3", "rows.fut"], cwd=run.folder, text=True,
                              capture_output=True, env=dict(os.environ, **cache))
        if re.search(r"plain ([0-9.]+) us, best of [0-9]+: \1 us", done.stdout):
            break
    run.case(rows, OK, err=["nest: tuned: "], environment=cache)
    run.case(["tune", "-r", "1", "sorts.fut"], OK, ["by rule", "best of"], environment=cache)
    run.case(["run", "--backend=gpu", "--explain", "sorts.fut"], OK,
             err=["radix_sort_u32: tuned: "], environment=cache)
    run.case(["tune", "none.fut"], USAGE, err=["[H8001]"], environment=cache)
    run.case(["tune", "wrong.fut"], REJECTED, environment=cache)
    run.case(["tune", "divide.fut", "1", "0"], RUN_TIME, environment=cache)
    run.case(["run", "--backend=cpu", "--explain", "steps.fut"], OK,
             err=["stencil", "iterated", "16 steps at once", "register tile of 4 rows"])
    run.case(["run", "--backend=cpu", "--explain", "far_steps.fut"], OK,
             err=["step by step: neighbours too far", "only planes have several rows"])
    run.case(["run", "--backend=cpu", "--explain", "chain.fut"], OK,
             err=["1-d stencil, 2 neighbours and 1-d stencil", "steps at once"])
    run.case(["run", "--backend=cpu", "--explain", "slow_steps.fut"], OK,
             err=["as fast step by step: much arithmetic"])
    run.case(["run", "--backend=cpu", "--explain", "gradient.fut"], OK,
             err=["`ys` keeps 2 states at a time", "`zs` records nothing",
                  "`s` records at each step `s`", "`xs` is a histogram over the cells"])


def documents(run):
    run.case(["run", "scale.fut", "2", "[1, 2]", "--save", "two.jpg"], USAGE,
             err=["no files `.jpg` are written", "= help: `.png` for pictures"])
    if (run.folder / "two.jpg").exists():
        run.fail(["run", "--save", "two.jpg"], "a file all the same")
    run.case(["run", "scale.fut", "2", "[1, 2]", "--save", "two.npy"], OK)
    run.case(["literate", "page.fut"], OK, err=["wrote page.md"])
    page = (run.folder / "page.md").read_text()
    for text in ["# A page\n\nText.", "```futhark\ndef f", "> f 41\n```\n\n```\n42\n```",
                 "(page-img/small.png)", "(page-img/1.png)", "(page-img/2.png)", "\n6.0\n"]:
        if text not in page:
            run.fail(["literate", "page.fut"], f"lacks {text!r}:\n{page}")
    if (run.folder / "page-img" / "2.png").read_bytes().count(b"fcTL") != 4:
        run.fail(["literate", "page.fut"], "2.png is no video")
    run.case(["literate", "bad_page.fut"], RUN_TIME, err=["[H7003]", ":gnuplot", "is a function"])
    bad = (run.folder / "bad_page.md").read_text()
    if bad.count("**This failed:**") != 3 or "```\n2\n```" not in bad:
        run.fail(["literate", "bad_page.fut"], bad)
    run.case(["literate", "--stop-on-error", "-o", "none.md", "bad_page.fut"], RUN_TIME)
    if (run.folder / "none.md").exists():
        run.fail(["literate", "--stop-on-error"], "a file all the same")
    run.case(["literate", "wrong.fut"], REJECTED)


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for program, text in PROGRAMS.items():
            data = bytes(range(256)) * 4 if text is None else text.encode()
            (folder / program).write_bytes(data)
        run = Runner(folder)
        for part in [values, bad_input, broken_output, poor_system, rejected, run_time, tools, scripts,
                     script_command, datasets, documents, tuning]:
            part(run)
        print(f"{run.passed} passed, {run.failed} failed")
        return 1 if run.failed else 0


sys.exit(main())
