-- Rows of running sums whose elements are sums or loops.

-- ==
-- entry: weighted
-- input { [[1i32, 2i32], [0i32, 3i32]] [[1i32, 1i32], [2i32, 0i32], [0i32, 5i32]] }
-- output { [[3i32, 5i32, 15i32], [3i32, 3i32, 18i32]] }
entry weighted [m] [n] [k] (weights: [m][k]i32) (xs: [n][k]i32) : [m][n]i32 =
  map (\w -> scan (+) 0 (map (\x -> i32.sum (map2 (*) w x)) xs)) weights

-- ==
-- entry: powers
-- input { [2i32, 3i32] 4i64 } output { [[1i32, 3i32, 7i32, 15i32], [1i32, 4i32, 13i32, 40i32]]
--                                      [[1i32, 2i32, 4i32, 8i32], [1i32, 3i32, 9i32, 27i32]] }
-- input { [5i32] 0i64 } output { empty([1][0]i32) empty([1][0]i32) }
entry powers [m] (bases: [m]i32) (n: i64) : ([m][n]i32, [m][n]i32) =
  unzip (map (\b ->
                let ps = map (\i -> loop p = 1 for _j < i do p * b) (iota n)
                in (scan (+) 0 ps, ps))
             bases)
