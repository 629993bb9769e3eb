-- Sizes that only the result knows, written out, in maps and sizes of other values.
-- tolerance: exact
-- ==
-- input { 5i64 [1i32, 2i32, 3i32] }
-- output { [0i64, 2i64, 4i64] [[0i64, 0i64, 0i64, 0i64, 0i64], [1i64, 1i64, 1i64, 1i64, 1i64], [2i64, 2i64, 2i64, 2i64, 2i64]] [6i64, 9i64] [4i32, 6i32] 2i64 [6i32, 9i32] }
def poly 'a [n] (f: (i: i64) -> a) (_: [n]i32) : [n]a = map f (iota n)
def existential (n: i64) : ?[m].[m]i64 = filter (\x -> x % 2 == 0) (iota n)

entry main [k] (n: i64) (xs: [k]i32) =
  let e = existential n
  let ys = poly (\i -> replicate n i) xs
  let zs = map (\x -> i64.sum (map (+ x) e)) (iota 2)
  let [m] (fs: [m]i32) = filter (> 1) xs
  let gs: [m]i32 = map (* 2) fs
  in (e, ys, zs, gs, m, map2 (+) fs gs)
