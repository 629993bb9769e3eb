#!/usr/bin/env python3
"""The Debian packages in a root of their own: a new Debian 12 without a compiler, where they are
installed, used as README says, and removed without a trace.

usage: root.py HALO BUILD

Needs debootstrap, root's rights, Debian's archive and HALO_SLOW=1; HALO_ROOT=FOLDER takes a root that debootstrap
has made before (a copy of it), which saves minutes.
"""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

from checks import expect, failed, needs, skip, slow, verdict

BUILD = pathlib.Path(sys.argv[2]).resolve()
SOURCE = pathlib.Path(__file__).resolve().parents[2]
MADE = os.environ.get("HALO_ROOT")


def output(*words, **options):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True,
                          timeout=580, **options)
    expect(done.returncode == 0, f"{' '.join(map(str, words))}: {done.stdout[-2000:]}{done.stderr}")
    return done.stdout


class Root:
    def __init__(self, folder):
        self.folder = folder / "root"
        if MADE:
            output("cp", "-a", MADE, self.folder)
        else:
            done = subprocess.run(["debootstrap", "--variant=minbase", "bookworm", str(self.folder)],
                                  capture_output=True, text=True)
            if done.returncode != 0:
                skip(f"debootstrap: {done.stdout.splitlines()[-1:]}")
        shutil.copy("/etc/resolv.conf", self.folder / "etc/resolv.conf")

    def run(self, *words):
        environment = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/root", "LC_ALL": "C.UTF-8",
                       "DEBIAN_FRONTEND": "noninteractive"}
        environment.update({k: v for k, v in os.environ.items() if k.lower().endswith("_proxy")})
        return output("chroot", self.folder, *words, env=environment)

    def named(self):
        """Files with our name, but for those of the package manager."""
        found = self.run("find", "/usr", "/etc", "/opt", "-iname", "*halo*").split()
        return sorted(found)


def use(root):
    expect(root.run("halo", "eval", "f32.sum (map f32.i64 (iota 100))").strip() == "4950.0f32",
           "an expression")
    expect(root.run("halo", "run", "--backend=cpu", "/home/life.fut").startswith("[[0u8"),
           "an example")
    root.run("halo", "fmt", "--check", "/home/life.fut")
    expect("passed, 0 failed" in root.run("halo", "test", "--backend=interp,cpu", "/home/life.fut"),
           "its tests")
    python = ("import halo, numpy as np; p = halo.compile('entry main (xs: []f32) = f32.sum xs', "
              "backend='cpu'); print(float(p.main(np.ones(10, np.float32))))")
    if (root.folder / "usr/lib/python3/dist-packages/halo").exists():
        expect(root.run("python3", "-c", python).strip() == "10.0", "from Python")
    expect((root.folder / "usr/share/bash-completion/completions/halo").exists(), "completions")
    missing = subprocess.run(["chroot", str(root.folder), "which", "gcc", "cc", "clang"],
                             capture_output=True, text=True)
    expect(missing.stdout == "", "a compiler came with the packages")


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        root = Root(folder)
        before = root.named()
        output("cpack", "-G", "DEB", "-B", folder / "packages", cwd=BUILD)
        if failed():
            return True
        target = root.folder / "packages"
        target.mkdir()
        for deb in (folder / "packages").glob("*.deb"):
            shutil.copy(deb, target)
        shutil.copy(SOURCE / "examples/life.fut", root.folder / "home")
        names = [f"/packages/{deb.name}" for deb in sorted(target.glob("*.deb"))
                 if not deb.name.startswith("libhalo-dev")]
        root.run("apt-get", "update")
        root.run("apt-get", "install", "-y", "--no-install-recommends", *names)
        use(root)
        root.run("apt-get", "purge", "-y", "halo", "libhalo0")
        expect(root.named() == before, f"left behind: {set(root.named()) - set(before)}")
    return verdict()


for tool, package in (("debootstrap", "debootstrap"), ("cpack", "cmake"),
                      ("dpkg-shlibdeps", "dpkg-dev"), ("file", "file")):
    if not (MADE and tool == "debootstrap"):
        needs(tool, package)
slow()
if os.geteuid() != 0:
    skip("a root of its own needs root's rights")
sys.exit(main())
