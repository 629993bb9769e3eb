"""The common part of the style checks: the repository's files, and how a check ends."""

import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
CODE_FOLDERS = ["lang", "interp", "jit", "gpu", "stdlib", "cli", "api", "python", "tests",
                "bench"]


def sources(*suffixes, folders=CODE_FOLDERS):
    """Files with one of the suffixes, in a stable order."""
    found = (p for f in folders for p in (ROOT / f).rglob("*") if p.suffix in suffixes)
    return sorted(p for p in found if p.is_file())


def name(path):
    return path.relative_to(ROOT).as_posix()


def read(path):
    return path.read_text(encoding="utf-8", errors="replace")


def finish(problems):
    for problem in problems:
        print(problem)
    sys.exit(1 if problems else 0)
