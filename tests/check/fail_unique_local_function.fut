-- Nor does a local function consume what is around it.
-- ==
-- error: `xs` comes from outside
def main (n: i64) : i64 =
  let xs = iota n
  let set (i: i64) = (xs with [i] = 0)[i]
  in set 1 + set 2
