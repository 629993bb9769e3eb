-- A loop consumes nothing from outside.
-- ==
-- error: `ys` comes from outside
def main (n: i64) : i64 =
  let ys = iota n
  in loop x = 0 for i < n do x + (ys with [i] = 0)[i]
