#!/usr/bin/env python3
"""halo bench, halo benchcmp and --diagnostics=json, as other programs meet them.

usage: bench.py HALO

The JSON must have the types that `futhark benchcmp` reads: runtimes are integers, bytes an object,
stderr a string, a failed data set a string.
"""

import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from runner import HALO, OK, REJECTED, RUN_TIME, USAGE, Runner  # noqa: E402

PROGRAMS = {
    "sum.fut": """-- ==
-- input { [1i64, 2i64] } output { 3i64 }
-- "named" random input { [1000]i64 }
-- random input { [100]i64 }
-- tagged-out input { [1i64] }
-- ==
-- entry: square
-- input { 3i64 }
entry main (xs: []i64): i64 = i64.sum xs
entry square (x: i64): i64 = x * x
""",
    "fails.fut": "-- ==\n-- input { 0i64 }\n-- input { 5i64 }\nentry main (x: i64) = 10 / x\n",
    "endless.fut": "-- ==\n-- input { 1i64 }\n-- input { -1i64 }\n"
                   "entry main (n: i64) = loop x = n while x >= 0 do x\n",
    "slow.fut": "-- ==\n-- input { 20000i64 }\n"
                "entry main (n: i64) = loop x = 1 for i < n do x * 3 + i\n",
    "traced.fut": "def main (x: i32) = #[trace] x + 1\n",
    "wrong.fut": "-- caf\u00e9\ndef main (x: i32) = (\"\u00e9\u00e9\", i32.summ x, y)\n",
    "spec.txt": "==\nentry: square\ninput { 7i64 }\n",
}
QUICK = ["-r", "3", "--seconds", "0", "--no-convergence-phase"]
MANY = ["-r", "20", "--seconds", "0", "--no-convergence-phase"]


def shape(run, path):
    """The whole file in Futhark's types."""
    found = json.load(open(run.folder / path))
    for name, program in found.items():
        if not isinstance(program["datasets"], dict):
            run.fail([path], f"{name} has no data sets")
        for data, result in program["datasets"].items():
            ok = isinstance(result, str) or (
                all(isinstance(time, int) for time in result["runtimes"])
                and isinstance(result["bytes"], dict) and isinstance(result["stderr"], str))
            if not ok:
                run.fail([path], f"{name} {data}: {result}")
    return found


def measurements(run):
    run.case(["bench", *QUICK, "--json", "a.json", "sum.fut"], OK,
             ["sum.fut (cpu):", "sum.fut:square (cpu):", '#1 ("[1i64, 2i64]"):', "[100]i64:", "named:",
              "95% CI"])
    found = shape(run, "a.json")
    if sorted(found) != ["sum.fut", "sum.fut:square"]:
        run.fail(["bench"], f"programs {sorted(found)}")
    if len(found["sum.fut"]["datasets"]["named"]["runtimes"]) != 3:
        run.fail(["bench"], "not three runs")
    run.case(["bench", *QUICK, "--backend=interp,cpu", "--json", "b.json", "--entry=square",
              "--bandwidth", "--transfers", "sum.fut"], OK, ["(interp)", "with transfers", "GB/s"])
    for name in ("b.interp.json", "b.cpu.json"):
        shape(run, name)
    run.case(["bench", *QUICK, "--json", "c.json", "fails.fut"], RUN_TIME, ["failed", '#2 ("5i64")'],
             ["[H7003]"])
    found = shape(run, "c.json")["fails.fut"]["datasets"]
    if not isinstance(found['#1 ("0i64")'], str) or isinstance(found['#2 ("5i64")'], str):
        run.fail(["bench"], "the failure is none, or the rest did not run")
    run.case(["bench", *QUICK, "--timeout=1", "endless.fut"], RUN_TIME,
             ["no end after 1 s", '#2 ("-1i64")'])
    run.case(["bench", *QUICK, "--spec-file=spec.txt", "sum.fut"], OK, ["sum.fut:square", "7i64"])
    run.case(["bench", "-r", "3", "--seconds=0", "--convergence-max-seconds=0.1", "sum.fut"], OK)


def comparisons(run):
    run.case(["bench", *MANY, "--json", "old.json", "slow.fut"], OK)
    run.case(["bench", *QUICK, "--compare", "old.json", "--tolerance=10", "slow.fut"], OK, ["x ["])
    old = json.load(open(run.folder / "old.json"))
    data = old["slow.fut"]["datasets"]['#1 ("20000i64")']
    # Times with little spread, since a busy machine's own may have so much that nothing is slower.
    times = sorted(data["nanoseconds"])
    steady = [times[len(times) // 2] + i % 3 for i in range(len(times))]
    for name, part in [("old.json", 1), ("fast.json", 2), ("faster.json", 100)]:
        data["nanoseconds"] = [time // part for time in steady]
        (run.folder / name).write_text(json.dumps(old))
    run.case(["bench", *MANY, "--compare", "faster.json", "slow.fut"], RUN_TIME, ["slower"])
    run.case(["benchcmp", "fast.json", "old.json"], RUN_TIME, ["slow.fut", "0.50x", "slower"])
    run.case(["benchcmp", "old.json", "fast.json"], OK, ["2.0"])
    for _ in range(10):
        run.case(["benchcmp", "old.json", "old.json"], OK, ["1.00x"])
    # As Futhark writes it: no exact times.
    del data["nanoseconds"]
    del old["slow.fut"]["halo"]
    (run.folder / "futhark.json").write_text(json.dumps(old))
    run.case(["benchcmp", "futhark.json", "old.json"], OK, ["slow.fut"])
    run.case(["benchcmp", "old.json", "a.json"], OK, ["no data set is in both"])
    run.case(["benchcmp", "old.json", "sum.fut"], USAGE, err=["[H8006]"])
    missing = ["bench", *QUICK, "--compare", "none.json", "slow.fut"]
    run.case(missing, USAGE, err=["none.json"])
    told = subprocess.run([HALO, *missing], cwd=run.folder, capture_output=True, text=True).stdout
    if told:
        run.fail(missing, f"measured before results that are not there: {told}")
    # Of one file the old results are compared, the new ones written.
    shutil.copy(run.folder / "faster.json", run.folder / "same.json")
    run.case(["bench", *MANY, "--compare=same.json", "--json=same.json", "slow.fut"], RUN_TIME, ["slower"])
    if (run.folder / "same.json").read_text() == (run.folder / "faster.json").read_text():
        run.fail(["bench", "--json=same.json"], "the results are not written")


def diagnostics(run):
    done = subprocess.run([HALO, "check", "--diagnostics=json", "wrong.fut"], cwd=run.folder,
                          capture_output=True, text=True)
    lines = [json.loads(line) for line in done.stderr.splitlines()]
    places = [(d["code"], d["severity"], d["file"], d["line"], d["column"], d["end_column"])
              for d in lines]
    if done.returncode != REJECTED or places != [
            ("H3001", "error", "wrong.fut", 2, 28, 36), ("H3001", "error", "wrong.fut", 2, 40, 41)]:
        run.fail(["check", "--diagnostics=json"], f"{done.returncode} {places}")
    elif lines[0]["suggestion"] != {"from": "i32.summ", "to": "i32.sum"}:
        run.fail(["check", "--diagnostics=json"], str(lines[0]))
    done = subprocess.run([HALO, "check", "-"], input="def x = y\n", capture_output=True, text=True)
    if done.returncode != REJECTED or " --> standard input:1:9" not in done.stderr:
        run.fail(["check", "-"], f"{done}")
    run.case(["run", "--diagnostics=json", "fails.fut", "0"], RUN_TIME,
             err=['"code": "H7003", "severity": "error"'])
    run.case(["run", "--diagnostics=json", "none.fut"], USAGE, err=['"code": "H8001"'])
    every_line_is_json(run, ["test", "--backend=interp", "--diagnostics=json", "wrong.fut"],
                       [("error", "H3001")] * 2)
    every_line_is_json(run, ["run", "--backend=cpu", "--diagnostics=json", "traced.fut", "1"], [("note", None)])
    wrong = {"repl": "none.fut", "nonsense": "", "help": "nonsense", "check": "wrong.fut", "dump": "wrong.fut",
             "bench": "wrong.fut", "profile": "wrong.fut", "tune": "wrong.fut", "server": "wrong.fut",
             "literate": "wrong.fut", "fmt": "none.fut", "explain": "H9999", "doc": "nothing_here", "eval": "y",
             "golden": "none", "fuzz": "--backend=none", "pkg": "check", "lsp": "--none", "kernel": "none",
             "completion": "none", "manual": "none", "defs": "none.fut", "imports": "none.fut",
             "tokens": "none.fut", "datacmp": "none", "script": "none.fut"}
    for command, word in wrong.items():
        every_line_is_json(run, [command, *word.split(), "--diagnostics=json"], None)
    run.case(["dataset", "--i32-bounds=5:1", "-g", "i32"], USAGE,
             err=["error: `5:1` are no bounds for i32, write `LOW:HIGH` [H8002]"])


def every_line_is_json(run, command, expected):
    """`expected`: severities and codes; none: at least one error."""
    done = subprocess.run([HALO, *command], cwd=run.folder, capture_output=True, text=True, input="")
    try:
        lines = [json.loads(line) for line in done.stderr.splitlines()]
    except ValueError:
        return run.fail(command, done.stderr)
    found = [(line["severity"], line.get("code")) for line in lines]
    if found != expected if expected is not None else ("error" not in dict(found) or not done.returncode):
        run.fail(command, f"{found}")


def usage(run):
    run.case([], OK, ["run an entry point"])
    run.case(["help"], OK, ["run an entry point"])
    run.case(["help", "doc"], OK, ["Usage: halo doc", "halo help engines"])
    run.case(["doc", ""], USAGE, err=["a name or a word is missing [H8003]"])
    run.case(["doc", "all elements"], OK, ["i8.sum : [n]i8 -> i8"])
    run.case(["doc", "flat_index"], REJECTED, err=["the prelude has no `flat_index`"])
    run.case(["help", "run"], OK, ["--device"])
    run.case(["help", "engines"], OK, ["--device-limits"])
    run.case(["help", "schedules"], OK, ["one_pass", "column_vectors", "the simplest schedule"])
    run.case(["rnu", "sum.fut"], USAGE, err=["unknown command `rnu`, did you mean `run`?"])
    run.case(["--version"], OK, ["LLVM 19"])


def main():
    with tempfile.TemporaryDirectory() as name:
        run = Runner(pathlib.Path(name))
        for program, text in PROGRAMS.items():
            (run.folder / program).write_text(text)
        for part in [measurements, comparisons, diagnostics, usage]:
            part(run)
        print(f"{run.passed} passed, {run.failed} failed")
        return 1 if run.failed else 0


sys.exit(main())
