"""The examples of the page as a script: examples.py EXAMPLES FIRST > examples.js

Programs that read files stay out; those that would take minutes get smaller arguments.
"""

import json
import pathlib
import re
import sys

SMALLER = {
    "heat_inversion": "--entry=picture 24 20 40 --save heat_inversion.png",
    "mandelbrot": "100 240 160 --save mandelbrot.png",
    "wave": "--entry=picture 120 160 100 --save wave.png",
    "waves_inversion": "--entry=picture 16 40 30 --save waves_inversion.png",
}


def main(folder, first):
    examples = {"first": {"program": pathlib.Path(first).read_text(), "arguments": ""}}
    for path in sorted(pathlib.Path(folder).glob("*.fut")):
        program = path.read_text()
        line = re.search(r"^-- run: (.*)$", program, re.M)
        if line and "@" not in line[1]:
            examples[path.stem] = {"program": program,
                                   "arguments": SMALLER.get(path.stem, line[1])}
    print("const HALO_EXAMPLES = " + json.dumps(examples, indent=1) + ";")


if __name__ == "__main__":
    main(*sys.argv[1:])
