#!/usr/bin/env python3
"""`--profile`: each loop of the cpu engine with its source line, threads as tracks of the trace,
compilation; kernels and copies of the gpu engine. `halo profile`: the same as a page.

usage: profiles.py HALO
"""

import json
import pathlib
import re
import subprocess
import sys
import tempfile

from checks import expect, verdict

HALO = str(pathlib.Path(sys.argv[1]).resolve())
PROGRAM = """def step [n][m] (a: [n][m]f32) : [n][m]f32 =
  stencil_2d [(-1, 0), (0, -1), (0, 0), (0, 1), (1, 0)]
    (\\() v -> 0.2f32 * (v[0] + v[1] + v[2] + v[3] + v[4]))
    (rep (rep ())) a

entry main (n: i64) (k: i64) : f32 =
  let a = tabulate_2d n n (\\i j -> f32.i64 (i * j % 7))
  let b = loop a for _i < k do step a
  in f32.sum (map f32.sum b)
"""
LINES = {2, 7, 9}  # of the stencil, of the table, of the sums


def profiled(folder, *words):
    trace = folder / "trace.json"
    done = subprocess.run([HALO, "run", f"--profile={trace}", *words, folder / "p.fut", "1000", "20"],
                          capture_output=True, text=True, timeout=300)
    expect(done.returncode == 0, done.stderr)
    return done.stderr.splitlines(), json.loads(trace.read_text())["traceEvents"]


def cpu(folder):
    for threads in (1, 2):
        table, events = profiled(folder, "--backend=cpu", f"--threads={threads}")
        shares = sum(float(line.split()[1].rstrip("%")) for line in table[1:-1])
        expect(99 < shares < 101, f"shares of {shares} %: {table}")
        expect(table[-1] == "1 call", f"the device's counts of the cpu: {table[-1]}")
        names = {event["name"] for event in events}
        expect({"compile", "main, between loops"} <= names, f"parts: {names}")
        loops = [event for event in events if event["name"].startswith("loop ")]
        found = {int(event["args"]["source"].rsplit(":", 1)[1]) for event in loops}
        expect(found == LINES, f"source lines of loops: {found}")
        tracks = {event["tid"] for event in events}
        expect((len(tracks) > 1) == (threads > 1) and len(tracks) <= threads + 1,
               f"{threads} threads: tracks {tracks}")
        own = sorted((event["ts"], event["ts"] + event["dur"]) for event in events if event["tid"] == 1)
        expect(all(a[1] <= b[0] + 0.01 for a, b in zip(own, own[1:])), "events of the call overlap")


def page(folder):
    """`halo profile`: no results; a page with the program and the shares of its lines."""
    html = folder / "page.html"
    done = subprocess.run([HALO, "profile", "--backend=cpu", f"--html={html}", folder / "p.fut", "1000", "20"],
                          capture_output=True, text=True, timeout=300)
    expect((done.returncode, done.stdout) == (0, "") and "loop " in done.stderr, f"{done}")
    rows = re.findall(r"<tr><td>(\d+)</td><td class=share .*?>([\d.]+) %</td>.*?<td class=code>(.*?)</td></tr>",
                      html.read_text())
    expect({int(line) for line, _, _ in rows} == LINES, f"lines with shares: {rows}")
    expect(all(PROGRAM.splitlines()[int(line) - 1].replace(">", "&gt;") == text for line, _, text in rows), rows)
    closed = subprocess.run([HALO, "profile", "--html=/proc/none/p.html", folder / "p.fut", "10", "2"],
                            capture_output=True, text=True)
    expect(closed.returncode != 0 and "/proc/none/p.html" in closed.stderr, f"{closed}")


def options(folder):
    """The word behind `--profile` is the program or an option; a trace is written where one is named."""
    for words in (["--profile", "p.fut"], ["--profile", "--entry=main", "p.fut"], ["p.fut", "--profile"],
                  ["--profile", "t.json", "p.fut"], ["--profile", "--backend", "cpu", "p.fut"]):
        trace = folder / "t.json"
        trace.unlink(missing_ok=True)
        done = subprocess.run([HALO, "run", *words, "100", "2"], capture_output=True, text=True, cwd=folder)
        expect(done.returncode == 0 and "loop " in done.stderr, f"{words}: {done}")
        expect(trace.exists() == ("t.json" in words), f"{words}: a trace")
    expect(not (folder / "-").exists(), "a file named -")


def gpu(folder):
    table, events = profiled(folder, "--backend=gpu")
    expect("launches" in table[-1] and any("stencil_2d" in line for line in table), table)


with tempfile.TemporaryDirectory() as name:
    (pathlib.Path(name) / "p.fut").write_text(PROGRAM)
    cpu(pathlib.Path(name))
    page(pathlib.Path(name))
    options(pathlib.Path(name))
    gpu(pathlib.Path(name))
sys.exit(verdict())
