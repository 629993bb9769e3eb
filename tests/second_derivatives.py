#!/usr/bin/env python3
"""Second derivatives of each kind of node: products with the Hessian by forward mode of reverse mode, reverse of forward,
reverse of reverse, forward of forward, and differences of gradients are one vector.

usage: tests/second_derivatives.py HALO [--backend=interp,cpu] [--every N] [--variant V]
"""

import argparse
import pathlib
import subprocess
import sys
import tempfile

HEADER = """def forward_of_reverse [n] (f: [n]f64 -> f64) (xs: [n]f64) (d: [n]f64) = jvp (\\x -> vjp f x 1) xs d
def reverse_of_forward [n] (f: [n]f64 -> f64) (xs: [n]f64) (d: [n]f64) = vjp (\\x -> jvp f x d) xs 1
def reverse_of_reverse [n] (f: [n]f64 -> f64) (xs: [n]f64) (d: [n]f64) = vjp (\\x -> vjp f x 1) xs d
def unit (n: i64) (i: i64) : [n]f64 = tabulate n (\\j -> f64.bool (i == j))
def forward_of_forward [n] (f: [n]f64 -> f64) (xs: [n]f64) (d: [n]f64) =
  map (\\i -> jvp (\\x -> jvp f x d) xs (unit n i)) (iota n)
def differences [n] (f: [n]f64 -> f64) (xs: [n]f64) (d: [n]f64) =
  let h = 1e-5
  let gradient step = vjp f (map2 (\\x y -> x + step * y) xs d) 1
  in map2 (\\a b -> (a - b) / (2 * h)) (gradient h) (gradient (-h))
def near [n] (t: f64) (a: [n]f64) (b: [n]f64) : bool =
  let limit = t * (1 + f64.maximum (map f64.abs a))
  in all (\\(x, y) -> f64.abs (x - y) <= limit) (zip a b)
def check [n] (f: [n]f64 -> f64) (xs: [n]f64) : [4]bool =
  let d = tabulate n (\\i -> 0.5 + 0.25 * f64.i64 i)
  let h = forward_of_reverse f xs d
  in [ near 1e-9 h (reverse_of_forward f xs d), near 1e-9 h (reverse_of_reverse f xs d)
     , near 1e-9 h (forward_of_forward f xs d), near 1e-4 h (differences f xs d)]
"""
# Of `xs`, n numbers.
FUNCTIONS = {
    "mapped": "f64.sum (map (\\x -> f64.sin x * x) xs)",
    "mapfree": "f64.sum (map (\\x -> x * xs[0] * xs[1]) xs)",
    "redmul": "reduce (*) 1 xs",
    "redmax": "let m = f64.maximum xs in m*m*m",
    "redmin": "(f64.minimum xs) ** 3",
    "redlin":
        "let (a, b) = reduce (\\(a, b) (c, d) -> (a * c, b * c + d)) (1, 0) (map (\\x -> (x, x*x)) "
        "xs) in a * b",
    "redhyp": "reduce (\\a b -> f64.sqrt (a*a + b*b)) 0 xs",
    "redrow": "f64.product (reduce (map2 (*)) [1,1] (map (\\x -> [x, x*x]) xs))",
    "redmix":
        "let r = reduce (\\p q -> [p[0]*q[0], p[1]*q[0]+q[1]]) [1, 0] (map (\\x -> [x, x*x]) xs) "
        "in r[0]*r[1]",
    "scanadd": "f64.sum (map (\\x -> x*x) (scan (+) 0 xs))",
    "scanmul": "f64.sum (scan (*) 1 xs)",
    "scanmax": "f64.sum (map (\\x -> x*x*x) (scan f64.max (-100) xs))",
    "scanlin":
        "f64.sum (map (\\(a,b) -> a*b) (scan (\\(a, b) (c, d) -> (a * c, b * c + d)) (1, 0) (map "
        "(\\x -> (x, x*x)) xs)))",
    "scanrow": "f64.sum (map f64.product (scan (map2 (*)) [1,1] (map (\\x -> [x, x*x]) xs)))",
    "scanmix":
        "f64.sum (map (\\r -> r[0]*r[1]) (scan (\\p q -> [p[0]*q[0], p[1]*q[0]+q[1]]) [1, 0] (map "
        "(\\x -> [x, x*x]) xs)))",
    "scanseg":
        "f64.sum (map (\\(_, x) -> x*x) (scan (\\(f, a) (g, b) -> (f || g, if g then b else a*b)) "
        "(false, 1) (map (\\x -> (x > 1, x)) xs)))",
    "histadd": "f64.product (hist (+) 0 2 (map (% 2) (iota n)) xs)",
    "histmul": "f64.sum (hist (*) 1 2 (map (% 2) (iota n)) xs)",
    "histmax": "f64.product (hist f64.max (-100) 2 (map (% 2) (iota n)) xs)",
    "histhyp": "f64.product (hist (\\a b -> f64.sqrt (a*a + b*b)) 0 2 (map (% 2) (iota n)) xs)",
    "histlin":
        "f64.sum (map (\\(a,b) -> a*b) (reduce_by_index (replicate 2 (1f64, 0f64)) (\\(a, b) (c, "
        "d) -> (a + c, b * 0 + d * 0 + b + d)) (0, 0) (map (% 2) (iota n)) (map (\\x -> (x, x*x)) "
        "xs)))",
    "histrow":
        "f64.sum (map f64.product (reduce_by_index (replicate 2 [1,1]) (map2 (*)) [1,1] (map (% 2) "
        "(iota n)) (map (\\x -> [x, x*x]) xs)))",
    "histdest":
        "f64.sum (map (\\x -> x*x) (reduce_by_index (map (\\x -> x*x) xs) (*) 1 (map (\\i -> "
        "(i*2)%n) (iota n)) (map f64.sin xs)))",
    "scattered":
        "f64.product (scatter (copy xs) (map (\\i -> (i*2)%n) (iota n)) (map (\\x -> x*x) xs))",
    "gather": "f64.sum (map (\\i -> xs[i]*xs[(i*3+1)%n]*xs[n-1-i]) (iota n))",
    "update": "f64.product ((copy xs) with [1] = xs[0] * xs[n-1])",
    "updslice": "f64.product ((copy xs) with [1:3] = map (\\x -> x*x) (xs[0:2] :> [2]f64))",
    "loopin": "f64.sum (loop ys = copy xs for i < n do ys with [i] = ys[(i+1)%n] * ys[i])",
    "loopnum": "loop a = 1 for x in xs do a * x + f64.sin a",
    "loopwhile":
        "(loop (a, i) = (1f64, 0i64) while i < n && a < 50 do (a * (1.5 + xs[i]*xs[i]), i + 1)).0",
    "loopcheck":
        "f64.sum (#[checkpoint(2)] loop ys = xs for i < 5i64 do map (\\y -> f64.sin y * xs[i % n]) "
        "ys)",
    "loopstrip":
        "f64.sum (#[stripmine(2)] loop ys = xs for i < 5i64 do map (\\y -> f64.sin y * xs[i % n]) "
        "ys)",
    "stencil":
        "f64.sum (stencil_1d_with #clamp [-2, 0, 1] (\\c v -> c * v[0] * v[1] + v[2] * v[2]) xs xs)",
    "stencilwrap":
        "f64.sum (stencil_1d_with #wrap [-1, 0, 1] (\\c v -> c * v[0] * v[1] + v[2] * v[2]) xs xs)",
    "stencilmirror":
        "f64.sum (stencil_1d_with #mirror [-3, 0, 2] (\\() v -> v[0] * v[1] * v[2]) (rep ()) xs)",
    "stencilconst":
        "f64.sum (stencil_1d_with (#constant xs[0]) [-1, 0, 2] (\\() v -> v[0] * v[1] * v[2]) (rep "
        "()) xs)",
    "pad": "f64.product (pad_1d 1 2 (#constant xs[1]) xs)",
    "slide": "f64.sum (map f64.product (slide_1d 3 1 xs))",
    "concats": "f64.product (xs ++ map f64.sin xs)",
    "slices": "f64.product (xs[::2]) * f64.product xs[1:] * f64.product xs[::-1]",
    "transposed": "f64.sum (map f64.product (transpose [xs, map (\\x->x*x) xs]))",
    "reshape": "f64.sum (map f64.product (unflatten (xs ++ xs :> [2*n]f64)))",
    "replicates": "f64.product (replicate 3 (xs[0]*xs[1]))",
    "iotas": "let k = xs[0] in f64.sum (map (\\i -> k * k * f64.i64 i * xs[i]) (iota n))",
    "matched":
        "f64.sum (map (\\x -> if x > 1 then x*x*x else if x < 0 then f64.exp x else x * xs[0]) xs)",
    "sumtype":
        "f64.sum (map (\\x -> match (if x > 1 then #a x else #b (x*x) : #a f64 | #b f64) case #a y "
        "-> y*y case #b y -> y*xs[2]) xs)",
    "filtered": "f64.product (filter (> 0.3) xs)",
    "sort": "let s = merge_sort (<=) xs in s[0]*s[0]*s[1]*s[n-1]",
    "matmul":
        "let a = map (\\x -> map (* x) xs) xs in f64.sum (map (\\r -> f64.product (map (\\c -> "
        "f64.sum (map2 (*) r c)) (transpose a))) a)",
    "mapscan": "f64.sum (map (\\x -> f64.sum (scan (*) 1 (map (* x) xs))) xs)",
    "maphist":
        "f64.sum (map (\\x -> f64.product (hist (+) 1 2 (map (% 2) (iota n)) (map (* x) xs))) xs)",
    "maphistmul":
        "f64.sum (map (\\x -> f64.sum (hist (*) 1 2 (map (% 2) (iota n)) (map (* x) xs))) xs)",
    "mapred": "f64.sum (map (\\x -> f64.product (map (\\y -> x * y + 1) xs)) xs)",
    "mapmax": "f64.sum (map (\\x -> (f64.maximum (map (\\y -> x * y) xs)) ** 2) xs)",
    "mapscat": "f64.sum (map (\\x -> f64.product (scatter (copy xs) [1, 2] [x, x*x])) xs)",
    "maploop": "f64.sum (map (\\x -> loop a = x for y in xs do a * f64.sin (y + x)) xs)",
    "maploopin":
        "f64.sum (map (\\x -> f64.sum (loop ys = map (* x) xs for i < n do ys with [i] = "
        "ys[(i+1)%n] * ys[i])) xs)",
    "mapwhile":
        "f64.sum (map (\\x -> (loop (a, i) = (x, 0i64) while i < n && a < 9 do (a * (1.2 + "
        "xs[i]*xs[i]), i + 1)).0) xs)",
    "mapupd": "f64.sum (map (\\x -> f64.product ((copy xs) with [1] = x * x)) xs)",
    "partitions":
        "let (a, b) = partition (> 0.5) xs in f64.product a + f64.product b * f64.product b",
    "divzero": "f64.sum (map (\\x -> if x == 0 then 0 else f64.sin x / x) xs)",
    "pow": "f64.sum (map (\\x -> (x*x + 0.1) ** (x * 0.5)) xs)",
    "elem":
        "f64.sum (map (\\x -> f64.tanh x + f64.atan2 x 2 + f64.log (1+x*x) + f64.erf x + f64.gamma "
        "(1.5 + x*x) + f64.hypot x 1 + f64.cbrt (x+4)) xs)",
    "convolve":
        "f64.sum (map (\\i -> f64.product (map (\\j -> xs[(i + j) % n] + f64.i64 j) (iota 3))) "
        "(iota n))",
}
INPUTS = ["[0.9, 1.7, -0.4, 0.6, 1.2]"]
ZEROS = "[0.0, 2.0, 0.0, -0.7, 0.5]"  # products of all other elements
PRODUCTS = ("redmul", "scanmul", "histmul", "matmul", "redlin", "mapred")


def entry(name, body):
    inputs = INPUTS + [ZEROS] * (name in PRODUCTS)
    cases = "".join(f"-- input {{ {one} }} output {{ [true, true, true, true] }}\n" for one in inputs)
    return (f"-- ==\n-- entry: {name}\n{cases}"
            f"entry {name} [n] (xs: [n]f64) : [4]bool =\n  check (\\(xs: [n]f64) -> {body}) xs\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("halo")
    parser.add_argument("--backend", default="interp,cpu")
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--variant")
    arguments = parser.parse_args()
    chosen = list(FUNCTIONS.items())[::arguments.every]
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "second_derivatives.fut"
        path.write_text(HEADER + "\n".join(entry(*one) for one in chosen))
        command = [arguments.halo, "test", f"--backend={arguments.backend}", str(path)]
        if arguments.variant:
            command.append(f"--variant={arguments.variant}")
        done = subprocess.run(command, capture_output=True, text=True)
        print(done.stdout + done.stderr)
    sys.exit(done.returncode)


if __name__ == "__main__":
    main()
