"""clang-format leaves every C++ file as it is. To repair: tests/style/format.py --fix"""

import re
import subprocess
import sys

from common import ROOT, finish, sources

VERSION = "14"  # Debian 12's; another version formats differently, so the check is skipped there
SKIPPED = 77

found = subprocess.run(["clang-format", "--version"], capture_output=True, text=True).stdout
if not re.search(rf"version {VERSION}\.", found):
    print(f"skipped: needs clang-format {VERSION}, found {found.strip() or 'none'}")
    sys.exit(SKIPPED)

files = sources(".cpp", ".h")
mode = ["-i"] if "--fix" in sys.argv else ["--dry-run", "-Werror"]
run = subprocess.run(["clang-format", *mode, *files], capture_output=True, text=True)
# One line per file is enough: the repair is automatic.
bad = sorted(set(re.findall(rf"^{ROOT}/(\S+?):\d+:\d+: error: code should be", run.stderr, re.M)))
problems = [f"{file}: not formatted" for file in bad]
if problems:
    problems.append("repair with: python3 tests/style/format.py --fix")
if run.returncode and not bad:
    problems.append(run.stderr)
finish(problems)
