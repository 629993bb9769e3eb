"""The extension module, whose compiler options pkg-config knows (libhalo-dev, pybind11-dev)."""

import glob
import subprocess

import numpy
from setuptools import Extension, setup


def ask(*words):
    return subprocess.run(["pkg-config", *words, "halo"], check=True, capture_output=True,
                          text=True).stdout.split()


folders = [word[2:] for word in ask("--libs") if word.startswith("-L")]
folders += ask("--variable=libdir")  # of a prefix outside of the loader's path
setup(version=ask("--modversion")[0], ext_modules=[Extension(
    "halo._native", sorted(glob.glob("native/*.cpp")), language="c++", libraries=["halo"],
    library_dirs=folders, runtime_library_dirs=folders, include_dirs=[numpy.get_include()],
    extra_compile_args=["-std=c++17", "-O2", "-fvisibility=hidden", *ask("--cflags")])])
