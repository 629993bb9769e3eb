"""Expectations of a test script: each that fails is printed, the others run on."""

import os
import shutil
import sys

SKIPPED = 77  # ctest: SKIP_RETURN_CODE

_failed = []


def expect(holds, what):
    if not holds:
        _failed.append(what)
        print("FAIL", what)
    return holds


def failed():
    return len(_failed) > 0


def verdict():
    """The exit status, after a line that says it."""
    print("failed" if failed() else "passed")
    return 1 if failed() else 0


def skip(why):
    print("skipped:", why)
    sys.exit(SKIPPED)


def needs(tool, package):
    """Ends the script, as skipped, where a program (or a folder) of a Debian package is missing."""
    if not (shutil.which(tool) or os.path.exists(tool)):
        skip(f"package {package} is not installed")


def slow():
    """Ends the script, as skipped, unless tests of minutes are wanted: HALO_SLOW=1 ctest -L tools."""
    if os.environ.get("HALO_SLOW") != "1":
        skip("it takes minutes; HALO_SLOW=1 runs it")
