-- Rays that march to the nearest of three balls: a branch of a step makes a short row of cotangents.
-- The derivative along a direction is compared with differences.
-- ==
-- entry: shading
-- input { 1i64 } output { true }
-- input { 5i64 } output { true }
def sum_of (n: i64) (ps: [3][4]f64) : f64 =
  let far (x, y, z) b = f64.sqrt ((x - b[0]) ** 2 + (y - b[1]) ** 2 + (z - 2 - b[2]) ** 2 + 1e-9) - 0.2 * b[3]
  let nearest at = f64.minimum (map (far at) ps)
  let pixel i j =
    let (u, v) = (f64.i64 i / f64.i64 n, f64.i64 j / f64.i64 n)
    in f64.exp (-(loop t = 0 for _k < 12 do t + 0.5 * nearest (t * u, t * v, t)))
  in f64.sum (flatten (tabulate_2d n n pixel))

entry shading (n: i64) : bool =
  let balls = tabulate_2d 3 4 (\i j -> f64.i64 ((i * 7 + j * 5) % 11) / 11 + 0.1)
  let direction = tabulate_2d 3 4 (\i j -> f64.i64 ((i * 3 + j) % 5) / 5 - 0.4)
  let at h = sum_of n (map2 (map2 (\b d -> b + h * d)) balls direction)
  let differences = (8 * (at 1e-4 - at (-1e-4)) - (at 2e-4 - at (-2e-4))) / 12e-4
  let along = f64.sum (flatten (map2 (map2 (*)) (vjp (sum_of n) balls 1) direction))
  in f64.abs (along - differences) <= 1e-7 * (1 + f64.abs along)
