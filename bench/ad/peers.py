#!/usr/bin/env python3
"""The programs of ad.fut in JAX or PyTorch: milliseconds of primal and gradient.

usage: bench/ad/peers.py jax|torch NAME SIZE...

Prints `primal gradient`, or nothing where the library or the program is not there. Data are made
before the time is taken; a run is repeated for about a second, and the best time counts.
"""

import sys
import time

BINS = 1024
MUCH = 1.0  # seconds


def made(np, n):
    i = np.arange(n)
    return ((i * 7919 + 13) % 1021).astype("float32") / 1021 + np.float32(0.5)


def near(np, n):
    return 1 + (made(np, n) - 1) / 1000000


def plane(np, n, m):
    i, j = np.arange(n)[:, None], np.arange(m)[None, :]
    return ((i * 7919 + j * 104729) % 1021).astype("float32") / 1021


def bins(np, n):
    return (np.arange(n) * 7919) % BINS


def best(run):
    times, end = [], time.time() + MUCH
    while len(times) < 3 or (time.time() < end and len(times) < 100):
        start = time.perf_counter()
        run()
        times.append(time.perf_counter() - start)
    return min(times) * 1000


# ---- JAX

def jax_programs(sizes):
    import jax
    import jax.numpy as jnp
    import numpy as np
    from jax import lax

    def linear(xs):
        op = lambda a, b: (a[0] * b[0], a[1] * b[0] + b[1])
        return lax.associative_scan(op, (xs, xs))[1]

    def matrices(xs):
        one = jnp.stack([jnp.stack([xs, 0.000001 * xs], -1), jnp.stack([0 * xs, xs], -1)], -2)
        return lax.associative_scan(lambda a, b: jnp.matmul(a, b, precision="highest"), one)[:, 0, 1]

    def heat(cell, steps):
        def step(a, _):
            p = jnp.pad(a, 1, mode="edge")
            v = (a, p[:-2, 1:-1], p[2:, 1:-1], p[1:-1, :-2], p[1:-1, 2:])
            return cell(v), None
        return lambda a: lax.scan(step, a, None, length=steps)[0]

    def likelihood(points):
        def f(args):
            weights, means, scales = args
            d = (points[:, None, :] - means[None]) * jnp.exp(scales)[None]
            terms = weights + scales.sum(-1) - 0.5 * (d * d).sum(-1)
            return jax.nn.logsumexp(terms, axis=-1).sum()
        return f

    def cost(points):
        def f(centres):
            return ((points[:, None, :] - centres[None]) ** 2).sum(-1).min(-1).sum()
        return f

    def activate(inputs):
        def f(args):
            weights, bias = args
            rows = jnp.tanh(jnp.matmul(inputs, weights, precision="highest") + bias)
            return (rows * rows).sum()
        return f

    hot = lambda v: v[0] + 0.2 * (v[1] + v[2] + v[3] + v[4] - 4 * v[0])
    burgers = lambda v: (v[0] - 0.1 * v[0] * (v[0] - v[1]) - 0.1 * v[0] * (v[0] - v[3])
                         + 0.05 * (v[1] + v[2] + v[3] + v[4] - 4 * v[0]))
    n = sizes[0]
    vector = lambda f: (f, near(np, n), made(np, n))
    number = lambda f: (f, near(np, n), np.float32(1))
    segments = lambda f: (lambda xs: f(xs, bins(np, n), num_segments=BINS), near(np, n), made(np, BINS))
    rows = {
        "reduce_add": lambda: number(jnp.sum), "reduce_mul": lambda: number(jnp.prod),
        "scan_add": lambda: vector(jnp.cumsum), "scan_mul": lambda: vector(jnp.cumprod),
        "scan_linear": lambda: vector(linear), "scan_mat2": lambda: vector(matrices),
        "hist_add": lambda: segments(jax.ops.segment_sum),
        "hist_min": lambda: segments(jax.ops.segment_min),
        "hist_mul": lambda: segments(jax.ops.segment_prod),
        "heat": lambda: (heat(hot, n), plane(np, sizes[1], sizes[1]), plane(np, sizes[1], sizes[1])),
        "burgers": lambda: (heat(burgers, n), plane(np, sizes[1], sizes[1]),
                            plane(np, sizes[1], sizes[1])),
        "kmeans": lambda: (cost(jnp.asarray(plane(np, n, sizes[1]))), plane(np, sizes[2], sizes[1]),
                           None),
        "gmm": lambda: (likelihood(jnp.asarray(plane(np, n, sizes[1]))),
                        (made(np, sizes[2]), plane(np, sizes[2], sizes[1]),
                         plane(np, sizes[2], sizes[1])), np.float32(1)),
        "layer": lambda: (activate(jnp.asarray(plane(np, n, sizes[1]))),
                          (plane(np, sizes[1], sizes[2]), made(np, sizes[2])), np.float32(1)),
    }
    return jax, rows


def with_jax(name, sizes):
    jax, rows = jax_programs(sizes)
    if name not in rows:
        return None
    f, x, seed = rows[name]()
    x = jax.tree.map(jax.numpy.asarray, x)
    if seed is None:  # Newton's direction
        ones = jax.numpy.ones_like(x)
        back = jax.jit(lambda x: jax.jvp(jax.grad(f), (x,), (ones,)))
    else:
        seed = jax.numpy.asarray(seed)
        back = jax.jit(lambda x: jax.vjp(f, x)[1](seed))
    forth = jax.jit(f)
    for run in (forth, back):
        jax.block_until_ready(run(x))
    return [best(lambda run=run: jax.block_until_ready(run(x))) for run in (forth, back)]


# ---- PyTorch, without a compiler

def torch_programs(torch, sizes, device):
    import numpy as np

    def on(array):
        return torch.as_tensor(np.asarray(array)).to(device)

    def steps(cell, count):
        def f(a):
            for _ in range(count):
                p = torch.nn.functional.pad(a[None, None], (1, 1, 1, 1), mode="replicate")[0, 0]
                a = cell((a, p[:-2, 1:-1], p[2:, 1:-1], p[1:-1, :-2], p[1:-1, 2:]))
            return a
        return f

    n = sizes[0]
    by_bin = on(bins(np, n)) if len(sizes) == 1 else None

    def segments(reduce, start):
        return lambda xs: torch.full((BINS,), start, device=device).scatter_reduce(
            0, by_bin, xs, reduce)

    def likelihood(points):
        def f(weights, means, scales):
            d = (points[:, None, :] - means[None]) * torch.exp(scales)[None]
            terms = weights + scales.sum(-1) - 0.5 * (d * d).sum(-1)
            return torch.logsumexp(terms, -1).sum()
        return f

    def activate(inputs):
        return lambda weights, bias: (torch.tanh(inputs @ weights + bias) ** 2).sum()

    hot = lambda v: v[0] + 0.2 * (v[1] + v[2] + v[3] + v[4] - 4 * v[0])
    burgers = lambda v: (v[0] - 0.1 * v[0] * (v[0] - v[1]) - 0.1 * v[0] * (v[0] - v[3])
                         + 0.05 * (v[1] + v[2] + v[3] + v[4] - 4 * v[0]))
    vector = lambda f: (f, [on(near(np, n))], on(made(np, n)))
    number = lambda f: (f, [on(near(np, n))], None)
    field = lambda cell: (steps(cell, n), [on(plane(np, sizes[1], sizes[1]))],
                          on(plane(np, sizes[1], sizes[1])))
    binned = lambda reduce, start: (segments(reduce, start), [on(near(np, n))], on(made(np, BINS)))
    return {
        "reduce_add": lambda: number(torch.sum), "reduce_mul": lambda: number(torch.prod),
        "scan_add": lambda: vector(lambda x: torch.cumsum(x, 0)),
        "scan_mul": lambda: vector(lambda x: torch.cumprod(x, 0)),
        "hist_add": lambda: binned("sum", 0.0), "hist_min": lambda: binned("amin", float("inf")),
        "hist_mul": lambda: binned("prod", 1.0),
        "heat": lambda: field(hot), "burgers": lambda: field(burgers),
        "gmm": lambda: (likelihood(on(plane(np, n, sizes[1]))),
                        [on(made(np, sizes[2])), on(plane(np, sizes[2], sizes[1])),
                         on(plane(np, sizes[2], sizes[1]))], None),
        "layer": lambda: (activate(on(plane(np, n, sizes[1]))),
                          [on(plane(np, sizes[1], sizes[2])), on(made(np, sizes[2]))], None),
    }


def with_torch(name, sizes):
    import torch
    device = "cuda" if torch.cuda.is_available() else "cpu"
    rows = torch_programs(torch, sizes, device)
    if name not in rows:
        return None
    f, args, seed = rows[name]()

    def finish(run):
        run()
        if device == "cuda":
            torch.cuda.synchronize()

    def back():
        leaves = [x.detach().requires_grad_() for x in args]
        torch.autograd.grad(f(*leaves), leaves, seed)

    times = []
    for run in (lambda: f(*args), back):
        finish(run)
        times.append(best(lambda run=run: finish(run)))
    return times


def main():
    library, name, *sizes = sys.argv[1:]
    try:
        times = {"jax": with_jax, "torch": with_torch}[library](name, [int(size) for size in sizes])
    except ImportError:
        return
    if times:
        print(*times)


if __name__ == "__main__":
    main()
