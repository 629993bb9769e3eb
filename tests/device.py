#!/usr/bin/env python3
"""The work of calls on a device, counted: launches, transfers and waits, never time.

usage: device.py HALO

Each case runs a program under --profile; the counts of its last line must be within the bounds given.
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

HALO = str(pathlib.Path(sys.argv[1]).resolve())

PROGRAM = """
-- One wait: the result is a picture that stays on the device until it is printed.
entry chain [n] (xs: [n]f32): f32 =
  let mean = f32.sum xs / f32.i64 n
  let var = f32.sum (map (\\x -> (x - mean) * (x - mean)) xs)
  in f32.sum (map (\\x -> (x - mean) / (var + 1)) xs)

-- Several scalars, fetched at once.
entry scalars [n] (xs: [n]f32): (f32, f32, i64) =
  (f32.sum xs, f32.maximum xs, i64.sum (map i64.f32 xs))

-- Sizes that the host must know, from two kernels: it waits for both at once, and for the end.
entry sizes [n] (xs: [n]i64): ([]i64, i64) =
  let k = i64.maximum xs
  let m = i64.sum (map (\\x -> x * x) (opaque xs))
  in (iota (k + m), i64.minimum xs)

-- Elements that only a short array wants: its kernel takes them from the array.
entry shifted (xs: [4]f32): [5]f32 =
  let ys = map f32.sqrt (scatter (replicate 4 0) (iota 4) xs)
  let zs = if xs[0] > 0 then ys else reverse ys
  in [1, zs[0], zs[1], zs[2], zs[3]]

-- The array is overwritten in between: the elements are those of before.
entry before (xs: *[4]f32): ([3]f32, [4]f32) =
  let a = xs[0]
  let b = xs[1]
  let ys = scatter xs [0, 1] [7, 8]
  in ([a, b, ys[0]], ys)

-- The place of a minimum, which the host never sees, is overwritten in each round.
entry rounds (n: i64): [n]f32 =
  loop xs = map f32.i64 (iota n) for _i < 8i32 do
    let least (d, i) (e, j) = if e < d || (e == d && j < i) then (e, j) else (d, i)
    let (_, i) = reduce_comm least (f32.inf, i64.highest) (zip xs (iota n))
    in xs with [i] = f32.inf

-- The loop ends by an element of its array.
entry doubled [n] (xs: [n]f32): ([n]f32, i32) =
  loop (ys, k) = (xs, 0) while ys[0] < 1e12 do (map (* 2) ys, k + 1)

-- Steps of a radix sort: both parts of a partition are one array, and the host asks for no size.
entry parted (n: i64): [n]u32 =
  loop xs = map (\\i -> u32.i64 i * 2654435761) (iota n) for b < 8u32 do
    let (zeros, ones) = partition (\\x -> (x >> b) & 1 == 0) xs
    in (zeros ++ ones) :> [n]u32

-- Only kernels ask for the sizes of both parts.
entry two_parts (n: i64): (i64, i64) =
  let (a, b) = partition (\\i -> i % 3 == 0) (iota n)
  in (i64.sum (map (* 2) a), i64.maximum (map (+ 1) b))

-- A branch by scalars of two launches, with a loop: the host waits for both at once.
entry gains [n] [m] (xs: [n]f32) (ys: [m]f32): [n]f32 =
  let a = 1 + f32.sum xs
  let b = f32.maximum (map (* 2) ys) - 2
  in if a < b then loop xs for _i < n do map (+ xs[0]) xs else xs

-- Each step takes the largest element away.
entry largest (n: i64): []i64 =
  loop xs = map (* 3) (iota n) while length xs > 0 do
    let most = i64.maximum xs
    in filter (< most) xs

-- Each step takes the element in the middle away.
entry middle (n: i64): (i64, []i64) =
  loop (s, xs) = (0, map (* 3) (iota n)) while length xs > 0 do
    let p = xs[length xs / 2]
    in (s * 3 + p, filter (!= p) xs)

-- Steps of 40 launches, until none changes anything: 5 of them.
entry settling (n: i64): (i64, [n]i64) =
  let (steps, xs, _) =
    loop (steps, xs, go) = (0, iota n, true) while go do
      let ys = loop ys = xs for _i < 40i64 do map (\\y -> ys[y / 2]) ys
      let moved = i64.sum (map (\\y -> y % 7) ys)
      in (steps + 1, ys, moved >= 0 && steps < 4)
  in (steps, xs)

-- The condition is a sum: 40 iterations.
entry halve [n] (xs: [n]f32): [n]f32 =
  loop xs while f32.sum xs > 1e-9 do map (/ 2) xs

-- Two carried scalars that only kernels look at.
entry carried [n] (xs: [n]f32): [n]f32 =
  (loop (xs, a, b) = (xs, 1f32, 2i64) for _i < 50i32 do
     let ys = map (\\x -> x * 0.5 + a + f32.i64 b) xs
     in (ys, f32.maximum ys / 8, i64.sum (map i64.f32 ys) % 7)).0

-- Scalar code behind a maximum, short if shared operands count once, and long, in every step.
entry chains [n] (xs: [n]f32): [n]f32 =
  loop xs for _i < 20i32 do
    let m = f32.maximum xs
    let a = m * (1 + m)
    let b = a * (1 + a)
    let c = b * (1 + b)
    in map (\\x -> (x + c - b) / (1 + c) + f32.exp (f32.exp m)) xs

-- Powers of a scalar that two loops carry and the host knows: branches of the host alone, though
-- another version of the inner loop would bring the scalar from the device.
entry powers (n: i64): [n]f32 =
  (loop (xs, t) = (map f32.i64 (iota n), 0f32) for _e < 3i32 do
     loop (xs, t) for _i < 4i32 do
       let c = 1 - 0.9 ** (t + 1)
       let s = f32.sum xs
       in (map (\\x -> x * c + s) xs, t + 1)).0

entry pivots (n: i64): [n][n]i64 =
  loop a = tabulate_2d n n (\\i j -> (i * 7 + j * 3 + i * j) % 11) for k < n do
    let p = (k + i64.sum a[k]) % n
    in if p == k then a else map (\\i -> a[if i == k then p else if i == p then k else i]) (iota n)

-- Distances along a chain of edges, by those that leave a node which has just been reached.
entry frontier (n: i64): [n]i32 =
  let found = replicate n (-1i32) with [0] = 0
  let (found, _, _) =
    loop (found, fresh, d) = (found, map (== 0) (iota n), 1i32) while or fresh do
      let used = filter (\\e -> fresh[e]) (iota (n - 1))
      let next = reduce_by_index (copy found) i32.max (-1) (map (+ 1) used) (map (const d) used)
      in (next, map2 (!=) found next, d + 1)
  in found

-- Ends when a kernel says so, though it checks things: 40 iterations.
entry checked [n] (k: i64) (xs: [n]f32): [n]f32 =
  loop xs while f32.sum xs > 1e-9 do assert (k > 0) (map (/ 2) xs)

-- Cannot: a size depends on a kernel's result.
entry sized (xs: []f32): []f32 =
  loop xs while f32.sum xs > 1 do filter (> 0) (map (\\x -> x - 1) xs)

-- A stencil without rows at an edge: its kernel, made to run beside theirs, waits for the map.
entry lines (n: i64): [n][64]f32 =
  stencil_2d [(0, -1), (0, 1)] (\\() v -> v[0] - v[1]) (rep (rep ()))
             (tabulate_2d n 64 (\\i j -> f32.i64 (i * j)))

-- The place of an element is known to the device alone.
entry middles (n: i64): i64 =
  loop s = 0 for _i < 20i32 do
    let ys = filter (\\i -> i % 3 != s % 2) (iota n)
    in s + ys[length ys / 2]

-- A step of an elimination reads its pivot where it lies, and stores two slices where they lie.
entry elimination [n] (a: [n][n]f64): [n][n]f64 =
  loop a = copy a for k < n - 1 do
    let a = a with [k+1:, k] = map (/ a[k, k]) a[k+1:, k]
    in a with [k+1:, k+1:] = map2 (\\f row -> map2 (\\x y -> x - f * y) row a[k, k+1:])
                                  a[k+1:, k] a[k+1:, k+1:]

-- Elements change one after another, each by the one before, some by a condition.
-- The last sums, if there are any: a kernel has them, and the branch is a select.
entry lasts [n] (xs: [n]i32): [n]i64 =
  loop is = map i64.i32 xs for i < 8i32 do
    let places = scan (\\(a, b, c) (d, e, f) -> (a + d, b + e, c + f)) (0, 0, 0)
                      (map (\\x -> (x & 1, (x >> i64.i32 i) & 1, x & 2)) is)
    let (odd, set, _) = if n == 0 then (0, 0, 0) else last places
    in scatter (copy is) (map2 (\\(a, b, c) x -> (a + b + c + odd + set + x) % n) places is) is

entry elements (xs: *[4]i32) (ys: [4]i32): ([4]i32, i32) =
  let xs = xs with [0] = xs[1] + ys[2]
  let xs = xs with [1] = xs[0] * 3
  let s = xs[1] ^ xs[2]
  let xs = if xs[1] > 3 then xs with [2] = xs[1] - 1 else xs
  let xs = xs with [3] = if xs[2] > 4 then ys[3] / (1 + xs[2] ** 2) else xs[0] % (3 + xs[3] ** 2)
  let xs = if xs[3] > 3 then xs with [2] = xs[3] - 1 else xs
  let xs = xs with [i64.i32 (xs[2] & 3)] = s
  in (xs, xs[1])
"""


class Failed(Exception):
    pass


def counts(words, text=None):
    """The counts of a profile's last line, by name."""
    with tempfile.TemporaryDirectory() as folder:
        command = [HALO] + words + ["--profile=" + folder + "/trace.json"]
        done = subprocess.run(command, input=(text or "").encode(), capture_output=True, timeout=120,
                              env=dict(os.environ, NO_COLOR="1"))
    error = done.stderr.decode()
    line = [line for line in error.splitlines() if re.search(r" calls?, each ", line)]
    if not line:
        raise Failed(f"no profile of {words}: {error}")
    found = {name: float(number) for number, name in
             re.findall(r"([0-9.e+]+) (launches|copies|barriers|submits|waits|downloads|bytes up|bytes down)", line[-1])}
    found["calls"] = float(line[-1].split()[0])
    return found, done.stdout.decode()


def entry(path, name, *arguments):
    return counts(["run", "--backend=gpu", "--entry=" + name, path, *arguments])[0]


def expect(found, **bounds):
    for name, (least, most) in bounds.items():
        value = found[name.replace("_", " ")]
        if not least <= value <= most:
            raise Failed(f"{value} {name}, not {least} to {most}: {found}")


def case_scalars_stay(path):
    expect(entry(path, "chain", "[1, 2, 3]"), waits=(1, 1), submits=(1, 1), copies=(0, 0))


def case_scalar_results_come_at_once(path):
    expect(entry(path, "scalars", "[1, 2, 3]"), waits=(1, 1), submits=(1, 1), downloads=(0, 0))


def case_scalars_are_read_together(path):
    # The array is fetched once it is printed.
    expect(entry(path, "sizes", "[1, 2, 3]"), waits=(2, 2), downloads=(0, 1))


def case_elements_of_literals_stay(path):
    # One for the end: cells choose the arm.
    expect(entry(path, "shifted", "[1, 4, 9, 16]"), waits=(1, 1))


def case_elements_before_an_update(path):
    _, out = counts(["run", "--backend=gpu", "--entry=before", path, "[1, 2, 3, 4]"])
    if out.split() != ["[1.0f32,", "2.0f32,", "7.0f32]", "[7.0f32,", "8.0f32,", "3.0f32,", "4.0f32]"]:
        raise Failed(out)


def case_found_places_stay(path):
    expect(entry(path, "rounds", "70000"), waits=(1, 2))


def case_last_sums_stay(path):
    expect(entry(path, "lasts", "[1, 2, 3]"), copies=(0, 1), waits=(1, 1))


def case_branches_of_branches_copy_nothing(_):
    program = str(pathlib.Path(__file__).parent / "exec" / "mixed_branches.fut")
    expect(entry(program, "chain", "3", "[1, 2, 3]"), copies=(0, 0))
    expect(entry(program, "changing", "4", "[1, 2, 3]"), copies=(0, 1))


def case_slices_are_stored_where_they_lie(path):
    matrix = "[" + ", ".join(str([1.0 + (i * j) % 7 + 9 * (i == j) for j in range(40)]) for i in range(40)) + "]"
    found, _ = counts(["run", "--backend=gpu", "--variant=distribute", "--entry=elimination", path, matrix])
    expect(found, launches=(78, 79), copies=(0, 0), waits=(1, 1))


def case_rows_of_a_history_are_stored_where_they_lie(_):
    # Versions of a nest make the rows of Viterbi's algorithm, a reduction those of the sums. Columns
    # of 300 states are no chunks, which a second launch would combine.
    program = str(pathlib.Path(__file__).parent / "exec" / "updates_in_arms.fut")
    expect(entry(program, "viterbi", "40", "300"), launches=(43, 47), copies=(0, 1), waits=(1, 3))
    expect(entry(program, "reads_rows", "40", "300"), launches=(40, 43), copies=(0, 1), waits=(1, 1))


def case_scalar_code_waits_with_its_scalars(path):
    expect(entry(path, "gains", "[1, 2, 3]", "[1, 2]"), launches=(2, 2), waits=(1, 1))


def case_iterations_in_chunks(path):
    # 1 + 2 + 4 + 8 + 16 + 32 iterations are started, 40 of them run.
    found, _ = counts(["run", "--backend=gpu", "--variant=plain", "--entry=halve", path, "[1, 2, 3]"])
    expect(found, waits=(6, 8))


def case_elements_as_conditions_stay(path):
    # 40 steps: the host waited in each.
    found, _ = counts(["run", "--backend=gpu", "--variant=plain", "--entry=doubled", path, "[1, 2, 3]"])
    expect(found, waits=(6, 8))


def case_partitions_are_one_array(path):
    # Each step counts, then moves.
    expect(entry(path, "parted", "200000"), launches=(17, 17), copies=(0, 0), waits=(1, 1))


def case_sizes_of_both_parts_stay(path):
    expect(entry(path, "two_parts", "100000"), waits=(1, 1))


def case_iterations_of_one_workgroup(path):
    # The condition of the loop, and that of the host's loop around the launch.
    expect(entry(path, "halve", "[1, 2, 3]"), launches=(1, 5), waits=(1, 2))


def case_carried_scalars_stay(path):
    expect(entry(path, "carried", "[1, 2, 3]"), waits=(1, 1))


def case_chains_stay(path):
    expect(entry(path, "chains", "[1, 2, 3]"), waits=(1, 1))


def case_scalars_of_the_host_make_no_kernels(path):
    # One for a sum and one for a map in each step, and the first array.
    expect(entry(path, "powers", "200000"), launches=(25, 25), copies=(0, 0), waits=(1, 1))


def case_branches_by_scalars_of_the_device_stay(path):
    # The pivot's row changes places where it is another one: 20 steps, no wait in them.
    found, _ = counts(["run", "--backend=gpu", "--variant=distribute", "--entry=pivots", path, "20"])
    expect(found, waits=(1, 1))


def case_shrinking_loops_in_chunks(path):
    # 40 steps, of which each takes the largest element away: the host waited in each.
    found, _ = counts(["run", "--backend=gpu", "--variant=distribute", "--entry=largest", path, "40"])
    expect(found, waits=(6, 13))


def case_places_in_shrinking_loops_stay(path):
    found, _ = counts(["run", "--backend=gpu", "--variant=distribute", "--entry=middle", path, "40"])
    expect(found, waits=(6, 13))


def case_long_iterations_in_short_chunks(path):
    # 5 steps of more than 40 launches, in chunks of 1, 2 and 2.
    found, _ = counts(["run", "--backend=gpu", "--variant=distribute", "--entry=settling", path, "70000"])
    expect(found, launches=(200, 270), waits=(3, 5))


def case_guarded_scatters_stay(_):
    # 30 numbers, of which 10 cross others off.
    program = str(pathlib.Path(__file__).parent / "exec" / "guarded_updates.fut")
    expect(entry(program, "sieve", "1000"), waits=(1, 2))


def case_frontiers_in_chunks(path):
    # 60 rounds of 11 launches, in chunks of 1, 2, 4 and so on.
    found, _ = counts(["run", "--backend=gpu", "--variant=distribute", "--entry=frontier", path, "60"])
    expect(found, waits=(6, 10))


def case_checks_in_chunks(path):
    found, _ = counts(["run", "--backend=gpu", "--variant=plain", "--entry=checked", path, "1", "[1, 2, 3]"])
    expect(found, waits=(6, 8))


def case_why_a_loop_waits(path):
    done = subprocess.run([HALO, "run", "--backend=gpu", "--explain", "--entry=sized", path, "[1, 2]"],
                          capture_output=True, timeout=120)
    if b"a while loop waits in each iteration: the size of `xs` changes" not in done.stderr:
        raise Failed(f"no reason given: {done.stderr.decode()}")


def case_kernels_wait_where_those_beside_them_are_missing(path):
    found, _ = counts(["run", "--backend=gpu", "--variant=rows", "--entry=lines", path, "8"])
    expect(found, launches=(2, 2), barriers=(3, 3))


def case_places_stay(path):
    expect(entry(path, "middles", "1000"), waits=(1, 1))


def case_elements_change_in_one_kernel(path):
    # The argument is copied first.
    expect(entry(path, "elements", "[1, 2, 3, 4]", "[9, 8, 7, 6]"), launches=(2, 2), waits=(1, 1))


def case_arrays_stay_between_lines(path):
    lines = "let xs = map f32.i64 (iota 100000);\nlet ys = map (+ 1) xs;\nlet zs = map2 (*) xs ys;\n"
    found, _ = counts(["repl", "--backend=gpu"], lines + "zs[1]\n")
    # Only the shown parts of the arrays come back, and nothing goes up.
    expect(found, bytes_up=(0, 0), calls=(3, 4), bytes_down=(0, 1000))


def case_huge_arrays_without_sparse_memory(path):
    with tempfile.TemporaryDirectory() as folder:
        limits = pathlib.Path(folder, "device.limits")
        limits.write_text("max_allocation 1048576\nsparse no\n")
        program = pathlib.Path(folder, "large.fut")
        program.write_text("def main (n: i64): [n]i64 = map (+ 1) (iota n)\n")
        done = subprocess.run([HALO, "run", "--backend=gpu", f"--device-limits={limits}",
                               str(program), "1000000"], capture_output=True, timeout=120)
    if done.returncode != 1 or b"H7009" not in done.stderr + done.stdout:
        raise Failed(f"status {done.returncode}: {done.stderr.decode()}")


def main():
    failed = 0
    cases = [(name, case) for name, case in globals().items() if name.startswith("case_")]
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "device.fut")
        path.write_text(PROGRAM)
        if b"[H6001]" in subprocess.run([HALO, "run", "--backend=gpu", "--entry=chain", str(path),
                                         "[1]"], capture_output=True, check=False).stderr:
            print("skipped: no Vulkan device")
            return 77
        for name, case in cases:
            try:
                case(str(path))
            except Failed as why:
                failed += 1
                print(f"FAIL {name}: {why}")
    print(f"{len(cases) - failed} passed, {failed} failed")
    return 1 if failed else 0


sys.exit(main())
