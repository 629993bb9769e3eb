-- Checks in cells that have a workgroup each: those that hold, and one that fails in some lanes of
-- one cell.
-- ==
-- input { 2i64 [0i64, 4i64, 3i64, 1i64] }
-- ==
-- input { 3i64 [0i64, 4i64, 5i64, 1i64] }
-- error: index `\[20]` is out of range.*H7001
def main [c] (k: i64) (is: [c]i64) : [c][20]i32 =
  map (\i ->
         loop ys = map i32.i64 (iota 20)
         for t < k do
           let s = scan (+) 0 ys
           in map2 (\j y -> (s[(j + t) % 16 + i] + y) % 100) (iota 20) ys)
      is
