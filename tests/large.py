#!/usr/bin/env python3
"""Programs that are larger than any written by hand run on all engines, with the right results.

usage: large.py HALO

Each function below writes one: a generator's output, such as a type of 255 constructors. A phase whose time
grows with the square of a size shows here as a test that never ends, not as a number.
"""

import pathlib
import subprocess
import sys
import tempfile

HALO = str(pathlib.Path(sys.argv[1]).resolve())


def program(lines, argument, result):
    return "\n".join(["-- ==", f"-- input {{ {argument} }}", f"-- output {{ {result} }}", *lines]) + "\n"


def constructors(n=255):
    payloads = [("i32", "i", "v"), ("f32", "(f32.i32 i)", "i32.f32 v"), ("(i32, bool)", "(i, true)", "v.0")]
    kinds = [payloads[k % 3] for k in range(n)]
    return program(
        ["type t = " + " | ".join(f"#c{k} {kind[0]}" for k, kind in enumerate(kinds)),
         "def value (x: t): i32 = match x",
         *[f"  case #c{k} v -> {kind[2]} + {k}" for k, kind in enumerate(kinds)],
         "def make (i: i32): t =",
         *[f"  if i == {k} then #c{k} {kind[1]} else" for k, kind in enumerate(kinds)],
         "  #c0 i",
         "def main (is: []i32): []i32 = map value (map make is)"],
        f"[0, 1, 2, {n // 2}, {n - 1}, {n}]", f"[0, 2, 4, {n // 2 * 2}, {2 * n - 2}, {n}]")


def branches(n=900):
    return program(["def main (i: i32) (xs: []i32): []i32 =",
                    *[f"  if i == {k} then map (+ {k}) xs else" for k in range(n)], "  xs"],
                   f"{n - 1} [1, 2]", f"[{n}, {n + 1}]")


def definitions(n=1000):
    return program(["def f0 (x: i32): i32 = x",
                    *[f"def f{k} (x: i32): i32 = f{k - 1} (x ^ {k}) + 1" for k in range(1, n)],
                    f"def main (x: i32): i32 = f{n - 1} x"],
                   "5", xor_chain(5, n))


def xor_chain(x, n):
    for k in range(n - 1, 0, -1):
        x ^= k
    return x + n - 1


def literals(n=5000):
    elements = [k * 7919 % 1000 for k in range(n)]
    rows = n // 10
    return program(
        [f"def known: [{n}]i32 = [{', '.join(map(str, elements))}]",
         f"def rows: [{rows}][2]i32 = [{', '.join(f'[{k}, {k + 1}]' for k in range(rows))}]",
         f'def text: []u8 = "{"abcdefghij" * rows}"',
         f"def made (x: i32): [{n}]i32 = [{', '.join(f'x + {k}' for k in range(n))}]",
         "def main (i: i64) (x: i32): (i32, i32, i32, i32, i32) =",
         "  (known[i], i32.sum (map (+ x) known), i32.sum (map i32.sum rows), i32.u8 text[i],",
         "   i32.sum (made x))"],
        f"{rows}i64 3i32",
        f"{elements[rows]} {sum(elements) + 3 * n} {rows * rows} {ord('a')} {3 * n + n * (n - 1) // 2}")


def updates(n=500):
    return program(["def main (x0: *[100]i32): [100]i32 =",
                    *[f"  let x{k} = x{k - 1} with [{k % 100}] = x{k - 1}[{(k + 7) % 100}] + 1" for k in range(1, n)],
                    f"  in x{n - 1}"],
                   str([0] * 100), updated(n))


def updated(n):
    xs = [0] * 100
    for k in range(1, n):
        xs[k % 100] = xs[(k + 7) % 100] + 1
    return xs


def wildcards(n=50):
    def row(k):
        return ", ".join("true" if j == k else "_" for j in range(n))
    types = ", ".join(["bool"] * n)
    last = ", ".join(f"i == {j}" for j in range(n))
    return program([f"def first (x: ({types})): i32 = match x",
                    *[f"  case ({row(k)}) -> {k}" for k in range(n)], "  case _ -> -1",
                    f"def main (i: i32): i32 = first ({last})"],
                   f"{n - 1}", f"{n - 1}")


def applications(n=600):
    return program(["module type number = { type t val zero: t val add: t -> t -> t }",
                    "module sums (N: number) = {",
                    *[f"  def f{k} (x: N.t): N.t = N.add (N.add x N.zero) (N.add x x)" for k in range(100)], "}",
                    *[f"module m{k} = sums {{ type t = i32 def zero = {k}i32 def add = (i32.+) }}" for k in range(n)],
                    f"def main (x: i32): i32 = m0.f0 x + m{n - 1}.f99 x"],
                   "1", f"{3 + 3 + n - 1}")


def main():
    with tempfile.TemporaryDirectory() as folder:
        for write in (constructors, branches, definitions, literals, updates, wildcards, applications):
            (pathlib.Path(folder) / f"{write.__name__}.fut").write_text(write())
        return subprocess.run([HALO, "test", "--backend=interp,cpu,gpu", folder]).returncode


if __name__ == "__main__":
    sys.exit(main())
