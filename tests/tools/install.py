#!/usr/bin/env python3
"""An installed Halo, from a prefix that has been moved: command, manuals, completions, libhalo.

usage: install.py HALO BUILD

Programs outside of the tree find the library by CMake and by pkg-config, in C99 and in C++20, and
each promise of halo.h is one function of tests/api/user.c.
"""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

from checks import expect, verdict

HALO, BUILD = (pathlib.Path(word).resolve() for word in sys.argv[1:3])
ROOT = pathlib.Path(__file__).resolve().parents[2]
PYTHON = "/usr/bin/python3"  # whose headers, numpy and pybind11 are Debian's


def run(*words, status=0, **options):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True,
                          timeout=300, **options)
    expect(done.returncode == status,
           f"{' '.join(map(str, words))}: status {done.returncode}\n{done.stdout}{done.stderr}")
    return done


# A program that closes the library finds it there when it opens it again.
CLOSED = """
import _ctypes, ctypes, sys
for _ in range(3):
    library = ctypes.CDLL(sys.argv[1])
    context = ctypes.c_void_p()
    assert library.halo_context_new(None, ctypes.byref(context), None) == 0
    library.halo_context_free(context)
    _ctypes.dlclose(library._handle)
assert "libhalo" in open("/proc/self/maps").read()
"""


def files_of(prefix):
    """The installed files, without a name of the build folder."""
    library = next(prefix.glob("lib/**/libhalo.so")).parent
    for path in ["bin/halo", "include/halo/halo.h", "include/halo/halo.hpp",
                 "share/man/man1/halo.1.gz", "share/man/man1/halo-run.1.gz",
                 "share/bash-completion/completions/halo", "share/zsh/site-functions/_halo",
                 "share/fish/vendor_completions.d/halo.fish", "share/halo/examples/hotspot.fut",
                 "share/doc/halo/copyright"]:
        expect((prefix / path).exists(), f"{path} is not installed")
    for path in prefix.rglob("*"):
        if path.is_file() and path.suffix in {".cmake", ".pc", ".fish", ""}:
            text = path.read_bytes()
            expect(str(ROOT).encode() not in text and b"/moved" not in text, f"{path} names a folder")
    return library


def symbols_of(library):
    out = run("nm", "-D", "--defined-only", library / "libhalo.so.0").stdout
    names = [line.split()[-1].split("@")[0] for line in out.splitlines()]
    others = [name for name in names if not name.startswith("halo_") and name != "HALO_0"]
    expect(not others, f"libhalo exports {others[:5]}")
    header = (ROOT / "api/halo.h").read_text()
    expect(len([name for name in names if name.startswith("halo_")]) == header.count("\nHALO_API "),
           "the header and the library do not have the same functions")


def programs(prefix, library, folder):
    environment = dict(os.environ, LD_LIBRARY_PATH=str(library), NO_COLOR="1",
                       PKG_CONFIG_PATH=str(library / "pkgconfig"))
    (folder / "index.fut").write_text("def main (i: i64) (xs: []i32) = xs[i]\n")
    shutil.copy(prefix / "share/halo/examples/hotspot.fut", folder)
    command = subprocess.run([prefix / "bin/halo", "run", "--backend=cpu", folder / "index.fut", "5",
                              "[1, 2, 3]"], capture_output=True, text=True, env=environment)
    built = []
    if shutil.which("pkg-config"):
        flags = run("pkg-config", "--cflags", "--libs", "halo", env=environment).stdout.split()
        run("gcc", "-std=c99", "-pedantic", "-Wall", "-Wextra", "-Werror", ROOT / "tests/api/user.c",
            "-o", folder / "user", *flags, "-pthread")
        built.append(folder / "user")
        # The header of the release before, with today's library.
        run("gcc", "-std=c99", "-Werror", "-I", ROOT / "tests/api/previous", ROOT / "tests/api/user.c",
            "-o", folder / "user_before", *(flag for flag in flags if not flag.startswith("-I")),
            "-pthread")
        built.append(folder / "user_before")
    else:
        print("skipped: pkg-config is not installed (package pkgconf)")
    run("cmake", "-S", ROOT / "tests/api", "-B", folder / "build", f"-DCMAKE_PREFIX_PATH={prefix}")
    run("cmake", "--build", folder / "build")
    built.append(folder / "build/user")
    for program in built:
        for backend in ("cpu", "interp"):
            done = run(program, folder, backend, env=environment)
            expect(done.stdout == command.stderr, f"another text than the command's:\n{done.stdout}{command.stderr}")
            expect(done.stderr == "", f"the library prints: {done.stderr}")
    run(folder / "build/user_cpp", env=environment)
    run(PYTHON, "-c", CLOSED, library / "libhalo.so.0", env=environment)
    without_proc(folder / "build/user_cpp", environment)


def without_proc(program, environment):
    """In a root without /proc, which tells where the first thread's stack ends."""
    alone = ["unshare", "-m", "sh", "-c"]
    tried = shutil.which("unshare") and subprocess.run([*alone, "umount -l /proc"], capture_output=True)
    if not tried or tried.returncode != 0:
        return print("skipped: no rights to unmount /proc")
    return run(*alone, f"umount -l /proc && exec {program}", env=environment)


def python_package(library, folder):
    """`pip install` of python/ against the installed library."""
    missing = [name for name in ("pip", "setuptools", "wheel", "numpy")
               if subprocess.run([PYTHON, "-c", f"import {name}"], capture_output=True).returncode]
    if missing or not pathlib.Path("/usr/include/pybind11").exists():
        return print(f"skipped: {missing or 'package pybind11-dev'} is not installed")
    shutil.copytree(ROOT / "python", folder / "sources")  # pip writes into it
    environment = dict(os.environ, PKG_CONFIG_PATH=str(library / "pkgconfig"), HOME=str(folder))
    run(PYTHON, "-m", "pip", "install", "--no-build-isolation", "--no-deps", "--no-index", "--target",
        folder / "site", folder / "sources", env=environment)
    out = run(PYTHON, "-c", "import halo; print(halo.__file__, "
              "halo.compile('entry f (x: i64) = x + 1', backend='interp').f(41))",
              env=dict(environment, PYTHONPATH=str(folder / "site"))).stdout
    expect(str(folder / "site") in out and out.split()[-1] == "42", f"from pip: {out}")
    return expect((folder / "site/halo/__init__.pyi").exists(), "the types are not installed")


COMPLETE = r"""
source "$1"
COMP_WORDS=("${@:2}"); COMP_CWORD=$(($# - 2)); _halo; printf '%s\n' "${COMPREPLY[@]}"
"""


def completions(prefix):
    script = prefix / "share/bash-completion/completions/halo"

    def complete(*words):
        return run("bash", "-c", COMPLETE, "bash", script, *words).stdout.split()

    expect(complete("halo", "ben") == ["bench", "benchcmp"], "commands are not completed")
    expect("--save" in complete("halo", "run", "--sa"), "options are not completed")
    expect(complete("halo", "run", "--backend", "=", "g") == ["gpu"], "values are not completed")
    expect("strict" in complete("halo", "run", "--fp", ""), "choices are not completed")
    expect(complete("halo", "pkg", "ver") == ["versions"], "tasks are not completed")
    fish = next(prefix.rglob("halo.fish")).read_text()
    expect("from pkg' -f -a 'init add" in fish, "tasks are not completed in fish")
    expect("'1:task:(init add" in next(prefix.rglob("_halo")).read_text(), "nor in zsh")
    for shell, flag in (("zsh", "-n"), ("fish", "--no-execute")):
        if shutil.which(shell):
            run(shell, flag, next(prefix.rglob("_halo" if shell == "zsh" else "halo.fish")))
        else:
            print(f"skipped: package {shell} is not installed")


def manuals(prefix):
    if not shutil.which("man"):
        return print("skipped: package man-db is not installed")
    for page in sorted((prefix / "share/man/man1").iterdir()):
        done = run("man", "--warnings", "-l", "-E", "UTF-8", page, env=dict(os.environ, MANWIDTH="80"))
        expect("NAME" in done.stdout and not done.stderr, f"{page.name}: {done.stderr}")
    text = run("man", "-l", prefix / "share/man/man1/halo-run.1.gz").stdout
    return expect("--save" in text, "halo-run(1) lacks --save")


def read_only(folder):
    """A prefix that cannot be written to: a message, nothing half done."""
    if os.geteuid() == 0:
        target = pathlib.Path("/proc/halo")
    else:
        target = folder / "closed"
        target.mkdir(mode=0o555)
    done = subprocess.run(["cmake", "--install", BUILD, "--prefix", target], capture_output=True,
                          text=True)
    expect(done.returncode != 0 and "CMake Error" in done.stderr, "a closed prefix is no error")


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        run("cmake", "--install", BUILD, "--prefix", folder / "first")
        prefix = folder / "prefix"
        (folder / "first").rename(prefix)  # nothing in it is absolute
        library = files_of(prefix)
        symbols_of(library)
        completions(prefix)
        manuals(prefix)
        done = run(prefix / "bin/halo", "run", prefix / "share/halo/examples/hotspot.fut", "--backend=cpu",
                   cwd=folder, env=dict(os.environ, NO_COLOR="1"), stdin=subprocess.DEVNULL)
        expect("wrote hotspot.png" in done.stderr, done.stderr)
        programs(prefix, library, folder)
        python_package(library, folder)
        read_only(folder)
    return verdict()


sys.exit(main())
