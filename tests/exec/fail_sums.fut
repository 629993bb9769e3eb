-- Cells of one map that fail in different cases: the first one counts.
-- ==
-- input { [0i64, 5i64] }
-- error: H7
-- ==
-- input { [5i64, 0i64] }
-- error: H7
type t = #a i64 | #b [2]i64

entry main [n] (xs: [n]i64) =
  let ts = map (\x -> if x > 3 then #a x else (#b [x, x] : t)) xs
  let ys = map (\t -> match t case #a k -> xs[k] case #b v -> 10 / v[0]) ts
  in ys
