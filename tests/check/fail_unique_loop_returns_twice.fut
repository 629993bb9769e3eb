-- What is consumed is given back once.
-- ==
-- error: gives back `zs` twice
def main (n: i64) : ([]i64, []i64) =
  loop (xs, ys) = (iota n, iota n)
  for i < n do
    let xs[i] = 0
    let ys[i] = 1
    let zs = copy ys
    in (zs, zs)
