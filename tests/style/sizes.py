"""No file grows into a monster (docs/style.md#files-and-functions). Beyond the hard limit a file needs a written reason:
a comment in its first 40 lines that begins `Long because`. A folder of code has at most 40 files; its
rooms (ROOMS in CMakeLists.txt) have a README each. At most MOST_LONG functions have more than LONG lines: the number
may only fall. A class declares at most MOST_METHODS methods.
"""

import collections
import re

from common import ROOT, finish, name, read, sources

LIMITS = {".cpp": (400, 800), ".h": (150, 300)}
MOST_FILES = 40
LONG, MOST_LONG = 40, 90
MOST_METHODS = 60

# Lines that end in `{` and begin no function: scopes, statements, initialisers, lambdas.
NO_HEAD = re.compile(r"\s*(?:namespace|class|struct|enum|union|extern|template|\}|//|if|for|while|switch|else|do\b|case|return|#)")
NO_BODY = re.compile(r"(?:=|\(|,|return|\]) ?\{$|\[.*\].*\{$")
ENDS = re.compile(r"[;{}:]$|^\s*//|^\s*#|^\S.*>$")


def check():
    for file in sources(*LIMITS):
        lines = read(file).splitlines()
        look, limit = LIMITS[file.suffix]
        if len(lines) > limit and not any("Long because" in line for line in lines[:40]):
            yield f"{name(file)}: {len(lines)} lines, more than {limit} and no reason given"
        elif len(lines) > look:
            print(f"note: {name(file)}: {len(lines)} lines, look again above {look}")


def check_folders():
    counts = collections.Counter(file.parent for file in sources(*LIMITS, ".def", ".md"))
    for folder, count in sorted(counts.items()):
        if count > MOST_FILES:
            yield f"{name(folder)}: {count} files, more than {MOST_FILES}; give it rooms"


def check_rooms():
    for call in re.findall(r"^halo_library\(([^)]*)\)", read(ROOT / "CMakeLists.txt"), re.M):
        folder, _, rest = call.partition(" ")
        for room in rest.partition("ROOMS")[2].split():
            if not (ROOT / folder / room / "README.md").exists():
                yield f"{folder}/{room}: a room without README.md"


def functions(lines):
    """First and last line of each function definition, by the layout of clang-format."""
    last = 0
    for i, line in enumerate(lines):
        if i < last or not line.endswith("{") or ")" not in line or NO_HEAD.match(line) or NO_BODY.search(line):
            continue
        first = i
        while first > 0 and lines[first - 1].strip() and (not ENDS.search(lines[first - 1]) or re.match(r"\s+: ", lines[first])):
            first -= 1
        closing = re.match(r" *", lines[first])[0] + "}"
        last = next((k for k in range(i + 1, len(lines)) if lines[k] in (closing, closing + ";")), i)
        if not NO_HEAD.match(lines[first]):
            yield first, last


def check_functions():
    found = [(last - first + 1, f"{name(file)}:{first + 1}") for file in sources(*LIMITS) if not file.stem.endswith("_test")
             for first, last in functions(read(file).splitlines())]
    long = sorted(((length, place) for length, place in found if length > LONG), reverse=True)
    print(f"note: {len(found)} functions, {len(long)} above {LONG} lines; the longest: {long[0][1]} has {long[0][0]}")
    if len(long) > MOST_LONG:
        yield f"{len(long)} functions have more than {LONG} lines, at most {MOST_LONG} may: {', '.join(place for _, place in long)}"


# A method's declaration begins at the indentation of a class; these words begin something else.
METHOD = re.compile(r"  (?!using |friend |static_assert|return |[A-Z_]+\()[^\s/#:}].*?[\w\])]\(")


def methods(body):
    return sum(1 for line in body.splitlines() if METHOD.match(re.sub(r"<[^<>]*(?:<[^<>]*>)?[^<>]*>", "", line)))


def check_classes():
    largest = (0, "")
    for file in sources(".h"):
        text = read(file)
        for head in re.finditer(r"^(?:class|struct) (\w+)[^;{]*\{\n", text, re.M):
            count = methods(text[head.end():text.find("\n};", head.end())])
            largest = max(largest, (count, f"{name(file)}: {head[1]}"))
            if count > MOST_METHODS:
                yield f"{name(file)}: {head[1]} has {count} methods, more than {MOST_METHODS}"
    print(f"note: the largest class is {largest[1]} with {largest[0]} methods")


finish([*check_classes(), *check(), *check_folders(), *check_rooms(), *check_functions()])
