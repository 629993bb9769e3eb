"""The programs of planes.fut and space.fut in JAX: `NAME SIZE.. MILLISECONDS` of one step, the best of
some runs. Called by bench/stencil/run."""
import os
import sys
import time

os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")
import jax
import jax.numpy as jnp


def star(rank, reach):
    own = [tuple([0] * rank)]
    for axis in range(rank):
        for by in range(-reach, reach + 1):
            if by:
                own.append(tuple(by if k == axis else 0 for k in range(rank)))
    return sorted(own)


def box(rank, reach):
    offsets = [()]
    for _ in range(rank):
        offsets = [o + (by,) for o in offsets for by in range(-reach, reach + 1)]
    return offsets


def step_of(offsets):
    reach = max(max(map(abs, o)) for o in offsets)

    def step(xs):
        padded = jnp.pad(xs, reach, mode="edge")
        total = 0
        for offset in offsets:
            part = tuple(slice(reach + by, reach + by + n) for by, n in zip(offset, xs.shape))
            total = total + padded[part]
        return total * (1 / len(offsets))

    return jax.jit(step)


def measure(name, size, offsets):
    step = step_of(offsets)
    xs = jnp.zeros(size, jnp.float32)
    step(xs).block_until_ready()
    best = 1e30
    for _ in range(3):
        begin = time.perf_counter()
        ys = xs
        for _ in range(8):
            ys = step(ys)
        ys.block_until_ready()
        best = min(best, (time.perf_counter() - begin) / 8)
    print(name, *size, f"{best * 1000:.5f}", flush=True)


def main():
    if sys.argv[1] == "planes":
        big = (16384, 16384)
        for reach in (1, 2, 4, 8, 16):
            measure(f"star{reach}", big, star(2, reach))
        measure("star1", (4096, 4096), star(2, 1))
        measure("jacobi5", (8191, 8191), star(2, 1))
        measure("jacobi9", (8191, 8191), star(2, 2))
        measure("gaussian", big, box(2, 2))
        measure("box3", big, box(2, 1))
        measure("box9", big, box(2, 4))
        measure("conv17", (4096, 4096), box(2, 8))
    else:
        cube = (512, 512, 512)
        for reach in (1, 2, 4, 8):
            measure(f"star{reach}", cube, star(3, reach))
        measure("jacobi7", (511, 511, 511), star(3, 1))
        measure("jacobi13", (511, 511, 511), star(3, 2))
        measure("box3", cube, box(3, 1))
        measure("poisson", cube, [o for o in box(3, 1) if sum(map(abs, o)) < 3])


main()
