-- Inference: generalised definitions, local polymorphic functions, point-free entries, records.
-- ==
-- entry: doubled
-- input { [1, 2, 3] } output { [4, 8, 12] }
-- ==
-- entry: point_free
-- input { [1f32, 2f32, 4f32] } output { 7f32 }
-- ==
-- entry: inner
-- input { 2i64 } output { [2i64, 3i64] [16f32] }
-- ==
-- entry: records
-- input { [1, 2] [true, false] } output { [2, 4] }
-- ==
-- entry: curried
-- input { 5 } output { 8 7 }
-- ==
-- entry: factorial
-- input { 5 } output { 120 }
def twice f x = f (f x)
entry doubled (xs: []i32) = map (twice (* 2)) xs
entry point_free = reduce (+) 0f32

entry inner (n: i64) =
  let apply 't [k] (f: t -> t) (ys: [k]t) = map f (map f ys)
  in (apply (+ 1) (iota n), apply (\y -> y * y) [2f32])

entry records [n] (xs: [n]i32) (bs: [n]bool) =
  let rs = map2 (\x b -> {value = x, flag = b}) xs bs
  in map (\r -> r.value * 2) rs

entry curried (x: i32) =
  let add a b = a + b
  let inc3 = add 3
  in (inc3 x, twice inc3 1)

def fact (n: i32) : i32 = if n == 0 then 1 else n * fact (n - 1)
entry factorial (n: i32) = fact n
