#!/usr/bin/env python3
"""Lines and branches of each folder that its unit tests run: they may rise, never fall.

usage: tests/coverage.py BUILD [--update]

BUILD is a folder of the preset `coverage` (clang):

    cmake --preset coverage && ninja -C build/coverage && python3 tests/coverage.py build/coverage

The unit tests that are built run there, each for the sources of its own folder. Percentages below those in
tests/coverage.json end with status 1; --update writes the file,
where a figure only rises. A folder whose unit test is not built keeps its figures.
"""

import json
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
FLOOR = ROOT / "tests" / "coverage.json"
SLACK = 0.1  # percent: some tests depend on addresses and times


def llvm(tool, *words):
    return subprocess.run([f"llvm-{tool}-19", *map(str, words)], check=True, capture_output=True, text=True).stdout


def folder_of(test):
    """`lang/core` of halo_core_test, `gpu/plan` of halo_gpu_plan_test; none for tests of several folders."""
    name = test.name.removeprefix("halo_").removesuffix("_test")
    return next((folder for folder in ["lang/" + name, name.replace("_", "/", 1), "cli/" + name]
                 if (ROOT / folder).is_dir()), None)


def measure(test, scratch):
    """Counted lines and branches of the test's folder, and how many of them ran."""
    raw, merged = scratch / f"{test.name}.profraw", scratch / f"{test.name}.profdata"
    run = subprocess.run([test], cwd=ROOT, env={"PATH": "/usr/bin:/bin", "LLVM_PROFILE_FILE": str(raw)},
                         capture_output=True, text=True)
    if run.returncode != 0:
        sys.exit(f"{test.name} fails:\n{run.stdout[-2000:]}")
    llvm("profdata", "merge", raw, "-o", merged)
    report = json.loads(llvm("cov", "export", test, f"--instr-profile={merged}", "--summary-only"))
    totals = {"lines": [0, 0], "branches": [0, 0]}
    for file in report["data"][0]["files"]:
        path = (test.parent / file["filename"]).resolve()  # clang was told relative ones
        inside = path.is_relative_to(ROOT) and str(path.relative_to(ROOT)).startswith(folder_of(test) + "/")
        if not inside or path.name.endswith("_test.cpp"):
            continue
        for kind, total in totals.items():
            total[0] += file["summary"][kind]["covered"]
            total[1] += file["summary"][kind]["count"]
    return {kind: round(100 * ran / max(count, 1), 1) for kind, (ran, count) in totals.items()}


def main():
    build = pathlib.Path(sys.argv[1]).resolve()
    floor = json.loads(FLOOR.read_text()) if FLOOR.exists() else {}
    tests = [test for test in sorted(build.glob("halo_*_test")) if folder_of(test)]
    if not tests:
        sys.exit(f"{build} has no unit tests: is it of the preset `coverage`?")
    fell = []
    with tempfile.TemporaryDirectory() as scratch:
        for test in tests:
            folder, now = folder_of(test), measure(test, pathlib.Path(scratch))
            before = floor.get(folder, {})
            print(f"{folder:14} " + "  ".join(f"{kind} {now[kind]:5.1f} %" for kind in now))
            fell += [f"{folder}: {kind} {before[kind]} % to {now[kind]} %" for kind in now
                     if now[kind] < before.get(kind, 0) - SLACK]
            floor[folder] = {kind: max(now[kind], before.get(kind, 0)) for kind in now}
    if "--update" in sys.argv:
        FLOOR.write_text(json.dumps(floor, indent=2, sort_keys=True) + "\n")
    for line in fell:
        print("fell:", line)
    new = sorted({folder_of(test) for test in tests} - set(json.loads(FLOOR.read_text())))
    if new:
        print("no figures yet, so nothing to fall below:", ", ".join(new), "(--update records them)")
    sys.exit(1 if fell else 0)


if __name__ == "__main__":
    main()
