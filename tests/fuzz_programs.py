#!/usr/bin/env python3
"""`halo fuzz PROGRAM` and `halo fuzz`: their findings, their reports, and files that show the findings again.

usage: fuzz_programs.py HALO
"""

import json
import pathlib
import sys
import tempfile
import xml.etree.ElementTree

from runner import OK, REJECTED, RUN_TIME, USAGE, Runner

PROGRAMS = {
    # The order of a float sum is the engine's choice, and shows; with --fp=strict it does not.
    "sums.fut": "entry sums [n] (xs: [n]f32) (k: i32): (f32, [n]i32) = (f32.sum xs, map (\\x -> i32.f32 x + k) xs)\n",
    # Terms that cancel: reverse mode adds them in an order of each engine's own, in every float mode.
    "cancels.fut": "entry cancels (k: i32): f32 =\n"
                   "  let weights = map (\\i -> 1234.567 * f32.i64 (i * 79 % 101 - 50)) (iota 101)\n"
                   "  in vjp (\\x -> map (* x) weights) (f32.i32 k) (replicate 101 0.7)\n",
    # The same as an array, which an engine may leave on its device.
    "cancels_in_rows.fut": "entry cancels (k: i32): [2]f32 =\n"
                           "  let weights = map (\\i -> 1234.567 * f32.i64 (i * 79 % 101 - 50)) (iota 101)\n"
                           "  let g = vjp (\\x -> map (* x) weights) (f32.i32 k) (replicate 101 0.7)\n"
                           "  in map (* g) [1, 2]\n",
    # Engines differ by more than the roundings of one order, and less than the author allows.
    "allowed.fut": "".join(
        f"-- ==\n-- entry: {name}\n-- input {{ 3 }}\n\n"
        f"entry {name} (k: i32): f32 =\n"
        "  let weights = map (\\i -> if i == 100 then 1e8 else if i == 99 then -1e8 else 0.25) (iota 101)\n"
        "  in vjp (\\x -> map (* x) weights) (f32.i32 k) (replicate 101 1)\n\n-- tolerance: 0.1\n"
        for name in ("usual", "within")),
    "fails.fut": "def main [n] (xs: [n]i64) (i: i64): i64 = xs[i % n]\n",
    "generated.fut": "entry pairs (size: i64) (seed: i64): ([]i64, i64) = (map (* seed) (iota size), size - 1)\n"
                     "#[prop(gen(pairs))]\nentry last [n] (xs: [n]i64) (i: i64): i64 = if n == 0 then 0 else xs[i]\n",
    "given.fut": "entry some (size: i64) (_seed: i64): []i64 = iota (size %% 7 + 1)\n"
                 "entry first [n] (xs: [n]i64): i64 = assert (n < 8 && n > 0) xs[0]\n",
    # Tags are those of constructors; a size that a value decides is met by a generator alone.
    "sum.fut": "type t = #a | #b i32 | #c\n"
               "entry which (x: t): i32 = match x case #a -> 1 case #b y -> y case #c -> 3\n"
               "entry given (n: i64) (xs: [n * 2 + 1]i32): i32 = xs[0] + i32.i64 n\n",
    # What a constructor does not use is zero, also in arrays, in payloads and behind other sums.
    "slots.fut": "type s = #none | #one u8 | #two u8 i16\ntype t = #leaf | #of s | #many [2]s | #flag bool\n"
                 "entry nones (xs: []s): []bool = map (== #none) xs\n"
                 "entry one (x: t) (r: {a: s, b: []t}): (bool, bool, []bool) =\n"
                 "  (x == #leaf, r.a == #none, map (\\y -> y == #of #none || y == #leaf) r.b)\n"
                 "entry made (n: i64) (b: u8): []t =\n"
                 "  map (\\i -> if i % 4 == 0 then #leaf else if i % 4 == 1 then #of (#one b)\n"
                 "              else if i % 4 == 2 then #many [#two b 1, #none] else #flag (b > 9)) (iota (n %% 9 |> i64.abs))\n",
    "property.fut": "-- ==\n-- property: small\nentry small (x: i32) (ys: []u8): bool = x < 1000 || null ys\n",
    "floats.fut": "-- ==\n-- property: close\nentry close (x: f32) (b: bool) (_: f16): bool = x < 0.25 && b\n",
    # Which call meets the end of the stack depends on the engine.
    "deep.fut": "def total [n] (xs: [n]i64): i64 = if n == 0 then 0 else total (take n xs) + total (drop 0 xs)\n"
                "entry deep [n] (xs: [n]i64): i64 = total xs\n",
    "wrong.fut": "def main (x: i32) = x + true\n",
    # What its author expects does not hold for its mutations.
    "expects.fut": "-- ==\n-- input { [3i64, 4] } output { [7i64, 8] }\n"
                   "entry main (xs: []i64): []i64 = map (\\x -> (x + 4)) xs\n",
}


def mutations(run):
    run.case(["fuzz", "--mutate", "--backend=interp,cpu", "--count=60", "--keep=mutated", "expects.fut"], OK,
             ["mutations agree, 0 differ"])
    run.case(["test", "--backend=interp", "mutated"], RUN_TIME, ["FAIL", "expected"])
    run.case(["fuzz", "--mutate"], USAGE, err=["`--mutate` needs programs"])
    run.case(["fuzz", "--mutate", "none.fut"], USAGE, err=["none.fut"])


def agreement(run):
    run.case(["fuzz", "--backend=all", "--count=12", "sums.fut", "generated.fut"], OK,
             ["24 calls agree, 0 entries differ"])
    run.case(["fuzz", "--backend=interp,cpu", "--count=3", "cancels.fut"], OK, ["3 calls agree"])
    run.case(["fuzz", "--backend=interp,gpu", "--count=3", "cancels_in_rows.fut"], OK, ["3 calls agree"])
    run.case(["fuzz", "--backend=interp,cpu", "--count=3", "allowed.fut"], RUN_TIME,
             ["usual: with --fp=strict", "3 calls agree, 1 entries differ"])
    run.case(["fuzz", "--backend=interp,cpu", "--until=1s", "sums.fut"], OK, ["0 entries differ"])
    run.case(["fuzz", "--backend=interp,cpu", "fails.fut"], OK,
             ["calls fail, on all engines alike", "[H70", "100 calls agree"])
    run.case(["fuzz", "--backend=interp,cpu", "--count=3", "deep.fut"], OK, ["3 calls agree"])
    run.case(["fuzz", "--backend=interp,cpu", "sum.fut"], OK, ["give a generator", "0 entries differ"])
    run.case(["fuzz", "--backend=interp,cpu", "slots.fut"], OK, ["0 entries differ"])
    run.case(["fuzz", "--backend=interp", "--entry=first", "--generator=some", "given.fut"], OK,
             ["100 calls agree"])


def report(run):
    run.case(["fuzz", "--backend=interp", "--seed=3", "--json=out.json", "--junit=out.xml",
              "--keep=kept", "property.fut"], RUN_TIME,
             ["small: interp: is false for 1000i32 [0u8]", "--seed=", "--entry=small property.fut",
              "1 entries differ"])
    found = json.loads((run.folder / "out.json").read_text())["failures"]
    if [one["entry"] for one in found] != ["small"] or "property: small" not in found[0]["reproducer"]:
        run.fail(["fuzz", "--json"], repr(found))
    suite = xml.etree.ElementTree.parse(run.folder / "out.xml").getroot()
    if suite.get("failures") != "1" or "1000i32" not in suite.find("testcase/failure").text:
        run.fail(["fuzz", "--junit"], (run.folder / "out.xml").read_text())
    kept = sorted((run.folder / "kept").glob("property-small-*.fut"))
    if len(kept) != 1:
        return run.fail(["fuzz", "--keep"], repr(kept))
    run.case(["test", "--backend=interp", "--seed=" + kept[0].stem.split("-")[-1], str(kept[0])],
             RUN_TIME, ["is false"])
    run.case(["fuzz", "--backend=interp", "floats.fut"], RUN_TIME,
             ["is false for 0.0f32 false 0.0f16"])
    run.case(["test", "--backend=interp", "--junit=test.xml", "property.fut", "generated.fut"],
             RUN_TIME, ["1 passed, 1 failed"])
    suite = xml.etree.ElementTree.parse(run.folder / "test.xml").getroot()
    if (suite.get("tests"), suite.get("failures")) != ("2", "1"):
        run.fail(["test", "--junit"], (run.folder / "test.xml").read_text())


def refusal(run):
    run.case(["fuzz", "wrong.fut"], REJECTED, ["the program is rejected", "[H3002]"])
    run.case(["fuzz", "--entry=other", "sums.fut"], RUN_TIME, ["[H8005]", "`sums`"])
    run.case(["fuzz", "--until=3 weeks", "sums.fut"], USAGE, err=["is no duration"])
    run.case(["fuzz", "--backend=interp", "--count=1", "--json=/nosuch/x", "sums.fut"], USAGE,
             err=["[H8007]"])


def coverage(run):
    run.case(["fuzz", "--backend=interp,cpu", "--count=8", "--verbose", "--json=all.json"], OK,
             ["constructs:", "prelude:", "functions of modules:"])
    covered = json.loads((run.folder / "all.json").read_text())["coverage"]
    if covered["constructs"]["if"] == 0 or covered["prelude"]["map"] == 0:
        run.fail(["fuzz", "--json"], repr(covered))
    run.case(["fuzz", "--backend=cpu,gpu", "--count=1", "--seed=9", "--every-variant"], OK)


# Two slices are as one: the second goes on behind the first.
def campaign(run):
    slice_ = ["fuzz", "--backend=interp,cpu", "--state=campaign", "--count=4", "--seed=500"]
    run.case(slice_, OK, ["all slices: "])
    state = (run.folder / "campaign" / "campaign.txt").read_text().split("\n")
    if state[:2] != ["options --backend=interp,cpu --fp=default --seed=500", "seed 504"]:
        run.fail(slice_, repr(state))
    run.case(slice_ + ["--keep=second", "--json=second.json"], OK)
    if json.loads((run.folder / "second.json").read_text())["seed"] != 504:
        run.fail(slice_, "the report of the second slice has another seed")
    run.case([*slice_[:-1], "--seed=7"], USAGE, err=["another campaign", "--seed=500"])
    names = sorted(path.name for path in (run.folder / "second").glob("*.fut"))
    if names != [f"seed-{seed}.fut" for seed in range(504, 508)]:
        run.fail(slice_, repr(names))
    facts = dict(line.split(" ", 1) for line in
                 (run.folder / "campaign" / "campaign.txt").read_text().splitlines())
    if facts["seed"] != "508" or sum(int(facts[name]) for name in ("agree", "differ", "rejected", "slow")) != 8:
        run.fail(slice_, repr(facts))
    run.case(["fuzz", "--backend=interp", "--state=campaign", "--count=1"], USAGE, err=["another campaign"])
    run.case([*slice_[:-2], "--count=1", "--keep=third"], OK)  # the state knows the first seed
    if [path.name for path in (run.folder / "third").glob("*.fut")] != ["seed-508.fut"]:
        run.fail(slice_[:-2], "the third slice does not begin at 508")
    (run.folder / "campaign" / "campaign.txt").write_text("options --backend=interp,cpu --fp=default --seed=500\nseed x\n")
    run.case(slice_, USAGE, err=["no state of a campaign"])
    run.case(["fuzz", "--mutate", "--state=campaign", "expects.fut"], USAGE, err=["--state"])
    (run.folder / "in_the_way").write_text("")
    run.case(["fuzz", "--state=in_the_way/x", "--count=1"], USAGE, err=["in_the_way"])


def metamorphic(run):
    run.case(["fuzz", "--metamorphic", "--backend=interp,cpu", "--count=8", "--keep=forms"], OK,
             ["0 differ"])
    texts = [path.read_text() for path in (run.folder / "forms").glob("*.fut")]
    if not texts or any("entry rewritten" not in text for text in texts):
        run.fail(["fuzz", "--metamorphic"], "no rewritten entry")
    # Forms that do differ are told apart: the pair is made unlike by hand.
    path = run.folder / "unlike.fut"
    path.write_text("-- ==\n-- entry: main rewritten\n-- input { 3 }\n"
                    "entry main (x: i32) = x\nentry rewritten (x: i32) = -x\n")
    run.case(["test", "--backend=interp", "--same-entries", "unlike.fut"], RUN_TIME,
             ["the forms of one function disagree"])


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for program, text in PROGRAMS.items():
            (folder / program).write_text(text)
        run = Runner(folder)
        for part in [agreement, mutations, report, refusal, coverage, campaign, metamorphic]:
            part(run)
        print(f"{run.passed} passed, {run.failed} failed")
        return 1 if run.failed else 0


sys.exit(main())
