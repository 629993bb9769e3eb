#!/usr/bin/env python3
"""Each command with words, files and values that it cannot take: a message that names them, the exit
status of the kind of mistake, nothing written.

usage: wrong_words.py HALO
"""

import os
import pathlib
import subprocess
import sys
import tempfile

from checks import expect, verdict

HALO = str(pathlib.Path(sys.argv[1]).resolve())
FILES = {
    "noparse.fut": b"def main (x: i32) = x + \n",
    "bytes.fut": b"def main = \xff\x1b]0;x\x07 1\n",
    "empty.fut": b"",
    "sum.fut": b"def main (xs: []f32) = f32.sum xs\n",
    "two.fut": b"entry one (x: i32) = x\nentry two (x: i32) = x\n",
    "cut.json": b'{"sum.fut": {"datasets": {',
    "cut.npy": b"\x93NUMPY\x01\x00v\x00{'descr",
}
ROWS = """
run gone.fut                            | 64 | `gone.fut`
run noparse.fut                         | 2  | noparse.fut:1:24
run bytes.fut                           | 2  | not UTF-8
run empty.fut                           | 64 | no entry `main`
run sum.fut [1,2                        | 64 | argument:1:5
run sum.fut @gone.npy                   | 64 | gone.npy
run sum.fut @cut.npy                    | 64 | cut.npy
run sum.fut 3 4                         | 64 | `main` needs 1 value, 2 were given
run --backend=foo sum.fut               | 64 | unknown backend `foo`
run -e nope sum.fut [1f32]              | 64 | there is `main`
run --save x.jpg sum.fut [1f32]         | 64 | no files `.jpg` are written
run --nonsense sum.fut                  | 64 | `halo run --help` lists the options
runn sum.fut                            | 64 | did you mean `run`?
run --bakend=cpu sum.fut                | 64 | did you mean `--backend`?
run --backend=cppu sum.fut              | 64 | did you mean `cpu`?
literate --backend=all sum.fut          | 64 | `halo run --backend=all`
run                                     | 64 | the argument `file` is missing
run sum                                 | 64 | did you mean `sum.fut`?
run bin                                 | 64 | it is a folder
run sum.fut cut.npy                     | 64 | `@cut.npy` is the value in that file
run two.fut 1                           | 64 | `--entry=one` names the one to run
run -e one two.fut two                  | 64 | `--entry=two` names the entry to run
version                                 | 64 | `halo --version`
instal                                  | 64 | the script in a clone: `./halo`
cuda sum.fut                            | 64 | `halo run PROGRAM` compiles and runs
fmt --chek sum.fut                      | 64 | did you mean `--check`?
pkg ad a                                | 64 | did you mean `add`?
eval 1 + 1                              | 2  | in quotes, `'1 + 1'`, they are one
doc stencl_2d                           | 2  | did you mean `stencil_2d`?
doc (+)                                 | 0  | i32.+ : 
doc scatt                               | 0  | scatter : 
doc bits one                            | 0  | also in 
doc Neutral associative                 | 0  | reduce : 
explain 70                              | 2  | no diagnostic `70`
explain index_out_of_range              | 0  | H7001 index_out_of_range
dataset -g [3]i65                       | 64 | did you mean the type `i64`?
bench sum.fut                           | 0  | nothing to measure
help nonsense                           | 64 | unknown command `nonsense`
repl gone.fut                           | *  | gone.fut
repl --backend=foo                      | 64 | unknown backend `foo`
fmt noparse.fut                         | 2  | noparse.fut:1:24
fmt gone.fut                            | 64 | `gone.fut`
fmt --check bytes.fut                   | 2  | not UTF-8
check gone.fut                          | 64 | `gone.fut`
check noparse.fut                       | 2  | noparse.fut:1:24
eval 1+                                 | 2  | found the end of the text
eval                                    | 64 | `halo eval --help` lists the options
eval nonsense                           | 2  | `nonsense`
pkg sync                                | 64 | `halo pkg init` makes one
pkg add nonsense                        | 64 | found `nonsense`
pkg frob                                | 64 | frob not in {init,add,
explain H9999                           | 2  | no diagnostic `H9999`
explain                                 | 64 | code
doc nosuchname                          | 2  | `nosuchname`
literate gone.fut                       | 64 | `gone.fut`
dataset -g [n]foo                       | 64 | random input:1:2
bench gone.fut                          | 64 | `gone.fut`
benchcmp gone.json gone.json            | 64 | `gone.json`
benchcmp cut.json cut.json              | 64 | cut.json
test gone.fut                           | 1  | gone.fut
test noparse.fut                        | 1  | noparse.fut
datacmp gone other                      | 64 | `gone`
datacmp cut.npy cut.npy                 | 64 | cut.npy
dump --stage=foo sum.fut                | 64 | the stages are tokens ast
dump --stage=core@foo sum.fut           | 64 | the passes are inline
dump --stage=glsl --variant=foo sum.fut | 64 | --variant: no variant is called foo
dump --tier=9 --stage=imp sum.fut       | 64 | --tier:
tune sum.fut                            | 64 | `main` needs 1 value
profile gone.fut                        | 64 | `gone.fut`
server gone.fut                         | 64 | `gone.fut`
script gone.fut main                    | 64 | gone.fut
defs gone.fut                           | 64 | `gone.fut`
golden gone                             | *  | gone
fuzz gone.fut                           | 64 | gone.fut
fuzz --count=-3                         | 64 | --count
devices --ranks=-1                      | 64 | --ranks: Value -1 not in range
completion tcsh                         | 64 | tcsh not in {bash,zsh,fish}
manual foo                              | 64 | unknown command `foo`
kernel install                          | 64 | the packages python3-halo and python3-ipykernel
lsp --nonsense                          | 64 | --nonsense
"""


def check(row, folder):
    words, status, message = (part.strip() for part in row.split("|", 2))
    environment = dict(os.environ, NO_COLOR="1", PATH=f"{folder / 'bin'}:{os.environ['PATH']}")
    done = subprocess.run([HALO, *words.split()], cwd=folder, input="", env=environment, text=True,
                          capture_output=True, timeout=60, errors="replace")
    told = done.stdout + done.stderr
    expect(message in told, f"`halo {words}` does not say `{message}`: {told}")
    expect(str(done.returncode) == status or (status == "*" and done.returncode > 0),
           f"`halo {words}` ends with {done.returncode}, not {status}: {told}")
    expect("\x1b" not in told and "error: :" not in told, f"`halo {words}`: {told!r}")


def main(folder):
    for name, contents in FILES.items():
        (folder / name).write_bytes(contents)
    python = folder / "bin/python3"  # one without Halo's package
    python.parent.mkdir()
    python.write_text("#!/bin/sh\nexit 1\n")
    python.chmod(0o755)
    for row in ROWS.strip().splitlines():
        check(row, folder)
    left = {path.name for path in folder.iterdir()} - {*FILES, "bin"}
    expect(not left, f"left behind: {left}")
    for name, contents in FILES.items():
        expect((folder / name).read_bytes() == contents, f"{name} was changed")
    return verdict()


with tempfile.TemporaryDirectory() as name:
    sys.exit(main(pathlib.Path(name)))
