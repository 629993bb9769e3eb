#!/usr/bin/env python3
"""The same program on several ranks: the same bytes, one voice, and the end when a rank fails.

usage: ranks.py HALO [results|sums|solvers|gpu_solvers|gathers|exchanges|input|files|repl|failures|
                     no_plugin|costs|model|deaths|mpi|checkpoints]

Ranks are processes that `--ranks=N` starts, and those of the launcher of each MPI that is installed
with a plug-in beside the binary.
"""

import json
import os
import pathlib
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time

HALO = pathlib.Path(sys.argv[1]).resolve()
MOST = 60  # seconds until a job must have ended, on a busy machine
ENVIRONMENT = dict(os.environ, NO_COLOR="1", HALO_CUT="always", OMPI_ALLOW_RUN_AS_ROOT="1",
                   OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
PROGRAM = """
def start (n: i64) (m: i64) = tabulate_2d n m (\\i j -> f32.i64 ((i * 7 + j * 13) % 101))
def cross : [5](i64, i64) = [(-1, 0), (0, -1), (0, 0), (0, 1), (1, 0)]
def mean (v: [5]f32) = 0.2f32 * (v[0] + v[1] + v[2] + v[3] + v[4])
entry steps (n: i64) (m: i64) (count: i32) =
  loop u = start n m for _i < count do
    stencil_2d cross (\\() v -> mean v) (replicate n (replicate m ())) u
entry heated (n: i64) (count: i32) =
  loop u = start n 9 for i < count do
    stencil_2d [(-1, 0), (0, -1), (0, 0), (0, 1), (2, 0)]
               (\\q v -> mean v + 0.1f32 * q + f32.i32 i) (start n 9) u
entry ring (n: i64) (count: i32) =
  loop u = map (% 17) (iota n) for i < count do
    map3 (\\a b c -> a * 3 + b - c + i64.i32 i) (rotate (-1) u) u (rotate 1 u)
entry sums (n: i64) =
  let xs = map (\\i -> i * i % 1000) (iota n)
  let fs = map (\\i -> f32.i64 (i % 97) / 3) (iota n)
  in (i64.sum xs, i64.maximum xs, f32.maximum fs, f32.sum fs)
entry ordered (n: i64) (count: i32) =
  let norm v = f32.sqrt (f32.sum (map (\\x -> x * x) v))
  let (u, r) = loop (u, _) = (map (\\i -> f32.i64 (i % 97) / 3 - 11) (iota n), 0) for _i < count do
    let w = map3 (\\a b c -> a / 4 + b / 2 + c / 4) (rotate (-1) u) u (rotate 1 u)
    in (w, norm (map2 (-) u w))
  in (f32.sum u, norm u, r, f32.sum (map (\\x -> (loop y = x for _i < 3 do y * 0.5f32)) u))
entry counts (n: i64) (bins: i64) =
  let xs = map (\\i -> i * 7919 % 1009) (iota n)
  let runs = scan (+) 0 (map (\\x -> x % 13) xs)
  let lasts = scan (\\(a, b) (c, d) -> (a * c, b * c + d)) (1, 0) (map (\\x -> (x % 3, x)) xs)
  in (runs, map (.1) lasts, hist (+) 0i64 bins (map (% bins) xs) runs)
entry product (n: i64) =
  let a = tabulate_2d n n (\\i j -> f32.i64 ((i + j) % 13) / 7)
  in map (\\r -> map (\\c -> f32.sum (map2 (*) r c)) (transpose a)) a
entry until (n: i64) =
  let (u, k, _) = loop (u, k, far) = (map (\\i -> f32.i64 (i % 31)) (iota n), 0i32, true)
    while far && k < 50 do
      let w = map3 (\\a b c -> f32.min a (f32.min b c)) (rotate (-1) u) u (rotate 1 u)
      in (w, k + 1, f32.maximum (map2 (\\x y -> f32.abs (x - y)) u w) > 0)
  in (u, k)
entry two (n: i64) (count: i32) =
  let u = loop u = start n n for i < count do
    stencil_2d cross (\\() v -> mean v + f32.i32 i) (replicate n (replicate n ())) u
  in (loop (xs, k) = (map f32.sum u, 0i32) while k < count do (map (* 0.5) xs, k + 1)).0
entry numbers (n: i64) : [n][3]f32 =
  tabulate_2d n 3 (\\i j -> f32.i64 ((i * 7919 + j * 104729) % 10133) / 7.3)
entry narrow [n] [m] (rows: [n][m]f32) = map (\\row -> f32.sum (map f32.sqrt row)) rows
entry relaxed (n: i64) (m: i64) (count: i32) =
  let size (u: [n][m]f32) (w: [n][m]f32) =
    f32.sum (map2 (\\a b -> f32.sum (map2 (\\x y -> (x - y) * (x - y)) a b)) u w)
  let (u, r, k) = loop (u, r, k) = (start n m, 1, 0i32) while r > 0 && k < count do
    let w = stencil_2d cross (\\() v -> mean v) (replicate n (replicate m ())) u
    in (w, f32.sqrt (size u w), k + 1)
  in (f32.sum (map f32.sum u), r, k)
entry jacobi (n: i64) (m: i64) (most: i32) =
  let f = start n m
  let (p, r, k) = loop (p, r, k) = (replicate n (replicate m 0f32), f32.inf, 0i32)
    while r > 1e-3 && k < most do
      let q = stencil_2d [(-1, 0), (0, -1), (0, 1), (1, 0)]
                         (\\b v -> 0.25f32 * (v[0] + v[1] + v[2] + v[3] - b)) f p
      in (q, f32.sqrt (f32.sum (flatten (map2 (map2 (\\x y -> (x - y) * (x - y))) p q))), k + 1)
  in (p, r, k)
def within [n] [m] (u: [n][m]f32) i j : f32 =
  if i >= 0 && i < n && j >= 0 && j < m then u[i, j] else 0
def dot [n] [m] (a: [n][m]f32) (b: [n][m]f32) : f32 = f32.sum (map2 (*) (flatten a) (flatten b))
def dots [n] [m] (a: [n][m]f32) (b: [n][m]f32) : f32 =
  f32.sum (map2 (\\x y -> f32.sum (map2 (*) x y)) a b)
def gradients [n] [m] (times: [n][m]f32 -> [n][m]f32 -> f32) (b: [n][m]f32) (most: i32) =
  loop (x, r, p, rr, k) = (map (map (const 0)) b, b, b, times b b, 0i32)
  while rr > 1e-3 && k < most do
    let ap = tabulate_2d n m (\\i j -> 4 * p[i, j] - within p (i - 1) j - within p (i + 1) j
                                      - within p i (j - 1) - within p i (j + 1))
    let alpha = rr / times p ap
    let x = map2 (map2 (\\a b -> a + alpha * b)) x p
    let r = map2 (map2 (\\a b -> a - alpha * b)) r ap
    let next = times r r
    in (x, r, map2 (map2 (\\a b -> a + next / rr * b)) r p, next, k + 1)
entry conjugate (n: i64) (m: i64) (most: i32) = gradients dot (start n m) most
entry conjugate_rows (n: i64) (m: i64) (most: i32) = gradients dots (start n m) most
entry conjugate_line (n: i64) (most: i32) =
  let b = map (\\i -> f32.i64 (i * 7 % 101) / 101) (iota n)
  let times p = stencil_1d [-1, 0, 1] (\\() v -> 2.1f32 * v[1] - v[0] - v[2]) (replicate n ()) p
  let dot1 a b = f32.sum (map2 (*) a b)
  in loop (x, r, p, rr, k) = (replicate n 0, b, b, dot1 b b, 0i32) while rr > 1e-3 && k < most do
    let ap = times p
    let alpha = rr / dot1 p ap
    let x = map2 (\\a b -> a + alpha * b) x p
    let r = map2 (\\a b -> a - alpha * b) r ap
    let next = dot1 r r
    in (x, r, map2 (\\a b -> a + next / rr * b) r p, next, k + 1)
-- The pressure of a flow, in each of its steps: a solver inside of a loop.
entry flow (n: i64) (m: i64) (count: i32) =
  loop (u, p, total) = (start n m, replicate n (replicate m 0f32), 0i32) for _i < count do
    let b = stencil_2d [(0, -1), (0, 1), (-1, 0), (1, 0)] (\\() v -> (v[1] - v[0] + v[3] - v[2]) * 0.01)
                       (replicate n (replicate m ())) u
    let (p, _, k) = loop (p, r, k) = (p, f32.inf, 0i32) while r > 0.01 && k < 9 do
      let q = stencil_2d [(-1, 0), (0, -1), (0, 1), (1, 0)]
                         (\\b v -> 0.25f32 * (v[0] + v[1] + v[2] + v[3] - b)) b p
      in (q, f32.sum (map2 (\\x y -> f32.sum (map2 (\\x y -> f32.abs (x - y)) x y)) p q), k + 1)
    let w = stencil_2d [(0, -1), (0, 1)] (\\u v -> u - 0.1f32 * (v[1] - v[0])) u p
    in (w, p, total + k)
entry ripples (n: i64) (m: i64) (count: i32) =
  let (u, _, _, e) = loop (u, w, k, _) = (start n m, start n m, 0i32, 1f32) while k < count do
    let next = stencil_2d [(-2, 0), (0, 0), (1, 0), (0, 1)]
                          (\\a v -> 0.5f32 * (v[0] + v[2] + v[3]) - v[1] - 0.25f32 * a) u w
    in (w, next, k + 1, f32.sum (flatten (map2 (map2 (\\x y -> (x - y) * y)) w next)))
  in (u, e)
entry turning (n: i64) (m: i64) (count: i32) =
  let (u, e, _) = loop (u, _, k) = (start n m, 1f32, 0i32) while k < count do
    let w = map3 (map3 (\\a b c -> 0.25f32 * (a + 2 * b + c))) (rotate (-1) u) u (rotate 1 u)
    in (w, f32.sum (flatten (map2 (map2 (\\x y -> x * y)) u w)), k + 1)
  in (u, e)
entry space (n: i64) (m: i64) (most: i32) =
  let (u, r, k) = loop (u, r, k) = (tabulate_3d n m m (\\i j k -> f32.i64 ((i * 7 + j * 13 + k) % 101)),
                                    f32.inf, 0i32) while r > 1e-3 && k < most do
    let w = stencil_3d [(-1, 0, 0), (0, -1, 0), (0, 0, 0), (0, 0, 1), (1, 0, 0)]
                       (\\() v -> 0.2f32 * (v[0] + v[1] + v[2] + v[3] + v[4]))
                       (replicate n (replicate m (replicate m ()))) u
    let change = map2 (map2 (map2 (\\x y -> (x - y) * (x - y)))) u w
    in (w, f32.sqrt (f32.sum (flatten (map flatten change))), k + 1)
  in (u, r, k)
entry scaled (n: i64) (count: i32) =
  let (u, r) = loop (u, _) = (map (\\i -> f32.i64 (i % 97) / 3) (iota n), 0) for _i < count do
    let size = f32.sqrt (f32.sum (map (\\x -> x * x) u))
    in (map (\\x -> x / size + 0.1f32) u, size)
  in (f32.sum u, r, u)
-- Scalars that go from step to step, into maps, branches and a relaxation.
entry normed (n: i64) (most: i32) =
  loop (u, s, k) = (map (\\i -> f32.i64 (i * 7919 % 1013) / 101) (iota n), 1f32, 0i32) while s > 1e-6 && k < most do
    let w = if s > 50 then map (* 0.5f32) u else map (\\x -> x * x / (1 + s) + 0.25f32) u
    in (w, f32.sqrt (f32.sum (map (\\x -> x * x) w)), k + 1)
entry relaxing (n: i64) (m: i64) (most: i32) =
  let f = start n m
  in loop (p, w, total) = (map (map (* 0)) f, 1f32, 0i32) for i < most do
    let (p, r, k) = loop (p, r, k) = (p, f32.inf, 0i32) while r > 0.01 && k < 3 do
      let q = stencil_2d cross (\\b v -> v[2] + w * (0.25f32 * (v[0] + v[1] + v[3] + v[4] - b) - v[2])) f p
      in (q, f32.sqrt (f32.sum (flatten (map2 (map2 (\\x y -> (x - y) * (x - y))) p q))), k + 1)
    in (p, 1 / (1 + r / 1000 + f32.i32 i), total + k)
entry running (n: i64) =
  let xs = map (\\i -> f32.i64 (i * 7 % 101) / 7) (iota n)
  let sums = scan (+) 0 xs
  let (a, b) = unzip (scan (\\(a, b) (c, d) -> (a * c, b * c + d)) (1, 0) (map (\\x -> (0.5f32 + x / 40, x)) xs))
  in (sums, a, b, f32.sum sums)
entry line (n: i64) = map (\\i -> i32.i64 (i * 7919 % 1009)) (iota n)
entry total [n] (xs: [n]i32) = (i32.sum (map (* 3) xs), i32.maximum xs, xs[n - 1], n)
entry given [n] (k: i32) (xs: [n]i32) = map (+ k) xs
entry fails [n] (xs: [n]i32) = map (\\x -> 100 / x) xs
entry fails_beside [n] (xs: [n]i32) =
  let ys = map (\\x -> 100 / x) xs
  let fs = map f32.i32 xs
  let change = stencil_1d [-1, 1] (\\() v -> v[1] - v[0]) (replicate n ()) fs
  let plane = stencil_2d [(-1, 0), (0, 1)] (\\() v -> v[1] - v[0]) (replicate n (replicate 3 ()))
                         (map (\\x -> [x, 2, x]) fs)
  in (ys, f32.sum fs, f32.sum (map (\\x -> x * x) change), scan (+) 0 fs,
      f32.sum (flatten (map (map f32.abs) plane)))
-- Cells that go over all rows: a simulation of bodies, a square matrix and a vector.
entry bodies (n: i64) (k: i32) =
  let at i = (f32.i64 (i * 7919 % 1000), f32.i64 (i * 104729 % 1000))
  let force (x, y) (u, v) = let r = (u - x) * (u - x) + (v - y) * (v - y) + 0.1f32
                            in ((u - x) / (r * f32.sqrt r), (v - y) / (r * f32.sqrt r))
  in (loop (ps, vs) = (map at (iota n), replicate n (0, 0)) for _i < k do
        let as = map (\\p -> reduce (\\(a, b) (c, d) -> (a + c, b + d)) (0, 0) (map (force p) ps)) ps
        let vs = map2 (\\(a, b) (c, d) -> (a + c, b + d)) vs as
        in (map2 (\\(x, y) (u, v) -> (x + 9 * u, y + 9 * v)) ps vs, vs)).0
entry power (n: i64) (k: i32) =
  let a = tabulate_2d n n (\\i j -> f32.i64 ((i * 31 + j * 17) % 13) / f32.i64 (6 * n))
  in loop x = map f32.i64 (iota n) for _i < k do map2 (\\row b -> b / 2 + f32.sum (map2 (*) row x)) a x
-- The GPU has no chunks of such elements: the entry is whole.
entry branches (k: i32) = f64.sum (map (\\i -> f64.exp (f64.i32 ((i32.i64 i * k) % 17))) (iota 200))
-- Code behind the sum of a row.
entry norms (n: i64) (m: i64) =
  let at i j = f32.i64 ((i * 31 + j * 17) % 1013) / 1013
  let a = loop a = tabulate_2d n m at for _i < 2 do map (map (* 0.9)) a
  in map2 (\\r i -> f32.sqrt (f32.sum (map (\\x -> x * x) r)) + f32.i64 i / 2) a (iota n)
-- The whole of a cut array is read behind it.
entry whole [n] (xs: [n]f32) =
  let ys = map (\\x -> loop y = x for _j < 1 + i64.f32 x % 3 do y * 0.5f32) xs
  let is = map (\\x -> ys[i64.f32 x * 7 % n]) xs
  in (f32.sum ys, map (* 2) (reverse is)[0:n / 1000], f32.maximum is)
entry wholes (n: i64) = whole (map f32.i64 (iota n))
-- Cells with loops: every rank would get them later than rows of others.
def mixed (n: i64) (k: i64) = map (\\i -> loop y = i for _j < 1 + n % 3 do y * 7919 % k) (iota n)
entry kept (n: i64) =
  let xs = mixed n 1009
  let ys = filter (\\x -> x % 3 == 0) xs
  let (a, b) = partition (\\y -> y % 2 == 0) (map (* 5) ys)
  in (ys, i64.sum ys, a, map (+ 1) b)
entry placed (n: i64) (m: i64) =
  let xs = mixed n 1009
  let rows = scatter (replicate n (replicate m 0)) (map (\\i -> n - i) (iota n)) (map (replicate m) xs)
  let ys = scatter (copy xs) (map (\\i -> i * 2 - 3) (iota n)) (map (* 2) xs)
  in (rows, map (+ 1) ys, ys ++ xs ++ map (+ 1) xs, map (* 2) (take (n / 2) (drop (n / 3) ys)))
entry sorted (n: i64) (k: i64) =
  let xs = mixed n k
  let fs = map (\\x -> 3 - f32.i64 x) xs
  let order = i64.sort_order xs
  in (i64.sort xs, order, f32.sort fs, map (+ 1) (u8.sort (map u8.i64 xs)), i64.sum (map (\\i -> xs[i]) order))
entry scans (n: i64) =
  (loop u = iota n while u[0] >= 0 do map (% 1000) (scan (+) 1 u))
entry endless (n: i64) =
  (loop u = iota n while i64.maximum u >= 0 do map (\\x -> (x + 1) % 1000) u)
"""


class Checks:
    def __init__(self, folder):
        self.folder = folder
        self.count = self.failed = 0
        self.mpis = installed()
        self.turn = 0

    def fail(self, words, why):
        self.failed += 1
        print(f"FAIL {' '.join(map(str, words))}: {why}")

    def run(self, words, launcher=(), stdin="", environment=None):
        backend = [] if any(word.startswith("--backend") for word in words) else ["--backend=cpu"]
        command = [*launcher, str(HALO), "run", *backend, *words]
        done = subprocess.run(command, cwd=self.folder, env={**ENVIRONMENT, **(environment or {})},
                              input=stdin.encode(), capture_output=True, timeout=300)
        return done.returncode, done.stdout.decode(), done.stderr.decode()

    def launchers(self, counts):
        """Ways to start: words for halo, and a launcher in front of it."""
        yield from (([f"--ranks={count}"], []) for count in counts)
        if self.mpis:  # by turns
            self.turn += 1
            yield [], [*list(self.mpis.values())[self.turn % len(self.mpis)], "-n", "3"]

    def same(self, words, counts=(2, 3, 4), stdin="", status=0):
        """Output and messages are those of one process."""
        want = self.run(words, stdin=stdin)
        if want[0] != status:
            self.fail(words, f"not status {status}: {want}")
        for flags, launcher in self.launchers(counts):
            self.count += 1
            got = self.run(flags + words, launcher, stdin=stdin)
            if got != want:
                self.fail([*launcher, *flags, *words], f"{str(got)[:400]}\n not {str(want)[:400]}")

    # ---- sizes

    def results(self):
        for n in (0, 1, 2, 3, 4, 5, 7, 13, 130):
            self.same(["--entry=steps", "p.fut", f"{n}i64", "5i64", "9i32"])
            self.same(["--entry=ring", "p.fut", f"{n}i64", "7i32"], counts=(3,))
        self.same(["--entry=steps", "p.fut", "400i64", "6i64", "150i32"])
        self.same(["--entry=steps", "p.fut", "400i64", "0i64", "3i32"], counts=(3,))
        self.same(["--entry=steps", "p.fut", "40i64", "4i64", "-1i32"], counts=(3,))
        for n in (1, 6, 100003):
            self.same(["--entry=sums", "p.fut", f"{n}i64"])
            self.same(["--entry=until", "p.fut", f"{min(n, 500)}i64"], counts=(2, 4))
        self.same(["--entry=product", "p.fut", "801i64"])
        # Around the lanes and the chunks of a sum, and with fewer elements than ranks.
        for n in (0, 1, 2, 3, 4, 5, 61, 64, 65, 16384, 16447, 50021):
            self.same(["--entry=ordered", "p.fut", f"{n}i64", "3i32"])
            self.same(["--entry=ordered", "--fp=strict", "p.fut", f"{n}i64", "3i32"], counts=(3,))
        # Around the chunks of a scan.
        for n in (0, 1, 3, 8191, 8192, 8193, 50021):
            self.same(["--entry=running", "p.fut", f"{n}i64"])
        # Rows that go to any rank: with fewer rows than ranks, and all of them to one.
        for n in (0, 1, 3, 130, 5003):
            self.same(["--entry=kept", "p.fut", f"{n}i64"])
            self.same(["--entry=placed", "p.fut", f"{n}i64", "3i64"], counts=(2, 4))
            self.same(["--entry=sorted", "p.fut", f"{n}i64", "1009i64"])
        self.same(["--entry=sorted", "p.fut", "1000i64", "1i64"], counts=(3,))
        self.routed()
        for n in (0, 1, 3, 4, 5, 127):
            self.same(["--entry=counts", "p.fut", f"{n}i64", "7i64"])

    def routed(self):
        """Neither a scatter nor a sort is computed whole, nor are scans of places."""
        for entry, args in (("kept", []), ("placed", ["3i64"]), ("sorted", ["9i64"])):
            self.count += 1
            call = ["--explain", "--ranks=2", f"--entry={entry}", "p.fut", "500i64", *args]
            told = self.run(call)[2]
            if "come from all ranks" not in told or "a scatter reads it whole" in told:
                self.fail(call, f"not cut: {[x for x in told.splitlines() if 'ranks:' in x]}")

    def sums(self):
        """Sums of floats on the GPU: in chunks, by rows, and in loops of long and of short steps."""
        for n in (4097, 70001, 1500007):
            self.same(["--backend=gpu", "--entry=scaled", "p.fut", f"{n}i64", "2i32"], counts=(3,))
        for n, m in ((13, 1500), (1501, 1003)):
            self.same(["--backend=gpu", "--entry=relaxed", "p.fut", f"{n}i64", f"{m}i64", "3i32"],
                      counts=(2,))
        # Rows of three, which many cells have an invocation each for, and few cells lanes.
        self.run(["--save", "rows.npy", "--entry=numbers", "p.fut", "40000i64"])
        self.same(["--backend=gpu", "--entry=narrow", "p.fut", "@rows.npy"], counts=(2,))
        self.count += 1
        call = ["--backend=gpu", "--explain", "--ranks=2", "--entry=relaxed", "p.fut", "9i64", "9i64"]
        told = self.run([*call, "1i32"])[2]
        if "whole on every rank" in told or told.count("is combined") + told.count("gathered") == 0:
            self.fail(call, f"not cut: {told}")

    PLANES = ("jacobi", "conjugate", "conjugate_rows", "flow", "ripples", "turning")

    def solvers(self):
        """Loops that a residual ends: steps with exchanges in place, and sums over their cells."""
        for entry in self.PLANES:
            for n, m in ((0, 3), (1, 4), (2, 3), (3, 5), (5, 0), (65, 7), (261, 33)):
                self.same([f"--entry={entry}", "p.fut", f"{n}i64", f"{m}i64", "5i32"],
                          counts=(2, 4) if n > 3 else (3, 4))
        for n in (0, 1, 3, 16385, 70001):
            self.same(["--entry=conjugate_line", "p.fut", f"{n}i64", "4i32"], counts=(2, 3))
        for n, m in ((1, 3), (4, 4), (13, 9), (31, 17)):
            self.same(["--entry=space", "p.fut", f"{n}i64", f"{m}i64", "3i32"], counts=(2, 3))
        self.cut("cpu", self.PLANES[:-1])

    def gpu_solvers(self):
        """The same on the GPU, with steps that are long enough to be cut there."""
        for entry in self.PLANES:
            for n, m in ((9, 14), (1203, 1022)):
                self.same(["--backend=gpu", f"--entry={entry}", "p.fut", f"{n}i64", f"{m}i64", "2i32"],
                          counts=(2,) if n < 10 else (3,))
        self.same(["--backend=gpu", "--entry=conjugate_line", "p.fut", "1700003i64", "2i32"],
                  counts=(3,))
        for entry, sizes in (("normed", ["5000i64"]), ("normed", ["1500007i64"]),
                             ("relaxing", ["1203i64", "1022i64"])):
            self.same(["--backend=gpu", f"--entry={entry}", "p.fut", *sizes, "3i32"], counts=(2, 3))
        self.same(["--backend=gpu", "--entry=space", "p.fut", "131i64", "70i64", "2i32"], counts=(2,))
        self.cut("gpu", [one for one in self.PLANES[:-1] if one != "conjugate_rows"])

    def gathers(self):
        """Loops that gather arrays at each step; arrays that all devices need, in several turns."""
        for entry in ("bodies", "power"):
            for n in (0, 1, 3, 1023, 1025, 1300):
                self.same([f"--entry={entry}", "p.fut", f"{n}i64", "3i32"], counts=(2, 3))
            call = ["--explain", "--ranks=2", f"--entry={entry}", "p.fut", "1300i64", "3i32"]
            self.count += 1
            if "is whole where its steps are short" not in (told := self.run(call)[2]):
                self.fail(call, f"not cut: {told}")
        self.same(["--backend=gpu", "--entry=power", "p.fut", "16500i64", "2i32"], counts=(3,))
        self.same(["--backend=gpu", "--entry=branches", "p.fut", "3i32"], counts=(2, 3))
        for n, m in ((3000, 1), (5, 70000), (1500, 9), (300, 1000)):
            self.same(["--backend=gpu", "--entry=norms", "p.fut", f"{n}i64", f"{m}i64"], counts=(3,))
        for n in (60, 40000, 9000001):
            self.same(["--backend=gpu", "--entry=wholes", "p.fut", f"{n}i64"], counts=(2,))
        self.same(["--backend=gpu", "--entry=wholes", "p.fut", "400000i64"], counts=(3,))
        # Without CUDA rows go by pages.
        self.count += 1
        call = ["--backend=gpu", "--entry=wholes", "p.fut", "400000i64"]
        if self.run(["--ranks=2", *call], environment={"HALO_EXCHANGE": "windows"}) != self.run(call):
            self.fail(call, "other results by windows")

    def cut(self, backend, entries):
        """No sum and no stencil of these is computed whole."""
        for entry in entries:
            self.count += 1
            call = [f"--backend={backend}", "--explain", "--ranks=2", f"--entry={entry}", "p.fut",
                    "9i64", "9i64", "1i32"]
            told = self.run(call)[2]
            if "exchanged" not in told or "whole on every rank" in told:
                self.fail(call, f"not cut: {[x for x in told.splitlines() if 'ranks:' in x]}")

    def exchanges(self):
        """Rows of neighbours by pages, beside calls or not, and by messages: the same bytes."""
        call = ["--entry=steps", "p.fut", "200i64", "6i64", "150i32"]
        pathlib.Path(self.folder, "poor.limits").write_text("host_pages no\n")
        poor = ["--device-limits=poor.limits"]
        for backend, more, way in (("cpu", [], ""), ("cpu", [], "messages"), ("gpu", [], ""),
                                   ("gpu", [], "pages"), ("gpu", [], "messages"),
                                   ("gpu", poor, "")):
            words = [f"--backend={backend}", *more, *call]
            want = self.run(words)[1]
            for ranks in (2, 3):
                self.count += 1
                status, out, err = self.run([f"--ranks={ranks}", "--verbose", *words],
                                            environment={"HALO_EXCHANGE": way})
                by = "messages" if way == "messages" or more else "shared pages"
                if status != 0 or out != want or f"rows by {by}" not in err:
                    self.fail([way, f"{ranks} ranks", *words], f"{status}, {out[:200]}, {err}")

        # Into the room of arrays, at each step.
        for backend, n in (("cpu", 261), ("gpu", 1203)):
            words = [f"--backend={backend}", "--entry=conjugate", "p.fut", f"{n}i64", "702i64", "2i32"]
            want = self.run(words)
            for more, way in ([], "messages"), ([], "pages"), (poor, ""):
                self.count += 1
                if self.run(["--ranks=3", *more, *words], environment={"HALO_EXCHANGE": way}) != want:
                    self.fail([way, *more, *words], "other bytes")

        # Rows without elements: there is nothing to import.
        self.same(["--backend=gpu", "--entry=steps", "p.fut", "9i64", "0i64", "2i32"], counts=(2,))
        for n in (3, 9, 61):
            self.same(["--backend=gpu", "--entry=heated", "p.fut", f"{n}i64", "29i32"],
                      counts=(2, 3))

    def input(self):
        numbers = "[" + ", ".join(f"{i}i32" for i in range(50)) + "]"
        self.same(["--entry=given", "p.fut", "3i32", numbers], counts=(3,))
        self.same(["--entry=given", "p.fut"], counts=(3,), stdin="3i32 " + numbers)
        pathlib.Path(self.folder, "x.in").write_text(numbers)
        self.same(["--entry=given", "p.fut", "3i32", "@x.in"], counts=(3,))
        self.same(["--entry=given", "p.fut"], counts=(3,), status=64)  # nothing: one message
        self.same(["nowhere.fut"], counts=(3,), status=64)

    def files(self):
        """Arrays of files, of which each rank reads and writes its rows: the bytes of one rank."""
        call = ["--entry=steps", "p.fut", "401i64", "77i64", "3i32"]
        saved = pathlib.Path(self.folder, "u.npy")
        self.run(["--save", "u.npy", *call])
        want = saved.read_bytes()
        self.run(["--save", "large.npy", "--entry=line", "p.fut", "5000011i64"])  # mapped
        for flags, launcher in self.launchers((2, 4)):
            self.count += 1
            saved.unlink(missing_ok=True)
            got = self.run([*flags, "--save", "u.npy", *call], launcher)
            if got != (0, "", "halo: wrote u.npy\n") or saved.read_bytes() != want:
                self.fail([*launcher, *flags, "--save"], f"{got}, {saved.exists()}")
            if list(pathlib.Path(self.folder).glob("*.part")):
                self.fail([*launcher, *flags, "--save"], "a part is left")
        self.unnamed()
        for backend in ("cpu", "gpu"):
            self.same([f"--backend={backend}", "--entry=total", "p.fut", "@large.npy"], counts=(4,))

    def unnamed(self):
        """A file has no name until it is complete: a killed job leaves nothing."""
        self.count += 1
        saved, part = (pathlib.Path(self.folder, name) for name in ("new.npy", "new.npy.part"))
        command = [str(HALO), "run", "--backend=cpu", "--ranks=2", "--save", "new.npy", "--entry=line",
                   "p.fut", "30000001i64"]
        with subprocess.Popen(command, cwd=self.folder, env=ENVIRONMENT,
                              stderr=subprocess.DEVNULL) as job:
            while job.poll() is None:
                if part.exists():
                    self.fail(command, "a part is seen")
                    job.kill()
                time.sleep(0.001)
        if job.returncode != 0 or not saved.exists():
            self.fail(command, f"status {job.returncode}")
        saved.unlink(missing_ok=True)

    def repl(self):
        """Each rank gets the lines, the first one answers."""
        lines = (":load p.fut\nlet u = steps 40 9 5\nlength u\nu[7]\nnowhere\nordered 5000 2\n"
                 ":type u\nfails [1, 0, 2]\n3 + 4\n")
        answers = []
        for flags, launcher in (([], []), *self.launchers((3,))):
            self.count += 1
            command = [*launcher, str(HALO), "repl", "--backend=cpu", *flags]
            done = subprocess.run(command, cwd=self.folder, env=ENVIRONMENT, input=lines.encode(),
                                  capture_output=True, timeout=MOST)
            answers.append((done.returncode, done.stdout, done.stderr))
            if answers[-1] != answers[0] or not done.stdout:
                self.fail(command, f"{answers[-1]}\n not {answers[0]}")

    # ---- faults

    def failures(self):
        for place in (0, 25, 49):
            numbers = [0 if i == place else i + 1 for i in range(50)]
            self.same(["--entry=fails", "p.fut", str(numbers)], status=1)
        self.same(["--entry=fails", "p.fut", str([0] * 50)], counts=(3,), status=1)
        for place in (0, 25, 49, 50):  # beside sums and scans in parts, which are replayed
            numbers = [0 if i == place else i + 1 for i in range(50)]
            self.same(["--entry=fails_beside", "p.fut", str(numbers)], counts=(2, 3),
                      status=0 if place == 50 else 1)
        self.same(["--entry=steps", "--save", "/nowhere/x.npy", "p.fut", "9i64", "9i64", "1i32"],
                  counts=(3,), status=64)
        self.disk_full()

    def disk_full(self):
        """A file that may not grow: nothing is left of it, and every rank ends."""
        for ranks in ([], ["--ranks=3"]):
            self.count += 1
            command = [str(HALO), "run", "--backend=cpu", *ranks, "--save", "big.npy", "--entry=steps",
                       "p.fut", "3000i64", "3000i64", "1i32"]
            done = subprocess.run(command, cwd=self.folder, env=ENVIRONMENT, capture_output=True,
                                  timeout=MOST, preexec_fn=limited)
            err = done.stderr.decode()
            left = list(pathlib.Path(self.folder).glob("big.npy*"))
            if done.returncode != 64 or err.count("[H8007]") != 1 or left:
                self.fail(["disk full", *ranks], f"status {done.returncode}, {err}, left {left}")
            # A checkpoint: the message names the file.
            command = [*command[:3], *ranks, "--checkpoint=full", "--every=2", "--entry=steps",
                       "p.fut", "3000i64", "3000i64", "5i32"]
            done = subprocess.run(command, cwd=self.folder, env=ENVIRONMENT, capture_output=True,
                                  text=True, timeout=MOST, preexec_fn=limited)
            if done.returncode != 64 or done.stdout or not re.match(
                    r"error: file `full/loop\S+\.npy` cannot be written: .+ \[H8007\]\n$", done.stderr):
                self.fail(["checkpoint, disk full", *ranks], f"{done.returncode}, {done.stderr}")

    def no_plugin(self):
        self.count += 1
        status, out, err = self.run(["--entry=sums", "p.fut", "5i64"], environment={
            "OMPI_COMM_WORLD_SIZE": "2", "OMPI_COMM_WORLD_RANK": "0",
            "HALO_RANKS_PLUGIN": "/nowhere.so"})
        if status != 3 or out or err.count("\n") != 1 or "install" not in err:
            self.fail(["no plug-in"], f"status {status}, {out}{err}")

    def costs(self):
        """`halo devices` measures messages between ranks, once for each way to start them."""
        for flags, launcher in self.launchers((2, 3)):
            self.count += 1
            command = [*launcher, str(HALO), "devices", *flags]
            done = subprocess.run(command, cwd=self.folder, env=ENVIRONMENT, capture_output=True,
                                  text=True, timeout=MOST)
            found = re.findall(r"agreement +([0-9.]+) us\n.*exchange +([0-9.]+) us, and ([0-9.]+) GB",
                               done.stdout)
            if done.returncode != 0 or len(found) != 1 or float(found[0][0]) <= 0 or done.stderr:
                self.fail(command, f"status {done.returncode}, {done.stdout}{done.stderr}")

    def model(self):
        """The model speaks of any number of ranks; more of them with more rows cost a few percent."""
        self.count += 1
        script = pathlib.Path(__file__).parents[1] / "bench/ranks/model"
        done = subprocess.run([sys.executable, script, "--ranks=2,64"], capture_output=True,
                              text=True, timeout=MOST)
        weak = [float(number) for number in re.findall(r"weak ([0-9.]+)", done.stdout)]
        if done.returncode != 0 or len(weak) != 8 or not all(0.9 < one <= 1 for one in weak):
            self.fail(["model"], f"status {done.returncode}, {weak}, {done.stderr[-300:]}")

    def started(self, launcher=(), flags=("--ranks=3",), call=("--entry=endless", "p.fut", "1000i64"),
                running=None, pause=0.5, backend="cpu"):
        command = [*launcher, str(HALO), "run", f"--backend={backend}", *flags, *call]
        job = subprocess.Popen(command, cwd=self.folder, env=ENVIRONMENT, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, start_new_session=True)
        deadline = time.monotonic() + MOST
        while time.monotonic() < deadline and len((running or listening)(job.pid)) < 3:
            time.sleep(min(0.05, pause / 9))
        time.sleep(pause)
        return job

    def ends(self, name, job, status, text):
        self.count += 1
        ranks = children(job.pid)
        try:
            out, err = job.communicate(timeout=MOST)
        except subprocess.TimeoutExpired:
            os.killpg(job.pid, signal.SIGKILL)
            return self.fail([name], f"still there after {MOST} s")
        err = err.decode()
        time.sleep(0.2)
        left = [pid for pid in ranks if is_running(pid)]
        if job.returncode != status or err.count(text) != 1 or out or left:
            self.fail([name], f"status {job.returncode}, {out[:100]} {err[-500:]}, left {left}")

    def deaths(self):
        for rank in (0, 2):
            job = self.started()
            os.kill(children(job.pid)[rank], signal.SIGKILL)
            self.ends(f"kill -9 of rank {rank}", job, 137, f"rank {rank} was ended by signal 9")
        # Exchanges of rows all the time, and scans with their carries.
        for call in (("--entry=steps", "p.fut", "300i64", "5i64", "2000000000i32"),
                     ("--entry=scans", "p.fut", "1000i64")):
            job = self.started(call=call)
            os.kill(children(job.pid)[1], signal.SIGKILL)
            self.ends(f"kill -9 in {call[0]}", job, 137, "rank 1 was ended by signal 9")
        job = self.started()
        job.send_signal(signal.SIGINT)
        self.ends("SIGINT of the job", job, 1, "[H7011]")
        job = self.started()
        os.killpg(job.pid, signal.SIGINT)  # as a terminal does
        self.ends("Ctrl-C", job, 1, "[H7011]")
        self.waiting_devices()
        self.early()
        self.silent()
        job = self.started()
        ranks = children(job.pid)
        job.kill()
        job.communicate(timeout=MOST)
        time.sleep(1)
        self.count += 1
        left = [pid for pid in ranks if is_running(pid)]
        if left:
            self.fail(["kill -9 of the job"], f"left {left}")

    def waiting_devices(self):
        """Devices wait for partial values of the others: none does so in vain."""
        call = ("--entry=normed", "p.fut", "1500007i64", "2000000000i32")
        for rank, number, status, text in ((1, signal.SIGKILL, 137, "rank 1 was ended by signal 9"),
                                           (1, signal.SIGSTOP, 3, "rank 1 has sent nothing for 3 s"),
                                           (None, signal.SIGINT, 1, "[H7011]")):
            job = self.started(flags=("--ranks=3", "--rank-timeout=3"), call=call, backend="gpu",
                               pause=3)
            os.kill(job.pid if rank is None else children(job.pid)[rank], number)
            self.ends(f"signal {number} to rank {rank} of devices", job, status, text)

    def early(self):
        """Ctrl-C while ranks start is no fault of a rank: nobody names one."""
        for pause in (0, 0.01, 0.03):
            self.count += 1
            job = self.started(running=children, pause=pause)
            os.killpg(job.pid, signal.SIGINT)
            out, err = job.communicate(timeout=MOST)
            if job.returncode not in (130, 1) or out or b"ended by" in err:
                self.fail(["Ctrl-C at the start"], f"status {job.returncode}, {out[:100]} {err}")

    def silent(self):
        """A rank that answers no more: with --rank-timeout the others say which, and all end."""
        for rank in (0, 2):
            job = self.started(flags=("--ranks=3", "--rank-timeout=2"))
            os.kill(children(job.pid)[rank], signal.SIGSTOP)
            self.ends(f"rank {rank} stops", job, 3, f"rank {rank} has sent nothing for 2 s")

    def mpi(self):
        """Ranks of a launcher: it ends the others where one is killed, and Ctrl-C is one message."""
        for (name, launcher), rank, number in zip(self.mpis.items(), (2, 0),
                                                  (signal.SIGINT, signal.SIGTERM)):
            job = self.launched(launcher)
            os.kill(ranks_below(job.pid)[rank], signal.SIGKILL)
            self.is_over(f"{name}: kill -9 of rank {rank}", job)
            job = self.launched(launcher)
            job.send_signal(number)
            self.is_over(f"{name}: {number.name}", job, "[H7011]")
            job = self.launched(launcher, ["--rank-timeout=2"])
            os.kill(ranks_below(job.pid)[2], signal.SIGSTOP)
            self.is_over(f"{name}: rank 2 stops", job, "another rank has sent nothing for 2 s")
            self.count += 1
            status, out, err = self.run(["--entry=fails", "p.fut", "[3i32, 0i32, 5i32]"],
                                        [*launcher, "-n", "3"])
            if status != 1 or out or err.count("[H7003]") != 1:
                self.fail([name, "a cell fails"], f"status {status}, {out}{err}")

    def launched(self, launcher, flags=()):
        return self.started([*launcher, "-n", "3"], flags=flags, running=ranks_below)

    def is_over(self, name, job, text=None):
        self.count += 1
        ranks = ranks_below(job.pid)
        try:
            out, err = job.communicate(timeout=MOST)
        except subprocess.TimeoutExpired:
            os.killpg(job.pid, signal.SIGKILL)
            return self.fail([name], f"still there after {MOST} s")
        time.sleep(0.2)
        left = [pid for pid in ranks if is_running(pid)]
        told = (out + err).decode()  # launchers have a voice of their own
        if job.returncode == 0 or left or (text is not None and told.count(text) != 1):
            self.fail([name], f"status {job.returncode}, {told[-500:]}, left {left}")

    # ---- checkpoints

    def expect(self, words, status, text, want=None):
        self.count += 1
        got = self.run(words)
        if got[0] != status or text not in got[2] or (want is not None and got[1] != want):
            self.fail(words, f"{got}, not status {status} with `{text}`")

    def checkpoints(self):
        call = ["--entry=two", "p.fut", "40i64", "90i32"]
        want = self.run(call)[1]
        folder = pathlib.Path(self.folder, "saved")
        for ranks in ([], ["--ranks=3"], ["--backend=gpu"]):
            shutil.rmtree(folder, ignore_errors=True)
            expected = self.run(["--backend=gpu", *call])[1] if "--backend=gpu" in ranks else want
            self.expect([*ranks, "--checkpoint=saved", "--every=7", *call], 0, "", expected)
            self.expect([*ranks, "--resume=saved", *call], 0, "", expected)
            kept = [file.name for file in folder.glob("loop*.npy")]
            if len(kept) > 7:  # one of the first loop, three each of two checkpoints of the second
                self.fail(ranks, f"old checkpoints stay: {kept}")
        self.killed(call[:3] + ["4000i32"], folder)
        self.refused(call, folder)

    def killed(self, call, folder):
        """Killed with some checkpoints written, continued on another number of ranks."""
        want = self.run(call)[1]
        for ranks, then in (["--ranks=2"], []), ([], ["--ranks=3"]):
            shutil.rmtree(folder, ignore_errors=True)
            job = subprocess.Popen(
                [str(HALO), "run", "--backend=cpu", *ranks, "--checkpoint=saved", "--every=20",
                 *call], cwd=self.folder, env=ENVIRONMENT, stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL, start_new_session=True)
            deadline = time.monotonic() + MOST
            previous = folder / "manifest.previous.json"
            while time.monotonic() < deadline and job.poll() is None and not previous.exists():
                time.sleep(0.01)
            os.killpg(job.pid, signal.SIGKILL)
            job.wait()
            self.expect([*then, "--resume=saved", "--checkpoint=other", *call], 0, "", want)
            newest = json.loads((folder / "manifest.json").read_text())["loops"][-1]["files"][0]
            (folder / newest["name"]).write_bytes(b"torn")
            self.expect([*then, "--resume=saved", *call], 0, "", want)
            shutil.rmtree(pathlib.Path(self.folder, "other"))

    def refused(self, call, folder):
        shutil.rmtree(folder, ignore_errors=True)
        self.expect(["--resume=saved", *call], 64, "there is no checkpoint")
        self.expect(["--checkpoint=saved", "--every=7", *call], 0, "")
        self.expect(["--checkpoint=saved", *call], 64, "holds a checkpoint already")
        self.expect(["--resume=saved", *call[:-1], "91i32"], 64, "with other arguments")
        self.expect(["--resume=saved", "--entry=until", "p.fut", "40i64"], 64, "another program")
        self.expect(["--resume=saved", "--backend=gpu", *call], 64, "of another engine")
        self.expect(["--resume=saved", "--backend=interp", *call], 3, "the interpreter")
        self.expect(["--checkpoint=none", "--entry=sums", "p.fut", "4i64"], 3, "has no loop")
        self.expect(["--checkpoint=/proc/nowhere", *call], 64, "[H8007]")
        self.expect(["--every=7", *call], 64, "--every needs")
        self.expect(["--every=-1s", "--checkpoint=none", *call], 64, "is no interval")
        for damage in ("{", "{}", '{"loops": []}', '{"loops": [], "halo_checkpoint": 1}'):
            for name in ("manifest.json", "manifest.previous.json"):
                (folder / name).write_text(damage)
            self.expect(["--resume=saved", *call], 64, "is damaged")


def installed():
    """The launcher of each MPI that has a plug-in, by name."""
    launchers = {}
    for mpi, flags in (("openmpi", ["-q", "--oversubscribe"]), ("mpich", [])):
        launcher = shutil.which(f"mpirun.{mpi}")
        if launcher is None and not launchers and len(list(HALO.parent.glob("halo_ranks_*"))) == 1:
            launcher = shutil.which("mpirun")
        if launcher is not None and (HALO.parent / f"halo_ranks_{mpi}.so").exists():
            launchers[mpi] = [launcher, *flags]
    return launchers


def limited():
    """Writing beyond 32 MiB fails, as on a full disk, instead of ending the process. Ranks share
    less memory than that."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 25, 1 << 25))


def children(pid):
    """Processes of a job in the order of their start, which is that of ranks."""
    found = []
    for stat in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rsplit(")", 1)[1].split()
        except OSError:
            continue
        if int(fields[1]) == pid:
            found.append(int(stat.parent.name))
    return sorted(found)


def ranks_below(pid):
    """Processes of halo below a launcher that listen to signals, in the order of their start."""
    found, todo = [], [pid]
    while todo:
        todo += (below := children(todo.pop()))
        found += [one for one in below if listens(one) and is_halo(one)]
    return sorted(found)


def is_halo(pid):
    try:
        return pathlib.Path(f"/proc/{pid}/exe").resolve() == HALO
    except OSError:
        return False


def is_running(pid):
    try:
        state = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0]
    except OSError:
        return False
    return state not in "ZX"


def listening(pid):
    """The ranks that have a handler for SIGINT: a busy machine may take long to get there."""
    return [child for child in children(pid) if listens(child)]


def listens(pid):
    try:
        status = pathlib.Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return False
    caught = re.search(r"^SigCgt:\s*(\w+)", status, re.M)
    return bool(caught and int(caught.group(1), 16) >> (signal.SIGINT - 1) & 1)


def main():
    with tempfile.TemporaryDirectory() as folder:
        pathlib.Path(folder, "p.fut").write_text(PROGRAM)
        checks = Checks(folder)
        print("MPI:", ", ".join(checks.mpis) or "none, only ranks that halo starts")
        for part in (checks.results, checks.sums, checks.solvers, checks.gpu_solvers, checks.gathers,
                     checks.exchanges, checks.input, checks.files,
                     checks.repl, checks.failures,
                     checks.no_plugin, checks.costs, checks.model, checks.deaths, checks.mpi, checks.checkpoints):
            if len(sys.argv) < 3 or sys.argv[2] == part.__name__:
                part()
    print(f"{checks.count} checks, {checks.failed} failed")
    sys.exit(1 if checks.failed else 0)


main()
