-- Loops of stencils inside of maps and branches, and results that are rows.
-- tolerance: exact
-- ==
-- input { 3i64 5i64 6i64 9i64 }
entry main (k: i64) (n: i64) (m: i64) (steps: i64) =
  let f (c: i64) =
    loop xs = tabulate_2d n m (\i j -> f32.i64 (i * j + c))
    for _i < steps do
      stencil_2d [(0, -1), (0, 1), (1, 0)] (\() v -> 0.3f32 * (v[0] + v[1] + v[2])) (rep (rep ())) xs
  let a = map f (iota k)
  let b = if steps > 3 then f 7 else f 8
  let rows = loop acc = replicate k b for i < k do acc with [i] = f i
  let c =
    loop (s, ys) = (0f32, b)
    for i < 4 do
      let zs = loop q = ys for _j < i do stencil_2d [(0, 0), (1, 1)] (\() v -> v[0] - 0.5f32 * v[1]) (rep (rep ())) q
      in (s + zs[0, 0], zs)
  in (a, b, rows, c.0, c.1)
