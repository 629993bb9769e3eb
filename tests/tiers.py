#!/usr/bin/env python3
"""The cpu engine gives the same bits at both tiers and with any number of threads.

usage: tests/tiers.py HALO

Every entry of bench/cpu, on smaller random inputs, and gradients of bench/ad, as quick code, as optimised code, and as code that
changes while it runs, each with one thread and with two.
"""

import itertools
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
HALO = sys.argv[1]
# The new sizes of the benchmarks: some larger than a chunk of a reduction (2^14), odd where it can be.
SIZES = {4194304: 70001, 1048576: 20011, 262144: 4096, 65536: 5003, 4096: 131, 2048: 131, 1024: 71,
         512: 67, 256: 41, 64: 37}
STEPS = {"512i64": "67i64"}
GRADIENTS = {"lbm_gradient": [3, 9], "cross_gradient": [3000, 20, 64], "sparse_gradient": [500, 64, 10],
             "lstm_gradient": [8, 5, 16, 8], "wave_gradient": [30, 40]}


def smaller(word):
    return re.sub(r"\[(\d+)\]", lambda m: f"[{SIZES.get(int(m[1]), m[1])}]", STEPS.get(word, word))


def entries():
    """Program, entry and argument types or values of each measurement."""
    for program in sorted((ROOT / "bench/cpu").glob("*.fut")):
        text = program.read_text()
        for name, inputs in re.findall(r'^-- entry: (\w+)\n-- "\w+" (?:random )?input {(.*?)}', text, re.M):
            yield program, name, [smaller(word) for word in inputs.split()]
    for name, numbers in GRADIENTS.items():
        yield ROOT / "bench/ad/targets.fut", name, [f"{number}i64" for number in numbers]


def argument(word, folder, number):
    if "[" not in word:
        return word
    path = f"{folder}/{number}.bin"
    with open(path, "wb") as file:
        subprocess.run([HALO, "dataset", "-b", "-s", str(number), "-g", word], stdout=file, check=True)
    return "@" + path


def results(program, name, arguments, environment):
    """The bits that every way of running gives, by its flags."""
    found = {}
    for tier, threads in itertools.product(["1", "2", "auto"], ["1", "2"]):
        flags = [f"--tier={tier}", f"--threads={threads}"]
        command = [HALO, "run", "--backend=cpu", "-b", *flags, f"--entry={name}", program, *arguments]
        run = subprocess.run(command, capture_output=True, env=environment)
        found[" ".join(flags)] = run.stdout if run.returncode == 0 else run.stderr
        if run.returncode != 0:
            print(f"{name} {flags}: status {run.returncode}: {run.stderr.decode()}")
            sys.exit(1)
    return found


def main():
    different = 0
    with tempfile.TemporaryDirectory() as folder:
        environment = dict(os.environ, XDG_CACHE_HOME=folder)
        count = 0
        for program, name, inputs in entries():
            arguments = [argument(word, folder, number) for number, word in enumerate(inputs)]
            found = results(program, name, arguments, environment)
            count += 1
            first = next(iter(found))
            for flags, bits in found.items():
                if bits != found[first]:
                    print(f"{name}: {flags} and {first} differ")
                    different += 1
    print(f"{count} entries, {different} differences")
    sys.exit(1 if different or count < 40 else 0)


main()
