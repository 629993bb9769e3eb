#!/usr/bin/env python3
"""`halo explain`: each code that a program can get has an example that gets it, alone, and its
mended form, which does not.

usage: explain.py HALO
"""

import pathlib
import re
import subprocess
import sys
import tempfile

from checks import expect, verdict

HALO = str(pathlib.Path(sys.argv[1]).resolve())
CODES = pathlib.Path(__file__).resolve().parents[2] / "lang/diag/codes.md"
# Codes of programs without an example, and why.
WITHOUT = {
    1005: "bytes that are not UTF-8 cannot be shown", 1006: "16 MiB", 2002: "257 brackets",
    2005: "1025 fields", 3020: "two files", 5001: "the prelude alone gets it",
    7009: "as much as the machine has", 7011: "needs an interrupt",
    7013: "types refuse irregular arrays, with H4003",
    7016: "values of derivatives with sums", 7017: "a loop in reverse mode",
}
RUN_TIME = 7000
WARNINGS = {5003}  # examples that `--Werror` rejects


def diagnosed(text, number, folder):
    program = folder / "p.fut"
    program.write_text(text)
    words = ["check", "--Werror" if number in WARNINGS else "-w"]
    if number >= RUN_TIME:
        words = ["run", "--backend=interp"]
    done = subprocess.run([HALO, *words, str(program)], text=True, capture_output=True,
                          stdin=subprocess.DEVNULL, timeout=120)
    return done.returncode, re.findall(r"\[H(\d+)\]", done.stderr)


def check(number, section, folder):
    examples = dict(re.findall(r"```futhark (rejected|mended)\n(.*?)```", section, re.S)[::-1])
    is_run = number >= RUN_TIME
    if number in WITHOUT:
        expect(not examples, f"{number} has an example: take it from the list")
        return
    expect(set(examples) == {"rejected", "mended"}, f"{number} has {set(examples)}")
    if len(examples) < 2:
        return
    status, codes = diagnosed(examples["rejected"], number, folder)
    expect(status == (1 if is_run else 2) and codes == [str(number)], f"{number}: {status} {codes}")
    status, codes = diagnosed(examples["mended"], number, folder)
    expect((status, codes) == (0, []), f"{number}, mended: {status} {codes}")
    told = subprocess.run([HALO, "explain", f"H{number}"], text=True, capture_output=True).stdout
    expect("For example:" in told and "Mended:" in told and "```" not in told, told)


with tempfile.TemporaryDirectory() as name:
    for section in re.split(r"(?m)^## ", CODES.read_text())[1:]:
        number = int(section[:4])
        if number < 6000 or RUN_TIME <= number < 8000:
            check(number, section, pathlib.Path(name))
for word in ("H7001", "h7001", "7001"):
    told = subprocess.run([HALO, "explain", word], text=True, capture_output=True).stdout
    expect(told.startswith("H7001 "), f"{word}: {told}")
unknown = subprocess.run([HALO, "explain", "H9999"], text=True, capture_output=True)
expect(unknown.returncode != 0 and "codes look like" in unknown.stderr, "an unknown code")
sys.exit(verdict())
