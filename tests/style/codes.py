"""Every diagnostic code is unique, explained in codes.md, and provoked by some test.

A test provokes a code by naming it: `H1001` in any file under tests/ or in a unit test, or
`Code::unexpected_character` in a unit test.
"""

import collections
import re

from common import ROOT, finish, name, read, sources

DEFINITIONS = ROOT / "lang/diag/codes.def"
EXPLANATIONS = ROOT / "lang/diag/codes.md"


def mentioned():
    """The labels (`H1001`) and names (`Code::x`) that occur in tests."""
    unit_tests = [f for f in sources(".cpp") if f.name.endswith("_test.cpp")]
    # Everything below tests/ but these checks, whose comments name codes too.
    programs = [f for f in (ROOT / "tests").rglob("*")
                if f.is_file() and f.parent.name != "style" and f.suffix != ".pyc"]
    words = set()
    for file in unit_tests:
        words.update(re.findall(r"\bCode::(\w+)", read(file)))
    for file in unit_tests + programs:
        words.update(re.findall(r"\bH\d{4}\b", read(file)))
    return words


def check():
    if not DEFINITIONS.exists():
        return
    text = read(DEFINITIONS)
    rows = re.findall(r"^\s*(?:HALO_)?CODE\(\s*(\d+)\s*,\s*(\w+)", text, re.M)
    if not rows:
        yield f"{name(DEFINITIONS)}: no rows found; has the macro a new name?"
    for column in (0, 1):
        for value, count in collections.Counter(row[column] for row in rows).items():
            if count > 1:
                yield f"{name(DEFINITIONS)}: {value} is defined {count} times"

    explained = read(EXPLANATIONS) if EXPLANATIONS.exists() else ""
    sections = re.findall(r"^##\s+H?(\d{4})\b", explained, re.M)
    numbers = [row[0] for row in rows]
    for number, code in rows:
        if number not in sections:
            yield f"{name(EXPLANATIONS)}: no section `## {number}` for {code}"
    for number in sections:
        if number not in numbers:
            yield f"{name(EXPLANATIONS)}: section {number} explains no code"

    words = mentioned()
    for number, code in rows:
        if f"H{number}" not in words and code not in words:
            yield f"{name(DEFINITIONS)}: no test provokes H{number} ({code})"


finish(list(check()))
