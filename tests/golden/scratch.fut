-- Arrays of invocations, element by element: neighbouring invocations have neighbouring ones. As
-- many invocations as have memory go through all cells; what a loop carries changes halves.
-- ==
-- input { [3i64, 5i64] 4i64 }
-- output { [6i64, 10i64] }
def main [n] (xs: [n]i64) (k: i64) : [n]i64 =
  map (\x -> (loop ys = replicate k x for i < x do map (\j -> ys[k - 1 - j] + 1) (iota k))[0]) xs
