-- A 5-point stencil, many steps: how close the engine comes to the memory limit. A step reads and
-- writes 8 bytes a cell; the grid is made on the device and one cell of the result is returned.
-- ==
-- entry: main
-- input { 32i64 3i32 } output { 242.0f32 }
-- ==
-- entry: main
-- nobench input { 1i64 1i32 }

def step [n] (xs: [n][n]f32): *[n][n]f32 =
  stencil_2d [(-1, 0), (0, -1), (0, 0), (0, 1), (1, 0)]
    (\() v -> 0.2f32 * (v[0] + v[1] + v[2] + v[3] + v[4]))
    (rep (rep ())) xs

entry main (n: i64) (steps: i32): f32 =
  let start = tabulate_2d n n (\i j -> f32.i64 ((i * 7 + j * 13) % 1024))
  let end = loop xs = start for _i < steps do step xs
  in end[n / 2, n / 3]
