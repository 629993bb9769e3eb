-- Sums with scalars, arrays and tuples in their payloads, in arrays and arrays of arrays.
-- tolerance: exact
-- ==
-- input { 6i64 }
-- output { [0i32, 6i32, 2i32, 3i32, 6i32, -5i32] [1i32, 1i32, 0i32, 1i32, 1i32, 0i32] [false, false, false, true, false, false] false }
-- ==
-- input { 0i64 }
-- output { empty([0]i32) empty([0]i32) empty([0]bool) true }
type t = #leaf i32 | #node [4]i32 | #pair (i32, bool)

entry main (n: i64) =
  let ts: [n]t = map (\i -> if i % 3 == 0 then #leaf (i32.i64 i) else if i % 3 == 1 then #node (map i32.i64 (iota 4)) else #pair (i32.i64 i, i % 2 == 0)) (iota n)
  let v = map (\t -> match t case #leaf x -> x case #node a -> i32.sum a case #pair (x, true) -> x case #pair (x, false) -> -x) ts
  let rev = ts[::-1]
  let tt = map (\t -> [t, #leaf 3]) ts
  let c = map (\r -> r[0] == r[1]) tt
  in (v, map (\t -> match t case #leaf _ -> 0i32 case _ -> 1) rev, c, rev == ts)
