#!/usr/bin/env python3
"""The Debian packages in a root of their own: a new Debian 12 without a compiler, where they are
installed, used as README says, and removed without a trace. Then as a new user goes on: README's
session, manuals, a completion on a terminal, an editor with the server, a notebook, C++.

usage: root.py HALO BUILD

Needs debootstrap, root's rights, Debian's archive and HALO_SLOW=1; HALO_ROOT=FOLDER takes a root that debootstrap
has made before (a copy of it), which saves minutes.
"""

import contextlib
import os
import pathlib
import pty
import re
import select
import shutil
import subprocess
import sys
import tempfile
import time

from checks import expect, failed, needs, skip, slow, verdict

BUILD = pathlib.Path(sys.argv[2]).resolve()
SOURCE = pathlib.Path(__file__).resolve().parents[2]
MADE = os.environ.get("HALO_ROOT")


def output(*words, **options):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True,
                          timeout=1500, **options)
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
        # Nobody keeps this root: dpkg need not wait for the disk.
        (self.folder / "etc/dpkg/dpkg.cfg.d/hurry").write_text("force-unsafe-io\n")

    def run(self, *words):
        environment = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/root", "LC_ALL": "C.UTF-8",
                       "DEBIAN_FRONTEND": "noninteractive"}
        environment.update({k: v for k, v in os.environ.items() if k.lower().endswith("_proxy")})
        return output("chroot", self.folder, *words, env=environment)

    def install(self, *names):
        self.run("apt-get", "install", "-y", "--no-install-recommends", *names)

    def packages(self, name):
        return [f"/packages/{deb.name}" for deb in sorted((self.folder / "packages").glob(name + "*.deb"))]

    def named(self):
        """Files with our name that no other package owns."""
        found = self.run("find", "/usr", "/etc", "/opt", "-iname", "*halo*").split()
        owned = {path for path in found if subprocess.run(
            ["chroot", self.folder, "dpkg", "-S", path], capture_output=True).returncode == 0}
        return sorted(set(found) - owned)


def session_of(text):
    """README's first session: the lines typed, and the lines shown."""
    block = re.search(r"\$ halo repl\n(.*?)```", text, re.S)[1].splitlines()[1:]
    typed = [line[2:] for line in block if line[:2] in ("> ", "| ")]
    return typed, [line for line in block if line[:2] not in ("> ", "| ")]


def ten_minutes(root):
    """Typed by a user whose folder is not the clone; the GPU is lavapipe."""
    root.install("mesa-vulkan-drivers")
    typed, shown = session_of((SOURCE / "README.md").read_text())
    home = root.folder / "home/user"
    home.mkdir()
    (home / "examples").symlink_to("/usr/share/halo/examples")
    (home / "typed").write_text("\n".join(typed) + "\n")
    told = root.run("sh", "-c", "cd /home/user && { halo repl < typed 2>&1 || true; }")  # one line fails
    at = 0
    for line in shown:
        found = told.find(line, at)
        expect(found >= 0, f"README's session shows `{line}`: {told[-1500:]}")
        at = max(at, found)
    expect((home / "warm.png").exists(), "`:save` wrote no picture")
    for words in (("explain", "H4001"), ("devices",), ("doc", "map"), ("help", "run")):
        root.run("halo", *words)
    # Each command and program of README, with what is installed; no compiler is there.
    told = root.run("sh", "-c", "cd /home/clone && python3 -B tests/docs.py /usr/bin/halo README.md || true")
    expect(told == "", f"README: {told[-3000:]}")


@contextlib.contextmanager
def devices(root):
    """bash's `<(..)` reads /dev/fd, an editor's terminal opens /dev/pts."""
    mounts = [("proc", "defaults", "proc"), ("devpts", "newinstance,ptmxmode=0666", "dev/pts")]
    for kind, options, place in mounts:
        output("mount", "-t", kind, "-o", options, kind, root.folder / place)
    try:
        yield
    finally:
        for _, _, place in reversed(mounts):
            output("umount", root.folder / place)


def at_terminal(root):
    """Manuals, and Tab behind the beginning of a command."""
    root.install("man-db", "bash-completion")
    expect("--save" in root.run("man", "halo-run"), "halo-run(1)")
    with devices(root):
        told = typed_tab(root)
    expect(b"halo benchcmp" in told, f"Tab: {told.decode(errors='replace')[-500:]}")


def typed_tab(root):
    pid, terminal = pty.fork()
    if pid == 0:
        os.execvp("chroot", ["chroot", str(root.folder), "bash", "--norc", "-i"])
    os.write(terminal, b". /usr/share/bash-completion/bash_completion\n")
    time.sleep(3)  # readline takes Tab as it is now
    os.write(terminal, b"halo benchc\t a b\n")
    time.sleep(3)
    os.write(terminal, b"exit\n")
    told = b""
    while select.select([terminal], [], [], 60)[0]:
        try:
            part = os.read(terminal, 1 << 16)
        except OSError:  # the shell is gone
            break
        told += part
    os.waitpid(pid, 0)
    return told


def cloned(root):
    """The files of a clone that tests of the installed command read."""
    for path in output("git", "ls-files", cwd=SOURCE).splitlines():
        target = root.folder / "home/clone" / path
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(SOURCE / path, target, follow_symlinks=False)


def tools(root):
    """An editor with the server, and a notebook: by the tests of a clone, with what is installed."""
    root.install("neovim", "jupyter-nbconvert", "python3-ipykernel")
    with devices(root):
        root.run("python3", "-B", "/home/clone/tests/tools/nvim.py", "/usr/bin/halo")
    root.run("python3", "-B", "/home/clone/tests/tools/notebook.py", "/usr/bin/halo",
             "/usr/lib/python3/dist-packages")


def from_cpp(root):
    root.install("g++", "pkgconf", *root.packages("libhalo-dev"))
    shutil.copy(SOURCE / "tests/api/user.cpp", root.folder / "home")
    root.run("sh", "-c", "g++ -std=c++20 /home/user.cpp -o /home/user_cpp $(pkg-config --cflags --libs halo)")
    expect(root.run("/home/user_cpp").strip() == "fine", "from C++")
    root.run("python3", "-B", "/home/clone/tests/tools/readme.py", "/usr/bin/halo")


def use(root):
    expect(root.run("halo", "eval", "f32.sum (map f32.i64 (iota 100))").strip() == "4950.0f32",
           "an expression")
    expect(root.run("halo", "run", "--backend=cpu", "/home/life.fut").startswith("[[0u8"),
           "an example")
    root.run("halo", "fmt", "--check", "/home/life.fut")
    (root.folder / "home/wide.fut").write_text("def  double(x:i32)=x*2 -- twice\n")
    root.run("halo", "fmt", "/home/wide.fut")
    expect((root.folder / "home/wide.fut").read_text() == "def double (x: i32) = x * 2 -- twice\n", "fmt")
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
        root.run("apt-get", "update")
        root.install(*root.packages("halo_"), *root.packages("libhalo0_"), *root.packages("python3-halo_"))
        cloned(root)
        for part in (use, ten_minutes, at_terminal, tools, from_cpp):
            part(root)
            print(f"{part.__name__}: done", flush=True)
        root.run("apt-get", "purge", "-y", "halo", "libhalo0", "python3-halo")
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
