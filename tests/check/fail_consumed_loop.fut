-- A loop that updates its array consumes the initial one.
-- ==
-- error: `xs` is used after it was consumed.*H3015
def main (n: i64) : i64 =
  let xs = iota n
  let ys = loop ys = xs for i < n do ys with [i] = 0
  in xs[0] + ys[0]
