-- Sizes may be any expression; equal ones are equal by what they call.
-- ==
-- entry: half
-- input { 7i64 [1, 2, 3] }
-- output { 6 }
def twice (x: i32) : i64 = 2 * i64.i32 x
def make (x: i32) : [twice x]i32 = replicate (twice x) x
def both (x: i32) : [twice x](i32, i32) = zip (make x) (make x)
entry half (n: i64) (xs: [n / 2]i32) : i32 = i32.sum xs
