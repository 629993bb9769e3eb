-- The size of a hole that is a function's result is the function's own: callers need not know it.
-- ==
-- entry: global
-- input { 1i32 } error: hole
-- ==
-- entry: inner
-- input { 1i32 } error: hole
-- ==
-- entry: part
-- input { 1i32 } error: hole
def later (x: i32) : []i32 = ???
def both (x: i32) : ([]i32, i32) = (???, x)

entry global (x: i32) = length (later x)

entry inner (x: i32) =
  let f (y: i32): []i32 = ???
  in length (f x)

entry part (x: i32) : []i32 =
  let (xs, y) = both x
  in map (+ y) xs
