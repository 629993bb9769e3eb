-- Sums as arguments and results: as text, from scripts, alone and in arrays; slots that the
-- constructor does not use have the sizes of the others.
-- ==
-- entry: plus
-- input { #some 3 1 } output { 4 }
-- input { (#none) 1 } output { 0 }
-- ==
-- entry: total
-- input { [#none, #some 4, #some (5)] } output { 9 }
-- script input { many 4i64 } output { 6 }
-- script input { (many 4) } output { 6 }
-- ==
-- entry: dot
-- input { [1,2,3] #b } output { 3 }
-- input { [1,2,3] #a [1,2,3] } output { 14 }
-- input { [1,2,3] #a [1,2] } error: has shape `\[2]`, needed `\[3]`.*H7006
-- ==
-- entry: records
-- input { [#x {a = 1, b = ([1,2], true)}, #x {a = 2, b = ([3, 4], false)}] } output { [2,3] }
-- ==
-- entry: plus
-- script input { let x = one 5 in (x, 2) } output { 7 }
-- script input { (one 0, 2) } output { 0 }
-- ==
-- entry: shared
-- script input { mixed 5i64 } output { [0i64, 11i64, 22i64, 13i64, 24i64] }
type t = #none | #some i32
entry plus (x: t) (c: i32) : i32 = match x case #none -> 0 case #some a -> a + c
entry one (x: i32) : t = if x == 0 then #none else #some x
entry many (n: i64) : [n]t = map (\i -> one (i32.i64 i)) (iota n)
entry total (xs: []t) : i32 = i32.sum (map (\x -> match x case #none -> 0 case #some a -> a) xs)

entry dot [n] (xs: [n]i32) (y: #a [n]i32 | #b) : i32 =
  match y case #b -> 3 case #a ys -> i32.sum (map2 (*) ys xs)

entry records [m] [n] (xs: [m](#x {a: i32, b: ([n]i32, bool)})) : [m]i32 =
  map (\(#x {a, b = (xs, c)}) -> if c then a + xs[0] else xs[0]) xs

type two = #left i64 | #none | #right i64

entry mixed (n: i64) : [n]two =
  map (\i -> if i == 0 then #none else if i % 2 == 1 then #left i else #right i) (iota n)

entry shared [n] (xs: [n]two) : [n]i64 =
  map (\x -> match x case #left i -> 10 + i case #none -> 0 case #right i -> 20 + i) xs
