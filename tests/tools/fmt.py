#!/usr/bin/env python3
"""`halo fmt`: in place, from standard input, `--check`, and with input that is no program.

usage: fmt.py HALO

The layout itself is tested in lang/format/format_test.cpp. Here random programs of `halo fuzz` are
laid out as well: twice gives the same, and they are the same program (halo checks that).
"""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

from checks import expect, verdict

HALO = str(pathlib.Path(sys.argv[1]).resolve())
ROOT = pathlib.Path(__file__).resolve().parents[2]


def fmt(*words, text=None, folder=None):
    return subprocess.run([HALO, "fmt", *map(str, words)], input=text, text=True, cwd=folder,
                          stdin=None if text is not None else subprocess.DEVNULL,
                          capture_output=True, timeout=300)


def in_place(folder):
    file = folder / "a.fut"
    file.write_text("def  f=1\n")
    file.chmod(0o640)
    before = fmt("--check", "a.fut", folder=folder)
    expect((before.returncode, before.stderr) == (1, "a.fut: not formatted\n"), f"check: {before}")
    expect(file.read_text() == "def  f=1\n", "--check leaves the file")
    done = fmt(file)
    expect((done.returncode, done.stdout, done.stderr) == (0, "", ""), f"in place: {done}")
    expect(file.read_text() == "def f = 1\n", "in place: the text")
    expect(file.stat().st_mode & 0o777 == 0o640, "in place: the mode stays")
    time = file.stat().st_mtime_ns
    expect(fmt(file).returncode == 0 and file.stat().st_mtime_ns == time,
           "a formatted file is not written")
    expect(fmt("--check", folder).returncode == 0, "a folder of formatted programs")
    (folder / "b.fut").write_text("def  g=1\n")
    expect(fmt("--check", "--quiet", folder).returncode == 1, "a folder with one that is not")
    done = fmt(folder)
    expect(done.returncode == 0 and done.stderr.endswith(".fut: formatted\n"), f"named: {done}")
    expect(fmt(folder).stderr == "" and fmt("--check", folder).returncode == 0, "all of a folder")


def standard_input():
    done = fmt(text="-- c\ndef  f=1 -- d")
    expect((done.returncode, done.stdout) == (0, "-- c\ndef f = 1 -- d\n"), f"input: {done}")
    expect(fmt("--check", text="def f = 1\n").returncode == 0, "input: formatted")
    expect(fmt("--check", text="def f=1\n").returncode == 1, "input: not formatted")
    expect(fmt(text="").stdout == "", "input: nothing")


def differences(folder):
    """--diff changes nothing and shows a patch, which makes the formatted text."""
    file = folder / "d.fut"
    text = "-- c\ndef  f=1\ndef g = f\ndef  h=2 -- d"
    file.write_text(text)
    done = fmt("--diff", "d.fut", folder=folder)
    expect(done.returncode == 1 and file.read_text() == text and not done.stderr, f"--diff: {done}")
    expect(done.stdout.startswith("--- d.fut\n+++ d.fut\n@@ -1,4 +1,4 @@\n"), f"--diff: {done.stdout}")
    if not shutil.which("patch"):
        return print("skipped: package patch is not installed")
    patched = subprocess.run(["patch", "-p0"], input=done.stdout, text=True, cwd=folder,
                             capture_output=True)
    expect(patched.returncode == 0 and file.read_text() == fmt(text=text).stdout, f"patch: {patched}")
    done = fmt("--diff", file)
    expect((done.returncode, done.stdout) == (0, ""), "--diff of a formatted program")
    expect(fmt("--diff", "-", text="def f=1\n").stdout.endswith("-def f=1\n+def f = 1\n"), "input")


def bad_input(folder):
    file = folder / "bad.fut"
    text = "def  f=1\ndef g = (2\n"
    file.write_text(text)
    done = fmt(file)
    expect(done.returncode == 2 and "[H2003]" in done.stderr and "bad.fut:2:11" in done.stderr,
           f"a file that does not parse: {done}")
    expect(file.read_text() == text, "a file that does not parse is left as it is")
    done = fmt(text=text)
    expect(done.returncode == 2 and done.stdout == "", "input that does not parse gives nothing")
    missing = fmt(folder / "missing.fut")
    expect(missing.returncode not in (0, 1) and "[H8006]" in missing.stderr, f"missing: {missing}")
    file.write_bytes(b"def f = \xff\n")
    expect(fmt(file).returncode == 2 and file.read_bytes() == b"def f = \xff\n", "not UTF-8")
    json = fmt("--diagnostics=json", file)
    expect(json.stderr.startswith('{"code": "H1005"'), f"diagnostics as JSON: {json.stderr}")
    if os.geteuid() != 0:
        file.write_text("def  f=1\n")
        file.chmod(0o444)
        folder.chmod(0o555)
        expect(fmt(file).returncode != 0 and file.read_text() == "def  f=1\n", "read-only")
        folder.chmod(0o755)


def random_programs(folder):
    kept = folder / "fuzz"
    subprocess.run([HALO, "fuzz", "--quiet", "--backend=interp", "--count=6", "--seed=7",
                    f"--keep={kept}"], capture_output=True, timeout=500)
    programs = sorted(kept.rglob("*.fut"))
    expect(len(programs) >= 4, f"{len(programs)} random programs")
    before = [checked(program) for program in programs]  # a few are rejected, by intent
    expect(fmt(*programs).returncode == 0, "random programs")
    again = fmt("--check", *programs)
    expect(again.returncode == 0, f"random programs, twice: {again.stderr}")
    expect(before == [checked(program) for program in programs], "random programs stay programs")


def large(folder):
    """100,000 lines: a second on an idle machine. The limit only says that time grows with the text."""
    file = folder / "large.fut"
    cell = "def f{0} [n] (xs: [n]i64) (k: i64) =\n  let  ys = map (\\x -> x+k) xs -- {0}\n  in ys\n\n"
    file.write_text("".join(cell.format(k) for k in range(25000)))
    begin = time.monotonic()
    done = fmt(file)
    took = time.monotonic() - begin
    print(f"100,000 lines: {took:.2f} s")
    expect(done.returncode == 0 and took < 30, f"{took} s, {done}")
    text = file.read_text()
    expect(text.startswith("def f0 [n] (xs: [n]i64) (k: i64) =\n  let ys = map (\\x -> x + k) xs -- 0\n") and
           text.count("\n") >= 100000 - 1, text[:300])


def checked(program):
    return subprocess.run([HALO, "check", "-w", program], capture_output=True).returncode


with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    in_place(folder)
    standard_input()
    differences(folder)
    bad_input(folder)
    random_programs(folder)
    large(folder)
sys.exit(verdict())
