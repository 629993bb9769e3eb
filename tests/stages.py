#!/usr/bin/env python3
"""The output of `halo dump` as Core and Imp is a program: read back it gives the results of its source.

usage: tests/stages.py HALO [EVERY]

For every EVERY-th program with test blocks under tests/exec, tests/regress and examples (default 7;
1 takes all): the first inputs of its first entries, run from the source, from the stages `core` and
`imp`, from `imp-plain`, which replays of failures run (it adds floats in sequence), and from
`core@PASS` for one pass after another. Results are compared as text, failures by code.
"""

import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
HALO = sys.argv[1]
EVERY = int(sys.argv[2]) if len(sys.argv) > 2 else 7
PASSES = ["inline", "simplify", "hoist", "fuse", "own_loops", "remove_copies", "prove_bounds",
          "define_semantics"]
# A printed fused node reduces each element as soon as it is made: of several failures its replay finds
# another first one than that of the source.
FUSED = {"imp", *("core@" + name for name in PASSES[PASSES.index("fuse"):])}
INPUTS = 2  # of each entry
FAILURE = re.compile(r"\['\[H7")


def halo(*words, stdin=b""):
    return subprocess.run([HALO, *map(str, words)], input=stdin, capture_output=True, timeout=300)


def cases(text):
    """Entry and input of the first plain cases of each test block."""
    for block in re.split(r"^-- ==\s*$", text, flags=re.M)[1:]:
        lines = re.match(r"\n((?:--.*\n?)*)", block)[1]
        body = re.sub(r"^-- ?", "", lines, flags=re.M)
        entries = re.search(r"^\s*entry:(.*)$", body, re.M)
        names = entries[1].split() if entries else ["main"]
        inputs = re.findall(r"^[^\n]*\binput\s*{([^{}]*)}", body, re.M)
        plain = not re.search(r"\b(script|random)\s+input", body)
        for name in names[:2]:
            for values in inputs[:INPUTS] if plain else []:
                if not re.search(r"[({#]", values):  # records and sums are leaves in Core
                    yield name, values.encode()


def outcome(run):
    """The output of a run without names and places."""
    if run.returncode < 0 or run.returncode > 1:
        return f"status {run.returncode}: {run.stderr.decode()[:400]}"
    return run.stdout.decode() if run.returncode == 0 else str(re.findall(r"\[H\d+\]", run.stderr.decode()))


def stages(number):
    return ["core", "imp", "imp-plain", "core@" + PASSES[number % len(PASSES)]]


def check(program, number, folder):
    problems, count = [], 0
    texts = {}
    for entry, values in cases(program.read_text()):
        wanted = outcome(halo("run", "--backend=cpu", f"--entry={entry}", program, stdin=values))
        if re.search(r"[({#]", wanted) or "H8" in wanted:
            continue
        # Replays add floats from left to right.
        sequential = outcome(halo("run", "--backend=cpu", "--fp=strict", f"--entry={entry}", program, stdin=values))
        for stage in stages(number):
            path = pathlib.Path(folder, f"{entry}.{stage}.{re.split('[@-]', stage)[0]}")
            if (entry, stage) not in texts:
                dump = halo("dump", f"--stage={stage}", f"--entry={entry}", program)
                texts[entry, stage] = dump.returncode
                path.write_bytes(dump.stdout)
            if texts[entry, stage] != 0:
                problems.append(f"{program}: {stage} of {entry} is not printed")
                continue
            found = outcome(halo("run", "--backend=cpu", f"--entry={entry}", path, stdin=values))
            count += 1
            both_fail = stage in FUSED and FAILURE.match(found) and FAILURE.match(wanted)
            needed = sequential if stage == "imp-plain" else wanted
            if found != needed and not both_fail:
                problems.append(f"{program}: {stage} of {entry} gives {found[:2000]}\n"
                                f"needed {needed[:2000]}")
    return problems, count


def main():
    programs = sorted(path for part in ["tests/exec", "tests/regress", "examples"]
                      for path in (ROOT / part).glob("*.fut")
                      if "no_cpu" not in path.read_text())
    problems, count = [], 0
    with tempfile.TemporaryDirectory() as folder:
        for number, program in enumerate(programs[::EVERY]):
            wrong, ran = check(program, number, folder)
            problems += wrong
            count += ran
    print("\n".join(problems))
    print(f"{count} runs of printed programs, {len(problems)} of them wrong")
    sys.exit(1 if problems or count == 0 else 0)


main()
