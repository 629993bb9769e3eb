#!/usr/bin/env python3
"""Adjoints of random linear stencils: the dot product of forward and reverse mode is one number, to
the bit, since all values are small whole numbers. Any rank, offsets, boundaries, neighbours beyond
the grid, coefficients for each cell, two steps, grids of no or few cells.

usage: tests/adjoints.py HALO [--backend=interp,cpu] [--seed S] [--files K] [--entries N]
"""

import argparse
import pathlib
import random
import subprocess
import sys
import tempfile

EDGES = ["#clamp", "#mirror", "#wrap", "(#constant 0)", "(#constant 3)"]
SIZES = {1: [0, 1, 2, 3, 5, 17], 2: [0, 1, 2, 3, 6], 3: [0, 1, 2, 4]}
HEADER = """def noise (seed: i64) (i: i64) : f64 = f64.i64 ((i * 37 + seed * 11 + i * i % 23) % 16 - 7)
def dot [n] (xs: [n]f64) (ys: [n]f64) = f64.sum (map2 (*) xs ys)
def agree_1 [n] (f: [n]f64 -> [n]f64) : bool =
  let some seed : [n]f64 = tabulate n (noise seed)
  in dot (jvp f (some 1) (some 2)) (some 3) == dot (some 2) (vjp f (some 1) (some 3))
def agree_2 [n] [m] (f: [n][m]f64 -> [n][m]f64) : bool =
  let some seed : [n][m]f64 = unflatten (tabulate (n * m) (noise seed))
  in dot (flatten (jvp f (some 1) (some 2))) (flatten (some 3))
     == dot (flatten (some 2)) (flatten (vjp f (some 1) (some 3)))
def agree_3 [n] [m] [k] (f: [n][m][k]f64 -> [n][m][k]f64) : bool =
  let some seed : [n][m][k]f64 = unflatten_3d (tabulate (n * m * k) (noise seed))
  in dot (flatten_3d (jvp f (some 1) (some 2))) (flatten_3d (some 3))
     == dot (flatten_3d (some 2)) (flatten_3d (vjp f (some 1) (some 3)))
"""


def offset(rng, rank):
    one = [rng.choice([0, 0, 1, -1, 1, -1, 2, -2, 3, -4]) for _ in range(rank)]
    return str(one[0]) if rank == 1 else f"({', '.join(map(str, one))})"


def entry(rng, name):
    rank = rng.choice([1, 1, 2, 2, 3])
    offsets = sorted({offset(rng, rank) for _ in range(rng.randint(1, 5))}, key=str)
    weights = [rng.choice([1, 1, 2, -1, 3]) for _ in offsets]
    rng.shuffle(offsets)
    terms = " + ".join(f"{w} * v[{i}]" for i, w in enumerate(weights))
    edges = ", ".join(rng.choice(EDGES) for _ in range(rank))
    array = "".join(f"[{s}]" for s in "nmk"[:rank])
    cells = {1: "tabulate n (noise 5)", 2: "unflatten (tabulate (n * m) (noise 5))",
             3: "unflatten_3d (tabulate (n * m * k) (noise 5))"}[rank]
    own = rng.random() < 0.4
    cell = f"(\\c v -> c * ({terms}))" if own else f"(\\() v -> {terms})"
    given = cells if own else "(rep " * rank + "()" + ")" * rank
    steps = rng.choice([1, 1, 2])
    sizes = [rng.choice(SIZES[rank]) for _ in range(rank)]
    call = f"stencil_{rank}d_with ({edges}) [{', '.join(offsets)}] {cell} ({given}) xs"
    parameters = " ".join(f"({s}: i64)" for s in "nmk"[:rank])
    return (f"-- ==\n-- entry: {name}\n-- input {{ {' '.join(f'{s}i64' for s in sizes)} }} output {{ true }}\n"
            f"entry {name} {parameters} : bool =\n"
            f"  agree_{rank} (\\(xs: {array}f64) -> loop xs for _i < {steps}i64 do {call})\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("halo")
    parser.add_argument("--backend", default="interp,cpu")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--files", type=int, default=10)
    parser.add_argument("--entries", type=int, default=20)
    arguments = parser.parse_args()
    rng = random.Random(arguments.seed)
    with tempfile.TemporaryDirectory() as folder:
        paths = []
        for number in range(arguments.files):
            entries = [entry(rng, f"adjoint_{k}") for k in range(arguments.entries)]
            paths.append(pathlib.Path(folder) / f"adjoints_{number}.fut")
            paths[-1].write_text(HEADER + "\n" + "\n".join(entries))
        command = [arguments.halo, "test", f"--backend={arguments.backend}", *map(str, paths)]
        done = subprocess.run(command, capture_output=True, text=True)
        print(done.stdout + done.stderr)
        if done.returncode != 0:
            print("\n".join(path.read_text() for path in paths if path.name in done.stdout))
    sys.exit(done.returncode)


if __name__ == "__main__":
    main()
