#!/usr/bin/env python3
"""Random stencils on all engines: any rank, offsets, boundaries, types, several fields, some steps.

usage: tests/stencils.py HALO [SEED [COUNT]]

Besides loops of stencils there are chains of them with maps before and behind, reductions on the
way, offsets that the compiler does not know, and windows of padded arrays. Each program is compared
by `halo test` with the interpreter, bit by bit, under each way of making kernels. A failing program
is printed.
"""

import pathlib
import random
import subprocess
import sys
import tempfile

EDGES = ["#clamp", "#mirror", "#wrap", "#constant {}"]
SIZES = {1: [0, 1, 2, 3, 7, 64, 257, 1025], 2: [0, 1, 2, 3, 5, 8, 31, 33, 64, 67],
         3: [0, 1, 2, 3, 4, 9, 17]}
INDEX = {1: "i", 2: "i j", 3: "i j k"}
SUM = {1: "i * 7", 2: "i * 7 + j * 13", 3: "i * 7 + j * 13 + k * 5"}
TYPES = ["f32", "f32", "i32", "i32", "f64", "i8", "u8", "i16", "i64", "f16"]
NONE = {1: "(rep ())", 2: "(rep (rep ()))", 3: "(rep (rep (rep ())))"}


class Program:
    def __init__(self, random_):
        self.random = random_
        self.rank = random_.randint(1, 3)
        self.type = random_.choice(TYPES)
        self.reach = random_.choice([1, 1, 1, 2, 3, 6])
        self.names = ["n", "m", "l"][:self.rank]

    def choose(self, options):
        return self.random.choice(options)

    def chance(self, probability):
        return self.random.random() < probability

    def number(self):
        return f"{self.random.randint(1, 3)}{self.type}"

    def offset(self, reach):
        numbers = [self.random.randint(-reach, reach) for _ in range(self.rank)]
        if self.chance(0.5):  # along one axis only
            axis = self.random.randrange(self.rank)
            numbers = [by if k == axis else 0 for k, by in enumerate(numbers)]
        return f"({', '.join(map(str, numbers))})" if self.rank > 1 else str(numbers[0])

    def edge(self):
        edges = [self.choose(EDGES).format(self.number()) for _ in range(self.rank)]
        if self.chance(0.4):
            edges = [edges[0]] * self.rank
        return f"({', '.join(edges)})" if self.rank > 1 else f"({edges[0]})"

    def expression(self, points, with_centre):
        text = f"v[{self.random.randrange(points)}]"
        for _ in range(self.random.randint(0, 2 * points)):
            operands = [f"v[{self.random.randrange(points)}]", self.number(), "v[0]"]
            operands += ["c"] * with_centre
            text = f"({text} {self.choose('+-*')} {self.choose(operands)})"
        return f"0.01{self.type} * {text}" if self.type[0] == "f" else text

    def stencil(self, invariant, array):
        points = self.random.randint(1, 7)
        offsets = f"[{', '.join(self.offset(self.reach) for _ in range(points))}]"
        if self.chance(0.1):  # not known when the program is compiled
            zero = "(0, 0, 0)" if self.rank == 3 else "(0, 0)" if self.rank == 2 else "0"
            offsets = f"(if n < 100000 then {offsets} else replicate {points} {zero})"
        name = f"stencil_{self.rank}d_with {self.edge()} {offsets}"
        if invariant is None:
            return f"{name}\n      (\\() v -> {self.expression(points, False)}) {NONE[self.rank]} {array}"
        return f"{name}\n      (\\c v -> {self.expression(points, True)}) {invariant} {array}"

    def windows(self, array):
        """The same by pad, slide and map; boundaries need some cell."""
        pads = [(self.random.randint(0, 2), self.random.randint(0, 2)) for _ in range(self.rank)]
        count = 1
        for low, high in pads:
            count *= low + high + 1
        around = " ".join(f"{low} {high}" for low, high in pads)
        sizes = " ".join(f"{low + high + 1} 1" for low, high in pads)
        flat = {1: "w", 2: "flatten w", 3: "flatten_3d w"}[self.rank]
        cell = f"(\\w -> let v = {flat} in {self.expression(min(count, 5), False)})"
        edge = self.choose(["#clamp", "#wrap", f"#constant {self.number()}"])
        edges = f"({', '.join([edge] * self.rank)})" if self.rank > 1 else f"({edge})"
        shape = "".join(f"[{name}]" for name in self.names)
        return (f"({self.mapped(cell)} (slide_{self.rank}d {sizes} (pad_{self.rank}d {around} {edges} "
                f"{array})) :> {shape}{self.type})")

    def mapped(self, function, maps="map"):
        for _ in range(self.rank - 1):
            function = f"({maps} {function})"
        return f"{maps} {function}"

    def chain(self):
        """Several names one after another, and the sums of some of them."""
        names, lines = ["xs", "ks"], []
        for step in range(self.random.randint(1, 4)):
            array, other = self.choose(names), self.choose(names)
            kind = self.random.random()
            if kind < 0.3:
                one = self.mapped(f"(\\x -> x * {self.number()} + {self.number()})")
                text = f"{one} {array}"
            elif kind < 0.45:
                difference = self.mapped("(\\x y -> x - y)", "map2")
                text = f"{difference} {array} {other}"
            elif kind < 0.55:
                text = self.windows(array)
            else:
                text = self.stencil(other if self.chance(0.3) else None, array)
            lines.append(f"let y{step} = {text}")
            names.append(f"y{step}")
        flat = {1: "", 2: "flatten ", 3: "flatten_3d "}[self.rank]
        sums = f"{self.type}.{self.choose(['sum', 'maximum'] if self.type[0] != 'f' else ['maximum'])}"
        results = [names[-1], f"{sums} ({flat}{self.choose(names[2:])})"]
        if self.chance(0.3):
            results.append(self.choose(names))
        return "\n  ".join(lines) + f"\n  in ({', '.join(results)})"

    def body(self):
        stencil = self.stencil("ks" if self.chance(0.5) else None, "xs")
        if self.chance(0.3):  # a second stencil in the same step
            return f"let ys = {stencil}\n    in {self.stencil('xs', 'ys')}"
        if self.chance(0.2):
            return f"let ys = {self.mapped(f'(* {self.number()})')} xs\n    in {self.stencil('xs', 'ys')}"
        return stencil

    def text(self):
        sizes = " ".join(f"({name}: i64)" for name in self.names)
        make = "tabulate" if self.rank == 1 else f"tabulate_{self.rank}d"
        cells = f"(({SUM[self.rank]}) % 31)"
        field = f"{make} {' '.join(self.names)} (\\{INDEX[self.rank]} -> {self.type}.i64 {cells})"
        chains = self.chance(0.5)
        sizes_of = SIZES[self.rank][1:] if chains else SIZES[self.rank]
        cases = "".join(
            f"-- input {{ {' '.join(f'{self.choose(sizes_of)}i64' for _ in self.names)} {steps}i64 }}\n"
            for steps in self.random.sample([0, 1, 2, 3, 4, 7, 8, 9, 12], 3))
        loop = f"loop xs = xs for _i < steps do\n    {self.body()}"
        return (f"-- tolerance: exact\n-- ==\n{cases}"
                f"entry main {sizes} (steps: i64) =\n  let ks = {field}\n  let xs = {field}\n"
                f"  {self.chain() if chains else 'in ' + loop}\n")


def main():
    halo = sys.argv[1]
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    count = int(sys.argv[3]) if len(sys.argv) > 3 else 16
    random_ = random.Random(seed)
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for number in range(count):
            path = pathlib.Path(folder) / f"stencil_{number}.fut"
            path.write_text(Program(random_).text())
        for variant, engines in [("", "interp,cpu,gpu"), ("steps", "interp,cpu"),
                                 ("rows", "interp,gpu"), ("unaligned", "interp,gpu"), ("space_stream", "interp,gpu"),
                                 ("tiles", "interp,gpu"), ("plane_stream", "interp,gpu")]:
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
