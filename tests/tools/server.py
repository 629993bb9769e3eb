#!/usr/bin/env python3
"""`halo server` by Futhark's line protocol, as a driver of compiled servers speaks it.

usage: server.py HALO
"""

import pathlib
import struct
import subprocess
import sys
import tempfile

from checks import expect, verdict

HALO = str(pathlib.Path(sys.argv[1]).resolve())
PROGRAM = """
type pair = {x: f32, y: f32}
entry sum [n] (xs: [n]f32): f32 = f32.sum xs
entry both [n] (k: i64) (xs: *[n]i64): ([n]i64, i64) = (map (* k) xs, k)
entry swap (p: pair): pair = {x = p.y, y = p.x}
entry at (xs: []i64) (i: i64): i64 = xs[i]
"""


class Server:
    def __init__(self, folder, *words):
        self.process = subprocess.Popen([HALO, "server", *words, "p.fut"], cwd=folder, text=True,
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        expect(self.read() == ([], []), "it is not ready at first")

    def read(self):
        """Lines of the answer, and those of a failure."""
        lines, failure = [], []
        target = lines
        for line in self.process.stdout:
            line = line.rstrip("\n")
            if line == "%%% OK":
                return lines, failure
            if line == "%%% FAILURE":
                target = failure
                continue
            target.append(line)
        raise EOFError

    def ask(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()
        return self.read()

    def ok(self, line):
        lines, failure = self.ask(line)
        expect(not failure, f"{line}: {failure}")
        return lines

    def fails(self, line, text):
        failure = self.ask(line)[1]
        expect(any(text in part for part in failure), f"{line}: {failure}")


def array(code, type_name, numbers):
    """A value of the binary format: `b`, version, rank, type, sizes, elements."""
    return (b"b" + bytes([2, 1]) + type_name.rjust(4).encode() + struct.pack("<q", len(numbers)) +
            struct.pack(f"<{len(numbers)}{code}", *numbers))


def conversation(folder, *words):
    server = Server(folder, *words)
    expect(server.ok("entry_points") == ["sum", "both", "swap", "at"], "entry points")
    expect(server.ok("inputs both") == ["i64", "*[]i64"], server.ok("inputs both"))
    expect(server.ok("outputs both") == ["[]i64", "i64"], "outputs")
    expect("[]f32" in server.ok("types"), "types")
    (folder / "xs.bin").write_bytes(array("f", "f32", [1, 2, 3.5]))
    server.ok('restore "xs.bin" xs []f32')
    lines = server.ok("call sum s xs")
    expect(len(lines) == 1 and lines[0].startswith("runtime: "), lines)
    server.ok("store s.bin s xs")
    expect((folder / "s.bin").read_bytes() ==
           b"b" + bytes([2, 0]) + b" f32" + struct.pack("<f", 6.5) + array("f", "f32", [1, 2, 3.5]),
           "what is stored")
    (folder / "in.bin").write_bytes(b"b" + bytes([2, 0]) + b" i64" + struct.pack("<q", 3) +
                                    array("q", "i64", [1, 2]))
    server.ok("restore in.bin k i64 ys []i64")
    server.ok("call both zs k2 k ys")
    server.ok("call both again k3 k ys")  # a consumed argument stays
    server.ok("rename zs out")
    server.ok("store out.bin out")
    expect((folder / "out.bin").read_bytes() == array("q", "i64", [3, 6]), "both")
    server.ok("free out")
    pair = next(name for name in server.ok("types") if "x" in name)
    expect(server.ok(f'fields "{pair}"') == ["x f32", "y f32"], server.ok(f'fields "{pair}"'))
    server.ok(f'new p "{pair}" s s')
    server.ok("call swap q p")
    server.ok("project x q x")
    server.ok("store x.bin x")
    expect((folder / "x.bin").read_bytes()[-4:] == struct.pack("<f", 6.5), "a field")
    server.ok("report")
    server.ok("clear")
    for line, text in (("call at v ys k", "out of range for an array of shape `[2]`"),
                       ("call none v", "no entry `none`"), ("call sum s xs", "exists already"),
                       ("call sum t nothing", "unknown variable `nothing`"),
                       ("call sum t", "takes 1"), ("free out", "unknown variable `out`"),
                       ("restore none.bin a []f32", "none.bin"), ("restore xs.bin a f32", "not `f32`"),
                       ("restore xs.bin a []f32 b f32", "has 1 values"), ("store p.bin p", "no scalar"),
                       ("project a xs x", "no field"), ("new a i33 xs", "unknown type"),
                       ("nonsense", "unknown command"), ("rename", "is used as"),
                       ("call sum t k", "[H8004]")):
        server.fails(line, text)
    expect(server.ok("entry_points")[0] == "sum", "it goes on after failures")
    server.process.stdin.close()
    expect(server.process.wait(timeout=60) == 0, "status")


with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    (folder / "p.fut").write_text(PROGRAM)
    conversation(folder, "--backend=cpu")
    conversation(folder, "--backend=interp")
    (folder / "p.fut").write_text("def x = y\n")
    wrong = subprocess.run([HALO, "server", "p.fut"], cwd=folder, text=True, capture_output=True)
    expect(wrong.returncode == 2 and "[H3001]" in wrong.stderr, f"a wrong program: {wrong}")
sys.exit(verdict())
