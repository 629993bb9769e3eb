-- A branch may update an array in place and the other hand it on as it is.
-- tolerance: exact
-- ==
-- input { true [1i32, 2i32] } output { [7i32, 2i32] 9i32 }
-- ==
-- input { false [1i32, 2i32] } output { [1i32, 2i32] 3i32 }
def main [n] (c: bool) (xs: *[n]i32) : ([n]i32, i32) =
  let xs = if c then xs with [0] = 7 else xs
  in (xs, i32.sum xs)
