#!/usr/bin/env python3
"""A stencil written with pad, slide and map gives the same Core node as `stencil_*`, in one to three
dimensions and for each boundary (docs/language.md#stencils).

usage: tests/same_core.py HALO

Compares the last stage of the passes from the stencil (or the loop around it) on, its names numbered
in order: before it stand the checks of pad and slide, which `stencil_*` has not. Differing pairs are
printed.
"""

import difflib
import pathlib
import re
import subprocess
import sys
import tempfile

# Cells that are looked at one by one, elements of several fields, an array beside, a loop.
WRITTEN = [
    ("entry main [n][m] (xs: [n][m]f32): [n][m]f32 =",
     "stencil_2d_with (#clamp, #wrap) [(-1, 0), (0, -1), (1, 0)] (\\() v -> v[0] + 2 * v[1] - v[2])"
     " (rep (rep ())) xs",
     "map (map (\\w -> w[0, 1] + 2 * w[1, 0] - w[2, 1]))"
     " (slide_2d 3 1 3 1 (pad_2d 1 1 1 1 (#clamp, #wrap) xs)) :> [n][m]f32"),
    ("entry main [n] (xs: [n]{a: f32, b: i32}): [n](f32, i32) =",
     "stencil_1d_with #mirror [-1, 0, 1] (\\() v -> (v[0].a + v[1].a, v[2].b)) (rep ()) xs",
     "map (\\w -> (w[0].a + w[1].a, w[2].b)) (slide_1d 3 1 (pad_1d 1 1 #mirror xs)) :> [n](f32, i32)"),
    ("entry main [n] (ks: [n]f32) (xs: [n](f32, (u8, f64))): [n]f64 =",
     "stencil_1d_with (#constant (1, (2, 3))) [-2, 1]"
     " (\\k v -> f64.f32 (k * v[0].0) + f64.u8 v[1].1.0 * v[1].1.1) ks xs",
     "map2 (\\k w -> f64.f32 (k * w[0].0) + f64.u8 w[3].1.0 * w[3].1.1) ks"
     " (slide_1d 4 1 (pad_1d 2 1 (#constant (1, (2, 3))) xs) :> [n][4](f32, (u8, f64)))"),
    ("entry main [n] (steps: i32) (xs: [n]f32): [n]f32 =",
     "loop xs for _i < steps do stencil_1d [-1, 0, 1] (\\() v -> v[0] + v[1] - v[2]) (rep ()) xs",
     "loop xs for _i < steps do"
     " map (\\w -> w[0] + w[1] - w[2]) (slide_1d 3 1 (pad_1d 1 1 #clamp xs)) :> [n]f32"),
]
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
    begin = next((i for i, line in enumerate(lines) if re.search(r"= (stencil \[|loop )", line)), 0)
    body = re.sub(r"[{};]\s*|\s*}", "\n", "\n".join(lines[begin:]))  # short bodies are one line
    return re.sub(r"\n\s*", "\n", re.sub(r"\b[A-Za-z]\w*_\d+\b", number, body))


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
        programs = [(case, pair(*case)) for case in cases]
        for head, *bodies in WRITTEN:
            programs.append((bodies[0], [f"{head}\n  {body}\n" for body in bodies]))
        for case, both in programs:
            texts = []
            for program in both:
                path.write_text(program)
                texts.append(core(halo, str(path)))
            if texts[0] == texts[1] and "stencil [" in texts[0]:
                continue
            failed += 1
            print(f"not the same Core: {case}")
            print("\n".join(difflib.unified_diff(texts[0].split("\n"), texts[1].split("\n"),
                                                 "stencil", "pad and slide", lineterm="")))
    print(f"{len(programs) - failed} of {len(programs)} pairs are the same")
    return 1 if failed else 0


sys.exit(main())
