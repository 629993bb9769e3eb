#!/usr/bin/env python3
"""The measurements of this folder as one writes them with numpy.

usage: bench/cpu/peers.py [NAME...]      prints `name milliseconds`, the best of several runs

Everything is an expression over whole arrays, as numpy demands. Measurements whose algorithm has
no such form (breadth-first search, LU, separable filters row by row) are left out.
"""

import sys
import time

import numpy as np

RANDOM = np.random.default_rng(1)
COUNT = 4194304


def floats(*shape):
    return RANDOM.random(shape, dtype=np.float32)


def words(*shape):
    return RANDOM.integers(0, 1 << 32, shape, dtype=np.uint32)


def clamped(xs, r):
    return np.pad(xs, r, mode="edge")


def neighbours(padded, offsets, r):
    """The windows of a padded array at these offsets."""
    return [padded[tuple(slice(r + o, n - r + o) for o, n in zip(offset, padded.shape))]
            for offset in offsets]


def total(arrays):
    result = arrays[0] + arrays[1]
    for array in arrays[2:]:
        result += array
    return result


def star(rank, reach):
    """(0, 0, ..), and `reach` steps along every axis in both directions."""
    offsets = [(0,) * rank]
    for axis in range(rank):
        for step in range(1, reach + 1):
            for sign in (-step, step):
                offsets.append(tuple(sign if a == axis else 0 for a in range(rank)))
    return offsets


def box(reach):
    return [(y, x) for y in range(-reach, reach + 1) for x in range(-reach, reach + 1)]


def iterated(shape, steps, offsets, r, weight):
    xs = floats(*shape)

    def run():
        ys = xs
        for _ in range(steps):
            ys = total(neighbours(clamped(ys, r), offsets, r)) * np.float32(weight)
    return run


def gauss(n, r):
    xs = floats(n, n)
    bell = [np.float32(1 / (1 + i * i) / r) for i in range(-r, r + 1)]
    weights = [bell[y + r] * bell[x + r] for y, x in box(r)]
    return lambda: total([w * v for w, v in zip(weights, neighbours(clamped(xs, r), box(r), r))])


def hotspot():
    start, power = floats(1024, 1024), floats(1024, 1024)

    def run():
        t = start
        for _ in range(50):
            c, n, s, w, e = neighbours(clamped(t, 1), [(0, 0), (-1, 0), (1, 0), (0, -1), (0, 1)], 1)
            t = c + np.float32(0.3) * (power + (e + w - 2 * c) * np.float32(0.1)
                                       + (s + n - 2 * c) * np.float32(0.15)
                                       + (80 - c) * np.float32(0.05))
    return run


def life():
    board = (words(2048, 2048) & 1).astype(np.uint8)
    around = [o for o in box(1) if o != (0, 0)]

    def run():
        b = board
        for _ in range(20):
            padded = clamped(b, 1)
            n = total(neighbours(padded, around, 1))
            b = ((n == 3) | ((b == 1) & (n == 2))).astype(np.uint8)
    return run


def histogram(bins):
    xs = words(COUNT)
    return lambda: np.bincount((xs >> 4) % np.uint32(bins), minlength=bins)


def product(n):
    a, b = floats(n, n), floats(n, n)
    return lambda: a @ b


def nbody():
    n = 2048
    x, y, z, m = floats(n), floats(n), floats(n), floats(n)

    def run():
        dx, dy, dz = (v[None, :] - v[:, None] for v in (x, y, z))
        r2 = dx * dx + dy * dy + dz * dz + np.float32(0.01)
        w = m[None, :] / (r2 * np.sqrt(r2))
        return (w * dx).sum(1), (w * dy).sum(1), (w * dz).sum(1)
    return run


def mandelbrot():
    n, limit = 512, 256

    def run():
        line = np.arange(n, dtype=np.float32) * np.float32(2.5 / n)
        c = (line[None, :] - np.float32(1.9)) + 1j * (line[:, None] - np.float32(1.25))
        c = c.astype(np.complex64)
        z, count = np.zeros_like(c), np.zeros(c.shape, np.int32)
        with np.errstate(all="ignore"):
            for _ in range(limit):
                inside = z.real * z.real + z.imag * z.imag < 4
                z = np.where(inside, z * z + c, z)
                count += inside
    return run


def black_scholes():
    n = 1048576
    inputs = [floats(n) for _ in range(3)]
    f = np.float32

    def normal(x):
        k = 1 / (1 + f(0.2316419) * np.abs(x))
        poly = k * (f(0.31938153) - k * (f(0.356563782) - k * (f(1.781477937)
                    - k * (f(1.821255978) - k * f(1.330274429)))))
        tail = f(0.3989422804014327) * np.exp(f(-0.5) * x * x) * poly
        return np.where(x < 0, tail, 1 - tail)

    def run():
        price, strike, years = (x + f(0.5) for x in inputs)
        spread = f(0.3) * np.sqrt(years)
        d1 = (np.log(price / strike) + f(0.065) * years) / spread
        discounted = strike * np.exp(f(-0.02) * years)
        call = price * normal(d1) - discounted * normal(d1 - spread)
        return call, call + discounted - price
    return run


def with_data(make, run):
    def prepared():
        data = make()
        return lambda: run(*data)
    return prepared


MEASUREMENTS = {
    "hotspot": hotspot,
    "jacobi5": lambda: iterated((4096, 4096), 5, star(2, 1), 1, 0.2),
    "jacobi5_cached": lambda: iterated((512, 512), 100, star(2, 1), 1, 0.2),
    "jacobi9": lambda: iterated((4096, 4096), 5, box(1), 1, 0.11),
    "jacobi3d7": lambda: iterated((256, 256, 256), 3, star(3, 1), 1, 0.14),
    "jacobi3d13": lambda: iterated((256, 256, 256), 3, star(3, 2), 2, 0.07),
    "gauss5": lambda: gauss(2048, 2),
    "gauss17": lambda: gauss(1024, 8),
    "star1": lambda: iterated((4096, 4096), 1, star(2, 1), 1, 0.1),
    "star4": lambda: iterated((4096, 4096), 1, star(2, 4), 4, 0.1),
    "star16": lambda: iterated((4096, 4096), 1, star(2, 16), 16, 0.1),
    "life": life,
    "dot": with_data(lambda: (floats(COUNT), floats(COUNT)), np.dot),
    "sum_f32": with_data(lambda: (floats(COUNT),), np.sum),
    "sum_i32": with_data(lambda: (words(COUNT).view(np.int32),),
                         lambda xs: np.sum(xs, dtype=np.int32)),
    "max_f32": with_data(lambda: (floats(COUNT),), np.max),
    "argmax": with_data(lambda: (floats(COUNT),), np.argmax),
    "column_sums": with_data(lambda: (floats(2048, 2048),), lambda xs: xs.sum(0)),
    "scan_i32": with_data(lambda: (words(COUNT).view(np.int32),),
                          lambda xs: np.cumsum(xs, dtype=np.int32)),
    "scan_f32": with_data(lambda: (floats(COUNT),), np.cumsum),
    "hist16": lambda: histogram(16),
    "hist4096": lambda: histogram(4096),
    "hist1000000": lambda: histogram(1000000),
    "radix_sort": with_data(lambda: (words(1048576),), lambda xs: np.sort(xs, kind="stable")),
    "filter_half": with_data(lambda: (words(COUNT).view(np.int32),), lambda xs: xs[xs % 2 == 0]),
    "matmul64": lambda: product(64),
    "matmul256": lambda: product(256),
    "matmul1024": lambda: product(1024),
    "nbody": nbody,
    "mandelbrot": mandelbrot,
    "black_scholes": black_scholes,
    "saxpy": with_data(lambda: (floats(COUNT), floats(COUNT)),
                       lambda xs, ys: np.float32(2.5) * xs + ys),
    "transpose2048": with_data(lambda: (floats(2048, 2048),),
                               lambda xs: np.ascontiguousarray(xs.T)),
    "fft": with_data(lambda: ((floats(262144) + 1j * floats(262144)).astype(np.complex64),),
                     np.fft.fft),
    "fft_library": with_data(lambda: ((floats(262144) + 1j * floats(262144)).astype(np.complex64),),
                             np.fft.fft),
}


def best_milliseconds(run):
    best, spent, runs = float("inf"), 0.0, 0
    run()
    while runs < 3 or (spent < 0.15 and runs < 1000):
        begin = time.perf_counter()
        run()
        time_taken = time.perf_counter() - begin
        best, spent, runs = min(best, time_taken), spent + time_taken, runs + 1
    return best * 1000


def main():
    for name in sys.argv[1:] or MEASUREMENTS:
        if name in MEASUREMENTS:
            print(f"{name} {best_milliseconds(MEASUREMENTS[name]()):.5f}", flush=True)


main()
