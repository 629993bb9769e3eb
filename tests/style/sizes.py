"""No file grows into a monster (docs/style.md#files-and-functions). Beyond the hard limit a file needs a written reason:
a comment in its first 40 lines that begins `Long because`.
"""

from common import finish, name, read, sources

LIMITS = {".cpp": (400, 800), ".h": (150, 300)}


def check():
    for file in sources(*LIMITS):
        lines = read(file).splitlines()
        look, limit = LIMITS[file.suffix]
        if len(lines) > limit and not any("Long because" in line for line in lines[:40]):
            yield f"{name(file)}: {len(lines)} lines, more than {limit} and no reason given"
        elif len(lines) > look:
            print(f"note: {name(file)}: {len(lines)} lines, look again above {look}")


finish(list(check()))
