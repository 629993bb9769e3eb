#!/usr/bin/env python3
"""`halo pkg` on repositories of this folder alone: nothing is fetched from outside.

usage: pkg.py HALO
"""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

from checks import expect, needs, verdict

HALO = str(pathlib.Path(sys.argv[1]).resolve())
needs("git", "git")


class Place:
    """A folder of repositories, a program's folder, and a cache of its own."""

    def __init__(self, folder):
        self.mirror = folder / "mirror"
        self.program = folder / "program"
        self.program.mkdir(parents=True)
        self.environment = dict(os.environ, XDG_CACHE_HOME=str(folder / "cache"))

    def repository(self, path, version, files, bare=False):
        """One more commit with a tag; returns the commit."""
        folder = self.mirror / path
        folder.mkdir(parents=True, exist_ok=True)
        if not (folder / ".git").exists():
            self.git(folder, "init", "--quiet")
        for name, text in files.items():
            target = folder / name
            target.parent.mkdir(parents=True, exist_ok=True)
            if isinstance(text, str):
                target.write_text(text)
            else:
                target.symlink_to(*text)
        self.git(folder, "add", "--all")
        self.git(folder, "-c", "user.name=t", "-c", "user.email=t@t", "commit", "--quiet",
                 "--allow-empty", "-m", "c")
        if version:
            self.git(folder, "tag", "v" + version)
        commit = self.git(folder, "rev-parse", "HEAD").stdout.strip()
        if bare:
            shutil.move(folder / ".git", str(folder) + ".git")
            shutil.rmtree(folder)
        return commit

    def git(self, folder, *words):
        return subprocess.run(["git", "-C", str(folder), *words], check=True, text=True,
                              capture_output=True)

    def needs(self, text):
        (self.program / "futhark.pkg").write_text(text)

    def pkg(self, *words, mirror=True):
        more = [f"--mirror={self.mirror}"] if mirror and words[0] in ("sync", "add", "upgrade", "versions") else []
        return subprocess.run([HALO, "pkg", *words, *more], cwd=self.program, text=True,
                              env=self.environment, capture_output=True, timeout=120)

    def library(self):
        lib = self.program / "lib"
        return sorted(str(f.relative_to(lib)) for f in lib.rglob("*") if f.is_file())


def ordinary(folder):
    place = Place(folder)
    a, b = "github.com/u/a", "github.com/u/b"
    place.repository(b, "1.0.0", {f"lib/{b}/b.fut": "def b = 10i64\n"})
    place.repository(b, "1.1.0", {f"lib/{b}/b.fut": "def b = 11i64\n"})
    place.repository(b, "1.2.0", {f"lib/{b}/b.fut": "def b = 12i64\n"}, bare=True)
    first = place.repository(a, "0.1.0", {
        "futhark.pkg": f"package {a}\n-- a comment\nrequire {{\n  {b} 1.1.0\n}}\n",
        f"lib/{a}/a.fut": 'import "../b/b"\ndef a = b + 1\n', "README": "no part of it"})
    place.needs(f"require {{ {a} 0.1.0 #{first[:12]}\n {b} 1.0.0 }}\n")
    checked = place.pkg("check")
    expect(checked.returncode == 2 and "[H8001]" in checked.stderr and "halo pkg sync" in
           checked.stderr, f"check before: {checked}")
    done = place.pkg("sync")
    expect((done.returncode, done.stdout) == (0, f"{a} 0.1.0\n{b} 1.1.0\n"), f"sync: {done}")
    expect(place.library() == [".packages", f"{a}/a.fut", f"{b}/b.fut"], place.library())
    expect(place.pkg("check").returncode == 0, "check after")
    (place.program / f"lib/{a}/a.fut").write_text("def a = 1i64\n")
    (place.program / f"lib/{b}/b.fut").unlink()
    (place.program / f"lib/{b}/more.fut").write_text("def c = 1i64\n")
    checked = place.pkg("check")
    expect(checked.returncode == 2 and f"lib/{a}/a.fut` of a package was changed" in checked.stderr and
           f"lib/{b}/b.fut` of a package was removed" in checked.stderr, f"check of files: {checked}")
    expect(place.pkg("sync").returncode == 0 and place.pkg("check").returncode == 0, "mended by sync")
    (place.program / "p.fut").write_text(f'import "lib/{a}/a"\nentry main = a\n')
    ran = subprocess.run([HALO, "run", "--backend=interp", "p.fut"], cwd=place.program, text=True,
                         capture_output=True)
    expect(ran.stdout.strip() == "12i64", f"a program that imports it: {ran}")
    # Without the repositories, from fetched packages; files of one's own stay.
    shutil.rmtree(place.mirror)
    (place.program / "lib/mine").mkdir()
    (place.program / "lib/mine/m.fut").write_text("def m = 1\n")
    shutil.rmtree(place.program / "lib/github.com/u/b")
    done = place.pkg("sync", "--offline", mirror=False)
    expect(done.returncode == 0, f"offline: {done}")
    expect(place.library() == [".packages", f"{a}/a.fut", f"{b}/b.fut", "mine/m.fut"],
           place.library())
    place.needs(f"require {{ {b} 1.1.0 }}\n")
    expect(place.pkg("sync", "--offline", mirror=False).returncode == 0, "fewer packages")
    expect(place.library() == [".packages", f"{b}/b.fut", "mine/m.fut"], place.library())
    expect(not list(place.program.glob("lib~*")), "a draft is left")
    place.needs(f"require {{ {b} 1.2.0 }}\n")
    missing = place.pkg("sync", "--offline", mirror=False)
    expect(missing.returncode == 2 and "--offline" in missing.stderr and
           place.library() == [".packages", f"{b}/b.fut", "mine/m.fut"], f"never fetched: {missing}")
    expect("is version 1.1.0, needed is 1.2.0" in place.pkg("check").stderr, "an old version")


def commits(folder):
    place = Place(folder)
    path = "github.com/u/c"
    old = place.repository(path, None, {f"lib/{path}/c.fut": "def c = 1\n"})
    place.repository(path, None, {f"lib/{path}/c.fut": "def c = 2\n"})
    place.needs(f"require {{ {path} 0.0.0-20200101000000+{old} }}\n")
    done = place.pkg("sync")
    expect(done.returncode == 0 and (place.program / "lib" / path / "c.fut").read_text() ==
           "def c = 1\n", f"a commit without a tag: {done}")


def edited(folder):
    """`futhark.pkg` is changed as text: comments and order stay."""
    place = Place(folder)
    a, b, later = "github.com/u/a", "github.com/u/b", "github.com/u/b@2"
    manifest = place.program / "futhark.pkg"
    first = place.repository(a, "0.1.0", {f"lib/{a}/a.fut": "def a = 1\n"})
    commits = [place.repository(b, version, {f"lib/{path}/b.fut": f"def b = {i}i64\n"})
               for i, (version, path) in enumerate([("1.0.0", b), ("1.9.0", b), ("1.10.0", b),
                                                    ("2.0.0", later)])]
    expect("`halo pkg init` makes one" in place.pkg("add", a).stderr, "no futhark.pkg")
    expect(place.pkg("init", "github.com/u/me").returncode == 0, "init")
    expect(manifest.read_text() == "package github.com/u/me\n\nrequire {\n}\n", manifest.read_text())
    expect(place.pkg("init").returncode != 0 and "package" in manifest.read_text(), "a second init")
    listed = place.pkg("versions", b).stdout
    expect(listed == "".join(f"{v} #{c}\n" for v, c in zip(("1.0.0", "1.9.0", "1.10.0"), commits)),
           listed)
    expect(place.pkg("versions", later).stdout == f"2.0.0 #{commits[3]}\n", "a major version's path")
    expect(place.pkg("add", b, "1.0.0").stdout == f"{b} 1.0.0\n", "an old version")
    expect(place.pkg("add", a).returncode == 0, "the newest version")
    expect(manifest.read_text() == "package github.com/u/me\n\nrequire {\n"
           f"  {b} 1.0.0 #{commits[0]}\n  {a} 0.1.0 #{first}\n}}\n", manifest.read_text())
    for words in (("add", b, "3.0.0"), ("add", "github.com/u/none"), ("add", "../b"), ("add",),
                  ("remove", "github.com/u/none")):
        before = manifest.read_text()
        done = place.pkg(*words)
        expect(done.returncode in (2, 64) and "error: " in done.stderr and
               manifest.read_text() == before, f"{words}: {done}")
    text = manifest.read_text().replace(f"  {a}", f"  -- ours\n  {a}").replace("require {", "require { -- all")
    manifest.write_text(text)
    done = place.pkg("upgrade")
    expect(done.stdout == f"{b} 1.0.0 -> 1.10.0\n", done)
    text = text.replace(f"1.0.0 #{commits[0]}", f"1.10.0 #{commits[2]}")
    expect(manifest.read_text() == text, manifest.read_text())
    expect(place.pkg("upgrade").stdout == "" and manifest.read_text() == text, "a second upgrade")
    expect(place.pkg("sync").returncode == 0, "what was added is there")
    expect(place.library() == [".packages", f"{a}/a.fut", f"{b}/b.fut"], place.library())
    expect(place.pkg("remove", b).returncode == 0, "remove")
    expect(manifest.read_text() == text.replace(f"  {b} 1.10.0 #{commits[2]}\n", ""),
           manifest.read_text())
    place.needs(f"require {{ {a} 0.1.0 }}")
    expect(place.pkg("add", b, "1.9.0").returncode == 0 and place.pkg("sync").returncode == 0,
           f"a manifest of one line: {manifest.read_text()}")
    place.needs("")
    expect(place.pkg("add", a).returncode == 0 and place.pkg("sync").returncode == 0,
           f"an empty manifest: {manifest.read_text()}")
    none = place.pkg("versions", a, "--offline", mirror=False)
    expect(none.returncode != 0 and "--offline" in none.stderr, f"offline: {none}")


def hostile(folder):
    """A package must not lead out of its folder, nor be another commit."""
    place = Place(folder)
    path = "github.com/u/evil"
    place.repository(path, "1.0.0", {f"lib/{path}/e.fut": "def e = 1\n",
                                     f"lib/{path}/link.fut": ("/etc/passwd",)})
    place.needs(f"require {{ {path} 1.0.0 }}\n")
    expect(place.pkg("sync").returncode == 0, "a package with a link")
    expect(place.library() == [".packages", f"{path}/e.fut"], place.library())
    place.needs(f"require {{ {path} 1.0.0 #0123456789ab }}\n")
    done = place.pkg("sync")
    expect(done.returncode == 2 and "`futhark.pkg` says 0123456789ab" in done.stderr, f"{done}")
    other = "github.com/u/other"
    place.repository(other, "1.0.0", {"lib/github.com/u": ("/etc",)})
    place.needs(f"require {{ {other} 1.0.0 }}\n")
    done = place.pkg("sync")
    expect(done.returncode == 2 and "has no folder" in done.stderr, f"a link on the way: {done}")


def damaged(folder):
    place = Place(folder)
    expect("[H8001]" in place.pkg("check").stderr, "no futhark.pkg")
    for text, code in (("require {", "H2003"), ("requires {}", "H2001"), ("require }", "H2001"),
                       ("require { a/b 1 }", "H2001"), ("require { ../b 1.0.0 }", "H2001"),
                       ("require { a/../b 1.0.0 }", "H2001"), ("require { -u/b 1.0.0 }", "H2001"),
                       ("require { a/b 1.0.0 #xyz }", "H2001"), ("package a", "H2001"),
                       ("require { a/b 99999999999999999999.0.0 }", "H2001")):
        place.needs(text)
        for task in ("check", "sync"):
            done = place.pkg(task)
            expect(done.returncode == 2 and f"[{code}]" in done.stderr, f"{text}: {done}")
    place.needs("package github.com/u/me\n")
    expect("this is package" in place.pkg("check").stderr, "a package without its folder")
    place.needs("require { github.com/u/none 1.0.0 }")
    done = place.pkg("sync")
    expect(done.returncode == 2 and "futhark.pkg:1:11" in done.stderr, f"no repository: {done}")


with tempfile.TemporaryDirectory() as name:
    for part in (ordinary, commits, edited, hostile, damaged):
        part(pathlib.Path(name) / part.__name__)
sys.exit(verdict())
