-- A size that `let` binds is told by the value, for the functions beside it as well.
-- ==
-- input { 3i32 } output { 2i64 [2i64, 3i64] }
def main (x: i32) =
  let [n] (ys: [n]i32, f: [n]i32 -> [n]i64) =
    ([x, x], \(zs: [2]i32) -> map2 (\z i -> i64.i32 z + i - 1) zs (iota 2))
  in (n, f ys)
