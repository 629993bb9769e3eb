-- An inner loop consumes what the outer one carries, not what is around both.
-- ==
-- error: `zs` comes from outside
def main (n: i64) : []i64 =
  let zs = iota n
  in loop ys = iota n
     for i < n do
       let ws = loop ws = zs for j < n do ws with [j] = i
       in map2 (+) ys ws
