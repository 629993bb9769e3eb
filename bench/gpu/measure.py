"""Times of entries of a Halo program: the common part of bench/gpu/run and bench/gpu/sweep."""

import json
import os
import pathlib
import subprocess
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
HALO = os.environ.get("HALO", str(HERE.parent.parent / "build/release/halo")).split()


def bench(source, entry, flags=(), seconds=0.5, limit=120):
    """Best wall time in microseconds by number of the input, from 0; and why there are none."""
    with tempfile.NamedTemporaryFile(suffix=".json") as file:
        command = [*HALO, "bench", "--no-convergence-phase", "--backend=gpu", "-r", "3", f"--seconds={seconds}",
                   "--json", file.name, "--entry=" + entry, *flags, source]
        try:
            run = subprocess.run(command, capture_output=True, text=True, timeout=limit)
        except subprocess.TimeoutExpired:
            return {}, f"no answer in {limit} s"
        if run.returncode != 0:
            return {}, (run.stderr or run.stdout).strip()[-300:]
        sets = list(json.load(open(file.name)).values())[0]["datasets"]
    return {int(name.split()[0][1:]) - 1: min(data["nanoseconds"]) / 1000 for name, data in sets.items()}, ""


def times(program, entry, inputs, flags=(), seconds=0.5):
    """The same for `inputs` (tuples of words as they stand in a test block), by input."""
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder) / "measured.fut"
        block = "".join(f"-- input {{ {' '.join(words)} }}\n" for words in inputs)
        source.write_text(program.read_text().replace(
            f"entry {entry} ", f"-- ==\n-- entry: {entry}\n{block}entry {entry} ", 1))
        found, why = bench(source, entry, flags, seconds)
    return {inputs[number]: time for number, time in found.items()}, why


def per_repetition(found, words, few, many):
    """Microseconds of one repetition from the times of few and of many."""
    few_time = found[(*words, f"{few}i32")]
    return (found[(*words, f"{many}i32")] - few_time) / (many - few)
