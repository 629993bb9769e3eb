#!/usr/bin/env python3
"""The Debian packages: their contents and needs, and their files run from another root.

usage: package.py HALO BUILD
"""

import os
import pathlib
import subprocess
import sys
import tempfile

from checks import expect, needs, verdict

BUILD = pathlib.Path(sys.argv[2]).resolve()

for tool, package in (("cpack", "cmake"), ("dpkg-shlibdeps", "dpkg-dev"), ("file", "file")):
    needs(tool, package)


def output(*words, **options):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, timeout=500,
                          **options)
    expect(done.returncode == 0, f"{' '.join(map(str, words))}: {done.stdout}{done.stderr}")
    return done.stdout


WANTED = {
    "halo": ["/usr/bin/halo", "/usr/share/man/man1/halo-run.1", "/usr/share/doc/halo/copyright",
             "/usr/share/bash-completion/completions/halo"],
    "libhalo0": ["/libhalo.so.0.1", "/usr/share/doc/libhalo0/copyright"],
    "libhalo-dev": ["/usr/include/halo/halo.h", "/libhalo.so", "/pkgconfig/halo.pc",
                    "/cmake/Halo/HaloConfig.cmake"],
    "python3-halo": ["/usr/lib/python3/dist-packages/halo/__init__.py"],
}


def check(deb, root):
    name = output("dpkg-deb", "-f", deb, "Package").strip()
    depends = output("dpkg-deb", "-f", deb, "Depends")
    files = output("dpkg-deb", "-c", deb)
    for path in WANTED[name]:
        expect(path in files, f"{name} lacks {path}")
    needed = {"halo": "libc6", "libhalo0": "libstdc++6", "libhalo-dev": "libhalo0 (= 0.1)",
              "python3-halo": "python3-numpy"}[name]
    expect(needed in depends, f"{name} depends on `{depends}`, not on {needed}")
    expect("llvm" not in depends.lower(), f"{name} depends on LLVM: `{depends}`")
    expect(" ./home" not in files and " ./root" not in files, f"{name} has files outside of /usr")
    output("dpkg-deb", "-x", deb, root)
    print(f"{deb.name}: {deb.stat().st_size >> 20} MB, needs {depends.strip()}")
    return name


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        output("cpack", "-G", "DEB", "-B", folder / "packages", cwd=BUILD)
        root = folder / "root"
        found = {check(deb, root) for deb in sorted((folder / "packages").glob("*.deb"))}
        expect({"halo", "libhalo0", "libhalo-dev"} <= found, f"packages {found}")
        command = root / "usr/bin/halo"
        environment = dict(os.environ, HOME=name)
        expect(output(command, "eval", "1 + 1", env=environment).strip() == "2i32", "eval")
        expect("[" in output(command, "run", "--backend=cpu",
                             root / "usr/share/halo/examples/jacobi2d.fut", env=environment,
                             stdin=subprocess.DEVNULL), "an example")
        if "python3-halo" in found:
            environment["PYTHONPATH"] = str(root / "usr/lib/python3/dist-packages")
            program = "import halo; print(halo.compile('entry f (x: i64) = x + 1').f(41))"
            expect(output("/usr/bin/python3", "-c", program, env=environment).strip() == "42", "Python")
    return verdict()


sys.exit(main())
