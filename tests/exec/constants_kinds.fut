-- Top-level constants: arrays, records with functions, sums, constants made of constants.
-- tolerance: exact
-- ==
-- input { 2i64 } output { 4i32 [10i32, 20i32] 7i32 }
type t = #some i32 | #none
def table = map (\i -> i32.i64 (i * i)) (iota 5)
def functions = {f = \(x: i32) -> x + 1, g = (* 2i32)}
def chosen : t = if table[3] > 5 then #some 7 else #none
def last3 = drop 2 table

entry main (i: i64) =
  ( table[i]
  , map (functions.f >-> functions.g) last3[:2] |> map2 (+) (replicate 2 0)
  , match chosen case #some x -> x case #none -> 0
  )
