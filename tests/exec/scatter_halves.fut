-- Places and values that are put together of parts of one length: every engine writes all of them.
-- ==
-- entry: shuffled dropped planes thirds fifths uneven
-- input { 0i64 }
-- input { 1i64 }
-- input { 13i64 }
-- input { 300i64 }
-- input { 5000i64 }
-- ==
-- entry: stages
-- input { 0i64 16i64 }
-- input { 3i64 1i64 }
-- input { 2i64 40i64 }
-- input { 70i64 33i64 }
-- input { 5i64 600i64 }

entry shuffled (n: i64) : []i64 =
  let (is, js, vs, ws) = unzip4 (map (\i -> (2 * i, 2 * i + 1, i * i, -i)) (iota n))
  in scatter (replicate (2 * n) 7) (is ++ js) (vs ++ ws)

entry dropped (n: i64) : []i32 =
  let (is, js) = unzip (map (\i -> (3 * i - 9, n - 5 * i)) (iota n))
  let vs = map i32.i64 is
  in scatter (replicate n 1) (is ++ js) (vs ++ map (const 1) vs)

entry planes (n: i64) : ([]f32, []i8) =
  let (is, js, v, w) =
    unzip4 (map (\i -> (n - 1 - i, n + i, (f32.i64 i, i8.i64 i), (f32.i64 i / 2, 1))) (iota n))
  in unzip (scatter (replicate (2 * n) (0, 0)) (is ++ js) (v ++ w))

entry thirds (n: i64) : [][]i64 =
  let part (k: i64) = map (\i -> ((i, k), 10 * i + k)) (iota n)
  let (places, values) = unzip (part 0 ++ part 1 ++ part 2)
  in scatter_2d (replicate n (replicate 3 0)) places values

-- Parts of parts, and more of them than are written apart.
entry fifths (n: i64) : []i32 =
  let cell i = ((5 * i, 5 * i + 1, 5 * i + 2), (5 * i + 3, 5 * i + 4), i32.i64 i)
  let (a, b, v) = unzip3 (map cell (iota n))
  let (is, js, ks) = unzip3 a
  let (ls, ms) = unzip b
  let ws = map (* 2) v
  in scatter (replicate (5 * n) (-1)) (is ++ (js ++ ks) ++ (ls ++ ms)) (v ++ (ws ++ v) ++ (ws ++ ws))

-- One part is longer than the others.
entry uneven (n: i64) : []i32 =
  let (is, js) = unzip (map (\i -> (3 * i, 3 * i + 1)) (iota n))
  let ks = map (\i -> 3 * i + 2) (iota (n + 1))
  let (vs, ws) = (map i32.i64 is, map i32.i64 ks)
  in scatter (replicate (3 * n + 3) 0) (is ++ js ++ ks) (vs ++ map (+ 1) vs ++ ws)

-- Rows whose loop exchanges halves, as a Fourier transform does.
entry stages (n: i64) (h: i64) : [][]i32 =
  let stage [m] (k: i64) (xs: [m]i32) (i: i64): (i64, i32, i64, i32) =
    let w = 1 << k
    let (a, b) = (xs[i], xs[i + m / 2] * i32.i64 (1 + i % w))
    in (2 * i, a + b, 2 * i + 1, a - b)
  in map (\r ->
            (loop (xs, ys) = (map (\i -> i32.i64 (r * 31 + i)) (iota (2 * h)), replicate (2 * h) 5)
             for k < 4 do
               let (is, vs, js, ws) = unzip4 (map (stage k xs) (iota h))
               in (scatter ys (is ++ js) (vs ++ ws), xs)).0)
         (iota n)
