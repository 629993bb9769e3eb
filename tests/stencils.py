#!/usr/bin/env python3
"""Random stencils on all engines: any rank, offsets, boundaries, several fields, some steps.

usage: tests/stencils.py HALO [SEED [COUNT]]

Each program is compared by `halo test` with the interpreter, bit by bit, under each way of making
kernels. A failing program is printed.
"""

import pathlib
import random
import subprocess
import sys
import tempfile

EDGES = ["#clamp", "#mirror", "#wrap", "#constant {}"]
SIZES = {1: [0, 1, 2, 3, 7, 64, 257], 2: [0, 1, 2, 3, 5, 8, 31, 33, 64], 3: [0, 1, 2, 3, 4, 9, 17]}
INDEX = {1: "i", 2: "i j", 3: "i j k"}
SUM = {1: "i * 7", 2: "i * 7 + j * 13", 3: "i * 7 + j * 13 + k * 5"}


def offset(random_, rank, reach):
    numbers = [random_.randint(-reach, reach) for _ in range(rank)]
    return f"({', '.join(map(str, numbers))})" if rank > 1 else str(numbers[0])


def expression(random_, type_, points):
    text = f"v[{random_.randrange(points)}]"
    for _ in range(random_.randint(0, 2 * points)):
        operand = random_.choice([f"v[{random_.randrange(points)}]", f"{random_.randint(1, 3)}{type_}",
                                  "c", "v[0]"])
        text = f"({text} {random_.choice('+-*')} {operand})"
    return text if type_ == "i32" else f"0.01f32 * {text}"


def program(random_):
    rank = random_.randint(1, 3)
    type_ = random_.choice(["f32", "f32", "i32"])
    points = random_.randint(1, 7)
    reach = random_.choice([1, 1, 2, 3, 6])
    offsets = ", ".join(offset(random_, rank, reach) for _ in range(points))
    edges = [random_.choice(EDGES).format(f"{random_.randint(0, 9)}{type_}") for _ in range(rank)]
    edge = f"({', '.join(edges)})" if rank > 1 else f"({edges[0]})"
    names = ["n", "m", "l"][:rank]
    sizes = " ".join(f"({name}: i64)" for name in names)
    make = "tabulate" if rank == 1 else f"tabulate_{rank}d"
    field = f"{make} {' '.join(names)} (\\{INDEX[rank]} -> {type_}.i64 (({SUM[rank]}) % 31))"
    cases = "".join(
        f"-- input {{ {' '.join(f'{random_.choice(SIZES[rank])}i64' for _ in names)} {steps}i64 }}\n"
        for steps in random_.sample([0, 1, 2, 3, 4, 7, 8, 9, 12], 3))
    stencil = (f"stencil_{rank}d_with {edge} [{offsets}]\n      (\\c v -> "
               f"{expression(random_, type_, points)}) ks xs")
    body = stencil
    if random_.random() < 0.3:  # a second stencil in the same step
        body = (f"let ys = {stencil}\n    in stencil_{rank}d_with {edge} [{offset(random_, rank, 1)}, "
                f"{offset(random_, rank, 2)}]\n      (\\c v -> v[0] - v[1] + c) xs ys")
    return (f"-- tolerance: exact\n-- ==\n{cases}"
            f"entry main {sizes} (steps: i64) =\n  let ks = {field}\n"
            f"  in loop xs = {field} for _i < steps do\n    {body}\n")


def main():
    halo = sys.argv[1]
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    count = int(sys.argv[3]) if len(sys.argv) > 3 else 12
    random_ = random.Random(seed)
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for number in range(count):
            path = pathlib.Path(folder) / f"stencil_{number}.fut"
            path.write_text(program(random_))
        for variant, engines in [("", "interp,cpu,gpu"), ("rows", "interp,gpu"),
                                 ("tiles", "interp,gpu"), ("march", "interp,gpu")]:
            command = [halo, "test", f"--backend={engines}", folder]
            run = subprocess.run(command + ([f"--variant={variant}"] if variant else []),
                                 capture_output=True, text=True, check=False)
            if run.returncode == 0:
                continue
            failed = 1
            print(f"--variant={variant}, seed {seed}:\n{run.stdout}{run.stderr}")
            for path in sorted(pathlib.Path(folder).glob("*.fut")):
                if path.name in run.stdout + run.stderr:
                    print(path.read_text())
    return failed


sys.exit(main())
