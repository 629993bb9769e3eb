#!/usr/bin/env python3
"""libhalo in a process with another LLVM (llvmlite's), which compiles and runs before, between and
after calls; lavapipe brings a third one.

usage: beside.py HALO PACKAGE      PACKAGE: the folder with the Python package `halo`
"""

import ctypes
import importlib.util
import subprocess
import sys

from checks import expect, skip, verdict

for module, package in (("llvmlite", "python3-llvmlite"), ("numpy", "python3-numpy")):
    if importlib.util.find_spec(module) is None:
        skip(f"package {package} is not installed")

ORDERS = [("halo", "llvmlite"), ("llvmlite", "halo")]
PROGRAM = "entry main [n] (k: i64) (xs: [n]i64) = i64.sum (map (* k) xs)\n"
ADD = """
define i64 @add(i64 %a, i64 %b) {
  %c = add i64 %a, %b
  ret i64 %c
}
"""


def adds():
    """Code that llvmlite compiles anew at each call."""
    import llvmlite.binding as llvm
    llvm.initialize()
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    machine = llvm.Target.from_default_triple().create_target_machine()
    engine = llvm.create_mcjit_compiler(llvm.parse_assembly(ADD), machine)
    engine.finalize_object()
    function = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64, ctypes.c_int64)(
        engine.get_function_address("add"))
    return function(40, 2) == 42


def sums(backend):
    import halo
    import numpy as np
    program = halo.compile(PROGRAM, backend=backend)
    return int(program.main(3, np.arange(1000, dtype=np.int64))) == 3 * 499500


def one_process(order):
    for module in order:
        __import__(module)
    for backend in ("cpu", "gpu"):
        for _ in range(3):
            assert adds(), "llvmlite"
            assert sums(backend), backend
        assert adds(), "llvmlite, after"


if len(sys.argv) > 3:
    sys.path.insert(0, sys.argv[2])
    one_process(sys.argv[3].split(","))
    sys.exit(0)
for order in ORDERS:
    done = subprocess.run([sys.executable, "-B", __file__, *sys.argv[1:3], ",".join(order)],
                          capture_output=True, text=True, timeout=300)
    expect(done.returncode == 0, f"{' before '.join(order)}: {done.returncode} {done.stderr}")
sys.exit(verdict())
