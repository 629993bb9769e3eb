#!/usr/bin/env python3
"""The Debian packages: their contents and needs, and their files run from another root.

usage: package.py HALO BUILD
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

from checks import expect, needs, verdict

BUILD = pathlib.Path(sys.argv[2]).resolve()
ROOT = pathlib.Path(__file__).resolve().parents[2]

for tool, package in (("cpack", "cmake"), ("dpkg-shlibdeps", "dpkg-dev"), ("file", "file")):
    needs(tool, package)


def output(*words, **options):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, timeout=500,
                          **options)
    expect(done.returncode == 0, f"{' '.join(map(str, words))}: {done.stdout}{done.stderr}")
    return done.stdout


WANTED = {
    "halo": ["/usr/bin/halo", "/usr/share/man/man1/halo-run.1.gz", "/usr/share/doc/halo/copyright",
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


def templates(command, folder, environment):
    """The commands of the templates in packaging/ci, in a project with a program."""
    project = folder / "project"
    project.mkdir()
    (project / "twice.fut").write_text("-- ==\n-- input { 3 } output { 6 }\ndef main (x: i32) = 2 * x\n")
    (folder / "bin").mkdir()
    (folder / "bin/halo").symlink_to(command)
    environment = dict(environment, PATH=f"{folder / 'bin'}:{environment['PATH']}")
    for template in ("github", "gitlab"):
        lines = re.findall(r"(?m)^\s*- (?:run: )?(halo .*)$", (ROOT / f"packaging/ci/{template}.yml").read_text())
        expect(len(lines) == 3, f"{template}: {lines}")
        for line in lines:
            output("sh", "-c", line, cwd=project, env=environment)
        (project / "wide.fut").write_text("def  f=1\n")
        wide = subprocess.run(["sh", "-c", lines[1]], cwd=project, env=environment, capture_output=True)
        expect(wide.returncode == 1, f"{template}: a program that is not formatted")
        (project / "wide.fut").unlink()


def without_errors(packages):
    """Debian's own checker."""
    if not shutil.which("lintian"):
        return print("skipped: package lintian is not installed")
    rights = ["--allow-root"] if os.geteuid() == 0 else []
    done = subprocess.run(["lintian", *rights, "--fail-on=error", *packages], capture_output=True,
                          text=True, timeout=500)
    return expect(done.returncode == 0, f"lintian: {done.stdout}{done.stderr}")


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        output("cpack", "-G", "DEB", "-B", folder / "packages", cwd=BUILD)
        root = folder / "root"
        packages = sorted((folder / "packages").glob("*.deb"))
        found = {check(deb, root) for deb in packages}
        without_errors(packages)
        expect({"halo", "libhalo0", "libhalo-dev"} <= found, f"packages {found}")
        command = root / "usr/bin/halo"
        environment = dict(os.environ, HOME=name)
        expect(output(command, "eval", "1 + 1", env=environment).strip() == "2i32", "eval")
        expect("[" in output(command, "run", "--backend=cpu",
                             root / "usr/share/halo/examples/jacobi2d.fut", env=environment,
                             stdin=subprocess.DEVNULL), "an example")
        templates(command, folder, environment)
        if "python3-halo" in found:
            environment["PYTHONPATH"] = str(root / "usr/lib/python3/dist-packages")
            program = "import halo; print(halo.compile('entry f (x: i64) = x + 1').f(41))"
            expect(output("/usr/bin/python3", "-c", program, env=environment).strip() == "42", "Python")
    return verdict()


sys.exit(main())
