-- Reverse mode of histograms whose operator combines numbers of several types: its matrix was made in one type.
-- ==
-- entry: bits products rows
-- input { 6i16 [3u64, 4u64] [5i16, -7i16] } auto output
-- input { -1i16 [0u64, 1u64] [1i16, 0i16] } auto output
-- ==
-- entry: products
-- input { 2i16 [1u64, 0u64] [0i16, 0i16] } output { 12i16 }
def weights (us: [2]u64) (vs: [2]i16) = zip us vs
def pair (x: i16) = (u64.i16 x, x)

entry bits (x: i16) (us: [2]u64) (vs: [2]i16) =
  let op (a, b) (c, d) = (a | c, b & d)
  in vjp (\x -> reduce_by_index (rep (pair x)) op (0, -1) (iota 3) (replicate 3 (pair x))) x (weights us vs)

entry products (x: i16) (us: [2]u64) (vs: [2]i16) =
  let op (a, b) (c, d) = (a * c, b * d)
  in vjp (\x -> reduce_by_index (rep (pair x)) op (1, 1) [0, 1, 0] (replicate 3 (pair x))) x (weights us vs)

entry rows (x: i16) (us: [2]u64) (vs: [2]i16) =
  let op (a, b) (c, d) = (u64.min a c, i16.max b d)
  in vjp (\x ->
            reduce_by_index (rep (rep (pair x)))
                            (map2 op)
                            (rep (u64.highest, i16.lowest))
                            [1, 0]
                            (replicate 2 [pair x, pair (-x), pair 2]))
         x
         (replicate 2 ([weights us vs, reverse (weights us vs)] |> flatten |> take 3))
