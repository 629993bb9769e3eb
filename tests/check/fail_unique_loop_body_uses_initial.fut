-- The body does not use what the loop consumes.
-- ==
-- error: `xs` is used in the loop, which consumes it as its initial value
def main (n: i64) : []i64 =
  let xs = iota n
  in loop ys = xs for i < n do ys with [i] = xs[0]
