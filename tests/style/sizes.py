"""No file grows into a monster (docs/style.md#files-and-functions). Beyond the hard limit a file needs a written reason:
a comment in its first 40 lines that begins `Long because`. A folder of code has at most 40 files; its
rooms (ROOMS in CMakeLists.txt) have a README each.
"""

import collections
import re

from common import ROOT, finish, name, read, sources

LIMITS = {".cpp": (400, 800), ".h": (150, 300)}
MOST_FILES = 40


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


finish([*check(), *check_folders(), *check_rooms()])
