-- Integer operators whose derivatives depend on the order, although their values do not: elements are combined from the
-- first to the last.
def weights (n: i64) : [n]i32 = tabulate n (\i -> i32.i64 i + 1)
def both [n] (f: [n]i32 -> i32) (xs: [n]i32) : ([n]i32, i32) = (vjp f xs 3, jvp f xs (weights n))

-- ==
-- entry: reductions
-- input { [5, 3, 3, 1] } output { [0, 0, 0, 0] 0 [27, 45, 3, 9] 54 }
entry reductions [n] (xs: [n]i32) : ([n]i32, i32, [n]i32, i32) =
  let (a, b) = both (reduce (^) 0) xs
  let (c, d) = both (reduce (\x y -> x * y %% 7) 1) xs
  in (a, b, c, d)

-- ==
-- entry: scans
-- input { [5, 3, 3, 0] } output { [1, 0, 0, 0] [1, 0, 0, 0] }
-- input { [0, 0, 6, 0] } output { [3, 2, 7, 0] [1, 3, 3, 3] }
entry scans [n] (xs: [n]i32) : ([n]i32, [n]i32) =
  (vjp (scan (^) 0) xs (weights n), jvp (scan (^) 0) xs (weights n))

-- ==
-- entry: bins
-- input { [5, 2, 3, 4, 3] } output { [0, 0, 0, 0, 0] [0, 0] }
-- input { [0, 0, 6, 0, 0] } output { [0, 10, 1, 10, 0] [3, 6] }
entry bins [n] (xs: [n]i32) =
  let f xs = hist (^) 0 2 (map (% 2) (iota n)) xs
  in (vjp f xs [1, 10], jvp f xs (weights n))

-- ==
-- entry: rows
-- input { [5, 3, 3] } output { [0, 0, 0] }
-- input { [0, 6, 0] } output { [0, 11, 0] }
entry rows [n] (xs: [n]i32) : [n]i32 = vjp (reduce (map2 (^)) [0, 0] <-< map (\x -> [x, x])) xs [1, 10]
