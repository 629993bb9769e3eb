-- Holes whose values hold functions: in records, results of functions, sums.
-- ==
-- entry: record result sum
-- input { 3i32 } output { 3i32 }
-- input { 100i32 } error: H7014

entry record (x: i32) =
  if x < 50
  then x
  else let r: {f: i32 -> i32 -> i32, y: i32} = ???
       in r.f r.y x + (map (r.f x) (replicate 3 x))[1]

entry result (x: i32) =
  if x < 50
  then x
  else let f: i32 -> (i32, i32 -> i32) = ???
       let (y, g) = f x
       in g y

type^ choice = #one (i32 -> i32) | #two i32

entry sum (x: i32) =
  if x < 50
  then x
  else let c: choice = ???
       in match c
          case #one f -> f x
          case #two y -> y
