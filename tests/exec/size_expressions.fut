-- Sizes may be any expression; those that call the same are the same.
-- ==
-- entry: half
-- input { 7i64 [1, 2, 3] }
-- output { 6 }
-- input { 7i64 [1, 2] }
-- error: .*
--
-- ==
-- entry: twos
-- input { 3 }
-- output { [3, 3, 3, 3, 3, 3] }
--
-- ==
-- entry: tiles
-- input { [1, 2, 3, 4, 5] }
-- output { [[1, 2], [3, 4]] }
def twice (x: i32) : i64 = 2 * i64.i32 x
def make (x: i32) : [twice x]i32 = replicate (twice x) x
def both (x: i32) : [twice x](i32, i32) = zip (make x) (make x)
entry half (n: i64) (xs: [n / 2]i32) : i32 = i32.sum xs
entry twos (x: i32) : []i32 = map (.0) (both x)

def blocks [n] (b: i64) (xs: [n]i32) : [n / b][b]i32 =
  tabulate_2d (n / b) b (\i j -> xs[i * b + j])

entry tiles (xs: []i32) : [][]i32 = blocks 2 xs
