#!/usr/bin/env python3
"""A stencil written with pad, slide and map gives the same Core node as `stencil_*`, in one to three
dimensions and for each boundary (LANGUAGE.md B.1).

usage: tests/same_core.py HALO

Compares the last stage of the passes from the stencil on, its names numbered in order: before it
stand the checks of pad and slide, which `stencil_*` has not. Differing pairs are printed.
"""

import difflib
import pathlib
import re
import subprocess
import sys
import tempfile

EDGES = ["#clamp", "#mirror", "#wrap", "#constant 7"]


def offsets(before, after):
    found = [[]]
    for low, high in zip(before, after):
        found = [rest + [by] for rest in found for by in range(-low, high + 1)]
    texts = ["(" + ", ".join(map(str, o)) + ")" if len(o) > 1 else str(o[0]) for o in found]
    return "[" + ", ".join(texts) + "]", len(found)


def pair(rank, edges, before, after):
    """The two spellings: windows of any size before and after each cell."""
    sizes = "".join(f"[{name}]" for name in ["n", "m", "k"][:rank])
    where, count = offsets(before, after)
    edge = f"({', '.join(edges)})" if rank > 1 else f"({edges[0]})"
    cell = " + ".join(f"{i + 2} * v[{i}]" for i in range(count))
    nothing = "(rep ())"
    for _ in range(rank - 1):
        nothing = f"(rep {nothing})"
    head = f"entry main {sizes} (xs: {sizes}f32): {sizes}f32 =\n  "
    direct = f"{head}stencil_{rank}d_with {edge} {where} (\\() v -> {cell}) {nothing} xs\n"
    around = " ".join(f"{low} {high}" for low, high in zip(before, after))
    slide = " ".join(f"{low + high + 1} 1" for low, high in zip(before, after))
    flat = {1: "w", 2: "flatten w", 3: "flatten_3d w"}[rank]
    function = f"(\\w -> let v = {flat} in {cell})"
    for _ in range(rank - 1):
        function = f"(map {function})"
    shape = {1: "[n]", 2: "[n][m]", 3: "[n][m][k]"}[rank]
    composed = (f"{head}map {function} (slide_{rank}d {slide} (pad_{rank}d {around} {edge} xs))"
                f" :> {shape}f32\n")
    return direct, composed


def core(halo, path):
    run = subprocess.run([halo, "dump", "--stage=core@if_to_select", path], capture_output=True,
                         text=True, check=False)
    if run.returncode != 0:
        return run.stdout + run.stderr
    if re.search(r"= (pad|slide) ", run.stdout):
        return run.stdout
    numbers = {}

    def number(found):
        return "%" + str(numbers.setdefault(found.group(0), len(numbers)))

    lines = re.sub(r" @\d+:\d+", "", run.stdout).split("\n")
    begin = next((i for i, line in enumerate(lines) if "= stencil [" in line), 0)
    return re.sub(r"\b[A-Za-z]\w*_\d+\b", number, "\n".join(lines[begin:]))


def main():
    halo = sys.argv[1]
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "program.fut"
        cases = []
        for edge in EDGES:
            cases.append((1, [edge], [1], [1]))
            cases.append((1, [edge], [3], [0]))
            cases.append((2, [edge, edge], [1, 2], [1, 0]))
            cases.append((3, [edge] * 3, [1, 0, 1], [0, 1, 1]))
        cases.append((2, ["#wrap", "#constant 7"], [2, 1], [2, 1]))
        cases.append((3, ["#clamp", "#mirror", "#wrap"], [0, 1, 0], [1, 1, 0]))
        for case in cases:
            texts = []
            for program in pair(*case):
                path.write_text(program)
                texts.append(core(halo, str(path)))
            if texts[0] == texts[1] and "stencil [" in texts[0]:
                continue
            failed += 1
            print(f"not the same Core: {case}")
            print("\n".join(difflib.unified_diff(texts[0].split("\n"), texts[1].split("\n"),
                                                 "stencil", "pad and slide", lineterm="")))
    print(f"{len(cases) - failed} of {len(cases)} pairs are the same")
    return 1 if failed else 0


sys.exit(main())
