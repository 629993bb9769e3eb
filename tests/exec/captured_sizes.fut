-- Sizes, type parameters and arrays captured by functions in functions.
-- tolerance: exact
-- ==
-- input { [1i64, 2i64, 3i64] 2i64 }
-- output { [[1i64, 2i64, 3i64], [2i64, 3i64, 4i64]] [6i64, 9i64] }
-- ==
-- input { empty([0]i64) 2i64 }
-- output { empty([2][0]i64) [0i64, 0i64] }
def grid 't [n] (k: i64) (f: i64 -> t -> t) (a: [n]t) : [k][n]t =
  let row i = map (f i) a
  in map row (iota k)

entry main [n] (a: [n]i64) (k: i64) : ([k][n]i64, [k]i64) =
  let g = grid k (\i x -> i + x) a
  in (g, map (\row -> loop s = 0 for i < n do s + row[i]) g)
