-- Sizes that stand for expressions leave lambdas, branches and loops as those, also where they are
-- no polynomials and where evaluating them takes time.
-- ==
-- entry: rows
-- input { 5i64 [1, 2] } output { [[1, 1], [2, 2]] [[1, 1, 1, 1, 1, 1, 1, 1], [2, 2, 2, 2, 2, 2, 2, 2]] }
-- ==
-- entry: branches
-- input { 1i64 true } output { [0i64, 1i64, 2i64, 3i64] }
-- input { 1i64 false } output { [0i64, 0i64, 0i64, 0i64] }
-- ==
-- entry: steps
-- input { 4i64 } output { [0i64, 4i64] [0i64, 4i64, 8i64, 12i64, 16i64, 20i64, 24i64] }
def slow (k: i64) : i64 = loop x = k for i < 3 do x + i

def row (n: i64) (x: i32) : [slow n]i32 = replicate (slow n) x

entry rows (n: i64) (xs: []i32) =
  (map (\x -> replicate (n / 2) x) xs, map (\x -> map (+ 0) (row n x)) xs)

entry branches (n: i64) (b: bool) : [slow n]i64 =
  if b then iota (slow n) else replicate (slow n) 0

entry steps (n: i64) : ([n / 2]i64, [slow n]i64) =
  ( loop xs = iota (n / 2) for _i < 2 do map2 (+) xs (map2 (+) xs (replicate (n / 2) 0))
  , loop xs = iota (slow n) for _i < 2 do map2 (+) xs (map2 (+) xs (replicate (slow n) 0))
  )
