-- Reductions shaped like a product of matrices, in tiles: operators, types, edges.
-- ==
-- entry: product
-- input { 257i64 129i64 67i64 }
-- input { 48i64 48i64 16i64 }
-- input { 61i64 300i64 17i64 }
-- input { 1i64 2i64 3i64 }
-- input { 0i64 64i64 64i64 }
-- input { 64i64 64i64 0i64 }
def data (n: i64) (m: i64) : [n][m]f32 =
  tabulate_2d n m (\i j -> f32.i64 ((i * 7919 + j * 104729) % 1024) * 0.001f32)

entry product (n: i64) (m: i64) (k: i64) : [n][m]f32 =
  let a = data n k
  let b = data k m
  in map (\r -> map (\c -> f32.sum (map2 (*) r c)) (transpose b)) a

-- Rows against rows, and a third factor for each k.
-- ==
-- entry: weighted
-- input { 65i64 50i64 33i64 }
entry weighted (n: i64) (m: i64) (k: i64) : [n][m]i32 =
  let a = map (map i32.f32) (map (map (* 1000)) (data n k))
  let b = map (map i32.f32) (map (map (* 1000)) (data m k))
  let w = map i32.i64 (iota k)
  in map (\r -> map (\c -> i32.sum (map3 (\x y z -> x * y * z) r c w)) b) a

def unzip2_2d 'a 'b [n] [m] (xs: [n][m](a, b)) : ([n][m]a, [n][m]b) = unzip (map unzip xs)

-- An operator that does not commute, on tuples.
-- ==
-- entry: compositions
-- input { 70i64 49i64 21i64 }
entry compositions (n: i64) (m: i64) (k: i64) : ([n][m]i64, [n][m]i64) =
  let a = tabulate_2d n k (\i l -> (i * 7 + l) % 11)
  let b = tabulate_2d m k (\j l -> (j * 5 + l) % 13)
  in unzip2_2d (map (\r ->
                       map (\c ->
                              reduce (\(p, q) (s, t) -> (p * s % 1009, (q * s + t) % 1009)) (1, 0) (zip r c))
                           b)
                    a)

-- One product for each of a batch.
-- ==
-- entry: batch
-- input { 3i64 50i64 49i64 20i64 }
entry batch (l: i64) (n: i64) (m: i64) (k: i64) : [l][n][m]f64 =
  let as = tabulate_3d l n k (\h i j -> f64.i64 ((h + i * 3 + j * 7) % 19))
  let bs = tabulate_3d l k m (\h i j -> f64.i64 ((h + i * 5 + j * 2) % 17))
  in map2 (\a b -> map (\r -> map (\c -> f64.sum (map2 (*) r c)) (transpose b)) a) as bs
