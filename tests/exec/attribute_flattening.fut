-- Flattening attributes choose versions, never results.
-- ==
-- input { [[1, 2, 3], [4, 5, 6]] }
-- output { [9, 18] [3, 4, 5] 15 [9, 18] [[1, 3, 6], [4, 9, 15]] }
def inner [n] (f: i32 -> i32) (xs: [n]i32) = i32.sum (map f xs)

entry main [n] [m] (xss: [n][m]i32) =
  let a = #[sequential_inner] map (\xs -> inner (+ 1) xs) xss
  let b = xss[0] |> #[sequential] map (+ 2)
  let c = #[sequential_outer] inner (+ 3) xss[0]
  let d = #[incremental_flattening(only_intra)] scatter (replicate n 0) (iota n) a
  let e = #[incremental_flattening(only_inner)] map (scan (+) 0) xss
  in (a, b, c, d, e)
