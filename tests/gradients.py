"""Gradient checks (cli/session/testing/gradients.h) of everything that computes with floats: the programs of
tests/gradients on all engines; those of tests/exec and examples in copies where all floats are f64,
so that differences tell whether a derivative is right, on the engines of --backend. --every K: each
K-th of the latter. Run as: gradients.py HALO [--backend=interp,cpu] [--every K]"""
import argparse
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

TESTS = pathlib.Path(__file__).resolve().parent
FLOAT = re.compile(r"f16|f32|f64")
# Programs about the bits of one type, or about types themselves.
BITS = re.compile(r"to_bits|from_bits|with_vjp|import \"[^\"]*f(16|32)")
# Programs with so many kernels that a GPU in software takes minutes to make them.
COMPILED_LONG = {"styles"}


def in_doubles(text):
    """The program in f64; an import of a module of that name would not be there."""
    return re.sub(r"\bf(16|32)\b|(?<=[0-9.])f(16|32)\b", "f64", text)


def copies(folder, paths):
    """f64 copies that keep their places, so that imports and data files are found."""
    made = []
    for path in paths:
        target = folder / path.relative_to(TESTS.parent)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(in_doubles(path.read_text()))
        made.append(target)
    return made


def check(halo, backends, paths):
    """Prints the faults; programs that are none in f64 do not count. Whether all was right."""
    command = [halo, "test", "--derivatives", f"--backend={backends}", *map(str, paths)]
    out = subprocess.run(command, capture_output=True, text=True, timeout=3600).stdout
    failures = [one for one in re.split(r"^(?=FAIL )", out, flags=re.M) if one.startswith("FAIL ")]
    wrong = [one for one in failures if "the program is rejected" not in one]
    print(f"{len(paths)} programs on {backends}:", out.strip().splitlines()[-1])
    for one in wrong:
        print(one[:2000])
    return not wrong and " passed" in out


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("halo")
    parser.add_argument("--backend", default="interp,cpu")
    parser.add_argument("--every", type=int, default=1)
    arguments = parser.parse_args()
    own = sorted((TESTS / "gradients").glob("*.fut"))
    others = sorted([*(TESTS / "exec").glob("*.fut"), *(TESTS.parent / "examples").glob("*.fut")])
    others = [path for path in others
              if FLOAT.search(path.read_text()) and not BITS.search(path.read_text())]
    long = [path for path in own if path.stem in COMPILED_LONG]
    right = check(arguments.halo, "interp,cpu,gpu", [path for path in own if path not in long])
    right &= check(arguments.halo, "interp,cpu", long)
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        for shared in ("tests/exec", "examples"):
            shutil.copytree(TESTS.parent / shared, root / shared, dirs_exist_ok=True)
        right &= check(arguments.halo, arguments.backend,
                       copies(root, others[:: arguments.every]))
    return 0 if right else 1


if __name__ == "__main__":
    sys.exit(main())
