#!/usr/bin/env python3
"""Programs as people write them: idioms with random operators, types and expressions in their holes, composed to
entries, and compared between engines by `halo fuzz`.

usage: generate.py HALO [--first SEED] [--count N] [--backend LIST] [--calls N] [--keep FOLDER] [--print SEED]
"""

import argparse
import pathlib
import random
import re
import subprocess
import sys
import tempfile

import nests
import rows
import vectors
from scalars import FLOATS, INTEGERS, SCALARS, Scalars

NEUTRAL = {"add": "0", "mul": "1", "xor": "0", "ior": "0", "min": "highest", "max": "lowest"}
SYMBOL = {"add": "+", "mul": "*", "xor": "^", "ior": "|"}
DEPTH = 2


class Program:
    """One file: definitions, and entries that compose them."""

    def __init__(self, seed):
        self.rng = random.Random(seed)
        self.scalars = Scalars(self.rng)
        self.element = self.rng.choice(SCALARS)
        self.lines = []
        self.has_modules = False
        self.count = 0

    def monoid(self, of):
        """A function of the type, with its neutral element: of floats one whose order does not show."""
        kind = self.rng.choice(["min", "max"] if of in FLOATS else list(NEUTRAL))
        name, neutral = f"{kind}_{of}", NEUTRAL[kind]
        body = f"{of}.{kind} x y" if kind in ("min", "max") else f"x {SYMBOL[kind]} y"
        line = f"def {name} (x: {of}) (y: {of}): {of} = {body}"
        if line not in self.lines:
            self.lines.append(line)
        if neutral.isdigit():
            return name, neutral + of
        return name, f"{of}.{neutral}"

    def fill(self, template, name, of):
        """`of` for `<T>`; for `<I>` as well, which only integers are given for."""
        operator, neutral = self.monoid(of)
        shown = f"({SYMBOL[operator[:3]]})" if operator[:3] in SYMBOL and self.rng.random() < 0.5 else operator

        def hole(match):
            kind, *names = match.group(1).split(" ", 1)
            if kind in ("E", "B", "BI", "BE"):
                scope = [(variable, of) for variable in names[0].split()]
                kind_of = of if kind == "E" else "bool"
                return self.scalars.make(kind_of, scope, self.rng.randrange(1, DEPTH + 1))
            if kind == "B0":
                return f"m > 0 && {names[0]} > {self.scalars.literal(of)}"
            if kind in ("M", "M2"):
                instance = rows.INSTANCES[self.rng.choice(list(rows.INSTANCES))]
                return instance.replace("<I>", of)
            return {"T": of, "I": of, "op": shown, "bop": operator, "ne": neutral,
                    "c": self.scalars.literal(of)}[kind]

        text = re.sub(r"<(T|I|op|bop|ne|c|M2|M|E [a-z ]+|B [a-z]+|BI [a-z]+|BE [a-z]+|B0 xs\[0\])>", hole, template)
        return text.replace("@", name)

    def define(self, family, of=None):
        """Adds a function of the family; its name and element type."""
        of = of or self.element
        fitting = [text for text in family if "<I>" not in text or of in INTEGERS]
        template = self.rng.choice(fitting)
        name = f"part{self.count}"
        self.count += 1
        if family is rows.MODULE_USES and not self.has_modules:
            self.has_modules = True
            self.lines.append(rows.MONOID)
        self.lines.append(self.fill(template, name, of))
        return name

    def same(self, of):
        pool = vectors.SAME if of in FLOATS or self.rng.random() < 0.85 else rows.MODULE_USES
        return self.define(pool, of)

    def vector(self, entry):
        """A pipeline over one array, then what becomes of it."""
        of = self.element
        stages = [f"{self.same(of)} k" for _ in range(self.rng.randrange(1, 4))]
        if self.rng.random() < 0.5:
            stages.insert(self.rng.randrange(len(stages) + 1), f"{self.define(vectors.OPEN, of)} k")
        total = self.define(vectors.TOTAL, of)
        chain = " |> ".join(["xs"] + stages)
        return f"entry {entry} (k: i64) (xs: []{of}) = let k = i64.abs (k %% 7) let ys = {chain} in (ys, {total} k ys)"

    def nested(self, entry):
        """The rows of a matrix, each by functions of vectors."""
        of = self.element
        inner, outer, total = self.same(of), self.define(rows.MATRIX, of), self.define(vectors.TOTAL, of)
        inner2 = self.same(of)
        body = self.rng.choice([
            f"let yss = map ({inner} k) ({outer} k xss) in (yss, map ({total} k) yss)",
            f"let yss = {outer} k (map ({inner} k) xss) in (map ({total} k) yss, map ({inner2} k) (transpose yss))",
            f"let (a, b) = unzip (map (\\xs -> let ys = {inner} k xs in (ys, {total} k ys)) xss) in ({outer} k a, b)",
            f"let yss = loop yss = xss for i < k do (if i % 2 == 0 then {outer} k yss else map ({inner} i) yss) "
            f"in (yss, {inner2} k (flatten yss))",
            f"let yss = map2 (\\xs i -> if i % 2 == 0 then {inner} k xs else {inner2} i xs) xss (indices xss) "
            f"in (map ({total} k) yss, {outer} k yss)",
        ])
        return f"entry {entry} (k: i64) (xss: [][]{of}) = let k = i64.abs (k %% 7) {body}".replace(
            "i xs)", "(i % 7) xs)").replace(f"({inner} i)", f"({inner} (i % 7))")

    def ragged(self, entry):
        """Rows of lengths that the data decides: only totals leave."""
        of = self.element
        part, total, same = self.define(vectors.OPEN, of), self.define(vectors.TOTAL, of), self.same(of)
        return (f"entry {entry} (k: i64) (xss: [][]{of}) = let k = i64.abs (k %% 7) "
                f"in map (\\xs -> {total} k ({part} k ({same} k xs))) xss")

    def whole(self, entry):
        fitting = [text for text in nests.ENTRIES if "<I>" not in text or self.element in INTEGERS]
        return self.fill(self.rng.choice(fitting), entry, self.element)

    def text(self):
        kinds = [self.vector, self.vector, self.nested, self.nested, self.ragged] + [self.whole] * 6
        entries = [self.rng.choice(kinds)(f"e{i}") for i in range(3)]
        return "\n".join(self.lines + entries) + "\n"


def compared(halo, seed, text, options, folder):
    """None, or the report of a program that engines differ on, or that one of them refuses."""
    path = folder / f"idioms_{seed}.fut"
    path.write_text(text)
    command = [halo, "fuzz", f"--backend={options.backend}", f"--count={options.calls}", f"--seed={seed}",
               f"--largest={options.largest}", "--timeout=60", str(path)]
    try:
        run = subprocess.run(command, capture_output=True, text=True, timeout=600)
    except subprocess.TimeoutExpired:
        return "does not end"
    return None if run.returncode == 0 else f"status {run.returncode}\n{run.stdout[-3000:]}{run.stderr[-3000:]}"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("halo")
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--count", type=int, default=4)
    parser.add_argument("--calls", type=int, default=6)
    parser.add_argument("--backend", default="interp,cpu")
    parser.add_argument("--largest", type=int, default=40)
    parser.add_argument("--keep", type=pathlib.Path)
    parser.add_argument("--print", type=int)
    options = parser.parse_args()
    if options.print is not None:
        print(Program(options.print).text(), end="")
        return 0
    failed = 0
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.keep or pathlib.Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        for seed in range(options.first, options.first + options.count):
            report = compared(options.halo, seed, Program(seed).text(), options, folder)
            path = folder / f"idioms_{seed}.fut"
            if report is None:
                path.unlink()
                continue
            failed += 1
            print(f"seed {seed}: {report}", flush=True)
    print(f"{options.count} programs, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
