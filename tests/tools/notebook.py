#!/usr/bin/env python3
"""Notebooks without a browser: README's ten minutes by `jupyter nbconvert --execute`, the kernel by
Jupyter's own test of kernels.

usage: notebook.py HALO PACKAGE      PACKAGE: the folder with the Python package `halo`
"""

import importlib.util
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

from checks import expect, needs, skip, verdict

HALO, PACKAGE = (str(pathlib.Path(word).resolve()) for word in sys.argv[1:3])
ROOT = pathlib.Path(__file__).resolve().parents[2]


def session():
    """The inputs of README's first session, each with the lines that it shows."""
    block = re.search(r"\$ halo repl\n(.*?)```", (ROOT / "README.md").read_text(), re.S)[1]
    cells = []
    for line in block.splitlines()[1:]:
        if line.startswith("> "):
            cells.append([line[2:], []])
        elif line.startswith("| "):
            cells[-1][0] += "\n" + line[2:]
        else:
            cells[-1][1].append(line)
    return [cell for cell in cells if cell[0] != ":quit" and not cell[0].startswith(":backend")]


def text_of(output):
    text = output.get("text") or output.get("data", {}).get("text/plain") or output.get("traceback")
    return text if isinstance(text, str) else "\n".join(text or [])


def executed(folder, environment):
    cells = session()
    (folder / "examples").symlink_to(ROOT / "examples")
    (folder / "tour.ipynb").write_text(json.dumps({
        "nbformat": 4, "nbformat_minor": 5,
        "metadata": {"kernelspec": {"name": "halo", "display_name": "Halo"}},
        "cells": [{"cell_type": "code", "id": f"c{i}", "source": source, "outputs": [],
                   "execution_count": None,
                   "metadata": {"tags": ["raises-exception"] if "error" in "".join(shown) else []}}
                  for i, (source, shown) in enumerate(cells)]}))
    done = subprocess.run(["jupyter", "nbconvert", "--to", "notebook", "--execute", "--output", "out",
                           "--ExecutePreprocessor.timeout=200", "tour.ipynb"],
                          cwd=folder, env=environment, capture_output=True, text=True, timeout=500)
    if not expect(done.returncode == 0, f"nbconvert: {done.stderr[-3000:]}"):
        return
    found = json.loads((folder / "out.ipynb").read_text())["cells"]
    for (source, shown), cell in zip(cells, found):
        text = "\n".join(text_of(output) for output in cell["outputs"])
        for line in shown:
            expect(line.startswith("-- ") or line in text, f"{source}: `{line}` is not in {text}")
        if source.startswith((":img", ":plot")):
            kinds = [kind for output in cell["outputs"] for kind in output.get("data", {})]
            wanted = "image/svg+xml" if source.startswith(":plot") else "image/png"
            expect(wanted in kinds, f"{source}: {kinds}")
    expect((folder / "warm.png").exists(), "`:save` wrote no file")


def examples(folder, environment):
    """examples/README.ipynb is what `halo literate --to ipynb` makes, and runs: its values are those
    that are in it."""
    made = folder / "made.ipynb"
    done = subprocess.run([HALO, "literate", "--quiet", "--to=ipynb", "--backend=cpu", "-o", made,
                           ROOT / "examples/README.fut"], capture_output=True, text=True, timeout=500)
    expect(done.returncode == 0, done.stderr)
    wanted = json.loads(made.read_text())["cells"]
    kept = json.loads((ROOT / "examples/README.ipynb").read_text())["cells"]
    without = lambda cells: [{k: v for k, v in cell.items() if k != "outputs"} for cell in cells]  # noqa: E731
    expect(without(wanted) == without(kept), "examples/README.ipynb is not current: tests/literate.py HALO --update")
    done = subprocess.run(["jupyter", "nbconvert", "--to", "notebook", "--execute", "--output", folder / "done.ipynb",
                           "--ExecutePreprocessor.timeout=300", ROOT / "examples/README.ipynb"],
                          env=environment, capture_output=True, text=True, timeout=590)
    if not expect(done.returncode == 0, f"nbconvert: {done.stderr[-3000:]}"):
        return
    for before, after in zip(wanted, json.loads((folder / "done.ipynb").read_text())["cells"]):
        for output in before.get("outputs", []):
            kind, data = next(iter(output["data"].items()))
            found = ["".join(o["data"][kind]) for o in after["outputs"] if kind in o.get("data", {})]
            expect(any("".join(data).strip() in text for text in found) or kind != "text/plain" and found,
                   f"{before['source']}: {found}, not {data}"[:500])


def conforming():
    import jupyter_kernel_test

    class Kernel(jupyter_kernel_test.KernelTests):
        kernel_name = "halo"
        language_name = "futhark"
        file_extension = ".fut"
        completion_samples = [{"text": "f32.sq", "matches": {"f32.sqrt"}}, {"text": "stenc"}]
        complete_code_samples = ["1 + 1", "def f x = x + 1i64"]
        incomplete_code_samples = ["let x = ", "def f x ="]
        code_generate_error = "[1, 2][7]"
        code_execute_result = [{"code": "6 * 7", "result": "i32 = 42"}]
        code_display_data = [{"code": ":img [[1u8, 2]]", "mime": "image/png"},
                             {"code": ":plot [1, 4, 9]", "mime": "image/svg+xml"},
                             {"code": ":img [[[1u8, 2]], [[3, 4]]]", "mime": "image/png"}]
        code_inspect_sample = "stencil_1d"

    result = unittest.TextTestRunner(verbosity=1).run(unittest.TestLoader().loadTestsFromTestCase(Kernel))
    expect(result.wasSuccessful() and result.testsRun > len(result.skipped), "jupyter-kernel-test")


def main(folder):
    environment = dict(os.environ, PYTHONPATH=PACKAGE, HALO_KERNEL_BACKEND="cpu",
                       JUPYTER_PATH=str(folder / "share/jupyter"), HOME=str(folder),
                       PATH=f"{pathlib.Path(sys.executable).parent}:{os.environ['PATH']}")
    done = subprocess.run([HALO, "kernel", "install", f"--prefix={folder}"], env=environment, text=True,
                          capture_output=True)
    expect(done.returncode == 0 and "installed" in done.stdout, f"halo kernel install: {done}")
    executed(folder, environment)
    examples(folder, environment)
    if importlib.util.find_spec("jupyter_kernel_test") is None:
        print("skipped: package python3-jupyter-kernel-test is not installed")
    else:
        os.environ.update(environment)
        conforming()
    return verdict()


needs("jupyter-nbconvert", "jupyter-nbconvert")
if importlib.util.find_spec("ipykernel") is None:
    skip("package python3-ipykernel is not installed")
with tempfile.TemporaryDirectory() as name:
    sys.exit(main(pathlib.Path(name)))
