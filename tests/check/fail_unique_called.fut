-- The function is there before its argument, and holds what it has captured.
-- ==
-- error: used after it was consumed \[H3015\]
def main (xs: *[]i32) =
  let get = \(i: i64) -> xs[i]
  in get (let xs[0] = 1 in 0)
