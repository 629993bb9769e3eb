-- Batches of small products: several share a workgroup, the last of which may have fewer. Batches of
-- a few dozen share one where a variant forces them to (tests/CMakeLists.txt).
entry data (b: i64) (n: i64) (m: i64) : [b][n][m]i32 =
  tabulate_3d b n m (\i j k -> i32.i64 ((i * 31 + j * 7919 + k * 104729) % 1013))

entry reals (b: i64) (n: i64) (m: i64) : [b][n][m]f32 =
  tabulate_3d b n m (\i j k -> f32.i64 ((i * 31 + j * 79 + k * 7) % 13))

def times [n] [m] [k] (a: [n][k]i32) (b: [k][m]i32) : [n][m]i32 =
  map (\row -> map (\column -> i32.sum (map2 (*) row column)) (transpose b)) a

-- ==
-- entry: products
-- script input { (data 5i64 2i64 3i64, data 5i64 3i64 2i64) }
-- script input { (data 0i64 8i64 8i64, data 0i64 8i64 8i64) }
-- script input { (data 7i64 8i64 0i64, data 7i64 0i64 8i64) }
-- script input { (data 4097i64 8i64 8i64, data 4097i64 8i64 8i64) }
-- script input { (data 67i64 7i64 5i64, data 67i64 5i64 6i64) }
-- script input { (data 35i64 16i64 16i64, data 35i64 16i64 16i64) }
-- script input { (data 33i64 13i64 17i64, data 33i64 17i64 9i64) }
-- script input { (data 33i64 24i64 12i64, data 33i64 12i64 32i64) }
-- script input { (data 32i64 33i64 5i64, data 32i64 5i64 9i64) }
entry products [b] [n] [m] [k] (xs: [b][n][k]i32) (ys: [b][k][m]i32) : [b][n][m]i32 = map2 times xs ys

-- Floats, whose products are fused; code behind the sums; one matrix for all.
-- ==
-- entry: layers
-- script input { (reals 65i64 8i64 8i64, reals 65i64 8i64 8i64) }
-- script input { (reals 4099i64 15i64 6i64, reals 4099i64 6i64 10i64) }
-- script input { (reals 33i64 32i64 32i64, reals 33i64 32i64 32i64) }
entry layers [b] [n] [m] [k] (xs: [b][n][k]f32) (ys: [b][k][m]f32) : ([b][n][m]f32, [b][n][m]f32) =
  let sums x y = map (\row -> map (\column -> f32.sum (map2 (*) row column)) (transpose y)) x
  in (map2 (\x y -> map (map (\s -> f32.max 0 (s - 100))) (sums x y)) xs ys, map (\x -> sums x ys[0]) xs)

-- Transposed factors, another operator.
-- ==
-- entry: paths
-- script input { data 4097i64 9i64 9i64 }
-- script input { data 35i64 16i64 16i64 }
entry paths [b] [n] (xs: [b][n][n]i32) : [b][n][n]i32 =
  map (\x -> map (\row -> map (\other -> i32.minimum (map2 (+) row other)) x) (transpose x)) xs
