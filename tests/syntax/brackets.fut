-- A space before `[` makes an argument of it.
-- ==
-- input { [1, 2, 3] } output { 3 2 }
def main (xs: []i32) = (length [xs, xs] |> i32.i64 |> (+ 1), xs[1])
