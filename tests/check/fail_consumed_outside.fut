-- Every call would consume the same array.
-- ==
-- error: `xs` comes from outside and would be consumed each time.*H3015
def main (n: i64) : [][]i64 =
  let xs = iota n
  in map (\i -> xs with [i] = 0) (iota n)
