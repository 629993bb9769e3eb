-- Arrays that cells read with neighbours, all inside: convolutions without a border, differences, also of rows, of
-- known lengths, and of spaces that are longer than the array.
-- tolerance: exact
-- ==
-- entry: convolution
-- input { [[1f64, 2f64, 3f64, 4f64], [5f64, 6f64, 7f64, 8f64], [9f64, 8f64, 7f64, 6f64]] [[1f64, 2f64], [3f64, -1f64]] [[1f64, 2f64, 3f64], [4f64, 5f64, 6f64]] }
-- output { [[1f64, 4f64, 7f64, 6f64], [7f64, 18f64, 23f64, 9f64], [12f64, 11f64, 13f64, -6f64]] [[106f64, 127f64], [156f64, 147f64]] true }
-- ==
-- entry: differences
-- input { [1f64, 4f64, 9f64, 16f64] } output { [-6f64, -4f64, -4f64, 14f64] true }
-- input { [1f64, 4f64] } output { [-6f64, 6f64] true }
-- input { [3f64] } output { [0f64] true }
-- ==
-- entry: rows
-- input { [[1f64, 2f64], [3f64, 5f64], [4f64, 9f64]] } output { [[-4f64, -6f64], [2f64, -2f64], [2f64, 8f64]] true }
-- input { empty([0][2]f64) } output { empty([0][2]f64) true }
-- ==
-- entry: known
-- input { [1f64, 2f64, 3f64, 4f64, 5f64, 6f64] } output { [1f64, 1f64, 1f64, 1f64, 2f64, 0f64] true }
-- ==
-- entry: longer
-- input { [1f64, 2f64, 3f64] } output { [2f64, 4f64, 6f64] true }

def agrees 'b [n] (f: [n]f64 -> b) (dot: b -> b -> f64) (x: [n]f64) (w: b) =
  let u = map (\i -> f64.i64 (i % 3) - 1) (iota n)
  in dot (jvp f x u) w == f64.sum (map2 (*) u (vjp f x w))

def inner [n] (a: [n]f64) (b: [n]f64) = f64.sum (map2 (*) a b)

entry convolution [h] [w] (im: [h][w]f64) (k: [2][2]f64) (seed: [][]f64) =
  let f (im: [h][w]f64, k: [2][2]f64) =
    tabulate_2d (h - 1) (w - 1) (\i j -> f64.sum (map (\a -> f64.sum (map (\b -> im[i + a, j + b] * k[a, b]) (iota 2))) (iota 2)))
  let seed = seed :> [h - 1][w - 1]f64
  let (im_bar, k_bar) = vjp f (im, k) seed
  let right = inner (flatten (jvp f (im, k) (im, k))) (flatten seed)
  in (im_bar, k_bar, right == inner (flatten im) (flatten im_bar) + inner (flatten k) (flatten k_bar))

entry differences [n] (xs: [n]f64) =
  let f (xs: [n]f64) = f64.sum (map (\i -> (xs[i + 1] - xs[i]) ** 2) (iota (n - 1)))
  in (vjp f xs 1, agrees f (*) xs 1)

entry rows [n] (xs: [n][2]f64) =
  let f (xs: [n][2]f64) = f64.sum (map (\i -> f64.sum (map2 (\a b -> (a - b) ** 2) xs[i + 1] xs[i])) (iota (i64.max 0 (n - 1))))
  in (vjp f xs 1, agrees (\x -> f (unflatten (x :> [n * 2]f64))) (*) (flatten xs) 1)

entry known (xs: [6]f64) =
  let f (xs: [6]f64) = map (\i -> xs[i] + f64.i64 i * xs[i + 2]) (iota 3)
  in (vjp f xs [1, 1, 1], agrees f inner xs [1, 2, 3])

entry longer [n] (xs: [n]f64) =
  let f (xs: [n]f64) = map (\i -> if i >= 1 && i <= n then xs[i - 1] * xs[i - 1] else 0) (iota (n + 2))
  in (vjp f xs (replicate (n + 2) 1), agrees f inner xs (map f64.i64 (iota (n + 2))))
