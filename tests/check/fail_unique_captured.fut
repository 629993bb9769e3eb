-- A function aliases what it has captured.
-- ==
-- error: `get` is used after it was consumed.*H3015.*`get` may share the memory of `xs`
def main (n: i64) : i64 =
  let xs = iota n
  let get = \(i: i64) -> xs[i]
  let ys = xs with [0] = 1
  in get 0 + ys[0]
