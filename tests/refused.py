#!/usr/bin/env python3
"""A driver that compiles some kernels, or none: every program still runs, and says how.

usage: refused.py HALO

`refuses TEXT` and `chokes TEXT` in a profile stand for such a driver (gpu/vulkan/features.h).
"""

import os
import pathlib
import subprocess
import sys
import tempfile

HALO = str(pathlib.Path(sys.argv[1]).resolve())

PROGRAM = """
def main [n] (xs: [n]i32): ([n]i32, i32) =
  let ys = scan (+) 0 (map (\\\\x -> x * x) xs)
  in (ys, i32.maximum ys)
""".replace("\\\\", "\\")
ARGUMENT = "[1, 2, 3, -4]"
RESULT = "[1, 5, 14, 30]\n30\n"

# The profile, and a part of a line of --verbose; nothing else ran.
CASES = [
    ("", []),
    ("refuses _narrow", ["its form with 64-bit indices runs instead"]),
    ("refuses one_pass", []),
    ("chokes _narrow", ["its form with 64-bit indices runs instead"]),
    ("chokes main_1", ["it runs as the driver makes it without optimising"]),
    ("refuses main_1", ["the simplest kernels run instead", "this program runs on the cpu engine"]),
    ("refuses m", ["the simplest kernels run instead", "this program runs on the cpu engine"]),
]


def run(folder, profile, words):
    limits = folder / "device.limits"
    limits.write_text(profile + "\n")
    program = folder / "program.fut"
    program.write_text(PROGRAM)
    command = [HALO, "run", "--backend=gpu", f"--device-limits={limits}", *words, str(program), ARGUMENT]
    done = subprocess.run(command, capture_output=True, timeout=120, env=dict(os.environ, NO_COLOR="1"))
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def tested(folder, words):
    """The status of `halo test` on a device that refuses the program's kernels."""
    (folder / "device.limits").write_text("refuses main_1\n")
    program = folder / "tested.fut"
    program.write_text("-- ==\n-- input { [1i32, 2i32] }" + PROGRAM)
    command = [HALO, "test", "--backend=interp,gpu", f"--device-limits={folder / 'device.limits'}", *words, str(program)]
    done = subprocess.run(command, capture_output=True, timeout=120, env=dict(os.environ, NO_COLOR="1"))
    return done.returncode, done.stdout.decode() + done.stderr.decode()


def main():
    failures = 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for profile, wanted in CASES:
            for words in (["--verbose"], ["--explain"]):
                status, out, said = run(folder, profile, words)
                missing = [text for text in wanted if text not in said]
                good = status == 0 and out.replace("i32", "") == RESULT and not missing
                if not wanted and "instead" in said:
                    good = False
                if not good:
                    failures += 1
                    print(f"with `{profile}` {words[0]}: status {status}, {out!r}, missing {missing}\n{said}")
        for words, wanted in (([], 0), (["--no-refusals"], 1)):
            status, said = tested(folder, words)
            if status != wanted:
                failures += 1
                print(f"test {words}: status {status}\n{said}")
    print("failed" if failures else "passed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
