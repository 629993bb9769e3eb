-- A histogram left a loop in front of the large code that its bins begin with, which left in a branch: the compiler
-- ended by an internal error.
-- ==
-- entry: main
-- input { [3i64, 4i64, 5i64] 0i64 [0i64, 2i64, 2i64] 1i64 } output { [4i64, 5i64, 6i64] }
-- input { [3i64, 4i64, 5i64] 2i64 [0i64, 2i64, 2i64] 1i64 } output { [288i64, 285i64, 330i64] }
entry main [n] (xs: [n]i64) (k: i64) (is: [n]i64) (z: i64) : [n]i64 =
  loop acc = map (+ z) xs
  for _i < k do
    let t = i64.sum (map (\x -> i64.sum (map (\y -> x * y % 7 + (x ^ y)) xs)) xs)
    let h = reduce_by_index (replicate n t) (+) 0 is xs
    in map2 (\a b -> a * 3 + b) acc h
