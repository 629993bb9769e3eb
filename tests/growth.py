#!/usr/bin/env python3
"""How the time of compiling grows with the length of a program, for every way in which one can be long.

usage: growth.py HALO [--backend cpu] [--tier 1] [--lengths 250,500,1000,2000] [--only TEXT,..] [--limit SECONDS]
                 [--most EXPONENT] [--check] [--stage STAGE]

Each function below writes a program of length n. One line each: its seconds of processor
time at these lengths, and the exponent of the last doubling: 1 is linear, 2 quadratic. With --most the status is 1 if the
exponent of one that takes more than two seconds is above it, or if one fails or does not end within the limit.
With --check programs are checked only, with --stage this stage is printed; neither runs them.
"""

import argparse
import math
import os
import pathlib
import resource
import subprocess
import sys
import tempfile

CHAINS = []


def chain(write):
    CHAINS.append(write)
    return write


def joined(separator, n, element):
    return separator.join(element(k) for k in range(n))


@chain
def ands(n):
    return f"def main (x: i64) (xs: []i64) = {joined(' && ', n, lambda k: f'x != {k + 9}')} && xs[0] > 0", "3i64 [1i64]"


@chain
def ands_of_elements(n):
    return f"def main (i: i64) (xs: []i64) = {joined(' && ', n, lambda k: f'xs[i + {k % 3}] >= {k % 2}')}", "0i64 [1i64,1i64,1i64]"


@chain
def ors(n):
    return f"def main (x: i64) = {joined(' || ', n, lambda k: f'x == {k + 9}')}", "3i64"


@chain
def sums(n):
    return f"def main (x: i32) = {joined(' + ', n, lambda k: f'(x ^ {k})')}", "3i32"


@chain
def float_sums(n):
    return f"def main (x: f32) = {joined(' + ', n, lambda k: f'x * {k}')}", "3f32"


@chain
def sums_of_elements(n):
    return f"def main (xs: []i32) (i: i64) = {joined(' + ', n, lambda k: f'xs[i + {k % 5}]')}", "[1,2,3,4,5] 0i64"


@chain
def differences_of_sizes(n):
    return f"def main (n: i64) (m: i64) = {joined(' + ', n, lambda k: f'(n * {k} - m)')}", "3i64 4i64"


@chain
def powers(n):
    return f"def main (x: i32) = {joined(' ** ', n, lambda k: f'(x & {k % 2})')}", "3i32"


@chain
def power_sums(n):
    return f"def main (x: i32) (y: i32) = {joined(' + ', n, lambda k: f'(x + {k}) ** y')}", "3i32 2i32"


@chain
def divisions(n):
    return f"def main (x: i32) = {joined(' + ', n, lambda k: f'{k} / (x + {k + 1})')}", "3i32"


@chain
def appends(n):
    return f"def main (xs: []i32) = i32.sum ({joined(' ++ ', n, lambda k: 'xs')})", "[1,2]"


@chain
def maps(n):
    return f"def main (xs: []i32) = xs {joined(' ', n, lambda k: f'|> map (^ {k})')}", "[1,2]"


@chain
def maps_in_lets(n):
    return ("def main (xs0: []i32) =\n" + joined("\n", n, lambda k: f"  let xs{k + 1} = map (^ {k}) xs{k}")
            + f"\n  in xs{n}", "[1,2]")


@chain
def maps_side_by_side(n):
    return ("def main (xs: []i32) =\n" + joined("\n", n, lambda k: f"  let x{k} = i32.sum (map (^ {k}) xs)")
            + f"\n  in {joined(' + ', n, lambda k: f'x{k}')}", "[1,2]")


@chain
def scans(n):
    return f"def main (xs: []i32) = xs {joined(' ', n, lambda k: '|> scan (+) 0')}", "[1,2]"


@chain
def functions_composed(n):
    return f"def main (x: i32) = x {joined(' ', n, lambda k: f'|> (+ {k})')}", "1i32"


@chain
def functions_joined(n):
    return f"def main (x: i32) = ({joined(' >-> ', n, lambda k: f'(+ {k})')}) x", "1i32"


@chain
def withs(n):
    return f"def main (xs: *[]i32) = xs {joined(' ', n, lambda k: f'with [{k % 4}] = {k}')}", "[1,2,3,4]"


@chain
def withs_of_arguments(n):
    return (f"def main (xs: *[]i32) (i: i64) = xs {joined(' ', n, lambda k: f'with [(i + {k}) % 4] = {k}')}",
            "[1,2,3,4] 0i64")


@chain
def lets(n):
    return ("def main (x0: i32) =\n" + joined("\n", n, lambda k: f"  let x{k + 1} = x{k} * 3 + {k}") + f"\n  in x{n}", "1i32")


@chain
def lets_shadowing(n):
    return "def main (x: i32) =\n" + joined("\n", n, lambda k: f"  let x = (x ^ {k}) + x") + "\n  in x", "1i32"


@chain
def lets_in_a_cell(n):
    return ("def main (xs: []i32) = map (\\x0 ->\n" + joined("\n", n, lambda k: f"  let x{k + 1} = (x{k} ^ {k}) + x{k // 2}")
            + f"\n  in x{n}) xs", "[1,2,3]")


@chain
def float_lets_in_a_cell(n):
    return ("def main (xs: []f32) = map (\\x0 ->\n" + joined("\n", n, lambda k: f"  let x{k + 1} = x{k} * 0.5 + x{k // 2}")
            + f"\n  in x{n}) xs", "[1f32,2f32,3f32]")


@chain
def branches(n):
    return (f"def main (x: i32) = {joined(' ', n, lambda k: f'if x == {k} then x + {k * 7 % 100} else')} 0", "5i32")


@chain
def branches_in_a_cell(n):
    return (f"def main (xs: []i32) = map (\\x -> {joined(' ', n, lambda k: f'if x == {k} then x + {k * 7 % 100} else')} 0) xs",
            "[5,6]")


@chain
def branches_of_lets(n):
    return ("def main (x0: i32) =\n"
            + joined("\n", n, lambda k: f"  let x{k + 1} = if x{k} > {k} then x{k} - 1 else x{k} * 2") + f"\n  in x{n}", "5i32")


@chain
def cases(n):
    return f"def main (x: i32) = match x {joined(' ', n, lambda k: f'case {k} -> {k * 7 % 100}')} case _ -> 1", "5i32"


@chain
def constructors(n):
    n = min(n, 255)
    return (f"type t = {joined(' | ', n, lambda k: f'#c{k} i32')}\ndef f (x: t): i32 = match x\n"
            + joined("\n", n, lambda k: f"  case #c{k} v -> v + {k}")
            + "\ndef main (xs: []i32) = map f (map (\\x -> if x > 1 then #c0 x else #c1 x) xs)", "[1,2]")


@chain
def fields(n):
    return (f"def main (x: i32) = let r = {{{joined(', ', n, lambda k: f'f{k} = x + {k}')}}} in {joined(' + ', n, lambda k: f'r.f{k}')}",
            "1i32")


@chain
def updates_of_fields(n):
    return (f"def main (x: i32) = let r = {{{joined(', ', n, lambda k: f'f{k} = x + {k}')}}}\n"
            + joined("\n", n, lambda k: f"  let r = r with f{k} = x") + "\n  in r.f1", "1i32")


@chain
def fields_of_arrays(n):
    return (f"def main (xs: []i32) = let rs = map (\\x -> {{{joined(', ', n, lambda k: f'f{k} = x + {k}')}}}) xs "
            f"in map (\\r -> {joined(' + ', n, lambda k: f'r.f{k}')}) rs", "[1,2]")


@chain
def tuple_of_many(n):
    return f"def main (x: i32) = let ({joined(', ', n, lambda k: f'a{k}')}) = ({joined(', ', n, lambda k: f'x + {k}')}) in a1", "1i32"


@chain
def tuples_nested(n):
    n = min(n, 240)
    return f"def main (x: i32) = {'(' * n}x{joined('', n, lambda k: ', x)')}{'.0' * (n - 1)}", "1i32"


@chain
def literal_array(n):
    return f"def main (i: i64) = [{joined(', ', n, lambda k: str(k * 7919 % 1000))}][i]", "5i64"


@chain
def computed_array(n):
    return f"def main (x: i32) = [{joined(', ', n, lambda k: f'x * {k * 7919 % 1000}')}]", "5i32"


@chain
def computed_floats(n):
    return f"def main (x: f32) = [{joined(', ', n, lambda k: f'x * {k * 7919 % 1000}')}]", "5f32"


@chain
def rows(n):
    return f"def main (x: i32) = [{joined(', ', n, lambda k: f'[x, {k}]')}]", "5i32"


@chain
def parameters(n):
    return (f"def main {joined(' ', n, lambda k: f'(x{k}: i32)')} = {joined(' + ', n, lambda k: f'x{k}')}",
            joined(" ", n, str))


@chain
def results(n):
    return f"def main (x: i32) = ({joined(', ', n, lambda k: f'x + {k}')})", "1i32"


@chain
def results_of_arrays(n):
    return f"def main (xs: []i32) = ({joined(', ', n, lambda k: f'map (+ {k}) xs')})", "[1,2]"


@chain
def definitions(n):
    return ("def f0 (x: i32) = x\n" + joined("\n", n, lambda k: f"def f{k + 1} (x: i32) = f{k} (x ^ {k})")
            + f"\ndef main (x: i32) = f{n} x", "1i32")


@chain
def definitions_unused(n):
    return joined("\n", n, lambda k: f"def f{k} (x: i32) = x + {k}") + "\ndef main (x: i32) = x", "1i32"


@chain
def calls_doubled(n):
    """One path through 2^n calls runs."""
    return ("def f0 (x: i32) = x\n"
            + joined("\n", n, lambda k: f"def f{k + 1} (x: i32) = if x % 2 == 0 then f{k} (x + {k}) else f{k} (x * 3)")
            + f"\ndef main (x: i32) = f{n} x", "1i32")


@chain
def calls_of_arrays_doubled(n):
    return ("def f0 [n] (xs: [n]i32) = map (+ 1) xs\n"
            + joined("\n", n, lambda k: f"def f{k + 1} [n] (xs: [n]i32) = if n == {k} then f{k} (scan (+) 0 xs) else f{k} (map (* 3) xs)")
            + f"\ndef main (xs: []i32) = f{n} xs", "[1,2]")


@chain
def updates_of_elements(n):
    return ("def main (xs: *[4]i32) =\n"
            + joined("\n", n, lambda k: f"  let xs = xs with [{k % 4}] = xs[{k * 7 % 4}] * 3 + {k % 5}") + "\n  in xs", "[1,2,3,4]")


@chain
def updates_in_branches(n):
    return ("def main (ys: [4]i32) =\n  let xs = map (+ 1) ys\n"
            + joined("\n", n, lambda k: f"  let xs = if xs[{k * 7 % 4}] > {k} then xs with [{k % 4}] = {k} - xs[1] else xs") + "\n  in xs", "[1,2,3,4]")


@chain
def constants(n):
    return ("def c0 = 1i32\n" + joined("\n", n, lambda k: f"def c{k + 1} = c{k} * 3 + {k}")
            + f"\ndef main (x: i32) = x + c{n}", "1i32")


@chain
def polymorphic(n):
    return ("def f0 't (x: t) = x\n" + joined("\n", n, lambda k: f"def f{k + 1} 't (x: t) = f{k} x")
            + f"\ndef main (x: i32) = f{n} x", "1i32")


@chain
def types(n):
    return ("type t0 = i32\n" + joined("\n", n, lambda k: f"type t{k + 1} = t{k}") + f"\ndef main (x: t{n}) = x", "1i32")


@chain
def entries(n):
    return joined("\n", n, lambda k: f"entry f{k} (x: i32) = x + {k}") + "\ndef main (x: i32) = x", "1i32"


@chain
def entries_of_arrays(n):
    return joined("\n", n, lambda k: f"entry f{k} (xs: []i32) = map (+ {k}) xs") + "\ndef main (x: i32) = x", "1i32"


@chain
def modules(n):
    return (joined("\n", n, lambda k: f"module m{k} = {{ def f (x: i32) = x + {k} }}")
            + f"\ndef main (x: i32) = {joined(' + ', n, lambda k: f'm{k}.f x')}", "1i32")


@chain
def parametric_modules(n):
    return ("module p (X: {val c: i32}) = { def f (x: i32) = x + X.c }\n"
            + joined("\n", n, lambda k: f"module m{k} = p {{ def c = {k}i32 }}")
            + f"\ndef main (x: i32) = {joined(' + ', n, lambda k: f'm{k}.f x')}", "1i32")


@chain
def modules_in_a_chain(n):
    return ("module m0 = { def f (x: i32) = x }\n"
            + joined("\n", n, lambda k: f"module m{k + 1} = {{ open m{k} def g{k} (x: i32) = f x }}")
            + f"\ndef main (x: i32) = m{n}.f x", "1i32") if n <= 250 else None


@chain
def module_types_in_a_chain(n):
    return ("module type t0 = { type a0 val x0: a0 }\n"
            + joined("\n", n, lambda k: f"module type t{k + 1} = {{ include t{k} type a{k + 1} val x{k + 1}: a{k} -> a{k + 1} }}")
            + "\ndef main (x: i32) = x", "1i32") if n <= 500 else None


@chain
def modules_nested(n):
    n = min(n, 200)
    return ("".join(f"module m{k} = {{ " for k in range(n)) + "def f (x: i32) = x" + " }" * n
            + f"\ndef main (x: i32) = {joined('.', n, lambda k: f'm{k}')}.f x", "1i32")


@chain
def maps_nested(n):
    n = min(n, 12)
    return f"def main (x: i64) = {''.join(f'map (-i{k} -> '.replace('-', chr(92), 1) for k in range(n))}x{') (iota 2)' * n}", "1i64"


@chain
def loops(n):
    return ("def main (x0: i32) =\n"
            + joined("\n", n, lambda k: f"  let x{k + 1} = loop y = x{k} for i < 3 do y * 3 + i") + f"\n  in x{n}", "1i32")


@chain
def loops_nested(n):
    """2^n walks if a pass repeats each loop's body."""
    n = min(n, 60)
    return ("def main (x: i32) = "
            + joined("", n, lambda k: f"loop a{k} = {f'a{k - 1}' if k else 'x'} for i{k} < 1 do ") + f"a{n - 1} + 1", "1i32")


@chain
def histograms(n):
    return ("def main [n] (is: [n]i64) (xs: [n]i32) =\n"
            + joined("\n", n, lambda k: f"  let h{k} = hist (+) 0 4 is (map (+ {k}) xs)")
            + f"\n  in {joined(' + ', n, lambda k: f'h{k}[0]')}", "[0i64,1i64] [1,2]")


@chain
def transposes(n):
    return ("def main (x0: [][]i32) =\n"
            + joined("\n", n, lambda k: f"  let x{k + 1} = transpose (map (map (+ {k})) x{k})") + f"\n  in x{n}", "[[1,2],[3,4]]")


@chain
def reductions_of_lets(n):
    return ("def main (xs: []i32) =\n  let y0 = 0\n"
            + joined("\n", n, lambda k: f"  let y{k + 1} = reduce (+) y{k} xs") + f"\n  in y{n}", "[1,2]")


@chain
def stencils(n):
    return (f"def main (xs: []f32) = xs {joined(' ', n, lambda k: '|> stencil_1d [-1, 0, 1] (-() v -> v[0] + v[2]) (rep ())'.replace('-()', chr(92) + '()'))}",
            "[1f32,2f32]")


@chain
def filters(n):
    return f"def main (xs: []i32) = xs {joined(' ', n, lambda k: f'|> filter (!= {k})')}", "[1,2]"


@chain
def slices(n):
    return "def main (xs0: []i32) =\n" + joined("\n", n, lambda k: f"  let xs{k + 1} = xs{k}[0:]") + f"\n  in xs{n}", "[1,2]"


@chain
def asserts(n):
    return ("def main (x0: i32) =\n" + joined("\n", n, lambda k: f"  let x{k + 1} = assert (x{k} > {-k}) (x{k} + 1)") + f"\n  in x{n}", "1i32")


@chain
def iotas(n):
    return f"def main (n: i64) = {joined(' + ', n, lambda k: f'i64.sum (iota (n + {k}))')}", "1i64"


@chain
def lambdas(n):
    return ("def main (x: i32) =\n  let f0 = \\(a: i32) -> a\n"
            + joined("\n", n, lambda k: f"  let f{k + 1} = \\(a: i32) -> f{k} (a + x)") + f"\n  in f{n} x", "1i32")


@chain
def sizes_of_squares(n):
    return ("def main (x0: i64) (y: i64) =\n  let x0 = x0 + y\n"
            + joined("\n", n, lambda k: f"  let x{k + 1} = x{k} * x{k}") + f"\n  in map (+ 1) (iota x{n})", "1i64 0i64")


@chain
def sizes_of_functions(n):
    return ("def f0 (a: i64) (b: i64) = iota (a * b + a)\n"
            + joined("\n", n, lambda k: f"def f{k + 1} (a: i64) (b: i64) = f{k} (a * b + b) (a + b * b)")
            + f"\ndef main (x: i64) (y: i64) = length (f{n} x y)", "0i64 0i64")


@chain
def sizes_of_choices(n):
    """A size with 2^n parts if nothing shares them."""
    return ("def main (c: bool) (q: []i64) (m0: i64) = replicate (\n"
            + joined("\n", n, lambda k: f"  let m{k + 1} = if c then m{k} else i64.max m{k} q[0]")
            + f"\n  in m{n}) 1i32 |> map (+ 1)", "true [3i64] 2i64")


@chain
def sizes_of_lengths(n):
    n = min(n, 60)
    return ("def f (n: i64): [i64.max n 2]i32 = replicate (i64.max n 2) 0\n"
            f"def main (m: i64) = {'f (length (' * n}f m{'))' * n}", "2i64")


@chain
def sizes_of_results(n):
    """The size of each result has as many parts as the square of the one before."""
    return ("def f0 [n] (xs: [n]i32): [i64.max n 2]i32 = replicate (i64.max n 2) 0\n"
            + joined("\n", n, lambda k: f"def f{k + 1} [n] (xs: [n]i32) = f{k} (f{k} xs)") + f"\ndef main (xs: []i32) = f{n} xs", "[1,2]")


@chain
def comments(n):
    return "-- a line\n" * n * 10 + "def main (x: i32) = x", "1i32"


def seconds(options, folder, write, n):
    """Processor time, which other programs of the machine do not change."""
    made = write(n)
    if made is None:
        return None, ""
    text, arguments = made
    path = folder / "program.fut"
    path.write_text(text + "\n")
    environment = dict(os.environ, XDG_CACHE_HOME=str(folder / f"cache-{write.__name__}-{n}"), NO_COLOR="1")
    # One tier: work in the background depends on the machine.
    command = [options.halo, "run", f"--backend={options.backend}", f"--tier={options.tier}", str(path)]
    if options.check:
        command = [options.halo, "check", str(path)]
    if options.stage:
        command = [options.halo, "dump", f"--stage={options.stage}", str(path)]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, input=arguments, capture_output=True, text=True, env=environment,
                          preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (options.limit, options.limit + 1)))
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    took = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    if done.returncode < 0:
        return took, f"no end within {options.limit} s" if took >= options.limit else f"signal {-done.returncode}"
    return took, "" if done.returncode == 0 else f"status {done.returncode}: {done.stderr.strip()[:150]}"


def parsed():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("halo")
    parser.add_argument("--backend", default="cpu")
    parser.add_argument("--lengths", default="250,500,1000,2000")
    parser.add_argument("--only", default="")
    parser.add_argument("--limit", type=int, default=30)
    parser.add_argument("--tier", default="1")
    parser.add_argument("--most", type=float, default=math.inf)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--stage", default="")
    return parser.parse_args()


def main():
    options = parsed()
    lengths = [int(n) for n in options.lengths.split(",")]
    bad = 0
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        for write in CHAINS:
            if options.only and not any(name in write.__name__ for name in options.only.split(",")):
                continue
            times, problem = [], ""
            for n in lengths:
                took, problem = seconds(options, folder, write, n)
                if took is None:
                    break
                times.append(max(took, 0.001))
                if problem or took > options.limit / 4:
                    break
            exponent = math.log(times[-1] / times[-2], 2) if len(times) > 1 else 0
            print(f"{write.__name__:24}", " ".join(f"{t:7.2f}" for t in times), f"  {exponent:5.2f} {problem}", flush=True)
            bad += bool(problem) or (exponent > options.most and times[-1] > 2)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
