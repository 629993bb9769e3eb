-- The entries that `bench/python/run` calls from Python, beside numpy.

-- | A step of five points with clamped edges.
entry stencil [n] [m] (xs: [n][m]f32) : [n][m]f32 =
  stencil_2d [(-1, 0), (0, -1), (0, 0), (0, 1), (1, 0)]
             (\() v -> 0.2 * (v[0] + v[1] + v[2] + v[3] + v[4]))
             (rep (rep ()))
             xs

entry sum [n] (xs: [n]f32) : f32 = f32.sum xs

-- | Steps until `z := z * z + c` leaves the circle of radius 2, at most `limit`.
entry mandelbrot (n: i64) (limit: i32) : [n][n]i32 =
  let cell = 2.5f32 / f32.i64 n
  in tabulate_2d n n (\i j ->
                        let cx = f32.i64 j * cell - 1.9f32
                        let cy = f32.i64 i * cell - 1.25f32
                        let (_, _, k) =
                          loop (x, y, k) = (0f32, 0f32, 0i32)
                          while k < limit && x * x + y * y < 4f32 do
                            (x * x - y * y + cx, 2f32 * x * y + cy, k + 1)
                        in k)

-- | What a call costs beside its work.
entry increment (x: i64) : i64 = x + 1

entry count [n] (xs: [n]f32) : i64 = n

-- | Inputs of a server, which reads no numpy.
entry floats (n: i64) : [n]f32 = tabulate n (\i -> f32.u32 (u32.i64 i * 2654435761 >> 8) / 16777216)

entry plane (n: i64) (m: i64) : [n][m]f32 = unflatten (floats (n * m))
