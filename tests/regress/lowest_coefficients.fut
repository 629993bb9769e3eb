-- The prover of bounds divided the lowest i64 by -1 where an index had it for a coefficient.
-- ==
-- entry: divided
-- input { [1i64, 2i64] } error: division by zero
-- input { empty([0]i64) } output { empty([0]i64) }
-- ==
-- entry: read
-- input { [5i64] } output { [5i64] }
-- input { [5i64, 6i64] } error: out of range
-- ==
-- entry: counted
-- input { [1i64, 2i64, 3i64] } output { [4i64, 0i64, 0i64, 0i64, 0i64] }
entry divided [n] (xs: [n]i64) = map2 (\x i -> i * i64.lowest %% 0 % 35 - 1) xs (iota n)

entry read [n] (ys: [n]i64) = map (\i -> ys[i64.lowest * i]) (iota n)

entry counted [n] (xs: [n]i64) =
  reduce_by_index (replicate 5 0) (+) 0 (map (\i -> i64.lowest * i) (iota n)) xs
