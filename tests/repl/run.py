#!/usr/bin/env python3
"""The REPL: its commands, its line editor on a pseudo-terminal, bad input, and a newcomer's first
ten minutes as the README tells them.

usage: run.py HALO [CASE...]

Every function named case_* is one test. Each command that `:help` lists must be used by one of them
(case_every_command_is_tested).
"""

import os
import pathlib
import re
import stat
import subprocess
import sys
import tempfile
import traceback

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from driver import Failed, Terminal, environment, pipe  # noqa: E402

HALO = str(pathlib.Path(sys.argv[1]).resolve())
ROOT = pathlib.Path(__file__).resolve().parents[2]


def check(text, out=(), err=(), status=0, **options):
    """Lines into a pipe; the texts that standard output and error must have, in order."""
    stdout, stderr, code = pipe(HALO, text, **options)
    for stream, wanted, name in ((stdout, out, "output"), (stderr, err, "error")):
        at = 0
        for piece in wanted:
            found = stream.find(piece, at)
            if found < 0:
                raise Failed(f"standard {name} lacks {piece!r}:\n{stdout}\n{stderr}")
            at = found + len(piece)
    if code != status:
        raise Failed(f"status {code}, not {status}:\n{stdout}\n{stderr}")
    return stdout


def write(folder, name, text):
    path = pathlib.Path(folder) / name
    path.write_text(text)
    return path


# ---- values and definitions


def case_values_have_types():
    check("1 + 1\n2.5f32\niota 3\n(1, true)\n{a = 1, b = [2i64]}\n",
          ["i32 = 2\n", "f32 = 2.5\n", "[3]i64 = [0, 1, 2]\n", "(i32, bool) = (1, true)\n",
           "{a: i32, b: [1]i64} = {a = 1, b = [2]}\n"])


def case_it_is_the_last_value():
    check("map (* 2) (iota 4)\nit[3]\nit + 1\n", ["[0, 2, 4, 6]", "i64 = 6\n", "i64 = 7\n"])


def case_definitions():
    check("def f (x: i32) = x * x\ndef k = 3 + 4\nf k\ndef k = 10\nf k\n",
          ["f : ", "k : i32 = 7\n", "i32 = 49\n", "k : i32 = 10\n", "i32 = 100\n"])


def case_older_definitions_keep_what_they_used():
    check("def k = 3 + 4\ndef g (x: i32) = x + k\ndef k = 100 * 1\ng 1\n", ["i32 = 8\n"])


def case_values_know_their_size():
    check("def xs = filter (> 2) (iota 6)\ndef ys = [1i64, 1, 1]\nmap2 (+) xs ys\n",
          ["xs : [3]i64 = [3, 4, 5]", "[3]i64 = [4, 5, 6]"])


def case_values_in_functions():
    for backend in ["interp", "cpu", "gpu"]:
        check("def xs = map f32.i64 (iota 5)\ndef at (i: i64) = xs[i] + f32.i64 (length xs)\n"
              "map at (iota 5)\ndef xs = [1f32]\nat 0\n",
              ["[5]f32 = [5.0, 6.0, 7.0, 8.0, 9.0]", "f32 = 5.0"], words=["--backend=" + backend])


def case_values_stay_where_they_were_made():
    check("def xs = map f32.i64 (iota 1000);\n:info xs\ndef ys = map (* 2) xs;\n:info ys\n"
          ":backend cpu\nf32.sum ys\ndef zs = map (+ 1) ys;\n:info zs\n:backend gpu\nzs[999]\n",
          ["on the device", "on the device", "f32 = 999000", "in main memory", "f32 = 1999"],
          words=["--backend=gpu"])


def case_sums_and_records():
    check("type t = #none | #some i32 [2]bool\ndef v: t = #some 3 [true, false]\nv\n"
          "match v case #none -> 0 case #some x _ -> x\nmap (\\x -> (x, x > 1)) [1, 2, 3]\n",
          ["type t\n", "#some 3 [true, false]", "i32 = 3\n",
           "[3](i32, bool) = [(1, false), (2, true), (3, true)]"])


def case_modules():
    check("module m = { def two = 2i32 def twice (x: i32) = x * two }\nm.twice 21\nopen m\ntwice 4\n",
          ["module m\n", "i32 = 42\n", "open\n", "i32 = 8\n"])


def case_a_failing_line_changes_nothing():
    check("def x = 5 * 1\ndef x = [1, 2][x]\nx\ndef y = zz\nx\n",
          ["x : i32 = 5\n", "i32 = 5\n", "i32 = 5\n"], ["H7001", "H3001"], status=1)


def case_several_lines():
    check("def f (x: i32) =\n  let y = x + 1\n  in y * y\nf 2\nmap (\\x ->\n  x + 1)\n  [1, 2]\n",
          ["i32 = 9\n", "[2]i32 = [2, 3]\n"])


def case_a_definition_without_its_body_swallows_nothing():
    check("let x =\n1+1\ndef f (x: i32) = g (x,\ndef y = 5\ny\n", ["i32 = 2\n", "y : i32 = 5\n", "i32 = 5\n"],
          ["H2003", "input 1:1:8", "are indented", "H2003", "input 3:1:23"], status=1)
    check("module m = {\ndef k = 3\n}\nm.k\n#[inline]\ndef f (x: i32) = x\nf 4\n", ["i32 = 3\n", "i32 = 4\n"])


def case_large_values_are_elided():
    out = check("iota 100000000\nreplicate 1000 (iota 1000)\n:set print.limit 5\niota 6\n",
                ["[100000000]i64 = [0, 1, 2, ..., 99999997, 99999998, 99999999]\n",
                 "[1000][1000]i64 =\n[[0, 1, 2, ..., 997, 998, 999],\n", " ...,\n", "[6]i64"])
    if len(out) > 2000:
        raise Failed(f"{len(out)} bytes are too many")


def case_semicolon_hides():
    out = check("def big = iota 10;\n3 + 4;\nit\n", ["i32 = 7\n"])
    if "big" in out or out.count("7") != 1:
        raise Failed(out)


def case_what_other_languages_have():
    for text, hint in (("x = 5", "`def x = ..`"), ("f x y = x", "`def f x y = ..`"),
                       ("help", "`:help`"), ("quit", "`:quit`"), ("exit", "`:quit`"),
                       ("ans", "`it`"), ("_", "`it`"), ("for i in 3", "`loop sum = 0 for"),
                       ("return 3", "`def f x"), ("print 3", "`#[trace] e`")):
        check(text + "\n", err=["error: ", "= help: ", hint], status=1)
    if "help" in pipe(HALO, "1 == true\nlet x = 2 in\n")[1]:
        raise Failed("a hint where there is none")


def case_short_commands():
    with tempfile.TemporaryDirectory() as folder:
        path = write(folder, "a.fut", "def a = 41i64\n")
        check(f":l {path}\n:type a + 1\n:r\n", ["loaded", "a + 1 : i64", "loaded"])


def case_time_on_all_engines():
    check(":backend all\n:time i64.sum (iota 100)\n", ["interp: ", "cpu: ", "gpu: "])


def case_info_of_the_prelude():
    check(":info map\n", ["map : ", "from the prelude"])


def case_types_and_modules_have_descriptions():
    with tempfile.TemporaryDirectory() as folder:
        path = write(folder, "shapes.fut", "type point = {x: f32, y: f32}\n"
                     "module m = {\n  -- | A length.\n  type length = f64\n}\n")
        check(f":load {path}\n:info point\n:info m\n:info m.length\n?m.length\n:info i64\n:glsl 3 + 4\n",
              ["type point = {x: f32, y: f32}\n", f"defined in {path}:1\n", "module m\n",
               f"defined in {path}:2\n", "type length = f64\n", "A length.", f"defined in {path}:4\n",
               "type length = f64\n", "from the prelude", "-- no kernel"])
    check(":info m.length\n:bench\n", err=["there is no `m.length`", "`:bench` takes an expression"],
          status=1)



# ---- commands


def case_type():
    check(":type 1 + 1\n:type map\n:type \\x -> x + 1f32\n:ty iota 3\n",
          ["1 + 1 : i32\n", "map : ", "-> [", "f32", "[3]i64\n"])


def case_doc_and_info():
    check(":doc iota\n?map\ndef xs = iota 1000;\n:info xs\n:info map\n-- | Twice.\n"
          "def two (x: i32) = 2 * x\n:info two\n:doc two\n",
          ["iota : (n: i64) -> [n]i64", "map :", "xs : [1000]i64", "8000 bytes", "two :", "Twice"])
    check(":doc iotta\n", err=["did you mean `iota`?"], status=1)


def case_info_of_modules_has_types():
    check("module m = { type t = i32  def one : t = 1  def add (a: t) (b: t) = a + b }\n:info m\n",
          ["it has\n  type t = i32\n  add : ", "\n  one : i32\n"])


def case_info_of_modules_without_local_names():
    check("module k = { local def h = 1i32  def g = h  local type t = i32  type u = t"
          "  local module q = { def z = 3i32 }  module r = { def w = q.z  local def v = 3i32 } }\n"
          ":info k\n:info k.r\n",
          ["it has\n  module r\n  type u = t\n  g : i32\n  defined", "it has\n  w : i32\n  defined"])
    check("module k = { local module q = { def z = 3i32 } }\n:info k.q\n", (), err=["there is no `k.q`"],
          status=1)


def case_info_of_an_imported_module():
    with tempfile.TemporaryDirectory() as folder:
        write(folder, "shapes.fut", "type point = {x: f32, y: f32}\nmodule m = { def one = 1i32 }\n"
              "def far (p: point) = p.x\n")
        path = write(folder, "main.fut", "module s = import \"shapes\"\ndef a = s.far {x = 1, y = 2}\n")
        check(f":load {path}\n:info s\n", ["module s\nit has\n  type point\n  module m\n"
                                           "  far : {x: f32, y: f32} -> f32\n  defined in"])


def info_of_imported(shapes, lines, expected, **rest):
    with tempfile.TemporaryDirectory() as folder:
        write(folder, "shapes.fut", shapes)
        path = write(folder, "main.fut", "module s = import \"shapes\"\n")
        check(f":load {path}\n{lines}", expected, **rest)


def case_info_of_names_of_an_imported_module():
    shapes = ("-- | A place.\ntype point = {x: f32, y: f32}\n"
              "module m = { type t = i64 def one = 1i32 }\nmodule type made = { type t val mk: i32 -> t }\n")
    info_of_imported(shapes, ":info s.point\n:doc s.point\n:info s.m\n:info s.m.t\n:info s.made\n",
                     ["type point = {x: f32, y: f32}\nA place.\n  defined in", "type point = {x: f32, y: f32}\nA place.\n",
                      "module m\nit has\n  type t = i64\n  one : i32\n  defined in", "type t = i64\n  defined in",
                      "module type made\nit has\n  type t\n  val mk : i32 -> t\n", "shapes.fut:4\n"])
    info_of_imported(shapes, ":info s.nope\n", (), err=["there is no `s.nope`"], status=1)


def case_info_of_names_in_imported_modules():
    info_of_imported("-- | Of the plane.\ntype point = {x: f32, y: f32}\n"
                     "module m = { type u = i32  def one = 1i32 }\nmodule type mt = { val one : i32 }\n",
                     ":info s.point\n:info s.m\n:info s.m.u\n:info s.mt\n",
                     ["type point = {x: f32, y: f32}\nOf the plane.\n  defined in", "shapes.fut:2\n",
                      "module m\nit has\n  type u = i32\n  one : i32\n  defined in", "type u = i32\n  defined in",
                      "module type mt\n"])


def case_info_of_operators():
    check(":info (+)\n?(*)\n", ["i32.+ : i32 -> i32 -> i32\n", "f32.* : f32 -> f32 -> f32\n"])
    check(":info i64.(+)\n:info (&&)\n?||\n",
          ["i64.+ : i64 -> i64 -> i64\n", "&& : bool -> bool -> bool\nAnd; ", "|| : bool -> bool -> bool\nOr; "])


def case_later_lines_see_imports_and_local_names():
    with tempfile.TemporaryDirectory() as folder:
        write(folder, "pairs.fut", "type pair = {a: i32, b: i32}\ndef mk (a: i32): pair = {a, b = 2}\n")
        check("import \"pairs\"\ndef sum (p: pair) = p.a + p.b\nsum (mk 3)\n", ["5\n"], cwd=folder)
    check("local def k = 4i32\nlocal module m = { def x = 5i32 }\nk + m.x\n", ["9\n"])


def case_info_of_modules_in_modules():
    check("module type point = { type t  -- | Makes one.\n|  val mk : f32 -> t }\n".replace("\n|", "\n")
          + "module m = { type~ u [n] = [n]i32  module n = { def deep (x: i32) = x }"
          "  module f (P: point) = { def go x = P.mk x } }\n"
          "module k = m\nmodule a = m.f {type t = i32 def mk = i32.f32}\nmodule b = m.n\n"
          ":info m\n:info m.n\n:info point\n:info m.f\n:info k\n:info k.n\n:info a\n:info b\n:info f32\n"
          ":info f32.t\n:info real\n",
          ["module m\nit has\n  module f (P: point)\n  module n\n  type~ u [n] = [n]i32\n",
           "module n\nit has\n  deep : i32 -> i32\n", "it has\n  type t\n  -- | Makes one.\n  val mk : f32 -> t\n",
           "module f (P: point)\n", "module k = m\nit has\n  module f (P: point)\n  module n\n",
           "module n\nit has\n  deep : i32 -> i32\n", "module a\nit has\n  go : f32 -> i32\n",
           "module b = m.n\nit has\n  deep : i32 -> i32\n",
           "module f32\n", "type t = f32\n", "module type real\n", "\n  val sqrt : t -> *t\n"])
    check("module m = { module type A = {}  module type B = {} }\n"
          "module s : { val x : i32 } = { def x = 1i32  def secret = 2i32 }\n:info m\n:info s\n",
          ["it has\n  module type A\n  module type B\n", "module s : {\n  val x : i32\n}\n  defined in"])
    check("module m : { val x : i32 } = { type hidden = i32 def x = 1i32 }\n:info m.hidden\n:info m.nope\n",
          err=["there is no `m.hidden`", "there is no `m.nope`"], status=1)


def case_a_hole_is_an_expression():
    check("???\n1 + ???\n", ["a\n"], err=["typed hole `???` reached"], status=1)


def case_load_and_reload():
    with tempfile.TemporaryDirectory() as folder:
        write(folder, "one.fut", "import \"two\"\ndef f (x: i32) = x + k\n")
        write(folder, "two.fut", "def k = 10i32\n")
        with Terminal(HALO, cwd=folder) as t:
            t.ask(":load one.fut", "loaded one.fut")
            t.ask("f 1", "i32 = 11")
            write(folder, "two.fut", "def k = 20i32\n")
            t.ask("f 1", "i32 = 11")
            t.ask(":reload", "loaded")
            t.ask("f 1", "i32 = 21")
            write(folder, "two.fut", "def k = oops\n")
            t.ask(":reload", "H3001")
            t.ask("f 1", "i32 = 21")
            os.remove(os.path.join(folder, "one.fut"))
            t.ask(":reload", "H8001")
            t.ask("f 2", "i32 = 22")


def case_backends():
    check(":backend interp\n1 + 1\n:backend cpu\n1 + 1\n:backend gpu\n1 + 1\n:backend\n"
          ":backend all\nmap (+ 1) (iota 3)\n:backend\n",
          ["i32 = 2", "i32 = 2", "i32 = 2", "gpu\n", "[3]i64 = [1, 2, 3]",
           "-- interp, cpu and gpu agree to the bit\n", "all\n"])
    check(":backend warp\n", err=["H6005"], status=1)
    check(":backend gpus\n", err=["H6005", "halo repl --gpus=2"], status=1)


def case_backends_disagree():
    # The order of additions is the engine's own, so this may differ, and says by how much.
    check("f32.sum (map (\\i -> 1f32 / f32.i64 (i + 1)) (iota 1000))\n[1, 2][2]\n",
          ["-- interp, cpu and gpu agree, up to the order of float additions",
           "-- interp, cpu and gpu agree\n"], ["H7001"], status=1, words=["--backend=all"])


def case_time_and_bench():
    check(":time f32.sum (map f32.i64 (iota 1000))\n:bench 1 + 1\n:set time on\n2\n",
          ["ms: check", "compile", "min ", "median", "runs", "i32 = 2", "-- interp: check"])


def case_stages():
    check(":core map (+ 1i32) [1, 2]\n:core@fuse map (+ 1i32) [1, 2]\n:llvm map (+ 1i32) [1, 2]\n"
          ":glsl map (+ 1i32) (map i32.i64 (iota 10))\n",
          ["entry ", "screma", "entry ", "define ", "#version"])
    check(":core map\n", err=["apply it"], status=1)


def case_devices():
    check(":device\n", ["("])
    check(":device no such device\n", err=["H6001"], status=1)


def case_set():
    check(":set\n:set print.edge 1\n:set print.limit 3\niota 4\n:set threads 2\n:set threads\n"
          ":set fp strict\n:set fp\n:set color off\n:set pictures blocks\n",
          ["print.limit", "[0, ..., 3]", "2\n", "strict\n"])
    check(":set nothing\n:set threads x\n", err=["no option `nothing`", "no value"], status=1)


def case_save_and_load_values():
    with tempfile.TemporaryDirectory() as folder:
        check("def xs = map f32.i64 (iota 4);\n:save xs.txt\n:save xs.npy xs\nxs;\n:save xs.txt\n:load xs.npy ys\n"
              "ys\n:load xs.npy\nxs[3]\n", ["wrote xs.npy", "wrote xs.txt", "ys : [4]f32", "[0.0, 1.0, 2.0, 3.0]", "xs : [4]f32",
               "f32 = 3.0"], ["no `it` yet"], status=1, cwd=folder)
        check(":save no/such/folder.npy 1\n:load none.npy\n:load none.fut\n",
              err=["H8007", "H8001", "H8001"], status=1, cwd=folder)


def case_pictures():
    with tempfile.TemporaryDirectory() as folder:
        check("def p = tabulate_2d 8 16 (\\i j -> f32.i64 (i * j) / 105);\n:img p\n:save p.png p\n"
              ":load p.png\nlength p\n:save film.png tabulate_3d 3 4 5 (\\t i j -> u8.i64 (t + i + j))\n"
              ":save frame-%02d.png tabulate_3d 3 4 5 (\\t i j -> u8.i64 (t + i + j))\n",
              ["@", "wrote p.png", "p : [8][16]u32", "i64 = 8", "film.png, 3 pictures",
               "frame-00.png to frame-02.png"], cwd=folder)
        film = (pathlib.Path(folder) / "film.png").read_bytes()
        if film.count(b"fcTL") != 3 or film.count(b"fdAT") != 2 or b"acTL" not in film:
            raise Failed("film.png is no animation of three frames")
        if not (pathlib.Path(folder) / "frame-02.png").exists():
            raise Failed("frame-02.png is missing")
        check(":img 3\n:img map (\\x -> x) (iota 3)\n", err=["H8008", "H8008"], status=1)


def case_plots():
    out = check(":plot map (\\i -> f32.sin (f32.i64 i / 10)) (iota 100)\n"
                ":plot (map f32.i64 (iota 9), map (\\i -> f32.i64 (i * i)) (iota 9))\n"
                ":plot [[1, 2], [3, 4]]\n", ["│", "99\n", "64", "8\n", "1 to 4"])
    if not any("\u2800" < c < "\u2900" for c in out):
        raise Failed("no braille")
    plain = check(":plot iota 9\n", ["|", "8\n"], extra={"LANG": "C"})
    if any(ord(c) > 127 for c in plain):
        raise Failed("no UTF-8 was asked for")
    check(":plot true\n", err=["H8008"], status=1)


def case_folders():
    with tempfile.TemporaryDirectory() as folder:
        os.mkdir(os.path.join(folder, "inner"))
        check(":cd inner\n:pwd\n:cd nowhere\n", ["inner\n", "inner\n"], ["nowhere"], status=1,
              cwd=folder)


def case_reset_clear_quit_help():
    check("def x = 1 + 1\n:reset\nx\n", err=["H3001"], status=1)
    check(":clear\n:help\n:help time\n:quit\n1 +\n", [":load", ":quit", ":time EXPRESSION"])


def case_prefixes():
    check(":t 1\n", err=["`:time` or `:type`"], status=1)
    check(":nonsense\n", err=["no command `:nonsense`"], status=1)
    check(":ty 1\n:q\n1 + true\n", ["1 : i32"])


# ---- the editor


def case_editing_keys():
    with Terminal(HALO) as t:
        t.expect_prompt()
        t.send("12 + 1\x1b[H\x1b[3~\x1b[F0\x1b[D\x7f4\r")  # home, delete, end, left, backspace
        t.expect("i32 = 42")
        t.expect_prompt()
        t.send("1 + 1 +++\x17\x17100 - 1\r")  # Ctrl-W takes words
        t.expect("i32 = 99")
        t.expect_prompt()
        t.send("5 * 5\x15\x1f\r")  # erase the line, undo that
        t.expect("i32 = 25")
        t.expect_prompt()
        t.send("7 * 3\x01\x0b\x19\x19\x1f\r")  # kill, yank twice, undo the second
        t.expect("i32 = 21")
        t.expect_prompt()
        t.send("1\x1b[1;5D\x1bf\x1b[200\x1b[5~\x1b\x05 + 2\r")  # odd sequences do no harm
        t.expect("i32 = 3")
        t.expect_prompt()
        t.send("\x04")
        t.leave()


def case_more_lines_on_a_terminal():
    with Terminal(HALO) as t:
        t.expect_prompt()
        t.send("def f (x: i32) =\r")
        t.expect("| ")
        t.send("  x +\r")
        t.expect("| ")
        t.send("1\r")
        t.expect("f : ")
        t.ask("f 1", "i32 = 2")
        t.expect_prompt()
        t.send("(1 +\r")
        t.expect("| ")
        t.send("\r")  # an empty line ends it
        t.expect("H2")
        t.ask("f 2", "i32 = 3")


def case_history():
    with Terminal(HALO) as t:
        t.ask("11 + 11", "i32 = 22")
        t.ask("def a = [1,\r2]", "a : [2]i32")
        home = t.home
        t.expect_prompt()
        t.send("\x04")
        t.leave()
    with Terminal(HALO, home=home) as t:
        t.expect_prompt()
        t.send("\x1b[A\x1b[A\x1b[A\r")  # two lines of the last input, then the one before
        t.expect("i32 = 22")
        t.expect_prompt()
        t.send("\x12+ 1\r")
        t.expect("(search")
        t.expect("i32 = 22")
        t.expect_prompt()
        t.send("unfinished\x03")
        t.ask("2 + 2", "i32 = 4")
    history = pathlib.Path(home) / "state" / "halo" / "history"
    if "def a = [1,\\n2]" not in history.read_text():
        raise Failed(history.read_text())


def case_history_cannot_be_kept():
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, stat.S_IRUSR | stat.S_IXUSR)
        for state in (folder, "/dev/null", "/proc/none"):
            with Terminal(HALO, extra={"XDG_STATE_HOME": state, "HOME": state}) as t:
                t.ask("1 + 1", "i32 = 2")
                t.expect_prompt()
                t.send("\x1b[A\r")
                t.expect("i32 = 2")
        with Terminal(HALO, extra={"HALO_HISTORY": "off"}) as t:
            t.ask("1 + 1", "i32 = 2")
            if os.path.exists(os.path.join(t.home, "state", "halo")):
                raise Failed("a history although it is off")


def case_completion():
    with tempfile.TemporaryDirectory() as folder:
        write(folder, "prog_one.fut", "def one = 1i32\n")
        with Terminal(HALO, cwd=folder) as t:
            t.expect_prompt()
            t.send("replic\t 2 true\r")
            t.expect("[2]bool = [true, true]")
            t.ask("def record = {alpha = 3i32, beta = {gamma = 4i32}}", "record :")
            t.expect_prompt()
            t.send("record.al\t + record.beta.g\t\r")
            t.expect("i32 = 7")
            t.expect_prompt()
            t.send("[record][0].al\t + (head [record, record]).beta.ga\t\r")
            t.expect("i32 = 7")
            t.ask("def records = [record]", "records :")
            t.expect_prompt()
            t.send("records[0].be\t.gamma\r")
            t.expect("i32 = 4")
            t.expect_prompt()
            t.send("type shape = #circle i32 | #square\r")
            t.expect_prompt()
            t.send("(#ci\t 3 : sha\t)\r")
            t.expect("#circle 3")
            t.expect_prompt()
            t.send(":rel\t\x15:lo\tprog\t\r")
            t.expect("loaded prog_one.fut")
            t.expect_prompt()
            t.send("f32.co\t\t")
            t.expect("f32.cos")
            t.send("\x15f32.sq\t 4\r")
            t.expect("f32 = 2")


def case_pastes():
    with Terminal(HALO) as t:
        t.expect_prompt()
        t.send("\x1b[200~def g (x: i32) =\n  x * 3\r\n\ndef h (x: i32) =\n\tg x + 1\nh 2\x1b[201~\r")
        t.expect("g : ")
        t.expect("h : ")
        t.expect("i32 = 7")
        t.expect_prompt()
        t.send("\x1b[200~> g 4\ni32 = 12\n> g\n|  5\n\x1b[201~\r")  # a session of ours
        t.expect("i32 = 12")
        t.expect("i32 = 15")
        t.expect_prompt()
        lines = "".join(f"def v{i} = {i} + 0\n" for i in range(1000))
        t.send("\x1b[200~" + lines + "\x1b[201~\r")
        t.expect("v999 : i32 = 999")
        t.ask("v17 + v983", "i32 = 1000")


def case_interrupt():
    for backend in ["interp", "cpu"]:
        with Terminal(HALO, ["--backend=" + backend]) as t:
            t.ask("def k = 40 + 2", "k : i32")
            t.expect_prompt()
            t.line("loop x = 1i64 while x > 0 do (x * 3) % 1000003 + 1")
            t.expect("\r1 s")  # it runs: that is how long it has
            t.interrupt()
            t.expect("H7")
            t.ask("k", "i32 = 42")
            t.expect_prompt()
            t.send("1 + \x03")
            t.ask("k", "i32 = 42")


def case_progress():
    for backend in ["interp", "cpu"]:
        with Terminal(HALO, ["--backend=" + backend]) as t:
            t.expect_prompt()
            t.line("loop x = 1i64 for i < 400 do "
                   "loop x for j < 10000000 do ((x * 3 + j) & 65535) + 1")
            t.expect(" %")
            t.interrupt()
            t.expect("H7")
            t.ask("1 + 1", "i32 = 2")
    out = check("loop x = 1i64 for i < 3 do x * 2\n", ["i64 = 8\n"])
    if "%" in out:
        raise Failed("a bar in a pipe")


def case_colours():
    with Terminal(HALO) as t:
        t.ask("if true then 1 else 2", "i32 = 1")
        if "\x1b[0;35m" not in t.raw:
            raise Failed("keywords have no colour")
        t.ask("length [1, 2]", "i64 = 2")
        if "\x1b[0;1;4m]" not in t.raw:
            raise Failed("brackets that belong together look like others")
    with Terminal(HALO, extra={"NO_COLOR": "1"}) as t:
        t.ask("if true then 1 else 2", "i32 = 1")
        if re.search(r"\x1b\[[0-9;]*m", t.raw):
            raise Failed("colours in spite of NO_COLOR")


def case_pictures_on_a_terminal():
    picture = ":img tabulate_2d 4 4 (\\i j -> f32.i64 (i + j) / 6)"
    with Terminal(HALO, extra={"COLORTERM": "truecolor", "HALO_HISTORY": "off"}) as t:
        t.ask(picture, "\u2580")
        if "38;2;" not in t.raw:
            raise Failed("no 24-bit colours")
    with Terminal(HALO) as t:
        t.ask(picture, "\u2580")
        if "38;5;" not in t.raw:
            raise Failed("no 256 colours")
    with Terminal(HALO, extra={"TERM": "xterm-kitty"}) as t:
        t.expect_prompt()
        t.line(picture)
        t.expect_prompt()
        if "\x1b_Ga=T,f=100" not in t.raw:
            raise Failed("no kitty graphics")
    with Terminal(HALO) as t:  # a terminal that says so when it is asked
        t.expect_prompt()
        t.line(picture)
        t.expect_raw("a=q")
        t.send("\x1b_Gi=31;OK\x1b\\\x1b[?62c")
        t.expect_prompt()
        if "\x1b_Ga=T,f=100" not in t.raw:
            raise Failed("the terminal's answer was not heard")


def case_poor_terminals():
    for extra in ({"TERM": "dumb"}, {"TERM": ""}):
        with Terminal(HALO, extra=extra) as t:
            t.ask("1 + 1", "i32 = 2")
            t.ask("def f (x: i32) =", "| ")
            t.line("  x + 1")
            t.ask("f 1", "i32 = 2")
            if "\x1b" in t.raw:
                raise Failed("escape sequences for a dumb terminal")
            t.expect_prompt()
            t.send("\x04")
            t.leave()
    with Terminal(HALO, rows=2, columns=8) as t:
        t.expect_prompt()
        t.line("map (+ 1) (map (* 2) (iota 10))")
        t.expect("19]")
    with Terminal(HALO, extra={"LANG": "C", "TERM": "vt100"}) as t:
        t.ask(":plot iota 5", "|")


def case_terminal_goes_away():
    t = Terminal(HALO)
    t.expect_prompt()
    os.close(t.fd)
    if t.process.wait(timeout=60) < 0 and t.process.returncode != -1:
        raise Failed(f"died of signal {-t.process.returncode}")


# ---- pipes and bad input


def case_pipes():
    out = check("1 + 1\n", ["i32 = 2\n"])
    if out != "i32 = 2\n":
        raise Failed(f"more than the answer: {out!r}")
    check("", [])
    check("-- nothing\n\n   \n", [])
    check("1 + 1", ["i32 = 2\n"])
    check("1 + 1\r\n2\r\n", ["i32 = 2\n", "i32 = 2\n"])
    check("(1 +", err=["H2"], status=1)
    check("1\n", words=["--backend=warp"], status=64)


def case_closed_pipe():
    done = subprocess.run(["sh", "-c", f"yes '1 + 1' | head -2000 | {HALO} repl | head -1"],
                          capture_output=True, timeout=120, env=environment(tempfile.mkdtemp()))
    if done.stdout != b"i32 = 2\n" or done.stderr:
        raise Failed(repr(done))


def case_garbage():
    noise = bytes((i * 7919 + i // 256 * 31) % 256 for i in range(20000))
    for text in (noise, b"\xff\xfe\x00\x01\n1 + 1\n", b"\x00" * 1000 + b"\n1 + 1\n",
                 b"(" * 100000 + b"\n", b"\"" * 3 + b"\n1 + 1\n"):
        _, _, status = pipe(HALO, text)
        if status not in (0, 1):
            raise Failed(f"status {status} for {text[:20]!r}")
    check(b"\xff\xfe\n1 + 1\n", ["i32 = 2"], ["H1"], status=1)
    with Terminal(HALO) as t:
        t.expect_prompt()
        t.send(bytes(b for b in noise[:3000] if b not in (3, 4, 10, 13, 26)))
        t.send("\x03")
        t.ask("1 + 1", "i32 = 2")


def case_thousand_lines():
    lines = "".join(f"def f{i} (x: i32) = x + {'f%d x' % (i - 1) if i else '0'}\n" for i in range(1000))
    check(lines + "f999 1\n", ["i32 = 1000\n"])


def case_file_changes_while_loaded():
    with tempfile.TemporaryDirectory() as folder:
        write(folder, "a.fut", "def f (xs: []i32) (i: i64) = xs[i]\n")
        with Terminal(HALO, cwd=folder) as t:
            t.ask(":load a.fut", "loaded")
            write(folder, "a.fut", "")
            t.ask("f [1] 7", "xs[i]")  # the excerpt is of the loaded text


# ---- the whole


def case_first_ten_minutes():
    """README.md's first ten minutes, line by line, have the output shown there."""
    text = (ROOT / "README.md").read_text()
    session = re.search(r"```[^\n]*\n\$ halo repl\n(.*?)```", text, re.S).group(1)
    with tempfile.TemporaryDirectory() as folder:
        os.symlink(ROOT / "examples", os.path.join(folder, "examples"))
        with Terminal(HALO, cwd=folder, columns=120) as t:
            for line in session.splitlines():
                if line.startswith("> "):
                    t.expect_prompt()
                    t.line(line[2:])
                elif line.startswith("| "):
                    t.line(line[2:])
                elif line and not line.startswith("Halo"):
                    t.expect(line)


def case_every_command_is_tested():
    listed = set(re.findall(r"^  :([a-z]+)", pipe(HALO, ":help\n")[0], re.M))
    used = set(re.findall(r":([a-z]+)", pathlib.Path(__file__).read_text()))
    missing = listed - used
    if not listed or missing:
        raise Failed(f"no test uses {sorted(missing)}")


def main():
    wanted = sys.argv[2:]
    cases = [(name, case) for name, case in globals().items() if name.startswith("case_")]
    failed = 0
    for name, case in cases:
        if wanted and not any(word in name for word in wanted):
            continue
        try:
            case()
        except Exception as error:  # noqa: BLE001: a broken pipe or time-out is a failure, too
            failed += 1
            print(f"FAIL {name}: {error}")
            if not isinstance(error, Failed):
                traceback.print_exc()
    print(f"{len(cases)} cases, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
