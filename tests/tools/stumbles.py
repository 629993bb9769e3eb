#!/usr/bin/env python3
"""Stumbling blocks of beginners, one row each: the message proposes other code. Mistakes within
programs are in tests/check/beginners; here are those of the session and of the command.

usage: stumbles.py HALO
"""

import pathlib
import re
import subprocess
import sys
import tempfile

from checks import expect, verdict

HALO = str(pathlib.Path(sys.argv[1]).resolve())
ROOT = pathlib.Path(__file__).resolve().parents[2]

# A line of the session, and a part of the answer.
SESSION = [
    ("x = 5", "help: a definition begins with `def`: `def x = ..`"),
    ("f x = x", "help: a definition begins with `def`: `def f x = ..`"),
    ("for i", "help: a loop has a value: `loop"),
    ("return 1", "help: the value of a function is its expression"),
    ("print 3", "help: an expression shows its value"),
    ("help", "help: `:help` lists the commands"),
    ("quit", "help: `:quit` leaves"),
    ("exit", "help: `:quit` leaves"),
    ("var x = 3", "help: a definition begins with `def`: `def x = ..`"),
    ("value x = 3", "`def x = ..`, or `def value x = ..` if `value` is its name"),
    ("x -> x", "help: a function without a name is `\\x -> x + 1`"),
    ("let (a, b) = (1, 2)", "help: a definition has one name"),
    ("ans", "help: `it` is the last value"),
    ("_", "help: `it` is the last value"),
    (":l ROOT/examples/dotprod.fut", "loaded ROOT/examples/dotprod.fut"),
    (":info map", "from the prelude"),
    (":laod x", "did you mean `:load`?"),
]


def halo(*words, text=None):
    return subprocess.run([HALO, *map(str, words)], text=True, capture_output=True, timeout=120,
                          input=text if text is not None else "")


def session():
    for line, answer in SESSION:
        line, answer = line.replace("ROOT", str(ROOT)), answer.replace("ROOT", str(ROOT))
        told = halo("repl", "--backend=interp", text=line + "\n")
        expect(answer in told.stdout + told.stderr, f"{line}: {told.stdout}{told.stderr}")
    told = halo("repl", "--backend=interp", text="let (a, b) = (1, 2)\n in a + bb\n").stderr
    expect("did you mean `b`" in told and "one name" not in told, f"a pattern with its `in`: {told}")
    told = halo("repl", "--backend=interp", text="1 + 2\nit + 1\n").stdout
    expect("i32 = 4" in told, f"`it` is the last value: {told}")
    told = halo("repl", "--backend=all", text=":time f32.sum (map f32.i64 (iota 1000))\n").stdout
    expect("interp" in told and "cpu" in told, f":time on all engines: {told}")


def traces(folder):
    """Compiled code prints none: that is said once, and the value is the same."""
    program = folder / "traced.fut"
    program.write_text("def f (x: i32) = #[trace] (x + 1)\n\nentry main (x: i32) = #[trace] (f x)\n")
    shown = halo("run", "--backend=interp", program, 3)
    expect((shown.stdout, shown.stderr) == ("4i32\n", "trace: 4i32\ntrace: 4i32\n"), f"{shown}")
    told = halo("run", "--backend=cpu", program, 3)
    expect(told.stdout == "4i32\n" and told.stderr.count("prints nothing on cpu") == 1 and
           "traced.fut:1" in told.stderr and "--backend=interp" in told.stderr, f"cpu: {told}")
    expect(halo("run", "--backend=cpu", "--quiet", program, 3).stderr == "", "--quiet")
    program.write_text("entry main (n: i64) =\n  map trace (iota n)\nentry other (x: i32) = #[trace] x\n")
    told = halo("run", "--backend=cpu", program, 3).stderr
    expect("`trace` at" in told and "traced.fut:2 prints" in told, f"the prelude's: {told}")
    program.write_text("def trace (x: i64) = x\nentry main (n: i64) = map trace (iota n)\n"
                       "entry other (x: i32) = #[trace] x\n")
    told = halo("run", "--backend=cpu", program, 3).stderr
    expect(told == "", f"what `main` does not reach: {told}")


def engines(folder):
    """`run --backend=all` gives the first engine's results and says whether the others agree."""
    program = folder / "engines.fut"
    program.write_text("entry halves (x: i32) = 8 / x\n"
                       "entry total (n: i64) = f32.sum (map (\\i -> 1 / f32.i64 (i + 1)) (iota n))\n")
    told = halo("run", "--backend=all", "--entry=halves", program, 2)
    expect((told.stdout, told.stderr) == ("4i32\n", "halo: interp, cpu and gpu agree to the bit\n"), f"{told}")
    told = halo("run", "--backend=interp,cpu", "--entry=total", program, 100000)
    expect("interp and cpu agree, up to the order of float additions" in told.stderr, f"{told}")
    told = halo("run", "--backend=all", "--entry=halves", program, 0)
    expect(told.returncode == 1 and told.stderr.count("H7003") == 1, f"one failure of all: {told}")
    told = halo("run", "--backend=all", "--ranks=2", "--entry=halves", program, 2)
    expect(told.returncode == 64 and "ranks run on one engine" in told.stderr, f"{told}")
    told = halo("run", "--backend=auto,interp", "--entry=halves", program, 2)
    expect(told.returncode == 0 and "agree to the bit" in told.stderr, f"auto is resolved: {told}")
    told = halo("run", "--backend=all", "--device=nope", "--entry=halves", program, 2)
    expect(told.returncode == 3 and "disagree" not in told.stderr, f"no device is no disagreement: {told}")
    told = halo("run", "--backend=all", "--profile", "--entry=halves", program, 2)
    expect(told.returncode == 64 and "one engine" in told.stderr, f"{told}")


def arguments(folder):
    """Called without values: the line to copy comes from the first test case, and it works."""
    program = folder / "needs.fut"
    program.write_text("-- ==\n-- input { 1 [2.0f32] }\n-- output { 1 }\n"
                       "def main (a: i32) (b: []f32) = a\n")
    told = halo("run", program).stderr
    expect(f"help: as in `halo run {program} 1 '[2.0f32]'`" in told, told)
    expect(halo("run", program, "1", "[2.0f32]").stdout == "1i32\n", "the line that was shown")
    for number, (text, line) in enumerate([
            ("def main [n] (i: i64) (xs: [n][2]f32) = xs[i, 1]", "1 '[[1, 2], [3, 4]]'"),
            ("def main (n: i64) (b: bool) (xs: [n]f32) = f32.sum xs", "2 true '[1, 2]'")]):
        program = folder / f"small{number}.fut"
        program.write_text(text + "\n")
        told = halo("run", program).stderr
        expect(f"help: as in `halo run {program} {line}`" in told, told)
        ran = subprocess.run(f"{HALO} run {program} {line}", shell=True, capture_output=True)
        expect(ran.returncode == 0, f"the line that was shown: {ran}")
    (folder / "sizes.fut").write_text("def main [n] (xs: [n + 1]f32) = xs\n")
    expect("as in" not in halo("run", folder / "sizes.fut").stderr, "sizes that are computed")
    other = folder / "a program.fut"
    other.write_text("-- ==\n-- entry: twice same\n-- input { 4i64 }\n"
                     "entry twice (x: i64) = 2 * x\nentry same (x: i64) = x\n")
    told = halo("run", "--entry=same", other).stderr
    expect(f"help: as in `halo run --entry=same '{other}' 4i64`" in told, told)


def records(folder):
    """A record among the arguments says which field is wrong."""
    program = folder / "record.fut"
    program.write_text("entry main (r: {a: i32, b: bool}) = r.a\n")
    for value, answer in (("{b = true}", "expected `a = ..`"),
                          ("{a = 1, a = 2}", "field `a` is here a second time"),
                          ("{a = 1, c = 2}", "there is no field `c` in its type"),
                          ("{a 1}", "expected `=` after the name of a field")):
        told = halo("run", "--backend=interp", program, value).stderr
        expect(answer in told, f"{value}: {told}")


def patience():
    """A search that takes long says how far it is, in a pipe as well."""
    told = halo("fuzz", "--backend=interp", "--until=12s", "--timeout=5")
    expect(re.search(r"halo: \d+ programs, \d+ of the next", told.stderr), f"{told}")
    told = halo("fuzz", "--backend=interp", "--until=4s", "--timeout=5", "--quiet")
    expect(told.stderr == "", f"--quiet: {told}")
    # The search ends at its time, also within the eight programs that one worker gets at once. On
    # three engines these take over ten seconds.
    told = halo("fuzz", "--backend=all", "--seed=18", "--until=1s", "--jobs=1", "--quiet")
    expect(int(told.stdout.split()[0]) < 8, f"--until: {told}")


def examples(folder):
    for path in sorted((ROOT / "examples").glob("*.fut")):
        if path.stem != "README":
            expect("-- run:" in path.read_text(), f"{path.name} has no `-- run:` line")
            for picture in re.findall(r"-- run:.* --save (\S+)", path.read_text()):
                ignored = subprocess.run(["git", "-C", ROOT, "check-ignore", "--quiet", picture]).returncode
                expect(ignored != 1, f"{path.name} leaves {picture} in a clone, untracked")
    expect(halo("run", ROOT / "examples/life.fut").returncode == 0, "an example by its name")
    for word, near in (("rn", "run"), ("chekc", "check"), ("explian", "explain")):
        told = halo(word)
        expect(told.returncode == 64 and f"did you mean `{near}`?" in told.stderr, f"{word}: {told}")


with tempfile.TemporaryDirectory() as name:
    session()
    patience()
    for part in (traces, engines, arguments, records, examples):
        part(pathlib.Path(name))
sys.exit(verdict())
