#!/usr/bin/env python3
"""examples/README.md is the output of `halo literate` for examples/README.fut.

usage: literate.py HALO [--update]

--update writes examples/README.ipynb, too, which tests/tools/notebook.py compares.
Text is compared whole. Of pictures only the names are: their bytes depend on the version of zlib.
"""

import pathlib
import shutil
import subprocess
import sys
import tempfile

HALO = str(pathlib.Path(sys.argv[1]).resolve())
EXAMPLES = pathlib.Path(__file__).resolve().parents[1] / "examples"


def pictures(folder):
    return sorted(path.name for path in (folder / "README-img").iterdir())


def main():
    with tempfile.TemporaryDirectory() as name:
        made = pathlib.Path(name)
        done = subprocess.run([HALO, "literate", "--quiet", "--backend=cpu", "--stop-on-error",
                               "-o", made / "README.md", EXAMPLES / "README.fut"])
        if done.returncode != 0:
            return 1
        if "--update" in sys.argv:
            subprocess.run([HALO, "literate", "--quiet", "--to=ipynb", "--backend=cpu", EXAMPLES / "README.fut"],
                           check=True)
            shutil.copy(made / "README.md", EXAMPLES)
            shutil.copytree(made / "README-img", EXAMPLES / "README-img", dirs_exist_ok=True)
            return 0
        if (made / "README.md").read_text() != (EXAMPLES / "README.md").read_text() or \
                pictures(made) != pictures(EXAMPLES):
            print("examples/README.md is not current: tests/literate.py HALO --update")
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
