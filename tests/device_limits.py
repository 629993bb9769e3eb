#!/usr/bin/env python3
"""Kernels are made for devices that nobody has: random limits and features, forced schedules, no device at all.

usage: tests/device_limits.py HALO [COUNT [SEED]]

COUNT times (default 24): a program of tests/exec, or one of `halo fuzz`, is compiled to GLSL, to SPIR-V or to Imp of
the GPU with `--verify`. A device that lacks too much is told so (status 3); any other end but success is a failure.
"""

import pathlib
import random
import re
import subprocess
import sys
import tempfile

from runner import OK, REJECTED

ROOT = pathlib.Path(__file__).resolve().parent
HALO = sys.argv[1]
COUNT = int(sys.argv[2]) if len(sys.argv) > 2 else 24
SEED = int(sys.argv[3]) if len(sys.argv) > 3 else 1
CANNOT_RUN = 3

# Vulkan's least values are among the numbers, and some that are no powers of two: drivers have 896 and 1,000.
NUMBERS = {"subgroup_size": [1, 2, 4, 8, 16, 32, 64, 128], "max_workgroup": [128, 256, 300, 512, 896, 1000, 1024],
           "shared_bytes": [16384, 20000, 24576, 32768], "push_bytes": [128, 160, 256],
           "long_code": [10, 100, 1000], "max_groups": [65535],
           "matrix_depth_f16": [8, 16], "matrix_depth_i8": [16, 32], "matrix_depth_u8": [16, 32]}
FEATURES = """int8 int16 int64 float16 float64 storage8 storage16 subgroup_arithmetic subgroup_ballot subgroup_shuffle
subgroup_shuffle_relative memory_model atomics_int64 atomics_f32 sparse host_pages copy_queue""".split()
# Each found a fault once: the program's name, its entry, limits.
KNOWN = [("short_rows_shared", "rows", "max_workgroup 300\n"), ("map_nested", "", "max_workgroup 128\n")]


def limits(choose):
    lines = [f"{name} {choose.choice(values)}" for name, values in NUMBERS.items() if choose.random() < 0.4]
    return "\n".join(lines + [f"{name} no" for name in FEATURES if choose.random() < 0.2]) + "\n"


def schedules():
    text = subprocess.run([HALO, "run", "--help"], capture_output=True, text=True).stdout
    return re.search(r"where it exists: ([\w, \n]+)", text)[1].replace("\n", " ").replace(" ", "").split(",")


def dump(stage, program, entry, profile, words):
    named = ["--entry=" + entry] if entry else []
    return subprocess.run([HALO, "dump", "--stage=" + stage, "--verify", f"--device-limits={profile}",
                           *named, *words, str(program)], capture_output=True, text=True, timeout=300)


def entries(program):
    return re.findall(r"^entry (\w+)", program.read_text(), re.M)


def main():
    choose = random.Random(SEED)
    failed = 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        subprocess.run([HALO, "fuzz", "--backend=interp", f"--seed={SEED}", "--count=8", f"--keep={folder}/made"],
                       capture_output=True, timeout=300)
        made = sorted((folder / "made").glob("*.fut"))
        written = sorted((ROOT / "exec").glob("*.fut"))
        names = schedules()
        cases = [(ROOT / "exec" / f"{stem}.fut", entry, text, []) for stem, entry, text in KNOWN]
        while len(cases) < COUNT:
            program = choose.choice(made if made and choose.random() < 0.3 else written)
            forced = ["--variant=" + choose.choice(names)] if choose.random() < 0.5 else []
            of_program = entries(program)
            if of_program:
                cases.append((program, choose.choice(of_program), limits(choose), forced))
        for program, entry, text, forced in cases:
            (folder / "device.limits").write_text(text)
            stage = choose.choice(["glsl", "spirv", "imp-gpu"])
            done = dump(stage, program, entry or entries(program)[0], folder / "device.limits", forced)
            if done.returncode not in (OK, REJECTED, CANNOT_RUN):
                failed += 1
                print(f"FAIL {program.name} {entry} --stage={stage} {forced}: status {done.returncode}\n{text}\n"
                      f"{done.stderr[-600:]}")
    print(f"{len(cases) - failed} passed, {failed} failed")
    return 1 if failed else 0


sys.exit(main())
