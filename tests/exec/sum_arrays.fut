-- Arrays of sums: map, reduce, scan, scatter, filter over them, and updates in place.
-- tolerance: exact
-- ==
-- input { [3i32, -1i32, 0i32, 12i32] }
-- output { 14i32 [3i32, 2i32, 2i32, 14i32] [12i32, -7i32, -1i32, 3i32] 2i64 }
type t = #num i32 | #neg | #zero

def of (x: i32) : t = if x > 0 then #num x else if x < 0 then #neg else #zero
def value (x: t) : i32 = match x case #num n -> n case #neg -> -1 case #zero -> 0
def plus (a: t) (b: t) : t = of (value a + value b)

entry main [n] (xs: [n]i32) : (i32, [n]i32, [n]i32, i64) =
  let ts = map of xs
  let total = reduce plus #zero ts
  let sums = scan plus #zero ts
  let turned = scatter (copy ts) (map (\i -> n - 1 - i) (iota n)) ts
  let turned[1] = #num (-7)
  let nums = filter (\x -> match x case #num _ -> true case _ -> false) ts
  in (value total, map value sums, map value turned, length nums)
