-- Two carried arrays begin as two.
-- ==
-- error: the loop consumes `xs`, but begins with it twice
def main (n: i64) : ([]i64, []i64) =
  let xs = iota n
  in loop (a, b) = (xs, xs) for i < n do (a with [i] = b[i], b)
