"""Every pass of the pipelines has a folder of goldens in tests/core/passes/<pass>/."""

import re

from common import ROOT, finish, name, read

PIPELINE = ROOT / "lang/passes/pipeline.cpp"


def has_goldens(row):
    folder = ROOT / "tests/core/passes" / row
    return folder.is_dir() and any(folder.iterdir())


# constexpr PassRow kFuse = {"fuse", "description", fuseNodes};
rows = re.findall(r'PassRow k\w+ = \{\s*"(\w+)"', read(PIPELINE)) if PIPELINE.exists() else []
problems = [f"{name(PIPELINE)}: the pass {row} has no goldens" for row in rows
            if not has_goldens(row)]
if PIPELINE.exists() and not rows:
    problems.append(f"{name(PIPELINE)}: no rows found; has the type a new name?")
finish(problems)
