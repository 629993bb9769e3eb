#!/usr/bin/env python3
"""The cost of the elementary functions beside libm, on the cpu engine, one core, in one run.

usage: bench/math.py        a table: nanoseconds per call of Halo and libm, and their ratio
"""

import json
import os
import pathlib
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
HALO = os.environ.get("HALO", str(ROOT / "build/release/halo"))
CALLS = 65536


def libm():
    program = ROOT / "build/bench_cpp/math"
    subprocess.run(["make", "-s", "-C", ROOT / "bench/cpp", f"BUILD={program.parent}", program],
                   check=True)
    lines = subprocess.run([program], capture_output=True, text=True).stdout.splitlines()
    return {words[0].split("_cpp_")[1]: float(words[2]) for words in map(str.split, lines)}


def halo():
    with tempfile.NamedTemporaryFile(suffix=".json") as file:
        subprocess.run([HALO, "bench", "--backend=cpu", "-r", "20", "--json", file.name,
                        ROOT / "bench/programs/math.fut"], check=True, stdout=subprocess.DEVNULL)
        entries = json.load(open(file.name)).values()
    return {data: min(runs["runtimes"]) / 1000
            for entry in entries for data, runs in entry["datasets"].items()}


def main():
    ours, theirs = halo(), libm()
    print(f"{'function':12} {'halo ns':>8} {'libm ns':>8} {'halo/libm':>9}")
    for name in ours:
        a, b = ours[name] * 1e6 / CALLS, theirs[name] * 1e6 / CALLS
        print(f"{name:12} {a:8.2f} {b:8.2f} {a / b:9.2f}")


if __name__ == "__main__":
    main()
