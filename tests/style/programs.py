"""Every Halo program of the repository is formatted. To repair: halo fmt FILES

usage: programs.py HALO

tests/syntax is left out, which tests the layout: spaces between tokens, commas behind
the last element, `let` for a definition, comments in odd places. A program that does not parse is
right only if its name says so (fail_*).
"""

import subprocess
import sys

from common import ROOT, finish

UNTOUCHED = ("tests/syntax/",)
REJECTED = 2

files = subprocess.run(["git", "ls-files", "*.fut"], cwd=ROOT, capture_output=True, text=True)
names = [f for f in files.stdout.split() if (ROOT / f).exists() and not f.startswith(UNTOUCHED)]
fails = [f for f in names if f.rsplit("/", 1)[-1].startswith("fail_")]
others = [f for f in names if f not in set(fails)]
problems = []
for group in (fails, others):
    run = subprocess.run([sys.argv[1], "fmt", "--check", *group], cwd=ROOT, capture_output=True,
                         text=True)
    problems += [line for line in run.stderr.splitlines() if line.endswith(": not formatted")]
    if group is others and run.returncode == REJECTED:
        problems.append(run.stderr)
if problems:
    problems.append("repair with: halo fmt FILES")
finish(problems)
